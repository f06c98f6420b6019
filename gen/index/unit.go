package index

import (
	"slices"

	"gitlab-mcp-server/internal/token"
)

// unit is one way to ask for a document.
type unit struct {
	field uint8
	class uint8
	scope uint8
	terms []int
	twice []int // terms that the name says twice: the pipelines of a pipeline schedule
}

// reading is what a text says: terms by slot, the class of its verbs, scopes.
type reading struct {
	terms []int
	twice []int
	class int // -1: no verb
	scope uint8
}

// read reads text by the lexicon. The first alternative of each slot is meant.
func (b *builder) read(text string) reading {
	var q token.Query
	q.Scan(text)
	b.lex.Match(&q)
	r := reading{class: -1}
	best := uint8(0)
	for i := range q.N {
		s := &q.Slots[i]
		if s.Kind != token.Thing && s.Kind != token.Light {
			continue
		}
		if s.NAlts > 0 {
			if t := int(s.Alts[0].Term); slices.Contains(r.terms, t) {
				r.twice = append(r.twice, t)
			} else {
				r.terms = append(r.terms, t)
			}
		}
		if s.NAlts > 0 {
			r.scope |= s.Scope
		}
		if r.class >= 0 {
			continue
		}
		for _, c := range s.Class[:s.NClass] {
			if c.Weight > best {
				best, r.class = c.Weight, int(c.Term)
			}
		}
	}
	return r
}

func (b *builder) units(i int, d *doc) {
	a := b.cat.Actions[i]
	// a phrase of a special action must say more than the thing
	name := nameWords(a.Name)
	thing, special := b.read(words(a.Domain)).terms, false
	for _, t := range b.read(name).terms {
		special = special || !b.names(d.scope, t) && !slices.Contains(thing, t)
	}
	add := func(field uint8, text string) {
		r := b.read(text)
		u := unit{field: field, class: uint8(d.class)}
		if field == token.FieldPhrase && r.class >= 0 {
			u.class = uint8(r.class)
		}
		// the document's own scope goes without saying
		for _, t := range r.terms {
			if !b.names(d.scope, t) || len(r.terms) == 1 {
				u.terms = append(u.terms, t)
			} else {
				r.scope &^= 1 << d.scope
			}
		}
		u.scope = r.scope
		if field != token.FieldPhrase {
			u.twice = r.twice
		}
		if len(u.terms) == 0 {
			return
		}
		if field == token.FieldPhrase && special && len(u.terms) <= len(thing) && !slices.ContainsFunc(u.terms, func(t int) bool { return !slices.Contains(thing, t) }) {
			d.empty = append(d.empty, text)
			return
		}
		if field == token.FieldPhrase && special && len(d.units) > 0 && d.units[0].field == token.FieldName && subset(u.terms, d.units[0].terms) {
			d.empty = append(d.empty, text)
			return
		}
		slices.Sort(u.terms)
		for _, o := range d.units {
			if slices.Equal(o.terms, u.terms) && o.class == u.class {
				return
			}
		}
		d.units = append(d.units, u)
	}
	add(token.FieldName, words(a.Domain)+" "+name)
	if a.Title != "" {
		add(token.FieldTitle, a.Title)
	}
	for _, noun := range b.voc.Nouns[a.Domain] {
		add(token.FieldNoun, noun+" "+name)
	}
	for _, p := range d.phrases {
		add(token.FieldPhrase, p)
	}
}

// subset reports whether terms are some but not all of others.
func subset(terms, others []int) bool {
	return len(terms) < len(others) && !slices.ContainsFunc(terms, func(t int) bool { return !slices.Contains(others, t) })
}

// names reports whether term is a word for a scope. That an action is of a
// user or of the instance is worth a word, that it is of a project is not.
func (b *builder) names(scope, term int) bool {
	if scope > token.ScopeGroup {
		return false
	}
	for _, w := range b.voc.Scopes[token.ScopeNames[scope]] {
		if t, ok := b.lex.Find([]byte(token.KeyOf(w))); ok && t == term {
			return true
		}
	}
	return false
}

package search

import (
	"gitlab-mcp-server/internal/token"
)

// pass is what the slots of one intent say together.
type pass struct {
	mass                    int32                   // of the whole query
	verb                    [token.NumClasses]int32 // share of the verb's mass that a class of action gets
	sense                   token.Sense             // of the words that ask
	nearest                 int32                   // how well the sense goes with the document that it goes best with
	farthest                int32                   // … and with one that is as unlikely as matters
	idle                    int32                   // how much rather the words ask for nothing, in thousandths of an e-fold
	asks                    [token.NumClasses]int32 // how likely the sense asks for each class
	askedMost               int32                   // the most of asks
	asked                   int32                   // how sure a verb is there, in thousandths
	head                    int                     // slot of the thing that is asked for, -1
	verbMass                int32
	bonus                   int32                                   // the most that factors can give
	most                    int32                                   // the same and a unit
	missedQuery, missedUnit int64                                   // weights
	field                   [4]int64                                // weights of the fields of units
	fits                    [token.NumClasses][token.NumClasses]fit // by class of action and of unit
	scopes                  uint8                                   // named
	many                    uint8                                   // scopes named as the thing: projects
	scopeOf                 [token.NumScopes]int32
	known                   int32 // things spelt right, verbs aside, twice; words of daily life, once
	things                  bool  // a thing, not a verb, is there
	verbs                   [4]uint16
	nverbs                  int   // of verbs: terms of plain verbs, spelt right
	keys                    int   // names of parameters: in name=value where some action knows it, and identifiers
	strange                 int32 // words that mean nothing, twice
	unknown                 int32 // the same; words of daily life and mistyped ones, once
	formed                  int   // term of a verb that looks like a noun or participle, -1
	run                     bool  // the head's run of nouns goes on
	plural                  bool
	value                   bool // a value stands behind a thing
	how                     bool // a question
	led                     bool // a verb was there already
	del                     bool // an exact verb of destruction
	deletion                bool // the noun of one
	ordered                 bool // a plain verb
	typed                   bool // a value that only software has
	described               bool // a participle that tells which things are meant
	negated                 bool // a verb that is not to be done
}

// gather adds up what the slots give to units and documents.
func (w *work) gather() pass {
	clear(w.units)
	clear(w.unitAt)
	clear(w.bags)
	clear(w.bagAt)
	clear(w.named)
	clear(w.keys)
	p := pass{head: -1, formed: -1}
	w.sense(&p)
	unknown := int32(0)
	thing := false
	last := -2 // token of the noun before
	for n, r := range w.list[:w.nlist] {
		s := &w.q.Slots[r.slot]
		p.typed = p.typed || w.forge(s)
		switch s.Kind {
		case token.Unknown:
			if r.share == 100 {
				unknown += w.weight(token.WUnknown)
				p.unknown += 2
				p.strange += 2
			}
			thing = false
			continue
		case token.Literal:
			p.value = p.value || thing && s.Source != token.Value
			continue
		case token.Light:
			if mass := w.slot(n, r, false); r.share == 100 {
				p.mass += mass
			}
			continue
		case token.Connection:
			p.how = p.how || s.Mark == token.MarkHow && p.asked == 0
			continue
		}
		if w.seen(n) {
			continue
		}
		if w.unwanted(r.slot) {
			p.negated = true
			continue
		}
		later := p.head >= 0 && !(p.run && int(s.Token) == last+1) && s.NClass == 0 && s.Scope == 0
		mass := w.slot(n, r, later)
		if r.share == 100 {
			p.mass += mass
			if s.NAlts > 0 && s.Scope == 0 && s.NClass == 0 {
				p.things = true
				if s.Typo > 0 {
					p.known++
					p.unknown++
				} else {
					p.known += 2
					if w.casual(s) {
						p.known--
						p.unknown++
					}
				}
			}
		}
		p.many |= s.Many
		if s.Scope != 0 {
			if r.share == 100 && s.Typo == 0 && s.Scope&(1<<token.ScopeProject|1<<token.ScopeGroup) != 0 {
				p.known += 2
			}
			p.scopes |= s.Scope
			for i := range p.scopeOf {
				if s.Scope&(1<<i) != 0 {
					p.scopeOf[i] = max(p.scopeOf[i], mass)
				}
			}
		}
		if s.Source == token.Ident && s.NAlts > 0 && s.NClass == 0 {
			p.keys++ // datadog_site: the parameter itself
		}
		if s.Source == token.Key {
			if s.NAlts > 0 {
				if docs, _ := w.bag(int(s.Alts[0].Term)); len(docs) > 0 {
					p.keys++
				}
			}
			continue
		}
		switch {
		case s.NClass == 0:
		case w.negation(r.slot) >= 0:
			p.negated = true // what must not be pushed to
		case w.describes(r.slot):
			p.described = true
			if p.formed < 0 && s.NAlts > 0 {
				p.formed = int(s.Alts[0].Term)
			}
		default:
			w.verb(&p, s, r.share, int(s.Token) == last+1)
		}
		if s.NAlts > 0 && (s.NClass == 0 || s.Plural) {
			w.noun(&p, r.slot, int(s.Token) == last+1)
		}
		if s.NAlts > 0 && (s.NClass == 0 || s.Plural || s.Past) {
			last = int(s.Last)
		}
		if s.NAlts > 0 {
			thing = s.Scope == 0
			p.plural = p.plural || s.Plural
			p.value = p.value || s.Source == token.Issue || s.Source == token.Merge || s.Source == token.SHA
		}
	}
	p.del = p.del || p.deletion && !p.ordered
	p.mass += min(unknown, w.weight(token.WUnknownLong))
	p.verbMass = w.weight(token.WVerb) * p.asked / 1000
	p.mass += p.verbMass
	w.fit(&p)
	return p
}

// casual reports whether the slot is a word of daily life, in all that it may
// mean.
func (w *work) casual(s *token.Slot) bool {
	for _, a := range s.Alts[:s.NAlts] {
		if a.Weight >= 50 && !w.ix.Casual(a.Term) {
			return false
		}
	}
	return true
}

// forge reports whether a slot is a value of a kind that daily life has not: a
// commit id, #12, !34, a version, a path.
func (w *work) forge(s *token.Slot) bool {
	switch s.Source {
	case token.Issue, token.Merge, token.SHA, token.Dotted:
		return true
	case token.Number:
		text := w.q.Tokens[s.Token].Text(w.q.Buf)
		return len(text) > 1 && text[0] == 'v' && text[1] >= '0' && text[1] <= '9'
	}
	return false
}

// seen reports whether an earlier slot of the pass means the same term.
func (w *work) seen(n int) bool {
	s := &w.q.Slots[w.list[n].slot]
	if s.NAlts == 0 {
		return false
	}
	for _, r := range w.list[:n] {
		o := &w.q.Slots[r.slot]
		if o.Kind == token.Thing && o.NAlts > 0 && o.Alts[0].Term == s.Alts[0].Term {
			return true
		}
	}
	return false
}

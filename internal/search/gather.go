package search

import (
	"gitlab-mcp-server/internal/token"
)

// pass is what the slots of one intent say together.
type pass struct {
	mass                    int32                   // of the whole query
	verb                    [token.NumClasses]int32 // share of the verb's mass that a class of action gets
	asks                    [token.NumClasses]int32 // how likely each class is asked for, by the signs of the words
	asked                   int32                   // how sure a verb is there, in thousandths
	head                    int                     // slot of the thing that is asked for, -1
	verbMass                int32
	bonus                   int32                                   // the most that factors can give
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
	unknown                 int32 // words that mean nothing, twice; words of daily life, once
	formed                  int   // term of a verb that looks like a noun or participle, -1
	run                     bool  // the head's run of nouns goes on
	plural                  bool
	value                   bool // a value stands behind a thing
	how                     bool // a question
	led                     bool // a verb was there already
	del                     bool // an exact verb of destruction
}

// negates is how many words behind a negation a verb is meant by it.
const negates = 2

// gather adds up what the slots give to units and documents.
func (w *work) gather() pass {
	clear(w.units)
	clear(w.unitAt)
	clear(w.bags)
	clear(w.bagAt)
	clear(w.named)
	clear(w.keys)
	p := pass{head: -1, formed: -1}
	w.asks(&p)
	unknown := int32(0)
	thing := false
	last := -2 // token of the noun before
	not := -9  // token of the negation before
	for n, r := range w.list[:w.nlist] {
		s := &w.q.Slots[r.slot]
		switch s.Kind {
		case token.Unknown:
			if r.share == 100 {
				unknown += w.weight(token.WUnknown)
				p.unknown += 2
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
			if s.Mark == token.MarkNot {
				not = int(s.Last)
			}
			continue
		}
		if w.seen(n) {
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
		if s.NClass > 0 && int(s.Token) > not+negates {
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

// asks reads the signs of what is asked for: all words of the clause, and the
// verbs of slots that take part beside it.
func (w *work) asks(p *pass) {
	i, j := 0, len(w.q.Tokens)
	if w.from > 0 {
		i = int(w.q.Slots[w.from-1].Last) + 1
	}
	if w.to < w.q.N {
		j = int(w.q.Slots[w.to].Token)
	}
	w.signs = w.ix.Lexicon.Signs(w.signs[:0], &w.q, i, j)
	for _, r := range w.list[:w.nlist] {
		if r.share == 100 {
			w.signs = w.q.VerbSign(w.signs, r.slot)
		}
	}
	p.asks = w.ix.Asks(w.signs)
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

// slot gives the documents with a term of the slot their points. A document
// gets the best alternative only. The result is the slot's mass, in thousandths.
func (w *work) slot(n int, r ref, later bool) int32 {
	s := &w.q.Slots[r.slot]
	share := w.counts(s, r)
	whole := int32(1000)
	switch {
	case s.Source == token.Key:
		whole = w.weight(token.WKey)
	case later:
		whole = w.weight(token.WLater)
	}
	share = share * whole / 1000
	m := meeting{slot: s, at: uint8(n + 1), only: s.NAlts == 1}
	m.noun = r.share == 100 && s.Kind == token.Thing && s.NClass == 0 && s.Scope == 0
	var most int32
	for _, a := range s.Alts[:s.NAlts] {
		points := w.ix.Mass(a.Term) * 10 * int32(a.Weight) / 100
		if a.Weight == 100 || most == 0 {
			most = max(most, points)
		}
		points = points * share / 1000
		if s.Source != token.Key { // the name of a parameter is no thing
			w.meetUnits(&m, a.Term, points)
		}
		w.meetBags(&m, a.Term, points)
	}
	return most * whole / 1000
}

// meeting is a slot that gives its points.
type meeting struct {
	slot *token.Slot
	at   uint8 // number of the slot, from 1
	only bool  // it has no other alternatives
	noun bool  // it is a thing of the query
}

// meetUnits gives points to the units with a term, as far as an alternative
// before gave less.
func (w *work) meetUnits(m *meeting, term uint16, points int32) {
	posts := w.posts(int(term))
	if m.only {
		for _, u := range posts {
			w.units[u] += points
		}
		return
	}
	for _, u := range posts {
		if w.unitAt[u] != m.at {
			w.unitAt[u], w.unitIn[u] = m.at, 0
		}
		if more := points - w.unitIn[u]; more > 0 {
			w.units[u] += more
			w.unitIn[u] = points
		}
	}
}

// meetBags is the same for documents, as far as it is sure that the term is
// about them.
func (w *work) meetBags(m *meeting, term uint16, points int32) {
	var parts [token.SureUnit + 1]int32
	for i := range parts {
		parts[i] = points * int32(i) / token.SureUnit
	}
	key := m.slot.Source == token.Key || m.slot.Source == token.Ident
	docs, sure := w.bag(int(term))
	for i, d := range docs {
		if key {
			w.keys[d]++
		}
		if m.noun && sure[i]>>4 <= token.FieldPhrase {
			w.named[d] = true
		}
		part := parts[sure[i]&token.SureUnit]
		if m.only {
			w.bags[d] += part
			continue
		}
		if w.bagAt[d] != m.at {
			w.bagAt[d], w.bagIn[d] = m.at, 0
		}
		if more := part - w.bagIn[d]; more > 0 {
			w.bags[d] += more
			w.bagIn[d] = part
		}
	}
}

// counts is how much of a slot's mass counts, in thousandths.
func (w *work) counts(s *token.Slot, r ref) int32 {
	share := r.share * 10
	switch s.Typo {
	case 0:
		return share
	case 1:
		share = share * w.weight(token.WTypo1) / 1000
	default:
		share = share * w.weight(token.WTypo2) / 1000
	}
	if s.End-s.Start < 6 { // little is left of a short word
		share = share * w.weight(token.WShort) / 1000
	}
	return share
}

func (w *work) posts(term int) []uint16 {
	start := uint32(0)
	if term > 0 {
		start = w.ix.PostEnds[term-1]
	}
	return w.ix.Posts[start:w.ix.PostEnds[term]]
}

func (w *work) bag(term int) ([]uint16, []uint8) {
	start := uint32(0)
	if term > 0 {
		start = w.ix.BagEnds[term-1]
	}
	end := w.ix.BagEnds[term]
	return w.ix.BagDocs[start:end], w.ix.BagSure[start:end]
}

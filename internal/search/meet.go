package search

import (
	"gitlab-mcp-server/internal/token"
)

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
	start, end := token.Span(w.ix.PostEnds, term)
	return w.ix.Posts[start:end]
}

func (w *work) bag(term int) ([]uint16, []uint8) {
	start, end := token.Span(w.ix.BagEnds, term)
	return w.ix.BagDocs[start:end], w.ix.BagSure[start:end]
}

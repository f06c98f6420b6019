package search

import (
	"slices"
	"strings"

	"gitlab-mcp-server/internal/token"
)

// explain says for every hit how its score came about. The passes are run once
// more; the order is not touched.
func (w *work) explain(hits []Hit, order *ranked) {
	for part := range w.nseg + 1 {
		w.choose(part)
		var p pass
		ran := false
		for i := range hits {
			c := order.list[i]
			if c.part != part {
				continue
			}
			if !ran {
				p, ran = w.gather(), true
			}
			hits[i].Explanation = w.reasons(&p, c)
		}
	}
}

// reasons are the summands of a candidate's score.
func (w *work) reasons(p *pass, c cand) []Reason {
	var list []Reason
	if c.unit >= 0 {
		list = w.unitReasons(p, c)
	}
	list = append(list, w.bagReasons(p, c.doc)...)
	for i, pts := range w.facts(p, c.doc, c.unit) {
		if pts != 0 {
			list = append(list, Reason{Factor: factNames[i], Points: int(pts)})
		}
	}
	if c.unlike > 0 {
		list = append(list, Reason{Factor: "the words ask rather for others", Points: -int(c.unlike)})
	}
	switch {
	case c.raised > 0:
		list = append(list, Reason{Factor: "succeeds a deprecated action", Points: int(c.raised)})
	case c.raised < 0:
		list = append(list, Reason{Factor: "stands behind what comes first", Points: int(c.raised)})
	}
	return list
}

// unitReasons share the points of the best unit among the words that met it.
func (w *work) unitReasons(p *pass, c cand) []Reason {
	u := uint32(c.unit)
	unit := w.unitOf(c.unit)
	field := token.FieldNames[unit.Field()]
	var list []Reason
	var parts []int32
	for n, r := range w.list[:w.nlist] {
		s := &w.q.Slots[r.slot]
		if s.Kind != token.Thing && s.Kind != token.Light || s.Source == token.Key || w.seen(n) {
			continue
		}
		best, at := int32(0), token.Alt{}
		for _, a := range s.Alts[:s.NAlts] {
			if pts := w.ix.Mass(a.Term) * int32(a.Weight); pts > best {
				if _, ok := slices.BinarySearch(w.posts(int(a.Term)), uint16(u)); ok {
					best, at = pts, a
				}
			}
		}
		if best > 0 {
			list = append(list, w.reason(s, at, field))
			parts = append(parts, best*w.counts(s, r)/1000)
		}
	}
	verb, named := p.fits[w.ix.DocClass[c.doc]][unit.Class()].verb, p.unsaidScope(unit, w.ix.DocScope[c.doc])
	if verb > 0 {
		list = append(list, Reason{Match: token.ClassNames[unit.Class()], Field: field, Factor: "verb"})
		parts = append(parts, verb*10)
	}
	if named > 0 {
		list = append(list, Reason{Match: token.ScopeNames[w.ix.DocScope[c.doc]], Field: field, Factor: "scope"})
		parts = append(parts, named*10)
	}
	apportion(list, parts, c.base)
	return list
}

// bagReasons share the points of the document's other words.
func (w *work) bagReasons(p *pass, doc int) []Reason {
	var list []Reason
	var parts []int32
	for n, r := range w.list[:w.nlist] {
		s := &w.q.Slots[r.slot]
		if s.Kind != token.Thing && s.Kind != token.Light || w.seen(n) {
			continue
		}
		best, at, field := int32(0), token.Alt{}, uint8(0)
		for _, a := range s.Alts[:s.NAlts] {
			docs, sure := w.bag(int(a.Term))
			i, ok := slices.BinarySearch(docs, uint16(doc))
			if !ok {
				continue
			}
			pts := w.ix.Mass(a.Term) * int32(a.Weight) / 100 * int32(sure[i]&token.SureUnit) / token.SureUnit
			if pts > best {
				best, at, field = pts, a, sure[i]>>4
			}
		}
		if best > 0 {
			list = append(list, w.reason(s, at, token.FieldNames[field]))
			parts = append(parts, best*w.counts(s, r)/1000)
		}
	}
	apportion(list, parts, w.bagPoints(p, doc))
	return list
}

func (w *work) reason(s *token.Slot, a token.Alt, field string) Reason {
	r := Reason{Term: w.text[s.Start:s.End], Match: strings.ReplaceAll(w.ix.Stem(int(a.Term)), "_", " "), Field: field, Factor: "match"}
	switch {
	case s.Typo > 0:
		r.Factor = "typo"
	case a.Weight < 100 || a.Term != s.Alts[0].Term:
		r.Factor = "synonym"
	}
	return r
}

// apportion shares total among the reasons in proportion to parts, so that
// they add up to it.
func apportion(list []Reason, parts []int32, total int32) {
	sum := int64(0)
	for _, p := range parts {
		sum += int64(p)
	}
	if sum == 0 {
		return
	}
	done, seen := int64(0), int64(0)
	for i, p := range parts {
		seen += int64(p)
		to := seen * int64(total) / sum
		list[i].Points = int(to - done)
		done = to
	}
}

package search

import (
	"slices"

	"gitlab-mcp-server/internal/token"
)

// spare is how many candidates more than wanted are kept for those that lose
// their place to a successor.
const spare = 8

// succeed puts every successor of a deprecated action before it, if the
// successor fits about as well, and leaves it out if it does not: the deprecated
// action names it. A successor that is not in the list is judged by p, if there
// is one, so that the length of the list does not matter.
func (w *work) succeed(r *ranked, p *pass) {
	for i := 0; i < r.n; i++ {
		doc := r.list[i].doc
		if w.ix.DocFlags[doc]&token.DocDeprecated == 0 {
			continue
		}
		at, _ := slices.BinarySearch(w.ix.Successors, uint32(doc)<<16)
		for ; at < len(w.ix.Successors) && int(w.ix.Successors[at]>>16) == doc; at++ {
			next := int(w.ix.Successors[at] & 0xFFFF)
			c, ok := r.take(next, i)
			if !ok && p != nil && w.s.allowed(next, &w.o) {
				c = w.document(p, next, 0)
			}
			c.score, c.raised = c.score-c.raised, 0 // what it has of its own, wherever it stood
			if c.score > 0 && !c.held && int64(c.score)*1000 >= int64(r.list[i].score)*int64(w.weight(token.WSucceeds)) && r.n < len(r.list) {
				c.raised = r.list[i].score - c.score
				c.score = r.list[i].score
				copy(r.list[i+1:], r.list[i:r.n])
				r.list[i] = c
				r.n++
				i++
			}
		}
	}
}

// take takes a document out of the list, and gives it if it stands behind the
// i-th. One that stands before has nothing to be done for it: it is given
// without points.
func (r *ranked) take(doc, i int) (c cand, ok bool) {
	j := slices.IndexFunc(r.list[:r.n], func(c cand) bool { return c.doc == doc })
	switch {
	case j < 0:
		return c, false
	case j <= i:
		return c, true
	}
	c = r.list[j]
	copy(r.list[j:], r.list[j+1:r.n])
	r.n--
	return c, true
}

// succeeds reports whether the document next is to be used instead of old.
func (w *work) succeeds(next, old int) bool {
	_, ok := slices.BinarySearch(w.ix.Successors, uint32(old)<<16|uint32(next))
	return ok
}

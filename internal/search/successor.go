package search

import (
	"slices"

	"gitlab-mcp-server/internal/token"
)

// spare is how many candidates more than wanted are kept for the successors
// that take a place or lose one.
const spare = 8

// succeed puts every successor of a deprecated action before it, if the
// successor fits about as well, and leaves it out if it does not: the deprecated
// action names it.
func (w *work) succeed(r *ranked) {
	for i := 0; i < r.n; i++ {
		doc := r.list[i].doc
		if w.ix.DocFlags[doc]&token.DocDeprecated == 0 {
			continue
		}
		at, _ := slices.BinarySearch(w.ix.Successors, uint32(doc)<<16)
		for ; at < len(w.ix.Successors) && int(w.ix.Successors[at]>>16) == doc; at++ {
			next := int(w.ix.Successors[at] & 0xFFFF)
			j := slices.IndexFunc(r.list[i+1:r.n], func(c cand) bool { return c.doc == next }) + i + 1
			if j == i {
				continue
			}
			c := r.list[j]
			copy(r.list[j:], r.list[j+1:r.n])
			r.n--
			if int64(c.score)*1000 < int64(r.list[i].score)*int64(w.weight(token.WSucceeds)) {
				continue
			}
			c.raised += r.list[i].score - c.score
			c.score = r.list[i].score
			copy(r.list[i+1:], r.list[i:r.n])
			r.list[i] = c
			r.n++
			i++
		}
	}
}

// succeeds reports whether the document next is to be used instead of old.
func (w *work) succeeds(next, old int) bool {
	_, ok := slices.BinarySearch(w.ix.Successors, uint32(old)<<16|uint32(next))
	return ok
}

package search

import (
	"slices"

	"gitlab-mcp-server/internal/token"
)

// reply turns the rankings into hits.
func (w *work) reply() Reply {
	c := &w.s.counters
	if w.typos > 0 {
		c.Fuzzy.Add(1)
	}
	c.Suppressed.Add(w.suppressed)
	order := w.merge()
	w.succeed(order, nil)
	top := order.list[0]
	if order.n == 0 || !w.believes(top) || w.opposite(top) {
		c.Zero.Add(1)
		return Reply{Suggestions: w.suggestions()}
	}
	low := top.literal() < w.weight(token.WLow) || w.top.idle > asksSurely
	cut := int32(int64(top.score) * int64(w.weight(token.WCut)) / 1000)
	n := 0
	for n < order.n && (w.o.Limit > 0 && n < w.o.Limit || w.o.Limit == 0 && n < DefaultLimit && (order.list[n].score >= cut || n <= w.nseg*2)) {
		n++
	}
	r := Reply{Hits: make([]Hit, n)}
	for i, cand := range order.list[:n] {
		r.Hits[i] = Hit{Index: cand.doc, Score: int(cand.score), LowConfidence: low}
	}
	if w.o.Limit == 0 {
		r.More = make([]int, 0, min(order.n, DefaultLimit)-n)
		for _, cand := range order.list[n:min(order.n, DefaultLimit)] {
			r.More = append(r.More, cand.doc)
		}
	}
	if low {
		c.Low.Add(1)
	}
	if w.nseg == 0 {
		near := int32(int64(top.score) * int64(w.weight(token.WAmbiguous)) / 1000)
		for _, cand := range order.list[1:order.n] {
			if cand.score >= near && !w.succeeds(top.doc, cand.doc) && len(r.Hits[0].AmbiguousWith) < 4 {
				r.Hits[0].AmbiguousWith = append(r.Hits[0].AmbiguousWith, cand.doc)
			}
		}
		if len(r.Hits[0].AmbiguousWith) > 0 {
			c.Ambiguous.Add(1)
		}
	}
	if w.o.Explain {
		w.explain(r.Hits, order)
	}
	return r
}

// Bounds of what was learned about asking for nothing, in thousandths of an e-fold.
const (
	asksNothing = 500   // the query has nothing to do with GitLab
	asksSurely  = -4000 // it does, if its words are known
	wholly      = 850   // points of a unit that is asked for in so many words
)

// believes reports whether enough of the query speaks for a candidate. No
// unit says much of a story.
func (w *work) believes(c cand) bool {
	switch {
	case c.sure:
		return true
	case w.top.idle > asksNothing && !w.top.typed && (c.base < wholly || w.top.odd):
		return false
	case w.top.idle < asksSurely && !w.top.odd && c.literal() >= w.weight(token.WMinScore)*3/4:
		return true
	case c.mass < w.weight(token.WMinMass), c.base < w.top.min:
		return false
	case w.words >= longQuery:
		return true
	}
	return c.literal() >= w.weight(token.WMinScore) || c.base >= w.weight(token.WEnough)
}

// opposite reports whether a candidate that changes something stands first only
// because a better one that destroys is held back for its mistyped verb: who
// wants to blok a user must not be told to unblock it.
func (w *work) opposite(c cand) bool {
	return w.typos > 0 && w.top.held > c.score && w.ix.DocClass[c.doc] > token.ClassGet
}

// merge interleaves the parts of a query with several intents behind the best
// of the whole.
func (w *work) merge() *ranked {
	if w.nseg == 0 || w.top.n == 0 {
		return &w.top
	}
	out := &w.merged
	out.n, out.max = 0, w.top.max
	add := func(c cand) {
		for _, o := range out.list[:out.n] {
			if o.doc == c.doc {
				return
			}
		}
		if out.n < out.max {
			// never above the hit before, so that scores fall
			if out.n > 0 {
				c.behind(out.list[out.n-1].score)
			}
			out.list[out.n] = c
			out.n++
		}
	}
	add(w.top.list[0])
	for i := range w.seg[0].max {
		for s := range w.nseg {
			if i < w.seg[s].n && w.seg[s].list[i].score >= w.weight(token.WMinScore)/2 {
				add(w.seg[s].list[i])
			}
		}
		if i+1 < w.top.n {
			add(w.top.list[i+1])
		}
	}
	for _, c := range w.top.list[:w.top.n] {
		add(c)
	}
	return out
}

// Bounds of suggestions.
const (
	maxSuggestions = 6
	maxUnknown     = 4 // words that suggestions are looked for
)

// suggestions are known words near the unknown words of the query, and what
// mistyped ones were taken for.
func (w *work) suggestions() []string {
	var list []string
	unknown := 0
	for i := range w.q.N {
		s := &w.q.Slots[i]
		if s.Typo > 0 && len(list) < maxSuggestions {
			list = append(list, string(w.q.Tokens[s.Token].Text(w.q.Buf)))
			continue
		}
		if s.Kind != token.Unknown || s.Source != token.Word || unknown == maxUnknown {
			continue
		}
		unknown++
		word := w.q.Tokens[s.Token].Text(w.q.Buf)
		for limit := 1; limit <= edits(len(word))+1; limit++ {
			if at, d := w.near(word, limit); d > 0 && len(list) < maxSuggestions {
				if known := w.spelling(at); !slices.Contains(list, known) {
					list = append(list, known)
				}
				break
			}
		}
	}
	return list
}

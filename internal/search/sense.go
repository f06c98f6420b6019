package search

import (
	"math"
	"slices"

	"gitlab-mcp-server/internal/token"
)

// outside is what the signs outside of the clause that asks count, of what those
// in it do.
const outside = 50

// sense reads the signs of what is asked for: all words of the clause, and what
// the slots that take part stand for; less, the words around the clause.
func (w *work) sense(p *pass) {
	from, to := 0, len(w.q.Tokens)
	if w.from > 0 {
		from = int(w.q.Slots[w.from-1].Last) + 1
	}
	if w.to < w.q.N {
		to = int(w.q.Slots[w.to].Token)
	}
	w.signs = w.signs[:0]
	w.hear(from, to, true, 100)
	w.standFor(true, 100)
	if !w.inPart {
		w.hear(0, from, true, outside)
		w.hear(to, len(w.q.Tokens), false, outside)
		w.standFor(false, outside)
	}
	p.sense = w.ix.Sense(w.signs)
	p.asks = w.ix.Asks(&p.sense)
	p.askedMost = slices.Max(p.asks[:])
}

// hear adds the words from token i to j, without what is not wanted.
func (w *work) hear(i, j int, starts bool, share int32) {
	for k := range w.q.N {
		not := w.negation(k)
		if not < 0 || !w.unwanted(k) {
			continue
		}
		first, last := &w.q.Slots[min(not, k)], &w.q.Slots[k]
		if start, end := int(first.Token), int(last.Last)+1; i <= start && end <= j {
			w.signs = w.ix.Lexicon.Signs(w.signs, &w.q, i, start, starts, share)
			i, starts = end, false
		}
	}
	w.signs = w.ix.Lexicon.Signs(w.signs, &w.q, i, j, starts, share)
}

// standFor adds what the slots that take part in full, or in part, stand for.
func (w *work) standFor(full bool, share int32) {
	for _, r := range w.list[:w.nlist] {
		if (r.share == 100) == full && !w.unwanted(r.slot) {
			w.signs = w.q.SlotSigns(w.signs, r.slot, share)
		}
	}
}

// negates is how many words behind a negation a verb is meant by it.
const negates = 2

// negation gives the slot that negates the verb in slot i, -1 if none does. It
// stands before the verb, or at the very end, as other languages have it.
func (w *work) negation(i int) int {
	s := &w.q.Slots[i]
	if s.NClass == 0 {
		return -1
	}
	for k := i - 1; k >= 0 && int(s.Token)-int(w.q.Slots[k].Last) <= negates && w.q.Slots[k].Source != token.Break; k-- {
		if w.q.Slots[k].Mark == token.MarkNot {
			return k
		}
	}
	if last := w.q.N - 1; last > i && last <= i+negates && w.q.Slots[last].Mark == token.MarkNot {
		return last
	}
	return -1
}

// unwanted reports whether the verb in slot i is negated and says nothing of what
// is wanted: it destroys, or another verb is there. What must not be pushed to is
// to be protected.
func (w *work) unwanted(i int) bool {
	if w.negation(i) < 0 {
		return false
	}
	if w.q.Slots[i].Deletes() {
		return true
	}
	for k := range w.q.N {
		if o := &w.q.Slots[k]; o.NClass > 0 && o.NAlts == 0 && w.negation(k) < 0 {
			return true
		}
	}
	return false
}

// unlikely is the number of e-folds from which on it does not matter how unlikely
// the words ask for an action.
const unlikely = 8

// compare finds out how well the documents that meet so many of the words go with
// the sense of the query, and how much rather it asks for nothing.
func (w *work) compare(p *pass, near int32) {
	clear(w.meets)
	p.nearest = math.MinInt32
	best := p.nearest // of those as well that the caller may not see
	for doc, bag := range w.bags {
		if bag < near || w.ix.DocFlags[doc]&token.DocHidden != 0 {
			continue
		}
		m := w.meet(p, doc)
		best = max(best, m)
		if m > p.nearest && w.s.allowed(doc, &w.o) {
			p.nearest = m
		}
	}
	if p.nearest == math.MinInt32 {
		p.nearest, p.farthest = 0, math.MinInt32
		return
	}
	p.farthest = p.nearest - unlikely*w.ix.Unit()
	if nothing, ok := w.ix.Nothing(&p.sense); ok {
		p.idle = int32(1000 * (int64(nothing) - int64(best)) / int64(w.ix.Unit()))
	}
}

// meet is how well a document goes with the sense of the query.
func (w *work) meet(p *pass, doc int) int32 {
	if w.meets[doc] == 0 {
		w.meets[doc] = w.ix.Meets(&p.sense, doc)
	}
	return w.meets[doc]
}

// unlike is what a document loses for the words asking rather for another one,
// as learned from phrases and lessons.
func (w *work) unlike(p *pass, doc int) int32 {
	less := max(0, int64(p.nearest)-int64(w.meet(p, doc)))
	unit := int64(w.ix.Unit())
	return int32(int64(w.weight(token.WSense)) * min(less, unlikely*unit) / unit)
}

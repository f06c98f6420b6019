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
	w.hear(from, to, 100)
	w.mean(true, 100)
	if !w.inPart {
		w.hear(0, from, outside)
		w.hear(to, len(w.q.Tokens), outside)
		w.mean(false, outside)
	}
	p.sense = w.ix.Sense(w.signs)
	p.asks = w.ix.Asks(&p.sense)
	p.askedMost = slices.Max(p.asks[:])
}

// hear adds the words from token i to j, without what is not wanted.
func (w *work) hear(i, j int, share int32) {
	for k := range w.q.N {
		not := w.negation(k)
		if not < 0 || !w.unwanted(k) {
			continue
		}
		if start, end := int(w.q.Slots[not].Token), int(w.q.Slots[k].Last)+1; i <= start && end <= j {
			w.signs = w.ix.Lexicon.Signs(w.signs, &w.q, i, start, share)
			i = end
		}
	}
	w.signs = w.ix.Lexicon.Signs(w.signs, &w.q, i, j, share)
}

// mean adds what the slots that take part in full, or in part, stand for.
func (w *work) mean(full bool, share int32) {
	for _, r := range w.list[:w.nlist] {
		if (r.share == 100) == full && !w.unwanted(r.slot) {
			w.signs = w.q.Signs(w.signs, r.slot, share)
		}
	}
}

// negates is how many words behind a negation a verb is meant by it.
const negates = 3

// negation gives the slot that negates the verb in slot i, -1 if none does.
func (w *work) negation(i int) int {
	s := &w.q.Slots[i]
	if s.NClass == 0 {
		return -1
	}
	for k := i - 1; k >= 0 && int(s.Token)-int(w.q.Slots[k].Last) <= negates; k-- {
		if w.q.Slots[k].Source == token.Break {
			break
		}
		if w.q.Slots[k].Mark == token.MarkNot {
			return k
		}
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

// nearest finds out how well all documents that meet so many of the words go with
// the sense of the query. It gives what one has that is as unlikely as can be.
func (w *work) nearest(p *pass, near int32) int32 {
	p.nearest = math.MinInt32
	for doc, bag := range w.bags {
		if bag >= near && w.ix.DocFlags[doc]&token.DocHidden == 0 {
			w.meets[doc] = w.ix.Meets(&p.sense, doc)
			p.nearest = max(p.nearest, w.meets[doc])
		}
	}
	return p.nearest - unlikely*w.ix.SenseUnit
}

// idleness is how much rather the words ask for nothing than for the nearest
// document, in thousandths of an e-fold.
func (w *work) idleness(p *pass) int32 {
	if w.ix.SenseUnit == 0 || p.nearest == math.MinInt32 {
		return 0
	}
	return int32(1000 * (int64(w.ix.Nothing(&p.sense)) - int64(p.nearest)) / int64(w.ix.SenseUnit))
}

// unlikely is the number of e-folds from which on it does not matter how unlikely
// the words ask for an action.
const unlikely = 8

// unlike is what a document loses for the words asking rather for another one,
// as learned from phrases and lessons.
func (w *work) unlike(p *pass, doc int) int32 {
	less := max(0, int64(p.nearest)-int64(w.ix.Meets(&p.sense, doc)))
	unit := max(1, int64(w.ix.SenseUnit))
	return int32(int64(w.weight(token.WSense)) * min(less, unlikely*unit) / unit)
}

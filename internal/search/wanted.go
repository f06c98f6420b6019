package search

import (
	"slices"

	"gitlab-mcp-server/internal/token"
)

// wanted reports whether the query has, spelt right and not negated, a verb of
// destruction or the very verb of the action.
func (w *work) wanted(p *pass, doc int) bool {
	verb := w.ix.DocVerb[doc]
	if p.del || slices.Contains(p.verbs[:p.nverbs], verb) {
		return true
	}
	for _, r := range w.list[:w.nlist] {
		s := &w.q.Slots[r.slot]
		if s.Kind == token.Thing && s.Typo == 0 && s.Means(verb) && w.negation(r.slot) < 0 && !w.describes(r.slot) {
			return true
		}
	}
	return false
}

// unasked is what a destructive action loses that is not wanted. A query without
// any verb asks for no destruction, unless its words do: land the PR. Other words
// than verbs may ask for deletion, but not where that is what something else is
// ordered for, protect it from deletion, or tells which are meant, deleted branches.
func (w *work) unasked(p *pass, doc int) int32 {
	lost, class := w.weight(token.WUnasked), w.ix.DocClass[doc]
	if p.asked == 0 {
		lost *= 3
	}
	if !p.described && (p.asked == 0 || class == token.ClassDelete) && !(p.ordered && p.deletion) {
		lost -= lost * p.asks[class] / max(1, p.askedMost)
	}
	return lost
}

// refused reports whether the query says not to do what the action does: don't
// merge it yet.
func (w *work) refused(p *pass, doc int) bool {
	if !p.negated || w.wanted(p, doc) {
		return false
	}
	for i := range w.q.N {
		if w.negation(i) < 0 {
			continue
		}
		s := &w.q.Slots[i]
		if s.Verb == w.ix.DocVerb[doc] || s.Means(w.ix.DocVerb[doc]) || w.ix.DocClass[doc] == token.ClassDelete && s.Deletes() {
			return true
		}
	}
	return false
}

// describes reports whether slot i is a participle that tells which things are
// meant: banned users.
func (w *work) describes(i int) bool {
	if i+1 >= w.q.N || !w.q.Slots[i].Past {
		return false
	}
	s, next := &w.q.Slots[i], &w.q.Slots[i+1]
	return next.Token == s.Last+1 && next.NAlts > 0 && next.Plural
}

package search

import "gitlab-mcp-server/internal/token"

// segments ranks the parts of a query that asks for several things: what
// stands between commas and words like "and", if it names a thing of its own.
func (w *work) segments() {
	w.nseg = 0
	if w.story() {
		return
	}
	start, cuts := 0, 0
	at := &w.cuts
	for i := range w.q.N {
		s := &w.q.Slots[i]
		if s.Kind != token.Connection || s.Mark != token.MarkAnd && s.Source != token.Break {
			continue
		}
		if w.things(start, i) && w.things(i+1, w.q.N) && cuts < maxSegments-1 {
			at[cuts] = i
			cuts++
			start = i + 1
		}
	}
	if cuts == 0 {
		return
	}
	at[cuts] = w.q.N
	w.nseg = cuts + 1
	for i := range w.nseg {
		w.choose(i + 1)
		w.seg[i].max, w.seg[i].need = 4, 4
		w.score(&w.seg[i])
		for j := range w.seg[i].list[:w.seg[i].n] {
			w.seg[i].list[j].part = i + 1
		}
	}
}

// choose makes the slots of a part take part, 0 for the whole.
func (w *work) choose(part int) {
	switch part {
	case 0:
		w.all()
	case 1:
		w.part(0, w.cuts[0], true)
	default:
		w.part(w.cuts[part-2]+1, w.cuts[part-1], false)
	}
}

// things reports whether the slots from i to j name a thing of their own.
func (w *work) things(i, j int) bool {
	for first := true; i < j; i++ {
		s := &w.q.Slots[i]
		if s.Kind == token.Thing && first && s.NClass == 0 && s.NAlts > 0 && s.Typo == 0 {
			return true // even a project or group, if nothing stands before it
		}
		first = first && s.Kind != token.Thing
		if s.Kind == token.Thing && s.NAlts > 0 && s.Scope == 0 && s.Typo == 0 {
			return true
		}
		if s.Kind == token.Thing && s.NClass > 0 {
			for k := i + 1; k < j; k++ {
				if w.q.Slots[k].Kind == token.Thing || w.q.Slots[k].Mark == token.MarkPronoun {
					return true
				}
			}
		}
	}
	return false
}

// part makes the slots from i to j take part. A part without a verb means the
// verb before it; a pronoun stands for the things before it; a scope holds for
// all parts.
func (w *work) part(i, j int, first bool) {
	w.nlist, w.from, w.to, w.inPart = 0, i, j, true
	verb, pronoun := false, false
	for k := i; k < j; k++ {
		s := &w.q.Slots[k]
		verb = verb || s.NClass > 0
		pronoun = pronoun || s.Mark == token.MarkPronoun
		w.use(k, 100)
	}
	if !first && !verb {
		for k := i - 1; k >= 0; k-- {
			if s := &w.q.Slots[k]; s.NClass > 0 && s.NAlts == 0 {
				w.use(k, 100)
				break
			}
		}
	}
	if !first && pronoun {
		for k := range i {
			if s := &w.q.Slots[k]; s.Noun() {
				w.use(k, 60)
			}
		}
	}
	for k := range w.q.N {
		if s := &w.q.Slots[k]; (k < i || k >= j) && s.Kind == token.Thing && s.Scope != 0 && !pronoun {
			w.use(k, 30)
		}
	}
}

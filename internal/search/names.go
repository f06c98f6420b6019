package search

import (
	"slices"

	"gitlab-mcp-server/internal/token"
)

// names takes an unknown word behind a verb for the name of a person where the
// query has no other thing than a project or group: add kim to the project. A word
// that was taken for a mistyped one is such a name too, unless actions are about
// what it was taken for: add labl to the project.
func (w *work) names() {
	at := -1
	verb := false
	for i := range w.q.N {
		s := &w.q.Slots[i]
		strange := s.Kind == token.Unknown || s.Typo > 0 && !w.thing(s) || s.Source == token.User || s.Source == token.Email
		switch {
		case s.Kind == token.Thing && s.NClass > 0 && s.NAlts == 0:
			verb = true
		case verb && at < 0 && strange && w.towards(s) && !w.defined(s):
			at = i
		case s.Kind == token.Thing && s.Scope == 0 && s.Typo == 0:
			return
		}
	}
	if at < 0 {
		return
	}
	s := &w.q.Slots[at]
	if s.Typo > 0 {
		s.Typo, s.NAlts, s.NClass, s.Verb = 0, 0, 0, token.NoTerm
		w.typos--
	}
	w.ix.Reread(&w.q, at, token.User)
}

// thing reports whether actions are about what the slot stands for first.
func (w *work) thing(s *token.Slot) bool {
	return s.NAlts > 0 && s.End-s.Start > 3 && slices.Contains(w.ix.DocHead, s.Alts[0].Term)
}

// defined reports whether the slot stands behind an article, which names do not.
func (w *work) defined(s *token.Slot) bool {
	if s.Token == 0 {
		return false
	}
	switch string(w.q.Tokens[s.Token-1].Text(w.q.Buf)) {
	case "the", "a", "an", "this", "that", "my", "our", "all":
		return true
	}
	return false
}

// called takes what follows "called" and the like for a name that somebody
// gives to a thing, whatever it means: a project called playground, a label named
// bug.
func (w *work) called() {
	for i := 1; i < w.q.N; i++ {
		s, before := &w.q.Slots[i], &w.q.Slots[i-1]
		if s.Kind == token.Connection || int(before.Last)+1 != int(s.Token) {
			continue
		}
		named := before.Kind == token.Literal && before.Source == token.Word && s.Kind == token.Unknown // a name of several words
		if before.Mark == token.MarkCalled || named {
			s.Kind, s.NAlts, s.NClass, s.Scope, s.Verb = token.Literal, 0, 0, 0, token.NoTerm
		}
	}
}

// towards reports whether the slot stands before a preposition that a person
// goes with.
func (w *work) towards(s *token.Slot) bool {
	if int(s.Token)+1 >= len(w.q.Tokens) {
		return false
	}
	switch string(w.q.Tokens[s.Token+1].Text(w.q.Buf)) {
	case "from", "to", "into", "out", "off", "as", "a", "an", "the":
		return true
	}
	return false
}

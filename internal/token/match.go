package token

// Match reads the slots of q from its tokens.
func (l *Lexicon) Match(q *Query) {
	for i := 0; i < len(q.Tokens) && q.N < maxSlots; {
		i = l.match(q, i)
	}
}

func (l *Lexicon) match(q *Query, i int) int {
	t := q.Tokens[i]
	switch t.Kind {
	case CJK:
		l.matchCJK(q, i)
		return i + 1
	case Break:
		q.open(i, Connection)
		return i + 1
	case Issue, Merge, SHA:
		// what the value is of may be said by the value alone
		if e, ok := l.valueEntry(q, t.Kind); ok {
			l.apply(q, i, i+1, e)
		} else {
			q.open(i, Literal)
		}
		return i + 1
	case URL, Email, User, Date, Quoted, Value:
		q.open(i, Literal)
		return i + 1
	case Key:
		if term, ok := l.Find(l.stem(q, q.key[:0], i)); ok {
			q.open(i, Thing).add(term, 100)
		} else {
			q.open(i, Unknown)
		}
		return i + 1
	case Ident, Dotted:
		if t.Kind == Dotted && isFile(t.Text(q.Buf)) {
			if e, ok := l.valueEntry(q, Dotted); ok {
				l.apply(q, i, i+1+int(t.Parts), e)
				return i + 1 + int(t.Parts)
			}
		}
		if n := l.longest(q, i); n > 0 {
			return n
		}
		if t.Kind == Ident || !q.behindNoun(i) && !isPath(t.Text(q.Buf)) && l.allKnown(q, i+1, int(t.Parts)) {
			return i + 1 // read the parts
		}
		q.open(i, Literal)
		return i + 1 + int(t.Parts)
	}
	if t.Kind == Word && t.Len >= minExact && int(t.Len) < len(q.key) {
		if term, ok := l.Find(append(append(q.key[:0], exactly...), t.Text(q.Buf)...)); ok {
			l.apply(q, i, i+1, int(l.StemEntry[term])-1)
			return i + 1
		}
	}
	if n := l.longest(q, i); n > 0 {
		return n
	}
	if t.Kind == Number {
		q.open(i, Literal)
	} else {
		q.open(i, Unknown)
	}
	return i + 1
}

// valueEntry is the entry of values of a kind.
func (l *Lexicon) valueEntry(q *Query, kind Kind) (int, bool) {
	term, ok := l.Find(append(q.key[:0], ValueKey(kind)...))
	if !ok || l.StemEntry[term] == 0 {
		return 0, false
	}
	return int(l.StemEntry[term]) - 1, true
}

func (l *Lexicon) allKnown(q *Query, i, n int) bool {
	for j := i; j < i+n; j++ {
		if q.Tokens[j].Kind != Word || !l.Known(q, j) {
			return false
		}
	}
	return n > 0
}

// longest applies the longest entry that starts at token i and gives the index
// behind it, 0 if there is none.
func (l *Lexicon) longest(q *Query, i int) int {
	key := l.stem(q, q.key[:0], i)
	term, ok := l.Find(key)
	if !ok {
		return 0
	}
	if words := int(l.StemWords[term]); words > 1 {
		var ends, next [8]int
		n := 0
		ends[0], next[0] = len(key), i+1+int(q.Tokens[i].Parts)
		for j := next[0]; n+1 < words && n+1 < len(ends) && j < len(q.Tokens); {
			t := q.Tokens[j]
			if t.Kind != Word && t.Kind != Ident && t.Kind != Dotted && t.Kind != Number || len(key)+int(t.Len)+1 > cap(key) {
				break
			}
			key = l.stem(q, append(key, ' '), j)
			j += 1 + int(t.Parts)
			n++
			ends[n], next[n] = len(key), j
		}
		for ; n > 0; n-- {
			if k, ok := search(l.Keys, l.KeyEnds, key[:ends[n]]); ok {
				l.apply(q, i, next[n], k)
				return next[n]
			}
		}
		if k, ok := l.parted(q, i, key[:ends[0]]); ok {
			l.apply(q, i, i+1, k)
			return i + 1
		}
	}
	end := i + 1 + int(q.Tokens[i].Parts)
	switch e := l.StemEntry[term]; {
	case e > 0:
		l.apply(q, i, end, int(e)-1)
	case digits(l.Stem(term)):
		return 0 // a value, though some enum has it
	default:
		q.open(i, Thing).add(term, 100)
	}
	return end
}

// reach is how many words may stand between a verb and its particle.
const reach = 5

// parted finds the entry of a verb whose particle stands behind its object:
// take that address off, lade Kim ein.
func (l *Lexicon) parted(q *Query, i int, verb []byte) (int, bool) {
	for j := i + 2; j < len(q.Tokens) && j <= i+1+reach; j++ {
		t := q.Tokens[j]
		if t.Kind == Break {
			break
		}
		switch text := t.Text(q.Buf); string(text) {
		case "off", "out", "away", "back", "down", "in", "on", "up", "over", "ein", "aus", "ab", "auf", "an", "zu", "um", "zuruck", "hinzu":
			if k, ok := search(l.Keys, l.KeyEnds, append(append(verb, ' '), text...)); ok {
				return k, true
			}
		}
	}
	return 0, false
}

// apply runs entry e for the tokens from i to end.
func (l *Lexicon) apply(q *Query, i, end, e int) {
	var s *Slot
	first := q.N
	for _, raw := range l.entry(e) {
		item := Item(raw)
		if s == nil || item.Op() == OpTerm {
			if q.N == maxSlots {
				return
			}
			if !(s != nil && item.Op() == OpTerm && s.NAlts == 0 && s.NClass == 0 && s.Scope == 0) {
				s = q.open(i, Thing)
			}
		}
		switch item.Op() {
		case OpTerm, OpAlt:
			s.add(int(item.ID()), item.Weight())
		case OpClass:
			if int(s.NClass) < len(s.Class) {
				s.Class[s.NClass] = Alt{item.ID(), item.Weight()}
				s.NClass++
			}
		case OpLight:
			s.Kind = Light
		case OpForeign:
			s.Kind = Unknown
		case OpVerb:
			s.Verb = item.ID()
		case OpScope:
			s.Scope |= 1 << item.ID()
		case OpStop:
			q.N--
			return
		case OpMark:
			s.Kind, s.Mark = Connection, Mark(item.ID())
		}
	}
	last := q.Tokens[end-1]
	for j := first; j < q.N; j++ {
		s := &q.Slots[j]
		s.End, s.Last = last.End, uint16(end-1)
		s.form(last.Text(q.Buf))
		if s.Plural { // projects are what is asked for, not where
			s.Many = s.Scope & (1<<ScopeProject | 1<<ScopeGroup | 1<<ScopeUser)
			s.Scope &^= s.Many
		}
		for k := i; k < end; k++ {
			s.Typo = max(s.Typo, q.Tokens[k].Typo)
		}
	}
}

// matchCJK cuts a run without spaces into the longest entries.
func (l *Lexicon) matchCJK(q *Query, i int) {
	t := q.Tokens[i]
	text := t.Text(q.Buf)
	unknown := false
	for len(text) > 0 && q.N < maxSlots {
		n := l.longestCJK(q, i, text)
		if n == 0 {
			n = runeLen(text[0])
			// one slot for each run that means nothing
			if !unknown {
				q.open(i, Unknown)
			}
			unknown = true
		} else {
			unknown = false
		}
		text = text[min(n, len(text)):]
	}
}

func (l *Lexicon) longestCJK(q *Query, i int, text []byte) int {
	var ends [12]int
	n := 0
	for at := 0; n < len(ends) && at < len(text); n++ {
		at += runeLen(text[at])
		ends[n] = min(at, len(text))
	}
	for n--; n >= 0; n-- {
		term, ok := l.Find(text[:ends[n]])
		if !ok {
			continue
		}
		if e := l.StemEntry[term]; e > 0 {
			l.apply(q, i, i+1, int(e)-1)
		} else {
			q.open(i, Thing).add(term, 100)
		}
		return ends[n]
	}
	return 0
}

func runeLen(b byte) int {
	switch {
	case b < 0x80:
		return 1
	case b < 0xE0:
		return 2
	case b < 0xF0:
		return 3
	}
	return 4
}

package token

// Op is what an item of a lexicon entry does.
type Op uint8

// Operations of entries. A slot is one thing that the text says; alternatives
// are other words for the same thing.
const (
	OpTerm  Op = iota // a new slot with a term
	OpAlt             // an alternative term for the slot before
	OpClass           // the slot is a verb of this class; starts a slot if none is open
	OpScope           // the slot names a scope
	OpStop            // the words mean nothing
	OpMark            // the words are a mark: see Mark
)

// Mark is a word that tells how clauses hang together.
type Mark uint16

// Marks.
const (
	MarkAnd     Mark = iota + 1 // and, then: a second thing may follow
	MarkPronoun                 // it, them: what the clause before spoke of
	MarkHow                     // who, which, what: a question, so something is read
	MarkAsk                     // please, could you: what follows is what is wanted
)

// Item is one step of an entry: Op, a weight in hundredths, and a term, class,
// scope or mark.
type Item uint32

// NewItem packs an item.
func NewItem(op Op, weight uint8, id uint16) Item {
	return Item(uint32(op)<<24 | uint32(weight)<<16 | uint32(id))
}

// Op is the item's operation.
func (i Item) Op() Op { return Op(i >> 24) }

// Weight is the item's weight in hundredths.
func (i Item) Weight() uint8 { return uint8(i >> 16) }

// ID is the item's term, class, scope or mark.
func (i Item) ID() uint16 { return uint16(i) }

// Lexicon is the vocabulary as sorted tables. A term is the index of a stem.
type Lexicon struct {
	Stems     string   // sorted, concatenated
	StemEnds  []uint32 // end of each stem
	StemEntry []uint16 // entry of the stem by itself, plus one; 0: none
	StemWords []uint8  // number of words of the longest entry that starts with the stem
	Keys      string   // entries of several words, sorted, words joined by a space
	KeyEnds   []uint32 // key k has entry k
	Items     []uint32
	ItemEnds  []uint32 // end of each entry's items
}

// Len is the number of terms.
func (l *Lexicon) Len() int { return len(l.StemEnds) }

// Stem is the spelling of a term.
func (l *Lexicon) Stem(term int) string {
	start := uint32(0)
	if term > 0 {
		start = l.StemEnds[term-1]
	}
	return l.Stems[start:l.StemEnds[term]]
}

// Find gives the term of a stem.
func (l *Lexicon) Find(stem []byte) (term int, ok bool) {
	return search(l.Stems, l.StemEnds, stem)
}

func (l *Lexicon) entry(e int) []uint32 {
	start := uint32(0)
	if e > 0 {
		start = l.ItemEnds[e-1]
	}
	return l.Items[start:l.ItemEnds[e]]
}

// search finds key among the sorted pieces of text.
func search(text string, ends []uint32, key []byte) (int, bool) {
	lo, hi := 0, len(ends)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		start := uint32(0)
		if mid > 0 {
			start = ends[mid-1]
		}
		piece := text[start:ends[mid]]
		switch {
		case piece < string(key):
			lo = mid + 1
		case piece == string(key):
			return mid, true
		default:
			hi = mid
		}
	}
	return lo, false
}

// Alt is one of the words for a thing, with its weight in hundredths.
type Alt struct {
	Term   uint16
	Weight uint8
}

// Sizes of a Query.
const (
	maxSlots = 96
	maxAlts  = 14
)

// Slot is one thing that a text says.
type Slot struct {
	Start, End uint16 // bytes in the text
	Token      uint16 // first token
	Last       uint16 // last token
	NAlts      uint8
	NClass     uint8
	Scope      uint8 // set of scopes, one bit each
	Typo       uint8 // edits that were needed to know the word
	Kind       SlotKind
	Mark       Mark
	Source     Kind // kind of the token
	Plural     bool // the last word ends like a plural
	Past       bool // the last word ends like a participle: merged, assigned
	Alts       [maxAlts]Alt
	Class      [3]Alt // Term is the class
}

// SlotKind says what a slot is for.
type SlotKind uint8

// Kinds of slots.
const (
	Thing      SlotKind = iota // has terms, classes or scopes
	Unknown                    // a word that the lexicon lacks
	Literal                    // a value: a number, a name, quoted text
	Connection                 // a mark or the end of a clause
)

// Query is what Analyze reads from a text. It is large and made to be reused.
type Query struct {
	Tokens []Token
	Buf    []byte
	Slots  [maxSlots]Slot
	N      int // of Slots
	key    [64]byte
}

// Scan reads text into q, forgetting what was there. Between Scan and Match a
// caller may correct the spelling of words, see Respell.
func (q *Query) Scan(text string) {
	q.Tokens, q.Buf = Scan(q.Tokens[:0], q.Buf[:0], text)
	q.N = 0
}

// Respell gives token i another spelling that is edits away from its own.
func (q *Query) Respell(i int, spelling string, edits uint8) {
	t := &q.Tokens[i]
	t.Off, t.Len, t.Typo = uint16(len(q.Buf)), uint16(len(spelling)), edits
	q.Buf = append(q.Buf, spelling...)
}

// Known reports whether the lexicon has token i, by itself or as the start of
// a longer entry.
func (l *Lexicon) Known(q *Query, i int) bool {
	key := l.stem(q, q.key[:0], i)
	if _, ok := l.Find(key); ok {
		return true
	}
	return false
}

// NoTerm is no term.
const NoTerm = 1<<16 - 1

// TermOf is the term of token i as it is spelt, NoTerm if there is none.
func (l *Lexicon) TermOf(q *Query, i int) uint16 {
	if t, ok := l.Find(l.stem(q, q.key[:0], i)); ok {
		return uint16(t)
	}
	return NoTerm
}

// stem appends the stem of token i to dst.
func (l *Lexicon) stem(q *Query, dst []byte, i int) []byte {
	t := q.Tokens[i]
	n := len(dst)
	text := t.Text(q.Buf)
	if len(text) > cap(dst)-n {
		text = text[:0]
	}
	dst = append(dst, text...)
	if t.Kind == Word || t.Kind == Value {
		dst = dst[:n+len(Stem(dst[n:]))]
	}
	return dst
}

// valueKeys are the entries of values that tell what they are of. No word is
// spelt so.
var valueKeys = [...]string{Issue: "#", Merge: "!", SHA: "0x", User: "@"}

// ValueKey is the key of the entry for values of a kind, empty if it has none.
func ValueKey(kind Kind) string {
	if int(kind) < len(valueKeys) {
		return valueKeys[kind]
	}
	return ""
}

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
		if term, ok := l.Find(append(q.key[:0], valueKeys[t.Kind]...)); ok && l.StemEntry[term] > 0 {
			l.apply(q, i, i+1, int(l.StemEntry[term])-1)
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
		if n := l.longest(q, i); n > 0 {
			return n
		}
		if t.Kind == Ident || !q.behindNoun(i) && l.allKnown(q, i+1, int(t.Parts)) {
			return i + 1 // read the parts
		}
		q.open(i, Literal)
		return i + 1 + int(t.Parts)
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

// behindNoun reports whether token i directly follows a thing, whose name or
// path it then is: group archive/old.
func (q *Query) behindNoun(i int) bool {
	if q.N == 0 {
		return false
	}
	s := &q.Slots[q.N-1]
	return int(s.Last) == i-1 && s.Kind == Thing && s.NAlts > 0 && s.NClass == 0
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
	}
	end := i + 1 + int(q.Tokens[i].Parts)
	if e := l.StemEntry[term]; e > 0 {
		l.apply(q, i, end, int(e)-1)
	} else {
		s := q.open(i, Thing)
		s.add(term, 100)
	}
	return end
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

// Reread makes slot i mean what values of a kind stand for: a name is a person
// where nothing else could be meant.
func (l *Lexicon) Reread(q *Query, i int, kind Kind) {
	term, ok := l.Find(append(q.key[:0], ValueKey(kind)...))
	if !ok || l.StemEntry[term] == 0 {
		return
	}
	s := &q.Slots[i]
	s.Kind = Thing
	for _, raw := range l.entry(int(l.StemEntry[term]) - 1) {
		if item := Item(raw); item.Op() == OpTerm || item.Op() == OpAlt {
			s.add(int(item.ID()), item.Weight())
		}
	}
}

// open adds an empty slot for token i. The caller has made sure of room.
func (q *Query) open(i int, kind SlotKind) *Slot {
	t := q.Tokens[i]
	s := &q.Slots[q.N]
	q.N++
	s.Last = uint16(i)
	s.Start, s.End, s.Token, s.Kind, s.Source, s.Typo = t.Start, t.End, uint16(i), kind, t.Kind, t.Typo
	s.NAlts, s.NClass, s.Scope, s.Mark = 0, 0, 0, 0
	s.Plural, s.Past = false, false
	if t.Kind == Word {
		s.form(t.Text(q.Buf))
	}
	return s
}

// form notes the ending of the slot's last word.
func (s *Slot) form(word []byte) {
	s.Plural = has(word, "s") && !has(word, "ss") && len(word) > 3
	s.Past = has(word, "ed") && len(word) > 4
}

func (s *Slot) add(term int, weight uint8) {
	for i := range s.Alts[:s.NAlts] {
		if int(s.Alts[i].Term) == term {
			s.Alts[i].Weight = max(s.Alts[i].Weight, weight)
			return
		}
	}
	if int(s.NAlts) < len(s.Alts) {
		s.Alts[s.NAlts] = Alt{uint16(term), weight}
		s.NAlts++
	}
}

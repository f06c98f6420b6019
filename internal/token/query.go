package token

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
	Many       uint8 // scopes that a plural names: they are the thing, not where it is
	Typo       uint8 // edits that were needed to know the word
	Kind       SlotKind
	Mark       Mark
	Source     Kind   // kind of the token
	Plural     bool   // the last word ends like a plural
	Past       bool   // the last word ends like a participle: merged, assigned
	Nominal    bool   // the last word ends like the noun of a verb: deletion, approval
	Verb       uint16 // the verb as a term, NoTerm if it is none
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
	Light                      // has a term of little weight
	Connection                 // a mark or the end of a clause
)

// Query is what Scan and Match read from a text. It is large and made to be reused.
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

// open adds an empty slot for token i. The caller has made sure of room.
func (q *Query) open(i int, kind SlotKind) *Slot {
	t := q.Tokens[i]
	s := &q.Slots[q.N]
	q.N++
	s.Last = uint16(i)
	s.Start, s.End, s.Token, s.Kind, s.Source, s.Typo = t.Start, t.End, uint16(i), kind, t.Kind, t.Typo
	s.NAlts, s.NClass, s.Scope, s.Many, s.Mark = 0, 0, 0, 0, 0
	s.Plural, s.Past, s.Nominal, s.Verb = false, false, false, NoTerm
	if t.Kind == Word {
		s.form(t.Text(q.Buf))
	}
	return s
}

// form notes the ending of the slot's last word.
func (s *Slot) form(word []byte) {
	s.Plural = pluralForm(word)
	s.Past = has(word, "ed") && len(word) > 4
	s.Nominal = has(word, "tion") || has(word, "sion") || has(word, "ment") || has(word, "oval") || has(word, "ewal")
}

// Means reports whether the slot surely stands for a term.
func (s *Slot) Means(term uint16) bool {
	for _, a := range s.Alts[:s.NAlts] {
		if a.Term == term && a.Weight >= 80 {
			return true
		}
	}
	return false
}

// Deletes reports whether the slot is a verb of destruction.
func (s *Slot) Deletes() bool {
	for _, c := range s.Class[:s.NClass] {
		if c.Term == ClassDelete {
			return true
		}
	}
	return false
}

// Noun reports whether the slot is a thing and no verb.
func (s *Slot) Noun() bool { return s.Kind == Thing && s.NAlts > 0 && s.NClass == 0 }

func pluralForm(word []byte) bool {
	return has(word, "s") && !has(word, "ss") && len(word) > 3
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

// behindNoun reports whether token i directly follows a thing, whose name or
// path it then is: group archive/old.
func (q *Query) behindNoun(i int) bool {
	if q.N == 0 {
		return false
	}
	s := &q.Slots[q.N-1]
	return int(s.Last) == i-1 && s.Noun()
}

// Reread makes slot i mean what values of a kind stand for: a name is a person
// where nothing else could be meant.
func (l *Lexicon) Reread(q *Query, i int, kind Kind) {
	e, ok := l.valueEntry(q, kind)
	if !ok {
		return
	}
	s := &q.Slots[i]
	s.Kind = Thing
	for _, raw := range l.entry(e) {
		if item := Item(raw); item.Op() == OpTerm || item.Op() == OpAlt {
			s.add(int(item.ID()), item.Weight())
		}
	}
}

package token

import "bytes"

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

// Span is where the i-th of several pieces that follow each other starts and
// ends, by the ends of all.
func Span(ends []uint32, i int) (start, end uint32) {
	if i > 0 {
		start = ends[i-1]
	}
	return start, ends[i]
}

// Len is the number of terms.
func (l *Lexicon) Len() int { return len(l.StemEnds) }

// Stem is the spelling of a term.
func (l *Lexicon) Stem(term int) string {
	start, end := Span(l.StemEnds, term)
	return l.Stems[start:end]
}

// Find gives the term of a stem.
func (l *Lexicon) Find(stem []byte) (term int, ok bool) {
	return search(l.Stems, l.StemEnds, stem)
}

func (l *Lexicon) entry(e int) []uint32 {
	start, end := Span(l.ItemEnds, e)
	return l.Items[start:end]
}

// IsVerb reports whether a term is a verb of some class. NoTerm is none.
func (l *Lexicon) IsVerb(term uint16) bool { return l.has(term, OpClass) }

// Idle reports whether a term means nothing by itself: a stop word, a mark, or a
// light word.
func (l *Lexicon) Idle(term int) bool {
	t := uint16(term)
	return l.has(t, OpStop) || l.has(t, OpMark) || l.has(t, OpLight)
}

// has reports whether the entry of a term has an item of an operation.
func (l *Lexicon) has(term uint16, op Op) bool {
	if term == NoTerm || l.StemEntry[term] == 0 {
		return false
	}
	for _, raw := range l.entry(int(l.StemEntry[term]) - 1) {
		if Item(raw).Op() == op {
			return true
		}
	}
	return false
}

// TermOf is the term of token i as it is spelt, NoTerm if there is none.
func (l *Lexicon) TermOf(q *Query, i int) uint16 {
	if t, ok := l.Find(l.stem(q, q.key[:0], i)); ok {
		return uint16(t)
	}
	return NoTerm
}

// search finds key among the sorted pieces of text.
func search(text string, ends []uint32, key []byte) (int, bool) {
	lo, hi := 0, len(ends)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		start := uint32(0) // Span, written out in the hottest loop
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

// Known reports whether token i is a term.
func (l *Lexicon) Known(q *Query, i int) bool {
	key := l.stem(q, q.key[:0], i)
	if _, ok := l.Find(key); ok {
		return true
	}
	return false
}

// NoTerm is no term.
const NoTerm = 1<<16 - 1

// stem appends the stem of token i to dst.
func (l *Lexicon) stem(q *Query, dst []byte, i int) []byte {
	t := q.Tokens[i]
	n := len(dst)
	text := t.Text(q.Buf)
	if len(text) > cap(dst)-n {
		text = text[:0]
	}
	dst = append(dst, text...)
	if t.Kind == Word || t.Kind == Value || t.Kind == Ident && bytes.IndexByte(text, '_') < 0 {
		dst = dst[:n+len(Stem(dst[n:]))]
	}
	return dst
}

// valueKeys are the entries of values that tell what they are of. No word is
// spelt so.
var valueKeys = [...]string{Issue: "#", Merge: "!", SHA: "0x", User: "@", Dotted: "*.*"}

// exactly starts the key of a word that has a meaning of its own in this very
// form: called, which is not call.
const exactly = "="

// minExact is the length from which words may have one.
const minExact = 5

// ExactKey is the key of a word in its very form, empty if it cannot have one.
func ExactKey(word string) string {
	word = Fold(word)
	if len(word) < minExact {
		return ""
	}
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return ""
		}
	}
	return exactly + word
}

// ValueKey is the key of the entry for values of a kind, empty if it has none.
func ValueKey(kind Kind) string {
	if int(kind) < len(valueKeys) {
		return valueKeys[kind]
	}
	return ""
}

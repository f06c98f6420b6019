package search

import (
	"math/bits"

	"gitlab-mcp-server/internal/token"
)

// termOf is the term of a known spelling, token.NoTerm if it has none.
func (w *work) termOf(known string) uint16 {
	var buf [maxSpelling]byte
	if term, ok := w.ix.Find(token.Stem(append(buf[:0], known...))); ok {
		return uint16(term)
	}
	return token.NoTerm
}

// rarity is the mass of a spelling's term: of two words as near, the one that
// more actions have is meant. A word of which the vocabulary says what it means is
// not very rare.
func (w *work) rarity(term uint16) int {
	if term == token.NoTerm {
		return 0
	}
	mass := int(w.ix.Mass(term))
	if w.ix.StemEntry[term] > 0 {
		mass = min(mass, familiar)
	}
	return mass
}

// idle reports whether a spelling means nothing by itself: a word of that kind
// may stand for a mistyped one only if it has the same letters.
func (w *work) idle(term uint16) bool {
	return term != token.NoTerm && w.ix.Idle(int(term))
}

// familiar is the most that a word of the vocabulary is rare, in hundredths.
const familiar = 240

// maxSpelling is more than the longest spelling in the index.
const maxSpelling = 32

// stemmed corrects a word that is a stem by chance: delet is a typing mistake,
// though its stem is that of delete. A verb in a form that no rule makes, removs,
// is one as well.
func (w *work) stemmed(i int) {
	var buf [maxSpelling]byte
	text := w.q.Tokens[i].Text(w.q.Buf)
	if len(text) < 4 || len(text) >= len(buf) || w.find(text) >= 0 {
		return
	}
	if at := w.find(append(append(buf[:0], text...), 'e')); at >= 0 {
		w.q.Respell(i, w.spelling(at), 1)
		w.typos++
		return
	}
	if term := w.ix.TermOf(&w.q, i); w.ix.IsVerb(term) && w.ix.Stem(int(term)) != string(text) && !w.regular(text) && (w.english(term) || w.nearWord(text)) {
		w.q.Tokens[i].Typo = 1
		w.typos++
	}
}

// nearWord reports whether a word is nearly a known spelling.
func (w *work) nearWord(word []byte) bool {
	_, edits := w.correct(word)
	return edits > 0
}

// english reports whether a term is the stem of a known spelling. Those of other
// languages have none, and other forms.
func (w *work) english(term uint16) bool {
	var buf [maxSpelling]byte
	stem := append(buf[:0], w.ix.Stem(int(term))...)
	if w.find(stem) >= 0 || w.find(append(stem, 'e')) >= 0 {
		return true
	}
	n := len(stem)
	return n > 0 && stem[n-1] == 'i' && w.find(append(stem[:n-1], 'y')) >= 0
}

// regular reports whether a word is a known one with a regular ending.
func (w *work) regular(word []byte) bool {
	var buf [maxSpelling]byte
	for _, e := range [...]struct{ end, base string }{{"s", ""}, {"es", ""}, {"ies", "y"}, {"d", ""}, {"ed", ""}, {"ied", "y"}, {"ing", ""}, {"ing", "e"}} {
		n := len(word) - len(e.end)
		if n < 2 || string(word[n:]) != e.end {
			continue
		}
		base := append(append(buf[:0], word[:n]...), e.base...)
		if w.find(base) >= 0 {
			return true
		}
		if m := len(base); m > 3 && base[m-1] == base[m-2] && w.find(base[:m-1]) >= 0 { // dropped, cancelled
			return true
		}
	}
	return false
}

// find is the index of a spelling, -1 if it is not known.
func (w *work) find(word []byte) int {
	if len(word) > len(w.ix.WordStart)-2 {
		return -1
	}
	lo, hi := int(w.ix.WordStart[len(word)]), int(w.ix.WordStart[len(word)+1])
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		switch s := w.spelling(mid); {
		case s < string(word):
			lo = mid + 1
		case s == string(word):
			return mid
		default:
			hi = mid
		}
	}
	return -1
}

// edits is the number of typing mistakes that are looked for in a word.
func edits(n int) int {
	switch {
	case n < 3:
		return 0
	case n < 7:
		return 1
	}
	return 2
}

// correct finds the nearest known spelling of a word, and by how many edits it
// is away; 0 if there is none. Words of which the first letter differs too are
// near only if they are long or the first two letters are swapped.
func (w *work) correct(word []byte) (index, distance int) {
	return w.near(word, edits(len(word)))
}

// fitting is the advantage of a spelling that goes with the rest of the query.
const fitting = 400

// certain is how sure a word has to be about an action to be one that goes with
// others, of token.SureUnit.
const certain = 8

// surround notes the documents that are surely about as many of the known words
// of the query as any is: what a mistyped word stands for goes with them, most likely.
func (w *work) surround() {
	clear(w.around)
	most := uint8(0)
	for i := range w.q.Tokens {
		term := w.ix.TermOf(&w.q, i)
		if w.q.Tokens[i].Kind != token.Word || term == token.NoTerm {
			continue
		}
		for doc := range w.about(int(term)) {
			w.around[doc]++
			most = max(most, w.around[doc])
		}
	}
	w.mostAround = most
}

// about yields the documents that a term is surely about.
func (w *work) about(term int) func(func(uint16) bool) {
	docs, sure := w.bag(term)
	return func(yield func(uint16) bool) {
		for i, doc := range docs {
			if sure[i]&token.SureUnit >= certain && sure[i]>>4 <= token.FieldPhrase && !yield(doc) {
				return
			}
		}
	}
}

// fits reports whether a document that is about the known words is about a
// spelling as well.
func (w *work) fits(term uint16) bool {
	if term == token.NoTerm || w.mostAround == 0 {
		return false
	}
	for doc := range w.about(int(term)) {
		if w.around[doc] == w.mostAround {
			return true
		}
	}
	return false
}

// spelling is the i-th of the known spellings.
func (w *work) spelling(i int) string {
	start, end := token.Span(w.ix.WordEnds, i)
	return w.ix.Words[start:end]
}

// near is correct with another limit of edits.
func (w *work) near(word []byte, limit int) (index, distance int) {
	if limit == 0 || len(word)+limit > len(w.ix.WordStart)-2 {
		return 0, 0
	}
	mask := token.LetterMask(word)
	best, bestRank := -1, 1<<30
	for n := len(word) - limit; n <= len(word)+limit; n++ {
		if n < 3 || n == 3 && len(word) != 3 || n < len(word) && len(word) == 3 {
			continue
		}
		lo, hi := int(w.ix.WordStart[n]), int(w.ix.WordStart[n+1])
		for i, m := range w.ix.WordMasks[lo:hi] {
			if bits.OnesCount32(m^mask) > 2*limit {
				continue
			}
			i += lo
			end := w.ix.WordEnds[i]
			known := w.ix.Words[end-uint32(n) : end]
			if n == 4 && len(word) == 3 && (known[0] != word[0] || known[n-1] != word[2]) || n == 3 && m != mask {
				continue // a name, more likely; kye is key
			}
			if known[0] != word[0] && (len(word) < 7 || limit == 2 && n != len(word)) && !(known[0] == word[1] && known[1] == word[0]) {
				continue
			}
			d := token.Distance(word, known, limit)
			if d > limit || d == 2 && known[0] != word[0] {
				continue
			}
			term := w.termOf(known)
			if m != mask && w.idle(term) {
				continue
			}
			rank := d*1000 + w.rarity(term)
			switch {
			case n < len(word):
				rank += 100 // a letter is left out sooner than added
			case n == len(word) && m != mask:
				rank += 50 // … or than another one is typed
			}
			if known[0] != word[0] {
				rank += 400
			}
			if known[len(known)-1] != word[len(word)-1] {
				rank += 150
			}
			if rank-fitting < bestRank && w.fits(term) {
				rank -= fitting
			}
			if rank < bestRank {
				best, bestRank, distance = i, rank, d
			}
		}
	}
	if best < 0 {
		return 0, 0
	}
	return best, distance
}

package token

import (
	"math"
	"slices"
)

// A sign is something in a text that tells what kind of action it asks for: a
// word or two neighbours, words without meaning included. "is" at the start asks for
// one thing, "all" for a list, "from" after a verb for removing. Its number is
// the first word's term, shifted left by 16 bits, and the second's.
type sign = uint32

// Terms of signs that are no words. A lexicon has fewer terms.
const (
	anyWord   = 0xFFFF - iota // before a word by itself
	textStart                 // before the first word
	someNumber
	someValue
	pluralWord  // behind a word that ends like a plural
	unknownWord // a word that the lexicon lacks
	maxTerms
)

// everyText is the sign of all texts.
const everyText sign = 0

// Signs appends the signs of the tokens from i to j to dst, each once.
func (l *Lexicon) Signs(dst []uint32, q *Query, i, j int) []uint32 {
	add := func(a, b int) {
		if s := sign(a)<<16 | sign(b); !slices.Contains(dst, s) {
			dst = append(dst, s)
		}
	}
	dst = append(dst, everyText)
	before := textStart
	word := func(term int) {
		if term != unknownWord {
			add(anyWord, term)
			if before != unknownWord {
				add(before, term)
			}
		}
		before = term
	}
	for ; i < j; i++ {
		switch t := q.Tokens[i]; t.Kind {
		case Break:
		case Number, Issue, Merge, SHA:
			word(someNumber)
		case Word:
			term, ok := l.Find(l.stem(q, q.key[:0], i))
			if !ok {
				term = unknownWord
			}
			word(term)
			if ok && pluralForm(t.Text(q.Buf)) {
				word(pluralWord)
			}
		default:
			word(someValue)
		}
	}
	return dst
}

// VerbSign appends the sign of the verb that slot i stands for, where its words
// say it in another way or language.
func (q *Query) VerbSign(dst []uint32, i int) []uint32 {
	if v := q.Slots[i].Verb; v != NoTerm {
		if s := sign(anyWord)<<16 | sign(v); !slices.Contains(dst, s) {
			dst = append(dst, s)
		}
	}
	return dst
}

// Softmax turns logits into probabilities.
func Softmax(p *[NumClasses]float64) {
	most := slices.Max(p[:])
	sum := 0.0
	for k := range p {
		p[k] = math.Exp(p[k] - most)
		sum += p[k]
	}
	for k := range p {
		p[k] /= sum
	}
}

// Asks gives how likely the signs ask for each class of action, in thousandths.
// Signs that nothing was learned of do not count.
func (ix *Index) Asks(signs []uint32) (p [NumClasses]int32) {
	var logits [NumClasses]float64
	for _, s := range signs {
		i, ok := slices.BinarySearch(ix.Signs, s)
		if !ok {
			continue
		}
		for k := range logits {
			logits[k] += float64(ix.SignWeights[i*NumClasses+k]) / SignUnit
		}
	}
	Softmax(&logits)
	for k := range p {
		p[k] = int32(1000 * logits[k])
	}
	return p
}

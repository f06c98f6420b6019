package token

// Sign is something in a text that tells what it asks for: a word, two
// neighbours, or what a word stands for, words without meaning included. "is" at
// the start asks for one thing, "all" for a list, "from" after a verb for removing.
type Sign struct {
	Name   uint32 // the first word's term, shifted left by 16 bits, and the second's
	Weight int32  // in hundredths
}

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

// pairWeight is what two neighbours count, of what a word counts.
const pairWeight = 50

// maxSigns bounds the signs of a text. No sentence has so many; a heap of words
// has.
const maxSigns = 120

// Pair reports whether the sign is two neighbours, and no word by itself.
func (s Sign) Pair() bool { return s.Name>>16 != anyWord }

// addSign adds a sign, or raises its weight if it is there.
func addSign(dst []Sign, a, b int, weight int32) []Sign {
	name := uint32(a)<<16 | uint32(b)
	for i := range dst {
		if dst[i].Name == name {
			dst[i].Weight = max(dst[i].Weight, weight)
			return dst
		}
	}
	if len(dst) < maxSigns {
		dst = append(dst, Sign{name, weight})
	}
	return dst
}

// Signs appends the signs of the tokens from i to j to dst, each once, with so
// many hundredths of their weight. starts says that the first begins a text.
func (l *Lexicon) Signs(dst []Sign, q *Query, i, j int, starts bool, share int32) []Sign {
	before := unknownWord
	if starts {
		before = textStart
	}
	word := func(term int) {
		if term != unknownWord {
			dst = addSign(dst, anyWord, term, share)
			if before != unknownWord {
				dst = addSign(dst, before, term, share*pairWeight/100)
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

// SlotSigns appends what slot i stands for to dst: its terms and its verb, where its
// words say them in another way or language, with so many hundredths of their
// weight.
func (q *Query) SlotSigns(dst []Sign, i int, share int32) []Sign {
	s := &q.Slots[i]
	for _, a := range s.Alts[:s.NAlts] {
		dst = addSign(dst, anyWord, int(a.Term), share*int32(a.Weight)/100)
	}
	if s.Verb != NoTerm {
		dst = addSign(dst, anyWord, int(s.Verb), share)
	}
	return dst
}

package token

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Builder makes a Lexicon. It is for the generator: nothing of it runs in the
// server.
type Builder struct {
	terms   map[string]bool
	entries map[string][]Step
}

// Step is an Item before terms have numbers.
type Step struct {
	Op     Op
	Weight uint8
	Term   string // a stem, for OpTerm, OpAlt and OpVerb
	ID     uint16 // a class, scope or mark
}

func (s Step) term() bool { return s.Op == OpTerm || s.Op == OpAlt || s.Op == OpVerb }

// NewBuilder gives an empty builder.
func NewBuilder() *Builder {
	return &Builder{terms: map[string]bool{}, entries: map[string][]Step{}}
}

// StemOf is the stem of one word as the lexicon spells it.
func StemOf(word string) string { return string(Stem([]byte(Fold(word)))) }

// KeyOf is the stems of text joined by spaces, how entries are found.
func KeyOf(text string) string {
	var l Lexicon
	var q Query
	q.Scan(text)
	var words []string
	for i := 0; i < len(q.Tokens); i += 1 + int(q.Tokens[i].Parts) {
		if q.Tokens[i].Kind == Break {
			continue
		}
		words = append(words, string(l.stem(&q, q.key[:0], i)))
	}
	return strings.Join(words, " ")
}

// Words are the stems of the words and identifiers of text. What is a value is
// none of them: an example in a phrase stays one in a query.
func Words(text string) []string {
	var l Lexicon
	var q Query
	q.Scan(text)
	var words []string
	for i, t := range q.Tokens {
		if t.Kind == Word || t.Kind == Ident || t.Kind == CJK {
			words = append(words, string(l.stem(&q, q.key[:0], i)))
		}
	}
	return words
}

// Term makes stem a term.
func (b *Builder) Term(stem string) {
	if stem != "" && !strings.Contains(stem, " ") {
		b.terms[stem] = true
	}
}

// Has reports whether there is an entry for key.
func (b *Builder) Has(key string) bool { return b.entries[key] != nil }

// Add gives key a meaning. A key has one.
func (b *Builder) Add(key string, steps ...Step) error {
	if key == "" {
		return fmt.Errorf("an entry without words")
	}
	if b.entries[key] != nil {
		return fmt.Errorf("two entries for %q", key)
	}
	for _, word := range strings.Split(key, " ") {
		b.Term(word)
	}
	for _, s := range steps {
		if s.term() {
			b.Term(s.Term)
		}
	}
	b.entries[key] = steps
	return nil
}

// Lexicon packs what was added. It may be called several times, as entries are
// added by means of the ones before.
func (b *Builder) Lexicon() (*Lexicon, error) {
	l := &Lexicon{}
	stems := make([]string, 0, len(b.terms))
	for s := range b.terms {
		stems = append(stems, s)
	}
	sort.Strings(stems)
	if len(stems) > maxTerms {
		return nil, fmt.Errorf("%d terms do not fit the index", len(stems))
	}
	number := make(map[string]int, len(stems))
	var text strings.Builder
	for i, s := range stems {
		number[s] = i
		text.WriteString(s)
		l.StemEnds = append(l.StemEnds, uint32(text.Len()))
	}
	l.Stems = text.String()
	l.StemEntry = make([]uint16, len(stems))
	l.StemWords = make([]uint8, len(stems))

	var single, long []string
	for key := range b.entries {
		if strings.Contains(key, " ") {
			long = append(long, key)
		} else {
			single = append(single, key)
		}
	}
	sort.Strings(single)
	sort.Strings(long)
	text.Reset()
	for _, key := range long {
		words := strings.Split(key, " ")
		if len(words) > 8 || len(key) > 60 {
			return nil, fmt.Errorf("the entry %q is too long", key)
		}
		first := number[words[0]]
		l.StemWords[first] = max(l.StemWords[first], uint8(len(words)))
		text.WriteString(key)
		l.KeyEnds = append(l.KeyEnds, uint32(text.Len()))
	}
	l.Keys = text.String()
	for i, key := range slices.Concat(long, single) {
		if i >= len(long) {
			l.StemEntry[number[key]] = uint16(i + 1)
		}
		for _, s := range b.entries[key] {
			id := s.ID
			if s.term() {
				id = uint16(number[s.Term])
			}
			l.Items = append(l.Items, uint32(NewItem(s.Op, s.Weight, id)))
		}
		l.ItemEnds = append(l.ItemEnds, uint32(len(l.Items)))
	}
	return l, nil
}

// Read gives the steps that stand for text, by the entries of l: what an entry
// of its own for another spelling of text needs.
func (l *Lexicon) Read(text string) []Step {
	var q Query
	q.Scan(text)
	l.Match(&q)
	var steps []Step
	for i := range q.N {
		s := q.Slots[i]
		if s.Kind == Connection && s.Mark != 0 {
			steps = append(steps, Step{Op: OpMark, ID: uint16(s.Mark)})
			continue
		}
		light := s.Kind == Light
		for j, a := range s.Alts[:s.NAlts] {
			op := OpAlt
			if j == 0 {
				op = OpTerm
			}
			steps = append(steps, Step{Op: op, Weight: a.Weight, Term: l.Stem(int(a.Term))})
		}
		if light {
			steps = append(steps, Step{Op: OpLight})
		}
		if s.NAlts > 0 && (s.Past || s.Plural) {
			s.NClass, s.Verb = 0, NoTerm // the protected branch asks for no protecting
		}
		if s.Verb != NoTerm {
			steps = append(steps, Step{Op: OpVerb, Term: l.Stem(int(s.Verb))})
		}
		for _, c := range s.Class[:s.NClass] {
			steps = append(steps, Step{Op: OpClass, Weight: c.Weight, ID: c.Term})
		}
		for scope := range uint16(8) {
			if s.Scope&(1<<scope) != 0 {
				steps = append(steps, Step{Op: OpScope, Weight: 100, ID: scope})
			}
		}
	}
	return steps
}

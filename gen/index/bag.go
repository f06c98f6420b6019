package index

import (
	"math"
	"strings"

	"gitlab-mcp-server/gen/ir"
	"gitlab-mcp-server/internal/token"
)

// bag collects all words of the document, each with its best field.
func (b *builder) bag(i int, d *doc) {
	a := b.cat.Actions[i]
	put := func(field uint8, terms ...int) {
		for _, t := range terms {
			if old, ok := d.bag[t]; !ok || field < old {
				d.bag[t] = field
			}
		}
	}
	for _, u := range d.units {
		put(u.field, u.terms...)
	}
	text := func(field uint8, text string) {
		for _, t := range b.read(text).terms {
			put(field, t)
		}
	}
	for _, t := range a.SearchTags {
		text(token.FieldTag, t)
	}
	for _, p := range a.Params {
		for _, name := range []string{p.Name, p.Wire} {
			if t, ok := b.lex.Find([]byte(strings.ToLower(name))); ok {
				put(token.FieldParam, t)
			}
		}
		if p.In != ir.Path {
			text(token.FieldParamWord, words(p.Name))
		}
		if e := enum(p.Type); len(e) <= 20 {
			for _, v := range e {
				text(token.FieldEnum, words(v))
			}
		}
	}
	text(token.FieldPath, pathWords(a.UpstreamPath))
	if a.Op != nil {
		for _, t := range a.Op.Tags {
			text(token.FieldPath, t)
		}
	}
	text(token.FieldUsage, a.Usage)
}

// casual is the share of the mass of words that only phrases have: they are rare
// by chance, not because they tell things apart.
const casual = 0.8

// masses weighs terms by how few documents they are in.
func (b *builder) masses() {
	n := b.lex.Len()
	df := make([]int, n)
	named := make([]bool, n)
	for _, d := range b.docs {
		for t, f := range d.bag {
			if f <= token.FieldParam {
				df[t]++
			}
			named[t] = named[t] || f != token.FieldPhrase
		}
	}
	b.ix.TermMass = make([]uint16, n)
	all := float64(len(b.docs))
	for t := range df {
		idf := math.Log((all + 1) / (float64(df[t]) + 1))
		mass := 1 + 0.6*min(idf, 6)
		if !named[t] {
			mass *= casual
		}
		b.ix.TermMass[t] = uint16(math.Round(100 * mass))
	}
}

func keys[K comparable, V any](m map[K]V) func(func(K) bool) {
	return func(yield func(K) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

package index

import (
	"math"
	"strings"

	"gitlab-mcp-server/gen/ir"
	"gitlab-mcp-server/internal/token"
)

// word is what a document has of a term.
type word struct {
	field uint8   // the best one it is from
	named bool    // it is from another one than phrases
	doubt float64 // that the term says anything about the action, 0 to 1
}

// put adds an occurrence of terms in a field: each makes it surer that the term
// is about the action.
func (d *doc) put(field uint8, sure float64, terms ...int) {
	for _, t := range terms {
		w, ok := d.bag[t]
		if !ok {
			w = word{field: field, doubt: 1}
		}
		w.field = min(w.field, field)
		w.named = w.named || field != token.FieldPhrase
		w.doubt *= 1 - sure
		d.bag[t] = w
	}
}

// bag collects all words of the document.
func (b *builder) bag(i int, d *doc) {
	a := b.cat.Actions[i]
	put := func(field uint8, terms ...int) { d.put(field, b.ranking.sure(field), terms...) }
	for _, u := range d.units {
		put(u.field, u.terms...)
	}
	text := func(field uint8, text string) {
		for _, t := range b.read(text).terms {
			put(field, t)
		}
	}
	for _, alias := range b.aliases[a.ID] {
		text(token.FieldAlias, alias)
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

// lightShare is the share of the mass of words of little weight.
const lightShare = 0.2

// masses weighs terms by how few documents they are in.
func (b *builder) masses() {
	n := b.lex.Len()
	df := make([]int, n)
	named := make([]bool, n)
	for _, d := range b.docs {
		for t, w := range d.bag {
			if w.field <= token.FieldParam {
				df[t]++
			}
			named[t] = named[t] || w.named
		}
	}
	b.ix.TermMass = make([]uint16, n)
	light := map[int]bool{}
	for _, w := range b.voc.Light {
		if t, ok := b.lex.Find([]byte(token.KeyOf(w))); ok {
			light[t] = true
		}
	}
	all := float64(len(b.docs))
	for t := range df {
		idf := math.Log((all + 1) / (float64(df[t]) + 1))
		mass := 1 + float64(0.6*min(idf, 6))
		if !named[t] {
			mass *= casual
		}
		if light[t] {
			mass *= lightShare
		}
		b.ix.TermMass[t] = uint16(math.Round(100 * mass))
		if !named[t] {
			b.ix.TermMass[t] |= token.CasualTerm
		}
	}
}

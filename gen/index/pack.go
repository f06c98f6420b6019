package index

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gitlab-mcp-server/gen/ir"
	"gitlab-mcp-server/internal/token"
)

// fits refuses an index whose numbers are too large for its tables.
func (b *builder) fits() error {
	for _, l := range []struct {
		what   string
		n, max int
	}{
		{"units", len(b.ix.Units), math.MaxUint16}, {"documents", len(b.docs), math.MaxUint16},
		{"entries", len(b.ix.ItemEnds), math.MaxUint16 - 1}, {"spellings", len(b.ix.WordEnds), math.MaxUint16},
	} {
		if l.n > l.max {
			return fmt.Errorf("%d %s do not fit the tables, at most %d do", l.n, l.what, l.max)
		}
	}
	return nil
}

// pack writes units, bags and documents as tables.
func (b *builder) pack() {
	ix := b.ix
	n := b.lex.Len()
	posts := make([][]uint16, n)
	bagDocs := make([][]uint16, n)
	bagSure := make([][]uint8, n)
	for i, d := range b.docs {
		a := b.cat.Actions[i]
		for _, u := range d.units {
			mass := 0
			id := uint16(len(ix.Units))
			for _, t := range u.terms {
				mass += int(ix.Mass(uint16(t)))
				posts[t] = append(posts[t], id)
			}
			for _, t := range u.twice {
				mass += int(ix.Mass(uint16(t)))
			}
			ix.Units = append(ix.Units, uint32(token.NewUnit(mass, u.class, u.field, u.scope)))
		}
		for _, t := range slices.Sorted(maps.Keys(d.bag)) {
			bagDocs[t] = append(bagDocs[t], uint16(i))
			bagSure[t] = append(bagSure[t], d.bag[t].field<<4|uint8(math.Round(token.SureUnit*(1-d.bag[t].doubt))))
		}
		b.packDoc(a, d)
	}
	for t := range n {
		ix.Posts = append(ix.Posts, posts[t]...)
		ix.PostEnds = append(ix.PostEnds, uint32(len(ix.Posts)))
		ix.BagDocs = append(ix.BagDocs, bagDocs[t]...)
		ix.BagSure = append(ix.BagSure, bagSure[t]...)
		ix.BagEnds = append(ix.BagEnds, uint32(len(ix.BagDocs)))
	}
	b.packWords()
}

// packDoc writes what the action is, beside its words.
func (b *builder) packDoc(a *ir.Action, d *doc) {
	ix := b.ix
	verb, _, _ := strings.Cut(a.Name, "_")
	t, _ := b.lex.Find([]byte(token.StemOf(verb)))
	ix.DocVerb = append(ix.DocVerb, uint16(t))
	ix.DocHead = append(ix.DocHead, b.head(a))
	ix.DocUnits = append(ix.DocUnits, uint32(len(ix.Units)))
	ix.DocClass = append(ix.DocClass, uint8(d.class))
	ix.DocScope = append(ix.DocScope, uint8(d.scope))
	var flags uint8
	for flag, set := range map[uint8]bool{
		token.DocDestructive: a.Risk == ir.Destroy,
		token.DocHidden:      a.NameState == "deprecated" || a.Op != nil && a.Op.Deprecated,
		token.DocDeprecated:  a.Deprecated != "",
		token.DocAdmin:       a.Admin,
		token.DocOwn:         len(b.read(nameWords(a.Name)).terms) == 0,
	} {
		if set {
			flags |= flag
		}
	}
	ix.DocFlags = append(ix.DocFlags, flags)
	use, ok := b.voc.Use[a.Domain]
	if !ok {
		use = 20
	}
	ix.DocUse = append(ix.DocUse, uint8(use))
}

// successors notes for every deprecated action the ones that its note tells to
// use: "use work_item.create and work_item.add_child". One that is deprecated
// itself is refused: the search looks no further.
func (b *builder) successors() error {
	number := map[string]int{}
	for i, a := range b.cat.Actions {
		number[a.ID] = i
	}
	for i, a := range b.cat.Actions {
		_, advice, _ := strings.Cut(a.Deprecated, "use ")
		for word := range strings.FieldsSeq(advice) {
			to, ok := number[strings.Trim(word, ",.;")]
			if !ok {
				continue
			}
			if next := b.cat.Actions[to]; next.Deprecated != "" {
				return fmt.Errorf("%s tells to use %s, which is deprecated too", a.ID, next.ID)
			}
			b.ix.Successors = append(b.ix.Successors, uint32(i)<<16|uint32(to))
		}
	}
	slices.Sort(b.ix.Successors)
	return nil
}

func (b *builder) packWords() {
	var list []string
	for w, n := range b.words {
		if n >= common {
			list = append(list, w)
		}
	}
	slices.SortFunc(list, func(x, y string) int {
		return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y))
	})
	ix := b.ix
	var text strings.Builder
	for n := range maxWord + 2 {
		i, _ := slices.BinarySearchFunc(list, n, func(w string, n int) int { return cmp.Compare(len(w), n) })
		ix.WordStart = append(ix.WordStart, uint16(i))
	}
	for _, w := range list {
		text.WriteString(w)
		ix.WordEnds = append(ix.WordEnds, uint32(text.Len()))
		ix.WordMasks = append(ix.WordMasks, token.LetterMask([]byte(w)))
	}
	ix.Words = text.String()
}

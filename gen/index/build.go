// Package index builds the search index: it reads the catalog and the
// vocabulary, phrases and ranking weights in specs/overlays, and writes tables
// in which a query only has to look up and add.
//
// It is not for ranking (internal/search) nor for writing files (gen).
package index

import (
	"fmt"
	"slices"
	"strings"

	"gitlab-mcp-server/gen/ir"
	"gitlab-mcp-server/internal/token"
)

// Build makes the index of cat by the vocabulary, ranking and phrases in dir.
func Build(cat *ir.Catalog, dir string) (*token.Index, error) {
	b, err := newBuilder(cat, dir)
	if err != nil {
		return nil, fmt.Errorf("search index: %w", err)
	}
	if err := b.build(); err != nil {
		return nil, fmt.Errorf("search index: %w", err)
	}
	return b.ix, nil
}

type builder struct {
	cat     *ir.Catalog
	voc     vocabulary
	ranking ranking
	phrases phrases
	taught  phrases // lessons beside the phrases
	ix      *token.Index
	lex     *token.Lexicon
	words   map[string]int // spellings to correct to, and how common they are
	docs    []*doc
	aliases map[string][]string // by id: the words of names that mean only it
}

// doc is one action while the index is being built.
type doc struct {
	class, scope int
	units        []unit
	bag          map[int]word
	phrases      []string
	empty        []string // phrases that say nothing of the action
}

func newBuilder(cat *ir.Catalog, dir string) (*builder, error) {
	b := &builder{cat: cat, words: map[string]int{}, ix: &token.Index{}}
	if err := read(dir, "_vocabulary.yaml", &b.voc); err != nil {
		return nil, err
	}
	if err := b.voc.check(); err != nil {
		return nil, err
	}
	if err := read(dir, "_ranking.yaml", &b.ranking); err != nil {
		return nil, err
	}
	var err error
	if b.phrases, err = readPhrases(dir, phrasesFile); err != nil {
		return nil, err
	}
	b.taught, err = readPhrases(dir, lessonsFile)
	return b, err
}

func (b *builder) build() error {
	names := map[string]bool{}
	for _, a := range b.cat.Actions {
		for stem := range strings.FieldsSeq(token.KeyOf(words(a.Domain) + " " + words(a.Name))) {
			names[stem] = true
		}
	}
	lex, err := b.voc.lexicon(names)
	if err != nil {
		return err
	}
	b.aliases = aliasWords(b.cat.Aliases)
	for i := range b.cat.Actions {
		b.docs = append(b.docs, b.doc(i))
	}
	// every word of the documents becomes a term, then they are read again
	for i, d := range b.docs {
		for text := range b.texts(i, d) {
			for _, stem := range token.Words(text) {
				lex.Term(stem)
			}
			b.spell(text, 1)
		}
		b.spell(words(b.cat.Actions[i].ID)+" "+b.cat.Actions[i].Title, common)
		for _, p := range b.cat.Actions[i].Params {
			b.spell(words(p.Name), common)
			lex.Term(strings.ToLower(p.Name))
			lex.Term(strings.ToLower(p.Wire))
		}
	}
	if b.lex, err = lex.Lexicon(); err != nil {
		return err
	}
	b.ix.Lexicon = *b.lex
	for i, d := range b.docs {
		b.units(i, d)
		b.bag(i, d)
	}
	b.vocabularyWords()
	b.masses()
	b.pack()
	if err := b.successors(); err != nil {
		return err
	}
	b.senses()
	if err := b.weights(); err != nil {
		return err
	}
	return b.fits()
}

func (b *builder) doc(i int) *doc {
	a := b.cat.Actions[i]
	d := &doc{bag: map[int]word{}, class: classOf(a), scope: b.scopeOf(a)}
	for _, p := range slices.Concat(a.Phrases, b.phrases[a.ID]) {
		d.phrases = append(d.phrases, strings.ReplaceAll(p, "_", " "))
	}
	return d
}

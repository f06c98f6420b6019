// Package index builds the search index: it reads the catalog and the
// vocabulary, phrases and ranking weights in specs/overlays, and writes tables
// in which a query only has to look up and add.
//
// It is not for ranking (internal/search) nor for writing files (gen).
package index

import (
	"cmp"
	"fmt"
	"math"
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
	ix      *token.Index
	lex     *token.Lexicon
	words   map[string]bool // spellings to correct to
	docs    []*doc
}

// doc is one action while the index is being built.
type doc struct {
	class, scope int
	units        []unit
	bag          map[int]uint8 // term: field
	phrases      []string
	empty        []string // phrases that say nothing of the action
}

// unit is one way to ask for a document.
type unit struct {
	field uint8
	class uint8
	scope uint8
	terms []int
	twice []int // terms that the name says twice: the pipelines of a pipeline schedule
	text  string
}

func newBuilder(cat *ir.Catalog, dir string) (*builder, error) {
	b := &builder{cat: cat, words: map[string]bool{}, ix: &token.Index{}}
	if err := read(dir, "_vocabulary.yaml", &b.voc); err != nil {
		return nil, err
	}
	if err := read(dir, "_ranking.yaml", &b.ranking); err != nil {
		return nil, err
	}
	var err error
	b.phrases, err = readPhrases(dir)
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
	for i := range b.cat.Actions {
		b.docs = append(b.docs, b.doc(i))
	}
	// every word of the documents becomes a term, then they are read again
	for i, d := range b.docs {
		for text := range b.texts(i, d) {
			for _, stem := range strings.Fields(token.KeyOf(text)) {
				lex.Term(stem)
			}
			b.spell(text)
		}
		for _, p := range b.cat.Actions[i].Params {
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
	if err := b.weights(); err != nil {
		return err
	}
	return b.fits()
}

// fits refuses an index whose numbers are too large for its tables.
func (b *builder) fits() error {
	if n := len(b.ix.UnitDoc); n > math.MaxUint16 {
		return fmt.Errorf("%d units do not fit the tables", n)
	}
	return nil
}

func (b *builder) doc(i int) *doc {
	a := b.cat.Actions[i]
	d := &doc{bag: map[int]uint8{}, class: classOf(a), scope: b.scopeOf(a)}
	d.phrases = append(slices.Clone(a.Phrases), b.phrases[a.ID]...)
	return d
}

// classOf is the verb class of an action by its name.
func classOf(a *ir.Action) int {
	verb, _, _ := strings.Cut(a.Name, "_")
	switch verb {
	case "list":
		return token.ClassList
	case "get", "exists":
		return token.ClassGet
	case "create", "add":
		return token.ClassCreate
	case "update", "set":
		return token.ClassUpdate
	case "delete", "revoke", "deny", "remove":
		return token.ClassDelete
	}
	if a.Method == "GET" {
		return token.ClassGet
	}
	return token.ClassAct
}

// scopeOf is the scope of an action by its path.
func (b *builder) scopeOf(a *ir.Action) int {
	path := strings.TrimPrefix(a.UpstreamPath, "/api/v4")
	best, scope := -1, token.ScopeInstance
	for name, prefixes := range sorted(b.voc.Scope) {
		for _, p := range prefixes {
			exact := strings.HasSuffix(p, "$")
			p = strings.TrimSuffix(p, "$")
			if len(p) > best && (path == p || !exact && strings.HasPrefix(path, p)) {
				best, scope = len(p), slices.Index(token.ScopeNames[:], name)
			}
		}
	}
	if path == "" { // GraphQL and actions of our own
		for _, p := range a.Params {
			switch {
			case p.Name == "group_id" && strings.HasSuffix(a.Name, "_group"):
				return token.ScopeGroup
			case p.Name == "project_id":
				scope = token.ScopeProject
			case p.Name == "group_id" && scope != token.ScopeProject:
				scope = token.ScopeGroup
			}
		}
	}
	return scope
}

// texts yields all text of document i that is about the action.
func (b *builder) texts(i int, d *doc) func(func(string) bool) {
	a := b.cat.Actions[i]
	return func(yield func(string) bool) {
		ok := yield(words(a.Domain)) && yield(words(a.Name)) && yield(a.Title) && yield(a.Usage)
		for _, list := range [][]string{d.phrases, b.voc.Nouns[a.Domain], a.SearchTags} {
			for _, s := range list {
				ok = ok && yield(s)
			}
		}
		if a.Op != nil {
			for _, t := range a.Op.Tags {
				ok = ok && yield(t)
			}
		}
		ok = ok && yield(pathWords(a.UpstreamPath))
		for _, p := range a.Params {
			ok = ok && yield(words(p.Name))
			for _, e := range enum(p.Type) {
				ok = ok && yield(words(e))
			}
		}
	}
}

func enum(t *ir.Type) []string {
	for t != nil && t.Kind == ir.Array {
		t = t.Items
	}
	if t == nil {
		return nil
	}
	return t.Enum
}

// words is an identifier as words.
func words(ident string) string {
	return strings.NewReplacer("_", " ", "-", " ", ".", " ").Replace(ident)
}

// pathWords is the fixed words of a path.
func pathWords(path string) string {
	var out []string
	for seg := range strings.SplitSeq(strings.TrimPrefix(path, "/api/v4"), "/") {
		if seg != "" && !strings.ContainsAny(seg, "{}()") && seg != "-" {
			out = append(out, words(seg))
		}
	}
	return strings.Join(out, " ")
}

// spell remembers the spellings of a text for typo correction.
func (b *builder) spell(text string) {
	var q token.Query
	q.Scan(text)
	for _, t := range q.Tokens {
		if w := string(t.Text(q.Buf)); t.Kind == token.Word && len(w) >= 4 && len(w) <= maxWord && ascii(w) {
			b.words[w] = true
		}
	}
}

const maxWord = 24

func ascii(w string) bool {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return false
		}
	}
	return true
}

// vocabularyWords adds the English words of the vocabulary to the spellings.
func (b *builder) vocabularyWords() {
	v := &b.voc
	lists := []forms{v.Compounds}
	for k, l := range v.Lemmas {
		lists = append(lists, l, forms{k})
	}
	for k, l := range v.Same {
		lists = append(lists, l, forms{k})
	}
	for k := range v.Verbs {
		lists = append(lists, forms{k})
	}
	for _, l := range v.Scopes {
		lists = append(lists, l)
	}
	for k := range v.Near {
		lists = append(lists, forms{k})
	}
	for _, list := range lists {
		for _, w := range list {
			b.spell(w)
		}
	}
}

// reading is what a text says: terms by slot, the class of its verbs, scopes.
type reading struct {
	terms []int
	twice []int
	class int // -1: no verb
	scope uint8
}

// read reads text by the lexicon. The first alternative of each slot is meant.
func (b *builder) read(text string) reading {
	var q token.Query
	q.Scan(text)
	b.lex.Match(&q)
	r := reading{class: -1}
	best := uint8(0)
	for i := range q.N {
		s := &q.Slots[i]
		if s.Kind != token.Thing {
			continue
		}
		if s.NAlts > 0 {
			if t := int(s.Alts[0].Term); slices.Contains(r.terms, t) {
				r.twice = append(r.twice, t)
			} else {
				r.terms = append(r.terms, t)
			}
		}
		if s.NAlts > 0 {
			r.scope |= s.Scope
		}
		if r.class >= 0 {
			continue
		}
		for _, c := range s.Class[:s.NClass] {
			if c.Weight > best {
				best, r.class = c.Weight, int(c.Term)
			}
		}
	}
	return r
}

func (b *builder) units(i int, d *doc) {
	a := b.cat.Actions[i]
	// a phrase of a special action must say more than the thing
	name := nameWords(a.Name)
	thing, special := b.read(words(a.Domain)).terms, false
	for _, t := range b.read(name).terms {
		special = special || !b.names(d.scope, t) && !slices.Contains(thing, t)
	}
	add := func(field uint8, text string) {
		r := b.read(text)
		u := unit{field: field, class: uint8(d.class), text: text}
		if field == token.FieldPhrase && r.class >= 0 {
			u.class = uint8(r.class)
		}
		// the document's own scope goes without saying
		for _, t := range r.terms {
			if !b.names(d.scope, t) || len(r.terms) == 1 {
				u.terms = append(u.terms, t)
			} else {
				r.scope &^= 1 << d.scope
			}
		}
		u.scope = r.scope
		if field != token.FieldPhrase {
			u.twice = r.twice
		}
		if len(u.terms) == 0 {
			return
		}
		if field == token.FieldPhrase && special && len(u.terms) <= len(thing) && !slices.ContainsFunc(u.terms, func(t int) bool { return !slices.Contains(thing, t) }) {
			d.empty = append(d.empty, text)
			return
		}
		if field == token.FieldPhrase && special && len(d.units) > 0 && d.units[0].field == token.FieldName && subset(u.terms, d.units[0].terms) {
			d.empty = append(d.empty, text)
			return
		}
		slices.Sort(u.terms)
		for _, o := range d.units {
			if slices.Equal(o.terms, u.terms) && o.class == u.class {
				return
			}
		}
		d.units = append(d.units, u)
	}
	add(token.FieldName, words(a.Domain)+" "+name)
	if a.Title != "" {
		add(token.FieldTitle, a.Title)
	}
	for _, noun := range b.voc.Nouns[a.Domain] {
		add(token.FieldNoun, noun+" "+name)
	}
	for _, p := range d.phrases {
		add(token.FieldPhrase, p)
	}
}

// nameWords is the words of an action's name, without a verb that its class
// already says.
func nameWords(name string) string {
	verb, rest, _ := strings.Cut(name, "_")
	switch verb {
	case "list", "get", "create", "update", "delete", "set":
		return words(rest)
	}
	return words(name)
}

// subset reports whether terms are some but not all of others.
func subset(terms, others []int) bool {
	return len(terms) < len(others) && !slices.ContainsFunc(terms, func(t int) bool { return !slices.Contains(others, t) })
}

// names reports whether term is a word for a scope. That an action is of a
// user or of the instance is worth a word, that it is of a project is not.
func (b *builder) names(scope, term int) bool {
	if scope > token.ScopeGroup {
		return false
	}
	for _, w := range b.voc.Scopes[token.ScopeNames[scope]] {
		if t, ok := b.lex.Find([]byte(token.KeyOf(w))); ok && t == term {
			return true
		}
	}
	return false
}

// head is the thing that the action is about: the last word of what its name
// says beside the verb, or of its domain.
func (b *builder) head(a *ir.Action) uint16 {
	for _, text := range []string{nameWords(a.Name), words(a.Domain)} {
		if r := b.read(text); len(r.terms) > 0 {
			return uint16(r.terms[len(r.terms)-1])
		}
	}
	return 0
}

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

// pack writes units, bags and documents as tables.
func (b *builder) pack() {
	ix := b.ix
	n := b.lex.Len()
	posts := make([][]uint16, n)
	bagDocs := make([][]uint16, n)
	bagFields := make([][]uint8, n)
	for i, d := range b.docs {
		a := b.cat.Actions[i]
		for _, u := range d.units {
			mass := 0
			id := uint16(len(ix.UnitDoc))
			for _, t := range u.terms {
				mass += int(ix.TermMass[t])
				posts[t] = append(posts[t], id)
			}
			for _, t := range u.twice {
				mass += int(ix.TermMass[t])
			}
			ix.UnitDoc = append(ix.UnitDoc, uint16(i))
			ix.UnitMass = append(ix.UnitMass, uint16(min(mass, math.MaxUint16)))
			ix.UnitClass = append(ix.UnitClass, u.class)
			ix.UnitField = append(ix.UnitField, u.field)
			ix.UnitScope = append(ix.UnitScope, u.scope)
		}
		for _, t := range slices.Sorted(keys(d.bag)) {
			bagDocs[t] = append(bagDocs[t], uint16(i))
			bagFields[t] = append(bagFields[t], d.bag[t])
		}
		verb, _, _ := strings.Cut(a.Name, "_")
		t, _ := b.lex.Find([]byte(token.StemOf(verb)))
		ix.DocVerb = append(ix.DocVerb, uint16(t))
		ix.DocHead = append(ix.DocHead, b.head(a))
		ix.DocUnits = append(ix.DocUnits, uint32(len(ix.UnitDoc)))
		ix.DocClass = append(ix.DocClass, uint8(d.class))
		ix.DocScope = append(ix.DocScope, uint8(d.scope))
		var flags uint8
		if a.Risk == ir.Destroy {
			flags |= token.DocDestructive
		}
		if a.NameState == "deprecated" || a.Op != nil && a.Op.Deprecated {
			flags |= token.DocHidden
		}
		if a.Deprecated != "" {
			flags |= token.DocDeprecated
		}
		if a.Admin {
			flags |= token.DocAdmin
		}
		if len(b.read(nameWords(a.Name)).terms) == 0 {
			flags |= token.DocOwn
		}
		ix.DocFlags = append(ix.DocFlags, flags)
		use, ok := b.voc.Use[a.Domain]
		if !ok {
			use = 20
		}
		ix.DocUse = append(ix.DocUse, uint8(use))
	}
	for t := range n {
		ix.Posts = append(ix.Posts, posts[t]...)
		ix.PostEnds = append(ix.PostEnds, uint32(len(ix.Posts)))
		ix.BagDocs = append(ix.BagDocs, bagDocs[t]...)
		ix.BagField = append(ix.BagField, bagFields[t]...)
		ix.BagEnds = append(ix.BagEnds, uint32(len(ix.BagDocs)))
	}
	b.packWords()
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

func (b *builder) packWords() {
	list := slices.Collect(keys(b.words))
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

// weights takes the numbers of _ranking.yaml, all of which must be there.
func (b *builder) weights() error {
	ix := b.ix
	for _, name := range token.WeightNames {
		w, ok := b.ranking.Weights[name]
		if !ok {
			return fmt.Errorf("_ranking.yaml lacks the weight %s", name)
		}
		ix.Weights = append(ix.Weights, int32(math.Round(w*1000)))
	}
	if len(b.ranking.Weights) > len(ix.Weights) {
		for name := range sorted(b.ranking.Weights) {
			if !slices.Contains(token.WeightNames[:], name) {
				return fmt.Errorf("_ranking.yaml has an unknown weight %s", name)
			}
		}
	}
	ix.Similar = make([]int32, token.NumClasses*token.NumClasses)
	for asked, row := range sorted(b.ranking.Similar) {
		i := slices.Index(token.ClassNames[:], asked)
		for class, w := range sorted(row) {
			j := slices.Index(token.ClassNames[:], class)
			if i < 0 || j < 0 {
				return fmt.Errorf("_ranking.yaml: unknown class %s or %s", asked, class)
			}
			ix.Similar[i*token.NumClasses+j] = int32(math.Round(w * 1000))
		}
	}
	return nil
}

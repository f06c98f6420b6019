package index

import (
	"strings"

	"gitlab-mcp-server/gen/ir"
	"gitlab-mcp-server/internal/token"
)

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

// aliasWords are the aliases of one action as words: the names of other servers'
// tools, not operation ids.
func aliasWords(aliases []ir.Alias) map[string][]string {
	byID := map[string][]string{}
	for _, a := range aliases {
		if len(a.Targets) == 1 && strings.Contains(a.Name, "_") {
			byID[a.Targets[0]] = append(byID[a.Targets[0]], words(strings.TrimPrefix(a.Name, "gitlab_")))
		}
	}
	return byID
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

// common is how often a spelling must occur for mistyped words to become it: a
// word that one phrase has is more likely no word of the query at all.
const common = 5

// spell remembers the spellings of a text for typo correction, as if they
// occurred so often.
func (b *builder) spell(text string, times int) {
	var q token.Query
	q.Scan(text)
	for _, t := range q.Tokens {
		if w := string(t.Text(q.Buf)); t.Kind == token.Word && len(w) >= 3 && len(w) <= maxWord && ascii(w) {
			b.words[w] += times
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
			b.spell(w, common)
		}
	}
}

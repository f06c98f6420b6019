package index

import (
	"math"
	"slices"
	"strings"

	"gitlab-mcp-server/internal/token"
)

// lesson is a text as what is learned from.
type lesson struct {
	signs  []int // by number
	weight []float32
	doc    int
}

// nothing is the id of lessons that ask for no action.
const nothing = "nothing"

// ownParam is so many actions that a parameter may have for its name to say
// which action is meant: maintenance mode is a setting.
const ownParam = 4

// lessons are all texts that say what an action does: phrases, lessons, names,
// titles (which count twice: they say it best), parameters of its own; and the signs
// that are in enough of them. All of a text is learned from. The search knows more
// of a query, where it asks and what it refuses, and hears less of the rest.
func (b *builder) lessons() ([]lesson, []uint32) {
	var texts [][]token.Sign
	var list []lesson
	count := map[uint32]int{}
	add := func(doc int, text string) {
		var q token.Query
		q.Scan(text)
		b.lex.Match(&q)
		signs := b.lex.Signs(nil, &q, 0, len(q.Tokens), true, 100)
		for j := range q.N {
			signs = q.SlotSigns(signs, j, 100)
		}
		texts, list = append(texts, signs), append(list, lesson{doc: doc})
		for _, s := range signs {
			count[s.Name]++
		}
	}
	users := map[string]int{} // of each parameter
	for _, a := range b.cat.Actions {
		for _, p := range a.Params {
			users[p.Name]++
		}
	}
	for i, d := range b.docs {
		a := b.cat.Actions[i]
		for _, p := range a.Params {
			if users[p.Name] <= ownParam && strings.Contains(p.Name, "_") {
				add(i, words(p.Name))
			}
		}
		for _, text := range slices.Concat(d.phrases, b.taught[a.ID], []string{a.Title, a.Title, words(a.Domain) + " " + nameWords(a.Name)}) {
			add(i, text)
		}
	}
	for _, text := range b.taught[nothing] {
		add(len(b.docs), text)
	}
	number := map[uint32]int{}
	var names []uint32
	for i, signs := range texts {
		square := float32(0)
		for _, s := range signs {
			if n := count[s.Name]; n < rareSign || s.Pair() && n < rarePair {
				continue
			}
			n, ok := number[s.Name]
			if !ok {
				n = len(names)
				number[s.Name] = n
				names = append(names, s.Name)
			}
			w := float32(s.Weight)
			list[i].signs = append(list[i].signs, n)
			list[i].weight = append(list[i].weight, w)
			square += float32(w * w)
		}
		for j := range list[i].weight {
			list[i].weight[j] /= float32(math.Sqrt(float64(square)))
		}
	}
	return list, names
}

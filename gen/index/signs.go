package index

import (
	"math"
	"slices"

	"gitlab-mcp-server/internal/token"
)

// Learning of signs. The numbers are usual ones; the result hardly depends on
// them.
const (
	rareSign = 3    // phrases that a sign must be in
	epochs   = 30   // passes over all phrases
	rate     = 0.15 // of learning in the first epoch
	decay    = 0.005
)

// lesson is a phrase as what is learned from.
type lesson struct {
	signs []int // by number
	class int
}

// signs learns from the phrases which words ask for which kind of action, as a
// logistic regression over the signs of package token. The kind is that of the
// phrase's action. The order of phrases is fixed, so the result is too.
func (b *builder) signs() {
	lessons, names := b.lessons()
	weights := learn(lessons, len(names))
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return int(int64(names[i]) - int64(names[j])) })
	for _, i := range order {
		var row [token.NumClasses]int8
		for k, w := range weights[i] {
			row[k] = int8(max(-127, min(127, math.Round(w*token.SignUnit))))
		}
		if row != [token.NumClasses]int8{} {
			b.ix.Signs = append(b.ix.Signs, names[i])
			b.ix.SignWeights = append(b.ix.SignWeights, row[:]...)
		}
	}
}

// lessons are all phrases, and the signs that are in enough of them.
func (b *builder) lessons() ([]lesson, []uint32) {
	var texts [][]uint32
	var classes []int
	count := map[uint32]int{}
	for _, d := range b.docs {
		for _, p := range d.phrases {
			var q token.Query
			q.Scan(p)
			b.lex.Match(&q)
			signs := b.lex.Signs(nil, &q, 0, len(q.Tokens))
			for j := range q.N {
				signs = q.VerbSign(signs, j)
			}
			texts, classes = append(texts, signs), append(classes, d.class)
			for _, s := range signs {
				count[s]++
			}
		}
	}
	number := map[uint32]int{}
	var names []uint32
	list := make([]lesson, len(texts))
	for i, signs := range texts {
		list[i].class = classes[i]
		for _, s := range signs {
			if count[s] < rareSign {
				continue
			}
			n, ok := number[s]
			if !ok {
				n = len(names)
				number[s] = n
				names = append(names, s)
			}
			list[i].signs = append(list[i].signs, n)
		}
	}
	return list, names
}

// learn fits the weights of n signs by stochastic gradient descent.
func learn(lessons []lesson, n int) [][token.NumClasses]float64 {
	weights := make([][token.NumClasses]float64, n)
	// neighbours in the catalog are alike: a stride mixes them
	stride := len(lessons)/2 + 1
	for gcd(stride, len(lessons)) != 1 {
		stride++
	}
	for epoch := range epochs {
		step := rate / (1 + float64(epoch)/2)
		for i := range lessons {
			l := lessons[i*stride%len(lessons)]
			var p [token.NumClasses]float64
			for _, s := range l.signs {
				for k, w := range weights[s] {
					p[k] += w
				}
			}
			token.Softmax(&p)
			for k := range p {
				gradient := -p[k]
				if k == l.class {
					gradient++
				}
				for _, s := range l.signs {
					weights[s][k] += step * (gradient - decay*weights[s][k])
				}
			}
		}
	}
	return weights
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

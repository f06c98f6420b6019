package index

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gitlab-mcp-server/internal/token"
)

// Learning of senses. The result hardly depends on the numbers of this block.
const (
	rareSign  = 3    // lessons that a word must be in
	rarePair  = 8    // lessons that two neighbours must be in
	epochs    = 20   // passes over all lessons
	batch     = 128  // lessons that are learned from together
	rate      = 1.0  // of learning, falling to nothing
	forget    = 0.3  // share of the signs of a lesson that are left out by chance
	classPart = 0.3  // what telling the class counts, of what telling the action counts
	chance    = 1e-3 // likelihood that is taken for none
)

// lesson is a text as what is learned from.
type lesson struct {
	signs  []int // by number
	weight []float32
	doc    int
}

type vector [token.SenseDims]float32

// senses learns from phrases and titles where words, neighbours and actions lie,
// so that texts lie near the actions they ask for: a logistic regression with
// all actions as answers, and another with the classes, whose weights are the
// product of two small tables. The order of everything is fixed, and no step
// depends on the machine, so the result does not either.
func (b *builder) senses() {
	lessons, names := b.lessons()
	l := newLearner(lessons, len(names), b.ix.DocClass)
	for epoch := range epochs {
		l.epoch(rate * (1 - float32(epoch)/epochs))
	}
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return int(int64(names[i]) - int64(names[j])) })
	signs := make([]vector, len(order))
	for to, from := range order {
		b.ix.Signs = append(b.ix.Signs, names[from])
		signs[to] = l.signs.rows[from]
	}
	signUnit := levels(signs)
	docUnit := levels(slices.Concat(l.docs.rows, l.classes.rows))
	b.ix.SignSense = letters(signs, signUnit)
	b.ix.DocSense = letters(l.docs.rows, docUnit)
	b.ix.ClassSense = letters(l.classes.rows, docUnit)
	b.ix.SenseUnit = int32(signUnit * docUnit * token.SenseScale)
}

// lessons are all texts that say what an action does, and the signs that are in
// enough of them.
func (b *builder) lessons() ([]lesson, []uint32) {
	var texts [][]token.Sign
	var list []lesson
	count := map[uint32]int{}
	for i, d := range b.docs {
		for _, text := range slices.Concat(d.phrases, b.taught[b.cat.Actions[i].ID], []string{b.cat.Actions[i].Title}) {
			var q token.Query
			q.Scan(text)
			b.lex.Match(&q)
			signs := b.lex.Signs(nil, &q, 0, len(q.Tokens), 100)
			for j := range q.N {
				signs = q.Signs(signs, j, 100)
			}
			texts, list = append(texts, signs), append(list, lesson{doc: i})
			for _, s := range signs {
				count[s.Name]++
			}
		}
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

// learner holds what is being learned, and room for a batch.
type learner struct {
	lessons              []lesson
	class                []uint8 // of each document
	signs, docs, classes *rows
	random               *rand.Rand

	texts    [batch]vector // the lessons of the batch as points
	slopes   [batch]vector // of the loss, there
	kept     [batch][]kept
	answers  []int // documents of the batch
	answerOf []int // by document: its place in answers, -1
	logits   []float32
}

// kept is a sign of a lesson that is not left out.
type kept struct {
	sign   int
	weight float32
}

func newLearner(lessons []lesson, signs int, class []uint8) *learner {
	l := &learner{lessons: lessons, class: class, random: rand.New(rand.NewPCG(1, 2)), answerOf: make([]int, len(class))}
	l.signs, l.docs, l.classes = newRows(signs, l.random), newRows(len(class), l.random), newRows(token.NumClasses, l.random)
	for i := range l.answerOf {
		l.answerOf[i] = -1
	}
	return l
}

// epoch learns from all lessons, in another order each time.
func (l *learner) epoch(rate float32) {
	order := l.random.Perm(len(l.lessons))
	for part := range slices.Chunk(order, batch) {
		l.batch(part, rate)
	}
}

// batch learns from some lessons. The actions that one of them asks for are the
// wrong answers of the others.
func (l *learner) batch(part []int, rate float32) {
	l.answers = l.answers[:0]
	for n, i := range part {
		le := &l.lessons[i]
		l.read(n, le)
		if l.answerOf[le.doc] < 0 {
			l.answerOf[le.doc] = len(l.answers)
			l.answers = append(l.answers, le.doc)
		}
	}
	for n, i := range part {
		doc := l.lessons[i].doc
		l.learn(n, l.docs, l.answers, l.answerOf[doc], 1/float32(len(part)))
		l.learn(n, l.classes, allClasses, int(l.class[doc]), classPart/float32(len(part)))
	}
	for n := range part {
		for _, k := range l.kept[n] {
			l.signs.slope(k.sign, k.weight, &l.slopes[n])
		}
	}
	for _, doc := range l.answers {
		l.answerOf[doc] = -1
	}
	l.docs.step(rate)
	l.classes.step(rate)
	l.signs.step(rate)
}

var allClasses = []int{token.ClassList, token.ClassGet, token.ClassCreate, token.ClassUpdate, token.ClassDelete, token.ClassAct}

// read makes lesson le the n-th of the batch, without some of its signs.
func (l *learner) read(n int, le *lesson) {
	l.texts[n], l.slopes[n], l.kept[n] = vector{}, vector{}, l.kept[n][:0]
	for j, s := range le.signs {
		if l.random.Float32() < forget {
			continue
		}
		k := kept{s, le.weight[j] / (1 - forget)}
		l.kept[n] = append(l.kept[n], k)
		l.texts[n].add(k.weight, &l.signs.rows[s])
	}
}

// learn makes the right one of answers likelier for the n-th text, and the others
// less likely. Answers are rows of a table.
func (l *learner) learn(n int, table *rows, answers []int, right int, part float32) {
	l.logits = l.logits[:0]
	most := float32(math.Inf(-1))
	for _, a := range answers {
		x := l.texts[n].dot(&table.rows[a])
		l.logits = append(l.logits, x)
		most = max(most, x)
	}
	sum := float32(0)
	for i, x := range l.logits {
		l.logits[i] = exp(x - most)
		sum += l.logits[i]
	}
	for i, a := range answers {
		likely := l.logits[i] / sum
		if i == right {
			likely--
		} else if likely < chance {
			continue
		}
		l.slopes[n].add(likely*part, &table.rows[a])
		table.slope(a, likely*part, &l.texts[n])
	}
}

// rows are vectors that are being learned, by Adagrad.
type rows struct {
	rows    []vector
	squares []vector // of all slopes so far, added up
	slopes  []vector // of the batch
	touched []int    // rows that have one
	marked  []bool
}

func newRows(n int, random *rand.Rand) *rows {
	r := &rows{rows: make([]vector, n), squares: make([]vector, n), slopes: make([]vector, n), marked: make([]bool, n)}
	for i := range r.rows {
		for d := range r.rows[i] {
			r.rows[i][d] = (random.Float32() - 0.5) / 3
			r.squares[i][d] = 1e-3
		}
	}
	return r
}

// slope adds a multiple of v to the slope of row i.
func (r *rows) slope(i int, by float32, v *vector) {
	if !r.marked[i] {
		r.marked[i] = true
		r.touched = append(r.touched, i)
	}
	r.slopes[i].add(by, v)
}

// step moves the rows against their slopes.
func (r *rows) step(rate float32) {
	for _, i := range r.touched {
		row, square, slope := &r.rows[i], &r.squares[i], &r.slopes[i]
		for d, s := range slope {
			square[d] += float32(s * s)
			row[d] -= float32(rate*s) / float32(math.Sqrt(float64(square[d])))
		}
		*slope, r.marked[i] = vector{}, false
	}
	r.touched = r.touched[:0]
}

// The conversions keep the compiler from joining a product and a sum, which
// rounds otherwise on some machines.

func (v *vector) dot(o *vector) float32 {
	var a, b, c, d float32
	for i := 0; i < len(v); i += 4 {
		a += float32(v[i] * o[i])
		b += float32(v[i+1] * o[i+1])
		c += float32(v[i+2] * o[i+2])
		d += float32(v[i+3] * o[i+3])
	}
	return a + b + (c + d)
}

func (v *vector) add(by float32, o *vector) {
	for i := range v {
		v[i] += float32(by * o[i])
	}
}

// exp is e to the power of x, which is not above 0: the same on every machine,
// unlike math.Exp. What is next to nothing is 0.
func exp(x float32) float32 {
	if x < -14 {
		return 0
	}
	y := float64(float64(x) * math.Log2E)
	whole := math.Round(y)
	y = float64((y - whole) * math.Ln2) // at most ln 2 / 2, up or down
	sum := 1.0 / 720
	for _, c := range [...]float64{1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1, 1} {
		sum = float64(sum*y) + c
	}
	return float32(math.Ldexp(sum, int(whole)))
}

// levels is so many levels to 1 that hardly a number of list is out of range.
func levels(list []vector) float64 {
	var sizes []float32
	for i := range list {
		for _, x := range list[i] {
			sizes = append(sizes, max(x, -x))
		}
	}
	if len(sizes) == 0 {
		return 1
	}
	slices.Sort(sizes)
	return token.SenseLevels / float64(sizes[len(sizes)-1-len(sizes)/2000])
}

// letters writes vectors as text, see token.SenseZero.
func letters(list []vector, unit float64) string {
	var s strings.Builder
	for i := range list {
		for _, x := range list[i] {
			level := max(-token.SenseLevels, min(token.SenseLevels, math.Round(float64(x)*unit)))
			s.WriteByte(byte(token.SenseZero + int(level)))
		}
	}
	return s.String()
}

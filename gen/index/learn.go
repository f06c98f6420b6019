package index

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"gitlab-mcp-server/internal/token"
)

// Learning of senses. The result hardly depends on the numbers of this block.
const (
	rareSign  = 3    // lessons that a word must be in
	rarePair  = 8    // lessons that two neighbours must be in
	epochs    = 20   // passes over all lessons
	settled   = 8    // passes at the end of which the mean is taken
	batch     = 128  // lessons that are learned from together
	strangers = 256  // wrong answers for a batch, beside those of its lessons
	rate      = 1.0  // of learning, falling to nothing
	forget    = 0.3  // share of the signs of a lesson that are left out by chance
	classPart = 0.3  // what telling the class counts, of what telling the action counts
	chance    = 4e-3 // likelihood that is taken for none
	shares    = 4    // of a batch, learned from side by side; the result depends on their number
)

// lesson is a text as what is learned from.
type lesson struct {
	signs  []int // by number
	weight []float32
	doc    int
}

type vector [token.SenseDims]float32

// nothing is the id of lessons that ask for no action.
const nothing = "nothing"

// senses learns from phrases and titles where words, neighbours and actions lie,
// so that texts lie near the actions they ask for: a logistic regression with
// all actions as answers, and another with the classes, whose weights are the
// product of two small tables. The order of everything is fixed, and no step
// depends on the machine, so the result does not either. One answer more is that
// nothing is asked for: the row behind the last document.
func (b *builder) senses() {
	lessons, names := b.lessons()
	l := newLearner(lessons, len(names), b.ix.DocClass)
	for epoch := range epochs {
		l.epoch(rate * (1 - float32(epoch)/epochs))
		if epoch >= epochs-settled {
			l.sum()
		}
	}
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(names[i], names[j]) })
	means := l.signs.mean()
	signs := make([]vector, len(order))
	for to, from := range order {
		b.ix.Signs = append(b.ix.Signs, names[from])
		signs[to] = means[from]
	}
	docs, classes := l.docs.mean(), l.classes.mean()
	signUnit, docUnit := levels(signs), levels(slices.Concat(docs, classes))
	b.ix.SignSense = letters(signs, signUnit)
	b.ix.DocSense = letters(docs, docUnit)
	b.ix.ClassSense = letters(classes, docUnit)
	b.ix.SenseUnit = int32(signUnit * docUnit * token.SenseScale)
}

// lessons are all texts that say what an action does, and the signs that are in
// enough of them.
func (b *builder) lessons() ([]lesson, []uint32) {
	var texts [][]token.Sign
	var list []lesson
	count := map[uint32]int{}
	add := func(doc int, text string) {
		var q token.Query
		q.Scan(text)
		b.lex.Match(&q)
		signs := b.lex.Signs(nil, &q, 0, len(q.Tokens), 100)
		for j := range q.N {
			signs = q.Signs(signs, j, 100)
		}
		texts, list = append(texts, signs), append(list, lesson{doc: doc})
		for _, s := range signs {
			count[s.Name]++
		}
	}
	for i, d := range b.docs {
		a := b.cat.Actions[i]
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

// learner holds what is being learned, and room for a batch.
type learner struct {
	lessons              []lesson
	class                []uint8 // of each document; of the last, nothing, none
	signs, docs, classes *rows
	random               *rand.Rand

	texts    [batch]vector // the lessons of the batch as points
	slopes   [batch]vector // of the loss, there
	kept     [batch][]kept
	answers  []int // documents, for all of the batch
	answerOf []int // by document: its place in answers, -1
	shares   [shares]share
}

// kept is a sign of a lesson that is not left out.
type kept struct {
	sign   int
	weight float32
}

// share is what a part of a batch teaches.
type share struct {
	docs, classes slopes
	logits        []float32
}

func newLearner(lessons []lesson, signs int, class []uint8) *learner {
	l := &learner{lessons: lessons, class: class, random: rand.New(rand.NewPCG(1, 2)), answerOf: make([]int, len(class)+1)}
	l.signs, l.docs, l.classes = newRows(signs, l.random), newRows(len(class)+1, l.random), newRows(token.NumClasses, l.random)
	for i := range l.answerOf {
		l.answerOf[i] = -1
	}
	for i := range l.shares {
		l.shares[i].docs, l.shares[i].classes = newSlopes(len(class)+1), newSlopes(token.NumClasses)
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

// sum adds up where everything lies, for the mean.
func (l *learner) sum() {
	for _, r := range []*rows{l.signs, l.docs, l.classes} {
		for i := range r.rows {
			r.sums[i].add(1, &r.rows[i])
		}
	}
}

// batch learns from some lessons. The actions that one of them asks for are the
// wrong answers of the others, and so are some strangers and nothing.
func (l *learner) batch(part []int, rate float32) {
	none := len(l.class)
	l.answers = l.answers[:0]
	l.answer(none)
	for n, i := range part {
		l.read(n, &l.lessons[i])
		l.answer(l.lessons[i].doc)
	}
	for range min(strangers, len(l.class)) {
		l.answer(l.random.IntN(len(l.class)))
	}
	var wait sync.WaitGroup
	for k := range l.shares {
		wait.Go(func() {
			for n := k; n < len(part); n += shares {
				doc := l.lessons[part[n]].doc
				l.shares[k].learn(l, n, l.docs, &l.shares[k].docs, l.answers, l.answerOf[doc], 1/float32(len(part)))
				if doc != none {
					l.shares[k].learn(l, n, l.classes, &l.shares[k].classes, allClasses, int(l.class[doc]), classPart/float32(len(part)))
				}
			}
		})
	}
	wait.Wait()
	for k := range l.shares {
		l.shares[k].docs.moveTo(&l.docs.slopes)
		l.shares[k].classes.moveTo(&l.classes.slopes)
	}
	for n := range part {
		for _, k := range l.kept[n] {
			l.signs.slopes.add(k.sign, k.weight, &l.slopes[n])
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

// answer makes a document one of the batch's answers.
func (l *learner) answer(doc int) {
	if l.answerOf[doc] < 0 {
		l.answerOf[doc] = len(l.answers)
		l.answers = append(l.answers, doc)
	}
}

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
// less likely. Answers are rows of a table, whose slopes it adds to.
func (s *share) learn(l *learner, n int, table *rows, to *slopes, answers []int, right int, part float32) {
	if len(s.logits) < len(answers) {
		s.logits = make([]float32, 2*len(answers))
	}
	logits := s.logits[:len(answers)]
	text := l.texts[n]
	most := float32(math.Inf(-1))
	for i, a := range answers {
		logits[i] = text.dot(&table.rows[a])
		most = max(most, logits[i])
	}
	sum := float32(0)
	for i, x := range logits {
		logits[i] = exp(x - most)
		sum += logits[i]
	}
	for i, a := range answers {
		likely := logits[i] / sum
		if i == right {
			likely--
		} else if likely < chance {
			continue
		}
		l.slopes[n].add(likely*part, &table.rows[a])
		to.add(a, likely*part, &text)
	}
}

// rows are vectors that are being learned, by Adagrad with one rate for a row.
type rows struct {
	rows    []vector
	squares []float32 // of all slopes of a row so far: their mean over the dimensions, added up
	slopes  slopes    // of the batch
	sums    []vector  // of the rows at the end of some epochs
}

func newRows(n int, random *rand.Rand) *rows {
	r := &rows{rows: make([]vector, n), squares: make([]float32, n), slopes: newSlopes(n), sums: make([]vector, n)}
	for i := range r.rows {
		for d := range r.rows[i] {
			r.rows[i][d] = (float32(random.Float32()) - 0.5) / 3
		}
		r.squares[i] = 1e-3
	}
	return r
}

// step moves the rows against their slopes.
func (r *rows) step(rate float32) {
	for _, i := range r.slopes.touched {
		slope := &r.slopes.of[i]
		r.squares[i] += float32(slope.dot(slope) / token.SenseDims)
		r.rows[i].add(-rate/float32(math.Sqrt(float64(r.squares[i]))), slope)
	}
	r.slopes.clear()
}

// mean is where the rows lay on average.
func (r *rows) mean() []vector {
	list := make([]vector, len(r.sums))
	for i := range list {
		list[i].add(1/float32(settled), &r.sums[i])
	}
	return list
}

// slopes are what moves rows, those of all that have any.
type slopes struct {
	of      []vector
	touched []int
	marked  []bool
}

func newSlopes(n int) slopes { return slopes{of: make([]vector, n), marked: make([]bool, n)} }

// add adds a multiple of v to the slope of row i.
func (s *slopes) add(i int, by float32, v *vector) {
	if !s.marked[i] {
		s.marked[i] = true
		s.touched = append(s.touched, i)
	}
	s.of[i].add(by, v)
}

// moveTo adds all slopes to others and clears them.
func (s *slopes) moveTo(to *slopes) {
	for _, i := range s.touched {
		to.add(i, 1, &s.of[i])
	}
	s.clear()
}

func (s *slopes) clear() {
	for _, i := range s.touched {
		s.of[i], s.marked[i] = vector{}, false
	}
	s.touched = s.touched[:0]
}

// The conversions keep the compiler from joining a product and a sum, which
// rounds otherwise on some machines.

// dot has eight sums, so that additions need not wait for each other.
func (v *vector) dot(o *vector) float32 {
	var a, b, c, d, e, f, g, h float32
	for i := 0; i < len(v); i += 8 {
		a += float32(v[i] * o[i])
		b += float32(v[i+1] * o[i+1])
		c += float32(v[i+2] * o[i+2])
		d += float32(v[i+3] * o[i+3])
		e += float32(v[i+4] * o[i+4])
		f += float32(v[i+5] * o[i+5])
		g += float32(v[i+6] * o[i+6])
		h += float32(v[i+7] * o[i+7])
	}
	return (a + b + (c + d)) + (e + f + (g + h))
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
	whole := int(y - 0.5)                        // y is not above 0
	y = float64((y - float64(whole)) * math.Ln2) // at most ln 2 / 2, up or down
	sum := 1.0 / 720
	for _, c := range [...]float64{1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1, 1} {
		sum = float64(sum*y) + c
	}
	return float32(sum * math.Float64frombits(uint64(1023+whole)<<52))
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

package index

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"gitlab-mcp-server/internal/token"
)

// Learning of senses. The numbers were found by trying; the bounds of package
// search for what asks for nothing go with them.
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

// senses learns from all lessons where words, neighbours and actions lie, so that
// texts lie near the actions they ask for: a logistic regression with
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
	if len(b.taught[nothing]) == 0 {
		docs = docs[:len(b.docs)]
	}
	signUnit, docUnit := levels(signs), levels(slices.Concat(docs, classes))
	b.ix.SignSense = letters(signs, signUnit)
	b.ix.DocSense = letters(docs, docUnit)
	b.ix.ClassSense = letters(classes, docUnit)
	b.ix.SenseUnit = int32(signUnit * docUnit * token.SenseScale)
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
		logits[i] = float32(token.Exp(float64(x - most)))
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

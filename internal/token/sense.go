package token

import (
	"math"
	"slices"
)

// SenseDims is the number of dimensions of a [Sense].
const SenseDims = 32

// Sense is what a text or an action is about, as a point among others: texts
// that ask for an action lie in its direction. The points of signs, actions and
// classes are learned from phrases by gen/index.
type Sense [SenseDims]int32

// Senses are stored as text, a character for each dimension: SenseZero and so
// many levels more or less.
const (
	SenseZero   = 'P'
	SenseLevels = 45
)

// SenseScale is so many units of a text's sense to a level.
const SenseScale = 16

// Sense adds up the senses of the signs by their weights, as if these were a
// vector of length 1: a text of many words is no louder than one of few. Signs that
// nothing was learned of do not count.
func (ix *Index) Sense(signs []Sign) (s Sense) {
	square := int64(0)
	for _, sign := range signs {
		i, ok := slices.BinarySearch(ix.Signs, sign.Name)
		if !ok {
			continue
		}
		square += int64(sign.Weight) * int64(sign.Weight)
		row := ix.SignSense[i*SenseDims:][:SenseDims]
		for d := range s {
			s[d] += sign.Weight * (int32(row[d]) - SenseZero)
		}
	}
	if square == 0 {
		return s
	}
	norm := math.Sqrt(float64(square))
	for d := range s {
		s[d] = int32(float64(s[d]*SenseScale) / norm)
	}
	return s
}

// meet is how well a sense goes with the i-th of rows, in SenseUnit to a logit
// and from a zero of the sense's own.
func (s *Sense) meet(rows string, i int) int32 {
	if rows == "" {
		return 0 // nothing was learned
	}
	row := rows[i*SenseDims:][:SenseDims]
	var sum int32
	for d := range s {
		sum += s[d] * int32(row[d])
	}
	return sum
}

// Meets is how well document doc goes with a sense: it compares with what other
// documents give for the same sense, in SenseUnit to a logit.
func (ix *Index) Meets(s *Sense, doc int) int32 { return s.meet(ix.DocSense, doc) }

// Nothing is the same for what asks for no action at all; false if that was not
// taught.
func (ix *Index) Nothing(s *Sense) (int32, bool) {
	if n := len(ix.DocClass); len(ix.DocSense) > n*SenseDims {
		return s.meet(ix.DocSense, n), true
	}
	return 0, false
}

// Unit is so many units of Meets to a logit.
func (ix *Index) Unit() int32 { return max(1, ix.SenseUnit) }

// Asks gives how likely a text with the sense asks for each class of action, in
// thousandths.
func (ix *Index) Asks(s *Sense) (p [NumClasses]int32) {
	var logits, likely [NumClasses]float64
	for k := range logits {
		logits[k] = float64(s.meet(ix.ClassSense, k)) / float64(ix.Unit())
	}
	most, sum := slices.Max(logits[:]), 0.0
	for k := range logits {
		likely[k] = Exp(logits[k] - most)
		sum += likely[k]
	}
	for k := range p {
		p[k] = int32(1000 * likely[k] / sum)
	}
	return p
}

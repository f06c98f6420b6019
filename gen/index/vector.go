package index

import (
	"math"
	"slices"
	"strings"

	"gitlab-mcp-server/internal/token"
)

type vector [token.SenseDims]float32

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

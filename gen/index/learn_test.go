package index

import (
	"math"
	"testing"
)

func TestExp(t *testing.T) {
	for x := float32(0); x > -14; x -= 0.037 {
		want := math.Exp(float64(x))
		if got := float64(exp(x)); math.Abs(got-want) > 1e-6*want {
			t.Errorf("exp(%v) = %v, want %v", x, got, want)
		}
	}
	if exp(-200) != 0 || exp(float32(math.Inf(-1))) != 0 {
		t.Error("what is next to nothing is not 0")
	}
}

package token_test

import (
	"math"
	"testing"

	"gitlab-mcp-server/internal/token"
)

func TestExp(t *testing.T) {
	for x := 0.0; x > -14; x -= 0.037 {
		if got, want := token.Exp(x), math.Exp(x); math.Abs(got-want) > 1e-6*want {
			t.Errorf("Exp(%v) = %v, want %v", x, got, want)
		}
	}
	if token.Exp(-200) != 0 || token.Exp(math.Inf(-1)) != 0 {
		t.Error("what is next to nothing is not 0")
	}
}

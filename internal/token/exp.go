package token

import "math"

// Exp is e to the power of x, which is not above 0: the same on every machine,
// unlike math.Exp, since what is learned and what is found must not depend on it.
// The conversions keep products and sums apart, which some machines would join.
// What is next to nothing is 0.
func Exp(x float64) float64 {
	if x < -14 {
		return 0
	}
	y := float64(x * math.Log2E)
	whole := int(y - 0.5)                        // y is not above 0
	y = float64((y - float64(whole)) * math.Ln2) // at most ln 2 / 2, up or down
	sum := 1.0 / 720
	for _, c := range [...]float64{1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1, 1} {
		sum = float64(sum*y) + c
	}
	return sum * math.Float64frombits(uint64(1023+whole)<<52)
}

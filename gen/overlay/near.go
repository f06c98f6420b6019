package overlay

import "fmt"

// near returns ", did you mean X?" for the closest of names, or nothing where
// none is close enough to help.
func near(word string, names []string) string {
	best, bestDist := "", len(word)/3+1
	for _, n := range names {
		if d := distance(word, n, bestDist); d <= bestDist && (best == "" || d < bestDist) {
			best, bestDist = n, d
		}
	}
	if best == "" || best == word {
		return ""
	}
	return fmt.Sprintf(", did you mean %q?", best)
}

// distance is the Levenshtein distance of a and b; values over limit are only
// known to be over it.
func distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diag
			if a[i] != b[j] {
				cost++
			}
			diag = row[j+1]
			row[j+1] = min(row[j+1]+1, row[j]+1, cost)
		}
	}
	return row[len(b)]
}

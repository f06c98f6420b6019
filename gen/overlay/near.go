package overlay

import (
	"fmt"

	"gitlab-mcp-server/internal/token"
)

// near returns ", did you mean X?" for the closest of names, or nothing where
// none is close enough to help.
func near(word string, names []string) string {
	best, bestDist := "", len(word)/3+1
	for _, n := range names {
		if d := token.Distance([]byte(word), n, bestDist); d <= bestDist && (best == "" || d < bestDist) {
			best, bestDist = n, d
		}
	}
	if best == "" || best == word {
		return ""
	}
	return fmt.Sprintf(", did you mean %q?", best)
}

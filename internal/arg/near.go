package arg

import "strings"

// Nearest is the candidate that was perhaps meant by name, or "" if none is
// near: the same but for case and separators, a few slips of the keyboard away
// (the more, the longer the name), or one a part of the other.
func Nearest(name string, candidates []string) string {
	if len(name) > maxNear {
		return ""
	}
	want := normal(name)
	best, bestCost := "", 1<<30
	for _, c := range candidates {
		if cost, ok := distanceCost(want, normal(c)); ok && cost < bestCost {
			best, bestCost = c, cost
		}
	}
	return best
}

// maxNear is the length beyond which a name resembles nothing.
const maxNear = 64

// normal is name in lower case with underscores: projectId and Project-ID
// become project_id.
func normal(name string) string {
	var b strings.Builder
	b.Grow(len(name) + 4)
	lower := false // whether the last byte was a lower-case letter or digit
	for i := range len(name) {
		switch c := name[i]; {
		case 'A' <= c && c <= 'Z':
			if lower {
				b.WriteByte('_')
			}
			b.WriteByte(c + 'a' - 'A')
			lower = false
		case c == '-' || c == ' ' || c == '.':
			b.WriteByte('_')
			lower = false
		default:
			b.WriteByte(c)
			lower = c != '_'
		}
	}
	return b.String()
}

// distanceCost says how far b is from a, if it is near at all. An edit costs 10;
// being part of each other costs 12 and 1 for every byte left over.
func distanceCost(a, b string) (int, bool) {
	if a == b {
		return 0, true
	}
	cost, ok := 1<<30, false
	short, long := a, b
	if len(short) > len(long) {
		short, long = long, short
	}
	if len(short) >= 3 && strings.Contains(long, short) || len(short) == 2 && onWords(long, short) {
		cost, ok = 12+len(long)-len(short), true
		if !strings.HasPrefix(long, short) && !strings.HasSuffix(long, short) {
			cost += 10
		}
	}
	limit := min(max(len(a)/3, 1), 4)
	if len(a) <= 2 {
		limit = 0
	}
	if d := edits(a, b, limit); d <= limit && 10*d < cost {
		cost, ok = 10*d, true
	}
	return cost, ok
}

// onWords reports whether long starts or ends with the word short.
func onWords(long, short string) bool {
	return strings.HasPrefix(long, short+"_") || strings.HasSuffix(long, "_"+short)
}

// edits is the number of insertions, deletions, replacements and swaps of
// neighbours that make b out of a; more than limit if it is more than that.
func edits(a, b string, limit int) int {
	if len(a) > maxNear || len(b) > maxNear || max(len(a)-len(b), len(b)-len(a)) > limit {
		return limit + 1
	}
	var rows [3][maxNear + 1]int
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			differ := 0
			if a[i-1] != b[j-1] {
				differ = 1
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+differ)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

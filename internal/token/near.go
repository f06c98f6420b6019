package token

// LetterMask has a bit for each letter a to z in w. Words whose masks differ in
// more than twice n letters are more than n edits apart.
func LetterMask(w []byte) uint32 {
	var m uint32
	for _, c := range w {
		if 'a' <= c && c <= 'z' {
			m |= 1 << (c - 'a')
		}
	}
	return m
}

// maxDistance bounds what Distance compares letter by letter: words without the
// beginning and end that they share.
const maxDistance = 32

// Distance is the number of edits from a to b: inserted, dropped and changed
// letters and swapped neighbours. It stops beyond limit and then gives limit+1.
func Distance(a []byte, b string, limit int) int {
	if abs(len(a)-len(b)) > limit {
		return limit + 1
	}
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) == 0 || len(b) == 0 {
		return min(max(len(a), len(b)), limit+1)
	}
	if len(a) > maxDistance || len(b) > maxDistance {
		return limit + 1
	}
	var rows [3][maxDistance + 1]uint8
	prev, row, next := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		row[j] = uint8(j)
	}
	for i := range len(a) {
		next[0] = uint8(i + 1)
		least := next[0]
		for j := range len(b) {
			d := min(row[j+1], next[j]) + 1
			if a[i] == b[j] {
				d = min(d, row[j])
			} else {
				d = min(d, row[j]+1)
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, prev[j-1]+1)
			}
			next[j+1] = d
			least = min(least, d)
		}
		if int(least) > limit {
			return limit + 1
		}
		prev, row, next = row, next, prev
	}
	return min(int(row[len(b)]), limit+1)
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

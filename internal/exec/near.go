package exec

import (
	"cmp"
	"slices"
)

// Near are up to n ids of actions that the caller has and whose id or alias
// resembles name, best first.
func (e *Executor) Near(name string, n int) []string {
	want := grams(name)
	type near struct {
		id    string
		score float64
	}
	var found []near
	add := func(id string, score float64) {
		i := slices.IndexFunc(found, func(x near) bool { return x.id == id })
		if i < 0 {
			found = append(found, near{id, score})
		} else if score > found[i].score {
			found[i].score = score
		}
	}
	const least = 0.35
	for a := range e.cat.All() {
		if s := dice(want, grams(a.ID())); s >= least && e.policy.Allowed(a) {
			add(a.ID(), s)
		}
	}
	for al := range e.cat.Aliases() {
		s := dice(want, grams(al.Name()))
		if s < least || al.NumTargets() != 1 {
			continue
		}
		for id := range al.Targets() {
			if a, ok := e.cat.ByID(id); ok && e.policy.Allowed(a) {
				add(id, s*0.99) // at the same likeness the id itself stands first
			}
		}
	}
	slices.SortFunc(found, func(x, y near) int {
		return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.id, y.id))
	})
	var ids []string
	for _, f := range found[:min(n, len(found))] {
		ids = append(ids, f.id)
	}
	return ids
}

// grams are the pairs of neighbouring letters of a name, sorted, with separators
// as one letter.
func grams(name string) []uint16 {
	const longest = 100
	b := []byte{'.'}
	for i := range min(len(name), longest) {
		c := name[i]
		switch {
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case (c < 'a' || c > 'z') && (c < '0' || c > '9'):
			c = '.'
		}
		if c != '.' || b[len(b)-1] != '.' {
			b = append(b, c)
		}
	}
	if b[len(b)-1] != '.' {
		b = append(b, '.')
	}
	out := make([]uint16, 0, len(b))
	for i := 1; i < len(b); i++ {
		out = append(out, uint16(b[i-1])<<8|uint16(b[i]))
	}
	slices.Sort(out)
	return out
}

// dice is the likeness of two sets of grams, from 0 to 1.
func dice(a, b []uint16) float64 {
	if len(a)+len(b) == 0 {
		return 0
	}
	same := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			same++
			i++
			j++
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return 2 * float64(same) / float64(len(a)+len(b))
}

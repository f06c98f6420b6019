package sim

import "slices"

// blame says for each line of a file which commit it comes from.
func (c *commit) blame(path string) ([]string, []*commit) {
	versions := slices.DeleteFunc(c.history(), func(v *commit) bool { return !v.touches(path) })
	slices.Reverse(versions)
	var lines []string
	var from []*commit
	for _, v := range versions {
		f, ok := v.tree[path]
		if !ok {
			lines, from = nil, nil
			continue
		}
		now := splitLines(f.content)
		origin := make([]*commit, len(now))
		for j, i := range matching(lines, now) {
			origin[j] = v
			if i >= 0 {
				origin[j] = from[i]
			}
		}
		lines, from = now, origin
	}
	return lines, from
}

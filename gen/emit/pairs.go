package emit

import (
	"maps"
	"slices"
)

// pairs is m as keys and values in turn, in the order of the keys.
func pairs(m map[string]string) []string {
	var flat []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		flat = append(flat, k, m[k])
	}
	return flat
}

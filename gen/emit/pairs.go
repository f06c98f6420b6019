package emit

import (
	"maps"
	"slices"

	"gitlab-mcp-server/gen/ir"
)

// pairs is m as keys and values in turn, in the order of the keys.
func pairs(m map[string]string) []string {
	var flat []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		flat = append(flat, k, m[k])
	}
	return flat
}

// cases is cs as conditions and ids in turn.
func cases(cs []ir.AliasCase) []string {
	var flat []string
	for _, c := range cs {
		flat = append(flat, c.When, c.To)
	}
	return flat
}

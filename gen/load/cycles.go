package load

import (
	"maps"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
)

// edge is a reference from one named schema to another.
type edge struct{ from, to string }

// backEdges gives the references that close a circle of named schemas. Without
// them the schemas form no circle. Which of a circle's references is cut
// depends on the names alone, not on where a reader enters it.
func (r *reader) backEdges() map[edge]bool {
	cuts := make(map[edge]bool)
	const (
		open = iota + 1
		done
	)
	state := make(map[string]int)
	var visit func(name string)
	visit = func(name string) {
		state[name] = open
		for _, to := range references(r.named.Schemas[name]) {
			switch state[to] {
			case open:
				cuts[edge{name, to}] = true
			case 0:
				visit(to)
			}
		}
		state[name] = done
	}
	for _, name := range slices.Sorted(maps.Keys(r.named.Schemas)) {
		if state[name] == 0 {
			visit(name)
		}
	}
	return cuts
}

// references gives the names of the schemas that a named schema refers to,
// sorted.
func references(ref *openapi3.SchemaRef) []string {
	found := make(map[string]bool)
	var walk func(ref *openapi3.SchemaRef)
	walk = func(ref *openapi3.SchemaRef) {
		if ref == nil {
			return
		}
		if name := schemaName(ref); name != "" {
			found[name] = true
			return
		}
		s := ref.Value
		if ref.Ref != "" || s == nil {
			return
		}
		walk(s.Items)
		walk(s.AdditionalProperties.Schema)
		for _, p := range s.Properties {
			walk(p)
		}
		for _, refs := range []openapi3.SchemaRefs{s.OneOf, s.AnyOf, s.AllOf} {
			for _, p := range refs {
				walk(p)
			}
		}
	}
	walk(ref)
	return slices.Sorted(maps.Keys(found))
}

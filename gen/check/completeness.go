package check

import (
	"gitlab-mcp-server/gen/ir"
)

// Field is one line of the completeness table: of the N actions, or
// parameters, that should have it, Count do.
type Field struct {
	Name     string
	Count, N int
}

// Completeness counts how much of the curation is there. Texts are of actions,
// the last lines of parameters.
func Completeness(cat *ir.Catalog) []Field {
	type rule struct {
		name string
		has  func(*ir.Action) bool
	}
	rules := []rule{
		{"title", func(a *ir.Action) bool { return a.Title != "" }},
		{"returns", func(a *ir.Action) bool { return a.Returns != "" }},
		{"risk", func(a *ir.Action) bool { return a.Risk != "" }},
		{"tier", func(a *ir.Action) bool { return a.Tier != "" }},
		{"offering", func(a *ir.Action) bool { return a.Offering != "" }},
		{"scope", func(a *ir.Action) bool { return a.Scope != "" }},
		{"source", func(a *ir.Action) bool { return a.Source != "" }},
		{"since", func(a *ir.Action) bool { return a.Since != "" }},
		{"role", func(a *ir.Action) bool { return a.Role != "" || a.Admin }},
		{"usage", func(a *ir.Action) bool { return a.Usage != "" }},
		{"phrases", func(a *ir.Action) bool { return len(a.Phrases) > 0 }},
		{"related", func(a *ir.Action) bool { return len(a.Related) > 0 }},
		{"columns", func(a *ir.Action) bool { return len(a.Columns) > 0 || a.Kind != ir.KindList }},
		{"example", func(a *ir.Action) bool { return a.Example != nil }},
	}
	var out []Field
	for _, r := range rules {
		f := Field{Name: r.name, N: len(cat.Actions)}
		for _, a := range cat.Actions {
			if r.has(a) {
				f.Count++
			}
		}
		out = append(out, f)
	}
	top, nested := Field{Name: "parameter description"}, Field{Name: "field description"}
	for _, a := range cat.Actions {
		eachParam(a.Params, "", func(path string, p *ir.Param) {
			f := &nested
			if path == p.Name {
				f = &top
			}
			if speaksForItself(p) {
				return
			}
			f.N++
			if p.Description != "" {
				f.Count++
			}
		})
	}
	return append(out, top, nested)
}

// speaksForItself holds for parameters that may go without a description:
// those whose name says it, the ids in a path, booleans, and those with a list
// of values.
func speaksForItself(p *ir.Param) bool {
	if p.Plain || p.In == ir.Path && p.Required && (p.Type.Kind == ir.Integer || p.Type.Kind == ir.ID) {
		return true
	}
	return p.Type.Kind == ir.Boolean || len(p.Type.Enum) > 0 || p.Type.Items != nil && len(p.Type.Items.Enum) > 0
}

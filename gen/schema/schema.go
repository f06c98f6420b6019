// Package schema writes the JSON schemas of the catalog: what an action takes,
// whole and folded for find results, and what it answers with.
//
// Input schemas keep to what every MCP client accepts: an object at the root,
// no references, no combinators, no lists of types. Keys come in a fixed order
// and properties in the order of the parameters, so that a schema is a pure
// function of its action.
//
// It is not for validating anything: arguments are read by internal/arg, and
// answers are never held against a schema.
package schema

import (
	"strings"

	"gitlab-mcp-server/gen/ir"
)

// maxDepth bounds the nesting of input schemas; deeper objects are free-form.
const maxDepth = 6

// Input is the whole input schema of a, compact JSON.
func Input(a *ir.Action) string {
	return input(a, func(*ir.Param) bool { return true }, true)
}

// input is the schema of those parameters of a that keep takes; closed says
// that there are no others.
func input(a *ir.Action, keep func(*ir.Param) bool, closed bool) string {
	var w writer
	w.raw(`{"type":"object"`)
	if rules := Rules(a.Groups); rules != "" {
		w.raw(`,"description":`)
		w.str(rules)
	}
	w.raw(`,"properties":{`)
	first := true
	for _, p := range a.Params {
		if !keep(p) {
			continue
		}
		w.comma(&first)
		w.property(p, 1)
	}
	w.raw(`},"required":[`)
	first = true
	for _, p := range a.Params {
		if p.Required {
			w.comma(&first)
			w.str(p.Name)
		}
	}
	w.raw(`]`)
	if closed {
		w.raw(`,"additionalProperties":false`)
	}
	w.raw(`}`)
	return w.String()
}

// ruleText says what a rule over several parameters asks for.
var ruleText = map[string]string{
	"one_of":      "At least one of ",
	"exactly_one": "Exactly one of ",
	"at_most_one": "At most one of ",
	"all_or_none": "All or none of ",
}

// Rules says in words what is asked of several parameters at once.
func Rules(groups []ir.ParamGroup) string {
	var b strings.Builder
	for _, g := range groups {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(ruleText[g.Rule])
		b.WriteString(strings.Join(g.Params, ", "))
		b.WriteByte('.')
	}
	return b.String()
}

// property writes "name": {…}.
func (w *writer) property(p *ir.Param, depth int) {
	w.str(p.Name)
	w.raw(":{")
	first := true
	w.typ(p.Type, depth, &first)
	if text := description(p); text != "" {
		w.key(&first, "description")
		w.str(text)
	}
	if p.Deprecated {
		w.key(&first, "deprecated")
		w.raw("true")
	}
	w.raw("}")
}

// description is what we say of p: our text, how to clear it, and the rules of
// the object it is.
func description(p *ir.Param) string {
	text := p.Description
	if p.Clearable {
		const clears = `"none" clears it`
		if text != "" {
			text = strings.TrimSuffix(text, ".") + "; "
		}
		text += clears
	}
	t := p.Type
	if t != nil && t.Kind == ir.Array {
		t = t.Items
	}
	if t == nil || len(t.Groups) == 0 {
		return text
	}
	if text != "" {
		text = strings.TrimSuffix(text, ".") + ". "
	}
	return text + Rules(t.Groups)
}

// typ writes the members of the schema of t, without the braces.
func (w *writer) typ(t *ir.Type, depth int, first *bool) {
	if t == nil {
		return
	}
	switch t.Kind {
	case ir.Any, "":
		return
	case ir.Array:
		w.key(first, "type")
		w.raw(`"array"`)
		w.key(first, "items")
		w.raw("{")
		inner := true
		w.typ(items(t), depth+1, &inner)
		w.raw("}")
		w.dflt(t, first)
	case ir.FileVal:
		w.key(first, "type")
		w.raw(`"object"`)
		w.key(first, "properties")
		w.raw(`{"content":{"type":"string"},"encoding":{"type":"string","enum":["text","base64"]},` +
			`"path":{"type":"string"},"filename":{"type":"string"},"content_type":{"type":"string"}}`)
	case ir.Object, ir.Map:
		w.key(first, "type")
		w.raw(`"object"`)
		if t.Kind == ir.Map || len(t.Fields) == 0 || depth >= maxDepth {
			w.key(first, "additionalProperties")
			w.raw("true")
			return
		}
		w.fields(t, depth, first)
	default:
		w.scalar(t, first)
	}
}

// items is the element type of the array t: strings where nothing is declared,
// since an array without items is refused by some clients.
func items(t *ir.Type) *ir.Type {
	if t.Items == nil {
		return &ir.Type{Kind: ir.String}
	}
	return t.Items
}

func (w *writer) fields(t *ir.Type, depth int, first *bool) {
	w.key(first, "properties")
	w.raw("{")
	inner := true
	for _, f := range t.Fields {
		w.comma(&inner)
		w.property(f, depth+1)
	}
	w.raw("}")
	inner = true
	for _, f := range t.Fields {
		if !f.Required {
			continue
		}
		if inner {
			w.key(first, "required")
			w.raw("[")
		}
		w.comma(&inner)
		w.str(f.Name)
	}
	if !inner {
		w.raw("]")
	}
}

// jsonType is the JSON schema type of a scalar kind.
func jsonType(k ir.Kind) string {
	switch k {
	case ir.Integer, ir.Number, ir.Boolean:
		return string(k)
	}
	return string(ir.String)
}

func (w *writer) scalar(t *ir.Type, first *bool) {
	w.key(first, "type")
	w.str(jsonType(t.Kind))
	if t.Kind == ir.String && (t.Format == "date" || t.Format == "date-time") {
		w.key(first, "format")
		w.str(t.Format)
	}
	inner := true
	for _, v := range t.Enum {
		if v == "" || t.Kind == ir.Boolean {
			continue
		}
		if inner {
			w.key(first, "enum")
			w.raw("[")
		}
		w.comma(&inner)
		w.value(t.Kind, v)
	}
	if !inner {
		w.raw("]")
	}
	if t.Kind == ir.Integer || t.Kind == ir.Number {
		w.bound(first, "minimum", t.Min)
		w.bound(first, "maximum", t.Max)
	}
	w.dflt(t, first)
}

func (w *writer) bound(first *bool, key string, v *string) {
	if v != nil && isNumber(*v) {
		w.key(first, key)
		w.raw(*v)
	}
}

// dflt writes the default where its text is a value of the type; anything else
// upstream calls a default is prose.
func (w *writer) dflt(t *ir.Type, first *bool) {
	if t.Default == nil || !fits(t, *t.Default) {
		return
	}
	w.key(first, "default")
	w.value(t.Kind, *t.Default)
}

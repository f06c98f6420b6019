package overlay

import (
	"maps"
	"slices"
	"strings"

	"gitlab-mcp-server/gen/ir"
)

// typeTable is _types.yaml: kinds of path parameters by public name. Upstream
// types the same id as string, integer, both or nothing from one operation to
// the next.
type typeTable struct {
	path map[string]*entry // public name → kind
}

func readTypes(p *problems, src source) *typeTable {
	d := decoder{p}
	t := &typeTable{path: map[string]*entry{}}
	d.object(src.open(p, "_types.yaml"), map[string]func(*node){
		"path": func(v *node) {
			d.each(v, func(kind string, pos ir.Pos, v *node) {
				if kind != string(ir.ID) && kind != string(ir.Integer) && kind != string(ir.String) {
					d.addf(pos, "%q is no kind of a path parameter: id, integer or string", kind)
				}
				d.list(v, func(item *node) {
					name := d.word(item)
					if old := t.path[name]; old != nil {
						d.addf(item.pos, "%q has kind %s already", name, old.text)
					}
					t.path[name] = &entry{pos: item.pos, text: kind}
				})
			})
		},
	})
	return t
}

func (t *typeTable) reportUnused(p *problems) {
	for _, name := range slices.Sorted(maps.Keys(t.path)) {
		if e := t.path[name]; !e.used {
			p.addf(e.pos, "no path parameter is called %q", name)
		}
	}
}

// pathKind is the kind of the path parameter called name that upstream types
// as t. The table goes first; an iid is always a number; what upstream leaves
// open is a number or a name.
func (t *typeTable) pathKind(name string, up *ir.Type) ir.Kind {
	if e := t.path[name]; e != nil {
		return ir.Kind(e.use())
	}
	if strings.HasSuffix(name, "_iid") {
		return ir.Integer
	}
	switch k := typeName(up); k {
	case ir.Any:
		return ir.ID
	default:
		return k
	}
}

// typeName is the kind of a type as repairs write it. Untyped is any; a choice
// of texts and numbers is id; a choice with an array is array.
func typeName(t *ir.Type) ir.Kind {
	switch {
	case t == nil:
		return ir.Any
	case len(t.OneOf) > 0:
		return collapse(t).Kind
	case t.Kind == "":
		if len(t.Fields) > 0 {
			return ir.Object
		}
		return ir.Any
	case t.Kind == ir.String && t.Format == "binary":
		return ir.FileVal
	}
	return t.Kind
}

// untyped is how `was` calls a type that upstream leaves out.
const untyped = "none"

// rawTypeName is a type as upstream has it: the kinds of a choice joined by
// "|" in their order, none where there is no type.
func rawTypeName(t *ir.Type) string {
	switch {
	case t == nil || t.Kind == "" && len(t.OneOf) == 0 && len(t.Fields) == 0:
		return untyped
	case len(t.OneOf) > 0:
		names := make([]string, len(t.OneOf))
		for i, alt := range t.OneOf {
			names[i] = rawTypeName(alt)
		}
		return strings.Join(names, "|")
	}
	return string(typeName(t))
}

// collapse makes one type of a choice. Schemas stay plain, so the reader takes
// the looser forms: a text for an array, a number for an id.
func collapse(t *ir.Type) *ir.Type {
	if t == nil || len(t.OneOf) == 0 {
		return t
	}
	kinds := map[ir.Kind]*ir.Type{}
	var arrays []*ir.Type
	for _, alt := range t.OneOf {
		alt = collapse(alt)
		kinds[typeName(alt)] = alt
		if typeName(alt) == ir.Array {
			arrays = append(arrays, alt)
		}
	}
	out := cloneType(t)
	out.OneOf = nil
	only := func(allowed ...ir.Kind) bool {
		for k := range kinds {
			if !slices.Contains(allowed, k) {
				return false
			}
		}
		return true
	}
	switch {
	case len(kinds) == 1 && len(arrays) == 0:
		return mergeAlternatives(out, t.OneOf)
	case len(arrays) > 0:
		out.Kind = ir.Array
		var items []*ir.Type
		for _, a := range arrays {
			if a.Items != nil {
				items = append(items, a.Items)
			}
		}
		switch {
		case len(items) == 1:
			out.Items = cloneType(items[0])
		case len(items) > 1:
			out.Items = collapse(&ir.Type{OneOf: items})
		}
	case only(ir.Integer, ir.Number):
		out.Kind = ir.Number
	case only(ir.String, ir.Integer, ir.ID):
		out.Kind = ir.ID
	case only(ir.String, ir.Boolean):
		out.Kind = ir.String
	default:
		out.Kind = ir.Any
	}
	return out
}

// mergeAlternatives joins alternatives of one kind: enums add up, and an
// alternative without an enum allows everything.
func mergeAlternatives(out *ir.Type, alts []*ir.Type) *ir.Type {
	out.Kind = typeName(alts[0])
	out.Format = alts[0].Format
	out.Fields = cloneParams(alts[0].Fields)
	for _, alt := range alts {
		if len(alt.Enum) == 0 {
			out.Enum = nil
			return out
		}
		for _, v := range alt.Enum {
			if !slices.Contains(out.Enum, v) {
				out.Enum = append(out.Enum, v)
			}
		}
	}
	return out
}

// tidy brings the type of an input to the forms that the later stages know:
// no choices, no nullable, no patterns, no "" in enums, arrays with items,
// opaque objects as maps. fixed types of repairs are taken as they are.
func tidy(t *ir.Type, in ir.In, name string, opaque bool) *ir.Type {
	t = collapse(t)
	if t == nil {
		t = &ir.Type{}
	}
	t.Nullable, t.Pattern = false, ""
	t.Enum = slices.DeleteFunc(t.Enum, func(v string) bool { return v == "" })
	if t.Default != nil && *t.Default == "" {
		t.Default = nil
	}
	switch t.Kind = typeName(t); t.Kind {
	case ir.Any:
		switch {
		case isIDName(name):
			t.Kind = ir.ID
		case in != ir.BodyIn:
			t.Kind = ir.String
		}
	case ir.Array:
		t.Items = tidy(t.Items, in, strings.TrimSuffix(name, "s"), opaque)
	case ir.Object:
		if len(t.Fields) == 0 && !opaque {
			t.Kind = ir.Map
			break
		}
		for _, f := range t.Fields {
			f.Type = tidy(f.Type, in, f.Name, opaque)
			f.In = in
		}
	}
	if t.Kind == ir.Map && t.Values != nil {
		t.Values = tidy(t.Values, in, "", opaque)
	}
	return t
}

func isIDName(name string) bool { return name == "id" || strings.HasSuffix(name, "_id") }

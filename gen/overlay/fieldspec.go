package overlay

import (
	"slices"
	"strings"

	"gitlab-mcp-server/gen/ir"
)

// kinds are the type names of repairs and added operations.
var kinds = []string{
	string(ir.String), string(ir.Integer), string(ir.Number), string(ir.Boolean), string(ir.ID),
	string(ir.Array), string(ir.Object), string(ir.Map), string(ir.Any), string(ir.FileVal),
}

// encodings of arrays and objects in a query, as overlays write them.
var encodings = map[string]ir.Encoding{"plain": ir.Plain, "none": ir.Plain, "comma": ir.Comma, "brackets": ir.Brackets, "hash": ir.Hash}

// spec is a decoded field spec: what a repair compares or sets on a parameter,
// or the whole of a new field. A nil pointer or an unset key says nothing.
type spec struct {
	pos ir.Pos
	set map[string]bool // keys that stand in the file

	was                           bool // says what upstream has: kinds may be joined, string|integer, or none
	in, kind, name, format, after string
	gid, variable                 string // of GraphQL actions
	encoding                      ir.Encoding
	items, values                 *spec
	fields                        []*ir.Param
	enum, enumAdd, enumRemove     []string
	required, splat, clearable    bool
	scalar                        bool
	drop, absent                  bool
	min, max, deflt               string
}

// keys are the handlers of everything that can be said of a parameter.
func (s *spec) keys(d decoder) map[string]func(*node) {
	text := func(into *string) func(*node) { return func(v *node) { *into = d.text(v) } }
	flag := func(into *bool) func(*node) { return func(v *node) { *into = d.bool(v) } }
	list := func(into *[]string) func(*node) { return func(v *node) { *into = d.texts(v) } }
	h := map[string]func(*node){
		"in": func(v *node) {
			s.in = d.oneOf(v, string(ir.Path), string(ir.Query), string(ir.BodyIn), string(ir.File))
		},
		"type":     func(v *node) { s.readKind(d, v, d.text(v)) },
		"name":     text(&s.name),
		"format":   text(&s.format),
		"after":    text(&s.after),
		"gid":      text(&s.gid),
		"variable": text(&s.variable),
		"required": flag(&s.required), "splat": flag(&s.splat), "clearable": flag(&s.clearable), "scalar": flag(&s.scalar),
		"drop": flag(&s.drop), "absent": flag(&s.absent),
		"enum": list(&s.enum), "enum_add": list(&s.enumAdd), "enum_remove": list(&s.enumRemove),
		"min": text(&s.min), "max": text(&s.max), "default": text(&s.deflt),
		"encoding": func(v *node) {
			s.encoding = encodings[d.oneOf(v, "plain", "none", "comma", "brackets", "hash")]
		},
		"items":  func(v *node) { s.items = readSpec(d, v, s.was) },
		"values": func(v *node) { s.values = readSpec(d, v, s.was) },
		"fields": func(v *node) {
			if s.was && v.kind == listNode {
				for _, name := range d.texts(v) {
					s.fields = append(s.fields, &ir.Param{Wire: name})
				}
				return
			}
			s.fields = readFields(d, v, ir.BodyIn)
		},
	}
	for k, f := range h {
		h[k] = func(v *node) {
			s.set[k] = true
			f(v)
		}
	}
	return h
}

// readSpec decodes a field spec: a map, or the short form "integer" and
// "string!", the mark meaning required.
func readSpec(d decoder, n *node, was bool) *spec {
	s := &spec{pos: n.pos, was: was, set: map[string]bool{}}
	if n.kind != scalarNode {
		d.object(n, s.keys(d))
		return s
	}
	kind, required := strings.CutSuffix(n.text, "!")
	s.set["type"] = true
	s.readKind(d, n, kind)
	if required {
		s.set["required"], s.required = true, true
	}
	return s
}

func (s *spec) readKind(d decoder, n *node, kind string) {
	s.kind = kind
	words := []string{kind}
	if s.was {
		words = strings.Split(kind, "|")
	}
	for _, w := range words {
		if !slices.Contains(kinds, w) && !(s.was && w == untyped) {
			d.addf(n.pos, "%q is not one of %s%s", w, strings.Join(kinds, ", "), near(w, kinds))
		}
	}
}

// readFields decodes a map of field specs, in its order.
func readFields(d decoder, n *node, in ir.In) []*ir.Param {
	fields := []*ir.Param{}
	d.each(n, func(name string, pos ir.Pos, v *node) {
		s := readSpec(d, v, false)
		for _, key := range []string{"drop", "absent", "enum_add", "enum_remove", "after"} {
			if s.set[key] {
				d.addf(pos, "%s means nothing in a whole field", key)
			}
		}
		fields = append(fields, s.param(name, pos, in))
	})
	return fields
}

// param is the new parameter that s describes.
func (s *spec) param(wire string, pos ir.Pos, in ir.In) *ir.Param {
	p := &ir.Param{Pos: pos, Name: wire, Wire: wire, In: in, Type: &ir.Type{}}
	if s.set["in"] {
		p.In = ir.In(s.in)
	}
	s.apply(p)
	if p.Type.Kind == "" && len(p.Type.OneOf) == 0 {
		p.Type.Kind = ir.String
	}
	if p.Type.Kind == ir.FileVal && p.In == ir.BodyIn {
		p.In = ir.File
	}
	return p
}

// apply changes p to what s sets, except where it travels.
func (s *spec) apply(p *ir.Param) {
	if p.Type == nil {
		p.Type = &ir.Type{}
	}
	s.applyType(p.Type)
	if s.set["name"] {
		p.Name = s.name
	}
	if s.set["required"] {
		p.Required = s.required
	}
	if s.set["splat"] {
		p.Splat = s.splat
	}
	if s.set["scalar"] {
		p.Scalar = s.scalar
	}
	if s.set["clearable"] {
		p.Clearable = s.clearable
	}
	switch {
	case s.set["encoding"]:
		p.Encoding = s.encoding
	case p.Type.Kind != ir.Array && p.Type.Kind != ir.Object && p.Type.Kind != ir.Map && len(p.Type.OneOf) == 0:
		p.Encoding = ir.Plain // no longer an array
	}
}

func (s *spec) applyType(t *ir.Type) {
	if len(t.OneOf) > 0 {
		*t = *collapse(t)
	}
	if s.set["type"] {
		if was := typeName(t); string(was) != s.kind {
			t.Items, t.Fields, t.Values = nil, nil, nil
			if scalar := s.kind == string(ir.String) || s.kind == string(ir.ID) || s.kind == string(ir.Integer); !scalar {
				t.Enum = nil
			}
			t.Format, t.Min, t.Max = "", nil, nil
		}
		t.Kind, t.OneOf = ir.Kind(s.kind), nil
	}
	if s.set["format"] {
		t.Format = s.format
	}
	if s.set["gid"] {
		t.GID = s.gid
	}
	if s.set["enum"] {
		t.Enum = s.enum
	}
	for _, v := range s.enumAdd {
		if !slices.Contains(t.Enum, v) {
			t.Enum = append(t.Enum, v)
		}
	}
	if len(s.enumRemove) > 0 {
		t.Enum = without(t.Enum, s.enumRemove)
	}
	for _, x := range []struct {
		key, text string
		to        **string
	}{{"min", s.min, &t.Min}, {"max", s.max, &t.Max}, {"default", s.deflt, &t.Default}} {
		if s.set[x.key] {
			*x.to = &x.text
			if x.text == "" {
				*x.to = nil
			}
		}
	}
	if s.set["items"] {
		t.Kind, t.OneOf = ir.Array, nil
		if t.Items == nil || s.items.set["type"] {
			t.Items = &ir.Type{}
		}
		s.items.applyType(t.Items)
	}
	if s.set["values"] {
		t.Kind, t.OneOf, t.Values = ir.Map, nil, &ir.Type{}
		s.values.applyType(t.Values)
	}
	if s.set["fields"] {
		to := t
		if t.Kind == ir.Array {
			if t.Items == nil {
				t.Items = &ir.Type{}
			}
			to = t.Items
		}
		to.Kind, to.OneOf = ir.Object, nil
		to.Fields = cloneParams(s.fields)
	}
}

func without(list, drop []string) []string {
	var out []string
	for _, v := range list {
		if !slices.Contains(drop, v) {
			out = append(out, v)
		}
	}
	return out
}

package evidence

import (
	"encoding/json"
	"strings"

	"gitlab-mcp-server/gen/ir"
)

// sent is what stands in a request under one name.
type sent struct {
	json   any // of a JSON body
	isJSON bool
	pairs  []pair // of a query or a form
}

// flat is the value as pairs, wherever it stands.
func (s *sent) flat(name string) []pair {
	ps := s.pairs
	if s.isJSON {
		ps = append(ps[:len(ps):len(ps)], flatten(name, s.json)...)
	}
	return ps
}

// names groups what a request carries, query and body merged.
func (w *wire) names() map[string]*sent {
	m := map[string]*sent{}
	at := func(name string) *sent {
		if m[name] == nil {
			m[name] = &sent{}
		}
		return m[name]
	}
	for _, ps := range [][]pair{w.query, w.form} {
		for _, p := range ps {
			s := at(base(p.name))
			s.pairs = append(s.pairs, p)
		}
	}
	for k, v := range w.body {
		s := at(k)
		s.json, s.isJSON = v, true
	}
	return m
}

// translator turns a request into arguments of an action.
type translator struct {
	action  *ir.Action
	missing []string // names that the action has no argument for
}

// value is what a name carries as the argument p.
func (tr *translator) value(p *ir.Param, s *sent) any {
	if s.isJSON {
		return tr.fromJSON(p.Wire, p.Type, s.json)
	}
	return tr.fromPairs(p, s.pairs)
}

// fromJSON puts public names for wire names; members without an argument are
// noted, and taken out of v itself too, so that the rest compares.
func (tr *translator) fromJSON(path string, t *ir.Type, v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		var items *ir.Type
		if t != nil {
			items = t.Items
		}
		for i, e := range v {
			out[i] = tr.fromJSON(path, items, e)
		}
		return out
	case map[string]any:
		if t == nil || len(t.Fields) == 0 {
			return v
		}
		out := map[string]any{}
		for k, e := range v {
			f := argument(t.Fields, k)
			if f == nil {
				tr.missing = append(tr.missing, path+"."+k)
				delete(v, k)
				continue
			}
			out[f.Name] = tr.fromJSON(path+"."+k, f.Type, e)
		}
		return out
	}
	return v
}

// fromPairs reads name=v, name[]=v and name[key]=v.
func (tr *translator) fromPairs(p *ir.Param, ps []pair) any {
	kind := ir.Any
	if p.Type != nil {
		kind = p.Type.Kind
	}
	_, rest, nested := strings.Cut(ps[0].name, "[")
	switch {
	case strings.HasPrefix(ps[0].value, file("")) && kind == ir.FileVal:
		return upload(strings.TrimPrefix(ps[0].value, file("")))
	case nested && rest != "]" && kind != ir.Array:
		return tr.object(p, ps)
	case kind == ir.Array && strings.HasPrefix(rest, "]["):
		return tr.objects(p, ps)
	case kind == ir.Array:
		var list []any
		for _, q := range ps {
			if strings.HasSuffix(q.name, "[]") || len(ps) > 1 {
				list = append(list, q.value)
				continue
			}
			for v := range strings.SplitSeq(q.value, ",") {
				list = append(list, v)
			}
		}
		return list
	}
	return ps[0].value
}

func (tr *translator) object(p *ir.Param, ps []pair) any {
	out := map[string]any{}
	inner := map[string][]pair{}
	for _, q := range ps {
		_, rest, _ := strings.Cut(q.name, "[")
		key, more, _ := strings.Cut(rest, "]")
		inner[key] = append(inner[key], pair{key + more, q.value})
	}
	for key, values := range inner {
		switch f := member(p, key); {
		case f != nil:
			out[f.Name] = tr.fromPairs(f, values)
		case p.Type != nil && len(p.Type.Fields) > 0:
			tr.missing = append(tr.missing, p.Wire+"["+key+"]")
		default:
			out[key] = values[0].value
		}
	}
	return out
}

// objects reads name[][key]=v; a key that comes again begins the next object.
func (tr *translator) objects(p *ir.Param, ps []pair) any {
	var list []any
	var at map[string]any
	for _, q := range ps {
		_, rest, _ := strings.Cut(q.name, "][")
		key := strings.TrimSuffix(rest, "]")
		name := key
		if f := member(p, key); f != nil {
			name = f.Name
		}
		if _, again := at[name]; at == nil || again {
			at = map[string]any{}
			list = append(list, at)
		}
		at[name] = q.value
	}
	return list
}

// upload is a file as our callers write it.
func upload(name string) any {
	return map[string]any{"content": fileContent, "filename": name}
}

// sample is some value of the type, for what we require and the client lacks.
func sample(t *ir.Type) any {
	if t == nil {
		return "x"
	}
	if c := choices(t); len(c) > 0 {
		if t.Kind == ir.Integer {
			return json.Number(c[0])
		}
		return c[0]
	}
	switch t.Kind {
	case ir.Integer, ir.Number:
		return 7
	case ir.Boolean:
		return true
	case ir.Array:
		return []any{sample(t.Items)}
	case ir.Object:
		o := map[string]any{}
		for _, f := range t.Fields {
			if f.Required {
				o[f.Name] = sample(f.Type)
			}
		}
		return o
	case ir.Map:
		return map[string]any{"key": "value"}
	case ir.FileVal:
		return upload(fileName)
	}
	return "x"
}

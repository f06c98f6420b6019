package overlay

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"gitlab-mcp-server/gen/ir"
)

// samples is _examples.yaml: believable values by the name of a parameter, in a
// domain and in general, and by how the name ends.
type samples struct {
	names   map[string]*sample
	domains map[string]map[string]*sample
	endings []*sample
}

type sample struct {
	pos   ir.Pos
	name  string
	value any
	used  bool
}

func readSamples(p *problems, src source) *samples {
	d := decoder{p}
	s := &samples{names: map[string]*sample{}, domains: map[string]map[string]*sample{}}
	read := func(into map[string]*sample, v *node) {
		d.each(v, func(name string, pos ir.Pos, v *node) { into[name] = &sample{pos: pos, name: name, value: d.any(v)} })
	}
	d.object(src.open(p, "_examples.yaml"), map[string]func(*node){
		"names": func(v *node) { read(s.names, v) },
		"domains": func(v *node) {
			d.each(v, func(domain string, _ ir.Pos, v *node) {
				s.domains[domain] = map[string]*sample{}
				read(s.domains[domain], v)
			})
		},
		"endings": func(v *node) {
			d.each(v, func(name string, pos ir.Pos, v *node) {
				s.endings = append(s.endings, &sample{pos: pos, name: name, value: d.any(v)})
			})
		},
	})
	return s
}

func (s *samples) reportUnused(p *problems) {
	report := func(e *sample) {
		if !e.used {
			p.addf(e.pos, "no example needs a value for %q", e.name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.names)) {
		report(s.names[name])
	}
	for _, domain := range slices.Sorted(maps.Keys(s.domains)) {
		for _, name := range slices.Sorted(maps.Keys(s.domains[domain])) {
			report(s.domains[domain][name])
		}
	}
	for _, e := range s.endings {
		report(e)
	}
}

// find is the sample for a parameter in a domain, or nil: the closest one that
// fits its type.
func (s *samples) find(domain, name string, t *ir.Type) *sample {
	for _, e := range []*sample{s.domains[domain][name], s.names[name]} {
		if e != nil && fits(e.value, t) {
			return e
		}
	}
	for _, e := range s.endings {
		if strings.HasSuffix(name, e.name) && fits(e.value, t) {
			return e
		}
	}
	return nil
}

// example is the smallest call that a's own rules accept: the required
// parameters, and one of each group that needs one. It never confirms.
func (s *samples) example(a *ir.Action) map[string]any {
	return s.object(a.Domain, a.Params, a.Groups)
}

func (s *samples) object(domain string, params []*ir.Param, groups []ir.ParamGroup) map[string]any {
	out := map[string]any{}
	for _, p := range params {
		if p.Required {
			out[p.Name] = s.value(domain, p.Name, p.Type)
		}
	}
	for _, g := range groups {
		n := 0
		for _, name := range g.Params {
			if _, ok := out[name]; ok {
				n++
			}
		}
		needsOne := (g.Rule == "one_of" || g.Rule == "exactly_one") && n == 0
		needsAll := g.Rule == "all_or_none" && n > 0
		for i, name := range g.Params {
			p := pick(params, name)
			if p != nil && (needsAll || needsOne && i == 0) {
				out[p.Name] = s.value(domain, p.Name, p.Type)
			}
		}
	}
	return out
}

func (s *samples) value(domain, name string, t *ir.Type) any {
	if e := s.find(domain, name, t); e != nil {
		e.used = true
		return e.value
	}
	if len(t.Enum) > 0 && t.Kind != ir.Array {
		return typed(t.Enum[0], t.Kind)
	}
	switch t.Kind {
	case ir.Integer, ir.Number:
		if t.Min != nil && *t.Min != "0" {
			return typed(*t.Min, t.Kind)
		}
		return int64(1)
	case ir.Boolean:
		return true
	case ir.ID:
		return "42"
	case ir.Array:
		if t.Items == nil {
			return []any{}
		}
		return []any{s.value(domain, singularOf(name), t.Items)}
	case ir.Object:
		return s.object(domain, t.Fields, t.Groups)
	case ir.Map:
		return map[string]any{}
	case ir.FileVal:
		return map[string]any{"content": "Hello", "filename": "hello.txt"}
	}
	switch t.Format {
	case "date":
		return "2026-01-15"
	case "date-time":
		return "2026-01-15T09:00:00Z"
	}
	return strings.ReplaceAll(name, "_", " ")
}

// conformed is an example, made or written by hand, in the types of the schema:
// what is called an id there is a string, though people write numbers.
func conformed(example map[string]any, params []*ir.Param) map[string]any {
	out := maps.Clone(example)
	for name, v := range example {
		if p := pick(params, name); p != nil {
			out[name] = conformedValue(v, p.Type)
		}
	}
	return out
}

func conformedValue(v any, t *ir.Type) any {
	if t == nil {
		return v
	}
	switch v := v.(type) {
	case int64:
		if t.Kind == ir.ID || t.Kind == ir.String {
			return text(v)
		}
	case []any:
		if t.Kind != ir.Array || t.Items == nil {
			return v
		}
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = conformedValue(item, t.Items)
		}
		return out
	case map[string]any:
		if t.Kind == ir.Object {
			return conformed(v, t.Fields)
		}
	}
	return v
}

// fits reports whether a sample is of type t: one name has several types.
func fits(v any, t *ir.Type) bool {
	if len(t.Enum) > 0 && t.Kind != ir.Array && !slices.Contains(t.Enum, text(v)) {
		return false
	}
	switch t.Kind {
	case ir.Any:
		return true
	case ir.String:
		_, ok := v.(string)
		return ok
	case ir.ID:
		switch v.(type) {
		case string, int64:
			return true
		}
	case ir.Integer:
		i, ok := v.(int64)
		return ok && within(i, t)
	case ir.Number:
		switch v := v.(type) {
		case int64:
			return within(v, t)
		case float64:
			return true
		}
	case ir.Boolean:
		_, ok := v.(bool)
		return ok
	case ir.Array:
		list, ok := v.([]any)
		return ok && t.Items != nil && !slices.ContainsFunc(list, func(item any) bool {
			return !fits(item, t.Items)
		})
	case ir.Map:
		_, ok := v.(map[string]any)
		return ok
	}
	return false
}

func within(i int64, t *ir.Type) bool {
	over := func(limit *string, more bool) bool {
		if limit == nil {
			return false
		}
		l, err := strconv.ParseInt(*limit, 10, 64)
		return err == nil && (more && i > l || !more && i < l)
	}
	return !over(t.Min, false) && !over(t.Max, true)
}

func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// typed is the value of which s is the text.
func typed(s string, kind ir.Kind) any {
	switch kind {
	case ir.Integer:
		if i, err := strconv.ParseInt(s, 10, 64); err == nil {
			return i
		}
	case ir.Number:
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			return f
		}
	case ir.Boolean:
		return s == "true"
	}
	return s
}

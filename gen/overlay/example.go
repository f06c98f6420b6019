package overlay

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"gitlab-mcp-server/gen/ir"
)

// samples is _examples.yaml: believable values by the name of a parameter.
type samples struct {
	names map[string]*sample
}

type sample struct {
	pos   ir.Pos
	value any
	used  bool
}

func readSamples(p *problems, src source) *samples {
	d := decoder{p}
	s := &samples{names: map[string]*sample{}}
	d.object(src.open(p, "_examples.yaml"), map[string]func(*node){
		"names": func(v *node) {
			d.each(v, func(name string, pos ir.Pos, v *node) { s.names[name] = &sample{pos: pos, value: d.any(v)} })
		},
	})
	return s
}

func (s *samples) reportUnused(p *problems) {
	for _, name := range slices.Sorted(maps.Keys(s.names)) {
		if e := s.names[name]; !e.used {
			p.addf(e.pos, "no example needs a value for %q", name)
		}
	}
}

// example is the smallest call that a's own rules accept: the required
// parameters, and one of each group that needs one. It never confirms.
func (s *samples) example(a *ir.Action) map[string]any {
	return s.object(a.Params, a.Groups)
}

func (s *samples) object(params []*ir.Param, groups []ir.ParamGroup) map[string]any {
	out := map[string]any{}
	for _, p := range params {
		if p.Required {
			out[p.Name] = s.value(p.Name, p.Type)
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
				out[p.Name] = s.value(p.Name, p.Type)
			}
		}
	}
	return out
}

func (s *samples) value(name string, t *ir.Type) any {
	if len(t.Enum) > 0 && t.Kind != ir.Array {
		return typed(t.Enum[0], t.Kind)
	}
	if e := s.names[name]; e != nil && fits(e.value, t) {
		e.used = true
		return e.value
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
		return []any{s.value(singularOf(name), t.Items)}
	case ir.Object:
		return s.object(t.Fields, t.Groups)
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

// fits reports whether a sample is of type t: one name has several types.
func fits(v any, t *ir.Type) bool {
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
			return !fits(item, t.Items) || len(t.Items.Enum) > 0 && !slices.Contains(t.Items.Enum, text(item))
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

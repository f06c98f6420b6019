package evidence

import (
	"encoding/json"
	"slices"
	"strconv"

	"gitlab-mcp-server/gen/ir"
)

// sampler makes arguments for an action out of its types alone.
type sampler struct {
	optional bool // optional parameters too
	empty    bool // empty texts and lists where they stand in a body and are optional
	text, id string
	integer  string
}

var samplers = map[string]sampler{
	"minimal": {text: "plain", id: "7", integer: "7"},
	"full":    {optional: true, text: "plain text", id: "group/project", integer: "42"},
	"nasty":   {optional: true, text: "a/b c?d&e=f#g%h+i;\"<é😀>'::", id: "my-group/sub/my.project é", integer: "9007199254740993"},
	"empty":   {optional: true, empty: true, text: "plain", id: "group/project", integer: "0"},
}

// arguments are those of the action that travel.
func (s sampler) arguments(a *ir.Action) map[string]any { return s.object(a.Params, a.Groups) }

func (s sampler) object(params []*ir.Param, groups []ir.ParamGroup) map[string]any {
	take := map[string]bool{}
	for _, p := range params {
		take[p.Name] = p.In != ir.Local && (p.Required || s.optional)
	}
	for _, g := range groups {
		settle(g, params, take)
	}
	o := map[string]any{}
	for _, p := range params {
		if take[p.Name] {
			o[p.Name] = s.argument(p)
		}
	}
	return o
}

func (s sampler) argument(p *ir.Param) any {
	if s.empty && !p.Required && p.In == ir.BodyIn && p.Type != nil && len(p.Type.Enum) == 0 {
		switch p.Type.Kind {
		case ir.String:
			return ""
		case ir.Array:
			return []any{}
		}
	}
	return s.value(p.Type)
}

// settle makes take satisfy the rule: of what excludes each other the required
// or the first stays.
func settle(g ir.ParamGroup, params []*ir.Param, take map[string]bool) {
	some := slices.ContainsFunc(g.Params, func(name string) bool { return take[name] })
	keep := g.Params[0]
	for _, p := range params {
		if p.Required && slices.Contains(g.Params, p.Name) {
			keep = p.Name
		}
	}
	switch g.Rule {
	case "all_or_none":
		for _, name := range g.Params {
			take[name] = some
		}
	case "one_of":
		take[keep] = take[keep] || !some
	default:
		for _, name := range g.Params {
			take[name] = name == keep && (some || g.Rule == "exactly_one")
		}
	}
}

func (s sampler) value(t *ir.Type) any {
	if t == nil {
		return map[string]any{"any": []any{1, nil}}
	}
	if c := choices(t); len(c) > 0 && t.Kind != ir.Boolean {
		if t.Kind == ir.Integer || t.Kind == ir.Number {
			return json.Number(c[0])
		}
		return c[0]
	}
	switch t.Kind {
	case ir.String:
		return s.text
	case ir.ID:
		return s.id
	case ir.Integer, ir.Number:
		return json.Number(s.within(t))
	case ir.Boolean:
		return false
	case ir.Array:
		return []any{s.value(t.Items)}
	case ir.Object:
		if len(t.Fields) > 0 {
			return s.object(t.Fields, t.Groups)
		}
	case ir.Map:
		if t.Values != nil {
			return map[string]any{"key": s.value(t.Values)}
		}
	case ir.FileVal:
		return upload(fileName)
	}
	return map[string]any{"key": "value"}
}

// within is the sampler's integer inside the limits of t.
func (s sampler) within(t *ir.Type) string {
	n, err := strconv.ParseFloat(s.integer, 64)
	if err != nil {
		panic(err) // samplers hold integers
	}
	for _, limit := range []*string{t.Min, t.Max} {
		if limit == nil {
			continue
		}
		if l, err := strconv.ParseFloat(*limit, 64); err == nil && (limit == t.Min && n < l || limit == t.Max && n > l) {
			return *limit
		}
	}
	return s.integer
}

package gen_test

import (
	"strconv"

	"gitlab-mcp-server/gen/ir"
)

// sampler makes arguments for an action out of its types.
type sampler struct {
	optional bool   // optional parameters too
	plain    bool   // one plain value for lists that take it
	text     string // for free texts
	id       string // for ids
	integer  string // for integers without limits
}

var samplers = map[string]sampler{
	"minimal": {text: "plain", id: "7", integer: "7"},
	"full":    {optional: true, text: "plain text", id: "group/project", integer: "42"},
	"plain":   {optional: true, plain: true, text: "one", id: "group/project", integer: "42"},
	"nasty": {
		optional: true,
		text:     "a/b c?d&e=f#g%h+i;\"<é😀>'::",
		id:       "my-group/sub/my.project é",
		integer:  "9007199254740993",
	},
}

// member is one member of a JSON object; objects keep their order.
type member struct {
	param *ir.Param
	value any
}

// object is a JSON object; other values are string, bool, number, []any, free
// (an object or value that is passed on as it is) and file.
type (
	object []member
	number string
	free   string
	file   struct{}
)

// arguments samples the parameters of a that travel.
func (s sampler) arguments(a *ir.Action) object {
	return s.object(a.Params, a.Groups)
}

func (s sampler) object(params []*ir.Param, rules []ir.ParamGroup) object {
	take := map[string]bool{}
	for _, p := range params {
		take[p.Name] = p.In != ir.Local && (p.Required || s.optional)
	}
	for _, r := range rules {
		settle(r, params, take)
	}
	var o object
	for _, p := range params {
		if take[p.Name] {
			t := p.Type
			if s.plain && p.Scalar {
				t = t.Items
			}
			o = append(o, member{p, s.value(t)})
		}
	}
	return o
}

// settle makes take satisfy the rule.
func settle(r ir.ParamGroup, params []*ir.Param, take map[string]bool) {
	var in []string
	keep := ""
	for _, name := range r.Params {
		if take[name] {
			in = append(in, name)
		}
		for _, p := range params {
			if p.Name == name && p.Required {
				keep = name
			}
		}
	}
	switch r.Rule {
	case "one_of", "exactly_one":
		if len(in) == 0 {
			take[r.Params[0]] = true
		}
	case "all_or_none":
		if len(in) > 0 {
			for _, name := range r.Params {
				take[name] = true
			}
		}
	}
	if (r.Rule == "exactly_one" || r.Rule == "at_most_one") && len(in) > 1 {
		if keep == "" {
			keep = in[0]
		}
		for _, name := range in {
			take[name] = name == keep
		}
	}
}

func (s sampler) value(t *ir.Type) any {
	if t == nil {
		return free(`{"any":[1,null]}`)
	}
	for _, v := range t.Enum {
		switch {
		case v == "" || t.Kind == ir.Boolean:
		case t.Kind == ir.Integer || t.Kind == ir.Number:
			return number(v)
		default:
			return v
		}
	}
	if t.GID != "" {
		return s.integer
	}
	switch t.Kind {
	case ir.String:
		return s.text
	case ir.ID:
		return s.id
	case ir.Integer, ir.Number:
		return number(s.within(t))
	case ir.Boolean:
		return false
	case ir.Array:
		item := t.Items
		if item == nil {
			item = &ir.Type{Kind: ir.String}
		}
		if v := s.value(item); item.Kind == ir.Object || !s.optional {
			return []any{v}
		} else {
			return []any{v, v}
		}
	case ir.Object:
		if len(t.Fields) > 0 {
			return s.object(t.Fields, t.Groups)
		}
		return free(`{"key":"value","more":["a","b"]}`)
	case ir.Map:
		return free(`{"key":"value","more":["a","b"]}`)
	case ir.FileVal:
		return file{}
	}
	return free(`{"any":[1,null]}`)
}

// within is an integer that respects the limits of t.
func (s sampler) within(t *ir.Type) string {
	n, err := strconv.ParseFloat(s.integer, 64)
	if err != nil {
		panic(err) // samplers hold integers
	}
	for _, limit := range []struct {
		text *string
		sign float64
	}{{t.Min, 1}, {t.Max, -1}} {
		if limit.text == nil {
			continue
		}
		if l, err := strconv.ParseFloat(*limit.text, 64); err == nil && (n-l)*limit.sign < 0 {
			return *limit.text
		}
	}
	return s.integer
}

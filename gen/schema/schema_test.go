package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gitlab-mcp-server/gen/ir"
)

func ptr[T any](v T) *T { return &v }

func p(name string, t *ir.Type, mod ...func(*ir.Param)) *ir.Param {
	q := &ir.Param{Name: name, Wire: name, In: ir.BodyIn, Type: t}
	for _, m := range mod {
		m(q)
	}
	return q
}

func required(q *ir.Param) { q.Required = true }

func TestInput(t *testing.T) {
	scalar := func(k ir.Kind) *ir.Type { return &ir.Type{Kind: k} }
	for _, tc := range []struct {
		name string
		p    *ir.Param
		want string // schema of the one property
	}{
		{"string", p("x", scalar(ir.String)), `{"type":"string"}`},
		{"id", p("x", scalar(ir.ID)), `{"type":"string"}`},
		{"integer with limits", p("x", &ir.Type{Kind: ir.Integer, Min: ptr("1"), Max: ptr("100"), Default: ptr("20")}), `{"type":"integer","minimum":1,"maximum":100,"default":20}`},
		{"number", p("x", &ir.Type{Kind: ir.Number, Default: ptr("0.5")}), `{"type":"number","default":0.5}`},
		{"boolean", p("x", &ir.Type{Kind: ir.Boolean, Default: ptr("false"), Enum: []string{"true"}}), `{"type":"boolean","default":false}`},
		{"enum without the empty text", p("x", &ir.Type{Kind: ir.String, Enum: []string{"", "a", "b"}}), `{"type":"string","enum":["a","b"]}`},
		{"enum of integers", p("x", &ir.Type{Kind: ir.Integer, Enum: []string{"10", "20"}}), `{"type":"integer","enum":[10,20]}`},
		{"enum of the empty text alone", p("x", &ir.Type{Kind: ir.String, Enum: []string{""}}), `{"type":"string"}`},
		{"default outside the enum", p("x", &ir.Type{Kind: ir.String, Enum: []string{"a"}, Default: ptr("the first")}), `{"type":"string","enum":["a"]}`},
		{"default that is prose", p("x", &ir.Type{Kind: ir.Integer, Default: ptr("see settings")}), `{"type":"integer"}`},
		{"date", p("x", &ir.Type{Kind: ir.String, Format: "date"}), `{"type":"string","format":"date"}`},
		{"other format", p("x", &ir.Type{Kind: ir.String, Format: "binary"}), `{"type":"string"}`},
		{"array", p("x", &ir.Type{Kind: ir.Array, Items: scalar(ir.Integer)}), `{"type":"array","items":{"type":"integer"}}`},
		{"array without items", p("x", scalar(ir.Array)), `{"type":"array","items":{"type":"string"}}`},
		{"map", p("x", scalar(ir.Map)), `{"type":"object","additionalProperties":true}`},
		{"object without fields", p("x", scalar(ir.Object)), `{"type":"object","additionalProperties":true}`},
		{"object", p("x", &ir.Type{Kind: ir.Object, Fields: []*ir.Param{p("b", scalar(ir.String), required), p("a", scalar(ir.Integer))}}),
			`{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"integer"}},"required":["b"]}`},
		{"rule of an object", p("x", &ir.Type{Kind: ir.Array, Items: &ir.Type{Kind: ir.Object, Fields: []*ir.Param{p("a", scalar(ir.String)), p("b", scalar(ir.String))},
			Groups: []ir.ParamGroup{{Rule: "exactly_one", Params: []string{"a", "b"}}}}}, func(q *ir.Param) { q.Description = "Who may." }),
			`{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}},"description":"Who may. Exactly one of a, b."}`},
		{"any", p("x", scalar(ir.Any)), `{}`},
		{"no type", p("x", nil), `{}`},
		{"file", p("x", scalar(ir.FileVal)),
			`{"type":"object","properties":{"content":{"type":"string"},"encoding":{"type":"string","enum":["text","base64"]},"path":{"type":"string"},"filename":{"type":"string"},"content_type":{"type":"string"}}}`},
		{"description", p("x", scalar(ir.String), func(q *ir.Param) { q.Description = `a <b> & "c"` }), `{"type":"string","description":"a <b> & \"c\""}`},
		{"clearable", p("x", scalar(ir.Integer), func(q *ir.Param) { q.Clearable = true }), `{"type":"integer","description":"\"none\" clears it"}`},
		{"clearable with a description", p("x", scalar(ir.Integer), func(q *ir.Param) { q.Clearable, q.Description = true, "Its id." }), `{"type":"integer","description":"Its id; \"none\" clears it"}`},
		{"deprecated", p("x", scalar(ir.String), func(q *ir.Param) { q.Deprecated = true }), `{"type":"string","deprecated":true}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := Input(&ir.Action{Params: []*ir.Param{tc.p}})
			want := `{"type":"object","properties":{"x":` + tc.want + `},"required":[],"additionalProperties":false}`
			if got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if !json.Valid([]byte(got)) {
				t.Errorf("not valid JSON: %s", got)
			}
		})
	}
}

func TestInputRules(t *testing.T) {
	a := &ir.Action{
		Params: []*ir.Param{p("name", &ir.Type{Kind: ir.String}), p("path", &ir.Type{Kind: ir.String}), p("must", &ir.Type{Kind: ir.String}, required)},
		Groups: []ir.ParamGroup{{Rule: "one_of", Params: []string{"name", "path"}}, {Rule: "at_most_one", Params: []string{"must", "path"}}},
	}
	want := `{"type":"object","description":"At least one of name, path. At most one of must, path.",` +
		`"properties":{"name":{"type":"string"},"path":{"type":"string"},"must":{"type":"string"}},"required":["must"],"additionalProperties":false}`
	if got := Input(a); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// wide is an action with n optional parameters and one required.
func wide(n int) *ir.Action {
	a := &ir.Action{ID: "wide", Params: []*ir.Param{p("project_id", &ir.Type{Kind: ir.ID}, required)}}
	for i := range n {
		a.Params = append(a.Params, p(fmt.Sprintf("setting_%03d", i), &ir.Type{Kind: ir.String}))
	}
	return a
}

func TestFindKeepsSmallSchemas(t *testing.T) {
	a := wide(10)
	f := NewFolder(&ir.Catalog{Actions: []*ir.Action{a}})
	if got, folded := f.Find(a); got != Input(a) || folded != nil {
		t.Errorf("Find folded %v of a small schema: %s", folded, got)
	}
}

func TestFindFoldsBySize(t *testing.T) {
	a := wide(200)
	a.Example = map[string]any{"setting_150": "x"}
	a.Guidance = map[string]string{"setting_151": "x"}
	a.Groups = []ir.ParamGroup{{Rule: "one_of", Params: []string{"setting_152", "setting_153"}}}
	common := &ir.Action{ID: "other", Params: []*ir.Param{p("setting_154", &ir.Type{Kind: ir.String})}}
	f := NewFolder(&ir.Catalog{Actions: []*ir.Action{a, common}})
	got, folded := f.Find(a)
	if len(got) > foldToBytes+60 || len(got) < foldToBytes/2 {
		t.Errorf("folded schema has %d bytes, want about %d", len(got), foldToBytes)
	}
	for _, name := range []string{"project_id", "setting_150", "setting_151", "setting_152", "setting_153", "setting_154"} {
		if slices.Contains(folded, name) || !strings.Contains(got, `"`+name+`"`) {
			t.Errorf("%s is folded", name)
		}
	}
	if strings.Contains(got, "additionalProperties") {
		t.Errorf("a folded schema says that there is nothing else: %s", got)
	}
	for _, q := range a.Params {
		if in := strings.Contains(got, `"`+q.Name+`":`); in == slices.Contains(folded, q.Name) {
			t.Errorf("%s: in the schema %v, folded %v", q.Name, in, !in)
		}
	}
}

// What an overlay folds is folded, and nothing else.
func TestFindFoldsByOverlay(t *testing.T) {
	a := wide(100)
	a.Params[3].Folded = true
	a.Params[0].Folded = true // required: stays
	f := NewFolder(&ir.Catalog{Actions: []*ir.Action{a}})
	if _, folded := f.Find(a); !slices.Equal(folded, []string{"setting_002"}) {
		t.Errorf("folded %v, want setting_002 alone", folded)
	}
}

func TestOutput(t *testing.T) {
	str := &ir.Type{Kind: ir.String}
	entity := &ir.Type{Kind: ir.Object, Entity: "Issue", Fields: []*ir.Param{
		p("id", str), p("title", str), p("author", &ir.Type{Kind: ir.Object, Fields: []*ir.Param{p("name", str)}}), p("labels", &ir.Type{Kind: ir.Array, Items: str}),
	}}
	const issue = `{"type":"object","properties":{"id":{},"title":{"type":"string"},"author":{"type":"object","properties":{"name":{"type":"string"}}},"labels":{"type":"array","items":{"type":"string"}}}}`
	for _, tc := range []struct {
		name string
		a    ir.Action
		want string
	}{
		{"object", ir.Action{Kind: ir.KindObject, Output: entity}, issue},
		{"list", ir.Action{Kind: ir.KindList, Output: entity}, `{"type":"object","properties":{"items":{"type":"array","items":` + issue + `},"pagination":` + pagination + `}}`},
		{"list of nothing known", ir.Action{Kind: ir.KindList}, `{"type":"object","properties":{"items":{"type":"array","items":{}},"pagination":` + pagination + `}}`},
		{"nothing declared", ir.Action{Kind: ir.KindObject}, ""},
		{"none", ir.Action{Kind: ir.KindNone, Output: entity}, noneOutput},
		{"text", ir.Action{Kind: ir.KindText}, textOutput},
		{"binary", ir.Action{Kind: ir.KindBinary}, textOutput},
		{"head", ir.Action{Kind: ir.KindHead}, headOutput},
	} {
		if got := Output(&tc.a); got != tc.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tc.name, got, tc.want)
		}
	}
}

// Output ends, however deep the types are.
func TestOutputIsBounded(t *testing.T) {
	loop := &ir.Type{Kind: ir.Object}
	for i := range 300 {
		loop.Fields = append(loop.Fields, p(fmt.Sprint("f", i), &ir.Type{Kind: ir.String}))
	}
	loop.Fields[0].Type = loop
	if got := Output(&ir.Action{Kind: ir.KindObject, Output: loop}); len(got) > 10_000 {
		t.Errorf("%d bytes", len(got))
	}
}

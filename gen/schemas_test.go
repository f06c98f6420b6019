package gen_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab-mcp-server/gen/schema"
)

// Every input schema keeps to what every client accepts.
func TestSchemasAreAccepted(t *testing.T) {
	cat, _ := catalogs(t)
	folder := schema.NewFolder(cat)
	for _, a := range cat.Actions {
		find, folded := folder.Find(a)
		for name, text := range map[string]string{"whole": schema.Input(a), "find": find} {
			var root map[string]any
			if err := json.Unmarshal([]byte(text), &root); err != nil {
				t.Errorf("%s, %s: %v", a.ID, name, err)
				continue
			}
			_, closed := root["additionalProperties"]
			if root["type"] != "object" || root["properties"] == nil || root["required"] == nil || closed != (name == "whole" || len(folded) == 0) {
				t.Errorf("%s, %s: root %s", a.ID, name, text)
			}
			acceptable(t, a.ID+", "+name, root)
		}
	}
}

// Every example is a call that its own schema accepts, whole and as it stands
// beside a find result.
func TestExamplesFitTheirSchemas(t *testing.T) {
	cat, _ := catalogs(t)
	folder := schema.NewFolder(cat)
	for _, a := range cat.Actions {
		text, err := json.Marshal(a.Example)
		if err != nil {
			t.Errorf("%s: %v", a.ID, err)
			continue
		}
		example := decoded(string(text))
		find, _ := folder.Find(a)
		for name, text := range map[string]string{"whole": schema.Input(a), "find": find} {
			for _, problem := range violations(a.ID, decoded(text).(map[string]any), example) {
				t.Errorf("%s (%s schema)", problem, name)
			}
		}
	}
}

// The validator behind TestExamplesFitTheirSchemas sees what it is for.
func TestViolations(t *testing.T) {
	const strict = `{"type":"object","properties":{` +
		`"id":{"type":"string"},"n":{"type":"integer","minimum":1,"maximum":9},"x":{"type":"number"},"on":{"type":"boolean"},` +
		`"state":{"type":"string","enum":["open","closed"]},"level":{"type":"integer","enum":[10,20]},` +
		`"list":{"type":"array","items":{"type":"string"}},"any":{},` +
		`"in":{"type":"object","properties":{"key":{"type":"string"}},"required":["key"]},` +
		`"map":{"type":"object","additionalProperties":true}},"required":["id"],"additionalProperties":false}`
	for example, want := range map[string][]string{
		`{"id":"1","n":9,"x":1.5,"on":true,"state":"open","level":20,"list":["a"],"any":null,"in":{"key":"k"},"map":{"a":1}}`: nil,
		`{"id":15}`:                   {"x.id: 15 is no string"},
		`{}`:                          {"x: id is missing"},
		`{"id":"1","more":1}`:         {"x: more is no property"},
		`{"id":"1","n":"1"}`:          {"x.n: 1 is no integer"},
		`{"id":"1","n":1.5}`:          {"x.n: 1.5 is no integer"},
		`{"id":"1","n":10}`:           {"x.n: 10 is over 9"},
		`{"id":"1","n":0}`:            {"x.n: 0 is under 1"},
		`{"id":"1","x":"1"}`:          {"x.x: 1 is no number"},
		`{"id":"1","on":"true"}`:      {"x.on: true is no boolean"},
		`{"id":"1","state":"gone"}`:   {"x.state: gone is none of [open closed]"},
		`{"id":"1","level":30}`:       {"x.level: 30 is none of [10 20]"},
		`{"id":"1","list":"a"}`:       {"x.list: a is no array"},
		`{"id":"1","list":["a",2]}`:   {"x.list[1]: 2 is no string"},
		`{"id":"1","in":[]}`:          {"x.in: [] is no object"},
		`{"id":"1","in":{"other":1}}`: {"x.in: key is missing"},
	} {
		if diff := cmp.Diff(want, violations("x", decoded(strict).(map[string]any), decoded(example))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", example, diff)
		}
	}
}

// violations are the ways in which v, at the path at, is not what the schema s
// says. It knows the keywords of ours that constrain.
func violations(at string, s map[string]any, v any) (found []string) {
	add := func(format string, args ...any) {
		found = append(found, at+": "+fmt.Sprintf(format, args...))
	}
	if typ, ok := s["type"].(string); ok && !isOf(v, typ) {
		add("%v is no %s", v, typ)
		return found
	}
	if enum, ok := s["enum"].([]any); ok && !slices.Contains(enum, v) {
		add("%v is none of %v", v, enum)
	}
	switch v := v.(type) {
	case json.Number:
		n, _ := v.Float64()
		if limit, ok := s["minimum"].(json.Number); ok {
			if l, _ := limit.Float64(); n < l {
				add("%v is under %v", v, limit)
			}
		}
		if limit, ok := s["maximum"].(json.Number); ok {
			if l, _ := limit.Float64(); n > l {
				add("%v is over %v", v, limit)
			}
		}
	case []any:
		items, _ := s["items"].(map[string]any)
		for i, item := range v {
			found = append(found, violations(fmt.Sprintf("%s[%d]", at, i), items, item)...)
		}
	case map[string]any:
		props, _ := s["properties"].(map[string]any)
		required, _ := s["required"].([]any)
		for _, r := range required {
			if _, given := v[r.(string)]; !given {
				add("%v is missing", r)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if prop, ok := props[name].(map[string]any); ok {
				found = append(found, violations(at+"."+name, prop, v[name])...)
			} else if s["additionalProperties"] == false {
				add("%s is no property", name)
			}
		}
	}
	return found
}

// isOf reports whether v is of a type of JSON schema.
func isOf(v any, typ string) bool {
	switch v := v.(type) {
	case string:
		return typ == "string"
	case bool:
		return typ == "boolean"
	case json.Number:
		_, err := v.Int64()
		return typ == "number" || typ == "integer" && err == nil
	case []any:
		return typ == "array"
	case map[string]any:
		return typ == "object"
	}
	return false
}

var keywords = []string{
	"type", "properties", "required", "additionalProperties", "items", "enum", "default",
	"minimum", "maximum", "format", "description", "deprecated",
}

func acceptable(t *testing.T, at string, s map[string]any) {
	t.Helper()
	for k := range s {
		if !slices.Contains(keywords, k) {
			t.Errorf("%s: keyword %s", at, k)
		}
	}
	typ, isText := s["type"].(string)
	if s["type"] != nil && !isText {
		t.Errorf("%s: type %v is no text", at, s["type"])
	}
	if enum, ok := s["enum"].([]any); ok && (len(enum) == 0 || slices.Contains(enum, any(""))) {
		t.Errorf("%s: enum %v", at, enum)
	}
	items, ok := s["items"].(map[string]any)
	if (typ == "array") != ok {
		t.Errorf("%s: type %s with items %v", at, typ, s["items"])
	}
	if ok {
		acceptable(t, at+"[]", items)
	}
	props, _ := s["properties"].(map[string]any)
	for name, p := range props {
		acceptable(t, at+"."+name, p.(map[string]any))
	}
	required, _ := s["required"].([]any)
	for _, r := range required {
		if props[r.(string)] == nil {
			t.Errorf("%s: %v is required and no property", at, r)
		}
	}
}

// Schemas are what fills a client's context: tokens are counted as characters
// by four.
func TestSchemaBudget(t *testing.T) {
	const (
		median = 90
		sum    = 200_000
		most   = 1_000 // of one find schema
	)
	cat, _ := catalogs(t)
	folder := schema.NewFolder(cat)
	var sizes []int
	total := 0
	for _, a := range cat.Actions {
		n := len(schema.Input(a)) / 4
		sizes = append(sizes, n)
		total += n
		if find, _ := folder.Find(a); len(find)/4 > most {
			t.Errorf("%s: the find schema has %d tokens, at most %d are allowed; fold parameters", a.ID, len(find)/4, most)
		}
	}
	slices.Sort(sizes)
	t.Logf("median %d, p95 %d, max %d, sum %d tokens", sizes[len(sizes)/2], sizes[len(sizes)*95/100], sizes[len(sizes)-1], total)
	if m := sizes[len(sizes)/2]; m > median {
		t.Errorf("median %d tokens, at most %d", m, median)
	}
	if total > sum {
		t.Errorf("%d tokens in all, at most %d", total, sum)
	}
}

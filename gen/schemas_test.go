package gen_test

import (
	"encoding/json"
	"slices"
	"testing"

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

package diff

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the golden files of this package")

// TestCompare reads old.json and new.json of each case and holds the report
// against its text and json sections.
func TestCompare(t *testing.T) {
	cases, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range cases {
		t.Run(filepath.Base(path), func(t *testing.T) {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			section := map[string][]byte{}
			for _, f := range ar.Files {
				section[f.Name] = f.Data
			}
			before, err := Parse(section["old.json"])
			if err != nil {
				t.Fatal(err)
			}
			after, err := Parse(section["new.json"])
			if err != nil {
				t.Fatal(err)
			}
			report := Compare(before, after)
			var text bytes.Buffer
			if err := report.WriteText(&text); err != nil {
				t.Fatal(err)
			}
			js, err := json.MarshalIndent(report, "", " ")
			if err != nil {
				t.Fatal(err)
			}
			js = append(js, '\n')
			if *update {
				for i := range ar.Files {
					switch ar.Files[i].Name {
					case "text":
						ar.Files[i].Data = text.Bytes()
					case "json":
						ar.Files[i].Data = js
					}
				}
				if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(section["text"]), text.String()); diff != "" {
				t.Errorf("text differs (-want +got):\n%s", diff)
			}
			if want, ok := section["json"]; ok {
				if diff := cmp.Diff(string(want), string(js)); diff != "" {
					t.Errorf("JSON differs (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for name, in := range map[string]string{
		"no JSON":    `<html>`,
		"no catalog": `{"tools":[]}`,
		"no id":      `{"actions":[{"method":"GET"}]}`,
		"id twice":   `{"actions":[{"id":"a.b"},{"id":"a.b"}]}`,
	} {
		if d, err := Parse([]byte(in)); err == nil {
			t.Errorf("%s: Parse gave %v, want an error", name, d)
		}
	}
}

// A catalog does not differ from itself.
func TestCompareSame(t *testing.T) {
	d := &Dump{Actions: []Action{{ID: "a.b", Method: "GET", Path: "/x", Risk: "read", InputSchema: &Schema{
		Type: "object", Properties: map[string]*Schema{"p": {Type: "array", Items: &Schema{Type: "string"}}},
	}}}}
	if r := Compare(d, d); len(r.Changes) != 0 {
		t.Errorf("Compare(d, d) = %v, want no change", r.Changes)
	}
}

func FuzzCompare(f *testing.F) {
	cases, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range cases {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(ar.Files[0].Data, ar.Files[1].Data)
	}
	f.Add([]byte(`{"actions":[{"id":"a","input_schema":{"properties":{"x":null}}}]}`), []byte(`{"actions":[{"id":"a","input_schema":{}}]}`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		before, err := Parse(a)
		if err != nil {
			return
		}
		after, err := Parse(b)
		if err != nil {
			return
		}
		r := Compare(before, after)
		if err := r.WriteText(io.Discard); err != nil {
			t.Error(err)
		}
		if same := Compare(before, before); len(same.Changes) != 0 {
			t.Errorf("a catalog differs from itself: %v", same.Changes)
		}
	})
}

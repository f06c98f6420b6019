package load

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab-mcp-server/gen/ir"
	"gitlab-mcp-server/gen/load/structure"
)

const committed = "../../specs/gitlab"

// TestCommitted counts what the committed spec loads as. The numbers were
// counted on GitLab's own document with other tools; an import of a newer one
// changes them, and this table with it.
func TestCommitted(t *testing.T) {
	spec, err := Load(committed)
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]int)
	count := func(what string, yes bool) {
		if yes {
			got[what]++
		}
	}
	paths := make(map[string]bool)
	for _, o := range spec.Operations {
		paths[o.Path] = true
		count("operations", true)
		count(o.Method, true)
		count("deprecated", o.Deprecated)
		count("lifecycle "+o.Lifecycle, o.Lifecycle != "")
		count("without a tag", len(o.Tags) == 0)
		count("with two tags", len(o.Tags) == 2)
		count("without a position", o.Pos.Line == 0)
		for _, p := range o.Params {
			in := string(p.In)
			count(in, true)
			count(in+" required", p.Required)
			count(in+" comma", p.Encoding == ir.Comma)
			kind := string(p.Type.Kind)
			if len(p.Type.OneOf) > 0 {
				kind = "one of"
			} else if kind == "" {
				kind = "untyped"
			}
			if f := p.Type.Format; p.In == ir.Query && (f == "date" || f == "date-time") {
				kind = f
			}
			count(in+" "+kind, true)
			count("parameter default", p.Type.Default != nil)
			count("without a position", p.Pos.Line == 0)
		}
		if o.Body != nil {
			count("body", true)
			count("body "+o.Body.ContentType, true)
			count("body required", o.Body.Required)
			count("body whole", o.Body.Whole != nil)
			for _, f := range o.Body.Fields {
				count("file", f.In == ir.File)
				count("without a position", f.Pos.Line == 0)
			}
		}
		count("responses", true)
		got["responses"] += len(o.Responses) - 1
		for _, r := range o.Responses {
			count("204 with a type", r.Code == "204" && r.Type != nil)
			count("other content types", r.ContentType != "" && r.ContentType != "application/json")
		}
	}
	got["paths"] = len(paths)

	want := map[string]int{
		"paths": 1261, "operations": 1721,
		"GET": 733, "POST": 425, "PUT": 328, "DELETE": 206, "PATCH": 26, "HEAD": 3,
		"deprecated": 10, "lifecycle experiment": 33, "lifecycle beta": 1,
		"without a tag": 7, "with two tags": 40,
		"path": 2635, "path required": 2635,
		"path string": 924, "path integer": 703, "path one of": 951, "path untyped": 57,
		"query": 1947, "query required": 62, "query comma": 67,
		"query string": 662, "query date-time": 149, "query date": 32, "query integer": 615,
		"query boolean": 292, "query array": 112, "query object": 31, "query one of": 54,
		"parameter default": 660,
		"body":              644, "body required": 445, "file": 47,
		"body application/json": 597, "body multipart/form-data": 46, "body application/x-www-form-urlencoded": 1,
		"responses": 5985, "204 with a type": 58,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("want -, got +:\n%s", d)
	}
	if !slices.IsSortedFunc(spec.Operations, func(a, b *ir.Operation) int {
		return slices.Compare([]string{a.Path, a.Method}, []string{b.Path, b.Method})
	}) {
		t.Error("operations are not sorted by path and method")
	}
}

// TestCommittedDetails looks at facts that counts do not show.
func TestCommittedDetails(t *testing.T) {
	spec, err := Load(committed)
	if err != nil {
		t.Fatal(err)
	}
	find := func(key string) *ir.Operation {
		for _, o := range spec.Operations {
			if o.Key() == key {
				return o
			}
		}
		t.Fatalf("no operation %s", key)
		return nil
	}

	o := find("GET /api/v4/projects/{id}/issues/{issue_iid}")
	var fields []string
	for _, f := range o.Responses[0].Type.Fields[:6] {
		fields = append(fields, f.Name)
	}
	if d := cmp.Diff([]string{"id", "iid", "project_id", "title", "description", "state"}, fields); d != "" {
		t.Errorf("properties are not in source order: %s", d)
	}
	if got := o.Responses[0].Type.Entity; got != "APIEntitiesIssue" {
		t.Errorf("entity %q", got)
	}

	note := find("POST /api/v4/projects/{id}/merge_requests/{noteable_id}/discussions").Body
	i := slices.IndexFunc(note.Fields, func(f *ir.Param) bool { return f.Name == "position" })
	if i < 0 {
		t.Fatal("no position in the body of a discussion")
	}
	if !slices.ContainsFunc(note.Fields[i].Type.Fields, func(f *ir.Param) bool { return f.Name == "line_range" && f.Type.Kind == ir.Object }) {
		t.Error("position has lost its line_range")
	}
}

// TestCommittedIsStructure holds the committed file to the importer: nothing in
// it was edited by hand, and no prose is left.
func TestCommittedIsStructure(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(committed, SpecFile))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := structure.Cut(data)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(doc.YAML, data) {
		t.Errorf("%s is not what the importer writes; run `go run ./cmd/gen import` again", SpecFile)
	}
	if doc.Operations != 1721 || doc.Schemas != 833 {
		t.Errorf("%d operations, %d schemas; want 1721, 833", doc.Operations, doc.Schemas)
	}
	if got, err := os.ReadFile(filepath.Join(committed, LicenceFile)); err != nil || string(got) != licence {
		t.Errorf("%s is not the importer's notice (%v)", LicenceFile, err)
	}
}

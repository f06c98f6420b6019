package emit

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"gitlab-mcp-server/gen/ir"
	"gitlab-mcp-server/internal/token"
)

var update = flag.Bool("update", false, "rewrite the golden files of this package")

func str(s string) *string { return &s }

func typ(k ir.Kind) *ir.Type { return &ir.Type{Kind: k} }

func arrayOf(t *ir.Type) *ir.Type { return &ir.Type{Kind: ir.Array, Items: t} }

func newParam(name string, in ir.In, t *ir.Type, mod ...func(*ir.Param)) *ir.Param {
	p := &ir.Param{Name: name, Wire: name, In: in, Type: t}
	for _, m := range mod {
		m(p)
	}
	return p
}

func required(p *ir.Param) { p.Required = true }

func clearable(p *ir.Param) { p.Clearable = true }

func scalar(p *ir.Param) { p.Scalar = true }

func splat(p *ir.Param) { p.Splat = true }

func wire(name string) func(*ir.Param) { return func(p *ir.Param) { p.Wire = name } }

func encoding(e ir.Encoding) func(*ir.Param) { return func(p *ir.Param) { p.Encoding = e } }

// small is a catalog with one action for each way of travelling.
func small() *ir.Catalog {
	project := newParam("project_id", ir.Path, typ(ir.ID), required, wire("id"))
	action := func(id, method, path string, risk ir.Risk, kind ir.ResultKind, params ...*ir.Param) *ir.Action {
		d, n, _ := strings.Cut(id, ".")
		return &ir.Action{
			ID: id, Domain: d, Name: n, Group: "all", Number: len(id), Method: method,
			UpstreamPath: strings.Replace(path, "{project_id}", "{id}", 1), WirePath: path,
			Op:     &ir.Operation{Method: method, Path: strings.Replace(path, "{project_id}", "{id}", 1), OperationID: method + id},
			Params: params, Risk: risk, Kind: kind, Title: "Do " + id, Tier: "free", Offering: "all",
		}
	}
	list1 := action("issue.list", "GET", "/api/v4/projects/{project_id}/issues", ir.Read, ir.KindList,
		project,
		newParam("state", ir.Query, &ir.Type{Kind: ir.String, Enum: []string{"opened", "", "closed"}, Default: str("opened")}),
		newParam("labels", ir.Query, arrayOf(typ(ir.String)), encoding(ir.Comma)),
		newParam("iids", ir.Query, arrayOf(typ(ir.Integer)), encoding(ir.Brackets), scalar),
		newParam("not", ir.Query, &ir.Type{Kind: ir.Object, Fields: []*ir.Param{
			newParam("labels", ir.Query, arrayOf(typ(ir.String)), encoding(ir.Comma)),
			newParam("author_id", ir.Query, typ(ir.Integer)),
		}}, encoding(ir.Hash)),
		newParam("custom_attributes", ir.Query, typ(ir.Map), encoding(ir.Hash)),
		newParam("created_after", ir.Query, &ir.Type{Kind: ir.String, Format: "date-time"}),
		newParam("page", ir.Query, &ir.Type{Kind: ir.Integer, Min: str("1"), Default: str("1")}),
		newParam("per_page", ir.Query, &ir.Type{Kind: ir.Integer, Min: str("1"), Max: str("100"), Default: str("20")}),
		newParam("all_pages", ir.Local, typ(ir.Boolean)),
	)
	update := action("issue.update", "PUT", "/api/v4/projects/{project_id}/issues/{issue_iid}", ir.Write, ir.KindObject,
		project,
		newParam("issue_iid", ir.Path, typ(ir.Integer), required),
		newParam("title", ir.BodyIn, typ(ir.String)),
		newParam("add_labels", ir.BodyIn, arrayOf(typ(ir.String)), encoding(ir.Comma)),
		newParam("assignee_ids", ir.BodyIn, arrayOf(typ(ir.Integer))),
		newParam("milestone_id", ir.BodyIn, typ(ir.Integer), clearable),
		newParam("position", ir.BodyIn, &ir.Type{Kind: ir.Object, Fields: []*ir.Param{
			newParam("base_sha", ir.BodyIn, typ(ir.String), required),
			newParam("line_range", ir.BodyIn, &ir.Type{Kind: ir.Object, Fields: []*ir.Param{newParam("type", ir.BodyIn, typ(ir.String))}}),
		}}, clearable),
		newParam("assets", ir.BodyIn, arrayOf(&ir.Type{Kind: ir.Object, Fields: []*ir.Param{
			newParam("name", ir.BodyIn, typ(ir.String), required),
			newParam("weight", ir.BodyIn, typ(ir.Number)),
			newParam("url", ir.BodyIn, typ(ir.String)),
		}, Groups: []ir.ParamGroup{{Rule: "at_most_one", Params: []string{"weight", "url"}}}})),
		newParam("options", ir.BodyIn, typ(ir.Any)),
	)
	update.Groups = []ir.ParamGroup{{Rule: "one_of", Params: []string{"title", "add_labels"}}}
	update.Op.Body = &ir.Body{ContentType: "application/json", Required: true}
	update.ContentType = "application/json"
	update.Guidance = map[string]string{"title": "short", "assets": "files"}
	update.DestroyWhen = []ir.DestroyWhen{{Param: "title", Value: "x"}}
	raw := action("package.publish", "PUT", "/api/v4/projects/{project_id}/packages/{path}", ir.Write, ir.KindNone,
		project,
		newParam("path", ir.Path, typ(ir.String), required, splat),
		newParam("content", ir.File, typ(ir.FileVal), required),
	)
	raw.RawBody = "content"
	c := &ir.Catalog{
		GitLabVersion: "1.2",
		Actions: []*ir.Action{
			action("file.head", "HEAD", "/api/v4/projects/{project_id}/files/{file_path}", ir.Read, ir.KindHead,
				project, newParam("file_path", ir.Path, typ(ir.String), required), newParam("ref", ir.Query, typ(ir.String), required)),
			action("import.create", "POST", "/api/v4/import", ir.Write, ir.KindObject,
				newParam("file", ir.File, typ(ir.FileVal), required), newParam("levels", ir.BodyIn, arrayOf(&ir.Type{Kind: ir.Integer, Enum: []string{"10", "20"}}))),
			list1, update, raw,
			action("release.latest", "GET", "/api/v4/projects/{project_id}/latest{/suffix_path}/x{.format}", ir.Read, ir.KindObject,
				project, newParam("suffix_path", ir.Path, typ(ir.String), splat), newParam("format", ir.Path, typ(ir.String))),
			{ID: "server.status", Domain: "server", Name: "status", Group: "all", Number: 9, Method: "LOCAL", Risk: ir.Read, Kind: ir.KindObject},
			action("version.get", "GET", "/api/v4/version", ir.Read, ir.KindObject),
		},
		Groups:       []ir.Group{{Name: "all", Title: "All", Domains: []string{"file", "issue"}}},
		Aliases:      []ir.Alias{{Name: "issue.close", Targets: []string{"issue.update"}, Fixed: map[string]any{"state_event": "close"}}, {Name: "x", Note: "use `y`"}},
		ParamAliases: []ir.ParamAlias{{From: "id", To: "project_id"}, {From: "state", To: "state_event", Actions: []string{"issue.update"}, Values: map[string]string{"closed": "close"}}},
	}
	return c
}

func TestGo(t *testing.T) {
	files, err := Go(small(), &token.Index{})
	if err != nil {
		t.Fatal(err)
	}
	got := &txtar.Archive{}
	for _, f := range files {
		switch f.Name {
		case "table_index_gen.go":
			continue // its struct belongs to the search; see TestIndexTable
		case "table_gen.go":
			f.Data = withoutIndex(f.Data)
		}
		got.Files = append(got.Files, txtar.File(f))
	}
	golden(t, "small.txtar", got)
	build(t, files)
}

func withoutIndex(data []byte) []byte {
	before, rest, _ := bytes.Cut(data, []byte("catalog.Index{\n"))
	_, after, _ := bytes.Cut(rest, []byte("\n\t},\n"))
	return slices.Concat(before, []byte("catalog.Index{…},\n"), after)
}

// The fields of the index are walked, whatever they are.
func TestIndexTable(t *testing.T) {
	type Inner struct{ Ends []uint32 }
	ix := struct {
		Inner
		Text    string
		Weights []int32
		Bytes   []uint8
		Shorts  []uint16
	}{Inner{[]uint32{1, 2}}, "a\x01\"\\é", []int32{-5}, []uint8{255}, nil}
	var tab indexTable
	if err := tab.fields(reflect.ValueOf(ix), "index", "\t"); err != nil {
		t.Fatal(err)
	}
	golden(t, "index.txtar", &txtar.Archive{Files: []txtar.File{
		{Name: "literal", Data: []byte(tab.literal.String())},
		{Name: "vars", Data: tab.vars.Bytes()},
	}})
	err := tab.fields(reflect.ValueOf(struct{ M map[string]int }{}), "index", "\t")
	if err == nil || !strings.Contains(err.Error(), "field M") {
		t.Errorf("a map: %v, want an error that names the field", err)
	}
}

func TestReference(t *testing.T) {
	got := &txtar.Archive{}
	for _, f := range Reference(small()) {
		got.Files = append(got.Files, txtar.File(f))
	}
	golden(t, "reference.txtar", got)
}

// golden holds got against a committed archive.
func golden(t *testing.T, name string, got *txtar.Archive) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, txtar.Format(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(txtar.Format(got))); diff != "" {
		t.Errorf("output differs (-want +got); run with -update if it is meant:\n%s", diff)
	}
}

// build compiles files as a package of this module, without writing them there.
func build(t *testing.T, files []File) {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	tmp := t.TempDir()
	replace := map[string]string{}
	for _, f := range files {
		path := filepath.Join(tmp, f.Name)
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(here, "testdata", "built", f.Name)] = path
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(tmp, "overlay.json")
	if err := os.WriteFile(path, overlay, 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "build", "-overlay", path, "-o", os.DevNull, "./testdata/built").CombinedOutput()
	if err != nil {
		t.Fatalf("go build of the output: %v\n%s", err, out)
	}
}

package overlay_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"gitlab-mcp-server/gen/ir"
	"gitlab-mcp-server/gen/overlay"
)

var update = flag.Bool("update", false, "write the golden part of testdata/*.txtar")

// TestEngine builds the small catalogs of testdata: a spec in shorthand, overlay
// files, and what comes of them, the catalog or the problems.
func TestEngine(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			root := t.TempDir()
			var spec *ir.Spec
			want := -1
			for i, f := range ar.Files {
				switch f.Name {
				case "spec":
					spec = shorthand(t, string(f.Data))
				case "want":
					want = i
				default:
					path := filepath.Join(root, "specs", filepath.FromSlash(f.Name))
					if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(path, f.Data, 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			if spec == nil || want < 0 {
				t.Fatal("a case needs the files spec and want")
			}
			got := dump(overlay.Build(spec, filepath.Join(root, "specs", "overlays"), filepath.Join(root, "specs", "names.lock")))
			if *update {
				ar.Files[want].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(ar.Files[want].Data), got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// shorthand reads operations written as
//
//	GET /projects/{id}/issues Issues
//	  query labels array<string> comma
//	  200 array
//
// with parameters "in name type [required] [encoding] [a,b]", the last an enum.
func shorthand(t *testing.T, text string) *ir.Spec {
	t.Helper()
	spec := &ir.Spec{GitLabVersion: "1.0"}
	var op *ir.Operation
	for i, line := range strings.Split(text, "\n") {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		if !strings.HasPrefix(line, " ") {
			op = &ir.Operation{
				Pos: ir.Pos{File: "spec", Line: i + 1}, Method: f[0], Path: "/api/v4" + f[1],
				OperationID: strings.ToLower(f[0]) + "Api" + fmt.Sprint(i), Tags: f[2:],
			}
			spec.Operations = append(spec.Operations, op)
			continue
		}
		switch f[0] {
		case "path", "query", "body", "file":
			p := &ir.Param{Pos: ir.Pos{File: "spec", Line: i + 1}, Name: f[1], Wire: f[1], In: ir.In(f[0]), Type: shorthandType(f[2])}
			for _, word := range f[3:] {
				switch word {
				case "required":
					p.Required = true
				case "comma":
					p.Encoding = ir.Comma
				default:
					p.Type.Enum = strings.Split(word, ",")
				}
			}
			if p.In == ir.BodyIn || p.In == ir.File {
				if op.Body == nil {
					op.Body = &ir.Body{ContentType: "application/json"}
				}
				op.Body.Fields = append(op.Body.Fields, p)
			} else {
				op.Params = append(op.Params, p)
			}
		case "type":
			op.Body.ContentType = f[1]
		case "deprecated":
			op.Deprecated = true
		default:
			r := ir.Response{Code: f[0]}
			if len(f) > 1 {
				r.ContentType, r.Type = "application/json", shorthandType(f[1])
			}
			op.Responses = append(op.Responses, r)
		}
	}
	return spec
}

func shorthandType(s string) *ir.Type {
	if items, ok := strings.CutPrefix(s, "array<"); ok {
		return &ir.Type{Kind: ir.Array, Items: shorthandType(strings.TrimSuffix(items, ">"))}
	}
	if alts := strings.Split(s, "|"); len(alts) > 1 {
		t := &ir.Type{}
		for _, a := range alts {
			t.OneOf = append(t.OneOf, shorthandType(a))
		}
		return t
	}
	if s == "none" {
		return &ir.Type{}
	}
	if entity, fields, ok := strings.Cut(s, ":"); ok { // Issue:iid,title
		t := &ir.Type{Kind: ir.Object, Entity: entity}
		for _, f := range strings.Split(fields, ",") {
			t.Fields = append(t.Fields, &ir.Param{Name: f, Wire: f, Type: &ir.Type{Kind: ir.String}})
		}
		return t
	}
	return &ir.Type{Kind: ir.Kind(s)}
}

// dump writes what a case is about: problems, or the catalog.
func dump(cat *ir.Catalog, err error) string {
	if err != nil {
		return err.Error() + "\n"
	}
	var b strings.Builder
	for _, a := range cat.Actions {
		fmt.Fprintf(&b, "%d %s = %s %s -> %s, %s, group %s\n", a.Number, a.ID, a.Method, a.WirePath, a.Kind, a.Risk, a.Group)
		fmt.Fprintf(&b, "  title: %s\n", a.Title)
		if a.Document != nil {
			fmt.Fprintf(&b, "  document: %s\n  scope: %s, fixed: %v, result: %s\n", a.Document.Text, a.Scope, a.Document.Fixed, a.Document.Result)
		}
		for _, x := range []struct{ what, text string }{
			{"content type", a.ContentType}, {"raw body", a.RawBody}, {"keyset", a.Keyset}, {"usage", a.Usage}, {"returns", a.Returns}, {"columns", strings.Join(a.Columns, ", ")}, {"tier", strings.TrimPrefix(a.Tier, "free")},
			{"deprecated", a.Deprecated}, {"name state", strings.TrimPrefix(a.NameState, "active")},
		} {
			if x.text != "" {
				fmt.Fprintf(&b, "  %s: %s\n", x.what, x.text)
			}
		}
		for _, g := range a.Groups {
			fmt.Fprintf(&b, "  rule: %s of %s\n", g.Rule, strings.Join(g.Params, ", "))
		}
		for _, w := range a.DestroyWhen {
			fmt.Fprintf(&b, "  destroys: %s=%s\n", w.Param, w.Value)
		}
		dumpParams(&b, a.Params, "  ")
		fmt.Fprintf(&b, "  example: %v\n", a.Example)
	}
	for _, e := range cat.Excluded {
		fmt.Fprintf(&b, "refused %s: %s, %s\n", e.Op.Key(), e.Rule, e.Why)
	}
	for _, al := range cat.Aliases {
		if al.From == "operation_id" {
			continue
		}
		fmt.Fprintf(&b, "alias %s = %s", al.Name, strings.Join(al.Targets, ", "))
		if al.Fixed != nil || al.Rename != nil || al.Only != nil {
			fmt.Fprintf(&b, " fixed %v rename %v only %v", al.Fixed, al.Rename, al.Only)
		}
		if al.Note != "" {
			fmt.Fprintf(&b, " (%s)", al.Note)
		}
		b.WriteByte('\n')
	}
	for _, pa := range cat.ParamAliases {
		fmt.Fprintf(&b, "parameter alias %s = %s %v\n", pa.From, pa.To, pa.Values)
	}
	return b.String()
}

func dumpParams(b *strings.Builder, params []*ir.Param, indent string) {
	for _, p := range params {
		fmt.Fprintf(b, "%s%s", indent, p.Name)
		if p.Wire != p.Name {
			fmt.Fprintf(b, " (%s)", p.Wire)
		}
		fmt.Fprintf(b, ": %s %s", p.In, p.Type.Kind)
		for t := p.Type.Items; t != nil; t = t.Items {
			fmt.Fprintf(b, " of %s", t.Kind)
		}
		for _, x := range []struct {
			on   bool
			text string
		}{
			{p.Required, " required"}, {p.Splat, " splat"}, {p.Scalar, " scalar"}, {p.Clearable, " clearable"}, {p.Folded, " folded"}, {p.Plain, " plain"},
			{p.Encoding != ir.Plain, " " + string(p.Encoding)}, {len(p.Type.Enum) > 0, " " + strings.Join(p.Type.Enum, "|")},
			{p.Type.Format != "", " format " + p.Type.Format}, {p.Description != "", " # " + p.Description},
		} {
			if x.on {
				b.WriteString(x.text)
			}
		}
		b.WriteByte('\n')
		for t := p.Type; t != nil; t = t.Items {
			for _, g := range t.Groups {
				fmt.Fprintf(b, "%s  rule: %s of %s\n", indent, g.Rule, strings.Join(g.Params, ", "))
			}
			dumpParams(b, t.Fields, indent+"  ")
		}
	}
}

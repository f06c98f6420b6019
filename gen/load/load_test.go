package load

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"gitlab-mcp-server/gen/ir"
)

var update = flag.Bool("update", false, "rewrite the wanted results in testdata")

// TestLoad renders what is loaded from small documents as indented text.
func TestLoad(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			for _, f := range ar.Files[:2] {
				if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			spec, err := Load(dir)
			if err != nil {
				t.Fatal(err)
			}
			if spec.GitLabVersion != "19.2" {
				t.Errorf("GitLab version %q", spec.GitLabVersion)
			}
			got := dump(spec)
			if *update {
				ar.Files[2].Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if d := cmp.Diff(string(ar.Files[2].Data), got); d != "" {
				t.Errorf("want -, got +:\n%s", d)
			}
		})
	}
}

func dump(spec *ir.Spec) string {
	var b strings.Builder
	for _, o := range spec.Operations {
		fmt.Fprintf(&b, "%s @%d", o.Key(), o.Pos.Line)
		if o.OperationID != "" {
			fmt.Fprintf(&b, " %s", o.OperationID)
		}
		if o.Tags != nil {
			fmt.Fprintf(&b, " %v", o.Tags)
		}
		if o.Deprecated {
			b.WriteString(" deprecated")
		}
		if o.Lifecycle != "" {
			b.WriteString(" " + o.Lifecycle)
		}
		b.WriteByte('\n')
		for _, p := range o.Params {
			dumpParam(&b, p, 1)
		}
		if o.Body != nil {
			fmt.Fprintf(&b, "  body %s", o.Body.ContentType)
			if o.Body.Required {
				b.WriteString(" required")
			}
			b.WriteByte('\n')
			for _, f := range o.Body.Fields {
				dumpParam(&b, f, 2)
			}
			if o.Body.Whole != nil {
				fmt.Fprintf(&b, "    whole %s\n", short(o.Body.Whole))
			}
		}
		for _, r := range o.Responses {
			fmt.Fprintf(&b, "  %s %s", r.Code, r.ContentType)
			if r.Type != nil {
				b.WriteString(" " + short(r.Type) + "\n")
				dumpParts(&b, r.Type, 2)
			} else {
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}

func dumpParam(b *strings.Builder, p *ir.Param, depth int) {
	fmt.Fprintf(b, "%s(%s) %s", strings.Repeat("  ", depth), p.In, p.Name)
	if p.Required {
		b.WriteByte('!')
	}
	fmt.Fprintf(b, " %s", short(p.Type))
	if p.Encoding != "" {
		fmt.Fprintf(b, " %s", p.Encoding)
	}
	if p.Deprecated {
		b.WriteString(" deprecated")
	}
	if p.Pos.Line == 0 || p.Wire != p.Name {
		fmt.Fprintf(b, " BAD %v %s", p.Pos, p.Wire)
	}
	b.WriteByte('\n')
	dumpParts(b, p.Type, depth+1)
}

func dumpParts(b *strings.Builder, t *ir.Type, depth int) {
	in := strings.Repeat("  ", depth)
	if t.Items != nil {
		fmt.Fprintf(b, "%sitems %s\n", in, short(t.Items))
		dumpParts(b, t.Items, depth+1)
	}
	if t.Values != nil {
		fmt.Fprintf(b, "%svalues %s\n", in, short(t.Values))
		dumpParts(b, t.Values, depth+1)
	}
	for _, f := range t.Fields {
		dumpParam(b, f, depth)
	}
}

// short renders a type on one line, without its fields.
func short(t *ir.Type) string {
	var w []string
	kind := string(t.Kind)
	if t.Format != "" {
		kind += ":" + t.Format
	}
	w = append(w, kind)
	if len(t.OneOf) > 0 {
		var alternatives []string
		for _, o := range t.OneOf {
			s := short(o)
			if o.Items != nil {
				s += " of " + short(o.Items)
			}
			alternatives = append(alternatives, s)
		}
		w = append(w, "<"+strings.Join(alternatives, " | ")+">")
	}
	if t.Entity != "" {
		w = append(w, "#"+t.Entity)
	}
	if t.Nullable {
		w = append(w, "null")
	}
	if t.Enum != nil {
		w = append(w, fmt.Sprintf("enum%q", t.Enum))
	}
	if t.Default != nil {
		w = append(w, fmt.Sprintf("=%q", *t.Default))
	}
	if t.Min != nil || t.Max != nil {
		w = append(w, fmt.Sprintf("%s..%s", deref(t.Min), deref(t.Max)))
	}
	if t.MinLen != nil || t.MaxLen != nil {
		w = append(w, fmt.Sprintf("length %d..%d", deref(t.MinLen), deref(t.MaxLen)))
	}
	if t.Pattern != "" {
		w = append(w, "/"+t.Pattern+"/")
	}
	w = slices.DeleteFunc(w, func(s string) bool { return s == "" })
	return strings.Join(w, " ")
}

func deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// TestOwnTypes holds the promise that a body can be repaired alone, while
// responses share their entities.
func TestOwnTypes(t *testing.T) {
	const doc = `openapi: 3.0.0
paths:
  /a:
    post: &op
      parameters: [{$ref: "#/components/parameters/P"}]
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Body"}}}}
      responses: {"200": {description: "", content: {application/json: {schema: {$ref: "#/components/schemas/Body"}}}}}
    put: *op
components:
  parameters:
    P: {name: p, in: query, schema: {$ref: "#/components/schemas/Name"}}
  schemas:
    Body: {type: object, properties: {name: {$ref: "#/components/schemas/Name"}}}
    Name: {type: string}
`
	spec, err := parse([]byte(doc), "x.yaml")
	if err != nil {
		t.Fatal(err)
	}
	a, b := spec.Operations[0], spec.Operations[1]
	if a.Params[0] == b.Params[0] || a.Params[0].Type == b.Params[0].Type {
		t.Error("two operations share a parameter")
	}
	if a.Body.Fields[0] == b.Body.Fields[0] || a.Body.Fields[0].Type == b.Body.Fields[0].Type {
		t.Error("two operations share a property of their bodies")
	}
	if a.Responses[0].Type != b.Responses[0].Type {
		t.Error("two operations with the same answer do not share its type")
	}
	if a.Responses[0].Type.Fields[0] == a.Body.Fields[0] {
		t.Error("a response shares a property with a body")
	}
}

func TestParseRefuses(t *testing.T) {
	tests := map[string]struct{ op, want string }{
		"style":         {`parameters: [{name: a, in: query, style: pipeDelimited, schema: {type: array}}]`, `parameter a: query style "pipeDelimited" has no encoding here`},
		"empty body":    {`requestBody: {content: {}}`, "GET /a: the request body declares no content"},
		"part of it":    {`parameters: [{name: a, in: query, schema: {$ref: "#/components/schemas/S/properties/a"}}]`, "only named schemas"},
		"unfolds":       {`parameters: [{name: a, in: query, schema: {$ref: "#/components/schemas/S20"}}]`, "unfold into more than"},
		"wrong keyword": {`parameters: [{name: a, in: query, schema: {minLength: long}}]`, "x.yaml: "},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			doc := "openapi: 3.0.0\npaths:\n  /a:\n    get:\n      " + test.op + "\n      responses: {}\n" +
				"components:\n  schemas:\n    S: {type: object, properties: {a: {type: string}}}\n    S0: {type: string}\n"
			for i := range 20 {
				doc += fmt.Sprintf("    S%d: {type: object, properties: {a: {$ref: \"#/components/schemas/S%d\"}, b: {$ref: \"#/components/schemas/S%d\"}}}\n", i+1, i, i)
			}
			_, err := parse([]byte(doc), "x.yaml")
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want …%s…", err, test.want)
			}
		})
	}
}

func TestLoadWithoutSource(t *testing.T) {
	dir := t.TempDir()
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "SOURCE.md") {
		t.Errorf("no SOURCE.md: got %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, SourceFile), []byte("# Nothing\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), `no row "GitLab version"`) {
		t.Errorf("SOURCE.md without facts: got %v", err)
	}
}

func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Load("../../specs/gitlab"); err != nil {
			b.Fatal(err)
		}
	}
}

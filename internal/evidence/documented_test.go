package evidence

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab-mcp-server/gen/ir"
)

// documented is a request as a page of GitLab's documentation shows it, with
// values of our own.
type documented struct {
	Page        string
	Method      string
	Path        string
	PathParams  map[string]any `json:"path_params"`
	Query       map[string]any
	Body        map[string]any
	WireQuery   string `json:"wire_query"`
	ContentType string `json:"content_type"`
	// Required are query and body parameters that the page requires: a:b is b in
	// the objects of a, a[b] the same where the page writes it so.
	Required []string
	// RequiredAny are those of which the page requires one.
	RequiredAny []string `json:"required_any"`
	Kind        string
	Pagination  string
}

// apart are facts of pages that we do not follow, and why.
var apart = map[string]string{
	"commit.create_comment requires note":        "an example of the page goes without, its table does not",
	"instance_ci_variable.update requires value": "GitLab updates one fact alone",
	"group.list requires pagination":             "asked for by the keyset's next page only",
	"group.list requires order_by":               "asked for by the keyset's next page only",
	"group.list requires sort":                   "asked for by the keyset's next page only",
	"user_gpg_key.create answers with list":      "the example is a list of what was created; GitLab answers with one object",
	"system_hook.create answers with list":       "the example is a list of what was created; GitLab answers with one object",
	"deployment.delete answers with object":      "a message beside the status",
}

// Every request of the list comes out as its page shows it, whether the argument
// stands in the path, the query or the body, and without what a page does not
// require.
func TestDocumentedRequests(t *testing.T) {
	x, cat := executor(t), repaired(t)
	found := map[string]bool{}
	for _, d := range documentedRequests(t) {
		t.Run(d.Page+"/"+d.Method+d.Path, func(t *testing.T) {
			i := slices.IndexFunc(cat.Actions, func(a *ir.Action) bool { return a.Method == d.Method && a.UpstreamPath == d.Path })
			if i < 0 {
				t.Fatal("no action")
			}
			a := cat.Actions[i]
			js, err := json.Marshal(d.arguments(a))
			if err != nil {
				t.Fatal(err)
			}
			got := dryRun(t, x, a.ID, js)
			if got.wire == nil {
				t.Fatalf("%s refuses %s: %s %v", a.ID, js, got.message, got.problems)
			}
			d.check(t, a, got.wire)
			for _, fact := range d.facts(a) {
				if apart[fact] == "" {
					t.Errorf("%s: the page and the catalog are not of one mind", fact)
				}
				found[fact] = true
			}
		})
	}
	for fact := range apart {
		if !found[fact] {
			t.Errorf("%q is no difference any more; take it off the list", fact)
		}
	}
}

func documentedRequests(t *testing.T) []documented {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "documented.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var ds []documented
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		dec := json.NewDecoder(bytes.NewReader(s.Bytes()))
		dec.UseNumber()
		dec.DisallowUnknownFields()
		var d documented
		if err := dec.Decode(&d); err != nil {
			t.Fatalf("%s: %v", s.Bytes(), err)
		}
		ds = append(ds, d)
	}
	if len(ds) < 100 {
		t.Fatalf("%d requests", len(ds))
	}
	return ds
}

// bytesOfFile stands for a file in the list.
const bytesOfFile = "@bytes"

// arguments are the page's values under our names. Of what null clears we take
// the word none for null.
func (d documented) arguments(a *ir.Action) map[string]any {
	args := map[string]any{}
	for name, v := range d.PathParams {
		i := slices.IndexFunc(a.Params, func(p *ir.Param) bool { return p.In == ir.Path && p.Wire == name })
		args[a.Params[i].Name] = v
	}
	for _, values := range []map[string]any{d.Query, d.Body} {
		for name, v := range values {
			p := argument(a.Params, name)
			if p == nil {
				args[name] = v // refused
				continue
			}
			switch {
			case v == nil && p.Clearable:
				v = "none"
			case v == bytesOfFile:
				v = upload(fileName)
			}
			args[p.Name] = v
		}
	}
	return args
}

func (d documented) check(t *testing.T, a *ir.Action, got *wire) {
	path := strings.NewReplacer("(-/)", "").Replace(d.Path)
	for name, v := range d.PathParams {
		path = strings.ReplaceAll(path, "{"+name+"}", strings.NewReplacer("/", "%2F", " ", "%20", "*", "%2A").Replace(flatten("", v)[0].value))
	}
	if got.method != d.Method || !samePath(got.path, path) || strings.Count(got.path, "/") != strings.Count(path, "/") {
		t.Errorf("%s %s, want %s %s", got.method, got.path, d.Method, path)
	}
	if diff := cmp.Diff(sorted(pairs(t, d.WireQuery)), sorted(got.query), cmp.AllowUnexported(pair{})); diff != "" {
		t.Errorf("query (-page +ours):\n%s", diff)
	}
	want := got.names()
	for name := range want {
		if slices.ContainsFunc(got.query, func(p pair) bool { return base(p.name) == name }) {
			delete(want, name)
		}
	}
	if len(want) != len(d.Body) {
		t.Errorf("body %v, the page has %v", got.body, d.Body)
	}
	if len(d.Body) > 0 && got.contentType != d.ContentType {
		t.Errorf("content type %s, want %s", got.contentType, d.ContentType)
	}
	for name, v := range d.Body {
		switch s := want[name]; {
		case s == nil:
			t.Errorf("%s is not sent", name)
		case v == bytesOfFile:
			v = file(fileName)
			fallthrough
		case !s.isJSON:
			if diff := cmp.Diff(sorted(flatten(name, v)), sorted(s.pairs), cmp.AllowUnexported(pair{})); diff != "" {
				t.Errorf("form (-page +ours):\n%s", diff)
			}
		default:
			if diff := cmp.Diff(v, s.json); diff != "" {
				t.Errorf("%s (-page +ours):\n%s", name, diff)
			}
		}
	}
}

// facts are those in which the page and the catalog differ: what is required,
// the kind of the answer and its pages.
func (d documented) facts(a *ir.Action) []string {
	var facts []string
	for _, p := range a.Params {
		if p.Required && p.In != ir.Path && !slices.Contains(d.Required, p.Wire) {
			facts = append(facts, a.ID+" requires "+p.Wire)
		}
	}
	for _, name := range d.Required {
		outer, inner, nested := strings.Cut(strings.NewReplacer("[", ":", "]", "").Replace(name), ":")
		p := argument(a.Params, outer)
		if nested && p != nil {
			p = member(p, inner)
		}
		if p == nil || !p.Required {
			facts = append(facts, a.ID+" requires "+name)
		}
	}
	if d.Kind != "" && d.Kind != string(a.Kind) {
		facts = append(facts, a.ID+" answers with "+d.Kind)
	}
	if pages := argument(a.Params, "page") != nil; (d.Pagination == "offset" || d.Pagination == "both") && !pages ||
		(d.Pagination == "keyset" || d.Pagination == "both") && a.Keyset == "" || d.Pagination == "none" && (pages || a.Keyset != "") {
		facts = append(facts, a.ID+" pages by "+d.Pagination)
	}
	return facts
}

// Package evidence holds what the whole catalog sends against witnesses from
// outside: an independent client of GitLab's REST API, requests as GitLab
// documents them, and an independent reader of GitLab's own document.
//
// It has no code outside its tests, and does not test single packages; they have
// their own tests.
package evidence

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"gitlab-mcp-server/gen"
	"gitlab-mcp-server/gen/ir"
	"gitlab-mcp-server/generated"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/exec"
	"gitlab-mcp-server/internal/gitlab"
	"gitlab-mcp-server/internal/policy"
)

// host is where nobody listens: previews only name it.
const host = "http://gitlab.example.com"

// structure is what the specs of this checkout say of all actions.
var structure = sync.OnceValues(func() (*ir.Catalog, error) { return gen.Build("../../specs") })

func repaired(t *testing.T) *ir.Catalog {
	t.Helper()
	cat, err := structure()
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

// executor runs the whole catalog.
func executor(t *testing.T) *exec.Executor {
	t.Helper()
	cat := catalog.New(generated.Tables())
	p, err := policy.New(cat, policy.Config{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := gitlab.New(gitlab.Config{BaseURL: host})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return exec.New(cat, p, c, exec.Config{})
}

// problem is what is wrong with one argument.
type problem struct{ Path, Code, Expected string }

// preview is the request that an action would send, or why it would not.
type preview struct {
	wire     *wire
	message  string // of a refusal
	problems []problem
}

// dryRun asks for the preview of an action's request.
func dryRun(t *testing.T, x *exec.Executor, action string, params []byte) preview {
	t.Helper()
	res := x.Execute(t.Context(), exec.Call{Action: action, Params: params, DryRun: true, Confirm: true})
	var answer struct {
		Method, URL string
		Headers     map[string]string
		Body        json.RawMessage
		Error       struct {
			Message  string
			Problems []problem
		}
	}
	if err := json.Unmarshal(res.Structured, &answer); err != nil {
		t.Fatalf("%s: %v in %s", action, err, res.Structured)
	}
	if res.IsError {
		return preview{message: answer.Error.Message, problems: answer.Error.Problems}
	}
	u, err := url.Parse(answer.URL)
	if err != nil {
		t.Fatalf("%s: %v", action, err)
	}
	w := &wire{method: answer.Method, path: u.EscapedPath(), query: pairs(t, u.RawQuery)}
	for k, v := range answer.Headers {
		if strings.EqualFold(k, "Content-Type") {
			w.contentType, _, _ = strings.Cut(v, ";")
		}
	}
	switch body := answer.Body; {
	case bytes.Equal(body, []byte("null")):
	case body[0] == '[' && w.contentType == "multipart/form-data":
		var parts []struct{ Name, Value, Filename string }
		if err := json.Unmarshal(body, &parts); err != nil {
			t.Fatalf("%s: %v", action, err)
		}
		for _, p := range parts {
			if p.Filename != "" {
				p.Value = file(p.Filename)
			}
			w.form = append(w.form, pair{p.Name, p.Value})
		}
	case w.contentType == "application/json":
		w.body = decode(t, body)
	default:
		w.raw = true
	}
	return preview{wire: w}
}

// wire is a request, taken apart.
type wire struct {
	method, path string // the path is escaped
	query        []pair
	contentType  string
	body         map[string]any // of JSON; numbers are json.Number
	form         []pair         // of a form; files are their names
	raw          bool           // the body is a file
}

// pair is one name and value of a query or form, decoded.
type pair struct{ name, value string }

// file is the value of a pair that is a file.
func file(name string) string { return "file " + name }

func pairs(t *testing.T, raw string) []pair {
	t.Helper()
	var ps []pair
	for part := range strings.SplitSeq(raw, "&") {
		if part == "" {
			continue
		}
		n, v, _ := strings.Cut(part, "=")
		name, err := url.QueryUnescape(n)
		value, err2 := url.QueryUnescape(v)
		if err != nil || err2 != nil {
			t.Fatalf("query %s: %v %v", raw, err, err2)
		}
		ps = append(ps, pair{name, value})
	}
	return ps
}

func decode(t *testing.T, js []byte) map[string]any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(js))
	dec.UseNumber()
	m := map[string]any{}
	if err := dec.Decode(&m); err != nil {
		t.Fatalf("%v in %s", err, js)
	}
	return m
}

// flatten is a JSON value as the pairs of a form: name[key]=v, name[]=v.
func flatten(name string, v any) []pair {
	var ps []pair
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			ps = append(ps, flatten(name+"["+k+"]", e)...)
		}
		slices.SortFunc(ps, func(a, b pair) int { return strings.Compare(a.name, b.name) })
	case []any:
		for _, e := range v {
			ps = append(ps, flatten(name+"[]", e)...)
		}
	case string:
		ps = append(ps, pair{name, v})
	default:
		js, err := json.Marshal(v)
		if err != nil {
			panic(err) // it was decoded from JSON
		}
		ps = append(ps, pair{name, string(js)})
	}
	return ps
}

// base is the name of the argument that a pair belongs to.
func base(name string) string {
	b, _, _ := strings.Cut(name, "[")
	return b
}

// pathArguments takes an escaped path apart by an action's template: the decoded
// values by the arguments' wire names.
func pathArguments(a *ir.Action, path string) (map[string]string, bool) {
	re, names := templateOf(a)
	var groups []string
	for _, p := range spellings(path) {
		if groups = re.FindStringSubmatch(p); groups != nil {
			break
		}
	}
	if groups == nil {
		return nil, false
	}
	values := map[string]string{}
	for i, name := range names {
		v, err := url.PathUnescape(groups[i+1])
		if err != nil {
			return nil, false
		}
		if v != "" {
			values[name] = v
		}
	}
	return values, true
}

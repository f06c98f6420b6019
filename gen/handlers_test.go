package gen_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab-mcp-server/gen"
	"gitlab-mcp-server/gen/ir"
	"gitlab-mcp-server/generated"
	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/call"
	"gitlab-mcp-server/internal/catalog"
)

// repository is the catalog of the specs of this checkout.
var repository = sync.OnceValues(func() (*ir.Catalog, error) { return gen.Build("../specs") })

func catalogs(t *testing.T) (*ir.Catalog, *catalog.Catalog) {
	t.Helper()
	cat, err := repository()
	if err != nil {
		t.Fatal(err)
	}
	return cat, catalog.New(generated.Tables())
}

// For every action, arguments made from its types become the request that its
// template, wire names and encodings describe. What is expected is worked out
// here from the IR alone, by other means than the handlers'.
func TestHandlers(t *testing.T) {
	cat, c := catalogs(t)
	n := 0
	for _, a := range cat.Actions {
		got, ok := c.ByID(a.ID)
		if !ok {
			t.Errorf("%s is not in the tables; run %s", a.ID, gen.Command)
			continue
		}
		if a.Op == nil && a.Document == nil {
			continue
		}
		n++
		for name, s := range samplers {
			t.Run(a.ID+"/"+name, func(t *testing.T) { check(t, a, got.Handler(), s.arguments(a)) })
		}
	}
	if n < 1000 {
		t.Errorf("%d actions with a request; the walk is broken", n)
	}
}

func check(t *testing.T, a *ir.Action, h catalog.Handler, args object) {
	var r arg.Reader
	if err := r.Reset([]byte(argsJSON(args))); err != nil {
		t.Fatalf("arguments %s: %v", argsJSON(args), err)
	}
	var q call.Request
	if err := h(&r, &q); err != nil {
		t.Fatalf("arguments %s: %v", argsJSON(args), err)
	}
	if a.Document != nil {
		checkDocument(t, a, &q, args)
	} else {
		if q.Method() != a.Method {
			t.Errorf("method %s, want %s", q.Method(), a.Method)
		}
		checkPath(t, a, q.Path(), args)
		checkQuery(t, a, q.RawQuery(), args)
		checkBody(t, a, &q, args)
	}
	for _, n := range r.Notes() {
		t.Errorf("sample needs a note, so it is not of the declared type: %s", n)
	}
}

// safe is what may stand in an encoded path or query.
var safe = regexp.MustCompile(`^[A-Za-z0-9\-._~%/,&=:@!$'()*+;\[\]]*$`)

func checkPath(t *testing.T, a *ir.Action, path string, args object) {
	t.Helper()
	if !safe.MatchString(path) || strings.Contains(path, "//") {
		t.Errorf("path %s is not encoded, or has an empty segment", path)
	}
	values := map[string]*member{}
	for i := range args {
		if args[i].param.In == ir.Path {
			values[args[i].param.Name] = &args[i]
		}
	}
	// The template as a pattern: one group for each parameter that was given.
	pattern := "^"
	var names []string
	for rest := a.WirePath; rest != ""; {
		literal, after, found := strings.Cut(rest, "{")
		name, tail, _ := strings.Cut(after, "}")
		rest = tail
		if !found {
			pattern += regexp.QuoteMeta(literal)
			break
		}
		plain := strings.TrimLeft(name, "/.")
		mark := name[:len(name)-len(plain)]
		m := values[plain]
		if m == nil {
			if mark == "" {
				literal = strings.TrimSuffix(literal, "/")
			}
			pattern += regexp.QuoteMeta(literal)
			continue
		}
		pattern += regexp.QuoteMeta(literal + mark)
		if m.param.Splat {
			pattern += "(.+)"
		} else {
			pattern += "([^/]+)"
		}
		names = append(names, plain)
	}
	groups := regexp.MustCompile(pattern + "$").FindStringSubmatch(path)
	if groups == nil {
		t.Fatalf("path %s does not match the template %s", path, a.WirePath)
	}
	for i, name := range names {
		got, err := url.PathUnescape(groups[i+1])
		if want := text(values[name].value); err != nil || got != want {
			t.Errorf("path parameter %s is %q (%v), want %q", name, got, err, want)
		}
	}
}

// pair is one name and value of a query or form.
type pair struct{ Name, Value string }

func checkQuery(t *testing.T, a *ir.Action, raw string, args object) {
	t.Helper()
	if !safe.MatchString(raw) {
		t.Errorf("query %s is not encoded", raw)
	}
	var want []pair
	for _, m := range args {
		if m.param.In == ir.Query {
			want = append(want, queryPairs(m, m.param.Wire)...)
		}
	}
	var got []pair
	for part := range strings.SplitSeq(raw, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		n, err := url.QueryUnescape(name)
		v, err2 := url.QueryUnescape(value)
		if err != nil || err2 != nil {
			t.Errorf("query %s: %v %v", raw, err, err2)
		}
		got = append(got, pair{n, v})
	}
	if diff := cmp.Diff(sorted(want), sorted(got)); diff != "" {
		t.Errorf("query %s (-want +got):\n%s", raw, diff)
	}
}

func sorted(ps []pair) []pair {
	slices.SortStableFunc(ps, func(x, y pair) int { return strings.Compare(x.Name, y.Name) })
	return ps
}

// queryPairs is how a member travels in a query under the whole name.
func queryPairs(m member, name string) []pair {
	var ps []pair
	switch v := m.value.(type) {
	case object:
		for _, f := range v {
			inner := name + "[" + f.param.Wire + "]"
			if strings.Contains(f.param.Wire, "[") {
				inner = f.param.Wire
			}
			ps = append(ps, queryPairs(f, inner)...)
		}
	case []any:
		var texts []string
		for _, e := range v {
			switch e := e.(type) {
			case object:
				ps = append(ps, queryPairs(member{m.param, e}, name+"[]")...)
			case free:
				ps = append(ps, flat(string(e), name+"[]")...)
			default:
				texts = append(texts, text(e))
			}
		}
		switch {
		case len(texts) == 0:
		case m.param.Encoding == ir.Comma:
			ps = append(ps, pair{name, strings.Join(texts, ",")})
		default:
			for _, s := range texts {
				ps = append(ps, pair{strings.TrimSuffix(name, "[]") + "[]", s})
			}
		}
	case free:
		ps = append(ps, flat(string(v), name)...)
	default:
		ps = append(ps, pair{name, text(v)})
	}
	return ps
}

// flat is JSON as pairs: name[key]=value, name[]=value.
func flat(js, name string) []pair { return flatValue(decoded(js), name) }

func flatValue(v any, name string) []pair {
	var ps []pair
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			ps = append(ps, flatValue(e, name+"["+k+"]")...)
		}
	case []any:
		for _, e := range v {
			ps = append(ps, flatValue(e, name+"[]")...)
		}
	case nil:
		ps = append(ps, pair{name, ""})
	case file:
		ps = append(ps, pair{name, fileContent})
	default:
		ps = append(ps, pair{name, fmt.Sprint(v)})
	}
	return ps
}

func checkBody(t *testing.T, a *ir.Action, q *call.Request, args object) {
	t.Helper()
	if a.RawBody != "" {
		part := q.Raw()
		if part == nil || string(part.Content) != fileContent || part.Filename != fileName {
			t.Fatalf("the body is not the file %s: %+v", a.RawBody, part)
		}
		return
	}
	body := map[string]any{}
	form := false
	for _, m := range args {
		if m.param.In == ir.BodyIn || m.param.In == ir.File {
			body[m.param.Wire] = wireValue(m)
			form = form || hasFile(m.value)
		}
	}
	if form {
		checkForm(t, q, body)
		return
	}
	required := a.Op.Body != nil && a.Op.Body.Required && slices.ContainsFunc(a.Params, func(p *ir.Param) bool { return p.In == ir.BodyIn })
	if len(body) == 0 && !required {
		if q.HasBody() {
			t.Errorf("body %s, want none", q.JSON())
		}
		return
	}
	if ct := q.ContentType(); ct != "application/json" {
		t.Errorf("content type %s, want application/json", ct)
	}
	dec := json.NewDecoder(bytes.NewReader(q.JSON()))
	dec.UseNumber()
	got := map[string]any{}
	if err := dec.Decode(&got); err != nil {
		t.Fatalf("body %s: %v", q.JSON(), err)
	}
	if diff := cmp.Diff(body, got); diff != "" {
		t.Errorf("body (-want +got):\n%s", diff)
	}
}

// hasFile reports whether a file stands in v, at any depth.
func hasFile(v any) bool {
	if o, ok := v.(object); ok {
		return slices.ContainsFunc(o, func(m member) bool { return hasFile(m.value) })
	}
	return v == any(file{})
}

func checkForm(t *testing.T, q *call.Request, body map[string]any) {
	t.Helper()
	var want, got []pair
	for k, v := range body {
		want = append(want, flatValue(v, k)...)
	}
	for _, p := range q.Parts() {
		got = append(got, pair{p.Name, string(p.Content)})
		if p.File && (p.Filename != fileName || p.ContentType != "text/plain") {
			t.Errorf("part %s: file name %q, type %q", p.Name, p.Filename, p.ContentType)
		}
	}
	if diff := cmp.Diff(sorted(want), sorted(got)); diff != "" {
		t.Errorf("form (-want +got):\n%s", diff)
	}
	if ct := q.ContentType(); !strings.HasPrefix(ct, "multipart/form-data; boundary=") {
		t.Errorf("content type %s", ct)
	}
}

// wireValue is the value of a member as a decoded JSON body has it.
func wireValue(m member) any {
	switch v := m.value.(type) {
	case object:
		o := map[string]any{}
		for _, f := range v {
			o[f.param.Wire] = wireValue(f)
		}
		return o
	case []any:
		var list []any
		var texts []string
		for _, e := range v {
			list = append(list, wireValue(member{m.param, e}))
			if _, ok := e.(object); !ok {
				texts = append(texts, text(e))
			}
		}
		if m.param.Encoding == ir.Comma && len(texts) > 0 {
			return strings.Join(texts, ",")
		}
		return list
	case free:
		return decoded(string(v))
	}
	if m.param.Encoding == ir.Comma { // one plain value of a list
		return text(m.value)
	}
	if n, ok := m.value.(number); ok {
		return json.Number(n)
	}
	return m.value
}

// text is a scalar as it stands in a URL.
func text(v any) string { return fmt.Sprint(v) }

const (
	fileName    = "a b é.txt"
	fileContent = "hello"
)

// argsJSON is the arguments as a caller writes them, under public names.
func argsJSON(v any) string {
	switch v := v.(type) {
	case object:
		var b strings.Builder
		for i, m := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, "%s:%s", quoted(m.param.Name), argsJSON(m.value))
		}
		return "{" + b.String() + "}"
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, argsJSON(e))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case number:
		return string(v)
	case free:
		return string(v)
	case file:
		return `{"content":"aGVsbG8=","encoding":"base64","filename":` + quoted(fileName) + `,"content_type":"text/plain"}`
	}
	return quoted(v)
}

func quoted(v any) string {
	js, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts and booleans always encode
	}
	return string(js)
}

// checkDocument holds the request of a GraphQL action against its document: each
// argument stands at its place among the variables, and nothing else does but
// what the document fixes.
func checkDocument(t *testing.T, a *ir.Action, q *call.Request, args object) {
	t.Helper()
	var body struct {
		Query     string
		Variables map[string]any
	}
	dec := json.NewDecoder(bytes.NewReader(q.JSON()))
	dec.UseNumber()
	dec.DisallowUnknownFields()
	if err := dec.Decode(&body); err != nil {
		t.Fatalf("body %s: %v", q.JSON(), err)
	}
	if q.Method() != "POST" || q.Path() != "/api/graphql" || q.RawQuery() != "" || body.Query != a.Document.Text {
		t.Errorf("request %s %s?%s with the query %s", q.Method(), q.Path(), q.RawQuery(), body.Query)
	}
	known := map[string]any{}
	for _, m := range args {
		known[m.param.Wire] = globalIDs(m.param.Type, wireValue(m))
	}
	got := map[string]any{}
	leaves(body.Variables, "", func(path string) bool {
		_, ok := known[path]
		return ok || slices.ContainsFunc(a.Document.Fixed, func(f ir.Fixed) bool { return f.Path == path })
	}, got)
	for _, f := range a.Document.Fixed {
		// A value inside an object comes along with an argument of that object.
		if _, ok := got[f.Path]; ok || !strings.Contains(f.Path, ".") {
			known[f.Path] = decoded(f.JSON)
		}
	}
	if diff := cmp.Diff(known, got); diff != "" {
		t.Errorf("variables (-want +got):\n%s", diff)
	}
}

// leaves collects the values of v by dotted path; whole says where to stop.
func leaves(v any, path string, whole func(string) bool, into map[string]any) {
	o, ok := v.(map[string]any)
	if !ok || whole(path) {
		into[path] = v
		return
	}
	for k, e := range o {
		leaves(e, strings.TrimPrefix(path+"."+k, "."), whole, into)
	}
}

// globalIDs is v with the numbers of objects as global ids.
func globalIDs(t *ir.Type, v any) any {
	if list, ok := v.([]any); ok && t.Items != nil {
		for i := range list {
			list[i] = globalIDs(t.Items, list[i])
		}
		return list
	}
	if t.GID != "" {
		return "gid://gitlab/" + t.GID + "/" + text(v)
	}
	return v
}

// decoded is JSON of ours as Go values, numbers as their text.
func decoded(js string) any {
	dec := json.NewDecoder(strings.NewReader(js))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		panic(err) // samples are JSON
	}
	return v
}

// What GitLab clears by null, or by nothing in place of a file, is cleared by the
// word "none".
func TestHandlersClear(t *testing.T) {
	cat, c := catalogs(t)
	for _, a := range cat.Actions {
		for _, p := range a.Params {
			if !p.Clearable || a.Op == nil {
				continue
			}
			got, ok := c.ByID(a.ID)
			if !ok {
				t.Errorf("%s is not in the tables; run %s", a.ID, gen.Command)
				continue
			}
			args := slices.DeleteFunc(samplers["minimal"].arguments(a), func(m member) bool { return m.param == p })
			args = append(args, member{p, "none"})
			var r arg.Reader
			if err := r.Reset([]byte(argsJSON(args))); err != nil {
				t.Fatal(err)
			}
			var q call.Request
			if err := got.Handler()(&r, &q); err != nil {
				t.Errorf("%s, %s: %v", a.ID, p.Name, err)
				continue
			}
			body := map[string]any{}
			if err := json.Unmarshal(q.JSON(), &body); err != nil {
				t.Errorf("%s, %s: body %s: %v", a.ID, p.Name, q.JSON(), err)
			}
			var want any
			if p.In == ir.File { // GitLab removes a file by the empty text
				want = ""
			}
			if v, ok := body[p.Wire]; p.In != ir.BodyIn && p.In != ir.File || !ok || v != want {
				t.Errorf("%s, %s: body %s, want %#v", a.ID, p.Name, q.JSON(), want)
			}
		}
	}
}

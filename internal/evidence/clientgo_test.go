package evidence

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	client "gitlab.com/gitlab-org/api/client-go/v2"

	"gitlab-mcp-server/gen/ir"
	"gitlab-mcp-server/internal/exec"
)

var update = flag.Bool("update", false, "rewrite the tables of this package; new lines come without a reason")

// recorder answers every request and remembers it.
type recorder struct {
	t    *testing.T
	sent []*wire
}

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	w := &wire{method: req.Method, path: req.URL.EscapedPath(), query: pairs(r.t, req.URL.RawQuery)}
	var body []byte
	if req.Body != nil {
		var err error
		if body, err = io.ReadAll(req.Body); err != nil {
			return nil, err
		}
	}
	media, params, err := mime.ParseMediaType(req.Header.Get("Content-Type"))
	switch {
	case len(body) == 0:
		err = nil
	case err != nil: // no type: a file alone
		w.raw, err = true, nil
	case media == "multipart/form-data":
		w.contentType = media
		w.form, err = parts(multipart.NewReader(bytes.NewReader(body), params["boundary"]))
	case body[0] == '{' && media == "application/json":
		w.contentType, w.body = media, decode(r.t, body)
	case media == "application/json" && string(body) == "null":
	default:
		w.contentType, w.raw = media, true
	}
	r.sent = append(r.sent, w)
	return &http.Response{
		StatusCode: 200, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: req,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader("{}")),
	}, err
}

// parts are those of a form; files are their names.
func parts(r *multipart.Reader) ([]pair, error) {
	var ps []pair
	for {
		p, err := r.NextPart()
		if err == io.EOF {
			return ps, nil
		}
		if err != nil {
			return nil, err
		}
		value, err := io.ReadAll(p)
		if err != nil {
			return nil, err
		}
		if name := p.FileName(); name != "" {
			value = []byte(file(name))
		}
		ps = append(ps, pair{p.FormName(), string(value)})
	}
}

// method is one of the client's services.
type method struct {
	name string // Issues.GetIssue
	v    reflect.Value
}

// methods are those that send requests, sorted by name.
func methods(t *testing.T, rec *recorder) []method {
	t.Helper()
	c, err := client.NewClient("token", client.WithBaseURL(host), client.WithHTTPClient(&http.Client{Transport: rec}), client.WithoutRetries())
	if err != nil {
		t.Fatal(err)
	}
	var ms []method
	v := reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() || f.Type.Kind() != reflect.Interface || !strings.HasSuffix(f.Type.Name(), "ServiceInterface") {
			continue
		}
		for j := range f.Type.NumMethod() {
			m := f.Type.Method(j)
			ms = append(ms, method{f.Name + "." + m.Name, v.Field(i).MethodByName(m.Name)})
		}
	}
	slices.SortFunc(ms, func(a, b method) int { return strings.Compare(a.name, b.name) })
	return ms
}

// call makes the method send what g gives it: the request, nil if it sends none,
// and the arguments as texts.
func (m method) call(g *giver, rec *recorder) (w *wire, texts []string) {
	rec.sent = rec.sent[:0]
	in, texts := g.arguments(m.v.Type())
	defer func() {
		// Some methods panic on the empty answer; what they sent counts.
		_ = recover()
		if len(rec.sent) > 0 {
			w = rec.sent[0]
		}
	}()
	m.v.Call(in)
	return nil, texts
}

// witness compares a method of the client with our action.
type witness struct {
	x      *exec.Executor
	routes *routes
	rec    *recorder
}

// find is the action that a method corresponds to, with hints which arguments
// are its path parameters.
func (w *witness) find(m method) (first *wire, a *ir.Action, hints map[int]*ir.Param) {
	first, texts := m.call(&giver{}, w.rec)
	if first == nil {
		return nil, nil, nil
	}
	if a = w.routes.action(first); a == nil {
		return first, nil, nil
	}
	hints = map[int]*ir.Param{}
	values, _ := pathArguments(a, first.path)
	for i, text := range texts {
		for _, p := range a.Params {
			if p.In == ir.Path && values[p.Name] == text {
				hints[i] = p
			}
		}
	}
	return first, a, hints
}

// differences compares all the options of a method, in as many calls as the
// rules over several arguments need.
func (w *witness) differences(t *testing.T, m method, a *ir.Action, hints map[int]*ir.Param) []string {
	var all []string
	for _, files := range []bool{false, true} {
		full, _ := m.call(&giver{action: a, hints: hints, files: files}, w.rec)
		if files && (full == nil || full.form == nil) {
			break // nothing to upload beside the other options
		}
		for _, skip := range turns(a, full) {
			theirs, _ := m.call(&giver{action: a, hints: hints, skip: skip, files: files}, w.rec)
			if theirs == nil || w.routes.action(theirs) != a {
				t.Errorf("%s: no request, or of another action, with arguments of the right types", m.name)
				continue
			}
			c := comparison{x: w.x, action: a, theirs: theirs}
			all = append(all, c.differences(t)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// turns are the options to leave out in calls in which, together, each argument
// that excludes others is sent once.
func turns(a *ir.Action, full *wire) []map[string]bool {
	present := map[string]bool{}
	if full != nil {
		for name, s := range full.names() {
			present[name] = true
			paths(name, s.json, present)
			for _, p := range s.pairs {
				present[join("", strings.TrimSuffix(p.name, "[]"))] = true
			}
		}
	}
	var sets [][]string
	n := 1
	rules(a.Groups, a.Params, "", func(rule string, set []string) {
		set = slices.DeleteFunc(set, func(p string) bool { return !present[p] })
		if rule == "exactly_one" || rule == "at_most_one" {
			sets = append(sets, set)
			n = max(n, len(set))
		}
	})
	all := make([]map[string]bool, n)
	for turn := range n {
		all[turn] = map[string]bool{}
		for _, set := range sets {
			for i, p := range set {
				if i != turn%len(set) {
					all[turn][p] = true
				}
			}
		}
	}
	return all
}

// paths collects the members of v, by names joined by dots.
func paths(path string, v any, into map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			into[path+"."+k] = true
			paths(path+"."+k, e, into)
		}
	case []any:
		for _, e := range v {
			paths(path, e, into)
		}
	}
}

// rules yields those over several arguments, at any depth, with wire paths.
func rules(groups []ir.ParamGroup, params []*ir.Param, path string, yield func(rule string, paths []string)) {
	wire := map[string]string{}
	for _, p := range params {
		wire[p.Name] = join(path, p.Wire)
		t := p.Type
		for t != nil && t.Items != nil {
			t = t.Items
		}
		if t != nil {
			rules(t.Groups, t.Fields, wire[p.Name], yield)
		}
	}
	for _, g := range groups {
		var paths []string
		for _, name := range g.Params {
			paths = append(paths, wire[name])
		}
		yield(g.Rule, paths)
	}
}

// The client and we make the same requests of the same values; where not, and
// where the client has what we have not, a table says why.
func TestClientGo(t *testing.T) {
	rec := &recorder{t: t}
	w := &witness{x: executor(t), routes: newRoutes(repaired(t)), rec: rec}
	var differences, absent []string
	compared, same := map[string]bool{}, 0
	for _, m := range methods(t, rec) {
		first, a, hints := w.find(m)
		switch {
		case first == nil:
			absent = append(absent, m.name+"\t-\tsends nothing")
			continue
		case a == nil:
			rule := w.routes.exclusion(first)
			route, _ := client.MatchRoute(strings.TrimPrefix(first.path, "/api/v4"))
			switch {
			case first.path == "/api/graphql":
				rule = "GraphQL"
			case rule == "":
				rule = "not in the document"
			}
			absent = append(absent, fmt.Sprintf("%s\t%s %s\t%s", m.name, first.method, route, rule))
			continue
		}
		compared[a.ID] = true
		ds := w.differences(t, m, a, hints)
		if len(ds) == 0 {
			same++
		}
		for _, d := range ds {
			differences = append(differences, m.name+"\t"+a.ID+"\t"+d)
		}
	}
	t.Logf("%d methods: %d reach %d actions; %d without any difference, %d differences of the others; %d methods have no action",
		len(methods(t, rec)), len(methods(t, rec))-len(absent), len(compared), same, len(differences), len(absent))
	if len(compared) < 900 {
		t.Errorf("only %d actions were compared", len(compared))
	}
	table{"differences.tsv", "method\taction\tdifference\tside\treason", 2}.hold(t, differences)
	table{"absent.tsv", "method\troute\trule\treason", 1}.hold(t, absent)
}

// table is a committed list of exceptions: what the test finds, and behind it
// columns with the judgement of a person.
type table struct {
	file   string
	header string
	judged int // columns of judgement
}

func (tb table) hold(t *testing.T, found []string) {
	t.Helper()
	path := filepath.Join("testdata", tb.file)
	data, err := os.ReadFile(path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	judgement := map[string]string{}
	var known []string
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		cells := strings.Split(line, "\t")
		if line == tb.header || len(cells) <= tb.judged {
			continue
		}
		cut := len(cells) - tb.judged
		key := strings.Join(cells[:cut], "\t")
		known = append(known, key)
		judgement[key] = strings.Join(cells[cut:], "\t")
		if slices.Contains(cells[cut:], "") {
			t.Errorf("%s: no judgement of %q", path, key)
		}
	}
	slices.Sort(found)
	if *update {
		out := tb.header + "\n"
		for _, key := range found {
			j, ok := judgement[key]
			if !ok {
				j = strings.Repeat("\t", tb.judged-1)
			}
			out += key + "\t" + j + "\n"
		}
		if err := os.WriteFile(path, []byte(out), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	slices.Sort(known)
	if d := cmp.Diff(known, found); d != "" {
		t.Errorf("%s (-listed +found):\n%s", path, d)
	}
}

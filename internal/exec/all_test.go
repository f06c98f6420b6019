package exec_test

import (
	"cmp"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gitlab-mcp-server/generated"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/exec"
	"gitlab-mcp-server/internal/gitlab"
	"gitlab-mcp-server/internal/own"
	"gitlab-mcp-server/internal/policy"
)

// readsByPost are the actions that send a method other than GET and HEAD and
// change nothing. The list is reviewed: whatever is not here and has another
// method must not leave a read-only server.
var readsByPost = []string{"ci_lint.validate", "glql.query", "markdown.render"}

// wholeWorld is an executor over the whole catalog.
func wholeWorld(t *testing.T, options ...option) *world {
	w := newWorld(t, options...)
	pc, xc, gc := policy.Config{}, exec.Config{}, gitlab.Config{BaseURL: w.url, Credential: gitlab.Credential{Token: token}}
	for _, o := range options {
		o(&pc, &xc, &gc)
	}
	if xc.Own == nil {
		xc.Own, xc.Helpers = new(own.Actions).Action, own.Helper
	}
	cat := catalog.New(generated.Tables())
	p, err := policy.New(cat, pc)
	if err != nil {
		t.Fatal(err)
	}
	c, err := gitlab.New(gc)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	w.policy, w.Executor = p, exec.New(cat, p, c, xc)
	return w
}

// requests are the actions that are one request, with their example arguments.
func requests(t *testing.T, w *world, do func(a catalog.Action, params string)) {
	t.Helper()
	n := 0
	for a := range w.Catalog().All() {
		if a.Handler() != nil {
			do(a, a.Example())
			n++
		}
	}
	if n < 1000 {
		t.Errorf("only %d actions", n)
	}
}

func TestAllActionsSendOneRequest(t *testing.T) {
	w := wholeWorld(t)
	w.reply = jsonReply(200, `{}`)
	requests(t, w, func(a catalog.Action, params string) {
		w.lines = w.lines[:0]
		res := w.do(t, a.ID(), params, confirm)
		if res.IsError {
			t.Errorf("%s %s: %s", a.ID(), params, res.Text)
			return
		}
		if len(w.lines) != 1 || w.lines[0] != res.Request {
			t.Errorf("%s: sent %v, says %q", a.ID(), w.lines, res.Request)
		}
	})
}

func TestAllActionsPreview(t *testing.T) {
	w := wholeWorld(t)
	requests(t, w, func(a catalog.Action, params string) {
		res := w.do(t, a.ID(), params, dryRun)
		var p struct {
			Method, URL string
			Headers     map[string]string
		}
		if err := json.Unmarshal(res.Structured, &p); err != nil || res.IsError {
			t.Errorf("%s %s: %v %s", a.ID(), params, err, res.Text)
			return
		}
		if !strings.HasPrefix(p.URL, w.url+"/api/") || p.Method == "" || (a.Method() != "GRAPHQL" && p.Method != a.Method()) {
			t.Errorf("%s: %s %s", a.ID(), p.Method, p.URL)
		}
		for h := range p.Headers {
			if slices.Contains([]string{"Authorization", "Private-Token", "Job-Token"}, http.CanonicalHeaderKey(h)) {
				t.Errorf("%s: the preview shows %s", a.ID(), h)
			}
		}
	})
	if n := len(w.sent()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

func TestAllActionsReadOnly(t *testing.T) {
	w := wholeWorld(t, func(p *policy.Config, x *exec.Config, _ *gitlab.Config) {
		p.ReadOnly = true
		x.SkipConfirmation = true
	})
	w.reply = jsonReply(200, `{}`)
	var byPost []string
	requests(t, w, func(a catalog.Action, params string) {
		w.lines = w.lines[:0]
		res := w.do(t, a.ID(), params, confirm)
		if !a.ReadOnly() {
			if f := failureOf(t, res); f.Code != string(exec.CodeReadOnly) {
				t.Errorf("%s: code %s", a.ID(), f.Code)
			}
		}
		for _, line := range w.lines {
			if method, _, _ := strings.Cut(line, " "); method != "GET" && method != "HEAD" && a.Method() != "GRAPHQL" {
				byPost = append(byPost, a.ID())
			}
		}
	})
	slices.Sort(byPost)
	if !slices.Equal(byPost, readsByPost) {
		t.Errorf("actions that a read-only server sends with a method of writes: %v, reviewed are %v", byPost, readsByPost)
	}
}

func TestAllActionsSafeMode(t *testing.T) {
	w := wholeWorld(t, func(p *policy.Config, _ *exec.Config, _ *gitlab.Config) { p.SafeMode = true })
	requests(t, w, func(a catalog.Action, params string) {
		if a.ReadOnly() {
			return
		}
		if res := w.do(t, a.ID(), params, confirm); res.IsError {
			t.Errorf("%s: %s", a.ID(), res.Text)
		}
	})
	if n := len(w.sent()); n != 0 {
		t.Errorf("%d requests were sent: %v", n, w.sent()[:1])
	}
}

// A write whose connection breaks, or that GitLab fails to do, is sent once and never
// again; the error says that it may have had its effect.
func TestAllWritesAreSentOnce(t *testing.T) {
	w := wholeWorld(t)
	cut := func(rw http.ResponseWriter, _ *http.Request) {
		if conn, _, err := rw.(http.Hijacker).Hijack(); err == nil {
			conn.Close()
		}
	}
	requests(t, w, func(a catalog.Action, params string) {
		if a.ReadOnly() {
			return
		}
		for code, reply := range map[string]http.HandlerFunc{"outcome_unknown": cut, "gitlab": jsonReply(500, `{"message":"500 Internal Server Error"}`)} {
			w.mu.Lock()
			w.lines, w.reply = w.lines[:0], reply
			w.mu.Unlock()
			f := failureOf(t, w.do(t, a.ID(), params, confirm))
			if n := len(w.sent()); n != 1 || f.Code != code || !strings.Contains(f.Hint, "before repeating") {
				t.Errorf("%s: sent %d times, %s, hint %q", a.ID(), n, f.Code, f.Hint)
			}
		}
	})
}

func TestAllDestructiveActionsAsk(t *testing.T) {
	w := wholeWorld(t)
	n := 0
	requests(t, w, func(a catalog.Action, params string) {
		if !a.Destructive() {
			return
		}
		n++
		if f := failureOf(t, w.do(t, a.ID(), params)); f.Code != string(exec.CodeConfirmation) || !strings.Contains(f.Message, a.Title()) {
			t.Errorf("%s: %s %s", a.ID(), f.Code, f.Message)
		}
	})
	if n < 100 || len(w.sent()) != 0 {
		t.Errorf("%d destructive actions, sent %v", n, w.sent())
	}
}

// colons is a path template with its parameters in the other spelling and
// without /api/v4.
func colons(path string) string {
	path = strings.ReplaceAll(strings.TrimPrefix(path, "/api/v4"), "{/", "/{")
	return regexp.MustCompile(`\{([^}]*)\}`).ReplaceAllString(path, ":$1")
}

func TestAllLocalArgumentsAreUnderstood(t *testing.T) {
	for a := range wholeWorld(t).Catalog().All() {
		for p := range a.Params() {
			if p.In() == catalog.InLocal && a.Handler() != nil && !slices.Contains(exec.Locals, p.Name()) && own.Helper(a.ID()) == nil {
				t.Errorf("%s: nothing reads the local argument %s", a.ID(), p.Name())
			}
		}
	}
}

// Every name in the catalog leads somewhere, and no name of GitLab's own for
// an action is lost.
func TestAllNamesResolve(t *testing.T) {
	w := wholeWorld(t)
	for a := range w.Catalog().All() {
		names := []string{a.ID()}
		if a.OperationID() != "" {
			names = append(names, a.OperationID())
		}
		if a.Path() != "" {
			names = append(names, a.Method()+" "+colons(a.Path()))
		}
		for _, name := range names {
			if res := w.do(t, name, `{"no_such_parameter":1}`, dryRun); res.Action != a.ID() {
				t.Errorf("%s leads to %q", name, res.Action)
			}
		}
	}
	for al := range w.Catalog().Aliases() {
		f := failureOf(t, w.do(t, al.Name(), `{"no_such_parameter":1}`, dryRun))
		want := exec.CodeInvalidParams
		switch al.NumTargets() {
		case 0:
			want = exec.CodeNoCounterpart
		case 1:
		default:
			want = exec.CodeAmbiguous
		}
		for when, id := range al.By() {
			if when == "" {
				want = exec.CodeInvalidParams
				continue
			}
			name, value, _ := strings.Cut(when, "=")
			params, err := json.Marshal(map[string]string{name: cmp.Or(value, "1")})
			if err != nil {
				t.Fatal(err)
			}
			if res := w.do(t, al.Name(), string(params), dryRun); res.Action != id {
				t.Errorf("alias %s with %s leads to %q, want %s", al.Name(), when, res.Action, id)
			}
		}
		if f.Code != string(want) {
			t.Errorf("alias %s: %s %s, want %s", al.Name(), f.Code, f.Message, want)
		}
	}
}

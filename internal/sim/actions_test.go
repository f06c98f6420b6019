package sim

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"gitlab-mcp-server/generated"
	"gitlab-mcp-server/internal/arg"
	wire "gitlab-mcp-server/internal/call"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/scan"
)

func fullCatalog() *catalog.Catalog { return catalog.New(generated.Tables()) }

// request builds the HTTP request of an action the way the server does.
func request(a catalog.Action, params string) (*http.Request, error) {
	var r arg.Reader
	if err := r.Reset([]byte(params)); err != nil {
		return nil, err
	}
	var q wire.Request
	if err := a.Handler()(&r, &q); err != nil {
		return nil, err
	}
	var body bytes.Buffer
	switch {
	case q.Raw() != nil:
		body.Write(q.Raw().Content)
	case q.Parts() != nil:
		noFiles := func(path string) (io.ReadCloser, error) { return nil, fmt.Errorf("no file %s", path) }
		if err := q.WriteForm(&body, noFiles); err != nil {
			return nil, err
		}
	default:
		body.Write(q.JSON())
	}
	target := q.Path()
	if query := q.RawQuery(); query != "" {
		target += "?" + query
	}
	req := httptest.NewRequest(q.Method(), target, &body)
	if ct := q.ContentType(); ct != "" {
		req.Header.Set("Content-Type", ct)
	}
	req.Header.Set("Authorization", "Bearer "+Token)
	return req, nil
}

func serve(s http.Handler, req *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, req)
	return w
}

// contradicted are actions whose example the company contradicts, and why.
func contradicted() map[string]string {
	return map[string]string{
		"commit.revert":           "the commit is not on the branch",
		"job.cancel":              "the job has ended",
		"merge_request.unapprove": "nobody approved",
		"project.unstar":          "it has no star of the caller",
		"user.unban":              "the user is active",
		"user.unblock":            "the user is active",
	}
}

// Every action's example is answered with a success of the declared kind by a
// GitLab that makes up what it is asked for.
func TestEveryAction(t *testing.T) {
	cat := fullCatalog()
	routes := buildRoutes(cat)
	known := contradicted()
	n := 0
	reads := New(cat, Options{Invent: true})
	reads.root = routes
	for a := range cat.All() {
		if a.Handler() == nil || a.Path() == "" {
			continue // no REST operation
		}
		n++
		req, err := request(a, cmp.Or(a.Example(), "{}"))
		if err != nil {
			t.Errorf("%s %s: %v", a.ID(), a.Example(), err)
			continue
		}
		line := a.ID() + ": " + req.Method + " " + req.RequestURI
		s := reads // a company of its own for all that changes something
		if !a.ReadOnly() {
			s = New(cat, Options{Invent: true})
			s.root = routes
		}
		w := serve(s, req)
		if known[a.ID()] != "" {
			delete(known, a.ID())
			if w.Code < 300 {
				t.Errorf("%s: %d; take it off the list", line, w.Code)
			} else if err := scan.Valid(w.Body.String()); err != nil && w.Code != http.StatusNotModified {
				t.Errorf("%s: %d, %v", line, w.Code, err)
			}
			continue
		}
		if w.Code < 200 || w.Code > 299 {
			t.Errorf("%s: %d %s", line, w.Code, w.Body)
			continue
		}
		checkKind(t, line, a.Kind(), w)
	}
	for id, why := range known {
		t.Errorf("%s is no action (%s)", id, why)
	}
	t.Logf("%d actions", n)
}

func checkKind(t *testing.T, line string, kind catalog.Kind, w *httptest.ResponseRecorder) {
	t.Helper()
	body := w.Body.String()
	switch kind {
	case catalog.Object:
		if k := scan.KindOf(body); w.Code != http.StatusNoContent && k != scan.Object && k != scan.True {
			t.Errorf("%s: no object: %.80s", line, body)
		}
	case catalog.List:
		if scan.KindOf(body) != scan.Array {
			t.Errorf("%s: no list: %.80s", line, body)
		}
	}
	if strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") && body != "" {
		if err := scan.Valid(body); err != nil {
			t.Errorf("%s: %v: %.80s", line, err, body)
		}
	}
}

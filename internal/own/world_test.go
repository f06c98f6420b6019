package own_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"gitlab-mcp-server/generated"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/exec"
	"gitlab-mcp-server/internal/gitlab"
	"gitlab-mcp-server/internal/own"
	"gitlab-mcp-server/internal/policy"
)

// world is an executor over the whole catalog in front of a GitLab that records
// what is asked and answers from a table of paths.
type world struct {
	*exec.Executor
	url     string
	answers map[string]string // by "GET /api/v4/…" without the query, or "POST /api/graphql"
	slept   []time.Duration

	mu    sync.Mutex
	lines []string
	body  []string
}

type options struct {
	policy policy.Config
	exec   exec.Config
	base   string // path of a sub-path install
}

func newWorld(t *testing.T, answers map[string]string, change ...func(*options)) *world {
	t.Helper()
	w := &world{answers: answers}
	srv := httptest.NewServer(http.HandlerFunc(w.serve))
	t.Cleanup(srv.Close)
	var o options
	for _, f := range change {
		f(&o)
	}
	w.url = srv.URL + o.base
	ours := &own.Actions{Version: "1.2.3", Surface: "dynamic", Sleep: func(ctx context.Context, d time.Duration) error {
		w.slept = append(w.slept, d)
		return ctx.Err()
	}}
	o.exec.Own, o.exec.Helpers = ours.Action, own.Helper
	cat := catalog.New(generated.Tables())
	p, err := policy.New(cat, o.policy)
	if err != nil {
		t.Fatal(err)
	}
	c, err := gitlab.New(gitlab.Config{BaseURL: w.url, RetryWait: time.Millisecond, Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	w.Executor = exec.New(cat, p, c, o.exec)
	return w
}

func (w *world) serve(rw http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(rw, err.Error(), http.StatusBadRequest)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines = append(w.lines, r.Method+" "+r.RequestURI)
	w.body = append(w.body, string(body))
	path, _, _ := strings.Cut(r.RequestURI, "?")
	answer, ok := w.answers[r.Method+" "+path]
	rw.Header().Set("Content-Type", "application/json")
	if !ok {
		rw.WriteHeader(http.StatusNotFound)
		answer = `{"message":"404 Not found"}`
	}
	// Several answers, one a call; the last one stays.
	if first, rest, several := strings.Cut(answer, "\n"); several {
		w.answers[r.Method+" "+path] = rest
		answer = first
	}
	io.WriteString(rw, answer)
}

func (w *world) sent() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string(nil), w.lines...)
}

func (w *world) do(t *testing.T, action, params string, change ...func(*exec.Call)) exec.Result {
	t.Helper()
	c := exec.Call{Action: action, Params: json.RawMessage(params)}
	for _, f := range change {
		f(&c)
	}
	res := w.Execute(t.Context(), c)
	if !json.Valid(res.Structured) || res.Text == "" {
		t.Errorf("result %s\n%s", res.Structured, res.Text)
	}
	return res
}

// failure is the error of a result.
func failure(t *testing.T, res exec.Result) (f struct{ Code, Message, Hint string }) {
	t.Helper()
	var out struct {
		Error *struct{ Code, Message, Hint string }
	}
	if err := json.Unmarshal(res.Structured, &out); err != nil || out.Error == nil || !res.IsError {
		t.Fatalf("no failure: %s", res.Structured)
	}
	return *out.Error
}

func dryRun(c *exec.Call)  { c.DryRun = true }
func confirm(c *exec.Call) { c.Confirm = true }

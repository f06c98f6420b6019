package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// result is what one run of the program leaves behind.
type result struct {
	code           int
	stdout, stderr string
}

func run(t *testing.T, environ []string, stdin string, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	a := &app{stdin: strings.NewReader(stdin), stdout: &stdout, stderr: &stderr, environ: environ}
	code := a.run(context.Background(), args)
	return result{code, stdout.String(), stderr.String()}
}

func TestUsage(t *testing.T) {
	dir := t.TempDir()
	notJSON := filepath.Join(dir, "x.json")
	if err := os.WriteFile(notJSON, []byte("[]"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		environ []string
		args    []string
		code    int
		want    string // in stderr, or in stdout where the code is 0
	}{
		{"help flag", nil, []string{"--help"}, exitOK, "--exclude-tools"},
		{"help", nil, []string{"help"}, exitOK, "catalog list|show ID|diff OLD NEW"},
		{"help of a command", nil, []string{"find", "-h"}, exitOK, "usage:"},
		{"version flag", nil, []string{"--version"}, exitOK, "gitlab-mcp-server "},
		{"version", nil, []string{"version", "--json"}, exitOK, `"gitlab_spec":"`},
		{"unknown command", nil, []string{"serve"}, exitUsage, `unknown command "serve"`},
		{"unknown flag", nil, []string{"--read-onyl"}, exitUsage, "did you mean --read-only?"},
		{"flag without value", nil, []string{"find", "x", "--limit"}, exitUsage, "limit"},
		{"no query", nil, []string{"find"}, exitUsage, "needs a query"},
		{"empty query", nil, []string{"find", ""}, exitUsage, "the query is empty"},
		{"limit", nil, []string{"find", "x", "--limit", "51"}, exitUsage, "from 1 to 50"},
		{"no action", nil, []string{"execute"}, exitUsage, "needs an action"},
		{"no object", nil, []string{"execute", "issue.list", "--params", "[]"}, exitUsage, "no JSON object"},
		{"no file", nil, []string{"execute", "issue.list", "--params", "@" + dir + "/none"}, exitUsage, "no such file"},
		{"catalog", nil, []string{"catalog"}, exitUsage, "catalog needs one of"},
		{"catalog word", nil, []string{"catalog", "lits"}, exitUsage, "catalog needs one of"},
		{"no dump", nil, []string{"catalog", "diff", notJSON, notJSON}, exitUsage, "read catalog"},
		{"setting", []string{"GITLAB_READONLY=1"}, []string{"find", "issue"}, exitUsage, "did you mean GITLAB_READ_ONLY?"},
		{"setting of the server", []string{"GITLAB_READ_ONLY=maybe"}, nil, exitUsage, "no boolean"},
		{"http", nil, []string{"--http"}, exitUsage, "not in this build"},
		{"exclusion", []string{"EXCLUDE_TOOLS=isue.list"}, nil, exitUsage, "issue.list"},
		{"certificates", []string{"GITLAB_CA_FILE=" + notJSON}, nil, exitUsage, "x.json"},
		{"unknown action", nil, []string{"execute", "no.such"}, exitFail, "unknown_action"},
		{"unknown id", nil, []string{"catalog", "show", "issue.lits"}, exitFail, "no action"},
		{"strange flag", nil, []string{"--colour"}, exitUsage, "unknown flag --colour\n"},
		{"unknown domain", nil, []string{"catalog", "list", "--domain", "isue"}, exitFail, "did you mean issue?"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := run(t, tt.environ, "", tt.args...)
			text, other := got.stderr, got.stdout
			if tt.code == exitOK {
				text, other = got.stdout, got.stderr
			}
			if got.code != tt.code || !strings.Contains(text, tt.want) || other != "" {
				t.Errorf("code %d, stdout %q, stderr %q; want %d with %q", got.code, got.stdout, got.stderr, tt.code, tt.want)
			}
		})
	}
}

// recorder is a GitLab that answers every request and notes it.
func recorder(t *testing.T, status int, body string) (url string, requests func() []string) {
	t.Helper()
	var mu sync.Mutex
	var seen []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		seen = append(seen, strings.TrimSpace(r.Method+" "+r.RequestURI+" "+string(data)))
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		io.WriteString(w, body)
	}))
	t.Cleanup(s.Close)
	return s.URL, func() []string { mu.Lock(); defer mu.Unlock(); return seen }
}

func TestExecute(t *testing.T) {
	url, requests := recorder(t, 200, `[{"iid":1,"title":"First"}]`)
	env := []string{"GITLAB_URL=" + url, "GITLAB_TOKEN=glpat-secret"}
	got := run(t, env, "", "execute", "merge_request.list", "--json", "--params", `{"project_id":"my-group/sub/my.project","state":"opened"}`)
	var list struct{ Items []struct{ IID int } }
	if err := json.Unmarshal([]byte(got.stdout), &list); err != nil || got.code != exitOK || len(list.Items) != 1 {
		t.Errorf("result %+v, %v", got, err)
	}
	want := "GET /api/v4/projects/my-group%2Fsub%2Fmy.project/merge_requests?state=opened"
	if r := requests(); len(r) != 1 || r[0] != want {
		t.Errorf("requests %q, want exactly %q", r, want)
	}

	got = run(t, env, `{"project_id":1,"merge_request_iid":7}`, "execute", "--params", "-", "merge_request.delete")
	if got.code != exitFail || !strings.Contains(got.stderr, "needs_confirmation") || len(requests()) != 1 {
		t.Errorf("unconfirmed: %+v, requests %q", got, requests())
	}
	got = run(t, env, "", "execute", "merge_request.delete", "--dry-run", "--params", `{"project_id":1,"merge_request_iid":7}`)
	if got.code != exitOK || !strings.Contains(got.stdout, "DELETE "+url+"/api/v4/projects/1/merge_requests/7") || len(requests()) != 1 {
		t.Errorf("dry run: %+v, requests %q", got, requests())
	}
	if got := run(t, env, "", "--read-only", "execute", "merge_request.delete", "--confirm", "--params", `{"project_id":1,"merge_request_iid":7}`); got.code != exitFail || !strings.Contains(got.stderr, "read_only") {
		t.Errorf("read-only: %+v", got)
	}
	if strings.Contains(got.stdout+got.stderr, "glpat-secret") {
		t.Error("a token shows")
	}
}

func TestFindExactID(t *testing.T) {
	got := run(t, nil, "", "find", "--json", "merge_request.list")
	var reply struct {
		Results []struct {
			ID          string
			InputSchema json.RawMessage `json:"input_schema"`
		}
	}
	if err := json.Unmarshal([]byte(got.stdout), &reply); err != nil || got.code != exitOK {
		t.Fatalf("%+v, %v", got, err)
	}
	if len(reply.Results) == 0 || reply.Results[0].ID != "merge_request.list" || !json.Valid(reply.Results[0].InputSchema) {
		t.Errorf("results %+v", reply.Results)
	}
	if got := run(t, nil, "", "find", "merge_request.list"); got.code != exitOK || !strings.Contains(got.stdout, "SCORE") {
		t.Errorf("table: %+v", got)
	}
}

func TestCatalog(t *testing.T) {
	got := run(t, nil, "", "catalog", "list", "--json")
	if got.code != exitOK || !json.Valid([]byte(got.stdout)) {
		t.Fatalf("code %d, %d bytes", got.code, len(got.stdout))
	}
	dump := filepath.Join(t.TempDir(), "dump.json")
	if err := os.WriteFile(dump, []byte(got.stdout), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := run(t, nil, "", "catalog", "diff", dump, dump); got.code != exitOK || !strings.Contains(got.stdout, "0 changes") {
		t.Errorf("diff with itself: %+v", got)
	}
	less := run(t, []string{"EXCLUDE_TOOLS=issue.list"}, "", "catalog", "list", "--json")
	fewer := filepath.Join(t.TempDir(), "fewer.json")
	if err := os.WriteFile(fewer, []byte(less.stdout), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := run(t, nil, "", "catalog", "diff", dump, fewer, "--fail-on-breaking"); got.code != exitFail || !strings.Contains(got.stdout, "issue.list") {
		t.Errorf("diff without issue.list: %+v", got)
	}
	if got := run(t, nil, "", "catalog", "show", "issue.list"); got.code != exitOK || !strings.Contains(got.stdout, "project_id *") {
		t.Errorf("show: %+v", got)
	}
	if got := run(t, nil, "", "catalog", "show", "issue.list", "--json"); got.code != exitOK || !json.Valid([]byte(got.stdout)) {
		t.Errorf("show --json: %+v", got)
	}
	if got := run(t, nil, "", "catalog", "list", "--domain", "issue"); got.code != exitOK || strings.Contains(got.stdout, "merge_request.list") {
		t.Errorf("list of a domain: %+v", got)
	}
}

// The server over stdio: what stands on stdout is messages alone.
func TestServe(t *testing.T) {
	url, _ := recorder(t, 200, `{}`)
	in := hello + `{"jsonrpc":"2.0","id":1,"method":"tools/list"}
`
	got := run(t, []string{"GITLAB_URL=" + url}, in)
	lines := strings.Split(strings.TrimSpace(got.stdout), "\n")
	if got.code != exitOK || len(lines) != 2 {
		t.Fatalf("%+v", got)
	}
	for _, l := range lines {
		if !json.Valid([]byte(l)) || !strings.HasPrefix(l, `{"jsonrpc":"2.0","id":`) {
			t.Errorf("stdout has %q", l)
		}
		if tokens := len(l) / 4; tokens >= 900 {
			t.Errorf("%.60s… costs %d tokens", l, tokens)
		}
	}
	if !strings.Contains(got.stderr, strings.TrimPrefix(url, "http://")) {
		t.Errorf("the log does not name the host: %s", got.stderr)
	}
}

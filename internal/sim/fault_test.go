package sim_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"gitlab-mcp-server/generated"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/exec"
	"gitlab-mcp-server/internal/gitlab"
	"gitlab-mcp-server/internal/policy"
	"gitlab-mcp-server/internal/sim"
)

// stack is the server's own way from a call to a simulated GitLab.
func stack(t *testing.T, opts sim.Options, cfg gitlab.Config) (*sim.Sim, *exec.Executor) {
	t.Helper()
	cat := catalog.New(generated.Tables())
	opts.Record = true
	s := sim.New(cat, opts)
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	cfg.BaseURL = server.URL
	if cfg.Credential.Token == "" {
		cfg.Credential.Token = sim.Token
	}
	cfg.RetryWait = time.Millisecond
	client, err := gitlab.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	rules, err := policy.New(cat, policy.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return s, exec.New(cat, rules, client, exec.Config{})
}

const (
	readCall  = "issue.get"
	writeCall = "issue_note.create"
	fileCall  = "job_artifact.download"
)

func params(action string) json.RawMessage {
	return json.RawMessage(map[string]string{
		readCall:  `{"project_id":"acme/webshop","issue_iid":12}`,
		writeCall: `{"project_id":"acme/webshop","issue_iid":12,"body":"Seen."}`,
		fileCall:  `{"project_id":"acme/webshop","job_id":126}`,
	}[action])
}

// notes is how many notes the issue has: what a write has really done.
func notes(t *testing.T, s *sim.Sim) int {
	t.Helper()
	s.ClearFaults()
	req := httptest.NewRequest(http.MethodGet, "/api/v4/projects/1/issues/12/notes", nil)
	req.Header.Set("PRIVATE-TOKEN", sim.Token)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, req)
	var list []json.RawMessage
	if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil {
		t.Fatalf("%v: %s", err, w.Body)
	}
	return len(list)
}

// What goes wrong at GitLab is repeated where that is safe, and reported as what
// it is. No write reaches GitLab twice.
func TestFaults(t *testing.T) {
	const before = 4 // notes of the issue
	tests := []struct {
		name     string
		fault    sim.Fault
		action   string
		code     string // empty: the call succeeds
		requests int
		notes    int
	}{
		{"read, rate limit that ends", sim.RateLimited(0, 2), readCall, "", 3, before},
		{"write, rate limit that ends", sim.RateLimited(0, 1), writeCall, "", 2, before + 1},
		{"read, rate limit longer than the cap", sim.RateLimited(3600, 0), readCall, "rate_limited", 1, before},
		{"write, rate limit longer than the cap", sim.RateLimited(3600, 0), writeCall, "rate_limited", 1, before},
		{"read, 500 that ends", sim.Fault{Status: 500, Times: 2}, readCall, "", 3, before},
		{"read, 500 for ever", sim.Fault{Status: 500}, readCall, "gitlab", 4, before},
		{"write, 500", sim.Fault{Status: 500, Times: 1}, writeCall, "", 1, before},
		{"write, 500 after the work", sim.Fault{Status: 500, Times: 1, Late: true}, writeCall, "", 1, before + 1},
		{"read, cut once", sim.Fault{Cut: true, Times: 1}, readCall, "", 2, before},
		{"read, cut in the middle", sim.Fault{Cut: true, Status: 200, Body: `{"iid":12,"title":"Checkout"}`, Times: 1}, readCall, "", 2, before},
		{"write, cut before the work", sim.Fault{Cut: true, Times: 1}, writeCall, "outcome_unknown", 1, before},
		{"write, cut after the work", sim.Fault{Cut: true, Late: true, Times: 1}, writeCall, "outcome_unknown", 1, before + 1},
		{"read, page of a proxy", sim.Page(200), readCall, "gitlab", 1, before},
		{"write, page of a proxy", sim.Page(200), writeCall, "outcome_unknown", 1, before},
		{"read, page with an error", sim.Page(403), readCall, "gitlab", 1, before},
		{"read, sign-in page", sim.SignIn(), readCall, "gitlab", 1, before},
		{"write, sign-in page", sim.SignIn(), writeCall, "gitlab", 1, before},
		{"read, another host", sim.RedirectTo(302, "https://elsewhere.example.com/api/v4/x"), readCall, "gitlab", 1, before},
		{"write, another host", sim.RedirectTo(307, "https://elsewhere.example.com/api/v4/x"), writeCall, "gitlab", 1, before},
		{"download, another host without https", sim.RedirectTo(302, "http://elsewhere.example.com/file"), fileCall, "gitlab", 1, before},
		{"write, same host keeps the method", sim.Fault{Status: 307, Header: http.Header{"Location": {"/api/v4/projects/1/issues/12/notes"}}, Body: "{}", Times: 1}, writeCall, "", 2, before + 1},
		{"other paths", sim.Fault{Status: 500, Path: "/api/v4/groups/*"}, readCall, "", 1, before},
		{"other methods", sim.Fault{Status: 500, Method: "POST"}, readCall, "", 1, before},
		{"later", sim.Fault{Status: 404, Skip: 1}, readCall, "", 1, before},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, x := stack(t, sim.Options{Faults: []sim.Fault{tt.fault}}, gitlab.Config{MaxRetryWait: 5 * time.Second})
			res := x.Execute(context.Background(), exec.Call{Action: tt.action, Params: params(tt.action)})
			code := codeOf(t, res)
			// A 500 to a write is an answer, whatever name it gets.
			if want := tt.code; code != want && !(strings.HasPrefix(tt.name, "write, 500") && code != "") {
				t.Errorf("code %q, want %q: %s", code, want, res.Text)
			}
			if sent := s.Requests(); len(sent) != tt.requests {
				t.Errorf("%d requests, want %d: %v", len(sent), tt.requests, sent)
			}
			if n := notes(t, s); n != tt.notes {
				t.Errorf("%d notes, want %d", n, tt.notes)
			}
		})
	}
}

func codeOf(t *testing.T, res exec.Result) string {
	t.Helper()
	var s struct{ Error struct{ Code string } }
	if err := json.Unmarshal(res.Structured, &s); err != nil {
		t.Fatalf("%v: %s", err, res.Structured)
	}
	if res.IsError != (s.Error.Code != "") {
		t.Errorf("error %v with code %q", res.IsError, s.Error.Code)
	}
	return s.Error.Code
}

// A slow GitLab meets the deadline of the whole call.
func TestSlow(t *testing.T) {
	s, x := stack(t, sim.Options{Faults: []sim.Fault{{Delay: time.Hour}}}, gitlab.Config{Timeout: 20 * time.Millisecond, Retries: -1})
	for action, want := range map[string]string{readCall: "timeout", writeCall: "outcome_unknown"} {
		s.Forget()
		if code := codeOf(t, x.Execute(context.Background(), exec.Call{Action: action, Params: params(action)})); code != want {
			t.Errorf("%s: code %q, want %q", action, code, want)
		}
		if n := len(s.Requests()); n != 1 {
			t.Errorf("%s: %d requests", action, n)
		}
	}
}

// A token that may only read is told so, and a wrong one too.
func TestGrants(t *testing.T) {
	grants := []sim.Grant{{Token: "reads", Scopes: []string{"read_api"}}}
	for _, tt := range []struct {
		token, action string
		want          string
	}{
		{"reads", readCall, ""},
		{"reads", writeCall, "403"},
		{"wrong", readCall, "401"},
	} {
		_, x := stack(t, sim.Options{Tokens: grants}, gitlab.Config{Credential: gitlab.Credential{Token: tt.token}})
		res := x.Execute(context.Background(), exec.Call{Action: tt.action, Params: params(tt.action)})
		var s struct{ Error struct{ Status int } }
		if err := json.Unmarshal(res.Structured, &s); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimPrefix(fmt.Sprint(s.Error.Status), "0"); got != tt.want {
			t.Errorf("%s with token %s: status %q, want %q", tt.action, tt.token, got, tt.want)
		}
	}
}

// A renamed project is found under its old path by reads.
func TestRenamedProject(t *testing.T) {
	s, x := stack(t, sim.Options{}, gitlab.Config{})
	res := x.Execute(context.Background(), exec.Call{Action: readCall, Params: json.RawMessage(`{"project_id":"acme/old-shop","issue_iid":12}`)})
	if res.IsError || !strings.Contains(res.Text, "Checkout fails") {
		t.Errorf("%s", res.Text)
	}
	if n := len(s.Requests()); n != 2 {
		t.Errorf("%d requests, want one and its redirect", n)
	}
}

// All pages of a list come, by number and by cursor.
func TestAllPages(t *testing.T) {
	for _, p := range []string{`{"project_id":"acme/webshop","all_pages":true}`, `{"project_id":"acme/webshop","all_pages":true,"pagination":"keyset"}`} {
		_, x := stack(t, sim.Options{}, gitlab.Config{})
		res := x.Execute(context.Background(), exec.Call{Action: "issue.list", Params: json.RawMessage(p), Fields: []string{"iid"}})
		var s struct{ Items []json.RawMessage }
		if err := json.Unmarshal(res.Structured, &s); err != nil || len(s.Items) != 40 {
			t.Errorf("%s: %d items, %v: %.200s", p, len(s.Items), err, res.Text)
		}
	}
}

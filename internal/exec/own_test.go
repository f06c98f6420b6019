package exec_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/call"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/exec"
	"gitlab-mcp-server/internal/gitlab"
	"gitlab-mcp-server/internal/policy"
)

// query is an action of our own whose risk depends on its argument.
type query struct{}

func (query) Plan(_ *exec.Env, r *arg.Reader) (exec.Plan, error) {
	text := r.String("query", arg.Required).V
	if err := r.Err(); err != nil {
		return exec.Plan{}, err
	}
	q := new(call.Request)
	q.Start("POST")
	q.Literal("/api/graphql")
	q.Body(false).String("query", text)
	p := exec.Plan{Requests: []*call.Request{q}, Target: "a GraphQL document"}
	if strings.HasPrefix(text, "mutation") {
		p.Risk = catalog.Destroy
	}
	return p, nil
}

func (query) Run(ctx context.Context, env *exec.Env, p exec.Plan) (exec.Answer, error) {
	send := env.Get
	if p.Risk != catalog.Read {
		send = env.Send
	}
	resp, err := send(ctx, p.Requests[0])
	if err != nil {
		return exec.Answer{}, err
	}
	return exec.Answer{Body: resp.Body}, nil
}

func withOwn(_ *policy.Config, x *exec.Config, _ *gitlab.Config) {
	x.Own = func(id string) exec.Own {
		if id == "graphql.query" {
			return query{}
		}
		return nil
	}
}

func TestOwnActions(t *testing.T) {
	const read, write = `{"query":"{ currentUser { id } }"}`, `{"query":"mutation { x }"}`
	readOnly := func(p *policy.Config, _ *exec.Config, _ *gitlab.Config) { p.ReadOnly = true }
	safe := func(p *policy.Config, _ *exec.Config, _ *gitlab.Config) { p.SafeMode = true }
	tests := []struct {
		name    string
		params  string
		options []option
		change  func(*exec.Call)
		sent    int
		code    exec.Code
	}{
		{"read", read, nil, nil, 1, ""},
		{"write asks", write, nil, nil, 0, exec.CodeConfirmation},
		{"confirmed write", write, nil, confirm, 1, ""},
		{"write in read-only mode", write, []option{readOnly}, confirm, 0, exec.CodeReadOnly},
		{"read in read-only mode", read, []option{readOnly}, nil, 1, ""},
		{"write in safe mode", write, []option{safe}, confirm, 0, ""},
		{"dry run", write, nil, dryRun, 0, ""},
		{"problems", `{"qery":"x"}`, nil, nil, 0, exec.CodeInvalidParams},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, append(tt.options, withOwn)...)
			if tt.change == nil {
				tt.change = func(*exec.Call) {}
			}
			res := w.do(t, "graphql.query", tt.params, tt.change)
			if len(w.sent()) != tt.sent {
				t.Errorf("sent %v, want %d", w.sent(), tt.sent)
			}
			if tt.code != "" {
				if f := failureOf(t, res); f.Code != string(tt.code) {
					t.Errorf("code %s, want %s", f.Code, tt.code)
				}
			} else if res.IsError {
				t.Errorf("failed: %s", res.Text)
			}
		})
	}
	if f := failureOf(t, newWorld(t).do(t, "server.status", `{}`)); f.Code != string(exec.CodeWithheld) || !strings.Contains(f.Message, "not in this build") {
		t.Errorf("an action without code: %+v", f)
	}
}

func TestHelpers(t *testing.T) {
	helper := func(ctx context.Context, env *exec.Env, r *arg.Reader) error {
		q := new(call.Request)
		q.Start("GET")
		q.Literal("/api/v4/help")
		title := `"read first"`
		if _, err := env.Get(ctx, q); err == exec.ErrDryRun {
			title = `"{title}"`
		} else if err != nil {
			return err
		}
		r.Put("title", []byte(title))
		return nil
	}
	with := func(_ *policy.Config, x *exec.Config, _ *gitlab.Config) {
		x.Helpers = func(id string) exec.Helper {
			if id == "issue.create" {
				return helper
			}
			return nil
		}
	}
	w := newWorld(t, with)
	if res := w.do(t, "issue.create", `{"project_id":1}`, dryRun); len(w.sent()) != 0 || !strings.Contains(string(res.Structured), "{title}") {
		t.Errorf("dry run sent %v: %s", w.sent(), res.Structured)
	}
	w.do(t, "issue.create", `{"project_id":1}`)
	if len(w.sent()) != 2 || w.body[1] != `{"title":"read first"}` {
		t.Errorf("sent %v %v", w.sent(), w.body)
	}
}

func FuzzExecute(f *testing.F) {
	f.Add("issue.get", `{"url":"https://gitlab.example.com/g/p/-/issues/1"}`)
	f.Add("file.get", `{"url":"HOST/g/p/-/blob/main/a#L1-2","ref":"main"}`)
	f.Add("GET /projects/:id/(-/)x", `{"id":"../.."}`)
	f.Add("issue.update", `{"project_id":1,"issue_iid":1,"state":"closed","confirm":null}`)
	f.Add("commit.create", `{"project_id":1,"branch":"b","actions":[{"action":{}}]}`)
	f.Add("protected_branch.protect", `{"project_id":1,"name":"x","allowed_to_push":"[{\"access_level\":\"owner\"}]"}`)
	f.Fuzz(func(t *testing.T, action, params string) {
		w := newWorld(t, func(_ *policy.Config, x *exec.Config, _ *gitlab.Config) { x.GuardQuickActions = true })
		res := w.Execute(t.Context(), exec.Call{
			Action: action, Params: json.RawMessage(strings.ReplaceAll(params, "HOST", w.url)), DryRun: true,
		})
		if !json.Valid(res.Structured) || res.Structured[0] != '{' {
			t.Errorf("structured content %q", res.Structured)
		}
		if len(w.sent()) != 0 {
			t.Errorf("a dry run sent %v", w.sent())
		}
	})
}

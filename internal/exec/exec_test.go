package exec_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/exec"
	"gitlab-mcp-server/internal/gitlab"
	"gitlab-mcp-server/internal/policy"
)

func TestArgumentsBecomeOneRequest(t *testing.T) {
	tests := []struct {
		name, action, params string
		line, body           string // HOST is replaced in params
	}{
		{"path and query", "issue.list", `{"project_id":"my-group/sub/my.project","state":"opened","labels":["a b","c"]}`, "GET /api/v4/projects/my-group%2Fsub%2Fmy.project/issues?state=opened&labels=a%20b,c", ""},
		{"encoded already", "project.get", `{"project_id":"a%2Fb"}`, "GET /api/v4/projects/a%2Fb", ""},
		{"params as text", "project.get", `"{\"project_id\":1}"`, "GET /api/v4/projects/1", ""},
		{"body with one key", "issue.update", `{"project_id":1,"issue_iid":"2","title":"T","description":null}`, "PUT /api/v4/projects/1/issues/2", `{"title":"T"}`},
		{"explicit empty in a write", "issue.update", `{"project_id":1,"issue_iid":2,"description":""}`, "PUT /api/v4/projects/1/issues/2", `{"description":""}`},
		{"confirm inside params", "issue.delete", `{"project_id":1,"issue_iid":2,"confirm":true}`, "DELETE /api/v4/projects/1/issues/2", ""},
		{"id for the project", "issue.get", `{"id":"g/p","iid":3}`, "GET /api/v4/projects/g%2Fp/issues/3", ""},
		{"project_path", "issue.get", `{"project_path":"g/p","issue_iid":3}`, "GET /api/v4/projects/g%2Fp/issues/3", ""},
		{"null beside an alias", "issue.get", `{"project_id":null,"full_path":"g/p","issue_iid":3}`, "GET /api/v4/projects/g%2Fp/issues/3", ""},
		{"full_path of a group", "group.get", `{"full_path":"g/sub"}`, "GET /api/v4/groups/g%2Fsub", ""},
		{"mr_iid", "merge_request.get", `{"project":"g/p","mr_iid":"7"}`, "GET /api/v4/projects/g%2Fp/merge_requests/7", ""},
		{"text of a note", "issue_note.create", `{"project_id":1,"iid":2,"content":"hi <b>"}`, "POST /api/v4/projects/1/issues/2/notes", `{"body":"hi <b>"}`},
		{"description stays where it exists", "issue.create", `{"project_id":1,"title":"t","description":"d"}`, "POST /api/v4/projects/1/issues", `{"title":"t","description":"d"}`},
		{"query for search", "issue.list", `{"project_id":1,"query":"x"}`, "GET /api/v4/projects/1/issues?search=x", ""},
		{"value of an alias", "issue.update", `{"project_id":1,"issue_iid":2,"state":"closed"}`, "PUT /api/v4/projects/1/issues/2", `{"state_event":"close"}`},
		{"role name", "project_member.create", `{"project_id":1,"user_id":5,"access_level":"Developer"}`, "POST /api/v4/projects/1/members", `{"user_id":5,"access_level":30}`},
		{"role names inside", "protected_branch.protect", `{"project_id":1,"name":"main","allowed_to_push":[{"access_level":"maintainer"},{"access_level":0}]}`, "POST /api/v4/projects/1/protected_branches", `{"name":"main","allowed_to_push":[{"access_level":40},{"access_level":0}]}`},
		{"role name inside JSON text", "protected_branch.protect", `{"project_id":1,"name":"main","allowed_to_push":"[{\"access_level\":\"no access\"}]"}`, "POST /api/v4/projects/1/protected_branches", `{"name":"main","allowed_to_push":[{"access_level":0}]}`},
		{"per_page above 100", "issue.list", `{"project_id":1,"per_page":"500"}`, "GET /api/v4/projects/1/issues?per_page=100", ""},
		{"cursor", "project.list", `{"cursor":"42"}`, "GET /api/v4/projects?id_after=42&pagination=keyset", ""},
		{"URL of an issue", "issue.get", `{"url":"HOST/g/sub/p/-/issues/12?x=1#note_5"}`, "GET /api/v4/projects/g%2Fsub%2Fp/issues/12", ""},
		{"old URL of an issue", "issue.get", `{"url":"HOST/g/p/issues/12"}`, "GET /api/v4/projects/g%2Fp/issues/12", ""},
		{"URL as project_id", "issue.get", `{"project_id":"HOST/g/p","issue_iid":4}`, "GET /api/v4/projects/g%2Fp/issues/4", ""},
		{"URL as iid", "merge_request.get", `{"merge_request_iid":"HOST/g/p/-/merge_requests/9/diffs"}`, "GET /api/v4/projects/g%2Fp/merge_requests/9", ""},
		{"URL beside the same project", "issue.get", `{"project_id":"g/p","url":"HOST/g/p/-/issues/12"}`, "GET /api/v4/projects/g%2Fp/issues/12", ""},
		{"URL beside a numeric id", "issue.get", `{"project_id":7,"url":"HOST/g/p/-/issues/12"}`, "GET /api/v4/projects/7/issues/12", ""},
		{"URL of a file", "file.get", `{"url":"HOST/g/p/-/blob/main/dir/a%20b.go#L3-7"}`, "GET /api/v4/projects/g%2Fp/repository/files/dir%2Fa%20b.go?ref=main", ""},
		{"URL of a file, branch with an encoded slash", "file.get", `{"url":"HOST/g/p/-/blob/feat%2Fx/dir/a.go"}`, "GET /api/v4/projects/g%2Fp/repository/files/dir%2Fa.go?ref=feat%2Fx", ""},
		{"URL of a file, branch with a slash", "file.get", `{"ref":"feat/x","url":"HOST/g/p/-/blob/feat/x/dir/a.go"}`, "GET /api/v4/projects/g%2Fp/repository/files/dir%2Fa.go?ref=feat%2Fx", ""},
		{"URL of a group", "group.get", `{"url":"HOST/groups/g/sub"}`, "GET /api/v4/groups/g%2Fsub", ""},
		{"URL of the API", "issue.get", `{"url":"HOST/api/v4/projects/g%2Fp/issues/3"}`, "GET /api/v4/projects/g%2Fp/issues/3", ""},
		{"git remote", "project.get", `{"project_id":"git@127.0.0.1:g/sub/p.git"}`, "GET /api/v4/projects/g%2Fsub%2Fp", ""},
		{"ssh remote", "project.get", `{"url":"ssh://git@127.0.0.1:2222/g/p.git"}`, "GET /api/v4/projects/g%2Fp", ""},
		{"an argument that is called url", "project_hook.create", `{"project_id":1,"url":"https://hooks.example.com/x"}`, "POST /api/v4/projects/1/hooks", `{"url":"https://hooks.example.com/x"}`},
		{"fixed arguments of an alias", "issue.close", `{"project_id":1,"issue_iid":2}`, "PUT /api/v4/projects/1/issues/2", `{"state_event":"close"}`},
		{"alias by argument", "find_issues", `{"project_id":1}`, "GET /api/v4/projects/1/issues", ""},
		{"alias by another argument", "find_issues", `{"group_id":"g"}`, "GET /api/v4/groups/g/issues", ""},
		{"alias by value", "save_issue", `{"method":"READ","project_id":1,"issue_iid":2}`, "GET /api/v4/projects/1/issues/2", ""},
		{"alias by value in a list", "save_issue", `{"method":["read"],"project_id":1,"issue_iid":2}`, "GET /api/v4/projects/1/issues/2", ""},
		{"alias by what is left", "save_issue", `{"project_id":1,"issue_iid":2,"title":"x"}`, "PUT /api/v4/projects/1/issues/2", `{"title":"x"}`},
		{"renamed arguments of an alias", "get_issue", `{"repo":"g/p","issue_number":2}`, "GET /api/v4/projects/g%2Fp/issues/2", ""},
		{"operation id", "getApiV4ProjectsId", `{"id":1}`, "GET /api/v4/projects/1", ""},
		{"method and path", "GET /projects/:id/issues", `{"id":1}`, "GET /api/v4/projects/1/issues", ""},
		{"path with values", "GET /projects/5/issues/7", `{}`, "GET /api/v4/projects/5/issues/7", ""},
		{"path with values and an encoded slash", "get /api/v4/projects/g%2Fp/issues/7", `{}`, "GET /api/v4/projects/g%2Fp/issues/7", ""},
		{"path with a value and a placeholder", "GET /projects/5/issues/:issue_iid", `{"issue_iid":7}`, "GET /api/v4/projects/5/issues/7", ""},
		{"path with values, and an argument apart", "GET /projects/5/issues/7", `{"project_id":6}`, "GET /api/v4/projects/6/issues/7", ""},
		{"path with values, and an argument under another name", "GET /projects/5/issues/7", `{"id":6}`, "GET /api/v4/projects/6/issues/7", ""},
		{"path with values and a query", "`GET /projects/5/issues?state=opened&labels[]=a+b&labels[]=c&per_page=500`", `{}`, "GET /api/v4/projects/5/issues?state=opened&labels=a%20b,c&per_page=100", ""},
		{"template with a query", "GET /projects/:id/issues?state=opened", `{"id":1,"state":"closed"}`, "GET /api/v4/projects/1/issues?state=closed", ""},
		{"path with values of a write", "PUT /projects/5/issues/7", `{"title":"t"}`, "PUT /api/v4/projects/5/issues/7", `{"title":"t"}`},
		{"method and template", "delete /api/v4/projects/{id}/issues/{issue_iid}", `{"id":1,"issue_iid":2,"confirm":true}`, "DELETE /api/v4/projects/1/issues/2", ""},
		{"id in capitals", "Issue.Get", `{"project_id":1,"issue_iid":2}`, "GET /api/v4/projects/1/issues/2", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			res := w.do(t, tt.action, strings.ReplaceAll(tt.params, "HOST", w.url))
			if res.IsError {
				t.Fatalf("failed: %s", res.Text)
			}
			if diff := cmp.Diff([]string{tt.line}, w.sent()); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
			if len(w.body) == 1 && w.body[0] != tt.body {
				t.Errorf("body %s, want %s", w.body[0], tt.body)
			}
			if res.Request != tt.line {
				t.Errorf("request line %q, want %q", res.Request, tt.line)
			}
		})
	}
}

func TestNothingIsSent(t *testing.T) {
	tests := []struct {
		name, action, params string
		code                 exec.Code
		want                 []string // in the text
	}{
		{"unknown action", "isue.lst", `{}`, exec.CodeUnknownAction, []string{"issue.list"}},
		{"empty action", "", `{}`, exec.CodeUnknownAction, nil},
		{"alias by argument without one", "find_issues", `{}`, exec.CodeAmbiguous, []string{"issue.list", "issue.list_group"}},
		{"unknown value of the argument that chooses", "save_issue", `{"method":"burn","project_id":1,"issue_iid":2}`, exec.CodeInvalidParams, []string{"method"}},
		{"destructive by value", "save_issue", `{"method":"remove","project_id":1,"issue_iid":2}`, exec.CodeConfirmation, nil},
		{"ambiguous alias", "list_issues", `{}`, exec.CodeAmbiguous, []string{"issue.list", "issue.list_group"}},
		{"ambiguous path", "/projects/:id/issues", `{}`, exec.CodeAmbiguous, []string{"issue.list", "issue.create"}},
		{"ambiguous path with values", "/projects/5/issues", `{}`, exec.CodeAmbiguous, []string{"issue.list", "issue.create"}},
		{"path that nothing has", "GET /projects/5/nonsense/7", `{}`, exec.CodeUnknownAction, nil},
		{"path with values that climbs", "GET /projects/..%2F..%2Fuser", `{}`, exec.CodeInvalidParams, []string{"project_id"}},
		{"unknown name in the query of a path", "GET /projects/5/issues?stat=opened", `{}`, exec.CodeInvalidParams, []string{"stat", "state"}},
		{"destructive path with values", "DELETE /projects/5/issues/7", `{}`, exec.CodeConfirmation, []string{"5/issues/7"}},
		{"no counterpart", "gitlab_wipe_disk", `{}`, exec.CodeNoCounterpart, []string{"project.list shows projects"}},
		{"all problems at once", "issue.create", `{"titel":"x","weight":42.5,"nonsense":1}`, exec.CodeInvalidParams, []string{"titel", "title", "weight", "nonsense", "project_id"}},
		{"near enum value", "issue.list", `{"project_id":1,"state":"open"}`, exec.CodeInvalidParams, []string{"opened"}},
		{"path that climbs", "project.get", `{"project_id":"../../user"}`, exec.CodeInvalidParams, []string{"project_id"}},
		{"empty id", "project.get", `{"project_id":""}`, exec.CodeInvalidParams, []string{"project_id"}},
		{"params is no object", "project.get", `[1]`, exec.CodeInvalidParams, nil},
		{"params is no JSON", "project.get", `{"project_id":`, exec.CodeInvalidParams, nil},
		{"URL of another host", "issue.get", `{"url":"https://evil.example/g/p/-/issues/1"}`, exec.CodeInvalidParams, []string{"url"}},
		{"URL of another host as id", "project.get", `{"project_id":"https://evil.example/g/p"}`, exec.CodeInvalidParams, []string{"project_id"}},
		{"git remote of another host", "project.get", `{"project_id":"git@evil.example:g/p.git"}`, exec.CodeInvalidParams, []string{"project_id"}},
		{"URL against another argument", "issue.get", `{"project_id":"other/p","url":"HOST/g/p/-/issues/1"}`, exec.CodeInvalidParams, []string{"project_id"}},
		{"URL of something else", "group.get", `{"url":"HOST/-/profile"}`, exec.CodeInvalidParams, []string{"url"}},
		{"both names of one argument", "issue.get", `{"project_id":1,"id":2,"issue_iid":3}`, exec.CodeInvalidParams, []string{"id"}},
		{"narrow alias", "issue.close", `{"project_id":1,"issue_iid":2,"title":"x"}`, exec.CodeInvalidParams, []string{"title"}},
		{"alias against its fixed value", "issue.close", `{"project_id":1,"issue_iid":2,"state_event":"reopen"}`, exec.CodeInvalidParams, []string{"state_event"}},
		{"file by path without a directory", "project_upload.create", `{"project_id":1,"file":{"path":"/etc/passwd"}}`, exec.CodeInvalidParams, []string{"GITLAB_UPLOAD_DIRS"}},
		{"dry_run inside params", "issue.create", `{"project_id":1,"title":"t","dry_run":true}`, exec.CodeInvalidParams, []string{"dry_run"}},
		{"destructive without confirm", "issue.delete", `{"project_id":"g/p","issue_iid":2}`, exec.CodeConfirmation, []string{"Delete an issue", "g/p/issues/2", "confirm"}},
		{"destructive by alias", "delete_issue", `{"project_id":1,"issue_iid":2}`, exec.CodeConfirmation, nil},
		{"confirm: false", "issue.delete", `{"project_id":1,"issue_iid":2,"confirm":false}`, exec.CodeConfirmation, nil},
		{"destructive by argument", "commit.create", `{"project_id":1,"branch":"b","force":"true"}`, exec.CodeConfirmation, []string{"force"}},
		{"destructive by an inner argument", "commit.create", `{"project_id":1,"branch":"b","actions":[{"action":"create"},{"action":"delete"}]}`, exec.CodeConfirmation, []string{"actions"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			res := w.do(t, tt.action, strings.ReplaceAll(tt.params, "HOST", w.url))
			f := failureOf(t, res)
			if f.Code != string(tt.code) {
				t.Errorf("code %s, want %s: %s", f.Code, tt.code, f.Message)
			}
			for _, s := range tt.want {
				if !strings.Contains(strings.ReplaceAll(res.Text, `\`, ""), s) {
					t.Errorf("%q is not in the text:\n%s", s, res.Text)
				}
			}
			if len(w.sent()) != 0 {
				t.Errorf("sent %v", w.sent())
			}
			if strings.Contains(string(f.Example), "confirm") {
				t.Errorf("the example confirms: %s", f.Example)
			}
		})
	}
}

func TestCorrectedExample(t *testing.T) {
	tests := []struct{ action, params, want string }{
		{"issue.create", `{"project_id":"g/p","titel":"x","weight":"heavy","nonsense":1}`, `{"action":"issue.create","params":{"project_id":"g/p","title":"x","weight":1}}`},
		{"issue.create", `{"weight":3}`, `{"action":"issue.create","params":{"weight":3,"project_id":"group/project","title":"Login fails"}}`},
		{"issue.list", `{"project_id":1,"state":"open"}`, `{"action":"issue.list","params":{"project_id":1,"state":"opened"}}`},
	}
	for _, tt := range tests {
		w := newWorld(t)
		f := failureOf(t, w.do(t, tt.action, tt.params))
		if string(f.Example) != tt.want {
			t.Errorf("%s %s\n got %s\nwant %s", tt.action, tt.params, f.Example, tt.want)
			continue
		}
		var ex struct {
			Action string
			Params json.RawMessage
		}
		if err := json.Unmarshal(f.Example, &ex); err != nil {
			t.Fatal(err)
		}
		if res := w.do(t, ex.Action, string(ex.Params)); res.IsError {
			t.Errorf("the example itself fails: %s", res.Text)
		}
	}
}

func TestConfirmation(t *testing.T) {
	const params = `{"project_id":"g/p","issue_iid":2}`
	var question exec.Question
	ask := func(yes bool, err error) func(*exec.Call) {
		return func(c *exec.Call) {
			c.Confirmer = func(_ context.Context, q exec.Question) (bool, error) {
				question = q
				return yes, err
			}
		}
	}
	tests := []struct {
		name    string
		option  option
		change  func(*exec.Call)
		sent    int
		pending bool
	}{
		{"confirm", nil, confirm, 1, false},
		{"user agrees", nil, ask(true, nil), 1, false},
		{"user declines", nil, ask(false, nil), 0, false},
		{"asking fails", nil, ask(false, errors.New("broken pipe")), 0, false},
		{"asking fails with a yes", nil, ask(true, errors.New("broken pipe")), 0, false},
		{"answer comes later", nil, ask(false, exec.ErrPending), 0, true},
		{"nobody to ask", nil, func(*exec.Call) {}, 0, false},
		{"no confirmation wanted", func(_ *policy.Config, x *exec.Config, _ *gitlab.Config) { x.SkipConfirmation = true }, func(*exec.Call) {}, 1, false},
		{"dry run", nil, dryRun, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var options []option
			if tt.option != nil {
				options = append(options, tt.option)
			}
			w := newWorld(t, options...)
			w.reply = jsonReply(204, "")
			res := w.do(t, "issue.delete", params, tt.change)
			if len(w.sent()) != tt.sent {
				t.Errorf("sent %v, want %d", w.sent(), tt.sent)
			}
			if res.Pending != tt.pending {
				t.Errorf("pending %v", res.Pending)
			}
			if tt.sent == 0 && tt.name != "dry run" {
				if f := failureOf(t, res); f.Code != string(exec.CodeConfirmation) {
					t.Errorf("code %s", f.Code)
				}
			}
		})
	}
	if !strings.Contains(question.Prompt, "Delete an issue") || !strings.Contains(question.Prompt, "DELETE /projects/g/p/issues/2") || question.Action != "issue.delete" {
		t.Errorf("question %+v", question)
	}
	first := question.Binding
	newWorld(t).do(t, "issue.delete", `{"issue_iid":"2","project_id":"g%2Fp"}`, ask(false, nil))
	if question.Binding != first {
		t.Error("the same request in other words is bound differently")
	}
	newWorld(t).do(t, "issue.delete", `{"project_id":"g/p","issue_iid":3}`, ask(false, nil))
	if question.Binding == first {
		t.Error("another target has the same binding")
	}
}

func TestPolicy(t *testing.T) {
	readOnly := func(p *policy.Config, _ *exec.Config, _ *gitlab.Config) { p.ReadOnly = true }
	t.Run("read-only", func(t *testing.T) {
		w := newWorld(t, readOnly)
		for a := range w.Catalog().All() {
			if a.ReadOnly() {
				continue
			}
			f := failureOf(t, w.do(t, a.ID(), `{"project_id":1,"issue_iid":1}`, confirm))
			if f.Code != string(exec.CodeReadOnly) || !strings.Contains(f.Message, a.ID()) {
				t.Errorf("%s: %s %s", a.ID(), f.Code, f.Message)
			}
		}
		if len(w.sent()) != 0 {
			t.Errorf("sent %v", w.sent())
		}
		if res := w.do(t, "ci_lint.validate", `{"project_id":1,"content":"x"}`); res.IsError {
			t.Errorf("a POST that reads was refused: %s", res.Text)
		}
	})
	t.Run("excluded", func(t *testing.T) {
		w := newWorld(t, func(p *policy.Config, _ *exec.Config, _ *gitlab.Config) { p.Exclude = []string{"issue"} })
		f := failureOf(t, w.do(t, "issue.get", `{}`))
		if f.Code != string(exec.CodeWithheld) || !strings.Contains(f.Message, "operator") {
			t.Errorf("%s %s", f.Code, f.Message)
		}
		if f := failureOf(t, w.do(t, "issue.gett", `{}`)); slices.Contains(f.Candidates, "issue.get") {
			t.Errorf("an excluded action is offered: %v", f.Candidates)
		}
	})
	t.Run("tier", func(t *testing.T) {
		w := newWorld(t, func(p *policy.Config, _ *exec.Config, _ *gitlab.Config) { p.Tier = "free" })
		if f := failureOf(t, w.do(t, "GET /groups/:id/-/epics", `{}`)); f.Code != string(exec.CodeWithheld) || !strings.Contains(f.Message, "premium") {
			t.Errorf("%s %s", f.Code, f.Message)
		}
	})
	t.Run("scope", func(t *testing.T) {
		w := newWorld(t)
		w.policy.SetScopes([]string{"read_api"})
		if f := failureOf(t, w.do(t, "issue.create", `{}`)); f.Code != string(exec.CodeWithheld) || !strings.Contains(f.Message, "scope api") {
			t.Errorf("%s %s", f.Code, f.Message)
		}
	})
}

func TestPreviews(t *testing.T) {
	type preview struct {
		Method, URL string
		Headers     map[string]string
		Body        json.RawMessage
	}
	safe := func(p *policy.Config, _ *exec.Config, _ *gitlab.Config) { p.SafeMode = true }
	read := func(t *testing.T, res exec.Result) preview {
		t.Helper()
		if res.IsError {
			t.Fatalf("failed: %s", res.Text)
		}
		var p preview
		if err := json.Unmarshal(res.Structured, &p); err != nil {
			t.Fatal(err)
		}
		for name := range p.Headers {
			if slices.Contains([]string{"authorization", "private-token", "job-token"}, strings.ToLower(name)) {
				t.Errorf("the preview has the header %s", name)
			}
		}
		return p
	}
	t.Run("dry run", func(t *testing.T) {
		w := newWorld(t)
		p := read(t, w.do(t, "issue.create", `{"project_id":"g/p","title":"a & b"}`, dryRun))
		if p.Method != "POST" || p.URL != w.url+"/api/v4/projects/g%2Fp/issues" || string(p.Body) != `{"title":"a & b"}` || p.Headers["Content-Type"] != "application/json" {
			t.Errorf("preview %+v", p)
		}
		if len(w.sent()) != 0 {
			t.Errorf("sent %v", w.sent())
		}
	})
	t.Run("dry run of a read", func(t *testing.T) {
		w := newWorld(t)
		p := read(t, w.do(t, "issue.list", `{"project_id":1,"all_pages":true}`, dryRun))
		if p.Method != "GET" || p.URL != w.url+"/api/v4/projects/1/issues?per_page=100" || string(p.Body) != "null" || len(w.sent()) != 0 {
			t.Errorf("preview %+v, sent %v", p, w.sent())
		}
	})
	t.Run("dry run of an upload", func(t *testing.T) {
		w := newWorld(t)
		p := read(t, w.do(t, "project_upload.create", `{"project_id":1,"file":{"content":"aGVsbG8=","encoding":"base64","filename":"a.txt"}}`, dryRun))
		if !strings.Contains(string(p.Body), `"size":5`) || len(w.sent()) != 0 {
			t.Errorf("body %s, sent %v", p.Body, w.sent())
		}
	})
	t.Run("safe mode", func(t *testing.T) {
		w := newWorld(t, safe)
		p := read(t, w.do(t, "issue.delete", `{"project_id":1,"issue_iid":2}`, confirm))
		if p.Method != "DELETE" || len(w.sent()) != 0 {
			t.Errorf("preview %+v, sent %v", p, w.sent())
		}
		if w.do(t, "issue.get", `{"project_id":1,"issue_iid":2}`); len(w.sent()) != 1 {
			t.Errorf("a read was not sent: %v", w.sent())
		}
	})
	t.Run("problems come first", func(t *testing.T) {
		if f := failureOf(t, newWorld(t, safe).do(t, "issue.create", `{}`, dryRun)); f.Code != string(exec.CodeInvalidParams) {
			t.Errorf("code %s", f.Code)
		}
	})
}

func TestFailuresOfGitLab(t *testing.T) {
	w := newWorld(t)
	w.reply = jsonReply(422, `{"message":{"title":["is too long"]}}`, "X-Request-Id", "r-1")
	f := failureOf(t, w.do(t, "issue.create", `{"project_id":1,"title":"t"}`))
	if f.Code != "gitlab" || f.Status != 422 || f.Message != "title: is too long" || f.RequestID != "r-1" || f.Hint == "" {
		t.Errorf("%+v", f)
	}
	w.reply = jsonReply(429, `{}`, "Retry-After", "3600")
	if f := failureOf(t, w.do(t, "issue.list", `{"project_id":1}`)); f.Code != "rate_limited" || f.RetryAfter != 3600 || !strings.Contains(f.Hint, "3600") {
		t.Errorf("%+v", f)
	}
	w.reply = func(rw http.ResponseWriter, _ *http.Request) {
		if conn, _, err := rw.(http.Hijacker).Hijack(); err == nil {
			conn.Close()
		}
	}
	before := len(w.sent())
	if f := failureOf(t, w.do(t, "issue.create", `{"project_id":1,"title":"t"}`)); f.Code != "outcome_unknown" {
		t.Errorf("%+v", f)
	}
	if n := len(w.sent()) - before; n != 1 {
		t.Errorf("the write was sent %d times", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	res := w.Execute(ctx, exec.Call{Action: "issue.list", Params: json.RawMessage(`{"project_id":1}`)})
	if f := failureOf(t, res); f.Code != "canceled" {
		t.Errorf("%+v", f)
	}
}

func TestTheTokenNeverComesBack(t *testing.T) {
	w := newWorld(t)
	w.reply = func(rw http.ResponseWriter, r *http.Request) {
		jsonReply(200, fmt.Sprintf(`{"you_sent":%q}`, r.Header.Get("Authorization")))(rw, r)
	}
	w.do(t, "project.get", `{"project_id":1}`) // checks the result
	w.reply = func(rw http.ResponseWriter, r *http.Request) {
		jsonReply(400, fmt.Sprintf(`{"message":%q}`, r.Header.Get("Authorization")))(rw, r)
	}
	w.do(t, "project.get", `{"project_id":1}`)
	w.do(t, "issue.create", `{"project_id":1,"title":"`+token+`","nonsense":1}`)
	w.do(t, token, `{}`)
}

func TestGuard(t *testing.T) {
	on := func(_ *policy.Config, x *exec.Config, _ *gitlab.Config) { x.GuardQuickActions = true }
	tests := []struct {
		body    string
		refused bool
	}{
		{`/merge`, true}, {`text\n/close`, true}, {`text\r\n  /assign @me now`, true}, {`/LABEL ~bug`, true},
		{`see /usr/bin`, false}, {`/usr/bin is a path`, false}, {`a /merge inside`, false}, {`//comment`, false}, {`/`, false}, {`/1st`, false},
	}
	for _, tt := range tests {
		w := newWorld(t, on)
		res := w.do(t, "issue_note.create", `{"project_id":1,"issue_iid":2,"body":"`+tt.body+`"}`)
		if res.IsError != tt.refused || (len(w.sent()) == 0) != tt.refused {
			t.Errorf("%q: refused %v, sent %v", tt.body, res.IsError, w.sent())
		}
		if off := newWorld(t); off.do(t, "issue_note.create", `{"project_id":1,"issue_iid":2,"body":"`+tt.body+`"}`).IsError {
			t.Errorf("%q: refused without the guard", tt.body)
		}
	}
}

func TestParseCall(t *testing.T) {
	c, err := exec.ParseCall([]byte(`{"action":"a.b","params":{"x":1},"confirm":"true","fields":"id,title","dry_run":false}`))
	if err != nil {
		t.Fatal(err)
	}
	want := exec.Call{Action: "a.b", Params: json.RawMessage(`{"x":1}`), Confirm: true, Fields: []string{"id", "title"}}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_, err = exec.ParseCall([]byte(`{"action":"a.b","project_id":1,"title":"t"}`))
	f := failureOf(t, exec.Failed(err))
	if f.Code != string(exec.CodeInvalidParams) || !strings.Contains(f.Hint, "put project_id, title under params") {
		t.Errorf("%+v", f)
	}
	for _, bad := range []string{`{}`, `[]`, `{"action":`, `{"action":[1]}`} {
		if _, err := exec.ParseCall([]byte(bad)); err == nil {
			t.Errorf("%s was accepted", bad)
		}
	}
}

func TestConcurrentCalls(t *testing.T) {
	w := newWorld(t)
	w.reply = func(rw http.ResponseWriter, r *http.Request) {
		// The answer names the request, so that mixed-up calls show.
		rw.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(rw, `{"path":%q}`, r.URL.Path)
	}
	w.do(t, "project.get", `{"project_id":0}`)
	before := runtime.NumGoroutine()
	const calls = 1000
	var wg sync.WaitGroup
	slots := make(chan struct{}, 64)
	for i := range calls {
		wg.Add(1)
		slots <- struct{}{}
		go func() {
			defer wg.Done()
			defer func() { <-slots }()
			res := w.Execute(t.Context(), exec.Call{Action: "issue.get", Params: json.RawMessage(fmt.Sprintf(`{"project_id":%d,"issue_iid":%d}`, i, i))})
			if want := fmt.Sprintf("/api/v4/projects/%d/issues/%d", i, i); res.IsError || !strings.Contains(string(res.Structured), want) {
				t.Errorf("call %d: %s", i, res.Structured)
			}
		}()
	}
	wg.Wait()
	if n := len(w.sent()); n != calls+1 {
		t.Errorf("%d requests for %d calls", n, calls+1)
	}
	// What is left are the kept connections, two goroutines on each side.
	if after := runtime.NumGoroutine(); after > before+4*40 {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
}

func TestRiskOfFixture(t *testing.T) {
	// Guards the tests above against a catalog that has nothing to refuse.
	n := map[catalog.Risk]int{}
	for a := range newWorld(t).Catalog().All() {
		n[a.Risk()]++
	}
	if n[catalog.Write] < 5 || n[catalog.Destroy] < 1 {
		t.Errorf("risks %v", n)
	}
}

package exec_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab-mcp-server/internal/exec"
	"gitlab-mcp-server/internal/policy"

	"gitlab-mcp-server/internal/gitlab"
)

// sentVariables are the variables of the requests to GraphQL so far.
func sentVariables(t *testing.T, w *world) []string {
	t.Helper()
	var all []string
	for i, line := range w.sent() {
		if line != "POST /api/graphql" {
			continue
		}
		var body struct{ Variables json.RawMessage }
		if err := json.Unmarshal([]byte(w.body[i]), &body); err != nil {
			t.Fatal(err)
		}
		all = append(all, string(body.Variables))
	}
	return all
}

func TestGraphQLVariables(t *testing.T) {
	tests := []struct{ name, action, params, want string }{
		{"path", "work_item.list", `{"project_id":"g/p","types":"task","state":"opened","per_page":500,"search":""}`, `{"fullPath":"g/p","state":"opened","types":["TASK"],"first":100}`},
		{"encoded path", "branch_rule.list", `{"project_id":"g%2Fp"}`, `{"fullPath":"g/p"}`},
		{"web address", "branch_rule.list", `{"url":"HOST/g/p"}`, `{"fullPath":"g/p"}`},
		{"group", "work_item.list", `{"group_id":"g"}`, `{"fullPath":"g"}`},
		{"number of an object", "pipeline.get_security_summary", `{"project_id":"g/p","pipeline_id":46}`, `{"fullPath":"g/p","pipelineId":"gid://gitlab/Ci::Pipeline/46"}`},
		{"input object", "work_item.update", `{"work_item_id":7,"due_date":"2026-01-02","assignee_ids":[1,"gid://gitlab/User/2"],"milestone_id":"none"}`,
			`{"input":{"id":"gid://gitlab/WorkItem/7","assigneesWidget":{"assigneeIds":["gid://gitlab/User/1","gid://gitlab/User/2"]},"milestoneWidget":{"milestoneId":null},"startAndDueDateWidget":{"dueDate":"2026-01-02"}}}`},
		{"fixed", "work_item.remove_child", `{"work_item_id":7}`, `{"input":{"id":"gid://gitlab/WorkItem/7","hierarchyWidget":{"parentId":null}}}`},
		{"nothing", "ci_catalog.list", `{}`, `{}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := wholeWorld(t)
			w.reply = jsonReply(200, `{"data":{"x":{"nodes":[]}}}`)
			w.do(t, tt.action, strings.ReplaceAll(tt.params, "HOST", w.url))
			if diff := cmp.Diff([]string{tt.want}, sentVariables(t, w)); diff != "" {
				t.Errorf("variables (-want +got):\n%s", diff)
			}
			if n := len(w.sent()); n != 1 {
				t.Errorf("%d requests: %v", n, w.sent())
			}
		})
	}
}

// GraphQL knows projects and groups by path only, people by number too.
func TestGraphQLNumbersOfProjects(t *testing.T) {
	w := wholeWorld(t)
	w.reply = func(rw http.ResponseWriter, r *http.Request) {
		body := `{"data":{"namespace":{"workItems":{"nodes":[]}}}}`
		switch r.RequestURI {
		case "/api/v4/projects/42":
			body = `{"id":42,"path_with_namespace":"g/p"}`
		case "/api/v4/groups/43":
			body = `{"id":43,"full_path":"g/sub"}`
		}
		jsonReply(200, body)(rw, r)
	}
	w.do(t, "work_item.list", `{"project_id":42}`)
	w.do(t, "work_item.list", `{"group_id":"43"}`)
	want := []string{"GET /api/v4/projects/42", "POST /api/graphql", "GET /api/v4/groups/43", "POST /api/graphql"}
	if diff := cmp.Diff(want, w.sent()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{`{"fullPath":"g/p"}`, `{"fullPath":"g/sub"}`}, sentVariables(t, w)); diff != "" {
		t.Errorf("variables (-want +got):\n%s", diff)
	}
	if res := w.do(t, "work_item.list", `{"project_id":42}`, dryRun); len(w.sent()) != 4 || !strings.Contains(string(res.Structured), "{full path of project 42}") {
		t.Errorf("dry run: %s", res.Structured)
	}
	w = wholeWorld(t, func(p *policy.Config, _ *exec.Config, _ *gitlab.Config) { p.Exclude = []string{"project.get"} })
	if f := failureOf(t, w.do(t, "work_item.list", `{"project_id":42}`)); f.Code != string(exec.CodeInvalidParams) || len(w.sent()) != 0 {
		t.Errorf("with project.get withheld: %+v, sent %v", f, w.sent())
	}
}

func TestGraphQLAnswers(t *testing.T) {
	tests := []struct{ name, action, params, reply, want string }{
		{"node", "work_item.get", `{"work_item_id":1}`, `{"data":{"workItem":{"id":"1","title":"t"}}}`, `{"id":"1","title":"t"}`},
		{"connection", "custom_emoji.list", `{"group_id":"g"}`,
			`{"data":{"group":{"customEmoji":{"pageInfo":{"hasNextPage":true,"endCursor":"abc"},"nodes":[{"name":"n"}]}}}}`,
			`{"items":[{"name":"n"}],"pagination":{"page":null,"per_page":null,"next_page":null,"next_cursor":"abc","total":null,"has_more":true}}`},
		{"inside a list", "work_item.list_children", `{"work_item_id":1}`,
			`{"data":{"workItem":{"widgets":[{},{"children":{"pageInfo":{"hasNextPage":false},"nodes":[{"iid":"2"}]}},{}]}}}`,
			`{"items":[{"iid":"2"}],"pagination":{"page":null,"per_page":null,"next_page":null,"next_cursor":null,"total":null,"has_more":false}}`},
		{"nothing to give", "work_item.delete", `{"work_item_id":1}`, `{"data":{"workItemDelete":{"errors":[]}}}`, `{"status":"success"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := wholeWorld(t)
			w.reply = jsonReply(200, tt.reply)
			res := w.do(t, tt.action, tt.params, confirm)
			var got, want any
			if err := json.Unmarshal(res.Structured, &got); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(tt.want), &want); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" || res.IsError {
				t.Errorf("structured (-want +got):\n%s", diff)
			}
		})
	}
}

func TestGraphQLFailures(t *testing.T) {
	tests := []struct{ name, action, params, reply, message string }{
		{"errors", "work_item.get", `{"work_item_id":1}`, `{"errors":[{"message":"Field 'x' doesn't exist"}]}`, "Field 'x' doesn't exist"},
		{"errors of a payload", "work_item.delete", `{"work_item_id":1}`, `{"data":{"workItemDelete":{"errors":["not allowed"]}}}`, "not allowed"},
		{"no such object", "work_item.get", `{"work_item_id":1}`, `{"data":{"workItem":null}}`, "no such object"},
		{"no such part", "work_item.list_children", `{"work_item_id":1}`, `{"data":{"workItem":{"widgets":[{},{}]}}}`, "no such object"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := wholeWorld(t)
			w.reply = jsonReply(200, tt.reply)
			if f := failureOf(t, w.do(t, tt.action, tt.params, confirm)); f.Code != "gitlab" || !strings.Contains(f.Message, tt.message) {
				t.Errorf("%+v, want %q", f, tt.message)
			}
		})
	}
}

func TestGraphQLAllPages(t *testing.T) {
	w := wholeWorld(t, func(_ *policy.Config, x *exec.Config, _ *gitlab.Config) { x.MaxPages = 2 })
	page := 0
	w.reply = func(rw http.ResponseWriter, r *http.Request) {
		page++
		jsonReply(200, `{"data":{"project":{"terraformStates":{"count":5,"pageInfo":{"hasNextPage":true,"endCursor":"c`+string(rune('0'+page))+`"},"nodes":[{"name":"s"},{"name":"t"}]}}}}`)(rw, r)
	}
	res := w.do(t, "terraform_state.list", `{"project_id":"g/p","all_pages":true}`)
	want := []string{`{"fullPath":"g/p","first":100}`, `{"fullPath":"g/p","first":100,"after":"c1"}`}
	if diff := cmp.Diff(want, sentVariables(t, w)); diff != "" {
		t.Errorf("variables (-want +got):\n%s", diff)
	}
	var got struct {
		Items      []any
		Pagination struct {
			Next  string `json:"next_cursor"`
			Total int
			More  bool `json:"has_more"`
		}
	}
	if err := json.Unmarshal(res.Structured, &got); err != nil || len(got.Items) != 4 || got.Pagination.Next != "c2" || got.Pagination.Total != 5 || !got.Pagination.More {
		t.Errorf("%v: %s", err, res.Structured)
	}
	if !strings.Contains(res.Text, "limit of 2 pages") {
		t.Errorf("text does not tell of the limit:\n%s", res.Text)
	}
}

func TestGraphQLHints(t *testing.T) {
	for message, hint := range map[string]string{
		"The resource that you are attempting to access does not exist or you don't have permission to perform this action": "does not tell them apart",
		"Field 'status' doesn't exist on type 'WorkItem'":                                                                   "graphql.query",
		"title can't be blank": "correct what the message names",
	} {
		w := wholeWorld(t)
		js, err := json.Marshal(map[string]any{"errors": []map[string]string{{"message": message}}})
		if err != nil {
			t.Fatal(err)
		}
		w.reply = jsonReply(200, string(js))
		if f := failureOf(t, w.do(t, "work_item.get", `{"work_item_id":1}`)); !strings.Contains(f.Hint, hint) {
			t.Errorf("%s: hint %q, want %q", message, f.Hint, hint)
		}
	}
}

// The question before a destructive call names what is hit, not the document.
func TestGraphQLQuestion(t *testing.T) {
	w := wholeWorld(t)
	f := failureOf(t, w.do(t, "work_item.delete", `{"work_item_id":7}`))
	if f.Code != string(exec.CodeConfirmation) || !strings.Contains(f.Message, "gid://gitlab/WorkItem/7") || strings.Contains(f.Message, "mutation") || len(w.sent()) != 0 {
		t.Errorf("%+v", f)
	}
}

package exec_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/call"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/catalog/catalogtest"
	"gitlab-mcp-server/internal/exec"
	"gitlab-mcp-server/internal/gitlab"
	"gitlab-mcp-server/internal/policy"
)

const token = "glpat-secret-value"

// spec is a small catalog with one action of every kind that matters here.
func spec() catalogtest.Spec {
	project := catalogtest.Param{Name: "project_id", Wire: "id", In: catalog.InPath, Type: catalog.TypeID, Flags: catalog.Required}
	group := catalogtest.Param{Name: "group_id", Wire: "id", In: catalog.InPath, Type: catalog.TypeID, Flags: catalog.Required}
	issue := catalogtest.Param{Name: "issue_iid", In: catalog.InPath, Type: catalog.TypeInteger, Flags: catalog.Required}
	mr := catalogtest.Param{Name: "merge_request_iid", In: catalog.InPath, Type: catalog.TypeInteger, Flags: catalog.Required}
	job := catalogtest.Param{Name: "job_id", In: catalog.InPath, Type: catalog.TypeInteger, Flags: catalog.Required}
	query := func(name string, t catalog.Type) catalogtest.Param {
		return catalogtest.Param{Name: name, In: catalog.InQuery, Type: t}
	}
	body := func(name string, t catalog.Type, flags ...catalog.ParamFlags) catalogtest.Param {
		p := catalogtest.Param{Name: name, In: catalog.InBody, Type: t}
		for _, f := range flags {
			p.Flags |= f
		}
		return p
	}
	local := func(name string, t catalog.Type) catalogtest.Param {
		return catalogtest.Param{Name: name, In: catalog.InLocal, Type: t}
	}
	state := query("state", catalog.TypeString)
	state.Enum = []string{"opened", "closed", "all"}
	event := body("state_event", catalog.TypeString)
	event.Enum = []string{"close", "reopen"}
	labels := query("labels", catalog.TypeArray)
	labels.Encoding = catalog.Comma
	ref := query("ref", catalog.TypeString)
	path := catalogtest.Param{Name: "file_path", In: catalog.InPath, Type: catalog.TypeString, Flags: catalog.Required}

	return catalogtest.Spec{
		Actions: []catalogtest.Action{
			{ID: "project.get", Title: "Get a project", Path: "/api/v4/projects/{id}", OperationID: "getApiV4ProjectsId", Params: []catalogtest.Param{project, query("statistics", catalog.TypeBoolean)}},
			{ID: "project.list", Title: "List projects", Path: "/api/v4/projects", Kind: catalog.List, Flags: catalog.Paged, Keyset: "id_after", Params: []catalogtest.Param{
				query("pagination", catalog.TypeString), query("order_by", catalog.TypeString), query("page", catalog.TypeInteger), query("per_page", catalog.TypeInteger), local("cursor", catalog.TypeString), local("all_pages", catalog.TypeBoolean)}},
			{ID: "group.get", Title: "Get a group", Path: "/api/v4/groups/{id}", Params: []catalogtest.Param{group}},
			{ID: "issue.list", Title: "List issues of a project", Path: "/api/v4/projects/{id}/issues", Kind: catalog.List, Flags: catalog.Paged, Params: []catalogtest.Param{
				project, state, labels, query("search", catalog.TypeString), query("page", catalog.TypeInteger), query("per_page", catalog.TypeInteger), local("all_pages", catalog.TypeBoolean)}},
			{ID: "issue.list_group", Title: "List issues of a group", Path: "/api/v4/groups/{id}/issues", Kind: catalog.List, Params: []catalogtest.Param{group}},
			{ID: "issue.get", Title: "Get an issue", Path: "/api/v4/projects/{id}/issues/{issue_iid}", Params: []catalogtest.Param{project, issue}},
			{ID: "issue.create", Title: "Create an issue", Method: "POST", Path: "/api/v4/projects/{id}/issues", Risk: catalog.Write, Example: `{"project_id":"group/project","title":"Login fails"}`, Params: []catalogtest.Param{
				project, body("title", catalog.TypeString, catalog.Required), body("description", catalog.TypeString), body("weight", catalog.TypeInteger)}},
			{ID: "issue.update", Title: "Update an issue", Method: "PUT", Path: "/api/v4/projects/{id}/issues/{issue_iid}", Risk: catalog.Write, Params: []catalogtest.Param{
				project, issue, body("title", catalog.TypeString), body("description", catalog.TypeString), event}},
			{ID: "issue.delete", Title: "Delete an issue", Method: "DELETE", Path: "/api/v4/projects/{id}/issues/{issue_iid}", Risk: catalog.Destroy, Kind: catalog.None, Params: []catalogtest.Param{project, issue}},
			{ID: "issue_note.create", Title: "Comment on an issue", Method: "POST", Path: "/api/v4/projects/{id}/issues/{issue_iid}/notes", Risk: catalog.Write, Params: []catalogtest.Param{project, issue, body("body", catalog.TypeString, catalog.Required)}},
			{ID: "merge_request.get", Title: "Get a merge request", Path: "/api/v4/projects/{id}/merge_requests/{merge_request_iid}", Params: []catalogtest.Param{project, mr}},
			{ID: "job.get_trace", Title: "Get the log of a job", Path: "/api/v4/projects/{id}/jobs/{job_id}/trace", Kind: catalog.Text, Params: []catalogtest.Param{project, job, local("tail", catalog.TypeInteger), local("grep", catalog.TypeString), local("offset", catalog.TypeInteger)}},
			{ID: "file.get", Title: "Get a file", Path: "/api/v4/projects/{id}/repository/files/{file_path}", Scope: "read_repository", Params: []catalogtest.Param{project, path, ref, local("start_line", catalog.TypeInteger), local("end_line", catalog.TypeInteger)}},
			{ID: "commit.create", Title: "Commit changes", Method: "POST", Path: "/api/v4/projects/{id}/repository/commits", Risk: catalog.Write, DestroyWhen: [][2]string{{"force", "true"}, {"actions[].action", `"delete"`}}, Params: []catalogtest.Param{
				project, body("branch", catalog.TypeString, catalog.Required), body("force", catalog.TypeBoolean), body("actions", catalog.TypeAny)}},
			{ID: "ci_lint.validate", Title: "Validate CI configuration", Method: "POST", Path: "/api/v4/projects/{id}/ci/lint", Params: []catalogtest.Param{project, body("content", catalog.TypeString)}},
			{ID: "project_export.download", Title: "Download an export", Path: "/api/v4/projects/{id}/export/download", Kind: catalog.Binary, Params: []catalogtest.Param{project}},
			{ID: "project_upload.create", Title: "Upload a file", Method: "POST", Path: "/api/v4/projects/{id}/uploads", Risk: catalog.Write, Params: []catalogtest.Param{project, {Name: "file", In: catalog.InFile, Type: catalog.TypeFile, Flags: catalog.Required}}},
			{ID: "project_member.create", Title: "Add a member", Method: "POST", Path: "/api/v4/projects/{id}/members", Risk: catalog.Write, Params: []catalogtest.Param{
				project, body("user_id", catalog.TypeID), body("access_level", catalog.TypeInteger, catalog.Required)}},
			{ID: "protected_branch.protect", Title: "Protect a branch", Method: "POST", Path: "/api/v4/projects/{id}/protected_branches", Risk: catalog.Write,
				Params: []catalogtest.Param{project, body("name", catalog.TypeString, catalog.Required), body("allowed_to_push", catalog.TypeArray)}, Handler: protect},
			{ID: "project_hook.create", Title: "Create a webhook", Method: "POST", Path: "/api/v4/projects/{id}/hooks", Risk: catalog.Write, Params: []catalogtest.Param{project, body("url", catalog.TypeString, catalog.Required)}},
			{ID: "epic.list", Title: "List epics", Path: "/api/v4/groups/{id}/(-/)epics", Tier: "premium", Kind: catalog.List, Handler: func(*arg.Reader, *call.Request) error { return nil }},
			{ID: "work_item.get", Title: "Get a work item", Method: "GRAPHQL", Handler: graphQL, Params: []catalogtest.Param{{Name: "id", In: catalog.InVariable, Type: catalog.TypeID}}},
			{ID: "server.status", Title: "Show the server's state", Method: "LOCAL", Scope: policy.NoScope},
			{ID: "graphql.query", Title: "Run a GraphQL query", Method: "LOCAL", Params: []catalogtest.Param{{Name: "query", In: catalog.InVariable, Type: catalog.TypeString, Flags: catalog.Required}}},
		},
		Aliases: []catalogtest.Alias{
			{Name: "issue.close", Targets: []string{"issue.update"}, Fixed: `{"state_event":"close"}`, Only: []string{"project_id", "issue_iid"}},
			{Name: "get_issue", Targets: []string{"issue.get"}, Rename: [][2]string{{"issue_number", "issue_iid"}, {"repo", "project_id"}}, Only: []string{"repo", "issue_number"}, From: "an old server"},
			{Name: "list_issues", Targets: []string{"issue.list", "issue.list_group"}, Note: "with a project: issue.list"},
			{Name: "gitlab_wipe_disk", Note: "no such thing; project.list shows projects", From: "another server"},
			{Name: "find_issues", Targets: []string{"issue.list", "issue.list_group"}, By: [][2]string{{"project_id", "issue.list"}, {"group_id", "issue.list_group"}}},
			{Name: "save_issue", Targets: []string{"issue.get", "issue.update", "issue.delete"}, By: [][2]string{{"method=remove", "issue.delete"}, {"method=read", "issue.get"}, {"", "issue.update"}}},
			{Name: "delete_issue", Targets: []string{"issue.delete"}},
		},
		ParamAliases: []catalogtest.ParamAlias{
			{From: "id", To: "project_id"}, {From: "project", To: "project_id"}, {From: "project_path", To: "project_id"}, {From: "full_path", To: "project_id"},
			{From: "id", To: "group_id"}, {From: "group", To: "group_id"}, {From: "full_path", To: "group_id"},
			{From: "mr_iid", To: "merge_request_iid"},
			{From: "access_level", To: "access_level", Values: [][2]string{{"no_access", "0"}, {"developer", "30"}, {"maintainer", "40"}}},
			{From: "description", To: "body"}, {From: "content", To: "body"},
			{From: "query", To: "search"},
			{From: "state", To: "state_event", Actions: []string{"issue.update"}, Values: [][2]string{{"closed", "close"}, {"close", "close"}, {"opened", "reopen"}}},
		},
	}
}

// protect is a handler with an array of objects.
func protect(r *arg.Reader, q *call.Request) error {
	id := r.ID("project_id", arg.Required)
	name := r.String("name", arg.Required)
	var push []arg.Int
	for o := range r.Objects("allowed_to_push", 0) {
		push = append(push, o.Int("access_level", 0))
	}
	if err := r.Err(); err != nil {
		return err
	}
	q.Start("POST")
	q.Literal("/api/v4/projects/")
	q.Segment("project_id", id.V)
	q.Literal("/protected_branches")
	b := q.Body(false)
	name.Body(b, "name")
	if len(push) > 0 {
		b.OpenArray("allowed_to_push")
		for _, l := range push {
			b.OpenItem()
			l.Body(b, "access_level")
			b.CloseItem()
		}
		b.CloseArray()
	}
	return q.Err()
}

func graphQL(r *arg.Reader, q *call.Request) error {
	id := r.ID("id", 0)
	if err := r.Err(); err != nil {
		return err
	}
	q.Start("POST")
	q.Literal("/api/graphql")
	b := q.Body(false)
	b.String("query", "query($id: ID!) { workItem(id: $id) { id title } }")
	b.Open("variables")
	id.Body(b, "id")
	b.Close()
	return q.Err()
}

// world is an executor in front of a server that records.
type world struct {
	*exec.Executor
	policy *policy.Policy
	url    string

	mu    sync.Mutex
	lines []string // "GET /api/v4/…"
	body  []string
	reply http.HandlerFunc
}

type option func(*policy.Config, *exec.Config, *gitlab.Config)

func newWorld(t *testing.T, options ...option) *world {
	t.Helper()
	w := &world{reply: jsonReply(200, `{"id":1,"web_url":"https://gitlab.example.com/x"}`)}
	srv := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.mu.Lock()
		w.lines = append(w.lines, r.Method+" "+r.RequestURI)
		w.body = append(w.body, string(body))
		reply := w.reply
		w.mu.Unlock()
		reply(rw, r)
	}))
	t.Cleanup(srv.Close)
	w.url = srv.URL
	pc, xc := policy.Config{}, exec.Config{}
	gc := gitlab.Config{BaseURL: srv.URL, Credential: gitlab.Credential{Token: token}, RetryWait: time.Millisecond, Timeout: 20 * time.Second}
	for _, o := range options {
		o(&pc, &xc, &gc)
	}
	cat := catalogtest.New(spec())
	p, err := policy.New(cat, pc)
	if err != nil {
		t.Fatal(err)
	}
	c, err := gitlab.New(gc)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	w.policy = p
	w.Executor = exec.New(cat, p, c, xc)
	return w
}

func jsonReply(status int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// do executes an action and checks what holds for every result.
func (w *world) do(t *testing.T, action, params string, change ...func(*exec.Call)) exec.Result {
	t.Helper()
	c := exec.Call{Action: action, Params: json.RawMessage(params)}
	for _, f := range change {
		f(&c)
	}
	res := w.Execute(t.Context(), c)
	checkResult(t, res)
	return res
}

func checkResult(t *testing.T, res exec.Result) {
	t.Helper()
	var object map[string]json.RawMessage
	if err := json.Unmarshal(res.Structured, &object); err != nil {
		t.Errorf("structured content is no object: %v\n%s", err, res.Structured)
	}
	if res.Text == "" {
		t.Error("no text")
	}
	if _, isError := object["error"]; isError != res.IsError && res.IsError {
		t.Errorf("isError %v, structured %s", res.IsError, res.Structured)
	}
	if strings.Contains(res.Text+string(res.Structured), token) {
		t.Error("the token is in the result")
	}
}

func (w *world) sent() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string(nil), w.lines...)
}

func confirm(c *exec.Call) { c.Confirm = true }
func dryRun(c *exec.Call)  { c.DryRun = true }

// failure is the error of a result.
type failure struct {
	Code, Message, Hint string
	Status              int
	RequestID           string `json:"request_id"`
	RetryAfter          int    `json:"retry_after"`
	Problems            []struct{ Path, Code, Expected, Near string }
	Candidates          []string
	Example             json.RawMessage
}

func failureOf(t *testing.T, res exec.Result) failure {
	t.Helper()
	var s struct{ Error *failure }
	if err := json.Unmarshal(res.Structured, &s); err != nil || s.Error == nil || !res.IsError {
		t.Fatalf("isError %v, structured %s, want an error", res.IsError, res.Structured)
	}
	return *s.Error
}

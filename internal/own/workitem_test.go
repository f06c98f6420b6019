package own_test

import (
	"strings"
	"testing"

	"gitlab-mcp-server/internal/exec"
)

func TestWorkItemByIID(t *testing.T) {
	const found = `{"data":{"namespace":{"workItem":{"id":"gid://gitlab/WorkItem/99"}}}}`
	const none = `{"data":{"namespace":{"workItem":null}}}`
	const got = `{"data":{"workItem":{"id":"gid://gitlab/WorkItem/99","title":"t"}}}`
	tests := []struct {
		name, params, answers string
		sent                  int
		last, code            string
	}{
		{"global number", `{"work_item_id":99}`, got, 1, `"variables":{"id":"gid://gitlab/WorkItem/99"}`, ""},
		{"by other names", `{"id":99}`, got, 1, `"variables":{"id":"gid://gitlab/WorkItem/99"}`, ""},
		{"project by other names", `{"project":"g/p","iid":5}`, found + "\n" + got, 2, `"variables":{"id":"gid://gitlab/WorkItem/99"}`, ""},
		{"project", `{"project_id":"g/p","work_item_iid":5}`, found + "\n" + got, 2, `"variables":{"id":"gid://gitlab/WorkItem/99"}`, ""},
		{"group", `{"group_id":"g","work_item_iid":"5"}`, found + "\n" + got, 2, `"variables":{"id":"gid://gitlab/WorkItem/99"}`, ""},
		{"web address", `{"url":"HOST/g/p/-/work_items/5"}`, found + "\n" + got, 2, `"variables":{"id":"gid://gitlab/WorkItem/99"}`, ""},
		{"project by number", `{"project_id":7,"work_item_iid":5}`, found + "\n" + got, 3, `"variables":{"id":"gid://gitlab/WorkItem/99"}`, ""},
		{"not there", `{"project_id":"g/p","work_item_iid":5}`, none, 1, "", "gitlab"},
		{"neither", `{}`, got, 0, "", "invalid_params"},
		{"both", `{"work_item_id":1,"project_id":"g/p","work_item_iid":5}`, got, 0, "", "invalid_params"},
		{"nowhere", `{"work_item_iid":5}`, got, 0, "", "invalid_params"},
		{"two places", `{"work_item_iid":5,"project_id":"g/p","group_id":"g"}`, got, 0, "", "invalid_params"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"POST /api/graphql": tt.answers, "GET /api/v4/projects/7": `{"path_with_namespace":"g/p"}`})
			res := w.do(t, "work_item.get", strings.ReplaceAll(tt.params, "HOST", w.url))
			if len(w.sent()) != tt.sent {
				t.Errorf("sent %v, want %d", w.sent(), tt.sent)
			}
			if tt.code != "" {
				if f := failure(t, res); f.Code != tt.code {
					t.Errorf("%+v, want %s", f, tt.code)
				}
				return
			}
			if res.IsError || !strings.Contains(w.body[len(w.body)-1], tt.last) {
				t.Errorf("%s\n%v", res.Text, w.body)
			}
		})
	}
	w := newWorld(t, nil)
	if res := w.do(t, "work_item.delete", `{"project_id":7,"work_item_iid":5}`, dryRun); len(w.sent()) != 0 || !strings.Contains(string(res.Structured), "{id of work item 5}") {
		t.Errorf("dry run: %s", res.Structured)
	}
	// What is deleted is named by what it was found to be.
	w = newWorld(t, map[string]string{"POST /api/graphql": found})
	if f := failure(t, w.do(t, "work_item.delete", `{"project_id":"g/p","work_item_iid":5}`)); f.Code != string(exec.CodeConfirmation) || !strings.Contains(f.Message, "WorkItem/99") {
		t.Errorf("%+v", f)
	}
}

func TestWorkItemType(t *testing.T) {
	const types = `{"data":{"namespace":{"workItemTypes":{"nodes":[{"id":"gid://gitlab/WorkItems::Type/1","name":"Issue"},{"id":"gid://gitlab/WorkItems::Type/7","name":"Key Result"}]}}}}`
	const made = `{"data":{"workItemCreate":{"errors":[],"workItem":{"id":"x"}}}}`
	w := newWorld(t, map[string]string{"POST /api/graphql": types + "\n" + made})
	w.do(t, "work_item.create", `{"project_id":"g/p","title":"t","type":"key_result"}`)
	if n := len(w.body); n != 2 || !strings.Contains(w.body[n-1], `"workItemTypeId":"gid://gitlab/WorkItems::Type/7"`) {
		t.Errorf("sent %v", w.body)
	}
	w = newWorld(t, map[string]string{"POST /api/graphql": types})
	if f := failure(t, w.do(t, "work_item.create", `{"project_id":"g/p","title":"t","type":"Bug"}`)); !strings.Contains(f.Message, "Issue, Key Result") || len(w.sent()) != 1 {
		t.Errorf("%+v, sent %v", f, w.sent())
	}
	w = newWorld(t, nil)
	if f := failure(t, w.do(t, "work_item.create", `{"project_id":"g/p","title":"t"}`)); f.Code != "invalid_params" || len(w.sent()) != 0 {
		t.Errorf("%+v", f)
	}
	if res := w.do(t, "work_item.create", `{"group_id":"g","title":"t","type":"Epic"}`, dryRun); res.IsError || !strings.Contains(string(res.Structured), "{id of Epic}") || len(w.sent()) != 0 {
		t.Errorf("dry run: %s", res.Structured)
	}
}

package own_test

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestReviewContext(t *testing.T) {
	const at = "GET /api/v4/projects/g%2Fp/merge_requests/1"
	answers := func() map[string]string {
		return map[string]string{
			at:                  `{"iid":1,"title":"Fix"}`,
			at + "/diffs":       `[{"old_path":"a","new_path":"a","a_mode":"100644","diff":"` + strings.Repeat("é", 30) + `"},{"old_path":"b","new_path":"b","diff":"+b"}]`,
			at + "/discussions": `[{"id":"s","notes":[{"system":true,"body":"merged"}]},{"id":"d","notes":[{"id":5,"body":"Why?","author":{"username":"ann"},"created_at":"2026-01-01","resolvable":true,"resolved":false,"position":{"new_path":"a","new_line":3}}]}]`,
			at + "/approvals":   `{"approved":false}`,
			at + "/pipelines":   `[{"id":46,"status":"success"}]`,
		}
	}
	type context struct {
		MergeRequest struct{ Title string } `json:"merge_request"`
		Diffs        []struct{ Diff string }
		Discussions  []struct {
			ID    string
			Notes []struct{ Author, Body, Path, Line string }
		}
		Approvals map[string]any
		Pipelines []any
		Missing   []struct{ Part, Reason, Action string }
	}
	review := func(w *world, params string) context {
		t.Helper()
		res := w.do(t, "merge_request.review_context", params)
		var c context
		if err := json.Unmarshal(res.Structured, &c); err != nil || res.IsError {
			t.Fatalf("%v: %s", err, res.Text)
		}
		return c
	}

	c := review(newWorld(t, answers()), `{"project_id":"g/p","merge_request_iid":1}`)
	if c.MergeRequest.Title != "Fix" || len(c.Diffs) != 2 || len(c.Pipelines) != 1 || c.Approvals["approved"] != false || len(c.Missing) != 0 {
		t.Errorf("%+v", c)
	}
	if len(c.Discussions) != 1 || len(c.Discussions[0].Notes) != 1 || c.Discussions[0].Notes[0].Author != "ann" || c.Discussions[0].Notes[0].Line != "3" {
		t.Errorf("discussions %+v", c.Discussions)
	}

	c = review(newWorld(t, answers()), `{"project_id":"g/p","merge_request_iid":1,"max_diff_chars":10}`)
	if c.Diffs[0].Diff != strings.Repeat("é", 10) || c.Diffs[1].Diff != "" || len(c.Missing) != 1 || !strings.Contains(c.Missing[0].Reason, "2 of 2 diffs are cut") {
		t.Errorf("%+v", c)
	}

	some := answers()
	delete(some, at+"/approvals")
	w := newWorld(t, some, func(o *options) { o.policy.Exclude = []string{"merge_request.list_pipelines"} })
	c = review(w, `{"project_id":"g/p","merge_request_iid":1}`)
	if len(c.Missing) != 2 || c.Missing[0].Part != "approvals" || c.Missing[1].Part != "pipelines" || c.Missing[1].Action != "merge_request.list_pipelines" {
		t.Errorf("missing %+v", c.Missing)
	}
	for _, line := range w.sent() {
		if strings.Contains(line, "/pipelines") {
			t.Errorf("sent %s, which is withheld", line)
		}
	}

	if f := failure(t, newWorld(t, nil).do(t, "merge_request.review_context", `{"project_id":"g/p","merge_request_iid":1}`)); f.Code != "gitlab" {
		t.Errorf("without the merge request: %+v", f)
	}
	w = newWorld(t, nil)
	if res := w.do(t, "merge_request.review_context", `{"project_id":"g/p","merge_request_iid":1}`, dryRun); strings.Count(string(res.Structured), `"method":"GET"`) != 6 || len(w.sent()) != 0 {
		t.Errorf("dry run: %s", res.Structured) // all five, and the first once more as the request
	}
}

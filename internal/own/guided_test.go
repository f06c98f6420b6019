package own_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"gitlab-mcp-server/internal/exec"
)

// fill is a user who fills in a form.
func fill(content string, accept bool, err error, saw *string) func(*exec.Call) {
	return func(c *exec.Call) {
		c.Elicit = func(_ context.Context, message string, schema json.RawMessage) (json.RawMessage, bool, error) {
			*saw = message + " " + string(schema)
			return json.RawMessage(content), accept, err
		}
	}
}

func TestGuided(t *testing.T) {
	var saw string
	tests := []struct {
		name, action, params, content string
		line, body                    string
	}{
		{"issue", "interactive.issue_create", `{"project_id":"g/p"}`, `{"project_id":"g/p","title":"Broken","description":"","confidential":true}`,
			"POST /api/v4/projects/g%2Fp/issues", `{"title":"Broken","confidential":true}`},
		{"what is given is the default", "interactive.issue_create", `{"project_id":"g/p","title":"Given"}`, `{"description":"more"}`,
			"POST /api/v4/projects/g%2Fp/issues", `{"title":"Given","description":"more"}`},
		{"merge request", "interactive.merge_request_create", `{}`, `{"project_id":"g/p","source_branch":"f","target_branch":"main","title":"T"}`,
			"POST /api/v4/projects/g%2Fp/merge_requests", `{"source_branch":"f","target_branch":"main","title":"T"}`},
		{"project", "interactive.project_create", `{"visibility":"private"}`, `{"name":"Web","visibility":"internal"}`,
			"POST /api/v4/projects", `{"name":"Web","visibility":"internal"}`},
		{"release", "interactive.release_create", `{"project_id":"g/p"}`, `{"project_id":"g/p","tag_name":"v1"}`,
			"POST /api/v4/projects/g%2Fp/releases", `{"tag_name":"v1"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, map[string]string{tt.line: `{"iid":1}`})
			res := w.do(t, tt.action, tt.params, fill(tt.content, true, nil, &saw))
			if len(w.sent()) != 1 || w.sent()[0] != tt.line || res.IsError {
				t.Fatalf("sent %v: %s", w.sent(), res.Text)
			}
			var got, want any
			if err := errors.Join(json.Unmarshal([]byte(w.body[0]), &got), json.Unmarshal([]byte(tt.body), &want)); err != nil {
				t.Fatal(err)
			}
			if g, _ := json.Marshal(got); string(g) != mustJSON(t, want) {
				t.Errorf("body %s, want %s", g, tt.body)
			}
			if !json.Valid([]byte(saw[strings.IndexByte(saw, '{'):])) {
				t.Errorf("form %s", saw)
			}
		})
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestGuidedForm(t *testing.T) {
	var saw string
	w := newWorld(t, nil)
	w.do(t, "interactive.issue_create", `{"project_id":"g/p","confidential":true}`, fill(`{}`, false, nil, &saw))
	for _, part := range []string{"New issue", `"project_id":{"type":"string","title":"Project (path or number)","default":"g/p"}`, `"default":true`, `"required":["project_id","title"]`} {
		if !strings.Contains(saw, part) {
			t.Errorf("form %s lacks %s", saw, part)
		}
	}
}

func TestGuidedRefuses(t *testing.T) {
	var saw string
	w := newWorld(t, nil)
	if f := failure(t, w.do(t, "interactive.issue_create", `{}`)); f.Code != "withheld" || !strings.Contains(f.Hint, "issue.create with project_id, title") {
		t.Errorf("a client without forms: %+v", f)
	}
	if f := failure(t, w.do(t, "interactive.issue_create", `{}`, fill(`{}`, false, nil, &saw))); f.Code != "needs_confirmation" || !strings.Contains(f.Message, "did not fill in") {
		t.Errorf("a user who declines: %+v", f)
	}
	if res := w.do(t, "interactive.issue_create", `{}`, fill(`{}`, false, exec.ErrPending, &saw)); !res.Pending || !res.IsError {
		t.Errorf("a user who answers later: %+v", res)
	}
	if f := failure(t, w.do(t, "interactive.issue_create", `{}`, fill(`{"title":"T"}`, true, nil, &saw))); f.Code != "invalid_params" || !strings.Contains(f.Message, "project_id") {
		t.Errorf("a form with a gap: %+v", f)
	}
	if res := w.do(t, "interactive.issue_create", `{"project_id":"g/p"}`, dryRun); res.IsError || !strings.Contains(string(res.Structured), `"title":"{title}"`) {
		t.Errorf("dry run: %s", res.Structured)
	}
	if len(w.sent()) != 0 {
		t.Errorf("sent %v", w.sent())
	}
}

package exec_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/exec"
)

// TestAllCorrectedExamples gives every argument of every action a value of
// another type, and holds the corrected example to its word.
func TestAllCorrectedExamples(t *testing.T) {
	w := wholeWorld(t)
	tried := 0
	requests(t, w, func(a catalog.Action, params string) {
		for p := range a.Params() {
			if p.Type() == catalog.TypeFile || p.Type() == catalog.TypeAny {
				continue // what is no file or no value is told by their own tests
			}
			given := map[string]json.RawMessage{}
			if params != "" {
				if err := json.Unmarshal([]byte(params), &given); err != nil {
					t.Fatalf("%s: %v", a.ID(), err)
				}
			}
			given[p.Name()] = json.RawMessage(`{"no such member":[true]}`)
			if p.Type() == catalog.TypeObject || p.Type() == catalog.TypeMap {
				given[p.Name()] = json.RawMessage(`true`)
			}
			wrong, err := json.Marshal(given)
			if err != nil {
				t.Fatal(err)
			}
			tried++
			f := failureOf(t, w.do(t, a.ID(), string(wrong), dryRun))
			var example struct {
				Action string
				Params json.RawMessage
			}
			if err := json.Unmarshal(f.Example, &example); err != nil || f.Code != string(exec.CodeInvalidParams) {
				t.Errorf("%s %s: %v %s %s", a.ID(), wrong, err, f.Code, f.Message)
				continue
			}
			if res := w.do(t, example.Action, string(example.Params), dryRun); res.IsError {
				t.Errorf("%s: the example for a wrong %s is refused: %s\n%s", a.ID(), p.Name(), f.Example, res.Text)
			}
		}
	})
	if tried < 5000 {
		t.Errorf("only %d arguments were tried", tried)
	}
}

func TestNoRoleIsRead(t *testing.T) {
	w := wholeWorld(t)
	for action, params := range map[string]string{
		"issue.update":    `{"project_id":1,"issue_iid":2,"labels":"[\"a\",\"b\"]"}`,
		"issue.list":      `{"project_id":1,"not":"{\"labels\":\"a\"}"}`,
		"pipeline.create": `{"project_id":1,"ref":"main","variables":"[{\"key\":\"A\",\"value\":\"developer\"}]"}`,
	} {
		res := w.do(t, action, params, dryRun)
		if notes := fmt.Sprint(res.Meta[exec.MetaNotes]); res.IsError || strings.Contains(notes, "role") {
			t.Errorf("%s %s: notes %s\n%s", action, params, notes, res.Text)
		}
	}
}

func TestPageSizes(t *testing.T) {
	w := wholeWorld(t)
	w.reply = jsonReply(200, `[]`)
	tests := []struct{ action, params, want string }{
		{"issue.list", `{"project_id":1,"per_page":101}`, "per_page=100"},
		{"issue.list", `{"project_id":1,"per_page":20}`, "per_page=20"},
		{"issue.list", `{"project_id":1,"all_pages":true}`, "per_page=100"},
		{"project_hook_event.list", `{"project_id":1,"hook_id":4,"per_page":50}`, "per_page=20"},
		{"project_hook_event.list", `{"project_id":1,"hook_id":4,"per_page":"500"}`, "per_page=20"},
		{"project_hook_event.list", `{"project_id":1,"hook_id":4,"all_pages":true}`, "per_page=20"},
	}
	for _, tt := range tests {
		w.lines = w.lines[:0]
		res := w.do(t, tt.action, tt.params)
		if res.IsError || len(w.lines) != 1 || !strings.HasSuffix(w.lines[0], tt.want) {
			t.Errorf("%s %s: sent %v, want %s\n%s", tt.action, tt.params, w.lines, tt.want, res.Text)
		}
	}
}

func TestBranchOfURL(t *testing.T) {
	w := wholeWorld(t)
	w.reply = jsonReply(200, `{}`)
	tests := []struct{ action, params, want string }{
		{"branch.get", `{"url":"HOST/g/p/-/tree/feat/x"}`, "GET /api/v4/projects/g%2Fp/repository/branches/feat%2Fx"},
		{"branch.get", `{"url":"HOST/g/p/-/tree/feat%2Fx?ref_type=heads"}`, "GET /api/v4/projects/g%2Fp/repository/branches/feat%2Fx"},
		{"repository.list_tree", `{"url":"HOST/g/p/-/tree/main/dir/sub"}`, "GET /api/v4/projects/g%2Fp/repository/tree?ref=main&path=dir%2Fsub"},
	}
	for _, tt := range tests {
		w.lines = w.lines[:0]
		res := w.do(t, tt.action, strings.ReplaceAll(tt.params, "HOST", w.url))
		if res.IsError || len(w.lines) != 1 || w.lines[0] != tt.want {
			t.Errorf("%s %s: sent %v, want %s\n%s", tt.action, tt.params, w.lines, tt.want, res.Text)
		}
	}
}

// The token is nowhere in a result, the notes that name members of the answer
// included.
func TestTokenInNotes(t *testing.T) {
	w := wholeWorld(t)
	w.reply = jsonReply(200, `{"`+token+`":1}`)
	res := w.do(t, "issue.get", `{"project_id":1,"issue_iid":2}`, func(c *exec.Call) { c.Fields = []string{"title"} })
	if meta := fmt.Sprint(res.Meta); !strings.Contains(meta, "title") || strings.Contains(meta, token) {
		t.Errorf("meta %s", meta)
	}
}

// A name that has dots and brackets itself is left out of the example as any
// other unknown one.
func TestCorrectedOddNames(t *testing.T) {
	w := wholeWorld(t)
	for _, name := range []string{"a.b", "x[y]", "project_id.x", "not[foo]"} {
		f := failureOf(t, w.do(t, "project.get", `{"project_id":1,"`+name+`":"v"}`))
		if want := `{"action":"project.get","params":{"project_id":1}}`; string(f.Example) != want {
			t.Errorf("%s: got %s, want %s", name, f.Example, want)
		}
	}
}

func TestPageThatFollowsItself(t *testing.T) {
	w := wholeWorld(t)
	w.reply = jsonReply(200, `[{"id":1}]`, "X-Page", "1", "X-Next-Page", "1")
	if res := w.do(t, "issue.list", `{"project_id":1,"all_pages":true}`); res.IsError || len(w.sent()) != 1 {
		t.Errorf("sent %v\n%s", w.sent(), res.Text)
	}
}

// What is null is absent, whatever name it stands under, and so is an empty text
// in place of a part of the path.
func TestNullIsAbsent(t *testing.T) {
	w := wholeWorld(t)
	w.reply = jsonReply(200, `{}`)
	const issue = "GET /api/v4/projects/1/issues/2"
	tests := []struct{ action, params, want string }{
		{"issue.get", `{"project":1,"project_id":null,"issue_iid":2}`, issue},
		{"issue.get", `{"project":1,"project_id":"","issue_iid":2}`, issue},
		{"issue.get", `{"project":null,"project_id":1,"iid":null,"issue_iid":2,"url":null}`, issue},
		{"issue.list", `{"project_id":1,"search":"x","query":null}`, "GET /api/v4/projects/1/issues?search=x"},
		{"issue.list", `{"project_id":1,"per_page":null,"all_pages":true}`, "GET /api/v4/projects/1/issues?per_page=100"},
		{"merge_request_discussion.create", `{"project_id":1,"merge_request_iid":2,"body":"x","file":null,"line":null,"line_end":null,"side":null,"position":null}`, "POST /api/v4/projects/1/merge_requests/2/discussions"},
		{"merge_request_discussion.create", `{"project_id":1,"merge_request_iid":2,"body":"x","file":"","line":null,"side":""}`, "POST /api/v4/projects/1/merge_requests/2/discussions"},
	}
	for _, tt := range tests {
		w.lines = w.lines[:0]
		res := w.do(t, tt.action, tt.params)
		if res.IsError || len(w.lines) != 1 || w.lines[0] != tt.want {
			t.Errorf("%s %s: sent %v, want %s\n%s", tt.action, tt.params, w.lines, tt.want, res.Text)
		}
	}
}

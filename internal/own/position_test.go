package own_test

import (
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The diff of the tests: two hunks in a.go, which has
//
//	old  new
//	 1    1    package a
//	 2    2    (empty)
//	 3    -    -old
//	 -    3    +new
//	 -    4    +more
//	 4    5    func f() {
//	…
//	20   21    x := 1
//	21    -    -y := 2
//	22   22    z := 3
const hunks = `@@ -1,4 +1,5 @@
 package a
 
-old
+new
+more
 func f() {
@@ -20,3 +21,2 @@ func g() {
 x := 1
-y := 2
 z := 3
\ No newline at end of file
`

func mergeRequest(t *testing.T) map[string]string {
	t.Helper()
	diffs := []map[string]any{
		{"old_path": "a.go", "new_path": "a.go", "diff": hunks},
		{"old_path": "was.go", "new_path": "is.go", "renamed_file": true, "diff": ""},
		{"old_path": "new.go", "new_path": "new.go", "new_file": true, "diff": "@@ -0,0 +1,2 @@\n+one\n+two\n"},
		{"old_path": "gone.go", "new_path": "gone.go", "deleted_file": true, "diff": "@@ -1,1 +0,0 @@\n-one\n"},
		{"old_path": "huge.go", "new_path": "huge.go", "too_large": true, "diff": ""},
	}
	js, err := json.Marshal(diffs)
	if err != nil {
		t.Fatal(err)
	}
	const at = " /api/v4/projects/g%2Fp/merge_requests/1"
	return map[string]string{
		"GET" + at:                   `{"diff_refs":{"base_sha":"B","start_sha":"S","head_sha":"H"}}`,
		"GET" + at + "/diffs":        string(js),
		"POST" + at + "/discussions": `{"id":"d"}`,
		"POST" + at + "/draft_notes": `{"id":1}`,
	}
}

func code(path string, old, new int) string {
	sum := sha1.Sum([]byte(path))
	return fmt.Sprintf("%s_%d_%d", hex.EncodeToString(sum[:]), old, new)
}

func TestPosition(t *testing.T) {
	end := func(path string, old, new int, kind, lines string) string {
		return `{"line_code":"` + code(path, old, new) + `","type":"` + kind + `",` + lines + `}`
	}
	tests := []struct{ name, args, want string }{
		{"added", `"file":"a.go","line":3`, `"old_path":"a.go","new_path":"a.go","new_line":3`},
		{"removed", `"file":"a.go","line":3,"side":"old"`, `"old_path":"a.go","new_path":"a.go","old_line":3`},
		{"context", `"file":"a.go","line":5`, `"old_path":"a.go","new_path":"a.go","old_line":4,"new_line":5`},
		{"context by its old number", `"file":"a.go","line":4,"side":"old"`, `"old_path":"a.go","new_path":"a.go","old_line":4,"new_line":5`},
		{"empty context", `"file":"a.go","line":2`, `"old_path":"a.go","new_path":"a.go","old_line":2,"new_line":2`},
		{"between the hunks", `"file":"a.go","line":11`, `"old_path":"a.go","new_path":"a.go","old_line":10,"new_line":11`},
		{"between the hunks by its old number", `"file":"a.go","line":10,"side":"old"`, `"old_path":"a.go","new_path":"a.go","old_line":10,"new_line":11`},
		{"behind the hunks", `"file":"a.go","line":30`, `"old_path":"a.go","new_path":"a.go","old_line":30,"new_line":30`},
		{"renamed by its new path", `"file":"is.go","line":8`, `"old_path":"was.go","new_path":"is.go","old_line":8,"new_line":8`},
		{"renamed by its old path", `"file":"was.go","line":8,"side":"old"`, `"old_path":"was.go","new_path":"is.go","old_line":8,"new_line":8`},
		{"new file", `"file":"new.go","line":2`, `"old_path":"new.go","new_path":"new.go","new_line":2`},
		{"several lines", `"file":"a.go","line":3,"line_end":5`, `"old_path":"a.go","new_path":"a.go","old_line":4,"new_line":5,"line_range":{"start":` +
			end("a.go", 4, 3, "new", `"new_line":3`) + `,"end":` + end("a.go", 4, 5, "old", `"old_line":4,"new_line":5`) + `}`},
		{"several lines of the old side", `"file":"a.go","line":20,"line_end":21,"side":"old"`, `"old_path":"a.go","new_path":"a.go","old_line":21,"line_range":{"start":` +
			end("a.go", 20, 21, "old", `"old_line":20,"new_line":21`) + `,"end":` + end("a.go", 21, 22, "old", `"old_line":21`) + `}`},
		{"one line as several", `"file":"new.go","line":1,"line_end":1`, `"old_path":"new.go","new_path":"new.go","new_line":1`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for action, text := range map[string]string{"merge_request_discussion.create": "body", "draft_note.create": "note"} {
				w := newWorld(t, mergeRequest(t))
				res := w.do(t, action, `{"project_id":"g/p","merge_request_iid":1,"`+text+`":"hm",`+tt.args+`}`)
				if res.IsError || len(w.body) == 0 {
					t.Fatal(res.Text)
				}
				var got, want any
				if err := json.Unmarshal([]byte(w.body[len(w.body)-1]), &got); err != nil {
					t.Fatal(err)
				}
				if err := json.Unmarshal([]byte(`{"`+text+`":"hm","position":{"position_type":"text","base_sha":"B","start_sha":"S","head_sha":"H",`+tt.want+`}}`), &want); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s: body (-want +got):\n%s", action, diff)
				}
				if n := len(w.sent()); n != 3 {
					t.Errorf("%d requests: %v", n, w.sent())
				}
			}
		})
	}
}

func TestPositionRefuses(t *testing.T) {
	tests := []struct{ name, args, problem string }{
		{"no such file", `"file":"b.go","line":1`, "a file that the merge request changes"},
		{"behind a new file", `"file":"new.go","line":3`, "a line that the new side"},
		{"new side of a deleted file", `"file":"gone.go","line":1`, "a line that the new side"},
		{"no line", `"file":"a.go"`, "the line of the file"},
		{"no file", `"line":1`, "with it the file"},
		{"backwards", `"file":"a.go","line":3,"line_end":2`, "at or after line"},
		{"both ways", `"file":"a.go","line":3,"position":{"new_line":3}`, "either file and line, or position"},
		{"too large", `"file":"huge.go","line":3`, "too large"},
		{"no merge request", `"file":"a.go","line":3,"merge_request_iid":null`, "merge_request_iid"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, mergeRequest(t))
			args := `{"project_id":"g/p","merge_request_iid":1,"body":"hm",` + tt.args + `}`
			if strings.Contains(tt.args, "merge_request_iid") {
				args = `{"project_id":"g/p","body":"hm",` + tt.args + `}`
			}
			f := failure(t, w.do(t, "merge_request_discussion.create", args))
			if f.Code != "invalid_params" || !strings.Contains(f.Message, tt.problem) {
				t.Errorf("%+v, want %q", f, tt.problem)
			}
			for _, line := range w.sent() {
				if !strings.HasPrefix(line, "GET ") {
					t.Errorf("sent %s", line)
				}
			}
		})
	}
}

// Without a file nothing is read, and a dry run shows placeholders.
func TestPositionReadsNothing(t *testing.T) {
	w := newWorld(t, mergeRequest(t))
	w.do(t, "merge_request_discussion.create", `{"project_id":"g/p","merge_request_iid":1,"body":"hm"}`)
	if n := len(w.sent()); n != 1 {
		t.Errorf("sent %v", w.sent())
	}
	res := w.do(t, "merge_request_discussion.create", `{"project_id":"g/p","merge_request_iid":1,"body":"hm","file":"a.go","line":3}`, dryRun)
	if !strings.Contains(string(res.Structured), `"head_sha":"{head_sha}"`) || len(w.sent()) != 1 {
		t.Errorf("dry run: %s, sent %v", res.Structured, w.sent())
	}
}

func FuzzPosition(f *testing.F) {
	f.Add(hunks, 3)
	f.Add("@@ -0,0 +1 @@\n+a", 1)
	f.Add("@@ -a,b +c @@\n\n", 2)
	f.Fuzz(func(t *testing.T, text string, line int) {
		answers := mergeRequest(t)
		js, err := json.Marshal([]map[string]any{{"old_path": "a", "new_path": "a", "diff": text}})
		if err != nil || line < 1 {
			return
		}
		answers["GET /api/v4/projects/g%2Fp/merge_requests/1/diffs"] = string(js)
		w := newWorld(t, answers)
		w.do(t, "draft_note.create", fmt.Sprintf(`{"project_id":"g/p","merge_request_iid":1,"note":"n","file":"a","line":%d}`, line))
	})
}

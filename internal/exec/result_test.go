package exec_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab-mcp-server/internal/exec"
	"gitlab-mcp-server/internal/gitlab"
	"gitlab-mcp-server/internal/policy"
)

// list is the structured content of a list.
type list struct {
	Items      []json.RawMessage
	Pagination struct {
		Page       *int
		PerPage    *int `json:"per_page"`
		NextPage   *int `json:"next_page"`
		NextCursor *string
		Total      *int
		HasMore    bool `json:"has_more"`
	}
}

func listOf(t *testing.T, res exec.Result) list {
	t.Helper()
	var l list
	if err := json.Unmarshal(res.Structured, &l); err != nil || res.IsError {
		t.Fatalf("%v: %s", err, res.Structured)
	}
	return l
}

func notes(res exec.Result) []string {
	n, _ := res.Meta[exec.MetaNotes].([]string)
	return n
}

func hasNote(res exec.Result, s string) bool {
	return slices.ContainsFunc(notes(res), func(n string) bool { return strings.Contains(n, s) })
}

// pages answers with pages of one item each, numbered.
func pages(last int, header func(h http.Header, page int)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		page := 1
		fmt.Sscan(r.URL.Query().Get("page"), &page)
		if c := r.URL.Query().Get("id_after"); c != "" {
			fmt.Sscan(c, &page)
		}
		w.Header().Set("Content-Type", "application/json")
		if page < last {
			header(w.Header(), page)
		}
		fmt.Fprintf(w, `[{"id":%d}]`, page)
	}
}

func TestPages(t *testing.T) {
	offset := func(h http.Header, page int) {
		h.Set("X-Next-Page", fmt.Sprint(page+1))
		h.Set("X-Page", fmt.Sprint(page))
		h.Set("X-Per-Page", "100")
		h.Set("X-Total", "3")
	}
	keyset := func(h http.Header, page int) {
		h.Set("Link", fmt.Sprintf(`<http://internal.example/api/v4/projects?id_after=%d&order_by=id&pagination=keyset&private_token=x>; rel="next", <http://internal.example/first>; rel="first"`, page+1))
	}
	t.Run("by number", func(t *testing.T) {
		var progress []string
		w := newWorld(t)
		w.reply = pages(3, offset)
		res := w.do(t, "issue.list", `{"project_id":1,"all_pages":true,"labels":["a","b"]}`, func(c *exec.Call) {
			c.Progress = func(done, total int) { progress = append(progress, fmt.Sprint(done, "/", total)) }
		})
		want := []string{
			"GET /api/v4/projects/1/issues?labels=a,b&per_page=100",
			"GET /api/v4/projects/1/issues?labels=a,b&per_page=100&page=2",
			"GET /api/v4/projects/1/issues?labels=a,b&per_page=100&page=3",
		}
		if diff := cmp.Diff(want, w.sent()); diff != "" {
			t.Errorf("requests (-want +got):\n%s", diff)
		}
		if l := listOf(t, res); len(l.Items) != 3 || l.Pagination.HasMore {
			t.Errorf("list %s", res.Structured)
		}
		if diff := cmp.Diff([]string{"1/3", "2/3", "3/3"}, progress); diff != "" {
			t.Errorf("progress (-want +got):\n%s", diff)
		}
	})
	t.Run("by cursor", func(t *testing.T) {
		w := newWorld(t)
		w.reply = pages(3, keyset)
		res := w.do(t, "project.list", `{"all_pages":true,"pagination":"keyset"}`)
		sent := w.sent()
		if len(sent) != 3 || !strings.Contains(sent[2], "id_after=3") || strings.Contains(strings.Join(sent, ""), "private_token") {
			t.Errorf("requests %v", sent)
		}
		if l := listOf(t, res); len(l.Items) != 3 || l.Pagination.HasMore {
			t.Errorf("list %s", res.Structured)
		}
	})
	t.Run("one page tells the next", func(t *testing.T) {
		w := newWorld(t)
		w.reply = pages(3, offset)
		res := w.do(t, "issue.list", `{"project_id":1}`)
		l := listOf(t, res)
		if len(w.sent()) != 1 || !l.Pagination.HasMore || l.Pagination.NextPage == nil || *l.Pagination.NextPage != 2 || l.Pagination.Total == nil || *l.Pagination.Total != 3 {
			t.Errorf("sent %v, list %s", w.sent(), res.Structured)
		}
	})
	t.Run("the cap is said", func(t *testing.T) {
		w := newWorld(t, func(_ *policy.Config, x *exec.Config, _ *gitlab.Config) { x.MaxPages = 2 })
		w.reply = pages(9, offset)
		res := w.do(t, "issue.list", `{"project_id":1,"all_pages":true}`)
		l := listOf(t, res)
		if len(l.Items) != 2 || !l.Pagination.HasMore || !hasNote(res, "limit of 2 pages") {
			t.Errorf("list %s, notes %v", res.Structured, notes(res))
		}
	})
	t.Run("a page that fails is said", func(t *testing.T) {
		w := newWorld(t)
		good := pages(9, offset)
		w.reply = func(rw http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("page") == "3" {
				jsonReply(403, `{"message":"403 Forbidden"}`)(rw, r)
				return
			}
			good(rw, r)
		}
		res := w.do(t, "issue.list", `{"project_id":1,"all_pages":true}`)
		if l := listOf(t, res); len(l.Items) != 2 || !l.Pagination.HasMore || !hasNote(res, "403 Forbidden") {
			t.Errorf("list %s, notes %v", res.Structured, notes(res))
		}
	})
	t.Run("the first page that fails is a failure", func(t *testing.T) {
		w := newWorld(t)
		w.reply = jsonReply(404, `{"message":"404 Project Not Found"}`)
		if f := failureOf(t, w.do(t, "issue.list", `{"project_id":1,"all_pages":true}`)); f.Status != 404 {
			t.Errorf("%+v", f)
		}
	})
	t.Run("no paging headers", func(t *testing.T) {
		w := newWorld(t)
		w.reply = jsonReply(200, `[{"id":1}]`)
		res := w.do(t, "issue.list", `{"project_id":1}`)
		if l := listOf(t, res); l.Pagination.HasMore || l.Pagination.Total != nil {
			t.Errorf("list %s", res.Structured)
		}
	})
}

func TestAnswersComeBackWhole(t *testing.T) {
	tests := []struct {
		name, action, params string
		reply                http.HandlerFunc
		want                 string // exact structured content
	}{
		{"object untouched", "project.get", `{"project_id":1}`, jsonReply(200, `{"z":null,"id":9007199254740993,"new":{"a":[1.50]},"avatar_url":null}`), `{"z":null,"id":9007199254740993,"new":{"a":[1.50]},"avatar_url":null}`},
		{"created without the usual fields", "issue.create", `{"project_id":1,"title":"t"}`, jsonReply(201, `{}`), `{}`},
		{"no content", "issue.delete", `{"project_id":1,"issue_iid":2,"confirm":true}`, jsonReply(204, ``), `{"status":"success"}`},
		{"list where an object was expected", "project.get", `{"project_id":1}`, jsonReply(200, `[]`), ""},
		{"text where JSON was expected", "project.get", `{"project_id":1}`, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			io.WriteString(w, "hello")
		}, ""},
		{"truncated JSON of a write", "issue.create", `{"project_id":1,"title":"t"}`, jsonReply(201, `{"iid":`), ""},
		{"invalid UTF-8", "project.get", `{"project_id":1}`, jsonReply(200, "{\"a\":\"\xff\"}"), `{"a":"` + "\uFFFD" + `"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.reply = tt.reply
			res := w.do(t, tt.action, tt.params)
			if res.IsError {
				t.Fatalf("a success became a failure: %s", res.Structured)
			}
			if tt.want != "" && string(res.Structured) != tt.want {
				t.Errorf("got  %s\nwant %s", res.Structured, tt.want)
			}
		})
	}
}

func TestNotesAndFields(t *testing.T) {
	w := newWorld(t)
	w.reply = jsonReply(200, `[{"iid":1,"title":"a","description":"long"}]`)
	res := w.do(t, "issue.list", `{"id":1,"per_page":"300"}`, func(c *exec.Call) { c.Fields = []string{"iid"} })
	if l := listOf(t, res); len(l.Items) != 1 || string(l.Items[0]) != `{"iid":1}` {
		t.Errorf("items %s", res.Structured)
	}
	if !hasNote(res, "per_page: lowered to 100") || !hasNote(res, "id: read as project_id") {
		t.Errorf("notes %v", notes(res))
	}
	if !strings.Contains(res.Text, "lowered to 100") {
		t.Errorf("the text has no notes:\n%s", res.Text)
	}
}

func TestTrace(t *testing.T) {
	w := newWorld(t)
	w.reply = func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/plain")
		io.WriteString(rw, "one\n\x1b[31mtwo error\x1b[0m\nthree\nfour Error\n")
	}
	for params, want := range map[string]string{
		`{"project_id":1,"job_id":2,"tail":1}`:           "four Error",
		`{"project_id":1,"job_id":2,"grep":"error"}`:     "two error\nfour Error",
		`{"project_id":1,"job_id":2,"offset":2}`:         "three\nfour Error",
		`{"project_id":1,"job_id":2,"tail":"2"}`:         "three\nfour Error",
		`{"project_id":1,"job_id":2,"tail":2,"grep":""}`: "three\nfour Error",
	} {
		res := w.do(t, "job.get_trace", params)
		var got struct{ Content string }
		if err := json.Unmarshal(res.Structured, &got); err != nil || strings.TrimRight(got.Content, "\n") != want {
			t.Errorf("%s: %s, want %q", params, res.Structured, want)
		}
	}
	if sent := w.sent(); sent[0] != "GET /api/v4/projects/1/jobs/2/trace" {
		t.Errorf("local arguments were sent: %v", sent)
	}
	if f := failureOf(t, w.do(t, "job.get_trace", `{"project_id":1,"job_id":2,"tail":-1}`)); f.Code != string(exec.CodeInvalidParams) {
		t.Errorf("%+v", f)
	}
}

func TestImages(t *testing.T) {
	w := newWorld(t)
	w.reply = func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "image/png")
		io.WriteString(rw, "\x89PNG\x00")
	}
	res := w.do(t, "project_export.download", `{"project_id":1}`)
	if len(res.Images) != 1 || res.Images[0].MIMEType != "image/png" || string(res.Images[0].Data) != "\x89PNG\x00" {
		t.Errorf("images %v", res.Images)
	}
}

func TestDownloads(t *testing.T) {
	dir := t.TempDir()
	into := func(_ *policy.Config, x *exec.Config, _ *gitlab.Config) { x.Files = &exec.Files{DownloadDir: dir} }
	file := func(name, content string) http.HandlerFunc {
		return func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Type", "application/gzip")
			rw.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
			io.WriteString(rw, content)
		}
	}
	w := newWorld(t, into)
	type saved struct {
		Path, Content, Encoding string
		Size                    int
	}
	get := func() saved {
		t.Helper()
		res := w.do(t, "project_export.download", `{"project_id":1}`)
		var s saved
		if err := json.Unmarshal(res.Structured, &s); err != nil || res.IsError {
			t.Fatalf("%v: %s", err, res.Structured)
		}
		return s
	}
	w.reply = file("a.tar.gz", "\x1f\x8b\x00")
	if s := get(); s.Path != filepath.Join(dir, "a.tar.gz") || s.Content != "H4sA" || s.Encoding != "base64" {
		t.Errorf("small file: %+v", s)
	}
	if s := get(); s.Path != filepath.Join(dir, "a.tar-2.gz") {
		t.Errorf("a file was replaced: %+v", s)
	}
	w.reply = file("../../evil", strings.Repeat("x", 100_000))
	s := get()
	if s.Path != filepath.Join(dir, "evil") || s.Content != "" || s.Size != 100_000 {
		t.Errorf("large file: %+v", s)
	}
	if b, err := os.ReadFile(s.Path); err != nil || len(b) != 100_000 {
		t.Errorf("%d bytes: %v", len(b), err)
	}
	w.reply = jsonReply(404, `{}`)
	w.do(t, "project_export.download", `{"project_id":1}`)
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("%d entries, want 3: %v %v", len(entries), entries, err)
	}
}

func TestUploads(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	write := func(path, content string) {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(dir, "a.txt"), "allowed")
	write(filepath.Join(outside, "secret"), "secret")
	if err := os.Symlink(filepath.Join(outside, "secret"), filepath.Join(dir, "link")); err != nil {
		t.Skip("no symbolic links here")
	}
	if err := os.Symlink(outside, filepath.Join(dir, "linked")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a.txt", filepath.Join(dir, "inside")); err != nil {
		t.Fatal(err)
	}
	files := &exec.Files{UploadDirs: []string{dir}}
	from := func(_ *policy.Config, x *exec.Config, g *gitlab.Config) { x.Files, g.Open = files, files.Open }
	for path, ok := range map[string]bool{
		filepath.Join(dir, "a.txt"): true, "a.txt": true, "inside": true, dir + "/x/../a.txt": false,
		"link": false, filepath.Join(dir, "link"): false, "linked/secret": false, filepath.Join(outside, "secret"): false,
		"../" + filepath.Base(outside) + "/secret": false, "missing": false, ".": false, "/etc/passwd": false,
	} {
		w := newWorld(t, from)
		w.reply = jsonReply(201, `{"url":"/uploads/x"}`)
		quoted, _ := json.Marshal(path)
		res := w.do(t, "project_upload.create", `{"project_id":1,"file":{"path":`+string(quoted)+`}}`)
		if res.IsError == ok || (len(w.sent()) == 1) != ok {
			t.Errorf("%s: error %v, sent %v: %s", path, res.IsError, w.sent(), res.Structured)
			continue
		}
		if ok && !strings.Contains(w.body[0], "allowed") {
			t.Errorf("%s: body %q", path, w.body[0])
		}
	}
}

func TestGraphQL(t *testing.T) {
	tests := []struct{ name, body, want string }{
		{"node", `{"data":{"workItem":{"id":"1","title":"t"}}}`, `{"id":"1","title":"t"}`},
		{"node deep down", `{"data":{"namespace":{"workItem":{"id":"1","title":"t"}}}}`, `{"id":"1","title":"t"}`},
		{"payload of a mutation", `{"data":{"workItemCreate":{"errors":[],"workItem":{"id":"1","title":"t"}}}}`, `{"id":"1","title":"t"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.reply = jsonReply(200, tt.body)
			if res := w.do(t, "work_item.get", `{"id":"gid://1"}`); string(res.Structured) != tt.want {
				t.Errorf("got %s, want %s", res.Structured, tt.want)
			}
			if w.sent()[0] != "POST /api/graphql" {
				t.Errorf("sent %v", w.sent())
			}
		})
	}
	t.Run("connection", func(t *testing.T) {
		w := newWorld(t)
		w.reply = jsonReply(200, `{"data":{"project":{"items":{"nodes":[{"id":1}],"pageInfo":{"hasNextPage":true,"endCursor":"abc"},"count":7}}}}`)
		res := w.do(t, "work_item.get", `{}`)
		if l := listOf(t, res); len(l.Items) != 1 || !l.Pagination.HasMore || *l.Pagination.Total != 7 || !strings.Contains(string(res.Structured), `"next_cursor":"abc"`) {
			t.Errorf("list %s", res.Structured)
		}
	})
	for name, body := range map[string]string{
		"errors":              `{"data":{"a":{"id":1}},"errors":[{"message":"Field is bad","path":["a"]}]}`,
		"errors of a payload": `{"data":{"workItemCreate":{"errors":["Field is bad"],"workItem":null}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.reply = jsonReply(200, body)
			res := w.do(t, "work_item.get", `{}`)
			if f := failureOf(t, res); f.Code != "gitlab" || f.Message != "Field is bad" || !strings.Contains(string(res.Structured), `"data":{`) {
				t.Errorf("%s", res.Structured)
			}
		})
	}
	t.Run("nothing there", func(t *testing.T) {
		w := newWorld(t)
		w.reply = jsonReply(200, `{"data":{"project":null}}`)
		if f := failureOf(t, w.do(t, "work_item.get", `{}`)); f.Code != "gitlab" {
			t.Errorf("%+v", f)
		}
	})
}

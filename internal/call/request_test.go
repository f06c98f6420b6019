package call_test

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/call"
)

var (
	_ arg.Query = (*call.Request)(nil)
	_ arg.Body  = (*call.Body)(nil)
)

func TestSegment(t *testing.T) {
	for v, want := range map[string]string{
		"42":                         "42",
		"group/project":              "group%2Fproject",
		"group%2Fproject":            "group%2Fproject",
		"group%2fproject":            "group%2Fproject",
		"my-group/sub/my.project":    "my-group%2Fsub%2Fmy.project",
		"my-group%2Fsub%2Fmy%2Eproj": "my-group%2Fsub%2Fmy.proj",
		"dir/ua.cfg":                 "dir%2Fua.cfg",
		"dir%2Fmy file.txt":          "dir%2Fmy%20file.txt",
		"my file.txt":                "my%20file.txt",
		"my%20file.txt":              "my%20file.txt",
		"my%2520file.txt":            "my%2520file.txt",
		"100%":                       "100%25",
		"100%25":                     "100%25",
		"50% off":                    "50%25%20off",
		"%zz":                        "%25zz",
		"%":                          "%25",
		"a%2":                        "a%252",
		"a%2Fb%":                     "a%252Fb%25",
		"100%25 done":                "100%2525%20done",
		"%FF":                        "%25FF",
		"a%00b":                      "a%2500b",
		"a%0Ab":                      "a%250Ab",
		"scope::value":               "scope%3A%3Avalue",
		"a+b":                        "a%2Bb",
		"a?b#c&d=e":                  "a%3Fb%23c%26d%3De",
		"größe":                      "gr%C3%B6%C3%9Fe",
		"gr%C3%B6%C3%9Fe":            "gr%C3%B6%C3%9Fe",
		"🚀":                          "%F0%9F%9A%80",
		"v1.0..2":                    "v1.0..2",
		"...":                        "...",
		".gitlab-ci.yml":             ".gitlab-ci.yml",
		".github/x":                  ".github%2Fx",
		"a\\b":                       "a%5Cb",
		"A // B":                     "A%20%2F%2F%20B",
		"and/or/":                    "and%2For%2F",
		"@all;x":                     "%40all%3Bx",
		"~user":                      "~user",
	} {
		var q call.Request
		q.Start("GET")
		q.Literal("/x/")
		q.Segment("name", v)
		if err := q.Err(); err != nil {
			t.Errorf("Segment(%q): %v", v, err)
			continue
		}
		if got := q.Path(); got != "/x/"+want {
			t.Errorf("Segment(%q) = %s, want /x/%s", v, got, want)
		}
	}
}

func TestSplat(t *testing.T) {
	for v, want := range map[string]string{
		"a/b c/d.txt":     "a/b%20c/d.txt",
		"a%2Fb%20c/d.txt": "a/b%20c/d.txt",
		"100%/x":          "100%25/x",
	} {
		var q call.Request
		q.Splat("artifact_path", v)
		if got := q.Path(); q.Err() != nil || got != want {
			t.Errorf("Splat(%q) = %s, %v, want %s", v, got, q.Err(), want)
		}
	}
}

// TestRefused wants no value to reach another operation.
func TestRefused(t *testing.T) {
	for _, v := range []string{
		"", ".", "..", "/", "../../user", "a/../b", "a/./b", "a/..", "%2e%2e", "%2E%2E%2Fuser", "..%2f..", "..%2Fuser",
		".%2e", "%252e%252e%252fuser", "%25252e%25252e", "a%2f%2e%2e%2fb", "%2e%2e/x y", `..\..`, `a\..\b`, "a/%2e/b",
	} {
		for _, splat := range []bool{false, true} {
			var q call.Request
			q.Start("GET")
			q.Literal("/api/v4/x/")
			if splat {
				q.Splat("path", v)
			} else {
				q.Segment("x", v)
			}
			var e *call.PathError
			if !errors.As(q.Err(), &e) {
				t.Errorf("%q passed as %s (splat %t)", v, q.Path(), splat)
				continue
			}
			if v != "" && len(v) > 2 && strings.Contains(e.Error(), v) {
				t.Errorf("%q: the error shows the value: %v", v, e)
			}
		}
	}
	for _, v := range []string{"/a", "a/", "a//b", "a%2F%2Fb"} {
		for _, name := range []string{"project_id", "file_path"} {
			var q call.Request
			q.Segment(name, v)
			if q.Err() == nil {
				t.Errorf("%s %q passed as %s", name, v, q.Path())
			}
		}
	}
	var q call.Request
	q.Segment("a_id", "..")
	q.Segment("b_id", "")
	if e := (*call.PathError)(nil); !errors.As(q.Err(), &e) || e.Param != "a_id" {
		t.Errorf("Err = %v, want the first", q.Err())
	}
}

func TestQuery(t *testing.T) {
	var q call.Request
	q.Start("GET")
	q.Add("search", "a b&c=d+e#f%20ü")
	q.AddComma("labels", []string{"bug", "priority::1", "a&b"})
	q.AddBrackets("iids", []string{"1", "2"})
	q.Add("not[labels]", "x,y")
	q.Add("custom_attributes[my key]", "")
	q.Add("created_after", "2026-01-02T03:04:05Z")
	want := "search=a%20b%26c%3Dd%2Be%23f%2520%C3%BC&labels=bug,priority%3A%3A1,a%26b&iids[]=1&iids[]=2&not[labels]=x,y&custom_attributes[my%20key]=&created_after=2026-01-02T03%3A04%3A05Z"
	if diff := cmp.Diff(want, q.RawQuery()); diff != "" {
		t.Errorf("query differs (-want +got):\n%s", diff)
	}
	if _, err := url.ParseQuery(q.RawQuery()); err != nil {
		t.Error(err)
	}
	q.SetQuery("iids[]", "3")
	q.SetQuery("page", "2")
	if v, ok := q.Query("page"); !ok || v != "2" {
		t.Errorf("Query(page) = %q, %t", v, ok)
	}
	if got := q.RawQuery(); !strings.Contains(got, "iids[]=3&not") || !strings.HasSuffix(got, "&page=2") {
		t.Errorf("after SetQuery: %s", got)
	}
}

func write(b *call.Body) {
	b.String("title", "a <b> & \"c\" 😀\n")
	b.Number("id", "9007199254740993")
	b.Bool("ok", true)
	b.Null("due")
	b.Strings("labels", []string{"x", "y,z"})
	b.Strings("none", nil)
	b.Numbers("ids", []string{"1", "2"})
	b.Raw("map", []byte(`{"a":null,"b":[1.0,"c"]}`))
	b.Open("position")
	b.String("base", "s")
	b.Open("range")
	b.Number("start", "1")
	b.Close()
	b.Open("empty")
	b.Close()
	b.Close()
	b.OpenArray("actions")
	b.OpenItem()
	b.String("action", "create")
	b.CloseItem()
	b.OpenItem()
	b.String("action", "delete")
	b.Strings("t", []string{"1"})
	b.CloseItem()
	b.CloseArray()
	b.OpenArray("links")
	b.CloseArray()
	b.String("last", "")
}

func TestJSON(t *testing.T) {
	var q call.Request
	for range 2 { // the second time on used buffers
		q.Start("POST")
		if q.HasBody() || q.JSON() != nil || q.ContentType() != "" {
			t.Error("a body without one")
		}
		write(q.Body(false))
		want := `{"title":"a <b> & \"c\" 😀\n","id":9007199254740993,"ok":true,"due":null,"labels":["x","y,z"],"none":[],"ids":[1,2],` +
			`"map":{"a":null,"b":[1.0,"c"]},"position":{"base":"s","range":{"start":1},"empty":{}},` +
			`"actions":[{"action":"create"},{"action":"delete","t":["1"]}],"links":[],"last":""}`
		if diff := cmp.Diff(want, string(q.JSON())); diff != "" {
			t.Errorf("body differs (-want +got):\n%s", diff)
		}
		if string(q.JSON()) != want || q.ContentType() != "application/json" || q.Parts() != nil {
			t.Error("reading the body changed it, or it is taken for a form")
		}
	}
	q.Start("PUT")
	q.Body(false)
	if q.HasBody() || q.JSON() != nil {
		t.Error("nothing written, but a body")
	}
	q.Body(false).Required()
	if string(q.JSON()) != "{}" {
		t.Errorf("required and empty: %s", q.JSON())
	}
}

func TestForm(t *testing.T) {
	var q call.Request
	q.Start("POST")
	b := q.Body(true)
	write(b)
	b.File("avatar", "../x/\"a\r\nb.png", "", []byte("\x89PNG"), "")
	b.Open("design")
	b.File("file", "", "text/x\r\ny: z", nil, "/srv/up/notes.txt")
	b.Close()
	if q.Parts() == nil || q.JSON() != nil {
		t.Error("not taken for a form")
	}
	open := func(path string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("content of " + path)), nil
	}
	var buf, again bytes.Buffer
	if err := errors.Join(q.WriteForm(&buf, open), q.WriteForm(&again, open)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(buf.Bytes(), again.Bytes()) {
		t.Error("the second writing differs")
	}
	_, params, err := mime.ParseMediaType(q.ContentType())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for r := multipart.NewReader(&buf, params["boundary"]); ; {
		p, err := r.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(p)
		if err != nil {
			t.Fatal(err)
		}
		line := p.FormName() + "=" + string(data)
		if p.FileName() != "" {
			line += " (" + p.FileName() + ", " + p.Header.Get("Content-Type") + ")"
		}
		got = append(got, line)
	}
	want := []string{
		"title=a <b> & \"c\" 😀\n", "id=9007199254740993", "ok=true", "due=", "labels[]=x", "labels[]=y,z", "none[]=", "ids[]=1", "ids[]=2",
		"map[a]=", "map[b][]=1.0", "map[b][]=c", "position[base]=s", "position[range][start]=1",
		"actions[][action]=create", "actions[][action]=delete", "actions[][t][]=1", "last=",
		"avatar=\x89PNG (%22ab.png, image/png)", "design[file]=content of /srv/up/notes.txt (notes.txt, text/plain; charset=utf-8)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("form differs (-want +got):\n%s", diff)
	}
	errOpen := errors.New("no")
	if err := q.WriteForm(io.Discard, func(string) (io.ReadCloser, error) { return nil, errOpen }); !errors.Is(err, errOpen) {
		t.Errorf("WriteForm = %v, want the opener's error", err)
	}
}

func TestRawBody(t *testing.T) {
	var q call.Request
	q.Start("PUT")
	q.RawBody("a.bin", "", []byte("x"), "")
	if !q.HasBody() || q.JSON() != nil || q.ContentType() != "application/octet-stream" || string(q.Raw().Content) != "x" {
		t.Errorf("raw body = %+v, %s", q.Raw(), q.ContentType())
	}
	q.Start("PUT")
	if q.HasBody() || q.Raw() != nil {
		t.Error("Start left a body over")
	}
}

// FuzzSegment wants exactly one segment that decodes to what was meant.
func FuzzSegment(f *testing.F) {
	for _, s := range []string{"a/b", "a%2Fb", "..", "%2e%2e", "100%", "ä", "\xff", "a\x00b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, v string) {
		var q call.Request
		q.Segment("x", v)
		if q.Err() != nil {
			if q.Path() != "" {
				t.Errorf("%q: refused, yet written as %s", v, q.Path())
			}
			return
		}
		p := q.Path()
		if p == "" || strings.ContainsAny(p, "/?#\\ ") {
			t.Fatalf("%q = %q is no single segment", v, p)
		}
		back, err := url.PathUnescape(p)
		if err != nil {
			t.Fatalf("%q = %q: %v", v, p, err)
		}
		once, err := url.PathUnescape(v)
		if back != v && (err != nil || back != once) {
			t.Errorf("%q arrives as %q", v, back)
		}
		for piece := range strings.SplitSeq(back, "/") {
			if piece == "." || piece == ".." {
				t.Errorf("%q arrives with a dot segment", v)
			}
		}
		// What came out is taken for the same value again.
		if utf8.ValidString(back) && !strings.ContainsFunc(back, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			var again call.Request
			again.Segment("x", p)
			if again.Path() != p && strings.Contains(p, "%") && again.Err() == nil {
				t.Errorf("%q, encoded as %q, becomes %q", v, p, again.Path())
			}
		}
	})
}

func BenchmarkBuild(b *testing.B) {
	var q call.Request
	b.ReportAllocs()
	for b.Loop() {
		q.Start("PUT")
		q.Literal("/api/v4/projects/")
		q.Segment("project_id", "my-group/sub/my.project")
		q.Literal("/issues/")
		q.Segment("issue_iid", "1234")
		body := q.Body(false)
		body.String("title", "Login fails with a second factor")
		body.Numbers("assignee_ids", []string{"17", "4223"})
		if q.Err() != nil || len(q.JSON()) == 0 {
			b.Fatal(q.Err())
		}
	}
}

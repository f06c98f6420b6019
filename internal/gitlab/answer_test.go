package gitlab_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"gitlab-mcp-server/internal/call"
	"gitlab-mcp-server/internal/gitlab"
)

func TestErrorsOfGitLab(t *testing.T) {
	tests := []struct {
		name    string
		status  int
		header  http.Header
		body    string
		opts    gitlab.Options
		message string
		hint    string
	}{
		{"map", 422, nil, `{"message":{"name":["is too long","is reserved"],"base":["nope"]}}`, gitlab.Options{}, "name: is too long, is reserved; nope", "correct what the message names"},
		{"nested map", 400, nil, `{"message":{"a":{"b":["x"]}}}`, gitlab.Options{}, "a.b: x", ""},
		{"array", 400, nil, `{"message":["one","two"]}`, gitlab.Options{}, "one, two", ""},
		{"oauth", 401, nil, `{"error":"invalid_token","error_description":"Token is expired."}`, gitlab.Options{}, "invalid_token: Token is expired.", "expired"},
		{"401 is not always the token", 401, nil, `{"message":"401 Unauthorized"}`, gitlab.Options{Facts: gitlab.Facts{Role: "maintainer"}}, "401 Unauthorized", "missing permission"},
		{"tier", 402, nil, `{"message":"Payment required"}`, gitlab.Options{Facts: gitlab.Facts{Tier: "ultimate"}}, "Payment required", "ultimate"},
		{"scope", 403, nil, `{"error":"insufficient_scope","error_description":"The request requires higher privileges.","scope":"api read_api"}`, gitlab.Options{}, "insufficient_scope: The request requires higher privileges.", "api or read_api"},
		{"role", 403, nil, `{"message":"403 Forbidden"}`, gitlab.Options{Facts: gitlab.Facts{Admin: true}}, "403 Forbidden", "administrator"},
		{"404", 404, nil, `{"message":"404 Project Not Found"}`, gitlab.Options{}, "404 Project Not Found", "may not see it"},
		{"405", 405, nil, `{"message":"405 Method Not Allowed"}`, gitlab.Options{}, "405 Method Not Allowed", "state"},
		{"409", 409, nil, `{"message":"already exists"}`, gitlab.Options{}, "already exists", "exists already"},
		{"412", 412, nil, ``, gitlab.Options{}, "412 Precondition Failed", "changed"},
		{"415", 415, nil, `{"error":"The provided content-type is not supported."}`, gitlab.Options{}, "not supported", "content type"},
		{"500 of a write", 500, nil, ``, gitlab.Options{}, "500 Internal Server Error", "not known"},
		{"message and error alike", 404, nil, `{"message":"404 Not found","error":"404 Not found"}`, gitlab.Options{}, "404 Not found", ""},
		{"HTML", 403, http.Header{"Content-Type": {"text/html; charset=utf-8"}, "Server": {"corp-proxy"}}, "<html><head><title>Access\n denied</title></head><body>…", gitlab.Options{}, `an HTML page in place of an answer of GitLab's API, titled "Access denied" (server: corp-proxy)`, ""},
		{"text", 400, http.Header{"Content-Type": {"text/plain"}}, "bad\nthing", gitlab.Options{}, "bad thing", ""},
		{"truncated JSON", 400, nil, `{"message":"unfinis`, gitlab.Options{}, `{"message":"unfinis`, ""},
		{"invalid UTF-8", 400, nil, "{\"message\":\"a\xffb\"}", gitlab.Options{}, "a\uFFFDb", ""},
		{"echo of the token", 400, nil, `{"message":"bad token ` + token + `"}`, gitlab.Options{}, "bad token [MASKED]", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv := record(t, func(w http.ResponseWriter, _ *http.Request, _ int) {
				for k, v := range tt.header {
					w.Header()[k] = v
				}
				w.Header().Set("X-Request-Id", "req-1")
				w.WriteHeader(tt.status)
				io.WriteString(w, tt.body)
			})
			_, err := client(t, srv.URL).Do(t.Context(), request("GET", "/api/v4/x"), tt.opts)
			e := asError(t, err)
			if e.Code != gitlab.Refused || e.Status != tt.status || e.RequestID != "req-1" {
				t.Errorf("got %s %d, request %q", e.Code, e.Status, e.RequestID)
			}
			if !strings.Contains(e.Message, tt.message) {
				t.Errorf("message %q, want %q", e.Message, tt.message)
			}
			if !strings.Contains(e.Hint, tt.hint) {
				t.Errorf("hint %q, want %q in it", e.Hint, tt.hint)
			}
		})
	}
}

func TestAnonymous401NamesTheVariable(t *testing.T) {
	srv := record(t, func(w http.ResponseWriter, _ *http.Request, _ int) { w.WriteHeader(401) })
	c := client(t, srv.URL, func(cfg *gitlab.Config) { cfg.Credential = gitlab.Credential{} })
	_, err := c.Do(t.Context(), request("GET", "/api/v4/x"), gitlab.Options{Read: true})
	if e := asError(t, err); !strings.Contains(e.Hint, "GITLAB_TOKEN") {
		t.Errorf("hint %q", e.Hint)
	}
}

func TestHTMLInPlaceOfAnAnswer(t *testing.T) {
	const page = "<!DOCTYPE html><title>Sign in</title>"
	tests := []struct {
		name        string
		opts        gitlab.Options
		disposition string
		code        gitlab.Code // empty: a success
	}{
		{"read", gitlab.Options{Read: true}, "", gitlab.Refused},
		{"write", gitlab.Options{}, "", gitlab.OutcomeUnknown},
		{"text", gitlab.Options{Read: true, Answers: gitlab.Text}, "", ""},
		{"file", gitlab.Options{Read: true, Answers: gitlab.Binary}, "", gitlab.Refused},
		{"named file", gitlab.Options{Read: true, Answers: gitlab.Binary}, "attachment; filename=index.html", ""},
		{"write, called JSON", gitlab.Options{}, "", gitlab.OutcomeUnknown},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv := record(t, func(w http.ResponseWriter, _ *http.Request, _ int) {
				w.Header().Set("Content-Type", "text/html")
				if strings.HasSuffix(tt.name, "JSON") {
					w.Header().Set("Content-Type", "application/json")
				}
				if tt.disposition != "" {
					w.Header().Set("Content-Disposition", tt.disposition)
				}
				io.WriteString(w, page)
			})
			resp, err := client(t, srv.URL).Do(t.Context(), request("GET", "/api/v4/x"), tt.opts)
			if tt.code == "" {
				if err != nil || string(resp.Body) != page {
					t.Fatalf("got %v", err)
				}
				return
			}
			if e := asError(t, err); e.Code != tt.code || !strings.Contains(e.Message, "HTML") {
				t.Errorf("got %s: %s", e.Code, e.Message)
			}
		})
	}
}

func TestSizeLimitAndGzip(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	fmt.Fprintf(z, `"%s"`, strings.Repeat("a", 5000))
	z.Close()
	srv := record(t, func(w http.ResponseWriter, r *http.Request, _ int) {
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			t.Error("gzip was not asked for")
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(packed.Bytes())
	})
	roomy := client(t, srv.URL)
	resp, err := roomy.Do(t.Context(), request("GET", "/api/v4/x"), gitlab.Options{Read: true})
	if err != nil || resp.Size != 5002 {
		t.Fatalf("got %v", err)
	}
	tight := client(t, srv.URL, func(cfg *gitlab.Config) { cfg.MaxResponseBytes = 1000 })
	_, err = tight.Do(t.Context(), request("GET", "/api/v4/x"), gitlab.Options{Read: true})
	if e := asError(t, err); !strings.Contains(e.Message, "larger than 1000 bytes") {
		t.Errorf("message %q", e.Message)
	}
	resp, err = tight.Do(t.Context(), request("GET", "/api/v4/x"), gitlab.Options{Read: true, Answers: gitlab.Text})
	if err != nil || !resp.Cut || resp.Size != 1000 {
		t.Errorf("text above the limit: %v %v", resp, err)
	}
	resp, err = tight.Do(t.Context(), post("/api/v4/x"), gitlab.Options{})
	if err != nil || !resp.Cut {
		t.Errorf("a write stays a success: %v %v", resp, err)
	}
	var saved bytes.Buffer
	resp, err = tight.Do(t.Context(), request("GET", "/api/v4/x"), gitlab.Options{Read: true, Answers: gitlab.Binary, Save: func(http.Header) (io.Writer, error) { return &saved, nil }})
	if err != nil || !resp.Saved || resp.Size != 5002 || saved.Len() != 5002 {
		t.Errorf("saved %d: %v %v", saved.Len(), resp, err)
	}
}

// memory is a file that is opened from memory.
type memory struct {
	io.Reader
	size int64
}

func (memory) Close() error  { return nil }
func (m memory) Size() int64 { return m.size }

func upload() *call.Request {
	q := request("POST", "/api/v4/x")
	b := q.Body(true)
	b.String("name", "n")
	b.File("file", "a.bin", "", nil, "/dir/a.bin")
	return q
}

func TestUploadsAreStreamedAndRepeated(t *testing.T) {
	const content = "\x00\xff\r\n--content"
	srv := record(t, func(w http.ResponseWriter, _ *http.Request, n int) {
		if n == 1 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(429)
		}
	})
	c := client(t, srv.URL, func(cfg *gitlab.Config) {
		cfg.Open = func(path string) (gitlab.File, error) {
			if path != "/dir/a.bin" {
				t.Errorf("opened %s", path)
			}
			return memory{strings.NewReader(content), int64(len(content))}, nil
		}
	})
	if _, err := c.Do(t.Context(), upload(), gitlab.Options{}); err != nil {
		t.Fatal(err)
	}
	if srv.count() != 2 || srv.bodies[0] != srv.bodies[1] {
		t.Fatalf("%d requests, equal bodies: %v", srv.count(), srv.bodies[0] == srv.bodies[1])
	}
	r := srv.requests[1]
	if r.ContentLength != int64(len(srv.bodies[1])) {
		t.Errorf("length %d, want %d", r.ContentLength, len(srv.bodies[1]))
	}
	_, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	form, err := multipart.NewReader(strings.NewReader(srv.bodies[1]), params["boundary"]).ReadForm(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	f, err := form.File["file"][0].Open()
	if err != nil {
		t.Fatal(err)
	}
	got, _ := io.ReadAll(f)
	if string(got) != content || form.Value["name"][0] != "n" || form.File["file"][0].Filename != "a.bin" {
		t.Errorf("form %v, file %q", form.Value, got)
	}
}

func TestFilesThatFail(t *testing.T) {
	srv := record(t, func(http.ResponseWriter, *http.Request, int) {})
	for name, open := range map[string]func(string) (gitlab.File, error){
		"cannot be opened": func(string) (gitlab.File, error) { return nil, errors.New("outside of the allowed directories") },
		"became shorter":   func(string) (gitlab.File, error) { return memory{strings.NewReader("ab"), 3}, nil },
		"became longer":    func(string) (gitlab.File, error) { return memory{strings.NewReader("abcd"), 3}, nil },
	} {
		c := client(t, srv.URL, func(cfg *gitlab.Config) { cfg.Open = open })
		if _, err := c.Do(t.Context(), upload(), gitlab.Options{}); err == nil {
			t.Errorf("a file that %s was sent", name)
		}
	}
}

func FuzzMessage(f *testing.F) {
	for _, s := range []string{``, `{"message":{"a":[1,null,{"b":"c"}]}}`, `{"error":"e","error_description":"d"}`, `["a"]`, `{"message":`, "\xff", `{"errors":[{"message":"m","path":["a"]}]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		m := gitlab.Message(body)
		if !utf8.ValidString(m) || len(m) > 2100 {
			t.Errorf("message of %d bytes, valid %v", len(m), utf8.ValidString(m))
		}
		if strings.ContainsFunc(m, func(r rune) bool { return unicode.IsControl(r) }) {
			t.Errorf("control character in %q", m)
		}
	})
}

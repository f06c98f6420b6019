package gitlab_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"gitlab-mcp-server/internal/call"
	"gitlab-mcp-server/internal/gitlab"
)

const token = "glpat-secret-value"

// recorder is a server that keeps what it was asked.
type recorder struct {
	*httptest.Server
	mu       sync.Mutex
	requests []*http.Request
	bodies   []string
}

// record starts a server whose handler is told the number of the request, from 1.
func record(t *testing.T, handle func(w http.ResponseWriter, r *http.Request, n int)) *recorder {
	t.Helper()
	rec := &recorder{}
	rec.Server = httptest.NewServer(rec.handler(handle))
	t.Cleanup(rec.Close)
	return rec
}

func (rec *recorder) handler(handle func(http.ResponseWriter, *http.Request, int)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		rec.mu.Lock()
		rec.requests = append(rec.requests, r)
		rec.bodies = append(rec.bodies, string(body))
		n := len(rec.requests)
		rec.mu.Unlock()
		handle(w, r, n)
	})
}

func (rec *recorder) count() int {
	rec.mu.Lock()
	defer rec.mu.Unlock()
	return len(rec.requests)
}

func client(t *testing.T, base string, change ...func(*gitlab.Config)) *gitlab.Client {
	t.Helper()
	cfg := gitlab.Config{
		BaseURL: base, Credential: gitlab.Credential{Token: token}, UserAgent: "gitlab-mcp-server/test",
		Timeout: 20 * time.Second, RetryWait: time.Millisecond,
	}
	for _, f := range change {
		f(&cfg)
	}
	c, err := gitlab.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func request(method, path string) *call.Request {
	q := new(call.Request)
	q.Start(method)
	q.Literal(path)
	return q
}

func post(path string) *call.Request {
	q := request("POST", path)
	q.Body(false).String("title", "a & b <c>")
	return q
}

func asError(t *testing.T, err error) *gitlab.Error {
	t.Helper()
	var e *gitlab.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v (%T), want *gitlab.Error", err, err)
	}
	return e
}

// cutConnection ends the connection without an answer.
func cutConnection(w http.ResponseWriter) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		conn.Close()
	}
}

// cutBody announces more than it sends.
func cutBody(w http.ResponseWriter) {
	conn, buf, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	buf.WriteString("HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"iid\":1")
	buf.Flush()
	conn.Close()
}

func TestWhatIsRepeated(t *testing.T) {
	status := func(code int, header ...string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			for i := 0; i+1 < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(code)
			io.WriteString(w, `{"message":"m"}`)
		}
	}
	tests := []struct {
		name    string
		method  string
		read    bool
		script  []func(http.ResponseWriter) // the last one repeats
		sent    int
		code    gitlab.Code // empty: success
		httpErr int
	}{
		{"read, 500 twice", "GET", true, []func(http.ResponseWriter){status(500), status(502), status(200)}, 3, "", 0},
		{"read, 500 always", "GET", true, []func(http.ResponseWriter){status(500)}, 4, gitlab.Refused, 500},
		{"read by POST, 503", "POST", true, []func(http.ResponseWriter){status(503), status(200)}, 2, "", 0},
		{"read, 501 is final", "GET", true, []func(http.ResponseWriter){status(501)}, 1, gitlab.Refused, 501},
		{"read, 404 is final", "GET", true, []func(http.ResponseWriter){status(404)}, 1, gitlab.Refused, 404},
		{"read, 503 that asks for too long", "GET", true, []func(http.ResponseWriter){status(503, "Retry-After", "3600")}, 1, gitlab.Refused, 503},
		{"write, 500", "POST", false, []func(http.ResponseWriter){status(500)}, 1, gitlab.Refused, 500},
		{"write, 502", "PUT", false, []func(http.ResponseWriter){status(502)}, 1, gitlab.Refused, 502},
		{"delete, 503", "DELETE", false, []func(http.ResponseWriter){status(503)}, 1, gitlab.Refused, 503},
		{"write, 429 then ok", "POST", false, []func(http.ResponseWriter){status(429, "Retry-After", "0"), status(201)}, 2, "", 0},
		{"write, 429 without a time", "POST", false, []func(http.ResponseWriter){status(429), status(201)}, 2, "", 0},
		{"429 always", "GET", true, []func(http.ResponseWriter){status(429, "Retry-After", "0")}, 4, gitlab.RateLimited, 429},
		{"429 that asks for too long", "GET", true, []func(http.ResponseWriter){status(429, "Retry-After", "3600")}, 1, gitlab.RateLimited, 429},
		{"429 reset too late", "POST", false, []func(http.ResponseWriter){status(429, "RateLimit-Reset", "99999999999")}, 1, gitlab.RateLimited, 429},
		{"read, connection cut", "GET", true, []func(http.ResponseWriter){cutConnection, cutConnection, status(200)}, 3, "", 0},
		{"read, body cut", "GET", true, []func(http.ResponseWriter){cutBody, status(200)}, 2, "", 0},
		{"write, connection cut", "POST", false, []func(http.ResponseWriter){cutConnection}, 1, gitlab.OutcomeUnknown, 0},
		{"delete, connection cut", "DELETE", false, []func(http.ResponseWriter){cutConnection}, 1, gitlab.OutcomeUnknown, 0},
		{"write by GET, connection cut", "GET", false, []func(http.ResponseWriter){cutConnection}, 1, gitlab.OutcomeUnknown, 0},
		{"write, body cut behind its success", "POST", false, []func(http.ResponseWriter){cutBody}, 1, "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv := record(t, func(w http.ResponseWriter, r *http.Request, n int) {
				if r.URL.Path == "/warm" {
					return
				}
				tt.script[min(n-1, len(tt.script)-1)](w)
			})
			c := client(t, srv.URL)
			q := request(tt.method, "/api/v4/x")
			if tt.method == "POST" || tt.method == "PUT" {
				q.Body(false).String("title", "t")
			}
			_, err := c.Do(t.Context(), q, gitlab.Options{Read: tt.read})
			if got := srv.count(); got != tt.sent {
				t.Errorf("sent %d times, want %d", got, tt.sent)
			}
			if tt.code == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			e := asError(t, err)
			if e.Code != tt.code || e.Status != tt.httpErr {
				t.Errorf("got %s %d, want %s %d: %v", e.Code, e.Status, tt.code, tt.httpErr, e)
			}
			if tt.code == gitlab.OutcomeUnknown && !strings.Contains(e.Hint, "before repeating") {
				t.Errorf("hint %q does not say what to do", e.Hint)
			}
		})
	}
}

// A kept connection that breaks makes net/http repeat a GET by itself.
func TestWriteByGetOnAKeptConnection(t *testing.T) {
	srv := record(t, func(w http.ResponseWriter, r *http.Request, n int) {
		if n > 1 {
			cutConnection(w)
		}
	})
	c := client(t, srv.URL)
	if _, err := c.Do(t.Context(), request("GET", "/api/v4/a"), gitlab.Options{}); err != nil {
		t.Fatal(err)
	}
	_, err := c.Do(t.Context(), request("GET", "/api/v4/b"), gitlab.Options{})
	if e := asError(t, err); e.Code != gitlab.OutcomeUnknown {
		t.Errorf("code %s, want outcome_unknown", e.Code)
	}
	if n := srv.count(); n != 2 {
		t.Errorf("sent %d times, want 2", n)
	}
}

// flaky closes the first connections before the TLS handshake.
type flaky struct {
	net.Listener
	mu   sync.Mutex
	left int
}

func (f *flaky) Accept() (net.Conn, error) {
	for {
		conn, err := f.Listener.Accept()
		if err != nil {
			return nil, err
		}
		f.mu.Lock()
		f.left--
		closed := f.left >= 0
		f.mu.Unlock()
		if !closed {
			return conn, nil
		}
		conn.Close()
	}
}

func TestFailuresBeforeTheFirstByteAreRepeated(t *testing.T) {
	rec := &recorder{}
	rec.Server = httptest.NewUnstartedServer(rec.handler(func(w http.ResponseWriter, _ *http.Request, _ int) {
		w.WriteHeader(201)
	}))
	rec.Listener = &flaky{Listener: rec.Listener, left: 2}
	rec.StartTLS()
	t.Cleanup(rec.Close)
	c := client(t, rec.URL, func(cfg *gitlab.Config) { cfg.SkipTLSVerify = true })
	resp, err := c.Do(t.Context(), post("/api/v4/x"), gitlab.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if resp.Status != 201 || rec.count() != 1 {
		t.Errorf("status %d after %d requests, want 201 after 1", resp.Status, rec.count())
	}
}

func TestUnreachable(t *testing.T) {
	dead := httptest.NewServer(http.NotFoundHandler())
	dead.Close()
	tlsServer := httptest.NewTLSServer(http.NotFoundHandler())
	defer tlsServer.Close()
	tlsServer.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	tests := []struct{ name, base, message, hint string }{
		{"refused", dead.URL, "refused", "GITLAB_URL"},
		{"unknown authority", tlsServer.URL, "unknown authority", "GITLAB_CA_FILE"},
		{"no TLS", strings.Replace(plain.URL, "http:", "https:", 1), "without TLS", "GITLAB_URL"},
		{"unknown host", "http://nowhere.invalid", "nowhere.invalid", "GITLAB_URL"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "unknown host" {
				// Sandboxes differ in how a look-up fails.
				tt.hint = ""
			}
			c := client(t, tt.base, func(cfg *gitlab.Config) { cfg.Retries = 1 })
			_, err := c.Do(t.Context(), post("/api/v4/x?private_token=abc"), gitlab.Options{})
			e := asError(t, err)
			if e.Code != gitlab.Network {
				t.Errorf("code %s, want network: nothing was sent", e.Code)
			}
			if !strings.Contains(e.Message, tt.message) || !strings.Contains(e.Hint, tt.hint) {
				t.Errorf("message %q, hint %q", e.Message, e.Hint)
			}
			if strings.Contains(e.Error()+e.Hint, "abc") {
				t.Errorf("the query leaked: %v", e)
			}
		})
	}
}

func TestDeadlineAndCancellation(t *testing.T) {
	release := make(chan struct{})
	arrived := make(chan struct{}, 16)
	srv := record(t, func(w http.ResponseWriter, r *http.Request, n int) {
		arrived <- struct{}{}
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	defer close(release)
	short := client(t, srv.URL, func(cfg *gitlab.Config) { cfg.Timeout = 50 * time.Millisecond })
	_, err := short.Do(t.Context(), request("GET", "/api/v4/x"), gitlab.Options{Read: true})
	if e := asError(t, err); e.Code != gitlab.Timeout {
		t.Errorf("read: code %s, want timeout", e.Code)
	}
	_, err = short.Do(t.Context(), post("/api/v4/x"), gitlab.Options{})
	if e := asError(t, err); e.Code != gitlab.OutcomeUnknown {
		t.Errorf("write: code %s, want outcome_unknown", e.Code)
	}
	for len(arrived) > 0 {
		<-arrived
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-arrived
		cancel()
	}()
	_, err = client(t, srv.URL).Do(ctx, post("/api/v4/x"), gitlab.Options{})
	e := asError(t, err)
	if e.Code != gitlab.Canceled || !strings.Contains(e.Hint, "before repeating") {
		t.Errorf("canceled write: %s, hint %q", e.Code, e.Hint)
	}
	if n := srv.count(); n != 3 {
		t.Errorf("sent %d requests, want 3", n)
	}
}

func TestCredentials(t *testing.T) {
	tests := []struct {
		name   string
		cr     gitlab.Credential
		header string
		value  string
	}{
		{"bearer", gitlab.Credential{Token: token}, "Authorization", "Bearer " + token},
		{"private token", gitlab.Credential{Kind: gitlab.PrivateToken, Token: token}, "Private-Token", token},
		{"job token", gitlab.Credential{Kind: gitlab.JobToken, Token: token}, "Job-Token", token},
		{"anonymous", gitlab.Credential{}, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv := record(t, func(http.ResponseWriter, *http.Request, int) {})
			c := client(t, srv.URL, func(cfg *gitlab.Config) { cfg.Credential = tt.cr })
			if _, err := c.Do(t.Context(), request("GET", "/api/v4/x"), gitlab.Options{Read: true}); err != nil {
				t.Fatal(err)
			}
			h := srv.requests[0].Header
			for _, name := range []string{"Authorization", "Private-Token", "Job-Token"} {
				want := ""
				if name == tt.header {
					want = tt.value
				}
				if got := h.Get(name); got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
			if h.Get("User-Agent") != "gitlab-mcp-server/test" {
				t.Errorf("User-Agent %q", h.Get("User-Agent"))
			}
		})
	}
	t.Run("of the caller", func(t *testing.T) {
		srv := record(t, func(http.ResponseWriter, *http.Request, int) {})
		ctx := gitlab.WithCredential(t.Context(), gitlab.Credential{Token: "glpat-other"})
		if _, err := client(t, srv.URL).Do(ctx, request("GET", "/api/v4/x"), gitlab.Options{}); err != nil {
			t.Fatal(err)
		}
		if got := srv.requests[0].Header.Get("Authorization"); got != "Bearer glpat-other" {
			t.Errorf("Authorization %q", got)
		}
	})
}

func TestTheWire(t *testing.T) {
	srv := record(t, func(w http.ResponseWriter, _ *http.Request, _ int) { io.WriteString(w, `{}`) })
	c := client(t, srv.URL+"/gitlab")
	q := request("POST", "/api/v4/projects/")
	q.Segment("project_id", "my-group/sub/my.project")
	q.Literal("/issues")
	q.AddBrackets("iids", []string{"1", "2"})
	q.Body(false).String("title", "a & b <c>")
	if _, err := c.Do(t.Context(), q, gitlab.Options{}); err != nil {
		t.Fatal(err)
	}
	r := srv.requests[0]
	if want := "/gitlab/api/v4/projects/my-group%2Fsub%2Fmy.project/issues?iids[]=1&iids[]=2"; r.RequestURI != want {
		t.Errorf("target %s, want %s", r.RequestURI, want)
	}
	if want := `{"title":"a & b <c>"}`; srv.bodies[0] != want {
		t.Errorf("body %s, want %s", srv.bodies[0], want)
	}
	if r.Header.Get("Content-Type") != "application/json" || r.ContentLength != int64(len(srv.bodies[0])) {
		t.Errorf("content type %q, length %d", r.Header.Get("Content-Type"), r.ContentLength)
	}
	if _, err := c.Do(t.Context(), request("POST", "/api/v4/x"), gitlab.Options{}); err != nil {
		t.Fatal(err)
	}
	if r := srv.requests[1]; r.ContentLength != 0 || len(r.TransferEncoding) != 0 || r.Header.Get("Content-Type") != "" {
		t.Errorf("empty body: length %d, encoding %v, type %q", r.ContentLength, r.TransferEncoding, r.Header.Get("Content-Type"))
	}
}

func TestLogsHoldNoSecret(t *testing.T) {
	var logs bytes.Buffer
	srv := record(t, func(w http.ResponseWriter, _ *http.Request, n int) {
		if n < 3 {
			w.WriteHeader(500)
		}
	})
	base := strings.Replace(srv.URL, "http://", "http://user:hunter2@", 1)
	for _, kind := range []gitlab.Kind{gitlab.Bearer, gitlab.PrivateToken, gitlab.JobToken} {
		c := client(t, base, func(cfg *gitlab.Config) {
			cfg.Credential.Kind = kind
			cfg.Logger = slog.New(slog.NewJSONHandler(&logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
		})
		q := request("GET", "/api/v4/x")
		q.Add("private_token", "query-secret")
		if _, err := c.Do(t.Context(), q, gitlab.Options{Read: true}); err != nil {
			t.Fatal(err)
		}
	}
	if !strings.Contains(logs.String(), `"path":"/api/v4/x"`) {
		t.Fatalf("no request was logged:\n%s", logs.String())
	}
	for _, secret := range []string{token, "query-secret", "hunter2"} {
		if strings.Contains(logs.String(), secret) {
			t.Errorf("the logs hold %q", secret)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for _, base := range []string{"", "gitlab.example.com", "ftp://gitlab.example.com", "http://"} {
		if _, err := gitlab.New(gitlab.Config{BaseURL: base}); err == nil {
			t.Errorf("base URL %q was accepted", base)
		}
	}
	if _, err := gitlab.New(gitlab.Config{BaseURL: "https://x.example", CAFiles: []string{"testdata/missing.pem"}}); err == nil {
		t.Error("a missing CA bundle was accepted")
	}
	_, err := gitlab.New(gitlab.Config{BaseURL: "ftp://user:hunter2@x.example"})
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("error %v", err)
	}
}

package gitlab_test

import (
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gitlab-mcp-server/internal/gitlab"
)

func TestRedirectsOnTheSameHost(t *testing.T) {
	for _, status := range []int{301, 302, 307, 308} {
		srv := record(t, func(w http.ResponseWriter, r *http.Request, n int) {
			if n == 1 {
				w.Header().Set("Location", "/api/v4/new%2Fname?x=1")
				w.WriteHeader(status)
			}
		})
		if _, err := client(t, srv.URL).Do(t.Context(), post("/api/v4/old"), gitlab.Options{}); err != nil {
			t.Fatalf("%d: %v", status, err)
		}
		if srv.count() != 2 {
			t.Fatalf("%d: %d requests, want 2", status, srv.count())
		}
		r := srv.requests[1]
		if r.Method != "POST" || r.RequestURI != "/api/v4/new%2Fname?x=1" || srv.bodies[1] != srv.bodies[0] {
			t.Errorf("%d: followed as %s %s with %q", status, r.Method, r.RequestURI, srv.bodies[1])
		}
		if r.Header.Get("Authorization") != "Bearer "+token {
			t.Errorf("%d: the token was dropped on the same host", status)
		}
	}
}

func TestSeeOtherIsNotSentTwice(t *testing.T) {
	srv := record(t, func(w http.ResponseWriter, r *http.Request, n int) {
		if n == 1 {
			w.Header().Set("Location", "/api/v4/result")
			w.WriteHeader(303)
		}
	})
	if _, err := client(t, srv.URL).Do(t.Context(), post("/api/v4/x"), gitlab.Options{}); err != nil {
		t.Fatal(err)
	}
	if r := srv.requests[1]; r.Method != "GET" || srv.bodies[1] != "" {
		t.Errorf("followed as %s with body %q", r.Method, srv.bodies[1])
	}
}

func TestRedirectsElsewhere(t *testing.T) {
	other := &recorder{}
	other.Server = httptest.NewTLSServer(other.handler(func(w http.ResponseWriter, _ *http.Request, _ int) {
		w.Header().Set("Content-Type", "application/octet-stream")
		io.WriteString(w, "the file")
	}))
	t.Cleanup(other.Close)
	plain := record(t, func(w http.ResponseWriter, _ *http.Request, _ int) {})
	bundle := filepath.Join(t.TempDir(), "ca.pem")
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: other.Certificate().Raw})
	if err := os.WriteFile(bundle, cert, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		method  string
		answers gitlab.Answers
		to      string
		follow  bool
	}{
		{"binary over https", "GET", gitlab.Binary, other.URL, true},
		{"text over https", "GET", gitlab.Text, other.URL, true},
		{"JSON", "GET", gitlab.JSON, other.URL, false},
		{"binary over http", "GET", gitlab.Binary, plain.URL, false},
		{"POST", "POST", gitlab.Binary, other.URL, false},
		{"DELETE", "DELETE", gitlab.JSON, other.URL, false},
		{"HEAD", "HEAD", gitlab.Binary, other.URL, false},
	}
	for _, tt := range tests {
		for _, kind := range []gitlab.Kind{gitlab.Bearer, gitlab.PrivateToken, gitlab.JobToken} {
			t.Run(tt.name, func(t *testing.T) {
				before := other.count() + plain.count()
				srv := record(t, func(w http.ResponseWriter, _ *http.Request, _ int) {
					w.Header().Set("Location", strings.Replace(tt.to, "://", "://user:pw@", 1)+"/file?X-Signature=signed")
					w.WriteHeader(302)
				})
				c := client(t, srv.URL, func(cfg *gitlab.Config) {
					cfg.CAFiles = []string{bundle}
					cfg.Credential.Kind = kind
				})
				resp, err := c.Do(t.Context(), request(tt.method, "/api/v4/x"), gitlab.Options{Read: true, Answers: tt.answers})
				if !tt.follow {
					e := asError(t, err)
					host := strings.TrimPrefix(strings.TrimPrefix(tt.to, "https://"), "http://")
					if !strings.Contains(e.Message, host) || strings.Contains(e.Message+e.Hint, "signed") {
						t.Errorf("message %q, want the host %s and no signature", e.Message, host)
					}
					if other.count()+plain.count() != before {
						t.Error("the other host was asked")
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if string(resp.Body) != "the file" {
					t.Errorf("body %q", resp.Body)
				}
				h := other.requests[other.count()-1].Header
				for _, name := range []string{"Authorization", "Private-Token", "Job-Token", "Cookie"} {
					if h.Get(name) != "" {
						t.Errorf("%s went to another host", name)
					}
				}
			})
		}
	}
}

// What another host says is not put down to GitLab's permissions.
func TestErrorsElsewhere(t *testing.T) {
	for _, status := range []int{400, 401, 403, 404, 429, 503} {
		other := &recorder{}
		other.Server = httptest.NewTLSServer(other.handler(func(w http.ResponseWriter, _ *http.Request, _ int) {
			w.Header().Set("Retry-After", "100000")
			w.WriteHeader(status)
			io.WriteString(w, "<Error><Code>AccessDenied</Code></Error>")
		}))
		t.Cleanup(other.Close)
		bundle := filepath.Join(t.TempDir(), "ca.pem")
		cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: other.Certificate().Raw})
		if err := os.WriteFile(bundle, cert, 0o600); err != nil {
			t.Fatal(err)
		}
		srv := record(t, func(w http.ResponseWriter, _ *http.Request, _ int) {
			w.Header().Set("Location", other.URL+"/file?X-Signature=signed")
			w.WriteHeader(302)
		})
		c := client(t, srv.URL, func(cfg *gitlab.Config) { cfg.CAFiles = []string{bundle} })
		_, err := c.Do(t.Context(), request("GET", "/api/v4/x"), gitlab.Options{
			Read: true, Answers: gitlab.Binary, Facts: gitlab.Facts{Scope: "read_api", Role: "developer"},
		})
		e := asError(t, err)
		host := strings.TrimPrefix(other.URL, "https://")
		if e.Status != status || !strings.Contains(e.Message, host) || !strings.Contains(e.Message, "AccessDenied") || !strings.Contains(e.Hint, host) {
			t.Errorf("%d: status %d, message %q, hint %q; want the host in both", status, e.Status, e.Message, e.Hint)
		}
		for _, wrong := range []string{"token", "scope", "role", "signed"} {
			if strings.Contains(e.Message+e.Hint, wrong) {
				t.Errorf("%d: %q speaks of %s", status, e.Message+" "+e.Hint, wrong)
			}
		}
	}
}

// An address that cannot be read is an answer, not a failure of the network.
func TestRedirectToNowhere(t *testing.T) {
	for _, location := range []string{"https://h%zz/file?X-Signature=signed", "https://[::1/x", "ht tp://x/%"} {
		for _, method := range []string{"GET", "POST"} {
			srv := record(t, func(w http.ResponseWriter, _ *http.Request, _ int) {
				w.Header().Set("Location", location)
				w.WriteHeader(302)
			})
			_, err := client(t, srv.URL).Do(t.Context(), request(method, "/api/v4/x"), gitlab.Options{Read: method == "GET"})
			e := asError(t, err)
			place, _, _ := strings.Cut(location, "?")
			if e.Code != gitlab.Refused || e.Status != 302 || !strings.Contains(e.Message, place) || strings.Contains(e.Message, "signed") {
				t.Errorf("%s %s: %s, status %d, %q", method, location, e.Code, e.Status, e.Message)
			}
			if n := srv.count(); n != 1 {
				t.Errorf("%s %s: sent %d times, want once", method, location, n)
			}
		}
	}
}

func TestRedirectsEnd(t *testing.T) {
	tests := []struct{ name, location, want string }{
		{"loop", "/api/v4/x", "more redirects"},
		{"no address", "", "without a usable address"},
		{"sign-in page", "/users/sign_in", "authentication"},
		{"sign-in page elsewhere", "https://login.example.com/users/sign_in?next=1", "authentication"},
		{"file scheme", "file:///etc/passwd", "not http"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv := record(t, func(w http.ResponseWriter, _ *http.Request, _ int) {
				if tt.location != "" {
					w.Header().Set("Location", tt.location)
				}
				w.WriteHeader(302)
			})
			_, err := client(t, srv.URL).Do(t.Context(), request("GET", "/api/v4/x"), gitlab.Options{Read: true, Answers: gitlab.Binary})
			if e := asError(t, err); !strings.Contains(e.Message, tt.want) {
				t.Errorf("message %q, want %q in it", e.Message, tt.want)
			}
			if n := srv.count(); n > 6 {
				t.Errorf("%d requests, want at most 6", n)
			}
		})
	}
}

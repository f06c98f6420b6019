package sim

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func get(s http.Handler, target string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(http.MethodGet, target, nil)
	req.Header.Set("PRIVATE-TOKEN", Token)
	return serve(s, req)
}

func post(s http.Handler, target, body string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(http.MethodPost, target, strings.NewReader(body))
	req.Header.Set("PRIVATE-TOKEN", Token)
	req.Header.Set("Content-Type", "application/json")
	return serve(s, req)
}

// Following Link to the end gives every item once, by number and by cursor.
func TestLinks(t *testing.T) {
	s := New(fullCatalog(), Options{})
	for _, start := range []string{
		"/api/v4/projects/1/issues?state=all&per_page=7",
		"/api/v4/projects/1/issues?state=all&per_page=7&pagination=keyset",
	} {
		seen := map[string]bool{}
		pages := 0
		for next := start; next != "" && pages < 20; pages++ {
			w := get(s, next)
			if w.Code != http.StatusOK {
				t.Fatalf("%s: %d %s", next, w.Code, w.Body)
			}
			for _, v := range decode(w.Body.String()).([]any) {
				id := v.(*object).str("iid")
				if seen[id] {
					t.Errorf("%s: issue %s comes twice", start, id)
				}
				seen[id] = true
			}
			next = ""
			for link := range strings.SplitSeq(w.Header().Get("Link"), ", ") {
				if url, isNext := strings.CutSuffix(link, `>; rel="next"`); isNext {
					next = strings.TrimPrefix(strings.TrimPrefix(url, "<"), "http://example.com")
				}
			}
		}
		if len(seen) != 40 || pages != 6 {
			t.Errorf("%s: %d issues on %d pages", start, len(seen), pages)
		}
	}
}

// The same requests get the same answers.
func TestDeterministic(t *testing.T) {
	var first string
	for range 2 {
		s := New(fullCatalog(), Options{})
		var all strings.Builder
		post(s, "/api/v4/projects/1/issues", `{"title":"Same"}`)
		for _, target := range []string{"projects/1", "projects/1/issues?per_page=100", "projects/1/merge_requests/34", "projects/1/repository/commits", "events", "users"} {
			w := get(s, "/api/v4/"+target)
			fmt.Fprintln(&all, w.Code, w.Header(), w.Body)
		}
		if first == "" {
			first = all.String()
		} else if diff := cmp.Diff(first, all.String()); diff != "" {
			t.Error(diff)
		}
	}
}

func TestOptions(t *testing.T) {
	now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	s := New(fullCatalog(), Options{BaseURL: "https://git.example.org", Now: func() time.Time { return now }})
	w := post(s, "/api/v4/projects/1/issues", `{"title":"Later"}`)
	o := decode(w.Body.String()).(*object)
	if got := o.str("created_at"); got != "2030-01-02T03:04:05.000Z" {
		t.Errorf("created_at %s", got)
	}
	if got := o.str("web_url"); got != "https://git.example.org/acme/webshop/-/issues/41" {
		t.Errorf("web_url %s", got)
	}
	empty := New(fullCatalog(), Options{Empty: true})
	if w := get(empty, "/api/v4/projects"); w.Body.String() != "[]" {
		t.Errorf("an empty GitLab has projects: %s", w.Body)
	}
	if w := get(empty, "/api/v4/user"); w.Code != http.StatusOK {
		t.Errorf("an empty GitLab has no user: %d", w.Code)
	}
}

// What is not there is made up on demand, but not what was deleted.
func TestInvent(t *testing.T) {
	s := New(fullCatalog(), Options{Invent: true})
	if w := get(s, "/api/v4/projects/some%2Fwhere/issues/5"); w.Code != http.StatusOK || decode(w.Body.String()).(*object).str("iid") != "5" {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	for _, target := range []string{"branches/any", "files/any.txt?ref=any", "commits/any", "tags/any", "files/any.txt/raw?ref=other", "compare?from=a&to=b"} {
		if w := get(s, "/api/v4/projects/some%2Fwhere/repository/"+target); w.Code != http.StatusOK {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
	del := httptest.NewRequest(http.MethodDelete, "/api/v4/projects/some%2Fwhere/issues/5", nil)
	del.Header.Set("PRIVATE-TOKEN", Token)
	if w := serve(s, del); w.Code != http.StatusNoContent {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if w := get(s, "/api/v4/projects/some%2Fwhere/issues/5"); w.Code != http.StatusNotFound {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// Many clients at once leave a consistent company behind. The race detector
// watches.
func TestConcurrent(t *testing.T) {
	s := New(fullCatalog(), Options{Record: true})
	const clients, writes = 16, 10
	var wg sync.WaitGroup
	for i := range clients {
		wg.Go(func() {
			for j := range writes {
				if w := post(s, "/api/v4/projects/1/issues", fmt.Sprintf(`{"title":"From %d, number %d"}`, i, j)); w.Code != http.StatusCreated {
					t.Errorf("%d %s", w.Code, w.Body)
				}
				get(s, "/api/v4/projects/1/issues?per_page=100")
				s.AddFault(Fault{Status: 500, Path: "/nowhere"})
				s.Requests()
			}
		})
	}
	wg.Wait()
	if got := get(s, "/api/v4/projects/1/issues").Header().Get("X-Total"); got != text(40+clients*writes) {
		t.Errorf("%s issues", got)
	}
	if got := len(s.Requests()); got != 2*clients*writes+1 {
		t.Errorf("%d requests recorded", got)
	}
}

// A request is recorded as it came.
func TestRecord(t *testing.T) {
	s := New(fullCatalog(), Options{Record: true})
	post(s, "/api/v4/projects/acme%2Fwebshop/issues?x=%20a", `{"title":"x"}`)
	got := s.Requests()
	if len(got) != 1 || got[0].String() != "POST /api/v4/projects/acme%2Fwebshop/issues?x=%20a" || string(got[0].Body) != `{"title":"x"}` || got[0].Header.Get("PRIVATE-TOKEN") != Token {
		t.Errorf("%v", got)
	}
	s.Forget()
	if len(s.Requests()) != 0 {
		t.Error("not forgotten")
	}
}

// The switches work over HTTP too, for a simulation in another process.
func TestAdmin(t *testing.T) {
	s := New(fullCatalog(), Options{Record: true})
	steps := []struct {
		method, target, body string
		status               int
	}{
		{"POST", "/-/sim/faults", `{"status":429,"retry_after":7,"times":1,"path":"/api/v4/user"}`, 204},
		{"GET", "/api/v4/projects", "", 200},
		{"GET", "/api/v4/user", "", 429},
		{"GET", "/api/v4/user", "", 200},
		{"POST", "/-/sim/faults", `{"status":503}`, 204},
		{"GET", "/api/v4/user", "", 503},
		{"DELETE", "/-/sim/faults", "", 204},
		{"GET", "/api/v4/user", "", 200},
		{"POST", "/-/sim/faults", `{"stauts":503}`, 400},
		{"POST", "/-/sim/faults", `{"status":42}`, 400},
		{"POST", "/-/sim/faults", `[]`, 400},
		{"GET", "/-/sim/none", "", 404},
		{"DELETE", "/-/sim/requests", "", 204},
	}
	for _, st := range steps {
		req := httptest.NewRequest(st.method, st.target, strings.NewReader(st.body))
		req.Header.Set("PRIVATE-TOKEN", Token)
		w := serve(s, req)
		if w.Code != st.status {
			t.Errorf("%s %s %s: %d %s, want %d", st.method, st.target, st.body, w.Code, w.Body, st.status)
		}
		if st.status == 429 && w.Header().Get("Retry-After") != "7" {
			t.Errorf("Retry-After %q", w.Header().Get("Retry-After"))
		}
	}
	get(s, "/api/v4/user")
	if w := get(s, "/-/sim/requests"); w.Body.String() != `[{"method":"GET","path":"/api/v4/user","query":"","body":""}]` {
		t.Errorf("%s", w.Body)
	}
	if w := serve(s, httptest.NewRequest("DELETE", "/-/sim/faults", nil)); w.Code != http.StatusUnauthorized {
		t.Errorf("without a token: %d", w.Code)
	}
}

// Every hook is for a route that exists.
func TestHooksHaveRoutes(t *testing.T) {
	keys := map[string]bool{}
	var walk func(*routeNode)
	walk = func(n *routeNode) {
		for _, r := range n.routes {
			keys[hookKey(r.key)] = true
		}
		for _, k := range n.kids {
			walk(k)
		}
	}
	walk(buildRoutes(fullCatalog()))
	for key := range hooks() {
		if !keys[key] {
			t.Errorf("no route %s", key)
		}
	}
}

func FuzzServe(f *testing.F) {
	for _, seed := range [][3]string{
		{"GET", "/api/v4/projects/acme%2Fwebshop/issues?labels=bug&not[labels]=x&iids[]=1", ""},
		{"POST", "/api/v4/projects/1/repository/commits", `{"branch":"main","commit_message":"x","actions":[{"action":"create","file_path":"a","content":"b"}]}`},
		{"PUT", "/api/v4/projects/1/merge_requests/34/merge", `{"squash":true}`},
		{"DELETE", "/api/v4/groups/acme/labels/bug", ""},
		{"PATCH", "/api/v4/%zz/../a//b?x[=1&[]=2&a[b][c]=d", "{"},
		{"GET", "/api/v4/projects/1/repository/files/src%2Fapp.go/blame?ref=main&range[start]=1&range[end]=99999999999999999999", ""},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	cat := fullCatalog()
	root := buildRoutes(cat)
	f.Fuzz(func(t *testing.T, method, target, body string) {
		req, err := http.NewRequest(method, "http://gitlab.example.com/", strings.NewReader(body))
		if err != nil || !strings.HasPrefix(target, "/") {
			return
		}
		req.RequestURI = target
		req.Header.Set("PRIVATE-TOKEN", Token)
		req.Header.Set("Content-Type", "application/json")
		s := New(cat, Options{Invent: len(body)%2 == 0})
		s.root = root
		if w := serve(s, req); w.Code == http.StatusInternalServerError {
			t.Errorf("%s %s: %s", method, target, w.Body)
		}
	})
}

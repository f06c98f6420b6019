package server

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/catalog/catalogtest"
	"gitlab-mcp-server/internal/config"
	"gitlab-mcp-server/internal/search"
)

// fixture is a catalog of a few actions of every risk.
func fixture() *catalog.Catalog {
	project := catalogtest.Param{Name: "project_id", Wire: "id", In: catalog.InPath, Type: catalog.TypeID, Flags: catalog.Required}
	iid := catalogtest.Param{Name: "issue_iid", In: catalog.InPath, Type: catalog.TypeInteger, Flags: catalog.Required}
	return catalogtest.New(catalogtest.Spec{
		GitLabVersion: "19.2",
		Actions: []catalogtest.Action{
			{
				ID: "issue.list", Title: "List issues of a project", Path: "/api/v4/projects/{id}/issues", Kind: catalog.List, Flags: catalog.Paged,
				Returns: "list of issue: iid, title, state", Usage: "for one project", Related: []string{"issue.get"}, Aliases: []string{"list_issues"},
				Guidance: [][2]string{{"state", "opened, unless asked otherwise"}}, Example: `{"project_id":"group/project","state":"opened"}`,
				Params: []catalogtest.Param{
					project,
					{Name: "state", In: catalog.InQuery, Type: catalog.TypeString, Enum: []string{"opened", "closed", "all"}},
					{Name: "labels", In: catalog.InQuery, Type: catalog.TypeArray, Encoding: catalog.Comma},
					{Name: "page", In: catalog.InQuery, Type: catalog.TypeInteger},
					{Name: "per_page", In: catalog.InQuery, Type: catalog.TypeInteger},
				},
			},
			{
				ID: "issue.get", Title: "Get an issue", Path: "/api/v4/projects/{id}/issues/{issue_iid}", Returns: "issue: iid, title, state",
				Example: `{"project_id":"group/project","issue_iid":7}`, Params: []catalogtest.Param{project, iid},
				OutputSchema: `{"type":"object","properties":{"iid":{"type":"integer"}}}`,
			},
			{
				ID: "issue.create", Title: "Create an issue", Method: "POST", Path: "/api/v4/projects/{id}/issues", Risk: catalog.Write, ContentType: "application/json",
				Returns: "issue: iid, title", Example: `{"project_id":"group/project","title":"A title"}`,
				Params: []catalogtest.Param{project, {Name: "title", In: catalog.InBody, Type: catalog.TypeString, Flags: catalog.Required}},
			},
			{
				ID: "issue.delete", Title: "Delete an issue", Method: "DELETE", Path: "/api/v4/projects/{id}/issues/{issue_iid}", Risk: catalog.Destroy, Kind: catalog.None,
				Returns: "nothing", Tier: "premium", Example: `{"project_id":"group/project","issue_iid":7}`, Params: []catalogtest.Param{project, iid},
			},
		},
		Aliases: []catalogtest.Alias{
			{Name: "list_issues", Targets: []string{"issue.list"}},
			{Name: "issues", Targets: []string{"issue.get", "issue.list"}},
			{Name: "close_everything", Note: "close issues one by one"},
		},
	})
}

// byWords finds actions that share a word of their id or title with the query,
// in the order of ids. Ranking is not what these tests are about.
type byWords struct{ cat *catalog.Catalog }

func (f byWords) Search(ctx context.Context, query string, o search.Options) (search.Reply, error) {
	if err := ctx.Err(); err != nil {
		return search.Reply{}, err
	}
	words := strings.Fields(strings.ToLower(query))
	if len(words) == 0 {
		return search.Reply{}, search.ErrEmpty
	}
	if len([]rune(query)) > search.MaxQuery {
		return search.Reply{}, search.ErrTooLong
	}
	if words[0] == "panic" {
		panic(query)
	}
	var r search.Reply
	for a := range f.cat.All() {
		text := strings.ToLower(a.ID() + " " + a.Title())
		if o.Allow(a.Index()) && slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) }) {
			r.Hits = append(r.Hits, search.Hit{Index: a.Index(), Score: 100 - a.Index()})
		}
	}
	if o.Limit > 0 {
		r.Hits = r.Hits[:min(o.Limit, len(r.Hits))]
	}
	if len(r.Hits) == 0 {
		r.Suggestions = []string{"issue"}
	}
	return r, nil
}

// fakeGitLab answers what the conversations ask, and records what it was asked.
// Requests whose path ends in /slow wait until they are released.
type fakeGitLab struct {
	*httptest.Server
	released chan struct{}

	mu       sync.Mutex
	cond     *sync.Cond
	requests []string
}

func newFakeGitLab(t testing.TB) *fakeGitLab {
	g := &fakeGitLab{released: make(chan struct{})}
	g.cond = sync.NewCond(&g.mu)
	g.Server = httptest.NewServer(g)
	t.Cleanup(g.Close)
	return g
}

func (g *fakeGitLab) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	g.mu.Lock()
	g.requests = append(g.requests, strings.TrimSpace(r.Method+" "+r.RequestURI+" "+string(body)))
	g.cond.Broadcast()
	g.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	switch p := r.URL.EscapedPath(); {
	case p == "/api/v4/personal_access_tokens/self":
		io.WriteString(w, `{"id":1,"scopes":["read_api"]}`)
	case strings.Contains(p, "/projects/slow/"):
		select {
		case <-g.released:
			io.WriteString(w, `{"iid":1}`)
		case <-r.Context().Done():
		}
	case r.Method == "GET" && strings.HasSuffix(p, "/issues"):
		w.Header().Set("X-Page", "1")
		w.Header().Set("X-Per-Page", "20")
		w.Header().Set("X-Total", "2")
		io.WriteString(w, `[{"iid":1,"title":"Crash <&>"},{"iid":2,"title":"Typo"}]`)
	case r.Method == "GET":
		io.WriteString(w, `{"iid":7,"title":"A & B"}`)
	case r.Method == "POST":
		w.WriteHeader(http.StatusCreated)
		io.WriteString(w, `{"iid":8,"title":"New"}`)
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}

// wait blocks until GitLab was asked n times.
func (g *fakeGitLab) wait(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for len(g.requests) < n {
		g.cond.Wait()
	}
}

func (g *fakeGitLab) asked() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.requests)
}

// newFixture is a server over the fixture's catalog and a fake GitLab.
func newFixture(t testing.TB, g *fakeGitLab, log io.Writer, change func(*config.Config)) *Server {
	t.Helper()
	cfg, err := new(config.Flags).Parse([]string{"GITLAB_URL=" + g.URL, "LOG_LEVEL=debug"})
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(cfg)
	}
	s, err := New(cfg, fixture(), "1.0.0", NewLogger(log, cfg.LogLevel))
	if err != nil {
		t.Fatal(err)
	}
	s.Engine.Finder = byWords{s.Engine.Catalog}
	return s
}

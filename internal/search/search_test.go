package search_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab-mcp-server/generated"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/search"
)

func open() (*search.Searcher, *catalog.Catalog) {
	c := catalog.New(generated.Tables())
	return search.New(c), c
}

// ids are the actions of a reply, hits first.
func ids(c *catalog.Catalog, r search.Reply) []string {
	var list []string
	for _, h := range r.Hits {
		list = append(list, c.At(h.Index).ID())
	}
	for _, i := range r.More {
		list = append(list, c.At(i).ID())
	}
	return list
}

func find(t *testing.T, s *search.Searcher, query string, o search.Options) search.Reply {
	t.Helper()
	r, err := s.Search(context.Background(), query, o)
	if err != nil {
		t.Fatalf("%q: %v", query, err)
	}
	return r
}

func TestExactNames(t *testing.T) {
	s, c := open()
	for _, tt := range []struct {
		query string
		want  []string
	}{
		{"merge_request.list", []string{"merge_request.list"}},
		{" issue.update ", []string{"issue.update"}},
		{"ISSUE.Update", []string{"issue.update"}},
		{"`issue.update`", []string{"issue.update"}},
		{"getapiv4projectsidissues", []string{"issue.list"}},
		{"GET /api/v4/projects/{id}/issues", []string{"issue.list"}},
		{"get /projects/:id/issues", []string{"issue.list"}},
		{"DELETE /projects/12/issues/7", []string{"issue.delete"}},
		{"GET /groups/{id}/epics", []string{"epic.list"}},
	} {
		got := ids(c, find(t, s, tt.query, search.Options{}))
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q: %s", tt.query, diff)
		}
	}
	for a := range c.All() {
		if a.OperationID() == "" || a.Has(catalog.Hidden) {
			continue
		}
		if got := ids(c, find(t, s, a.OperationID(), search.Options{})); len(got) != 1 || got[0] != a.ID() {
			t.Fatalf("operation id %s gives %v, want %s", a.OperationID(), got, a.ID())
		}
	}
}

func TestRefusedQueries(t *testing.T) {
	s, _ := open()
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, tt := range []struct {
		ctx   context.Context
		query string
		want  error
	}{
		{context.Background(), "", search.ErrEmpty},
		{context.Background(), " \n ", search.ErrEmpty},
		{context.Background(), strings.Repeat("é", search.MaxQuery+1), search.ErrTooLong},
		{context.Background(), strings.Repeat("é", search.MaxQuery), nil}, // characters, not bytes
		{canceled, "list issues", context.Canceled},
	} {
		if _, err := s.Search(tt.ctx, tt.query, search.Options{}); !errors.Is(err, tt.want) {
			t.Errorf("%.20q: error %v, want %v", tt.query, err, tt.want)
		}
	}
}

func TestLimit(t *testing.T) {
	s, c := open()
	all := ids(c, find(t, s, "list merge requests", search.Options{Limit: search.MaxLimit}))
	for _, n := range []int{1, 5, 30} {
		r := find(t, s, "list merge requests", search.Options{Limit: n})
		if len(r.Hits) != n || len(r.More) != 0 {
			t.Errorf("limit %d: %d hits and %d more", n, len(r.Hits), len(r.More))
		}
		if diff := cmp.Diff(all[:n], ids(c, r)); diff != "" {
			t.Errorf("limit %d changes the order: %s", n, diff)
		}
	}
	r := find(t, s, "list merge requests", search.Options{})
	if n := len(r.Hits) + len(r.More); n > search.DefaultLimit || len(r.Hits) == 0 {
		t.Errorf("without a limit: %d hits and %d more", len(r.Hits), len(r.More))
	}
}

func TestAllow(t *testing.T) {
	s, c := open()
	a, _ := c.ByID("issue.create")
	allow := func(i int) bool { return i != a.Index() }
	for _, query := range []string{"create an issue", "issue.create"} {
		if got := ids(c, find(t, s, query, search.Options{Allow: allow})); slices.Contains(got, "issue.create") {
			t.Errorf("%q finds an action that is not allowed", query)
		}
	}
}

func TestExplain(t *testing.T) {
	s, c := open()
	for _, query := range []string{
		"close a ticket", "pipelnes list", "create a project and add a webhook to it", "my todos", "delete branch x", "put this group under another group", "who changed main.go before July", "列出项目的分支",
		"packages package_type=maven", "issue.list",
	} {
		plain := find(t, s, query, search.Options{})
		explained := find(t, s, query, search.Options{Explain: true})
		if diff := cmp.Diff(ids(c, plain), ids(c, explained)); diff != "" {
			t.Errorf("%q: explaining changes the order: %s", query, diff)
		}
		if len(explained.Hits) == 0 {
			t.Errorf("%q: no hits", query)
		}
		for i, h := range explained.Hits {
			sum := 0
			for _, r := range h.Explanation {
				sum += r.Points
			}
			if sum != h.Score || h.Score != plain.Hits[i].Score {
				t.Errorf("%q: reasons of %s add up to %d, score %d", query, c.At(h.Index).ID(), sum, h.Score)
			}
			if i == 0 && slices.ContainsFunc(h.Explanation, func(r search.Reason) bool { return r.Factor == "stands behind what comes first" }) {
				t.Errorf("%q: the first stands behind another", query)
			}
		}
	}
}

// A mistyped word never brings up a destructive action, unless its verb is
// spelt right.
func TestDestructiveNeedsItsVerb(t *testing.T) {
	s, c := open()
	for _, query := range []string{"delte branch", "remve group member", "revok token", "projcet", "erse job log", "issu 12"} {
		r := find(t, s, query, search.Options{Limit: 10})
		for _, h := range r.Hits {
			if a := c.At(h.Index); a.Destructive() {
				t.Errorf("%q brings up %s", query, a.ID())
			}
		}
	}
	if got := ids(c, find(t, s, "delete brnach", search.Options{})); got[0] != "branch.delete" {
		t.Errorf("delete brnach: %v", got)
	}
}

func TestNothing(t *testing.T) {
	s, _ := open()
	for _, query := range []string{"blarg frobnitz", "how tall is the Eiffel tower", "!!!", "123 456", "的"} {
		if r := find(t, s, query, search.Options{}); len(r.Hits) != 0 || len(r.More) != 0 {
			t.Errorf("%q finds %d actions", query, len(r.Hits))
		}
	}
	r := find(t, s, "frobnitz pipelinnneee", search.Options{})
	if len(r.Suggestions) == 0 || len(r.Suggestions) > 6 {
		t.Errorf("suggestions: %q", r.Suggestions)
	}
}

func TestHiddenAndDeprecated(t *testing.T) {
	s, c := open()
	for a := range c.All() {
		if !a.Has(catalog.Hidden) {
			continue
		}
		if r := find(t, s, a.ID(), search.Options{Limit: search.MaxLimit}); slices.Contains(ids(c, r), a.ID()) {
			t.Errorf("%s is hidden and found", a.ID())
		}
	}
}

// A query allocates its reply only.
func TestAllocations(t *testing.T) {
	if race {
		t.Skip("with the race detector, sync.Pool drops what it is given now and then")
	}
	s, _ := open()
	for _, query := range []string{"list open merge requests of project 5", "pipelnes of projcet", "WikiPage", strings.Repeat("zqxjk wvbnm ", 21)} {
		n := testing.AllocsPerRun(50, func() {
			if _, err := s.Search(context.Background(), query, search.Options{}); err != nil {
				t.Fatal(err)
			}
		})
		if n > 8 {
			t.Errorf("%.20q: %v allocations", query, n)
		}
	}
}

func TestCounters(t *testing.T) {
	s, _ := open()
	find(t, s, "list issues", search.Options{})
	find(t, s, "pipelnes list", search.Options{})
	find(t, s, "delte brnch", search.Options{})
	find(t, s, "blarg frobnitz", search.Options{})
	k := s.Counters()
	if k.Searches.Load() != 4 || k.Zero.Load() == 0 || k.Fuzzy.Load() < 2 || k.Suppressed.Load() == 0 {
		t.Errorf("searches %d, zero %d, fuzzy %d, suppressed %d", k.Searches.Load(), k.Zero.Load(), k.Fuzzy.Load(), k.Suppressed.Load())
	}
}

func TestConcurrent(t *testing.T) {
	s, c := open()
	want := ids(c, find(t, s, "retry job 7", search.Options{}))
	done := make(chan []string)
	for range 8 {
		go func() {
			var got []string
			for range 50 {
				r, err := s.Search(context.Background(), "retry job 7", search.Options{})
				if err != nil {
					break
				}
				got = ids(c, r)
			}
			done <- got
		}()
	}
	for range 8 {
		if diff := cmp.Diff(want, <-done); diff != "" {
			t.Error(diff)
		}
	}
}

func FuzzSearch(f *testing.F) {
	s, c := open()
	for _, q := range []string{"close #12", "GET /x", "a=b and c", "列出", "delete, delete and delete it", "please", "\xff", "and and and"} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, query string) {
		r, err := s.Search(context.Background(), query, search.Options{Explain: true})
		if err != nil {
			return
		}
		for _, h := range r.Hits {
			sum := 0
			for _, e := range h.Explanation {
				sum += e.Points
			}
			if sum != h.Score {
				t.Errorf("%q: reasons of %s add up to %d, score %d", query, c.At(h.Index).ID(), sum, h.Score)
			}
		}
	})
}

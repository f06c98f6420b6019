package search_test

import (
	"slices"
	"testing"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/search"
	"gitlab-mcp-server/internal/token"
)

// An action that GitLab's documentation deprecates never stands before one that
// it tells to use instead, whatever is asked.
func TestSuccessorsFirst(t *testing.T) {
	s, c := open()
	ix := c.Tables().Index
	if len(ix.Successors) == 0 {
		t.Fatal("no action has a successor")
	}
	raised := 0
	for _, pair := range ix.Successors {
		old, next := c.At(int(pair>>16)), c.At(int(pair&0xFFFF))
		if old.Deprecated() == "" {
			t.Errorf("%s has the successor %s and is not deprecated", old.ID(), next.ID())
		}
		for _, query := range []string{old.Title(), next.Title(), old.Title() + " or " + next.Title(), old.Domain() + " " + old.Name(), next.Domain() + " " + old.Name()} {
			for _, limit := range []int{0, 1, 5, search.MaxLimit} {
				r := find(t, s, query, search.Options{Limit: limit, Explain: true})
				got := ids(c, r)
				i, j := slices.Index(got, old.ID()), slices.Index(got, next.ID())
				if i >= 0 && j > i {
					t.Errorf("%q (limit %d): %s stands before its successor %s", query, limit, old.ID(), next.ID())
				}
				for _, h := range r.Hits {
					if slices.ContainsFunc(h.Explanation, func(r search.Reason) bool { return r.Factor == "succeeds a deprecated action" }) {
						raised++
					}
				}
			}
		}
	}
	if raised == 0 {
		t.Error("no successor was put before the one it succeeds")
	}
}

// What is deprecated loses points, wherever it is found.
func TestDeprecatedLoses(t *testing.T) {
	s, c := open()
	weight := int(c.Tables().Index.Weights[token.WDeprecated])
	seen := 0
	for a := range c.All() {
		if a.Deprecated() == "" || a.Has(catalog.Hidden) {
			continue
		}
		for _, h := range find(t, s, a.Title(), search.Options{Limit: search.MaxLimit, Explain: true}).Hits {
			lost := 0
			for _, r := range h.Explanation {
				if r.Factor == "deprecated" {
					lost -= r.Points
				}
			}
			switch deprecated := c.At(h.Index).Deprecated() != ""; {
			case deprecated && lost != weight, !deprecated && lost != 0:
				t.Errorf("%q: %s loses %d points as deprecated, of %d", a.Title(), c.At(h.Index).ID(), lost, weight)
			case deprecated:
				seen++
			}
		}
	}
	if seen == 0 || weight == 0 {
		t.Errorf("%d deprecated actions were found, the weight is %d", seen, weight)
	}
}

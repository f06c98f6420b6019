package eval

import (
	"context"
	"fmt"
	"slices"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/search"
)

// Stray is a phrase that brings up another action than the one it is of.
type Stray struct {
	ID, Phrase string
	Rank       int    // of ID, 0 if it is not among the ranked
	First      string // what comes first, empty for nothing
}

// Phrases searches for every phrase of every action and gives those that do not
// lead to their action within the first limit. A phrase that only comes second
// to a twin of another scope is no fault; one that leads nowhere hides others.
func Phrases(ctx context.Context, s *search.Searcher, c *catalog.Catalog, phrases func(id string) []string, limit int) ([]Stray, error) {
	var strays []Stray
	for a := range c.All() {
		if a.Has(catalog.Hidden) {
			continue
		}
		for _, p := range phrases(a.ID()) {
			r, err := s.Search(ctx, p, search.Options{Limit: search.DefaultLimit})
			if err != nil {
				return nil, fmt.Errorf("%s: %q: %w", a.ID(), p, err)
			}
			rank := slices.IndexFunc(r.Hits, func(h search.Hit) bool { return h.Index == a.Index() }) + 1
			if rank > 0 && rank <= limit {
				continue
			}
			first := ""
			if len(r.Hits) > 0 {
				first = c.At(r.Hits[0].Index).ID()
			}
			strays = append(strays, Stray{a.ID(), p, rank, first})
		}
	}
	return strays, nil
}

package eval

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/search"
	"gitlab-mcp-server/internal/token"
)

// Numbers of the goal. Points between two hits count as odds, so that a narrow
// miss tells less than a wide one and a narrow win is worth widening.
const (
	pointsOfE = 60 // points that make odds of e
	lost      = -4 // of a query whose action is not among the ranked
	fooled    = -2 // of a query that should match nothing and does
)

// goal is what tuning makes large: the mean logarithm of the odds that a wanted
// action is taken.
func goal(ctx context.Context, s *search.Searcher, c *catalog.Catalog, queries []Query) (float64, error) {
	total := 0.0
	for _, q := range queries {
		r, err := s.Search(ctx, q.Text, search.Options{Limit: search.DefaultLimit})
		if err != nil {
			return 0, fmt.Errorf("%q: %w", q.Text, err)
		}
		total += odds(q, c, r.Hits)
	}
	return total / float64(max(1, len(queries))), nil
}

// odds is the part of one query in the goal.
func odds(q Query, c *catalog.Catalog, hits []search.Hit) float64 {
	if len(q.Want) == 0 {
		if len(hits) > 0 {
			return fooled
		}
		return 0
	}
	want, all := 0.0, 0.0
	for _, h := range hits {
		id := c.At(h.Index).ID()
		if slices.Contains(q.AlsoOK, id) {
			continue
		}
		e := math.Exp(float64(h.Score-hits[0].Score) / pointsOfE)
		all += e
		if slices.Contains(q.Want, id) {
			want += e
		}
	}
	if want == 0 {
		return lost
	}
	return max(lost, math.Log(want/all))
}

// Change is a weight that tuning moved, in thousandths.
type Change struct {
	Weight   string
	From, To int32
	Goal     float64 // after the change
}

// Tune moves the weights of ix, one at a time and in rounds, as long as the
// queries are answered better. It changes ix.Weights and ix.Similar in place,
// and prefers the weight that is there where another is no better. progress
// is told of every change; nil for silence.
func Tune(ctx context.Context, c *catalog.Catalog, ix *catalog.Index, queries []Query, rounds int, progress func(Change)) error {
	s := search.Over(c, ix)
	measure := func() (float64, error) { return goal(ctx, s, c, queries) }
	best, err := measure()
	if err != nil {
		return err
	}
	for range rounds {
		moved := false
		for i := range len(ix.Weights) + len(ix.Similar) {
			w, name := tunable(ix, i)
			if w == nil {
				continue
			}
			old := *w
			at := old
			for _, try := range steps(old) {
				*w = try
				g, err := measure()
				if err != nil {
					*w = old
					return err
				}
				// less is chance
				if g > best+0.0005 {
					best, at = g, try
				}
			}
			*w = at
			if at != old {
				moved = true
				if progress != nil {
					progress(Change{Weight: name, From: old, To: at, Goal: best})
				}
			}
		}
		if !moved {
			break
		}
	}
	return nil
}

// fixed reports whether tuning leaves a weight alone: what is to be believed,
// shown, or succeeded is decided by people, and what is worked into the tables
// cannot be tried.
func fixed(w token.Weight) bool {
	switch w {
	case token.WSucceeds, token.WCut, token.WAmbiguous, token.WLow, token.WMinScore, token.WEnough, token.WMinMass, token.WMinBase, token.WDoubt:
		return true
	}
	return token.WBagName <= w && w <= token.WBagUsage
}

func tunable(ix *catalog.Index, i int) (*int32, string) {
	if i < len(ix.Weights) {
		if fixed(token.Weight(i)) {
			return nil, ""
		}
		return &ix.Weights[i], token.WeightNames[i]
	}
	i -= len(ix.Weights)
	asked, class := i/token.NumClasses, i%token.NumClasses
	if asked == class {
		return nil, "" // a class answers itself
	}
	return &ix.Similar[i], "similar " + token.ClassNames[asked] + " " + token.ClassNames[class]
}

// steps are the values tried beside the present one.
func steps(w int32) []int32 {
	if w < 20 {
		return []int32{w + 20, w + 50, 0}
	}
	return []int32{w * 7 / 10, w * 17 / 20, w * 23 / 20, w * 7 / 5}
}

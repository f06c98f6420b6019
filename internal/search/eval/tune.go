package eval

import (
	"context"
	"slices"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/search"
	"gitlab-mcp-server/internal/token"
)

// goal is what tuning makes large: the right action first, and near the top
// where it is not first.
func goal(r Report) float64 {
	f := r.Figures("")
	return f.At1 + 0.5*f.MRR + 0.5*f.At5 + 0.25*f.At10
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
	measure := func() (float64, error) {
		r, err := Run(ctx, s, c, queries)
		return goal(r), err
	}
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
				// a gain of a rank here or there is chance
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

// fixed are weights that tuning leaves alone: they do not change the order.
var fixed = []token.Weight{token.WCut, token.WAmbiguous, token.WLow}

func tunable(ix *catalog.Index, i int) (*int32, string) {
	if i < len(ix.Weights) {
		if slices.Contains(fixed, token.Weight(i)) {
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

package schema

import (
	"cmp"
	"slices"

	"gitlab-mcp-server/gen/ir"
)

// Limits of the default folding: an input schema above either of the first two
// is folded for find results until it is no larger than the third.
const (
	foldAboveParams = 60
	foldAboveBytes  = 3000
	foldToBytes     = 2400
)

// Folder folds the input schemas of one catalog for find results.
type Folder struct {
	uses map[string]int // by parameter name: actions that have it
}

// NewFolder counts how often each parameter name is used in c: what many
// actions share is what people ask for.
func NewFolder(c *ir.Catalog) *Folder {
	f := &Folder{uses: map[string]int{}}
	for _, a := range c.Actions {
		for _, p := range a.Params {
			f.uses[p.Name]++
		}
	}
	return f
}

// Find is the input schema of a for find results and the names of the
// parameters that it leaves out, in the order of the parameters. A folded
// schema does not say that there are no other properties.
//
// Where an overlay folds parameters of a, these are left out and no others.
// Otherwise the rule by size applies: required parameters and those that the
// example, a rule or advice names always stay, the most common names follow
// until the size is reached.
func (f *Folder) Find(a *ir.Action) (schema string, folded []string) {
	out := map[*ir.Param]bool{}
	for _, p := range a.Params {
		if p.Folded && !p.Required {
			out[p] = true
		}
	}
	whole := Input(a)
	if len(out) == 0 && (len(a.Params) > foldAboveParams || len(whole) > foldAboveBytes) {
		out = f.bySize(a, len(whole))
	}
	if len(out) == 0 {
		return whole, nil
	}
	for _, p := range a.Params {
		if out[p] {
			folded = append(folded, p.Name)
		}
	}
	return input(a, func(p *ir.Param) bool { return !out[p] }, false), folded
}

// bySize picks what to leave out of a, whose whole schema has size bytes.
func (f *Folder) bySize(a *ir.Action, size int) map[*ir.Param]bool {
	stays := map[string]bool{}
	for name := range a.Example {
		stays[name] = true
	}
	for name := range a.Guidance {
		stays[name] = true
	}
	for _, g := range a.Groups {
		for _, name := range g.Params {
			stays[name] = true
		}
	}
	var may []*ir.Param
	for _, p := range a.Params {
		if !p.Required && !stays[p.Name] {
			may = append(may, p)
		}
	}
	// Rarest names first; among equals the last of the document, and what is
	// deprecated before all.
	slices.Reverse(may)
	slices.SortStableFunc(may, func(x, y *ir.Param) int {
		return cmp.Or(-cmp.Compare(rank(x), rank(y)), cmp.Compare(f.uses[x.Name], f.uses[y.Name]))
	})
	out := map[*ir.Param]bool{}
	for _, p := range may {
		if size <= foldToBytes {
			break
		}
		out[p] = true
		var w writer
		w.property(p, 1)
		size -= w.b.Len() + 1
	}
	return out
}

func rank(p *ir.Param) int {
	if p.Deprecated {
		return 1
	}
	return 0
}

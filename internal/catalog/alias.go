package catalog

import "iter"

// Alias is another name of an action: one target is a unique alias, several are
// ambiguous, none is a known name without a counterpart, explained by Note.
type Alias struct {
	t *Tables
	i int32
}

func (a Alias) row() *AliasRow { return &a.t.Aliases[a.i] }

// Name is the alias itself.
func (a Alias) Name() string { return a.t.str(a.row().Name) }

// Targets yields ids.
func (a Alias) Targets() iter.Seq[string] { return a.t.strings(a.row().Targets) }

// NumTargets is the number of targets.
func (a Alias) NumTargets() int { return len(a.t.list(a.row().Targets)) }

// By yields conditions and the ids that they choose, the first that holds: the
// name of an argument that is given, name=value, or "" for whatever is left.
func (a Alias) By() iter.Seq2[string, string] { return a.t.pairs(a.row().By) }

// Fixed is a JSON object of arguments that the alias sets; empty for none.
func (a Alias) Fixed() string { return a.t.str(a.row().Fixed) }

// Rename yields argument names of the old tool and ours.
func (a Alias) Rename() iter.Seq2[string, string] { return a.t.pairs(a.row().Rename) }

// Only yields the argument names that the old tool took; empty: all.
func (a Alias) Only() iter.Seq[string] { return a.t.strings(a.row().Only) }

// Note says what to use instead, for a name without a counterpart.
func (a Alias) Note() string { return a.t.str(a.row().Note) }

// From is where the name comes from.
func (a Alias) From() string { return a.t.str(a.row().From) }

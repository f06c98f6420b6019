package catalog

import "iter"

// Param is one argument of an action.
type Param struct {
	t *Tables
	i uint32
}

func (p Param) row() *ParamRow { return &p.t.Params[p.i] }

// Name is the public name.
func (p Param) Name() string { return p.t.str(p.row().Name) }

// Wire is upstream's name verbatim.
func (p Param) Wire() string { return p.t.str(p.row().Wire) }

// In says where it travels.
func (p Param) In() In { return p.row().In }

// Type is its type; nested types stand in the schema.
func (p Param) Type() Type { return p.row().Type }

// Encoding is how an array or object travels in a query.
func (p Param) Encoding() Encoding { return p.row().Encoding }

// Required is true for arguments without which nothing is sent.
func (p Param) Required() bool { return p.row().Flags&Required != 0 }

// Has reports whether all of f hold.
func (p Param) Has(f ParamFlags) bool { return p.row().Flags&f == f }

// ParamAlias is another name of an argument. It applies where To is an argument
// of the action and From is none.
type ParamAlias struct {
	t *Tables
	i int32
}

func (p ParamAlias) row() *ParamAliasRow { return &p.t.ParamAliases[p.i] }

// From is the other name.
func (p ParamAlias) From() string { return p.t.str(p.row().From) }

// To is the argument that is meant.
func (p ParamAlias) To() string { return p.t.str(p.row().To) }

// Actions yields ids or globs of the actions it applies to; none: all.
func (p ParamAlias) Actions() iter.Seq[string] { return p.t.strings(p.row().Actions) }

// Values yields values under the other name and what they become.
func (p ParamAlias) Values() iter.Seq2[string, string] { return p.t.pairs(p.row().Values) }

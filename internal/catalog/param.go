package catalog

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

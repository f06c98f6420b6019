// Package catalog gives read-only views over the generated tables: actions by
// id, by alias and by group. It does no I/O and builds nothing.
//
// It is not for deciding who may call what (package policy), nor for ranking
// (package search).
package catalog

import "iter"

// Catalog is a view over Tables. The zero value is unusable; use New.
type Catalog struct{ t *Tables }

// New gives a view over t without any work.
func New(t *Tables) *Catalog { return &Catalog{t} }

// Tables gives the tables beneath, for package search.
func (c *Catalog) Tables() *Tables { return c.t }

// GitLabVersion is the version of the document that the tables were made from.
func (c *Catalog) GitLabVersion() string { return c.t.GitLabVersion }

// Len is the number of actions.
func (c *Catalog) Len() int { return len(c.t.Rows) }

// At is the i-th action in the order of ids.
func (c *Catalog) At(i int) Action { return Action{c.t, int32(i)} }

// All yields all actions in the order of ids.
func (c *Catalog) All() iter.Seq[Action] {
	return func(yield func(Action) bool) {
		for i := range c.t.Rows {
			if !yield(c.At(i)) {
				return
			}
		}
	}
}

// ByID finds an action by its canonical id.
func (c *Catalog) ByID(id string) (Action, bool) {
	i, ok := find(len(c.t.Rows), id, func(i int) string { return c.t.str(c.t.Rows[i].ID) })
	if !ok {
		return Action{}, false
	}
	return c.At(i), true
}

// InDomain yields the actions of one domain, in the order of ids.
func (c *Catalog) InDomain(domain string) iter.Seq[Action] {
	return func(yield func(Action) bool) {
		// '.' sorts before every letter, digit and underscore of a domain, so
		// the actions of one domain stand together.
		i, _ := find(len(c.t.Rows), domain+".", func(i int) string { return c.t.str(c.t.Rows[i].ID) })
		for ; i < len(c.t.Rows); i++ {
			a := c.At(i)
			if a.Domain() != domain || !yield(a) {
				return
			}
		}
	}
}

// ByAlias finds an alias by its name.
func (c *Catalog) ByAlias(name string) (Alias, bool) {
	i, ok := find(len(c.t.Aliases), name, func(i int) string { return c.t.str(c.t.Aliases[i].Name) })
	if !ok {
		return Alias{}, false
	}
	return Alias{c.t, int32(i)}, true
}

// Aliases yields all aliases in the order of their names.
func (c *Catalog) Aliases() iter.Seq[Alias] {
	return func(yield func(Alias) bool) {
		for i := range c.t.Aliases {
			if !yield(Alias{c.t, int32(i)}) {
				return
			}
		}
	}
}

// ParamAliases yields all parameter aliases, in the order in which they apply.
func (c *Catalog) ParamAliases() iter.Seq[ParamAlias] {
	return func(yield func(ParamAlias) bool) {
		for i := range c.t.ParamAliases {
			if !yield(ParamAlias{c.t, int32(i)}) {
				return
			}
		}
	}
}

// Groups yields all groups of domains in the order of their names.
func (c *Catalog) Groups() iter.Seq[Group] {
	return func(yield func(Group) bool) {
		for i := range c.t.Groups {
			if !yield(Group{c.t, int32(i)}) {
				return
			}
		}
	}
}

// find is the first place whose key is not below want, and whether it is want.
func find(n int, want string, key func(int) string) (int, bool) {
	lo, hi := 0, n
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if key(mid) < want {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < n && key(lo) == want
}

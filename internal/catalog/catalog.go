// Package catalog gives read-only views over the generated tables: actions by
// id, by alias and by group. It does no I/O, builds nothing and allocates next
// to nothing.
//
// It is not for deciding who may call what: that is package policy.
package catalog

import "iter"

// Catalog is a view over Tables. The zero value is unusable; use New.
type Catalog struct{ t *Tables }

// New gives a view over t without any work.
func New(t *Tables) *Catalog { return &Catalog{t} }

// Tables gives the tables beneath, for package search.
func (c *Catalog) Tables() *Tables { return c.t }

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
	lo, hi := 0, len(c.t.Rows)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if c.t.str(c.t.Rows[mid].ID) < id {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(c.t.Rows) && c.t.str(c.t.Rows[lo].ID) == id {
		return c.At(lo), true
	}
	return Action{}, false
}

// ByAlias finds an alias by its name.
func (c *Catalog) ByAlias(name string) (Alias, bool) {
	lo, hi := 0, len(c.t.Aliases)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if c.t.str(c.t.Aliases[mid].Name) < name {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(c.t.Aliases) && c.t.str(c.t.Aliases[lo].Name) == name {
		return Alias{c.t, int32(lo)}, true
	}
	return Alias{}, false
}

// GitLabVersion is the version of the document that the tables were made from.
func (c *Catalog) GitLabVersion() string { return c.t.GitLabVersion }

func (t *Tables) str(s Span) string { return t.Text[s.Off : s.Off+s.Len] }

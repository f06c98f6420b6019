package catalog

import "iter"

// Group is a group of domains: what people look for, and the meta tool
// gitlab_<Name>.
type Group struct {
	t *Tables
	i int32
}

// Name is the group's name, without gitlab_.
func (g Group) Name() string { return g.t.str(g.t.Groups[g.i].Name) }

// Title is the group in a few words.
func (g Group) Title() string { return g.t.str(g.t.Groups[g.i].Title) }

// Domains yields the domains of the group, sorted.
func (g Group) Domains() iter.Seq[string] { return g.t.strings(g.t.Groups[g.i].Domains) }

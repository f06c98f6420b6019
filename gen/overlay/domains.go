package overlay

import (
	"cmp"
	"slices"

	"gitlab-mcp-server/gen/ir"
)

// Limits of groups: each is a tool, gitlab_<name>.
const (
	maxGroups    = 60
	maxGroupName = 40
)

// readGroups decodes _domains.yaml and returns the groups and the group of
// each domain.
func readGroups(p *problems, src source) ([]ir.Group, map[string]*entry) {
	d := decoder{p}
	var groups []ir.Group
	of := map[string]*entry{}
	seen := map[string]bool{}
	d.object(src.open(p, "_domains.yaml"), map[string]func(*node){
		"groups": func(v *node) {
			d.list(v, func(item *node) {
				var g ir.Group
				d.object(item, map[string]func(*node){
					"name":  func(v *node) { g.Name = d.word(v) },
					"title": func(v *node) { g.Title = d.word(v) },
					"domains": func(v *node) {
						d.list(v, func(v *node) {
							name := d.word(v)
							if old := of[name]; old != nil {
								d.addf(v.pos, "domain %q is in group %q already", name, old.text)
								return
							}
							of[name] = &entry{pos: v.pos, text: g.Name}
							g.Domains = append(g.Domains, name)
						})
					},
				})
				switch {
				case g.Name == "" || g.Title == "" || len(g.Domains) == 0:
					d.addf(item.pos, "a group needs name, title and domains, in this order")
				case len(g.Name) > maxGroupName:
					d.addf(item.pos, "group name %q has over %d characters", g.Name, maxGroupName)
				case seen[g.Name]:
					d.addf(item.pos, "group %q stands twice", g.Name)
				}
				seen[g.Name] = true
				slices.Sort(g.Domains)
				groups = append(groups, g)
			})
			if len(groups) > maxGroups {
				d.addf(v.pos, "%d groups, at most %d", len(groups), maxGroups)
			}
		},
	})
	slices.SortFunc(groups, func(a, b ir.Group) int { return cmp.Compare(a.Name, b.Name) })
	return groups, of
}

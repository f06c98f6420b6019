package overlay

import (
	"maps"
	"slices"

	"gitlab-mcp-server/gen/ir"
)

// pathNames gives path parameters the names people use: upstream calls every
// container {id} and every commentable thing {noteable_id}.
type pathNames struct {
	names   map[string]map[string]*entry // upstream's name → segment before it → public name
	clashes map[string]map[string]*entry // action id → upstream's name → public name
}

func (pn *pathNames) read(d decoder, n *node) {
	pn.names, pn.clashes = map[string]map[string]*entry{}, map[string]map[string]*entry{}
	table := func(into map[string]map[string]*entry) func(*node) {
		return func(v *node) {
			d.each(v, func(outer string, _ ir.Pos, v *node) {
				into[outer] = map[string]*entry{}
				d.each(v, func(inner string, pos ir.Pos, v *node) {
					into[outer][inner] = &entry{pos: pos, text: d.word(v)}
				})
			})
		}
	}
	d.object(n, map[string]func(*node){"names": table(pn.names), "clashes": table(pn.clashes)})
}

// clash is the name that action id gives to the parameter wire, or "".
func (pn *pathNames) clash(id, wire string) string {
	if e := pn.clashes[id][wire]; e != nil {
		return e.use()
	}
	return ""
}

// public names the path parameter wire that follows the static segment before.
// The ids of containers are named by the segment: projects/{id} is project_id.
func (n *naming) publicPathName(wire, before string) string {
	if e := n.params.names[wire][before]; e != nil {
		return e.use()
	}
	if wire == "id" && before != "" {
		return n.singular(before) + "_id"
	}
	return wire
}

func (pn *pathNames) reportUnused(p *problems) {
	for what, table := range map[string]map[string]map[string]*entry{"path parameter": pn.names, "clash": pn.clashes} {
		for _, outer := range slices.Sorted(maps.Keys(table)) {
			for _, inner := range slices.Sorted(maps.Keys(table[outer])) {
				if e := table[outer][inner]; !e.used {
					p.addf(e.pos, "%s %s, %s renames nothing", what, outer, inner)
				}
			}
		}
	}
}

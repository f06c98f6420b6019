package overlay

import (
	"maps"
	"slices"
	"strings"

	"gitlab-mcp-server/gen/ir"
)

// naming is _naming.yaml: the tables by which method and path alone give an
// operation its id, so that repairs of anything else never rename it.
type naming struct {
	prefixes    map[string]*prefix // by normalised path, "/projects/{}/issues"
	subs        map[string]*subResource
	verbs       map[string]*entry // last segment → action
	getters     map[string]*entry // sole tail segment of a GET → action
	singulars   map[string]*entry // plural → singular
	uncountable map[string]*entry // words in -s that are no plural
	collections map[string]*entry // last segments that list although they are no plural
	renames     []*actionRename   // by domain
	setters     []*entry          // domains whose PUT on a named item is set_<item>
	overrides   map[string]*entry // "METHOD /normalised/path" → id
	newer       map[string]*entry // overrides for routes that not every document has
	params      pathNames
}

// entry is a line of a table, and whether any operation needed it.
type entry struct {
	pos  ir.Pos
	text string
	used bool
}

func (e *entry) use() string {
	e.used = true
	return e.text
}

type prefix struct {
	entry
	qualifier string
}

// subResource is a segment that extends the domain wherever it follows: notes,
// discussions, award_emoji.
type subResource struct {
	entry
	parents []string // domains it is limited to; empty: all
}

// actionRename gives one action another name in some domains: delete is
// revoke for tokens.
type actionRename struct {
	pos      ir.Pos
	from, to string
	domains  []*entry // globs
}

// readNaming decodes _naming.yaml.
func readNaming(p *problems, src source) *naming {
	d := decoder{p}
	n := &naming{
		prefixes: map[string]*prefix{}, subs: map[string]*subResource{}, verbs: map[string]*entry{}, getters: map[string]*entry{},
		singulars: map[string]*entry{}, uncountable: map[string]*entry{}, collections: map[string]*entry{}, overrides: map[string]*entry{}, newer: map[string]*entry{},
	}
	table := func(into map[string]*entry) func(*node) {
		return func(v *node) {
			d.each(v, func(k string, pos ir.Pos, v *node) { into[k] = &entry{pos: pos, text: d.word(v)} })
		}
	}
	words := func(into map[string]*entry) func(*node) {
		return func(v *node) {
			d.list(v, func(item *node) { into[d.word(item)] = &entry{pos: item.pos, text: item.text} })
		}
	}
	d.object(src.open(p, "_naming.yaml"), map[string]func(*node){
		"prefixes": func(v *node) {
			d.each(v, func(k string, pos ir.Pos, v *node) {
				domain, qualifier, _ := strings.Cut(d.word(v), "@")
				n.prefixes[k] = &prefix{entry{pos: pos, text: domain}, qualifier}
			})
		},
		"sub_resources": func(v *node) {
			d.each(v, func(k string, pos ir.Pos, v *node) {
				s := &subResource{entry: entry{pos: pos}}
				if v.kind == mapNode {
					d.object(v, map[string]func(*node){
						"name":    func(v *node) { s.text = d.word(v) },
						"parents": func(v *node) { s.parents = d.texts(v) },
					})
				} else {
					s.text = d.word(v)
				}
				n.subs[k] = s
			})
		},
		"verbs": func(v *node) {
			d.list(v, func(item *node) {
				if item.kind == mapNode {
					table(n.verbs)(item)
				} else {
					w := d.word(item)
					n.verbs[w] = &entry{pos: item.pos, text: underscored(w)}
				}
			})
		},
		"getters":     table(n.getters),
		"singulars":   table(n.singulars),
		"uncountable": words(n.uncountable),
		"collections": words(n.collections),
		"renames": func(v *node) {
			d.list(v, func(item *node) {
				r := &actionRename{pos: item.pos}
				d.object(item, map[string]func(*node){
					"from": func(v *node) { r.from = d.word(v) },
					"to":   func(v *node) { r.to = d.word(v) },
					"domains": func(v *node) {
						d.list(v, func(item *node) { r.domains = append(r.domains, &entry{pos: item.pos, text: d.word(item)}) })
					},
				})
				n.renames = append(n.renames, r)
			})
		},
		"setters": func(v *node) {
			d.list(v, func(item *node) { n.setters = append(n.setters, &entry{pos: item.pos, text: d.word(item)}) })
		},
		"overrides":   table(n.overrides),
		"newer":       table(n.newer),
		"path_params": func(v *node) { n.params.read(d, v) },
	})
	return n
}

// reportUnused adds a problem for every line of the tables that named nothing.
func (n *naming) reportUnused(p *problems) {
	report := func(what, key string, e *entry) {
		if !e.used {
			p.addf(e.pos, "%s %q names nothing: no operation needs this line", what, key)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(n.prefixes)) {
		report("prefix", k, &n.prefixes[k].entry)
	}
	for _, k := range slices.Sorted(maps.Keys(n.subs)) {
		report("sub-resource", k, &n.subs[k].entry)
	}
	for _, t := range []struct {
		what  string
		table map[string]*entry
	}{
		{"verb", n.verbs}, {"getter", n.getters}, {"singular", n.singulars}, {"uncountable", n.uncountable},
		{"collection", n.collections}, {"override", n.overrides},
	} {
		for _, k := range slices.Sorted(maps.Keys(t.table)) {
			report(t.what, k, t.table[k])
		}
	}
	for _, r := range n.renames {
		for _, e := range r.domains {
			report("rename of "+r.from+" in domain", e.text, e)
		}
	}
	for _, e := range n.setters {
		report("setter domain", e.text, e)
	}
	n.params.reportUnused(p)
}

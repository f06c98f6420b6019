package overlay

import (
	"maps"
	"slices"

	"gitlab-mcp-server/gen/ir"
)

// glossary is _params.yaml: what parameters mean, by name, and more closely by
// domain and by action.
type glossary map[string]*term

type term struct {
	general *entry
	domains map[string]*entry
	actions map[string]*entry
}

func (b *builder) readGlossary() glossary {
	g := glossary{}
	dec := b.dec
	refined := func(into map[string]*entry, known func(string, ir.Pos) bool) func(*node) {
		return func(v *node) {
			dec.each(v, func(key string, pos ir.Pos, v *node) {
				if known(key, pos) {
					into[key] = &entry{pos: pos, text: dec.word(v)}
				}
			})
		}
	}
	domains := map[string]bool{}
	for _, d := range b.drafts {
		domains[d.Domain] = true
	}
	dec.each(b.src.open(&b.problems, "_params.yaml"), func(name string, pos ir.Pos, v *node) {
		t := &term{domains: map[string]*entry{}, actions: map[string]*entry{}}
		g[name] = t
		if v.kind == scalarNode {
			t.general = &entry{pos: pos, text: dec.word(v)}
			return
		}
		dec.object(v, map[string]func(*node){
			"": func(v *node) { t.general = &entry{pos: pos, text: dec.word(v)} },
			"domains": refined(t.domains, func(key string, pos ir.Pos) bool {
				if !domains[key] {
					b.addf(pos, "no domain is called %q", key)
				}
				return domains[key]
			}),
			"actions": refined(t.actions, func(key string, pos ir.Pos) bool { return b.action(key, pos) != nil }),
		})
	})
	return g
}

// glossary describes every parameter that no domain file describes, nested
// ones too. The path position.x is looked up before the name x, and in each the
// action before the domain before the general text.
func (b *builder) glossary(said described) {
	g := b.readGlossary()
	for _, d := range b.drafts {
		g.describe(d, d.Params, "", said)
	}
	for _, name := range slices.Sorted(maps.Keys(g)) {
		t := g[name]
		if t.general != nil && !t.general.used {
			b.addf(t.general.pos, "no parameter needs the description of %q", name)
		}
		for _, refined := range []map[string]*entry{t.domains, t.actions} {
			for _, key := range slices.Sorted(maps.Keys(refined)) {
				if e := refined[key]; !e.used {
					b.addf(e.pos, "no parameter needs the description of %q in %s", name, key)
				}
			}
		}
	}
}

func (g glossary) describe(d *draft, params []*ir.Param, path string, said described) {
	for _, p := range params {
		full := path + p.Name
		if e := g.find(d, full, p.Name); e != nil && !said[p] {
			p.Description = e.use()
		}
		if fields := fieldsOf(p.Type); fields != nil {
			g.describe(d, *fields, full+".", said)
		}
	}
}

func (g glossary) find(d *draft, full, name string) *entry {
	for _, key := range []string{full, name} {
		t := g[key]
		if t == nil {
			continue
		}
		if e := t.actions[d.ID]; e != nil {
			return e
		}
		if e := t.domains[d.Domain]; e != nil {
			return e
		}
		if t.general != nil {
			return t.general
		}
	}
	return nil
}

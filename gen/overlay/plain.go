package overlay

import (
	"gitlab-mcp-server/gen/ir"
)

// plain reads _plain.yaml: names of parameters that explain themselves, and
// actions all of whose parameters are named after what they set. It marks
// those parameters that nobody has described.
func (b *builder) plain() {
	var names, actions []*entry
	list := func(into *[]*entry) func(*node) {
		return func(v *node) {
			b.dec.list(v, func(item *node) { *into = append(*into, &entry{pos: item.pos, text: b.dec.word(item)}) })
		}
	}
	b.dec.object(b.src.open(&b.problems, "_plain.yaml"), map[string]func(*node){
		"names":   list(&names),
		"actions": list(&actions),
	})
	fits := func(list []*entry, s string) bool {
		for _, e := range list {
			if match(e.text, s) {
				return e.use() != ""
			}
		}
		return false
	}
	for _, d := range b.drafts {
		eachParam(d.Params, func(p *ir.Param) {
			if p.Description == "" {
				p.Plain = fits(actions, d.ID) || fits(names, p.Name)
			}
		})
	}
	for _, list := range [][]*entry{names, actions} {
		for _, e := range list {
			if !e.used {
				b.addf(e.pos, "no parameter without a description needs %q", e.text)
			}
		}
	}
}

// eachParam calls f for every parameter and every field inside one.
func eachParam(params []*ir.Param, f func(*ir.Param)) {
	for _, p := range params {
		f(p)
		if fields := fieldsOf(p.Type); fields != nil {
			eachParam(*fields, f)
		}
	}
}

package overlay

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gitlab-mcp-server/gen/ir"
)

// Files of overlays that are not called after a domain. The search part reads
// its own; a file that nobody reads is an error, since it would say nothing.
var crossDomain = []string{
	"_naming.yaml", "_exclude.yaml", "_domains.yaml", "_types.yaml", "_operations.yaml", "_rules.yaml", "_risk.yaml", "_facts.yaml",
	"_titles.yaml", "_entities.yaml", "_params.yaml", "_plain.yaml", "_examples.yaml", "_aliases.yaml", "_param_aliases.yaml",
	"_vocabulary.yaml", "_ranking.yaml", "_phrases.yaml", "_lessons.yaml", "_graphql.yaml", "_own.yaml",
}

// curate merges what the overlays say of each action over the defaults.
func (b *builder) curate() {
	for _, d := range b.drafts {
		d.Risk, d.Tier, d.Offering, d.Scope = methodRisk(d.Method), "free", "all", methodScope(d.Method)
		if d.beyond != nil && d.beyond.entry != nil {
			d.Risk, d.Scope = d.beyond.risk()
		}
	}
	b.titles()
	b.facts()
	said := b.beyondCurated()
	b.risks()
	b.rules()
	b.domainFiles(said)
	b.answers()
	b.glossary(said)
	b.plain()
	b.derive()
}

func methodRisk(method string) ir.Risk {
	switch method {
	case "GET", "HEAD":
		return ir.Read
	case "DELETE":
		return ir.Destroy
	}
	return ir.Write
}

// methodScope is the least token scope: GitLab's REST API gives read_api no
// POST, not even of a read.
func methodScope(method string) string {
	if method == "GET" || method == "HEAD" {
		return "read_api"
	}
	return "api"
}

// derive fills what nobody has said.
func (b *builder) derive() {
	samples := readSamples(&b.problems, b.src)
	for _, d := range b.drafts {
		if d.Title == "" {
			d.Title = b.naming.title(d.Domain, d.Name)
		}
		if d.Example == nil {
			d.Example = samples.example(d.Action)
		}
		d.Example = conformed(d.Example, d.Params)
		if d.Op != nil && d.Op.Deprecated && d.Deprecated == "" {
			d.Deprecated = "deprecated by GitLab"
		}
		if d.Deprecated != "" && !strings.Contains(d.Usage, d.Deprecated) {
			d.Usage = strings.TrimSpace(d.Usage + " Deprecated: " + strings.TrimSuffix(d.Deprecated, ".") + ".")
		}
	}
	samples.reportUnused(&b.problems)
}

// described notes for which parameters a domain file has its own words.
type described map[*ir.Param]bool

// domainFiles reads every file that is called after a domain, and adds the
// parameters that they describe.
func (b *builder) domainFiles(said described) {
	entries, err := os.ReadDir(b.src.dir)
	if err != nil {
		return // repairs have reported it
	}
	seen := map[string]ir.Pos{}
	for _, e := range entries {
		name := e.Name()
		switch {
		case e.IsDir() || filepath.Ext(name) != ".yaml" && filepath.Ext(name) != ".yml":
			continue
		case strings.HasPrefix(name, "_"):
			if !slices.Contains(crossDomain, name) && !strings.HasPrefix(name, "_repairs_") {
				b.addf(ir.Pos{File: b.src.base + name}, "nobody reads a file of this name%s", near(name, crossDomain))
			}
			continue
		}
		b.dec.each(b.src.open(&b.problems, name), func(domain string, pos ir.Pos, v *node) {
			if old, twice := seen[domain]; twice {
				b.addf(pos, "domain %q stands in %v already", domain, old)
				return
			}
			seen[domain] = pos
			b.domain(domain, pos, v, said)
		})
	}
}

// domain reads what is said of one domain and its actions.
func (b *builder) domain(domain string, pos ir.Pos, v *node, said described) {
	if !slices.ContainsFunc(b.drafts, func(d *draft) bool { return d.Domain == domain }) {
		b.addf(pos, "no domain is called %q", domain)
		return
	}
	b.dec.object(v, map[string]func(*node){
		"title": func(v *node) { b.dec.word(v) },
		"actions": func(v *node) {
			b.dec.each(v, func(name string, pos ir.Pos, v *node) {
				if d := b.action(domain+"."+name, pos); d != nil {
					b.curated(d, v, said)
				}
			})
		},
	})
}

// action resolves an id that an overlay names, and reports an unknown one.
func (b *builder) action(id string, pos ir.Pos) *draft {
	d := b.byID[id]
	if d == nil {
		b.addf(pos, "no action is called %q%s", id, near(id, b.ids()))
	}
	return d
}

// curated reads what a domain file says of one action.
func (b *builder) curated(d *draft, v *node, said described) {
	b.curatedBeside(d, v, said, nil)
}

// curatedBeside is curated for an entry that says more, under the keys beside.
func (b *builder) curatedBeside(d *draft, v *node, said described, beside []string) {
	dec := b.dec
	why, risky := "", false
	keys := b.factKeys(d)
	for k, f := range map[string]func(*node){
		"title":   func(v *node) { d.Title = dec.word(v) },
		"usage":   func(v *node) { d.Usage = dec.word(v) },
		"returns": func(v *node) { d.Returns = dec.word(v) },
		"phrases": func(v *node) { d.Phrases = dec.texts(v) },
		"tags":    func(v *node) { d.SearchTags = dec.texts(v) },
		"columns": func(v *node) { d.Columns = dec.texts(v) },
		"reveals": func(v *node) { d.Reveals = dec.bool(v) },
		"why":     func(v *node) { why = dec.word(v) },
		"example": func(v *node) { d.Example = dec.anyMap(v) },
		"aliases": func(v *node) {
			dec.list(v, func(item *node) {
				b.ours = append(b.ours, alias{pos: item.pos, Alias: ir.Alias{Name: dec.word(item), Targets: []string{d.ID}, From: "ours"}})
			})
		},
		"related": func(v *node) {
			dec.list(v, func(item *node) {
				if b.action(dec.word(item), item.pos) != nil {
					d.Related = append(d.Related, item.text)
				}
			})
		},
		"guidance": func(v *node) {
			d.Guidance = map[string]string{}
			dec.each(v, func(name string, pos ir.Pos, v *node) {
				if _, public := b.param(d, name, pos); public != "" {
					d.Guidance[public] = dec.word(v)
				}
			})
		},
		"risk": func(v *node) {
			risky = true
			d.Risk = ir.Risk(dec.oneOf(v, string(ir.Read), string(ir.Write), string(ir.Destroy)))
		},
		"destroy_when": func(v *node) {
			dec.list(v, func(item *node) { b.destroyWhen(item, d) })
		},
		"params": func(v *node) {
			dec.each(v, func(name string, pos ir.Pos, v *node) {
				if p, _ := b.param(d, name, pos); p != nil {
					b.curatedParam(p, v, said)
				}
			})
		},
		"shown": func(v *node) { b.shown(d, v) },
		"groups": func(v *node) {
			dec.list(v, func(item *node) { b.ruleOf(d, item) })
		},
	} {
		keys[k] = f
	}
	for _, k := range beside {
		keys[k] = func(*node) {}
	}
	dec.object(v, keys)
	if risky && why == "" {
		b.addf(v.pos, "%s: a risk other than the method's needs why", d.ID)
	}
}

func (b *builder) curatedParam(p *ir.Param, v *node, said described) {
	if v.kind == scalarNode {
		p.Description, said[p] = b.dec.word(v), true
		return
	}
	b.dec.object(v, map[string]func(*node){
		"description": func(v *node) { p.Description, said[p] = b.dec.word(v), true },
		"clearable":   func(v *node) { p.Clearable = b.dec.bool(v) },
		"folded":      func(v *node) { p.Folded = b.dec.bool(v) },
	})
}

// shown folds all parameters of d but those that v lists, the required ones and
// those that page.
func (b *builder) shown(d *draft, v *node) {
	keep := map[*ir.Param]bool{}
	b.dec.list(v, func(item *node) {
		if p, _ := b.param(d, b.dec.word(item), item.pos); p != nil {
			keep[p] = true
		}
	})
	for _, p := range d.Params {
		paging := p.In == ir.Local || p.Wire == "page" || p.Wire == "per_page" || p.Wire == d.Keyset
		p.Folded = !keep[p] && !p.Required && !paging
	}
}

// param resolves a parameter of an action by its public name, or by its wire
// name where that is none; dots and [] lead into objects. It returns the
// parameter and its public path.
func (b *builder) param(d *draft, name string, pos ir.Pos) (*ir.Param, string) {
	list := d.Params
	public := ""
	rest := name
	for {
		head, tail, nested := strings.Cut(rest, ".")
		p := pick(list, rest) // a dot may belong to the name
		if p != nil {
			return p, public + p.Name
		}
		p = pick(list, strings.TrimSuffix(head, "[]"))
		if p == nil || !nested {
			if p != nil {
				return p, public + p.Name
			}
			var known []string
			for _, p := range list {
				known = append(known, p.Name)
			}
			b.addf(pos, "%s has no parameter %q%s", d.ID, name, near(head, known))
			return nil, ""
		}
		fields := fieldsOf(p.Type)
		if fields == nil {
			b.addf(pos, "%s: %q is no object", d.ID, public+p.Name)
			return nil, ""
		}
		list, rest, public = *fields, tail, public+p.Name+"."
	}
}

func pick(list []*ir.Param, name string) *ir.Param {
	for _, p := range list {
		if p.Name == name {
			return p
		}
	}
	for _, p := range list {
		if p.Wire == name {
			return p
		}
	}
	return nil
}

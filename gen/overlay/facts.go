package overlay

import (
	"slices"
	"strings"

	"gitlab-mcp-server/gen/ir"
)

// Values of the facts that have closed sets.
var (
	tiers      = []string{"free", "premium", "ultimate"}
	offerings  = []string{"gitlab.com", "self-managed", "dedicated"}
	roles      = []string{"guest", "planner", "reporter", "developer", "maintainer", "owner", "admin"}
	lifecycles = []string{"experiment", "beta"}
)

// titles reads _titles.yaml; a domain file's title wins over it.
func (b *builder) titles() {
	b.dec.object(b.src.open(&b.problems, "_titles.yaml"), map[string]func(*node){
		"titles": func(v *node) {
			b.dec.each(v, func(id string, pos ir.Pos, v *node) {
				if d := b.action(id, pos); d != nil {
					d.Title = b.dec.word(v)
				}
			})
		},
	})
}

// facts reads _facts.yaml: what GitLab's documentation says of an action.
func (b *builder) facts() {
	b.dec.object(b.src.open(&b.problems, "_facts.yaml"), map[string]func(*node){
		"facts": func(v *node) {
			b.dec.each(v, func(id string, pos ir.Pos, v *node) {
				if d := b.action(id, pos); d != nil {
					b.dec.object(v, b.factKeys(d))
				}
			})
		},
	})
}

// factKeys are the facts that _facts.yaml and the domain files both hold.
func (b *builder) factKeys(d *draft) map[string]func(*node) {
	dec := b.dec
	return map[string]func(*node){
		"tier": func(v *node) { d.Tier = dec.oneOf(v, tiers...) },
		"offering": func(v *node) {
			d.Offering = dec.word(v)
			if d.Offering == "all" {
				return
			}
			for _, o := range strings.Split(d.Offering, ",") {
				if !slices.Contains(offerings, o) {
					dec.addf(v.pos, "offering %q is not all or a comma list of %s", d.Offering, strings.Join(offerings, ", "))
				}
			}
		},
		"admin":      func(v *node) { d.Admin = dec.bool(v) },
		"role":       func(v *node) { d.Role = dec.oneOf(v, roles...) },
		"scope":      func(v *node) { d.Scope = dec.word(v) },
		"since":      func(v *node) { d.Since = dec.word(v) },
		"source":     func(v *node) { d.Source = dec.word(v) },
		"deprecated": func(v *node) { d.Deprecated = dec.word(v) },
		"lifecycle":  func(v *node) { d.Lifecycle = dec.oneOf(v, lifecycles...) },
	}
}

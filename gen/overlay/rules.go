package overlay

import (
	"strings"

	"gitlab-mcp-server/gen/ir"
)

var groupRules = []string{"one_of", "exactly_one", "at_most_one", "all_or_none"}

// rules reads _rules.yaml: which parameters exclude or need each other.
func (b *builder) rules() {
	b.dec.object(b.src.open(&b.problems, "_rules.yaml"), map[string]func(*node){
		"rules": func(v *node) {
			b.dec.list(v, func(item *node) { b.ruleOf(nil, item) })
		},
	})
}

// ruleOf reads one rule, of only or of the actions that it matches.
func (b *builder) ruleOf(only *draft, item *node) {
	dec := b.dec
	var patterns, names []string
	rule, why, source := "", "", ""
	keys := map[string]func(*node){
		"rule":   func(v *node) { rule = dec.oneOf(v, groupRules...) },
		"params": func(v *node) { names = dec.texts(v) },
		"why":    func(v *node) { why = dec.word(v) },
		"source": func(v *node) { source = dec.word(v) },
	}
	if only == nil {
		keys["actions"] = func(v *node) { patterns = dec.textOrTexts(v) }
	}
	dec.object(item, keys)
	if rule == "" || len(names) < 2 || only == nil && (len(patterns) == 0 || why == "") {
		b.addf(item.pos, "a rule needs actions, rule, two or more params and why")
		return
	}
	if only != nil {
		b.addRule(only, rule, names, item.pos)
		return
	}
	for _, d := range b.matched(&repair{pos: item.pos, actions: patterns, source: source}) {
		b.addRule(d, rule, names, item.pos)
	}
}

// addRule adds a rule to the action, or to the object whose fields all of its
// parameters are.
func (b *builder) addRule(d *draft, rule string, names []string, pos ir.Pos) {
	group := ir.ParamGroup{Rule: rule}
	parents := map[string]bool{}
	parent, nested := "", false
	for _, name := range names {
		p, public := b.param(d, name, pos)
		if p == nil {
			return
		}
		dir, leaf := "", public
		if i := strings.LastIndexByte(public, '.'); i >= 0 && p.Name != public {
			dir, leaf, nested = public[:i], public[i+1:], true
		}
		parents[dir], parent = true, dir
		group.Params = append(group.Params, leaf)
	}
	switch {
	case len(parents) > 1:
		b.addf(pos, "%s: a rule holds inside one object, not over several", d.ID)
	case !nested:
		d.Groups = append(d.Groups, group)
	default:
		p, _ := b.param(d, parent, pos)
		t := p.Type
		for t.Kind == ir.Array {
			t = t.Items
		}
		t.Groups = append(t.Groups, group)
	}
}

package overlay

import (
	"slices"
	"strings"

	"gitlab-mcp-server/gen/ir"
)

// risks reads _risk.yaml: where an action does more, or less, than its method
// says, and which arguments make a call destructive.
func (b *builder) risks() {
	b.dec.object(b.src.open(&b.problems, "_risk.yaml"), map[string]func(*node){
		"risks":        func(v *node) { b.dec.list(v, b.riskOf) },
		"destroy_when": func(v *node) { b.dec.list(v, func(item *node) { b.destroyWhen(item, nil) }) },
	})
}

func (b *builder) riskOf(item *node) {
	dec := b.dec
	var ids []*node
	var risk ir.Risk
	why := ""
	dec.object(item, map[string]func(*node){
		"actions": func(v *node) { dec.list(v, func(v *node) { ids = append(ids, v) }) },
		"risk":    func(v *node) { risk = ir.Risk(dec.oneOf(v, string(ir.Read), string(ir.Write), string(ir.Destroy))) },
		"why":     func(v *node) { why = dec.word(v) },
	})
	if len(ids) == 0 || risk == "" || why == "" {
		b.addf(item.pos, "a risk needs actions, risk and why")
		return
	}
	for _, id := range ids {
		d := b.action(id.text, id.pos)
		switch {
		case d == nil:
		case d.Risk == risk:
			b.addf(id.pos, "%s is %s already: the line says nothing", d.ID, risk)
		default:
			d.Risk = risk
		}
	}
}

// destroyWhen reads an argument that makes a call destructive, of only, or of
// the actions that the entry names.
func (b *builder) destroyWhen(item *node, only *draft) {
	dec := b.dec
	drafts := []*draft{}
	if only != nil {
		drafts = append(drafts, only)
	}
	param, value, why := "", "", ""
	keys := map[string]func(*node){
		"param": func(v *node) { param = dec.word(v) },
		"value": func(v *node) { value = dec.text(v) },
		"why":   func(v *node) { why = dec.word(v) },
	}
	if only == nil {
		keys["actions"] = func(v *node) {
			dec.list(v, func(v *node) {
				if d := b.action(dec.word(v), v.pos); d != nil {
					drafts = append(drafts, d)
				}
			})
		}
	}
	dec.object(item, keys)
	if param == "" || why == "" {
		b.addf(item.pos, "destroy_when needs param, value and why")
		return
	}
	for _, d := range drafts {
		p, public := b.param(d, param, item.pos)
		switch {
		case p == nil:
			continue
		case d.Risk == ir.Destroy:
			b.addf(item.pos, "%s destroys whatever its arguments are", d.ID)
		case p.Type.Kind == ir.Boolean && value != "true" && value != "false",
			len(p.Type.Enum) > 0 && !slices.Contains(p.Type.Enum, value):
			b.addf(item.pos, "%s: %q is no value of %s", d.ID, value, public)
		}
		d.DestroyWhen = append(d.DestroyWhen, ir.DestroyWhen{Param: through(d.Params, public), Value: value})
	}
}

// through is the dotted path with [] behind every list that it passes
// through, actions[].action, as the request is searched by.
func through(params []*ir.Param, path string) string {
	head, rest, nested := strings.Cut(path, ".")
	p := pick(params, head)
	if p == nil || !nested {
		return path
	}
	if p.Type.Kind == ir.Array {
		head += "[]"
	}
	return head + "." + through(*fieldsOf(p.Type), rest)
}

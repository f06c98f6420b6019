package overlay

import (
	"regexp"
	"slices"

	"gitlab-mcp-server/gen/ir"
)

// refusal is one rule of _exclude.yaml: operations that are not for users or
// agents. The first rule that fits an operation names the reason.
type refusal struct {
	pos       ir.Pos
	rule, why string
	condition
	except *condition // what the rule spares all the same
	used   bool
}

// condition holds for an operation if all of its set parts do.
type condition struct {
	path       *regexp.Regexp // on the template without /api/v4
	methods    []string
	tag        string // glob
	deprecated bool
}

func (c *condition) holds(op *ir.Operation) bool {
	if c.path != nil && !c.path.MatchString(trimRoot(op.Path)) {
		return false
	}
	if len(c.methods) > 0 && !slices.Contains(c.methods, op.Method) {
		return false
	}
	if c.tag != "" && !slices.ContainsFunc(op.Tags, func(t string) bool { return match(c.tag, t) }) {
		return false
	}
	return !c.deprecated || op.Deprecated
}

func (c *condition) empty() bool {
	return c.path == nil && len(c.methods) == 0 && c.tag == "" && !c.deprecated
}

// readRefusals decodes _exclude.yaml.
func readRefusals(p *problems, src source) []*refusal {
	d := decoder{p}
	var rules []*refusal
	d.object(src.open(p, "_exclude.yaml"), map[string]func(*node){
		"rules": func(v *node) {
			d.list(v, func(item *node) {
				r := &refusal{pos: item.pos}
				keys := r.condition.keys(d)
				keys["rule"] = func(v *node) { r.rule = d.word(v) }
				keys["why"] = func(v *node) { r.why = d.word(v) }
				keys["except"] = func(v *node) {
					r.except = &condition{}
					d.object(v, r.except.keys(d))
				}
				d.object(item, keys)
				switch {
				case r.rule == "" || r.why == "":
					d.addf(r.pos, "an exclusion needs rule and why")
				case r.condition.empty():
					d.addf(r.pos, "exclusion %q has no condition: it would refuse everything", r.rule)
				default:
					rules = append(rules, r)
				}
			})
		},
	})
	return rules
}

func (c *condition) keys(d decoder) map[string]func(*node) {
	return map[string]func(*node){
		"path": func(v *node) {
			rx, err := regexp.Compile(d.word(v))
			if err != nil {
				d.addf(v.pos, "path: %v", err)
				return
			}
			c.path = rx
		},
		"method":     func(v *node) { c.methods = d.textOrTexts(v) },
		"tag":        func(v *node) { c.tag = d.word(v) },
		"deprecated": func(v *node) { c.deprecated = d.bool(v) },
	}
}

// refuse returns the first rule that refuses op, or nil. Operations that an
// overlay adds are wanted by definition.
func refuse(rules []*refusal, op *ir.Operation) *refusal {
	if op.Added {
		return nil
	}
	for _, r := range rules {
		if r.holds(op) && (r.except == nil || !r.except.holds(op)) {
			r.used = true
			return r
		}
	}
	return nil
}

package overlay

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"gitlab-mcp-server/gen/ir"
)

// alias is an alias in the making.
type alias struct {
	pos ir.Pos
	ir.Alias
}

// Provenance of aliases.
var sources = []string{"peer", "official", "ours"}

const fromOperationID = "operation_id"

// aliases reads the other names of actions and of parameters, and adds
// upstream's operation ids.
func (b *builder) aliases() {
	all := b.ours
	b.dec.object(b.src.open(&b.problems, "_aliases.yaml"), map[string]func(*node){
		"aliases": func(v *node) {
			b.dec.list(v, func(item *node) { all = append(all, b.aliasOf(item)) })
		},
	})
	byName := map[string]int{}
	for _, a := range all {
		b.addAlias(byName, a)
	}
	for _, d := range b.drafts {
		if d.Op == nil || d.Op.OperationID == "" {
			continue
		}
		if _, taken := byName[d.Op.OperationID]; !taken && b.byID[d.Op.OperationID] == nil {
			b.cat.Aliases = append(b.cat.Aliases, ir.Alias{Name: d.Op.OperationID, Targets: []string{d.ID}, From: fromOperationID})
		}
	}
	slices.SortFunc(b.cat.Aliases, func(x, y ir.Alias) int { return cmp.Compare(x.Name, y.Name) })
	b.paramAliases()
}

func (b *builder) aliasOf(item *node) alias {
	dec := b.dec
	a := alias{pos: item.pos}
	dec.object(item, map[string]func(*node){
		"name": func(v *node) { a.Name = dec.word(v) },
		"to": func(v *node) {
			dec.list(v, func(v *node) {
				if b.action(dec.word(v), v.pos) != nil {
					a.Targets = append(a.Targets, v.text)
				}
			})
		},
		"by": func(v *node) {
			dec.each(v, func(when string, pos ir.Pos, v *node) {
				id := dec.word(v)
				if b.action(id, pos) == nil {
					return
				}
				a.By = append(a.By, ir.AliasCase{When: when, To: id})
				if !slices.Contains(a.Targets, id) {
					a.Targets = append(a.Targets, id)
				}
			})
		},
		"fixed":  func(v *node) { a.Fixed = dec.anyMap(v) },
		"rename": func(v *node) { a.Rename = dec.textMap(v) },
		"only":   func(v *node) { a.Only = dec.texts(v) },
		"note":   func(v *node) { a.Note = dec.word(v) },
		"from":   func(v *node) { a.From = dec.oneOf(v, sources...) },
	})
	return a
}

// addAlias checks an alias and adds it. Two plain aliases of one name are one
// ambiguous alias.
func (b *builder) addAlias(byName map[string]int, a alias) {
	switch {
	case a.Name == "":
		b.addf(a.pos, "an alias needs a name")
		return
	case b.byID[a.Name] != nil:
		b.addf(a.pos, "alias %q is the id of an action", a.Name)
		return
	case len(a.Targets) == 0 && a.Note == "":
		b.addf(a.pos, "alias %q leads nowhere: it needs a target, or a note that says what to use instead", a.Name)
		return
	}
	b.checkArguments(a)
	if i, ok := byName[a.Name]; ok {
		old := &b.cat.Aliases[i]
		if plain(*old) && plain(a.Alias) {
			for _, t := range a.Targets {
				if !slices.Contains(old.Targets, t) {
					old.Targets = append(old.Targets, t)
				}
			}
			return
		}
		b.addf(a.pos, "alias %q stands twice", a.Name)
		return
	}
	byName[a.Name] = len(b.cat.Aliases)
	b.cat.Aliases = append(b.cat.Aliases, a.Alias)
}

// has reports whether a parameter has this public name.
func has(params []*ir.Param, name string) bool {
	return slices.ContainsFunc(params, func(p *ir.Param) bool { return p.Name == name })
}

func plain(a ir.Alias) bool {
	return len(a.Targets) > 0 && a.By == nil && a.Fixed == nil && a.Rename == nil && a.Only == nil && a.Note == ""
}

// checkArguments reports arguments of an alias that none of its targets takes.
func (b *builder) checkArguments(a alias) {
	names := slices.Sorted(maps.Keys(a.Fixed))
	for _, old := range slices.Sorted(maps.Keys(a.Rename)) {
		names = append(names, a.Rename[old])
	}
	for _, name := range names {
		if !slices.ContainsFunc(a.Targets, func(id string) bool { return pick(b.byID[id].Params, name) != nil }) {
			b.addf(a.pos, "alias %q: %s has no parameter %q", a.Name, strings.Join(a.Targets, ", "), name)
		}
	}
}

// paramAliases reads _param_aliases.yaml.
func (b *builder) paramAliases() {
	dec := b.dec
	dec.object(b.src.open(&b.problems, "_param_aliases.yaml"), map[string]func(*node){
		"aliases": func(v *node) {
			dec.list(v, func(item *node) {
				var a ir.ParamAlias
				dec.object(item, map[string]func(*node){
					"from":    func(v *node) { a.From = dec.word(v) },
					"to":      func(v *node) { a.To = dec.word(v) },
					"actions": func(v *node) { a.Actions = dec.textOrTexts(v) },
					"values":  func(v *node) { a.Values = dec.textMap(v) },
				})
				if a.From == "" || a.To == "" {
					b.addf(item.pos, "a parameter alias needs from and to")
					return
				}
				b.checkParamAlias(a, item.pos)
				b.cat.ParamAliases = append(b.cat.ParamAliases, a)
			})
		},
		"roles": b.roles,
	})
}

// roles reads the words for access levels. They are aliases of values: From
// and To are the parameter itself, at any depth.
func (b *builder) roles(v *node) {
	dec := b.dec
	var params []*node
	values := map[string]string{}
	dec.object(v, map[string]func(*node){
		"params": func(v *node) { dec.list(v, func(v *node) { params = append(params, v) }) },
		"values": func(v *node) { values = dec.textMap(v) },
	})
	for _, n := range params {
		name := dec.word(n)
		if !slices.ContainsFunc(b.drafts, func(d *draft) bool { return anywhere(d.Params, name) }) {
			b.addf(n.pos, "no action has a parameter %q", name)
		}
		b.cat.ParamAliases = append(b.cat.ParamAliases, ir.ParamAlias{From: name, To: name, Values: values})
	}
}

// anywhere reports whether a parameter or a field of one has this name.
func anywhere(params []*ir.Param, name string) bool {
	return slices.ContainsFunc(params, func(p *ir.Param) bool {
		if p.Name == name {
			return true
		}
		fields := fieldsOf(p.Type)
		return fields != nil && anywhere(*fields, name)
	})
}

// checkParamAlias reports an alias that no action needs.
func (b *builder) checkParamAlias(a ir.ParamAlias, pos ir.Pos) {
	patterns := a.Actions
	if len(patterns) == 0 {
		patterns = []string{"*"}
	}
	for _, pattern := range patterns {
		used := slices.ContainsFunc(b.drafts, func(d *draft) bool {
			return match(pattern, d.ID) && has(d.Params, a.To) && !has(d.Params, a.From)
		})
		if !used {
			b.addf(pos, "alias of a parameter: no action of %q has %q and lacks %q", pattern, a.To, a.From)
		}
	}
}

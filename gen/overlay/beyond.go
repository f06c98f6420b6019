package overlay

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"gitlab-mcp-server/gen/ir"
)

// Methods of actions that are no REST operation.
const (
	graphQL = "GRAPHQL"
	local   = "LOCAL"
)

// beyond is the entry of an action that is no REST operation.
type beyond struct {
	method   string
	entry    *node
	mutation bool
	said     []*ir.Param // described where they are declared
}

// risk is what the method says: a query of GraphQL changes nothing.
func (x *beyond) risk() (ir.Risk, string) {
	if x.mutation {
		return ir.Write, "api"
	}
	return ir.Read, "read_api"
}

// beside are the keys of an entry that are not curation.
func (x *beyond) beside() []string {
	if x.method == graphQL {
		return []string{"use", "params", "kind", "document", "fixed", "result"}
	}
	return []string{"use", "params", "kind"}
}

// beyondREST adds the actions of _graphql.yaml and _own.yaml, and the arguments
// that ours have beside GitLab's.
func (b *builder) beyondREST() {
	docs := b.readDocuments()
	b.entries("_graphql.yaml", graphQL, docs)
	b.entries("_own.yaml", local, nil)
	for _, name := range slices.Sorted(maps.Keys(docs)) {
		if o := docs[name]; !o.used {
			b.addf(o.pos, "no action sends the operation %s", name)
		}
	}
}

// entries reads one file: sets of parameters that several actions share, and
// the actions.
func (b *builder) entries(file, method string, docs documents) {
	sets := map[string]*entrySet{}
	dec := b.dec
	handlers := map[string]func(*node){
		"sets": func(v *node) {
			dec.each(v, func(name string, pos ir.Pos, v *node) { sets[name] = &entrySet{pos: pos, params: v} })
		},
		"actions": func(v *node) {
			dec.each(v, func(id string, pos ir.Pos, v *node) { b.entry(id, pos, method, v, sets, docs) })
		},
	}
	if method == local {
		handlers["helpers"] = func(v *node) {
			dec.each(v, func(id string, pos ir.Pos, v *node) { b.helper(id, pos, v) })
		}
	}
	dec.object(b.src.open(&b.problems, file), handlers)
	for _, name := range slices.Sorted(maps.Keys(sets)) {
		if !sets[name].used {
			b.addf(sets[name].pos, "no action uses the set %q", name)
		}
	}
}

// entrySet is a named list of parameters.
type entrySet struct {
	pos    ir.Pos
	params *node
	used   bool
}

// entry reads one action.
func (b *builder) entry(id string, pos ir.Pos, method string, v *node, sets map[string]*entrySet, docs documents) {
	if old := b.byID[id]; old != nil {
		b.addf(pos, "%s is an action already", id)
		return
	}
	domain, name, ok := strings.Cut(id, ".")
	if !ok {
		b.addf(pos, "an id is domain.action, got %q", id)
		return
	}
	x := &beyond{method: method, entry: v}
	d := &draft{
		Action: &ir.Action{ID: id, Domain: domain, Name: name, Method: method, Kind: ir.KindObject},
		fixed:  map[fact]ir.Pos{}, first: map[*ir.Param]*ir.Param{}, beyond: x,
	}
	if name == "list" || strings.HasPrefix(name, "list_") {
		d.Kind = ir.KindList
	}
	in := ir.Local
	if method == graphQL {
		in = ir.Variable
		d.Document = &ir.Document{Pos: pos}
		d.ContentType = "application/json"
	}
	declare := func(v *node) { b.declare(d, v, in) }
	keys := map[string]func(*node){
		"kind":   func(v *node) { d.Kind = readKind(b.dec, v) },
		"params": func(*node) {}, // behind those of the sets
		"use": func(v *node) {
			for _, name := range b.dec.textOrTexts(v) {
				s := sets[name]
				if s == nil {
					b.addf(v.pos, "no set is called %q%s", name, near(name, slices.Sorted(maps.Keys(sets))))
					continue
				}
				s.used = true
				declare(s.params)
			}
		},
	}
	if method == graphQL {
		keys["document"] = func(v *node) { d.Document.Name = b.dec.word(v) }
		keys["result"] = func(v *node) { d.Document.Result = b.dec.word(v) }
		keys["fixed"] = func(v *node) {
			b.dec.each(v, func(path string, _ ir.Pos, v *node) {
				js, err := json.Marshal(b.dec.any(v))
				if err != nil {
					b.addf(v.pos, "%v", err)
				}
				d.Document.Fixed = append(d.Document.Fixed, ir.Fixed{Path: path, JSON: string(js)})
			})
		}
	}
	for _, pass := range []bool{false, true} { // sets first, whatever the order of the file
		for _, p := range v.pairs {
			if (p.key == "params") != pass || keys[p.key] == nil {
				continue
			}
			if pass {
				declare(p.val)
			} else {
				keys[p.key](p.val)
			}
		}
	}
	slices.SortStableFunc(d.Params, func(x, y *ir.Param) int {
		switch {
		case x.Required == y.Required:
			return 0
		case x.Required:
			return -1
		}
		return 1
	})
	if method == graphQL {
		b.fitDocument(d, pos, docs)
		if d.Kind == ir.KindList && has(d.Params, "cursor") {
			d.Params = append(d.Params, &ir.Param{Pos: pos, Name: "all_pages", Wire: "all_pages", In: ir.Local, Type: &ir.Type{Kind: ir.Boolean}})
		}
	}
	b.byID[id] = d
	b.drafts = append(b.drafts, d)
}

// declare adds parameters to d.
func (b *builder) declare(d *draft, v *node, in ir.In) {
	b.dec.each(v, func(name string, pos ir.Pos, v *node) {
		description, in := "", in
		if v.kind == mapNode {
			plain := *v
			plain.pairs = slices.DeleteFunc(slices.Clone(v.pairs), func(p pair) bool {
				switch p.key {
				case "description":
					description = b.dec.word(p.val)
				case "local":
					if b.dec.bool(p.val) {
						in = ir.Local
					}
				default:
					return false
				}
				return true
			})
			v = &plain
		}
		s := readSpec(b.dec, v, false)
		p := s.param(name, pos, in)
		p.In = in
		p.Wire = name
		if s.variable != "" {
			p.Wire = s.variable
		}
		p.Type = tidy(p.Type, in, p.Name, true)
		if p.Description = description; description != "" {
			d.beyond.said = append(d.beyond.said, p)
		}
		if has(d.Params, name) {
			b.addf(pos, "%s has two parameters %q", d.ID, name)
			return
		}
		d.Params = append(d.Params, p)
	})
}

// helper adds arguments of ours to a REST action.
func (b *builder) helper(id string, pos ir.Pos, v *node) {
	d := b.action(id, pos)
	if d == nil {
		return
	}
	if d.beyond == nil {
		d.beyond = &beyond{method: d.Method}
	}
	b.dec.object(v, map[string]func(*node){
		"params": func(v *node) { b.declare(d, v, ir.Local) },
	})
}

// fitDocument holds the parameters against the variables of the document.
func (b *builder) fitDocument(d *draft, pos ir.Pos, docs documents) {
	o := docs[d.Document.Name]
	if o == nil {
		b.addf(pos, "%s: no document has the operation %q%s", d.ID, d.Document.Name, near(d.Document.Name, slices.Sorted(maps.Keys(docs))))
		return
	}
	if o.used {
		b.addf(pos, "%s: another action sends the operation %s", d.ID, d.Document.Name)
	}
	o.used = true
	d.Document.Text, d.Document.Mutation = o.text, o.mutation
	d.beyond.mutation = o.mutation
	slices.SortFunc(d.Document.Fixed, func(x, y ir.Fixed) int { return strings.Compare(x.Path, y.Path) })
	filled := map[string][]*ir.Param{} // by variable
	for _, p := range d.Params {
		if p.In == ir.Local {
			continue
		}
		name, _, _ := strings.Cut(p.Wire, ".")
		filled[name] = append(filled[name], p)
	}
	fixed := map[string]bool{}
	for _, f := range d.Document.Fixed {
		name, _, _ := strings.Cut(f.Path, ".")
		fixed[name] = true
	}
	declared := map[string]*ast.VariableDefinition{}
	for _, v := range o.variables {
		declared[v.Variable] = v
		at := ir.Pos{File: o.pos.File, Line: v.Position.Line}
		if len(filled[v.Variable]) == 0 && !fixed[v.Variable] {
			b.addf(at, "no parameter of %s fills the variable $%s", d.ID, v.Variable)
		}
		for _, p := range filled[v.Variable] {
			if p.Wire != v.Variable {
				continue // a field of an input object
			}
			if want := variableKind(v.Type); want != "" && want != p.Type.Kind && !(want == ir.ID && p.Type.Kind == ir.String) {
				b.addf(p.Pos, "%s: %s is %s, and the variable $%s is %s", d.ID, p.Name, p.Type.Kind, v.Variable, v.Type)
			}
			ruled := slices.ContainsFunc(d.beyond.entry.pairs, func(p pair) bool { return p.key == "groups" })
			if v.Type.NonNull && v.DefaultValue == nil && !p.Required && !ruled {
				b.addf(p.Pos, "%s: %s must be required: the variable $%s is %s", d.ID, p.Name, v.Variable, v.Type)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(filled)) {
		if declared[name] == nil {
			b.addf(filled[name][0].Pos, "%s: the operation %s has no variable $%s", d.ID, d.Document.Name, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fixed)) {
		if declared[name] == nil {
			b.addf(pos, "%s: the operation %s has no variable $%s to fix", d.ID, d.Document.Name, name)
		}
	}
}

// variableKind is the kind of parameter that a type of GraphQL asks for, "" for
// enums, texts of a form of their own, and input objects.
func variableKind(t *ast.Type) ir.Kind {
	switch {
	case t.Elem != nil:
		return ir.Array
	case t.NamedType == "Int":
		return ir.Integer
	case t.NamedType == "Float":
		return ir.Number
	case t.NamedType == "Boolean":
		return ir.Boolean
	case t.NamedType == "String":
		return ir.String
	case t.NamedType == "ID" || strings.HasSuffix(t.NamedType, "ID"):
		return ir.ID
	}
	return ""
}

// beyondCurated reads what the entries say of their actions as a domain file
// would, and gives the parameters that they describe.
func (b *builder) beyondCurated() described {
	said := described{}
	for _, d := range b.drafts {
		if d.beyond == nil {
			continue
		}
		for _, p := range d.beyond.said {
			said[p] = true
		}
		if d.beyond.entry != nil {
			b.curatedBeside(d, d.beyond.entry, said, d.beyond.beside())
		}
	}
	return said
}

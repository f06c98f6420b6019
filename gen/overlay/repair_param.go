package overlay

import (
	"fmt"
	"slices"
	"strings"

	"gitlab-mcp-server/gen/ir"
)

// place is a parameter and the list that it stands in.
type place struct {
	list *[]*ir.Param
	p    *ir.Param
}

// find resolves a wire name, literally first, then as a path into objects and
// arrays of objects: position.line_range.start, allowed_to_push[].access_level.
// in limits it to parameters that travel so.
func (d *draft) find(ref, in string) (place, bool) {
	lists := []*[]*ir.Param{&d.Op.Params}
	if d.Op.Body != nil {
		lists = append(lists, &d.Op.Body.Fields)
	}
	for _, list := range lists {
		for _, p := range *list {
			if p.Wire == ref && (in == "" || string(p.In) == in) {
				return place{list, p}, true
			}
		}
	}
	if strings.Contains(ref, ".") {
		for _, list := range lists {
			if pl, ok := findNested(list, ref); ok {
				return pl, true
			}
		}
	}
	return place{}, false
}

func findNested(list *[]*ir.Param, ref string) (place, bool) {
	head, rest, nested := strings.Cut(ref, ".")
	head = strings.TrimSuffix(head, "[]")
	for _, p := range *list {
		if p.Wire != head {
			continue
		}
		if !nested {
			return place{list, p}, true
		}
		if fields := fieldsOf(p.Type); fields != nil {
			return findNested(fields, rest)
		}
	}
	return place{}, false
}

// fieldsOf are the fields of an object, or of the objects in an array.
func fieldsOf(t *ir.Type) *[]*ir.Param {
	if t == nil {
		return nil
	}
	if t.Kind == ir.Array {
		return fieldsOf(t.Items)
	}
	if typeName(t) == ir.Object || typeName(t) == ir.Map && t.Fields != nil {
		return &t.Fields
	}
	return nil
}

func (b *builder) repairParams(r *repair) {
	drafts := b.matched(r)
	perName := map[string]int{}
	for _, pattern := range r.actions {
		n := 0
		for _, d := range drafts {
			if match(pattern, d.ID) {
				n += b.repairParamsOf(d, r, perName, pattern == firstMatch(r.actions, d.ID))
			}
		}
		if n == 0 && len(drafts) > 0 {
			b.addf(r.pos, "stale repair: no action of %q has a parameter %s that this repair fits", pattern, strings.Join(r.params, ", "))
		}
	}
	for _, name := range r.params {
		if perName[name] == 0 && len(drafts) > 0 && len(r.params) > 1 {
			b.addf(r.pos, "stale repair: no matched action has a parameter %q that this repair fits", name)
		}
	}
}

func firstMatch(patterns []string, id string) string {
	for _, p := range patterns {
		if match(p, id) {
			return p
		}
	}
	return ""
}

// repairParamsOf applies r to one action and returns how many of its
// parameters r was about. write is false where another pattern did it already.
func (b *builder) repairParamsOf(d *draft, r *repair, perName map[string]int, write bool) int {
	n := 0
	for _, ref := range r.params {
		in := ""
		if r.was.set["in"] {
			in = r.was.in
		}
		pl, found := d.find(ref, in)
		if r.was.set["absent"] {
			switch {
			case found && pl.p.Pos != r.pos:
				if !r.onlyWhere {
					b.addf(r.pos, "stale repair: %s has a parameter %s by now", d.ID, ref)
				}
				continue
			case !found && write:
				b.insert(d, r, ref)
			}
			n++
			perName[ref]++
			continue
		}
		if !found {
			continue
		}
		first := d.original(pl.p)
		if diff := differs(first, &r.was.spec); diff != "" {
			if !r.onlyWhere {
				n++ // it is there; the problem is said once
				perName[ref]++
				if write {
					b.addf(r.pos, "stale repair: %s: %s: %s", d.ID, ref, diff)
				}
			}
			continue
		}
		n++
		perName[ref]++
		if write {
			b.change(d, pl, r)
		}
	}
	return n
}

// original is p as upstream has it; the copy is made before the first repair.
func (d *draft) original(p *ir.Param) *ir.Param {
	if c := d.first[p]; c != nil {
		return c
	}
	c := cloneParam(p)
	d.first[p] = c
	return c
}

// insert adds the parameter ref, which upstream lacks.
func (b *builder) insert(d *draft, r *repair, ref string) {
	in := ir.Query
	if d.Op.Body != nil || d.Method == "POST" || d.Method == "PUT" || d.Method == "PATCH" {
		in = ir.BodyIn
	}
	if r.set.set["in"] {
		in = ir.In(r.set.in)
	}
	list, wire := &d.Op.Params, ref
	if parent, leaf, nested := cutLast(ref); nested {
		pl, found := d.find(parent, "")
		if found && fieldsOf(pl.p.Type) == nil {
			found = false
		}
		if !found {
			b.addf(r.pos, "%s has no object %q to add %q to", d.ID, parent, leaf)
			return
		}
		list, wire = fieldsOf(pl.p.Type), leaf
	} else if in == ir.BodyIn || in == ir.File {
		if d.Op.Body == nil {
			d.Op.Body = &ir.Body{ContentType: "application/json"}
		}
		list = &d.Op.Body.Fields
	}
	p := r.set.param(wire, r.pos, in)
	b.claimAll(d, p, r)
	at := len(*list)
	if r.after != "" {
		i := slices.IndexFunc(*list, func(p *ir.Param) bool { return p.Wire == r.after })
		if i < 0 {
			b.addf(r.pos, "%s: no parameter %q to stand after", d.ID, r.after)
			return
		}
		at = i + 1
	}
	*list = slices.Insert(*list, at, p)
}

func cutLast(ref string) (parent, leaf string, ok bool) {
	i := strings.LastIndexByte(ref, '.')
	if i < 0 {
		return "", ref, false
	}
	return strings.TrimSuffix(ref[:i], "[]"), ref[i+1:], true
}

// claimAll claims every key that r sets on p.
func (b *builder) claimAll(d *draft, p *ir.Param, r *repair) bool {
	ok := true
	for key := range r.set.set {
		ok = b.claim(d, p, key, r) && ok
	}
	return ok
}

// change applies r to one parameter.
func (b *builder) change(d *draft, pl place, r *repair) {
	if !b.claimAll(d, pl.p, r) {
		return
	}
	if r.set.drop {
		*pl.list = slices.DeleteFunc(*pl.list, func(p *ir.Param) bool { return p == pl.p })
		return
	}
	r.set.apply(pl.p)
	if pl.p.Type.Kind == ir.FileVal && pl.p.In == ir.BodyIn {
		pl.p.In = ir.File
	}
	if !r.set.set["in"] || string(pl.p.In) == r.set.in {
		return
	}
	pl.p.In = ir.In(r.set.in)
	to := &d.Op.Params
	if pl.p.In == ir.BodyIn || pl.p.In == ir.File {
		if d.Op.Body == nil {
			d.Op.Body = &ir.Body{ContentType: "application/json"}
		}
		to = &d.Op.Body.Fields
	}
	if to != pl.list {
		*pl.list = slices.DeleteFunc(*pl.list, func(p *ir.Param) bool { return p == pl.p })
		*to = append(*to, pl.p)
	}
	if d.Op.Body != nil && len(d.Op.Body.Fields) == 0 {
		d.Op.Body = nil
	}
}

// differs says how p differs from what a repair takes it to be.
func differs(p *ir.Param, was *spec) string {
	var diffs []string
	add := func(what string, now, was any) {
		diffs = append(diffs, fmt.Sprintf("%s is %v, not %v", what, now, was))
	}
	t := p.Type
	if t == nil {
		t = &ir.Type{}
	}
	if was.set["in"] && string(p.In) != was.in {
		add("in", p.In, was.in)
	}
	if was.set["required"] && p.Required != was.required {
		add("required", p.Required, was.required)
	}
	if was.set["scalar"] && p.Scalar != was.scalar {
		add("scalar", p.Scalar, was.scalar)
	}
	if was.set["splat"] && p.Splat != was.splat {
		add("splat", p.Splat, was.splat)
	}
	if was.set["encoding"] && p.Encoding != was.encoding {
		add("encoding", encodingName(p.Encoding), encodingName(was.encoding))
	}
	differsType(t, was, "", add)
	return strings.Join(diffs, "; ")
}

func differsType(t *ir.Type, was *spec, of string, add func(what string, now, was any)) {
	// Either name will do: the choice as upstream has it, or what it comes to.
	if now := rawTypeName(t); was.set["type"] && now != was.kind && string(typeName(t)) != was.kind {
		add(of+"type", now, was.kind)
	}
	if was.set["format"] && t.Format != was.format {
		add(of+"format", t.Format, was.format)
	}
	if was.set["enum"] {
		now := without(t.Enum, []string{""})
		if want := without(was.enum, []string{""}); !slices.Equal(now, want) {
			add(of+"enum", now, want)
		}
	}
	for _, x := range []struct {
		key, want string
		now       *string
	}{{"min", was.min, t.Min}, {"max", was.max, t.Max}, {"default", was.deflt, t.Default}} {
		if was.set[x.key] && deref(x.now) != x.want {
			add(of+x.key, deref(x.now), x.want)
		}
	}
	if was.set["items"] {
		items := collapse(t).Items
		if items == nil {
			items = &ir.Type{}
		}
		differsType(items, was.items, of+"items ", add)
	}
	if was.set["fields"] {
		var now, want []string
		if fields := fieldsOf(t); fields != nil {
			now = wires(*fields)
		}
		if want = wires(was.fields); !slices.Equal(now, want) {
			add(of+"fields", now, want)
		}
	}
}

func wires(ps []*ir.Param) []string {
	var out []string
	for _, p := range ps {
		out = append(out, p.Wire)
	}
	return out
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func encodingName(e ir.Encoding) string {
	if e == ir.Plain {
		return "plain"
	}
	return string(e)
}

package overlay

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gitlab-mcp-server/gen/ir"
)

// repair is one entry of a _repairs_*.yaml: where the document is wrong, what
// it says, and what is right.
type repair struct {
	pos       ir.Pos
	actions   []string // ids or globs
	params    []string // wire names; empty: of the operation itself
	onlyWhere bool     // was selects instead of asserting
	why       string
	source    string
	was, set  *change
	after     string
}

// change is one side of a repair, of an operation or of a parameter.
type change struct {
	spec
	resultKind  ir.ResultKind
	contentType string
	body        []*ir.Param
	bodyNames   []string // of was
	path        string
	keyset      string // wire name of the cursor; "none"
	askKeyset   bool   // the mode must be asked for: pagination=keyset
	bodyNeeded  bool
}

func (b *builder) readRepairs() []*repair {
	entries, err := os.ReadDir(b.src.dir)
	if err != nil {
		b.addf(ir.Pos{File: b.src.base}, "%v", err)
		return nil
	}
	var out []*repair
	for _, e := range entries {
		if ok, _ := filepath.Match("_repairs_*.yaml", e.Name()); !ok {
			continue
		}
		d := b.dec
		d.object(b.src.open(&b.problems, e.Name()), map[string]func(*node){
			"repairs": func(v *node) {
				d.list(v, func(item *node) {
					if r := b.readRepair(item); r != nil {
						out = append(out, r)
					}
				})
			},
		})
	}
	return out
}

func (b *builder) readRepair(item *node) *repair {
	d := b.dec
	r := &repair{pos: item.pos}
	var was, set *node
	before := len(b.list)
	d.object(item, map[string]func(*node){
		"actions":    func(v *node) { r.actions = d.textOrTexts(v) },
		"param":      func(v *node) { r.params = d.textOrTexts(v) },
		"only_where": func(v *node) { r.onlyWhere = d.bool(v) },
		"why":        func(v *node) { r.why = d.word(v) },
		"source":     func(v *node) { r.source = d.word(v) },
		"after":      func(v *node) { r.after = d.word(v) },
		"was":        func(v *node) { was = v },
		"set":        func(v *node) { set = v },
	})
	if len(b.list) > before {
		return nil
	}
	if len(r.actions) == 0 || r.why == "" || was == nil || set == nil {
		d.addf(r.pos, "a repair needs actions, was, set and why")
		return nil
	}
	r.was, r.set = r.readChange(d, was, true), r.readChange(d, set, false)
	if r.set.set["after"] {
		r.after = r.set.after
	}
	if len(b.list) > before {
		return nil
	}
	return r
}

func (r *repair) readChange(d decoder, n *node, was bool) *change {
	c := &change{spec: spec{pos: n.pos, was: was, set: map[string]bool{}}}
	var keys map[string]func(*node)
	if len(r.params) > 0 {
		keys = c.spec.keys(d)
		drop := []string{"enum_add", "enum_remove", "drop", "after", "name", "clearable"}
		if !was {
			drop = []string{"absent"}
		}
		for _, k := range drop {
			delete(keys, k)
		}
	} else {
		keys = map[string]func(*node){
			"kind":         func(v *node) { c.resultKind = readKind(d, v) },
			"content_type": func(v *node) { c.contentType = d.oneOf(v, append(contentTypes, "none")...) },
			"path":         func(v *node) { c.path = d.word(v) },
			"keyset":       func(v *node) { c.readKeyset(d, v) },
			"body": func(v *node) {
				if was {
					c.bodyNames = d.textOrTexts(v)
				} else {
					c.body = readFields(d, v, ir.BodyIn)
				}
			},
			"body_required": func(v *node) { c.bodyNeeded = d.bool(v) },
		}
		for k, f := range keys {
			keys[k] = func(v *node) {
				c.set[k] = true
				f(v)
			}
		}
	}
	d.object(n, keys)
	return c
}

// repair applies all repairs.
func (b *builder) repair() {
	for _, r := range b.readRepairs() {
		if len(r.params) == 0 {
			b.repairOperations(r)
		} else {
			b.repairParams(r)
		}
	}
}

// matched returns the drafts that fit the patterns of r, in order of id, and
// reports patterns that fit none.
func (b *builder) matched(r *repair) []*draft {
	var out []*draft
	for _, pattern := range r.actions {
		n := 0
		for _, d := range b.drafts {
			if match(pattern, d.ID) {
				n++
				if !slices.Contains(out, d) {
					out = append(out, d)
				}
			}
		}
		if n == 0 {
			b.addf(r.pos, "no action matches %q%s", pattern, near(pattern, b.ids()))
		}
	}
	return out
}

func (b *builder) ids() []string {
	ids := make([]string, len(b.drafts))
	for i, d := range b.drafts {
		ids[i] = d.ID
	}
	return ids
}

func (b *builder) repairOperations(r *repair) {
	hit := false
	drafts := b.matched(r)
	for _, d := range drafts {
		if diff := d.differs(r.was); diff != "" {
			if !r.onlyWhere {
				b.addf(r.pos, "stale repair: %s: %s", d.ID, diff)
			}
			continue
		}
		hit = true
		b.setOperation(d, r)
	}
	if r.onlyWhere && !hit && len(drafts) > 0 {
		b.addf(r.pos, "stale repair: `was` holds for none of the %d matched actions", len(drafts))
	}
}

// differs says how the operation differs from what a repair takes it to be.
func (d *draft) differs(was *change) string {
	diff := func(what string, now, was any) string { return fmt.Sprintf("%s is %v, not %v", what, now, was) }
	bodyType, bodyNeeded, names := "none", false, []string{}
	if body := d.Op.Body; body != nil {
		bodyType, bodyNeeded = body.ContentType, body.Required
		for _, f := range body.Fields {
			names = append(names, f.Wire)
		}
	}
	switch {
	case was.set["kind"] && d.declared != was.resultKind && d.likely != was.resultKind:
		return diff("kind", d.likely, was.resultKind)
	case was.set["content_type"] && bodyType != was.contentType:
		return diff("content_type", bodyType, was.contentType)
	case was.set["body"] && !slices.Equal(names, was.bodyNames):
		return diff("body", "["+strings.Join(names, ", ")+"]", "["+strings.Join(was.bodyNames, ", ")+"]")
	case was.set["body_required"] && bodyNeeded != was.bodyNeeded:
		return diff("body_required", bodyNeeded, was.bodyNeeded)
	case was.set["path"] && d.UpstreamPath != was.path:
		return diff("path", d.UpstreamPath, was.path)
	case was.set["keyset"] && cmpNone(keysetOf(d.Op)) != was.keyset:
		return diff("keyset", cmpNone(keysetOf(d.Op)), was.keyset)
	}
	return ""
}

func cmpNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// claim notes that r sets key, and reports a second repair of the same thing.
func (b *builder) claim(d *draft, p *ir.Param, key string, r *repair) bool {
	f := fact{p, key}
	if old, taken := d.fixed[f]; taken {
		what := d.ID
		if p != nil {
			what += " " + p.Wire
		}
		b.addf(r.pos, "%s: %s is set by %v already", what, key, old)
		return false
	}
	d.fixed[f] = r.pos
	return true
}

func (b *builder) setOperation(d *draft, r *repair) {
	s := r.set
	has := func(key string) bool { return s.set[key] && b.claim(d, nil, key, r) }
	if has("kind") {
		d.Kind = s.resultKind
	}
	if has("body") {
		if d.Op.Body == nil {
			d.Op.Body = &ir.Body{ContentType: "application/json"}
		}
		d.Op.Body.Fields = cloneParams(s.body)
	}
	if has("content_type") {
		switch {
		case s.contentType == "none":
			d.Op.Body = nil
		case d.Op.Body == nil:
			d.Op.Body = &ir.Body{ContentType: s.contentType}
		default:
			d.Op.Body.ContentType = s.contentType
		}
	}
	if has("body_required") && d.Op.Body != nil {
		d.Op.Body.Required = s.bodyNeeded
	}
	if has("path") {
		d.WirePath = s.path
	}
	if has("keyset") {
		b.setKeyset(d, r)
	}
}

// readKeyset reads the wire name of the cursor, "none", or a map of param and
// pagination where GitLab must be told the mode.
func (c *change) readKeyset(d decoder, v *node) {
	if v.kind == scalarNode {
		c.keyset = d.word(v)
		return
	}
	d.object(v, map[string]func(*node){
		"param":      func(v *node) { c.keyset = d.word(v) },
		"pagination": func(v *node) { d.oneOf(v, "keyset"); c.askKeyset = true },
	})
}

// setKeyset sets the cursor, and declares the parameter that asks for it.
func (b *builder) setKeyset(d *draft, r *repair) {
	d.Keyset = r.set.keyset
	if d.Keyset == "none" {
		d.Keyset = ""
	}
	if r.set.askKeyset && !slices.ContainsFunc(d.Op.Params, func(p *ir.Param) bool { return p.Wire == "pagination" }) {
		d.Op.Params = append(d.Op.Params, &ir.Param{
			Pos: r.pos, Name: "pagination", Wire: "pagination", In: ir.Query, Type: &ir.Type{Kind: ir.String, Enum: []string{"keyset"}},
		})
	}
}

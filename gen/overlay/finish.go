package overlay

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"gitlab-mcp-server/gen/ir"
)

// finish applies the rules that hold for every operation to a repaired one
// and fills the action's parameters, path, content type and kind.
func (b *builder) finish(d *draft) {
	d.dropHeaders()
	d.bodyToQuery()
	d.dropWorkhorseFields()
	d.Op.Params = hashes(d.Op.Params)
	b.wirePath(d)
	d.contentType()
	b.params(d)

	if !d.isFixed(nil, "kind") {
		d.Kind = d.kindByRules()
	}
	if !d.isFixed(nil, "keyset") && d.Kind == ir.KindList {
		d.Keyset = keysetOf(d.Op)
	}
	d.localParams()
	d.Output = output(d.Op, d.Kind)
}

// dropHeaders leaves out headers and cookies: the HTTP client alone sets them.
func (d *draft) dropHeaders() {
	d.Op.Params = slices.DeleteFunc(d.Op.Params, func(p *ir.Param) bool { return p.In != ir.Path && p.In != ir.Query })
}

// bodyToQuery moves the body of a read into the query: GET and HEAD have none,
// whatever upstream declares.
func (d *draft) bodyToQuery() {
	if d.Op.Body == nil || d.Method != "GET" && d.Method != "HEAD" {
		return
	}
	for _, f := range d.Op.Body.Fields {
		f.In = ir.Query
		d.Op.Params = append(d.Op.Params, f)
	}
	d.Op.Body = nil
}

// workhorseField is a property that GitLab's reverse proxy adds to an upload
// and that leaked into the document.
var workhorseField = regexp.MustCompile(`^file\.`)

func (d *draft) dropWorkhorseFields() {
	if d.Op.Body != nil {
		d.Op.Body.Fields = slices.DeleteFunc(d.Op.Body.Fields, func(p *ir.Param) bool { return workhorseField.MatchString(p.Wire) })
	}
}

// hashes joins flattened parameters, not[labels] and the like, to one object
// each, named by what stands before the bracket. Upstream also declares that
// object, without fields.
func hashes(params []*ir.Param) []*ir.Param {
	var out []*ir.Param
	parents := map[string]*ir.Param{}
	for _, p := range params {
		if p.In == ir.Query && typeName(p.Type) == ir.Object {
			parents[p.Wire] = p
		}
	}
	for _, p := range params {
		name, key, ok := strings.Cut(p.Wire, "[")
		if key, closed := strings.CutSuffix(key, "]"); ok && closed && key != "" && p.In == ir.Query {
			parent := parents[name]
			if parent == nil {
				parent = &ir.Param{Pos: p.Pos, Name: name, Wire: name, In: ir.Query, Type: &ir.Type{Kind: ir.Object}}
				parents[name] = parent
				out = append(out, parent)
			}
			if p.Name == p.Wire {
				p.Name = key
			}
			parent.Type.Fields = append(parent.Type.Fields, p)
			continue
		}
		out = append(out, p)
	}
	return out
}

// contentType settles how the body travels: JSON, unless a file must be in it.
// Where a file may be in it, the handler turns to multipart when one is given.
func (d *draft) contentType() {
	body := d.Op.Body
	if body == nil {
		return
	}
	for _, f := range body.Fields {
		if f.In == ir.BodyIn && typeName(f.Type) == ir.FileVal {
			f.In = ir.File
		}
	}
	d.ContentType = body.ContentType
	if d.isFixed(nil, "content_type") {
		d.rawBody()
		return
	}
	needsFile := slices.ContainsFunc(body.Fields, func(p *ir.Param) bool { return p.In == ir.File && p.Required })
	switch body.ContentType {
	case "multipart/form-data":
		if !needsFile {
			d.ContentType = "application/json"
		}
	case "application/x-www-form-urlencoded":
		d.ContentType = "application/json"
	}
	d.rawBody()
}

// rawBody names the one file that is the whole body of an octet-stream upload.
func (d *draft) rawBody() {
	if d.ContentType != "application/octet-stream" {
		return
	}
	for _, f := range d.Op.Body.Fields {
		if f.In == ir.File {
			d.RawBody = f.Name
		}
	}
}

// params types the query and body parameters, gives them their public names
// and lists them: required first, then in source order.
func (b *builder) params(d *draft) {
	all := slices.Clone(d.Op.Params)
	if d.Op.Body != nil {
		all = append(all, d.Op.Body.Fields...)
	}
	byName := map[string]*ir.Param{}
	for _, p := range all {
		if p.In != ir.Path {
			if c := b.naming.params.clash(d.ID, p.Wire); c != "" {
				p.Name = c
			}
			d.tidyParam(p)
		}
		if other := byName[p.Name]; other != nil {
			b.addf(p.Pos, "collision: %s has two parameters %q (%s in %s, %s in %s); name them in %s_naming.yaml under clashes",
				d.ID, p.Name, other.Wire, other.In, p.Wire, p.In, b.src.base)
		}
		byName[p.Name] = p
	}
	slices.SortStableFunc(all, func(x, y *ir.Param) int {
		return cmp.Compare(d.place(x), d.place(y))
	})
	d.Params = all
}

// place is where a parameter stands among the others: those of the path in its
// order, then what else is required, then the rest. Upstream declares the
// parameters of a path in any order.
func (d *draft) place(p *ir.Param) int {
	switch {
	case p.Required && p.In == ir.Path:
		return strings.Index(d.WirePath, "{"+p.Name+"}")
	case p.Required:
		return len(d.WirePath)
	}
	return len(d.WirePath) + 1
}

func (d *draft) tidyParam(p *ir.Param) {
	in := p.In
	if in == ir.File {
		in = ir.BodyIn
	}
	fixed := d.isFixed(p, "type") || d.isFixed(p, "fields") || d.isFixed(p, "items")
	p.Type = tidy(p.Type, in, p.Name, fixed)
	if strings.HasSuffix(p.Name, "_iid") && p.Type.Kind == ir.ID && !fixed {
		p.Type.Kind = ir.Integer
	}
	d.encode(p, in)
}

// encode settles how arrays and objects travel in a query: brackets, unless
// upstream or a repair says comma.
func (d *draft) encode(p *ir.Param, in ir.In) {
	if in != ir.Query {
		if !d.isFixed(p, "encoding") {
			p.Encoding = ir.Plain
		}
		return
	}
	switch p.Type.Kind {
	case ir.Object, ir.Map:
		p.Encoding = ir.Hash
		for _, f := range p.Type.Fields {
			d.encode(f, in)
		}
	case ir.Array:
		if p.Encoding == ir.Plain {
			p.Encoding = ir.Brackets
		}
	default:
		p.Encoding = ir.Plain
	}
}

// localParams adds the arguments that never reach GitLab: those that steer the
// paging of a list, and those that select lines of a text.
func (d *draft) localParams() {
	add := func(name string, kind ir.Kind) {
		if !has(d.Params, name) {
			d.Params = append(d.Params, &ir.Param{Pos: d.Op.Pos, Name: name, Wire: name, In: ir.Local, Type: &ir.Type{Kind: kind}})
		}
	}
	switch d.Kind {
	case ir.KindList:
		if d.Keyset != "" {
			add("cursor", ir.String)
		}
		if d.Keyset != "" || pages(d.Op) {
			add("all_pages", ir.Boolean)
		}
	case ir.KindText:
		add("grep", ir.String)
		add("tail", ir.Integer)
		add("offset", ir.Integer)
		add("start_line", ir.Integer)
		add("end_line", ir.Integer)
	}
}

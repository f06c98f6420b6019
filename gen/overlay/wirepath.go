package overlay

import (
	"regexp"
	"slices"
	"strings"

	"gitlab-mcp-server/gen/ir"
)

// optionalGroup is what Grape writes for a part of a route that may be left
// out. Escaped parentheses belong to the path itself.
var optionalGroup = regexp.MustCompile(`\([^()]*\)`)

var (
	hideEscaped = strings.NewReplacer(`\(`, "\x01", `\)`, "\x02")
	showEscaped = strings.NewReplacer("\x01", "(", "\x02", ")")
)

// plainTemplate drops the optional groups of a template and returns them.
func plainTemplate(path string) (plain string, groups []string) {
	path = hideEscaped.Replace(path)
	groups = optionalGroup.FindAllString(path, -1)
	return showEscaped.Replace(optionalGroup.ReplaceAllString(path, "")), groups
}

// slot is a placeholder of a template: {name}, or an optional {.name} or
// {/name}, which adds the mark and the value, or nothing.
type slot struct {
	mark string // "", "." or "/"
	name string
}

func slotOf(placeholder string) slot {
	name := strings.Trim(placeholder, "{}")
	if name != "" && (name[0] == '.' || name[0] == '/') {
		return slot{name[:1], name[1:]}
	}
	return slot{"", name}
}

// wirePath fills d.WirePath with the template that is sent, its placeholders
// under the public names of the path parameters, which it gives and types.
func (b *builder) wirePath(d *draft) {
	template := d.UpstreamPath
	if d.WirePath != "" {
		template = d.WirePath // repaired
	}
	template, groups := plainTemplate(template)
	for _, g := range groups {
		d.freeOptional(g)
	}
	var slots []slot
	for _, ph := range placeholder.FindAllString(template, -1) {
		slots = append(slots, slotOf(ph))
	}
	params := b.pathParams(d, slots)
	var out strings.Builder
	last := 0
	for i, at := range placeholder.FindAllStringIndex(template, -1) {
		p := params[slots[i].name]
		b.namePathParam(d, p, segmentBefore(template[:at[0]]))
		out.WriteString(template[last:at[0]])
		out.WriteString("{" + slots[i].mark + p.Name + "}")
		last = at[1]
	}
	out.WriteString(template[last:])
	d.WirePath = out.String()
}

// segmentBefore is the static segment that head, the template up to a
// placeholder, ends in; "" where a parameter or only a part of a segment
// stands there.
func segmentBefore(head string) string {
	head, ok := strings.CutSuffix(head, "/")
	if !ok {
		return ""
	}
	seg := head[strings.LastIndexByte(head, '/')+1:]
	if strings.Contains(seg, "}") {
		return ""
	}
	return seg
}

func (b *builder) namePathParam(d *draft, p *ir.Param, before string) {
	if !d.isFixed(p, "name") {
		p.Name = b.naming.publicPathName(p.Wire, before)
	}
	if c := b.naming.params.clash(d.ID, p.Wire); c != "" {
		p.Name = c
	}
	if !d.isFixed(p, "type") {
		up := p.Type
		p.Type = tidy(cloneType(up), ir.Path, p.Name, false)
		p.Type.Kind = b.types.pathKind(p.Name, up)
	}
}

// pathParams maps each placeholder to its declared parameter. One placeholder
// and one parameter that do not find each other by name belong together:
// upstream renamed one of them. A placeholder without any is declared here.
func (b *builder) pathParams(d *draft, slots []slot) map[string]*ir.Param {
	required := map[string]bool{}
	names := make([]string, len(slots))
	for i, s := range slots {
		names[i] = s.name
		required[s.name] = s.mark == ""
	}
	byName := map[string]*ir.Param{}
	var loose []*ir.Param
	for _, p := range d.Op.Params {
		switch {
		case p.In != ir.Path:
		case slices.Contains(names, p.Wire):
			byName[p.Wire] = p
		default:
			loose = append(loose, p)
		}
	}
	var missing []string
	for _, n := range names {
		if byName[n] == nil && !slices.Contains(missing, n) {
			missing = append(missing, n)
		}
	}
	if len(missing) == 1 && len(loose) == 1 {
		byName[missing[0]] = loose[0]
		missing, loose = nil, nil
	}
	for _, n := range missing {
		p := &ir.Param{Pos: d.Op.Pos, Name: n, Wire: n, In: ir.Path, Type: &ir.Type{}}
		d.Op.Params = append(d.Op.Params, p)
		byName[n] = p
	}
	for _, p := range loose {
		b.addf(p.Pos, "%s: path parameter %q stands nowhere in %s", d.ID, p.Wire, d.UpstreamPath)
	}
	for name, p := range byName {
		p.Required = required[name]
	}
	return byName
}

// freeOptional deals with the path parameters of a dropped group. Where the
// group leads the rest of the path, "(ref/{ref}/)", the value travels as an
// ordinary parameter instead; at the end of the path it is left out.
func (d *draft) freeOptional(group string) {
	for _, ph := range placeholder.FindAllString(group, -1) {
		i := slices.IndexFunc(d.Op.Params, func(p *ir.Param) bool { return p.In == ir.Path && p.Wire == strings.Trim(ph, "{}") })
		if i < 0 {
			continue
		}
		p := d.Op.Params[i]
		d.Op.Params = slices.Delete(d.Op.Params, i, i+1)
		if strings.HasPrefix(group, "(/") {
			continue
		}
		if d.Method == "GET" || d.Method == "HEAD" || d.Method == "DELETE" {
			p.In = ir.Query
			d.Op.Params = append(d.Op.Params, p)
			continue
		}
		p.In = ir.BodyIn
		if d.Op.Body == nil {
			d.Op.Body = &ir.Body{ContentType: "application/json"}
		}
		if !slices.ContainsFunc(d.Op.Body.Fields, func(f *ir.Param) bool { return f.Wire == p.Wire }) {
			d.Op.Body.Fields = slices.Insert(d.Op.Body.Fields, 0, p)
		}
	}
}

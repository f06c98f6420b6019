package check

import (
	"regexp"
	"slices"
	"strings"

	"gitlab-mcp-server/gen/ir"
)

const engineFault = "a fault of gen/overlay, or of a repair"

var placeholder = regexp.MustCompile(`\{[./]?([^}]*)\}`)

// path reports wire paths that do not fit the path parameters.
func (c *checker) path(a *ir.Action) {
	if a.Op == nil {
		return
	}
	static := placeholder.ReplaceAllString(a.WirePath, "x")
	if !strings.HasPrefix(a.WirePath, "/api/v4/") || strings.Contains(static, "//") || strings.ContainsAny(static, "()*{} ") {
		c.add(Error, a, "repair the path", "the wire path %q cannot be sent", a.WirePath)
	}
	in := map[string]bool{}
	for _, m := range placeholder.FindAllStringSubmatch(a.WirePath, -1) {
		in[m[1]] = true
		p := topParam(a, m[1])
		optional := m[0][1] == '.' || m[0][1] == '/'
		switch {
		case p == nil || p.In != ir.Path:
			c.add(Error, a, engineFault, "the wire path wants %q, which is no path parameter", m[1])
		case p.Required == optional:
			c.add(Error, a, engineFault, "path parameter %q: required is %v in the list and %v in the path", m[1], p.Required, !optional)
		}
	}
	for _, p := range a.Params {
		if p.In == ir.Path && !in[p.Name] {
			c.add(Error, a, engineFault, "path parameter %q stands nowhere in %s", p.Name, a.WirePath)
		}
	}
}

func topParam(a *ir.Action, name string) *ir.Param {
	i := slices.IndexFunc(a.Params, func(p *ir.Param) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return a.Params[i]
}

var knownKinds = []ir.Kind{ir.String, ir.Integer, ir.Number, ir.Boolean, ir.ID, ir.Array, ir.Object, ir.Map, ir.Any, ir.FileVal}

// params reports parameters that no schema or handler can be made of.
func (c *checker) params(a *ir.Action) {
	seen := map[string]bool{}
	for _, p := range a.Params {
		if seen[p.Name] {
			c.add(Error, a, "name them under clashes in _naming.yaml", "two parameters are called %q", p.Name)
		}
		seen[p.Name] = true
		if p.Type == nil {
			continue // said below
		}
		if p.In == ir.Query && (p.Type.Kind == ir.FileVal || p.Type.Kind == ir.Any) {
			c.add(Error, a, "repair its type", "parameter %q: a query cannot carry %s", p.Name, p.Type.Kind)
		}
		if p.In == ir.Path && slices.Contains([]ir.Kind{ir.Array, ir.Object, ir.Map, ir.Any, ir.FileVal, ir.Boolean}, p.Type.Kind) {
			c.add(Error, a, "repair its type", "parameter %q: a path cannot carry %s", p.Name, p.Type.Kind)
		}
	}
	eachParam(a.Params, "", func(path string, p *ir.Param) {
		if !paramShape.MatchString(p.Name) {
			c.add(Warning, a, "name it in a repair", "parameter %q has a name that some clients refuse", path)
		}
		c.typ(a, path, p.Type)
	})
	if a.ContentType == "multipart/form-data" && !slices.ContainsFunc(a.Params, func(p *ir.Param) bool { return p.In == ir.File }) {
		c.add(Error, a, "repair its content_type", "multipart without a file")
	}
	if a.ContentType == "" && slices.ContainsFunc(a.Params, func(p *ir.Param) bool { return p.In == ir.BodyIn || p.In == ir.File }) {
		c.add(Error, a, engineFault, "body parameters without a body")
	}
	if a.RawBody != "" && topParam(a, a.RawBody) == nil {
		c.add(Error, a, engineFault, "the raw body %q is no parameter", a.RawBody)
	}
}

func (c *checker) typ(a *ir.Action, path string, t *ir.Type) {
	switch {
	case t == nil:
		c.add(Error, a, engineFault, "%s has no type", path)
		return
	case len(t.OneOf) > 0 || !slices.Contains(knownKinds, t.Kind):
		c.add(Error, a, engineFault, "%s has kind %q and %d alternatives", path, t.Kind, len(t.OneOf))
	case t.Kind == ir.Array && t.Items == nil:
		c.add(Error, a, "set items in a repair", "%s is an array of nothing", path)
	case t.Kind == ir.Object && len(t.Fields) == 0:
		c.add(Error, a, "set fields, or make it a map", "%s is an object without fields", path)
	case slices.Contains(t.Enum, ""):
		c.add(Error, a, engineFault, "the values of %s have an empty one", path)
	}
	if t.Default != nil && len(t.Enum) > 0 && !slices.Contains(t.Enum, *t.Default) {
		c.add(Warning, a, "repair its default or its enum", "the default %q of %s is none of its values", *t.Default, path)
	}
	if t.Items != nil {
		c.typ(a, path+"[]", t.Items)
	}
	for _, g := range t.Groups {
		c.group(a, g, t.Fields)
	}
}

func (c *checker) group(a *ir.Action, g ir.ParamGroup, params []*ir.Param) {
	for _, name := range g.Params {
		if !slices.ContainsFunc(params, func(p *ir.Param) bool { return p.Name == name }) {
			c.add(Error, a, "correct the rule", "rule %s over %q, which is no parameter", g.Rule, name)
		}
	}
}

// references reports names of actions and parameters that are not there.
func (c *checker) references(a *ir.Action) {
	for _, r := range a.Related {
		if c.ids[r] == nil || r == a.ID {
			c.add(Error, a, "name another action", "is related to %q", r)
		}
	}
	for _, g := range a.Groups {
		c.group(a, g, a.Params)
	}
	for _, w := range a.DestroyWhen {
		if param(a.Params, strings.ReplaceAll(w.Param, "[]", "")) == nil {
			c.add(Error, a, "correct destroy_when", "destroys by %q, which is no parameter", w.Param)
		}
	}
	for name := range a.Guidance {
		if param(a.Params, name) == nil {
			c.add(Error, a, "correct guidance", "guides %q, which is no parameter", name)
		}
	}
	for name := range a.Example {
		if topParam(a, name) == nil {
			c.add(Error, a, "correct the example", "the example gives %q, which is no parameter", name)
		}
	}
	for _, p := range a.Params {
		if _, given := a.Example[p.Name]; p.Required && !given {
			c.add(Error, a, "complete the example", "the example lacks %q", p.Name)
		}
	}
}

var knownResults = []ir.ResultKind{ir.KindObject, ir.KindList, ir.KindText, ir.KindBinary, ir.KindNone, ir.KindHead}

// answer reports kinds of answers, risks and paging that contradict the method.
func (c *checker) answer(a *ir.Action) {
	if !slices.Contains(knownResults, a.Kind) {
		c.add(Error, a, engineFault, "has the kind of answer %q", a.Kind)
	}
	if (a.Method == "HEAD") != (a.Kind == ir.KindHead) {
		c.add(Error, a, "repair its kind", "%s answers with %s", a.Method, a.Kind)
	}
	if a.Risk == ir.Read && a.Method == "DELETE" || a.Risk != ir.Read && (a.Method == "GET" || a.Method == "HEAD") {
		c.add(Warning, a, "say why in _risk.yaml", "%s with risk %s", a.Method, a.Risk)
	}
	if a.Keyset != "" && !slices.ContainsFunc(a.Params, func(p *ir.Param) bool { return p.Wire == a.Keyset && p.In == ir.Query }) {
		c.add(Error, a, "add the parameter in a repair", "pages by %q, which is no query parameter", a.Keyset)
	}
}

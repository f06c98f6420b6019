package emit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gitlab-mcp-server/gen/ir"
)

// maxDepth bounds the nesting of typed objects; what lies deeper is passed on
// as it is given.
const maxDepth = 6

// model is what the handlers look like, before any text is written.
type model struct {
	domains  []*domain
	handlers map[string]string // by action id: name of the Go function
}

// domain is one file of handlers.
type domain struct {
	name    string
	enums   []enum
	actions []*handler
}

// enum is a list of allowed texts that several fields of a domain share.
type enum struct{ name, text string }

// handler is one action's function.
type handler struct {
	action    *ir.Action
	fn        string
	params    *structure
	variables []*variable // of a GraphQL action
}

// structure is a params struct, or the struct of an object inside one.
type structure struct {
	name   string // of the Go type
	wire   string // of the object, "" for the root
	rules  []ir.ParamGroup
	fields []*field
}

// field is one argument.
type field struct {
	param  *ir.Param
	name   string // of the Go field
	typ    string // in package arg: String, Int, Opt, …
	read   string // method of arg.Reader; "" for Opt and List
	extra  []string
	enum   string // name of the enum constant
	flags  []string
	inner  *structure // of Opt and List
	list   bool       // values are a list: Strings, Ints, Numbers
	wire   string     // key of a body; whole name in a query
	query  bool
	comma  bool // a list that travels as one text
	clears bool
}

func newModel(c *ir.Catalog) (*model, error) {
	m := &model{handlers: map[string]string{}}
	names := reserved()
	var errs []error
	var d *domain
	var b *builder
	for _, a := range c.Actions {
		if d == nil || d.name != a.Domain {
			d = &domain{name: a.Domain}
			b = &builder{names: names, enums: map[string]string{}, d: d}
			m.domains = append(m.domains, d)
		}
		if a.Op == nil && a.Document == nil {
			continue
		}
		h, err := b.handler(a)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		d.actions = append(d.actions, h)
		m.handlers[a.ID] = h.fn
	}
	m.domains = slices.DeleteFunc(m.domains, func(d *domain) bool { return len(d.actions) == 0 })
	return m, errors.Join(errs...)
}

// reserved are the package-level names of the tables, but for those of the
// index, which all start with index: no domain is so named.
func reserved() scope {
	s := scope{}
	for _, name := range []string{
		"tables", "Tables", "rows", "handlers", "params", "rules", "text", "textEnds", "lists", "listEnds",
		"schemas", "schemaEnds", "outputs", "outputEnds", "aliases", "paramAliases", "groups",
	} {
		s[name] = true
	}
	return s
}

// builder makes the handlers of one domain.
type builder struct {
	names scope // of package generated
	enums map[string]string
	d     *domain
}

func (b *builder) handler(a *ir.Action) (*handler, error) {
	h := &handler{action: a}
	// Two ids can meet in one Go name (a_b.c, a.b_c); the later one says where
	// its domain ends.
	h.fn = b.names.take(unexported(a.ID), unexported(a.Domain)+"_"+exported(a.Name))
	if a.Op != nil {
		if a.Op.Body != nil && a.Op.Body.Whole != nil && a.RawBody == "" {
			return nil, fmt.Errorf("%s: the body is no object with properties (%s); repair it", a.ID, a.Op.Body.Whole.Kind)
		}
		if err := pathFits(a); err != nil {
			return nil, fmt.Errorf("%s: %w", a.ID, err)
		}
	}
	var params []*ir.Param
	for _, p := range a.Params {
		if p.In != ir.Local {
			params = append(params, p)
		}
	}
	var err error
	h.params, err = b.structure(h.fn+"Params", params, place{action: a, depth: 1})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.ID, err)
	}
	h.params.rules = a.Groups
	if a.Document != nil {
		if h.variables, err = variables(a.Document, h.params.fields); err != nil {
			return nil, fmt.Errorf("%s: %w", a.ID, err)
		}
	}
	return h, nil
}

// place is where in the arguments of an action an object stands.
type place struct {
	action *ir.Action
	depth  int    // 1 at the root
	prefix string // the whole name of the object in a query, "" at the root and in bodies
	listed bool   // inside an array
}

// structure is the struct of params.
func (b *builder) structure(name string, params []*ir.Param, at place) (*structure, error) {
	s := &structure{name: b.names.take(name)}
	names := scope{"read": true, "body": true, "query": true}
	for _, p := range params {
		f := &field{param: p, name: names.take(exported(p.Name)), wire: p.Wire, clears: p.Clearable}
		f.query = at.prefix != "" || at.depth == 1 && p.In == ir.Query
		if at.prefix != "" {
			if !strings.ContainsRune(p.Wire, '[') {
				f.wire = at.prefix + "[" + p.Wire + "]"
			}
		}
		f.flags = flags(at.action, f)
		if err := b.typ(f, at, strings.TrimSuffix(s.name, "Params")); err != nil {
			return nil, fmt.Errorf("parameter %s: %w", p.Name, err)
		}
		s.fields = append(s.fields, f)
	}
	return s, nil
}

func flags(a *ir.Action, f *field) []string {
	var fs []string
	if f.param.Required {
		fs = append(fs, "Required")
	}
	// A text that a read must have may be empty: nothing, rendered, is nothing.
	if a.Risk == ir.Read && (f.query || f.param.In == ir.Variable || f.param.In == ir.BodyIn && !f.param.Required) {
		fs = append(fs, "Filter")
	}
	if f.param.Clearable {
		fs = append(fs, "Clearable")
	}
	if f.param.In == ir.Path {
		fs = append(fs, "Path")
	}
	if f.param.Scalar {
		fs = append(fs, "Scalar")
	}
	return fs
}

// typ fills in how f is held and read.
func (b *builder) typ(f *field, at place, owner string) error {
	t := f.param.Type
	if t == nil {
		t = &ir.Type{Kind: ir.Any}
	}
	if ins[f.param.In] == "" {
		return fmt.Errorf("no action takes a %s", f.param.In)
	}
	switch t.Kind {
	case ir.String, ir.ID, ir.Integer, ir.Number, ir.Boolean:
		b.scalar(f, t)
	case ir.Array:
		if f.param.In == ir.Path {
			return errors.New("a path takes no arrays")
		}
		return b.array(f, t, at, owner)
	case ir.Object:
		if len(t.Fields) == 0 || at.depth >= maxDepth {
			f.typ, f.read = "Raw", "Map"
			return nil
		}
		f.typ = "Opt"
		return b.inner(f, t, at, owner)
	case ir.Map:
		f.typ, f.read = "Raw", "Map"
	case ir.Any, "":
		f.typ, f.read = "Raw", "Any"
	case ir.FileVal:
		if f.query || f.param.In == ir.Path {
			return fmt.Errorf("a file travels in a body only, not in the %s", f.param.In)
		}
		if at.listed {
			return errors.New("a file in an array of objects is not supported")
		}
		f.typ, f.read = "File", "File"
	default:
		return fmt.Errorf("unknown kind %q", t.Kind)
	}
	if f.param.In == ir.Path && f.typ != "String" && f.typ != "Int" {
		return fmt.Errorf("a path takes strings and integers only, not %s", t.Kind)
	}
	return nil
}

func (b *builder) scalar(f *field, t *ir.Type) {
	enum := enumText(t)
	switch t.Kind {
	case ir.ID:
		f.typ, f.read = "String", "ID"
		if t.GID != "" {
			f.read, f.extra = "GID", []string{t.GID}
		}
	case ir.Integer:
		f.typ, f.read = "Int", "Int"
		f.bounded(t)
	case ir.Number:
		f.typ, f.read = "Number", "Number"
		f.bounded(t)
	case ir.Boolean:
		f.typ, f.read = "Bool", "Bool"
		return
	default:
		f.typ, f.read = "String", "String"
	}
	switch {
	case enum == "":
	case t.Kind == ir.String:
		f.read, f.enum = "Enum", b.enum(f, enum)
	case t.Kind == ir.Integer:
		f.read, f.enum, f.extra = "IntEnum", b.enum(f, enum), nil
	}
}

// bounded turns a limit on either side into the reader that enforces it.
func (f *field) bounded(t *ir.Type) {
	if t.Min == nil && t.Max == nil {
		return
	}
	f.read += "Range"
	f.extra = []string{text(t.Min), text(t.Max)}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func (b *builder) array(f *field, t *ir.Type, at place, owner string) error {
	item := t.Items
	if item == nil {
		item = &ir.Type{Kind: ir.String}
	}
	f.comma = f.param.Encoding == ir.Comma
	enum := enumText(item)
	switch item.Kind {
	case ir.String:
		f.typ, f.read, f.list = "Strings", "Strings", true
		if enum != "" {
			f.read, f.enum = "EnumStrings", b.enum(f, enum)
		}
	case ir.ID:
		f.typ, f.read, f.list = "Strings", "IDs", true
		if item.GID != "" {
			f.read, f.extra = "GIDs", []string{item.GID}
		}
	case ir.Integer:
		f.typ, f.read, f.list = "Ints", "Ints", true
		if enum != "" {
			f.read, f.enum = "IntEnums", b.enum(f, enum)
		}
	case ir.Number:
		f.typ, f.read, f.list = "Numbers", "Numbers", true
	case ir.Object:
		if len(item.Fields) == 0 || at.depth >= maxDepth {
			f.typ, f.read = "Raw", "Any"
			return nil
		}
		f.typ = "List"
		at.listed = true
		return b.inner(f, item, at, owner)
	case ir.FileVal:
		return errors.New("an array of files is not supported")
	default:
		f.typ, f.read = "Raw", "Any"
	}
	return nil
}

// inner makes the struct of the object f, or of the elements of f.
func (b *builder) inner(f *field, t *ir.Type, at place, owner string) error {
	wire := f.wire
	if f.typ == "List" {
		wire += "[]"
	}
	at.depth++
	if f.query {
		at.prefix = wire
	}
	var err error
	f.inner, err = b.structure(owner+f.name, t.Fields, at)
	if err != nil {
		return err
	}
	f.inner.rules, f.inner.wire = t.Groups, wire
	return nil
}

// enumText is the allowed texts of t, without the empty one: to leave a value
// out is to leave out its parameter.
func enumText(t *ir.Type) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(t.Enum), func(s string) bool { return s == "" }), "\n")
}

// enum names the constant of a list of allowed texts, one per domain and list.
func (b *builder) enum(f *field, text string) string {
	if name, ok := b.enums[text]; ok {
		return name
	}
	name := b.names.take(unexported(b.d.name) + exported(f.param.Name) + "Enum")
	b.enums[text] = name
	b.d.enums = append(b.d.enums, enum{name, text})
	return name
}

package emit

import (
	"strings"

	"github.com/dave/jennifer/jen"
)

// render writes the struct, the method that reads it and, for an object inside
// the arguments, the method that writes it; then the structs inside it.
func (s *structure) render(f *jen.File, doc string) {
	f.Comment(doc)
	f.Type().Id(s.name).StructFunc(func(g *jen.Group) {
		for _, fd := range s.fields {
			switch {
			case fd.inner == nil:
				g.Id(fd.name).Qual(argPath, fd.typ)
			default:
				g.Id(fd.name).Qual(argPath, fd.typ).Types(jen.Id(fd.inner.name))
			}
		}
	})
	f.Func().Params(jen.Id("p").Op("*").Id(s.name)).Id("read").
		Params(jen.Id("r").Op("*").Qual(argPath, "Reader")).
		BlockFunc(func(g *jen.Group) {
			for _, fd := range s.fields {
				fd.readFrom(g)
			}
			for _, rule := range s.rules {
				args := []jen.Code{jen.Lit(rule.Rule)}
				for _, p := range rule.Params {
					args = append(args, jen.Lit(p))
				}
				g.Id("r").Dot("Rule").Call(args...)
			}
		})
	if s.wire != "" {
		s.renderWriter(f)
	}
	for _, fd := range s.fields {
		if fd.inner != nil {
			fd.inner.render(f, fd.inner.name+" is "+article(fd)+fd.param.Name+".")
		}
	}
}

func article(f *field) string {
	if f.typ == "List" {
		return "an element of "
	}
	return "the object "
}

func (s *structure) renderWriter(f *jen.File) {
	query := len(s.fields) > 0 && s.fields[0].query
	name, param, typ := "body", "b", "Body"
	if query {
		name, param, typ = "query", "q", "Query"
	}
	f.Line()
	f.Func().Params(jen.Id("p").Op("*").Id(s.name)).Id(name).
		Params(jen.Id(param).Qual(argPath, typ)).
		BlockFunc(func(g *jen.Group) {
			for _, fd := range s.fields {
				if query {
					fd.writeQuery(g)
				} else {
					fd.writeBody(g)
				}
			}
		})
}

// readFrom writes the statement that reads the field out of r.
func (f *field) readFrom(g *jen.Group) {
	name := jen.Lit(f.param.Name)
	switch f.typ {
	case "Opt":
		g.If(jen.Id("o").Op(":=").Id("r").Dot("Object").Call(name, f.flagExpr()), jen.Id("o").Op("!=").Nil()).
			Block(f.self().Dot("V").Dot("read").Call(jen.Id("o")))
		g.Add(f.self()).Dot("State").Op("=").Id("r").Dot("State").Call(name)
	case "List":
		g.For(jen.Id("o").Op(":=").Range().Id("r").Dot("Objects").Call(name, f.flagExpr())).Block(
			jen.Var().Id("v").Id(f.inner.name),
			jen.Id("v").Dot("read").Call(jen.Id("o")),
			f.self().Dot("V").Op("=").Append(f.self().Dot("V"), jen.Id("v")),
		)
		g.Add(f.self()).Dot("State").Op("=").Id("r").Dot("State").Call(name)
	default:
		args := []jen.Code{name, f.flagExpr()}
		for _, e := range f.extra {
			args = append(args, jen.Lit(e))
		}
		if f.enum != "" {
			args = append(args, jen.Id(f.enum))
		}
		g.Add(f.self()).Op("=").Id("r").Dot(f.read).Call(args...)
	}
}

func (f *field) self() *jen.Statement { return jen.Id("p").Dot(f.name) }

func (f *field) flagExpr() *jen.Statement {
	if len(f.flags) == 0 {
		return jen.Lit(0)
	}
	var s *jen.Statement
	for i, flag := range f.flags {
		if i == 0 {
			s = jen.Qual(argPath, flag)
		} else {
			s = s.Op("|").Qual(argPath, flag)
		}
	}
	return s
}

// writeQuery writes the statement that adds the field to the query.
func (f *field) writeQuery(g *jen.Group) {
	q, wire := jen.Id("q"), jen.Lit(f.wire)
	switch {
	case f.typ == "Opt":
		g.If(f.is("Set")).Block(f.self().Dot("V").Dot("query").Call(q))
	case f.typ == "List":
		g.For(jen.Id("i").Op(":=").Range().Add(f.self()).Dot("V")).
			Block(f.self().Dot("V").Index(jen.Id("i")).Dot("query").Call(q))
	case f.list && f.comma:
		g.Add(f.self()).Dot("QueryComma").Call(q, wire)
	case f.list:
		g.Add(f.self()).Dot("QueryBrackets").Call(q, jen.Lit(strings.TrimSuffix(f.wire, "[]")))
	default:
		g.Add(f.self()).Dot("Query").Call(q, wire)
	}
}

// writeBody writes the statement that adds the field to the body.
func (f *field) writeBody(g *jen.Group) {
	b, wire := jen.Id("b"), jen.Lit(f.wire)
	switch {
	case f.typ == "Opt":
		f.whenSet(g,
			jen.Id("b").Dot("Open").Call(wire),
			f.self().Dot("V").Dot("body").Call(b),
			jen.Id("b").Dot("Close").Call(),
		)
	case f.typ == "List":
		f.whenSet(g,
			jen.Id("b").Dot("OpenArray").Call(wire),
			jen.For(jen.Id("i").Op(":=").Range().Add(f.self()).Dot("V")).Block(
				jen.Id("b").Dot("OpenItem").Call(),
				f.self().Dot("V").Index(jen.Id("i")).Dot("body").Call(b),
				jen.Id("b").Dot("CloseItem").Call(),
			),
			jen.Id("b").Dot("CloseArray").Call(),
		)
	case f.list && f.comma:
		g.Add(f.self()).Dot("BodyComma").Call(b, wire)
	default:
		g.Add(f.self()).Dot("Body").Call(b, wire)
	}
}

// whenSet guards the statements that write an object or an array of them.
func (f *field) whenSet(g *jen.Group, write ...jen.Code) {
	g.If(f.is("Set")).Block(write...)
	if f.clears {
		g.If(f.is("Null")).Block(jen.Id("b").Dot("Null").Call(jen.Lit(f.wire)))
	}
}

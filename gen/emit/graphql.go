package emit

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"gitlab-mcp-server/gen/ir"
)

// variable is a variable of a GraphQL document, or a field of an input object
// inside one: arguments, a value of its own, or fields.
type variable struct {
	key    string
	args   []*field // several where one of them is given: a project or a group
	fixed  string   // JSON
	fields []*variable
}

// variables is the tree of what a document takes, from the dotted paths of its
// arguments and of its own values.
func variables(d *ir.Document, fields []*field) ([]*variable, error) {
	root := &variable{}
	for _, f := range fields {
		v := root.at(f.param.Wire)
		v.args = append(v.args, f)
	}
	for _, x := range d.Fixed {
		root.at(x.Path).fixed = x.JSON
	}
	return root.fields, root.check("")
}

// at is the node of a dotted path.
func (v *variable) at(path string) *variable {
	for key := range strings.SplitSeq(path, ".") {
		var next *variable
		for _, f := range v.fields {
			if f.key == key {
				next = f
			}
		}
		if next == nil {
			next = &variable{key: key}
			v.fields = append(v.fields, next)
		}
		v = next
	}
	return v
}

// check refuses a variable that is two things at once.
func (v *variable) check(path string) error {
	kinds := 0
	for _, is := range []bool{len(v.args) > 0, v.fixed != "", len(v.fields) > 0} {
		if is {
			kinds++
		}
	}
	if kinds > 1 {
		return fmt.Errorf("variable %s has a value, and fields or another value", path)
	}
	for _, f := range v.fields {
		if err := f.check(strings.TrimPrefix(path+"."+f.key, ".")); err != nil {
			return err
		}
	}
	return nil
}

// given are the arguments at and below v.
func (v *variable) given() []*field {
	all := v.args
	for _, f := range v.fields {
		all = append(all[:len(all):len(all)], f.given()...)
	}
	return all
}

// operationType is how GraphQL calls what the document does.
func operationType(d *ir.Document) string {
	if d.Mutation {
		return "mutation"
	}
	return "query"
}

// document writes the statements that build the request of a GraphQL action.
func (h *handler) document(g *jen.Group) {
	q, b := jen.Id("q"), jen.Id("b")
	g.Add(q.Clone()).Dot("Start").Call(jen.Lit("POST"))
	g.Add(q.Clone()).Dot("Literal").Call(jen.Lit("/api/graphql"))
	g.Add(b.Clone()).Op(":=").Add(q.Clone()).Dot("Body").Call(jen.False())
	g.Add(b.Clone()).Dot("String").Call(jen.Lit("query"), jen.Lit(h.action.Document.Text))
	if len(h.variables) == 0 {
		return
	}
	g.Add(b.Clone()).Dot("Open").Call(jen.Lit("variables"))
	for _, v := range h.variables {
		v.write(g)
	}
	g.Add(b.Clone()).Dot("Close").Call()
}

// write writes the variable. An object of optional fields is there only if one
// of them is: GitLab takes an empty widget for a wrong one.
func (v *variable) write(g *jen.Group) {
	b, key := jen.Id("b"), jen.Lit(v.key)
	switch {
	case v.fixed != "":
		g.Add(b).Dot("Raw").Call(key, jen.Index().Byte().Call(jen.Lit(v.fixed)))
	case len(v.fields) == 0:
		for _, f := range v.args {
			as := *f
			as.wire = v.key
			as.writeBody(g)
		}
	default:
		block := func(g *jen.Group) {
			g.Add(b.Clone()).Dot("Open").Call(key)
			for _, f := range v.fields {
				f.write(g)
			}
			g.Add(b.Clone()).Dot("Close").Call()
		}
		var when *jen.Statement
		for _, f := range v.given() {
			if f.param.Required {
				block(g)
				return
			}
			is := f.self().Dot("State").Op("!=").Qual(argPath, "Absent")
			if when == nil {
				when = is
			} else {
				when = when.Op("||").Add(is)
			}
		}
		if when == nil { // values of its own only
			block(g)
			return
		}
		g.If(when).BlockFunc(block)
	}
}

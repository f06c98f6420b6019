package sim

import (
	"net/http"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"gitlab-mcp-server/internal/scan"
)

// graphqlPath is where GitLab takes GraphQL.
const graphqlPath = "/api/graphql"

// graphql checks a document and its variables and makes up an answer of the
// shape that the document selects. It has no schema: which fields and arguments
// exist is GitLab's to say, and nothing that a mutation does is kept.
func (s *Sim) graphql(req *http.Request, body []byte) (reply, error) {
	if req.Method != http.MethodPost {
		return reply{}, &refusal{status: http.StatusMethodNotAllowed, key: "error", text: "405 Not Allowed", header: http.Header{"Allow": {"POST"}}}
	}
	grant, err := s.authenticate(req)
	if err != nil {
		return reply{}, err
	}
	if err := scan.Valid(body); err != nil {
		return reply{}, badRequest("the body is no JSON: %v", err)
	}
	in, isObject := decode(string(body)).(*object)
	if !isObject || in.str("query") == "" {
		return reply{}, badRequest("query is missing: the body holds query and variables")
	}
	doc, err := parser.ParseQuery(&ast.Source{Input: in.str("query")})
	if err != nil {
		return graphqlErrors("Parse error: " + err.Error())
	}
	op := doc.Operations.ForName(in.str("operationName"))
	if op == nil {
		return graphqlErrors("An operation name is required")
	}
	if op.Operation != ast.Query {
		if err := grant.permit(http.MethodPost); err != nil {
			return graphqlErrors("The resource that you are attempting to access does not exist or you don't have permission to perform this action")
		}
	}
	if wrong := variables(op, in.sub("variables")); len(wrong) > 0 {
		return graphqlErrors(wrong...)
	}
	made := selection{s: s, doc: doc}
	return ok(obj("data", made.object(op.SelectionSet, "", 0)))
}

// graphqlErrors is how GraphQL refuses: with a 200 and errors.
func graphqlErrors(messages ...string) (reply, error) {
	errs := make([]any, len(messages))
	for i, m := range messages {
		errs[i] = obj("message", m)
	}
	return ok(obj("errors", errs))
}

// variables holds what is given against what the operation declares.
func variables(op *ast.OperationDefinition, given *object) []string {
	var wrong []string
	for _, v := range op.VariableDefinitions {
		if v.Type.NonNull && v.DefaultValue == nil && given.get(v.Variable) == nil {
			wrong = append(wrong, "Variable $"+v.Variable+" of type "+v.Type.String()+" was provided invalid value")
		}
	}
	if given == nil {
		return wrong
	}
	for _, m := range given.members {
		if op.VariableDefinitions.ForName(m.name) == nil {
			wrong = append(wrong, "Variable $"+m.name+" is not declared by "+op.Name)
		}
	}
	return wrong
}

// selection makes up what a document selects.
type selection struct {
	s   *Sim
	doc *ast.QueryDocument
}

// deepest bounds fragments that spread themselves.
const deepest = 20

// object is the object that set selects of something called name.
func (g selection) object(set ast.SelectionSet, name string, depth int) *object {
	o := obj()
	g.fill(o, set, name, depth)
	return o
}

func (g selection) fill(o *object, set ast.SelectionSet, name string, depth int) {
	if depth > deepest {
		return
	}
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.Field:
			o.set(sel.Alias, g.value(sel, name, depth))
		case *ast.InlineFragment:
			g.fill(o, sel.SelectionSet, name, depth+1)
		case *ast.FragmentSpread:
			if f := g.doc.Fragments.ForName(sel.Name); f != nil {
				g.fill(o, f.SelectionSet, name, depth+1)
			}
		}
	}
}

// value is what a field holds: a node where the field selects more, else a
// scalar that fits its name.
func (g selection) value(f *ast.Field, parent string, depth int) any {
	switch {
	case f.Name == "nodes" || f.Name == "edges":
		return []any{g.object(f.SelectionSet, parent, depth+1)}
	case f.Name == "errors":
		return []any{}
	case len(f.SelectionSet) == 0:
		return g.scalar(f.Name, parent)
	case isList(f):
		return []any{g.object(f.SelectionSet, f.Name, depth+1)}
	}
	return g.object(f.SelectionSet, f.Name, depth+1)
}

// isList tells lists from connections, which say nodes, and from single nodes.
func isList(f *ast.Field) bool {
	for _, sel := range f.SelectionSet {
		if inner, ok := sel.(*ast.Field); ok && (inner.Name == "nodes" || inner.Name == "edges" || inner.Name == "pageInfo" || inner.Name == "count") {
			return false
		}
	}
	return strings.HasSuffix(f.Name, "s") && !strings.HasSuffix(f.Name, "ss") && !strings.HasSuffix(f.Name, "status") && !strings.HasSuffix(f.Name, "permissions")
}

func (g selection) scalar(name, parent string) any {
	lower := strings.ToLower(name)
	class := strings.TrimSuffix(parent, "s")
	if class != "" {
		class = strings.ToUpper(class[:1]) + class[1:]
	}
	switch {
	case name == "__typename":
		return class
	case name == "id":
		return "gid://gitlab/" + class + "/1"
	case name == "iid":
		return "1"
	case name == "endCursor" || name == "startCursor":
		return nil
	case strings.HasPrefix(lower, "has") || strings.HasPrefix(lower, "is") || strings.HasPrefix(lower, "can"):
		return false
	case strings.HasSuffix(lower, "count") || name == "total" || strings.HasSuffix(lower, "level"):
		return number("1")
	case strings.HasSuffix(name, "At"):
		return stamp(g.s.now())
	case strings.HasSuffix(lower, "url"):
		return g.s.opts.BaseURL + "/" + parent + "/1"
	}
	return "a " + name
}

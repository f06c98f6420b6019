package own

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"

	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/call"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/exec"
)

// graphQLQuery is graphql.query: any document of the caller's. What it does is read off
// the parsed document, not off its text.
type graphQLQuery struct{}

// maxTokens bounds the documents that are parsed.
const maxTokens = 20_000

func (graphQLQuery) Plan(env *exec.Env, r *arg.Reader) (exec.Plan, error) {
	document := r.String("query", arg.Required)
	variables := r.Map("variables", 0)
	name := r.String("operation_name", 0)
	if err := r.Err(); err != nil {
		return exec.Plan{}, err
	}
	op, err := operation(document.V, name.V)
	if err != nil {
		return exec.Plan{}, err
	}
	seen := survey(op, string(variables.V))
	q := graphQL(document.V, name.V, variables.V)
	p := exec.Plan{Requests: []*call.Request{q}, Target: "the " + string(op.Operation) + " " + strings.Join(seen.top, ", ")}
	if op.Operation == ast.Mutation {
		p.Risk = catalog.Destroy
		if len(variables.V) > 0 {
			p.Target += " with " + string(variables.V)
		}
		if env.GuardsQuickActions() && seen.quickAction {
			return exec.Plan{}, invalid("query", "texts without quick actions, which the operator has forbidden here")
		}
	}
	return p, nil
}

func (graphQLQuery) Run(ctx context.Context, env *exec.Env, p exec.Plan) (exec.Answer, error) {
	send := env.Get
	if p.Risk != catalog.Read {
		send = env.Send
	}
	resp, err := send(ctx, p.Requests[0])
	if err != nil {
		return exec.Answer{}, err
	}
	return exec.Answer{GraphQL: resp}, nil
}

// running is the operation of a document that would run, with the fragments that
// it may use.
type running struct {
	*ast.OperationDefinition
	fragments ast.FragmentDefinitionList
}

// operation is the operation of a document that would run: the only one, or the
// one of that name.
func operation(text, name string) (running, error) {
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: text}, maxTokens)
	if err != nil {
		message := err.Error()
		var syntax *gqlerror.Error
		if errors.As(err, &syntax) {
			message = syntax.Message
			if len(syntax.Locations) > 0 {
				message = "line " + strconv.Itoa(syntax.Locations[0].Line) + ": " + message
			}
		}
		return running{}, invalid("query", "a GraphQL document ("+message+")")
	}
	var found *ast.OperationDefinition
	for _, op := range doc.Operations {
		if op.Operation == ast.Subscription {
			return running{}, invalid("query", "queries and mutations; a subscription never ends")
		}
		if name == "" || op.Name == name {
			if found != nil {
				return running{}, invalid("operation_name", "the name of one of the operations in query")
			}
			found = op
		}
	}
	switch {
	case found != nil:
		return running{found, doc.Fragments}, nil
	case name != "":
		return running{}, invalid("operation_name", "the name of an operation in query")
	}
	return running{}, invalid("query", "a document with an operation")
}

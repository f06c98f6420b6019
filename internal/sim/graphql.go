package sim

import (
	"net/http"

	"gitlab-mcp-server/internal/scan"
)

// graphqlPath is where GitLab takes GraphQL.
const graphqlPath = "/api/graphql"

// graphql checks a request's form and answers that there is no GraphQL here, in
// the way in which GraphQL answers: with a 200 and errors.
func (s *Sim) graphql(req *http.Request, body []byte) (reply, error) {
	if req.Method != http.MethodPost {
		return reply{}, &refusal{status: http.StatusMethodNotAllowed, key: "error", text: "405 Not Allowed", header: http.Header{"Allow": {"POST"}}}
	}
	if _, err := s.authenticate(req); err != nil {
		return reply{}, err
	}
	if err := scan.Valid(body); err != nil {
		return reply{}, badRequest("the body is no JSON: %v", err)
	}
	if o, isObject := decode(string(body)).(*object); !isObject || o.str("query") == "" {
		return reply{}, badRequest("query is missing: the body holds query and variables")
	}
	return ok(obj("data", nil, "errors", []any{obj("message", "the simulated GitLab has no GraphQL, only the REST API")}))
}

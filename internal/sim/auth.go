package sim

import (
	"net/http"
	"slices"
	"strings"
)

// Token is the token that a simulated GitLab accepts if it is given no other.
const Token = "simulated-token"

// Grant is what a token gives.
type Grant struct {
	Token string
	// Scopes of the token; nil means api.
	Scopes []string
	// Username is whose token it is; the company's first user if empty.
	Username string
}

func (g Grant) scopes() []string {
	if g.Scopes == nil {
		return []string{"api"}
	}
	return g.Scopes
}

// authenticate finds the token of a request in any of GitLab's headers.
func (s *Sim) authenticate(req *http.Request) (Grant, error) {
	token := req.Header.Get("PRIVATE-TOKEN")
	if bearer, ok := strings.CutPrefix(req.Header.Get("Authorization"), "Bearer "); ok {
		token = bearer
	} else if token == "" {
		token = req.Header.Get("JOB-TOKEN")
	}
	if i := slices.IndexFunc(s.opts.Tokens, func(g Grant) bool { return g.Token == token }); i >= 0 && token != "" {
		return s.opts.Tokens[i], nil
	}
	return Grant{}, &refusal{status: http.StatusUnauthorized, text: "401 Unauthorized"}
}

// permit holds a method against the token's scopes: read_api reads, api does all.
func (g Grant) permit(method string) error {
	have := g.scopes()
	reads := method == http.MethodGet || method == http.MethodHead
	if slices.Contains(have, "api") || reads && slices.Contains(have, "read_api") {
		return nil
	}
	return &refusal{
		status: http.StatusForbidden, key: "error", text: "insufficient_scope",
		more: obj(
			"error_description", "The request requires higher privileges than provided by the access token.",
			"scope", map[bool]string{true: "api read_api", false: "api"}[reads],
		),
	}
}

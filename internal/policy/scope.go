package policy

import (
	"slices"
	"strings"

	"gitlab-mcp-server/internal/catalog"
)

// NoScope as the scope of an action means that any token will do, or none.
const NoScope = "none"

// ScopeOf is the least token scope that an action needs: its own, or read_api
// for GET and HEAD and api for all else. GitLab gives read_api no POST, not even
// one that only reads. Actions that are no REST operation go by their risk.
func ScopeOf(a catalog.Action) string {
	if s := a.Scope(); s != "" {
		return s
	}
	read := false
	switch a.Method() {
	case "GET", "HEAD":
		read = true
	case "GRAPHQL", "LOCAL":
		read = a.ReadOnly()
	}
	if read {
		return "read_api"
	}
	return "api"
}

// scopes are the granted scopes of one token and what they allow.
type scopes struct {
	granted []string
	allowed bits
}

func (s *scopes) String() string {
	if len(s.granted) == 0 {
		return "none"
	}
	return strings.Join(s.granted, ", ")
}

func (b *base) scopesOf(granted []string) *scopes {
	s := &scopes{granted: slices.Clone(granted), allowed: newBits(b.cat.Len())}
	for a := range b.cat.All() {
		if s.covers(ScopeOf(a)) {
			s.allowed.set(a.Index())
		}
	}
	return s
}

// covers reports whether the token may do what needs one of the scopes in need,
// which are separated by commas or spaces.
func (s *scopes) covers(need string) bool {
	for _, n := range strings.FieldsFunc(need, func(r rune) bool { return r == ',' || r == ' ' || r == '|' }) {
		if n == NoScope || slices.Contains(s.granted, n) || slices.Contains(s.granted, "api") {
			return true
		}
		for _, wider := range widerThan(n) {
			if slices.Contains(s.granted, wider) {
				return true
			}
		}
	}
	return false
}

// widerThan are the scopes beside api that include what a scope allows.
func widerThan(scope string) []string {
	switch scope {
	case "read_user":
		return []string{"read_api"}
	case "read_repository":
		return []string{"read_api", "write_repository"}
	case "read_registry":
		return []string{"read_api", "write_registry"}
	case "read_virtual_registry":
		return []string{"read_api", "write_virtual_registry"}
	case "read_service_ping", "read_observability":
		return []string{"read_api"}
	}
	return nil
}

package index

import (
	"slices"
	"strings"

	"gitlab-mcp-server/gen/ir"
	"gitlab-mcp-server/internal/token"
)

// classOf is the verb class of an action by its name.
func classOf(a *ir.Action) int {
	verb, _, _ := strings.Cut(a.Name, "_")
	switch verb {
	case "list":
		return token.ClassList
	case "get", "exists":
		return token.ClassGet
	case "create", "add":
		return token.ClassCreate
	case "update", "set":
		return token.ClassUpdate
	case "delete", "revoke", "deny", "remove":
		return token.ClassDelete
	}
	if a.Method == "GET" {
		return token.ClassGet
	}
	return token.ClassAct
}

// scopeOf is the scope of an action by its path.
func (b *builder) scopeOf(a *ir.Action) int {
	path := strings.TrimPrefix(a.UpstreamPath, "/api/v4")
	best, scope := -1, token.ScopeInstance
	for name, prefixes := range sorted(b.voc.Scope) {
		for _, p := range prefixes {
			exact := strings.HasSuffix(p, "$")
			p = strings.TrimSuffix(p, "$")
			if len(p) > best && (path == p || !exact && strings.HasPrefix(path, p)) {
				best, scope = len(p), slices.Index(token.ScopeNames[:], name)
			}
		}
	}
	if path == "" { // GraphQL and actions of our own
		for _, p := range a.Params {
			switch {
			case p.Name == "group_id" && strings.HasSuffix(a.Name, "_group"):
				return token.ScopeGroup
			case p.Name == "project_id":
				scope = token.ScopeProject
			case p.Name == "group_id" && scope != token.ScopeProject:
				scope = token.ScopeGroup
			}
		}
	}
	return scope
}

// nameWords is the words of an action's name, without a verb that its class
// already says.
func nameWords(name string) string {
	verb, rest, _ := strings.Cut(name, "_")
	switch verb {
	case "list", "get", "create", "update", "delete", "set":
		return words(rest)
	}
	return words(name)
}

// head is the thing that the action is about: the last word of what its name
// says beside the verb, or of its domain.
func (b *builder) head(a *ir.Action) uint16 {
	for _, text := range []string{nameWords(a.Name), words(a.Domain)} {
		if r := b.read(text); len(r.terms) > 0 {
			return uint16(r.terms[len(r.terms)-1])
		}
	}
	return 0
}

package exec

import (
	"context"
	"errors"
	"net/url"

	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/call"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/scan"
)

// What GraphQL actions are in the catalog, and where they are sent.
const (
	methodGraphQL = "GRAPHQL"
	graphQLPath   = "/api/graphql"
)

// fullPaths makes paths of the numbers of a project or group: GraphQL knows both
// by their full path only.
func (x *execution) fullPaths(ctx context.Context, env *Env) error {
	for _, name := range [...]string{"project_id", "group_id"} {
		p, ok := x.action.ParamNamed(name)
		raw, given := x.r.Raw(name)
		if !ok || !given || p.In() != catalog.InVariable {
			continue
		}
		path, err := env.FullPath(ctx, name, text(raw))
		if err != nil {
			return err
		}
		if path != text(raw) {
			x.r.Put(name, scan.AppendQuoted(nil, path))
		}
	}
	return nil
}

// FullPath is the path of the project or group, as name says (project_id,
// group_id), that the caller gave as number or path. A number costs a request.
// In a dry run it becomes a placeholder.
func (v *Env) FullPath(ctx context.Context, name, id string) (string, error) {
	if !isDigits(id) {
		if path, err := url.PathUnescape(id); err == nil {
			return path, nil
		}
		return id, nil
	}
	action, kind, member := "project.get", "project", "path_with_namespace"
	if name == "group_id" {
		action, kind, member = "group.get", "group", "full_path"
	}
	if a, ok := v.Catalog().ByID(action); ok && !v.Allowed(a) {
		return "", &arg.Error{Problems: []arg.Problem{{Path: name, Code: arg.Invalid, Got: "a number", Expected: "the full path: " + action + ", which would find it, is withheld here"}}}
	}
	q := new(call.Request)
	q.Start("GET")
	q.Literal("/api/v4/" + kind + "s/")
	q.Segment(name, id)
	resp, err := v.Get(ctx, q)
	if errors.Is(err, ErrDryRun) {
		return "{full path of " + kind + " " + id + "}", nil
	}
	if err != nil {
		return "", err
	}
	path, ok := scan.Get(resp.Body, member)
	if !ok || scan.KindOf(path) != scan.String {
		return "", &Failure{Code: CodeInvalidParams, Message: "GitLab's answer does not say the path of " + kind + " " + id, Hint: "give " + name + " as the full path"}
	}
	return text(path), nil
}

package own

import (
	"context"
	"errors"
	"strings"

	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/exec"
	"gitlab-mcp-server/internal/scan"
)

// workItemIID finds the global id of a work item that was given by its number
// within a project or group, which GitLab's mutations do not take.
func workItemIID(ctx context.Context, env *exec.Env, r *arg.Reader) error {
	iid := r.Int("work_item_iid", 0)
	path, err := namespace(ctx, env, r, iid.State == arg.Set && !r.Has("work_item_id"))
	if err != nil {
		return err
	}
	for _, name := range [...]string{"work_item_iid", "project_id", "group_id"} {
		if name != "work_item_iid" || !r.Has("work_item_id") {
			r.Delete(name)
		}
	}
	if path == "" {
		return nil
	}
	const document = "query($path:ID!$iid:String!){namespace(fullPath:$path){workItem(iid:$iid){id}}}"
	resp, err := env.Get(ctx, graphQL(document, "", object(map[string]string{"path": path, "iid": iid.V})))
	if errors.Is(err, exec.ErrDryRun) {
		r.Put("work_item_id", []byte(`"gid://gitlab/WorkItem/{id of work item `+iid.V+`}"`))
		return nil
	}
	if err != nil {
		return err
	}
	id := value(resp.Body, "data", "namespace", "workItem", "id")
	if id == "" {
		return &exec.Failure{Code: "gitlab", Status: 404, Message: "there is no work item " + iid.V + " in " + path + ", or this token may not see it", Hint: "work_item.list shows the work items of a project or group"}
	}
	r.Put("work_item_id", scan.AppendQuoted(nil, id))
	return nil
}

// namespace reads project_id and group_id and is the path of the one given; ""
// unless wanted.
func namespace(ctx context.Context, env *exec.Env, r *arg.Reader, wanted bool) (string, error) {
	project, group := r.ID("project_id", 0), r.ID("group_id", 0)
	if !wanted {
		return "", nil
	}
	switch {
	case project.State == arg.Set && group.State != arg.Set:
		return env.FullPath(ctx, "project_id", project.V)
	case group.State == arg.Set && project.State != arg.Set:
		return env.FullPath(ctx, "group_id", group.V)
	}
	return "", invalid("work_item_iid", "with it exactly one of project_id, group_id")
}

// workItemType finds the id of a type of work items that was given by name.
func workItemType(ctx context.Context, env *exec.Env, r *arg.Reader) error {
	name := r.String("type", 0)
	if name.State != arg.Set || r.Has("type_id") {
		return nil
	}
	path := ""
	for _, place := range [...]string{"project_id", "group_id"} {
		if raw, ok := r.Raw(place); ok && path == "" {
			path = scan.Unquoted(string(raw)) // a full path by now
		}
	}
	r.Delete("type")
	const document = "query($path:ID!){namespace(fullPath:$path){workItemTypes{nodes{id name}}}}"
	resp, err := env.Get(ctx, graphQL(document, "", object(map[string]string{"path": path})))
	if errors.Is(err, exec.ErrDryRun) {
		r.Put("type_id", scan.AppendQuoted(nil, "gid://gitlab/WorkItems::Type/{id of "+strings.ReplaceAll(name.V, "/", " ")+"}"))
		return nil
	}
	if err != nil {
		return err
	}
	types, _ := scan.Get(resp.Body, "data")
	for _, member := range [...]string{"namespace", "workItemTypes", "nodes"} {
		types, _ = scan.Get(types, member)
	}
	var known []string
	for t := range scan.Elements(types) {
		if sameWords(value(t, "name"), name.V) {
			r.Put("type_id", scan.AppendQuoted(nil, value(t, "id")))
			return nil
		}
		known = append(known, value(t, "name"))
	}
	if len(known) == 0 {
		return &exec.Failure{Code: "gitlab", Status: 404, Message: "the work item types of " + path + " cannot be read", Hint: "check the project or group, or give type_id"}
	}
	return invalid("type", "one of "+strings.Join(known, ", "))
}

// sameWords compares names without regard to case and to what separates words.
func sameWords(a, b string) bool {
	plain := strings.NewReplacer("_", " ", "-", " ")
	return strings.EqualFold(plain.Replace(a), plain.Replace(b))
}

package own

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/call"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/exec"
	"gitlab-mcp-server/internal/scan"
)

// guided is an action that asks the user for what another action needs, and then
// runs that.
type guided struct{ form form }

// form is what is asked for.
type form struct {
	action  string // that runs in the end
	path    string // template of its request, for previews
	message string
	fields  []formField
}

// formField is one line of a form. Protocol and clients know flat forms only.
type formField struct {
	name, title, typ string // typ: string, boolean
	required         bool
	enum             []string
}

var (
	issueForm = form{
		action: "issue.create", path: "/api/v4/projects/{project_id}/issues", message: "New issue",
		fields: []formField{
			{name: "project_id", title: "Project (path or number)", typ: "string", required: true},
			{name: "title", title: "Title", typ: "string", required: true},
			{name: "description", title: "Description (Markdown)", typ: "string"},
			{name: "labels", title: "Labels, separated by commas", typ: "string"},
			{name: "due_date", title: "Due date (YYYY-MM-DD)", typ: "string"},
			{name: "confidential", title: "Confidential", typ: "boolean"},
		},
	}
	mergeRequestForm = form{
		action: "merge_request.create", path: "/api/v4/projects/{project_id}/merge_requests", message: "New merge request",
		fields: []formField{
			{name: "project_id", title: "Project (path or number)", typ: "string", required: true},
			{name: "source_branch", title: "Source branch", typ: "string", required: true},
			{name: "target_branch", title: "Target branch", typ: "string", required: true},
			{name: "title", title: "Title", typ: "string", required: true},
			{name: "description", title: "Description (Markdown)", typ: "string"},
			{name: "labels", title: "Labels, separated by commas", typ: "string"},
			{name: "squash", title: "Squash commits on merge", typ: "boolean"},
			{name: "remove_source_branch", title: "Delete the source branch on merge", typ: "boolean"},
		},
	}
	projectForm = form{
		action: "project.create", path: "/api/v4/projects", message: "New project",
		fields: []formField{
			{name: "name", title: "Name", typ: "string", required: true},
			{name: "path", title: "Path, if other than the name", typ: "string"},
			{name: "namespace_id", title: "Number of the group; empty for your own namespace", typ: "string"},
			{name: "description", title: "Description", typ: "string"},
			{name: "visibility", title: "Who may see it", typ: "string", enum: []string{"private", "internal", "public"}},
			{name: "initialize_with_readme", title: "With a README", typ: "boolean"},
		},
	}
	releaseForm = form{
		action: "release.create", path: "/api/v4/projects/{project_id}/releases", message: "New release",
		fields: []formField{
			{name: "project_id", title: "Project (path or number)", typ: "string", required: true},
			{name: "tag_name", title: "Tag", typ: "string", required: true},
			{name: "ref", title: "Branch or commit for a new tag", typ: "string"},
			{name: "name", title: "Name of the release", typ: "string"},
			{name: "description", title: "Notes (Markdown)", typ: "string"},
		},
	}
)

func (g guided) Plan(env *exec.Env, r *arg.Reader) (exec.Plan, error) {
	given := map[string]string{}
	for _, f := range g.form.fields {
		if v := f.read(r); v != "" {
			given[f.name] = v
		}
	}
	if err := r.Err(); err != nil {
		return exec.Plan{}, err
	}
	if env.Call.Elicit == nil && !env.Call.DryRun {
		var need []string
		for _, f := range g.form.fields {
			if f.required {
				need = append(need, f.name)
			}
		}
		return exec.Plan{}, &exec.Failure{
			Code: exec.CodeWithheld, Message: "this client cannot show forms, which " + env.Action.ID() + " needs to ask the user",
			Hint:       "ask the user in the conversation and call " + g.form.action + " with " + strings.Join(need, ", "),
			Candidates: []string{g.form.action},
		}
	}
	return exec.Plan{Risk: catalog.Write, Requests: []*call.Request{g.request(given)}, Target: g.form.message, Args: given}, nil
}

// read is what the caller has given for the field already.
func (f formField) read(r *arg.Reader) string {
	switch {
	case f.typ == "boolean":
		if v := r.Bool(f.name, 0); v.State == arg.Set {
			return strconv.FormatBool(v.V)
		}
		return ""
	case len(f.enum) > 0:
		return r.Enum(f.name, 0, arg.Enum(strings.Join(f.enum, "\n"))).V
	}
	return r.String(f.name, 0).V
}

// request is what would be sent, with placeholders for what is asked for.
func (g guided) request(given map[string]string) *call.Request {
	value := func(f formField) string {
		if v := given[f.name]; v != "" {
			return v
		}
		return "{" + f.name + "}"
	}
	q := new(call.Request)
	q.Start("POST")
	literal, rest, inPath := strings.Cut(g.form.path, "{project_id}")
	q.Literal(literal)
	if inPath {
		q.Segment("project_id", value(g.form.fields[0]))
		q.Literal(rest)
	}
	b := q.Body(false)
	for i, f := range g.form.fields {
		if (f.required || given[f.name] != "") && !(inPath && i == 0) {
			b.String(f.name, value(f))
		}
	}
	return q
}

func (g guided) Run(ctx context.Context, env *exec.Env, p exec.Plan) (exec.Answer, error) {
	given := p.Args.(map[string]string)
	content, ok, err := env.Call.Elicit(ctx, g.form.message, g.form.schema(given))
	if err != nil {
		return exec.Answer{}, err
	}
	if !ok {
		return exec.Answer{}, &exec.Failure{Code: exec.CodeConfirmation, Message: "the user did not fill in the form", Hint: "nothing was sent; do not repeat the call unless the user asks for it"}
	}
	params := map[string]json.RawMessage{}
	for _, f := range g.form.fields {
		if v, ok := scan.Get(content, f.name); ok && scan.KindOf(v) != scan.Null && string(v) != `""` {
			params[f.name] = json.RawMessage(v)
		} else if v := given[f.name]; v != "" && !ok {
			params[f.name] = scan.AppendQuoted(nil, v)
		}
	}
	res, err := env.Execute(ctx, g.form.action, object(params))
	if err != nil {
		return exec.Answer{}, err
	}
	return exec.Answer{Body: res.Structured, Text: res.Text}, nil
}

// schema is the form as a JSON schema; what was given already stands in it.
func (f form) schema(given map[string]string) json.RawMessage {
	b := []byte(`{"type":"object","properties":{`)
	for i, fd := range f.fields {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(scan.AppendQuoted(b, fd.name), `:{"type":`...)
		b = scan.AppendQuoted(b, fd.typ)
		b = scan.AppendQuoted(append(b, `,"title":`...), fd.title)
		if len(fd.enum) > 0 {
			b = append(append(b, `,"enum":`...), object(fd.enum)...)
		}
		switch v := given[fd.name]; {
		case v == "":
		case fd.typ == "boolean":
			b = append(append(b, `,"default":`...), v...)
		default:
			b = scan.AppendQuoted(append(b, `,"default":`...), v)
		}
		b = append(b, '}')
	}
	b = append(b, `},"required":[`...)
	first := true
	for _, fd := range f.fields {
		if !fd.required {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = scan.AppendQuoted(b, fd.name)
	}
	return append(b, "]}"...)
}

package own

import (
	"context"
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/call"
	"gitlab-mcp-server/internal/exec"
	"gitlab-mcp-server/internal/scan"
)

// reviewContext is merge_request.review_context: what a review needs in one
// bounded answer. A part that cannot be read is named, and the others come.
type reviewContext struct{}

// part is one of the reads, by the action that would do it alone.
type part struct {
	name, action, path string
	list               bool
}

var parts = [...]part{
	{"merge_request", "merge_request.get", "/api/v4/projects/{project_id}/merge_requests/{merge_request_iid}", false},
	{"diffs", "merge_request.list_diffs", "/api/v4/projects/{project_id}/merge_requests/{merge_request_iid}/diffs", true},
	{"discussions", "merge_request_discussion.list", "/api/v4/projects/{project_id}/merge_requests/{merge_request_iid}/discussions", true},
	{"approvals", "merge_request.get_approvals", "/api/v4/projects/{project_id}/merge_requests/{merge_request_iid}/approvals", false},
	{"pipelines", "merge_request.list_pipelines", "/api/v4/projects/{project_id}/merge_requests/{merge_request_iid}/pipelines", true},
}

// Bounds of the answer: characters of all diffs, and items of each list.
const (
	defaultDiffChars = 20_000
	mostDiffChars    = 200_000
	mostDiffs        = 100
	mostDiscussions  = 100
	mostPipelines    = 5
)

func (reviewContext) Plan(_ *exec.Env, r *arg.Reader) (exec.Plan, error) {
	project := r.ID("project_id", arg.Required)
	iid := r.Int("merge_request_iid", arg.Required)
	chars := r.IntRange("max_diff_chars", 0, "0", strconv.Itoa(mostDiffChars))
	if err := r.Err(); err != nil {
		return exec.Plan{}, err
	}
	budget := defaultDiffChars
	if n, err := strconv.Atoi(chars.V); err == nil {
		budget = n
	}
	p := exec.Plan{Target: "merge request " + iid.V, Args: budget}
	for _, part := range parts {
		q := get(part.path, project.V, iid.V)
		switch part.name {
		case "diffs", "discussions":
			q.SetQuery("per_page", "100")
		case "pipelines":
			q.SetQuery("per_page", strconv.Itoa(mostPipelines))
		}
		if err := q.Err(); err != nil {
			return exec.Plan{}, err
		}
		p.Requests = append(p.Requests, q)
	}
	return p, nil
}

// omission says what is not in the answer, and why.
type omission struct {
	Part   string `json:"part"`
	Reason string `json:"reason"`
	Action string `json:"action"` // that has the whole
}

func (reviewContext) Run(ctx context.Context, env *exec.Env, p exec.Plan) (exec.Answer, error) {
	var missing []omission
	out := []byte{'{'}
	for i, part := range parts {
		body, err := read(ctx, env, part, p.Requests[i])
		if err != nil && i == 0 {
			return exec.Answer{}, err // without the merge request nothing else makes sense
		}
		if ctx.Err() != nil {
			return exec.Answer{}, ctx.Err()
		}
		if err != nil {
			missing = append(missing, omission{part.name, reason(err), part.action})
			continue
		}
		switch part.name {
		case "diffs":
			var cut string
			if body, cut = boundDiffs(body, p.Args.(int)); cut != "" {
				missing = append(missing, omission{part.name, cut, part.action})
			}
		case "discussions":
			var left string
			if body, left = conversations(body); left != "" {
				missing = append(missing, omission{part.name, left, part.action})
			}
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(scan.AppendQuoted(out, part.name), ':'), body...)
		env.Progress(i+1, len(parts))
	}
	if len(missing) > 0 {
		out = append(append(out, `,"missing":`...), object(missing)...)
	}
	return exec.Answer{Body: append(out, '}')}, nil
}

// read reads a part if the caller has the action that would read it alone.
func read(ctx context.Context, env *exec.Env, p part, q *call.Request) (json.RawMessage, error) {
	if a, ok := env.Catalog().ByID(p.action); ok && !env.Allowed(a) {
		return nil, &exec.Failure{Code: exec.CodeWithheld, Message: env.Policy().Why(a).Text}
	}
	resp, err := env.Get(ctx, q)
	if err != nil {
		return nil, err
	}
	want := scan.Object
	if p.list {
		want = scan.Array
	}
	if scan.KindOf(resp.Body) != want || scan.Valid(resp.Body) != nil {
		return nil, &exec.Failure{Code: "gitlab", Message: "GitLab's answer is not what it should be"}
	}
	return resp.Body, nil
}

// boundDiffs keeps paths and flags of all files and the diffs within budget, and
// says what was left out.
func boundDiffs(list []byte, budget int) (json.RawMessage, string) {
	out := []byte{'['}
	files, short := 0, 0
	for d := range scan.Elements(list) {
		if files == mostDiffs {
			break
		}
		if files++; files > 1 {
			out = append(out, ',')
		}
		out = append(out, '{')
		for key, v := range scan.Members(d) {
			name := scan.Key(key)
			switch string(name) {
			case "diff":
				text := scan.Unquoted(string(v))
				if n := utf8.RuneCountInString(text); n > budget {
					text = string([]rune(text)[:budget])
					v = scan.AppendQuoted(nil, text)
					short++
				}
				budget -= utf8.RuneCountInString(text)
			case "old_path", "new_path", "new_file", "renamed_file", "deleted_file", "too_large", "collapsed", "generated_file":
			default:
				continue
			}
			if out[len(out)-1] != '{' {
				out = append(out, ',')
			}
			out = append(append(scan.AppendQuoted(out, string(name)), ':'), v...)
		}
		out = append(out, '}')
	}
	out = append(out, ']')
	switch total := scan.Len(list); {
	case short > 0:
		return out, strconv.Itoa(short) + " of " + strconv.Itoa(files) + " diffs are cut: raise max_diff_chars, or read them one by one"
	case total >= mostDiffs:
		return out, "there may be more than " + strconv.Itoa(mostDiffs) + " files"
	}
	return out, ""
}

// conversations keeps the threads of people, and of each note what a reviewer
// reads.
func conversations(list []byte) (json.RawMessage, string) {
	type note struct {
		ID       json.RawMessage `json:"id,omitempty"`
		Author   string          `json:"author"`
		Body     string          `json:"body"`
		Created  string          `json:"created_at"`
		Resolved *bool           `json:"resolved,omitempty"`
		Path     string          `json:"path,omitempty"`
		Line     string          `json:"line,omitempty"`
	}
	type thread struct {
		ID    string `json:"id"`
		Notes []note `json:"notes"`
	}
	threads := []thread{}
	for d := range scan.Elements(list) {
		t := thread{ID: value(d, "id")}
		notes, _ := scan.Get(d, "notes")
		for n := range scan.Elements(notes) {
			if value(n, "system") == "true" {
				continue
			}
			id, _ := scan.Get(n, "id")
			one := note{
				ID: json.RawMessage(id), Author: value(n, "author", "username"), Body: value(n, "body"), Created: value(n, "created_at"),
				Path: value(n, "position", "new_path"), Line: value(n, "position", "new_line"),
			}
			if one.Line == "" && one.Path != "" {
				one.Line = "old " + value(n, "position", "old_line")
			}
			if value(n, "resolvable") == "true" {
				resolved := value(n, "resolved") == "true"
				one.Resolved = &resolved
			}
			t.Notes = append(t.Notes, one)
		}
		if len(t.Notes) > 0 {
			threads = append(threads, t)
		}
	}
	if scan.Len(list) >= mostDiscussions {
		return object(threads), "only the first " + strconv.Itoa(mostDiscussions) + " threads, system notes left out, are here"
	}
	return object(threads), ""
}

// Package own holds the actions of our own, which no single operation of GitLab
// is, and the helpers that complete the arguments of others by reading first.
//
// It is not for what every call needs (package exec), nor for operations of
// GitLab: those are compiled from its document. Names, parameters and texts stand
// in specs/overlays/_own.yaml; what is not in the catalog is never asked for.
package own

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/call"
	"gitlab-mcp-server/internal/exec"
	"gitlab-mcp-server/internal/scan"
	"gitlab-mcp-server/internal/search"
)

// Actions are the actions and what they know of the server.
type Actions struct {
	Version  string           // of the server
	Surface  string           // dynamic, …
	Searches *search.Counters // nil: not counted
	// Sleep waits between two looks at something; nil: the clock. Tests replace it.
	Sleep sleeper
}

// Action is the code of an action by id, nil if it is none of ours.
func (a *Actions) Action(id string) exec.Own {
	switch id {
	case "discover_project.resolve":
		return discover{}
	case "graphql.query":
		return graphQLQuery{}
	case "interactive.issue_create":
		return guided{issueForm}
	case "interactive.merge_request_create":
		return guided{mergeRequestForm}
	case "interactive.project_create":
		return guided{projectForm}
	case "interactive.release_create":
		return guided{releaseForm}
	case "job.wait":
		return waiter{sleep: a.Sleep, of: jobs}
	case "merge_request.review_context":
		return reviewContext{}
	case "pipeline.wait":
		return waiter{sleep: a.Sleep, of: pipelines}
	case "server.status":
		return status{a}
	}
	return nil
}

// Helper is what completes the arguments of an action by id, or nil.
func Helper(id string) exec.Helper {
	switch id {
	case "merge_request_discussion.create", "draft_note.create":
		return diffPosition
	case "work_item.create":
		return workItemType
	case "work_item.get", "work_item.update", "work_item.delete", "work_item.convert", "work_item.list_children", "work_item.add_child",
		"work_item.remove_child", "work_item.list_linked", "work_item.link", "work_item.unlink", "work_item.list_notes", "work_item.create_note":
		return workItemIID
	}
	return nil
}

// invalid is the failure for one argument.
func invalid(name, expected string) error {
	return &arg.Error{Problems: []arg.Problem{{Path: name, Code: arg.Invalid, Expected: expected}}}
}

// get is a GET of the path template, whose parameters take the values in order.
func get(template string, values ...string) *call.Request {
	q := new(call.Request)
	q.Start("GET")
	for template != "" {
		literal, rest, found := strings.Cut(template, "{")
		q.Literal(literal)
		if !found || len(values) == 0 {
			break
		}
		name, after, _ := strings.Cut(rest, "}")
		q.Segment(name, values[0])
		values, template = values[1:], after
	}
	return q
}

// graphQL is a request that runs a document with variables, a JSON object; name
// picks one of its operations.
func graphQL(document, name string, variables []byte) *call.Request {
	q := new(call.Request)
	q.Start("POST")
	q.Literal("/api/graphql")
	b := q.Body(false)
	b.String("query", document)
	if name != "" {
		b.String("operationName", name)
	}
	if len(variables) > 0 {
		b.Raw("variables", variables)
	}
	return q
}

// value is the text of a member under a path of names, "" if there is none.
func value(v []byte, path ...string) string {
	for _, name := range path {
		inner, ok := scan.Get(v, name)
		if !ok {
			return ""
		}
		v = inner
	}
	if k := scan.KindOf(v); k == scan.Null || k == scan.Object || k == scan.Array {
		return ""
	}
	return scan.Unquoted(string(v))
}

// object is a JSON object of what can always be encoded.
func object(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage(`{"error":` + strconv.Quote(err.Error()) + `}`)
	}
	return b
}

// reason is why something could not be read, in one line.
func reason(err error) string {
	var f *exec.Failure
	if errors.As(err, &f) {
		return f.Message
	}
	return err.Error()
}

package surface

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// What models read of the two tools. Every character is paid for in each
// conversation: tests hold both together under 900 tokens.
const (
	findDescription = "Find GitLab actions by what you want to do. Returns ranked actions with exact input schemas and an example call for " +
		executeTool + ". Use everyday words (\"open merge requests of a project\", \"retry failed job\"), or an exact action id."

	findSchema = `{"type":"object","properties":{` +
		`"query":{"type":"string","minLength":1,"maxLength":256,"description":"What to do with which thing, in words; or an action id."},` +
		`"limit":{"type":"integer","minimum":1,"maximum":50,"description":"Return exactly this many results in full. Leave out for the best ones that fit."},` +
		`"explain":{"type":"boolean","description":"Add why each result ranks where it does."}},` +
		`"required":["query"],"additionalProperties":false}`

	executeDescription = "Execute one GitLab action found with " + findTool + ". All arguments of the action go under params. " +
		"Destructive actions need confirm: true after the user has agreed; without it nothing is sent."

	executeSchema = `{"type":"object","properties":{` +
		`"action":{"type":"string","description":"Action id, such as merge_request.list.","x-mcp-header":"Action"},` +
		`"params":{"type":"object","description":"Arguments of the action by its input schema.","properties":{},"additionalProperties":true},` +
		`"confirm":{"type":"boolean","description":"The user has agreed to this destructive call."},` +
		`"fields":{"type":"array","items":{"type":"string"},"description":"Keep only these dotted paths of the answer, such as iid or author.name."},` +
		`"dry_run":{"type":"boolean","description":"Validate and show the request without sending it."}},` +
		`"required":["action"],"additionalProperties":false}`
)

// Instructions is what initialize tells a client.
const Instructions = "GitLab's REST API behind two tools. First " + findTool + " with what you want to do, then " + executeTool +
	" with the id as action and the arguments under params. Ask the user before anything marked destructive, then add confirm: true. " +
	"dry_run: true shows the request without sending it. All actions are listed in the resource " + manifestURI + "."

// findToolDef describes the find tool.
func findToolDef() *mcp.Tool {
	return &mcp.Tool{
		Name:        findTool,
		Title:       "Find a GitLab action",
		Description: findDescription,
		InputSchema: json.RawMessage(findSchema),
		Annotations: &mcp.ToolAnnotations{
			ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: new(bool), OpenWorldHint: new(bool),
		},
	}
}

// executeToolDef describes the execute tool, which is as harmless as the
// actions that it can reach.
func executeToolDef(readOnly bool) *mcp.Tool {
	destructive, open := !readOnly, true
	return &mcp.Tool{
		Name:        executeTool,
		Title:       "Execute a GitLab action",
		Description: executeDescription,
		InputSchema: json.RawMessage(executeSchema),
		Annotations: &mcp.ToolAnnotations{
			ReadOnlyHint: readOnly, IdempotentHint: readOnly, DestructiveHint: &destructive, OpenWorldHint: &open,
		},
	}
}

// annotate keeps what tools/list says of the execute tool at what the caller can
// reach now: the scopes of a token become known after the tools are made.
func (d *Dynamic) annotate(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		list, ok := res.(*mcp.ListToolsResult)
		if err != nil || !ok || list == nil {
			return res, err
		}
		said := *list // the tools are shared by all sessions
		said.Tools = slices.Clone(list.Tools)
		for i, t := range said.Tools {
			if t.Name == executeTool {
				said.Tools[i] = executeToolDef(d.readOnly())
			}
		}
		return &said, nil
	}
}

// readOnly tells whether every action that exists for the caller only reads.
func (e *Engine) readOnly() bool {
	allowed := e.Policy.Filter()
	for a := range e.Catalog.All() {
		if !a.ReadOnly() && allowed(a.Index()) {
			return false
		}
	}
	return true
}

package surface

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gitlab-mcp-server/internal/exec"
	"gitlab-mcp-server/internal/scan"
)

// Dynamic is the surface of two tools.
type Dynamic struct {
	*Engine
	states *states
}

// NewDynamic makes the surface. Like the engine it serves any number of sessions.
func NewDynamic(e *Engine) *Dynamic { return &Dynamic{e, newStates()} }

// Register adds tools and resources to a server of the SDK.
func (d *Dynamic) Register(s *mcp.Server) {
	s.AddTool(findToolDef(), d.find)
	s.AddTool(executeToolDef(d.readOnly()), d.execute)
	s.AddResource(&mcp.Resource{
		URI: manifestURI, Name: "tools", Title: "Actions", MIMEType: jsonType,
		Description: "Every GitLab action of this server",
	}, d.read)
	s.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: uriPrefix + "{id}", Name: "tool", Title: "Action", MIMEType: jsonType,
		Description: "One action: schema, parameters, example",
	}, d.read)
	s.AddReceivingMiddleware(encode, d.readAny, d.annotate)
}

const jsonType = "application/json"

// find is the handler of gitlab_find_action.
func (d *Dynamic) find(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	in, problem := findInput(req.Params.Arguments)
	reply := Reply{}
	if problem != "" {
		reply = d.findError(problem)
	} else {
		var err error
		if reply, err = d.Find(ctx, in); err != nil {
			return nil, err
		}
	}
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: reply.Text}},
		StructuredContent: json.RawMessage(reply.Structured),
		IsError:           reply.IsError,
	}, nil
}

// execute is the handler of gitlab_execute_action.
func (d *Dynamic) execute(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	c, err := exec.ParseCall(req.Params.Arguments)
	if err != nil {
		return toolResult(exec.Failed(err)), nil
	}
	asked := d.attach(&c, req)
	res := d.Exec.Execute(ctx, c)
	if res.Pending && asked != nil {
		if question := asked.pending(); question != nil {
			return question, nil
		}
	}
	return toolResult(res), nil
}

// toolResult gives a result the form of the protocol.
func toolResult(res exec.Result) *mcp.CallToolResult {
	structured := res.Structured
	// A result that is no JSON would leave the client without any answer.
	if scan.KindOf(structured) != scan.Object || scan.Valid(structured) != nil {
		o := object{}
		o.text("content", res.Text)
		o.text("encoding", "text")
		structured = o.end()
	}
	out := &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: res.Text}},
		StructuredContent: json.RawMessage(structured),
		IsError:           res.IsError,
	}
	for _, img := range res.Images {
		out.Content = append(out.Content, &mcp.ImageContent{Data: img.Data, MIMEType: img.MIMEType})
	}
	if len(res.Meta) > 0 {
		out.Meta = res.Meta
	}
	return out
}

// read is the handler of the resources.
func (d *Dynamic) read(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	data, err := d.Resource(ctx, uri)
	var missing *NotFound
	switch {
	case errors.As(err, &missing):
		return nil, notFound(uri, missing, req.ProtocolVersion())
	case err != nil:
		return nil, err
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: jsonType, Text: string(data)}}}, nil
}

// readAny sends URIs to read that the SDK's template does not match, such as
// ids of other servers with a slash, so that they fail with near ids as well.
func (d *Dynamic) readAny(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		if r, ok := req.(*mcp.ReadResourceRequest); ok && err != nil && ctx.Err() == nil {
			if again, err := d.read(ctx, r); err != nil {
				return nil, err
			} else {
				return again, nil
			}
		}
		return res, err
	}
}

// The code of a resource that does not exist, by protocol version.
const (
	codeNotFound    = -32002
	firstOtherCode  = "2026-07-28"
	codeOtherwise   = jsonrpc.CodeInvalidParams
	messageNotFound = "Resource not found"
)

func notFound(uri string, n *NotFound, version string) error {
	o := object{}
	o.text("uri", uri)
	if n.Why != "" {
		o.text("reason", n.Why)
	}
	o.texts("near", func(yield func(string) bool) {
		for _, id := range n.Near {
			if !yield(id) {
				return
			}
		}
	})
	code := int64(codeNotFound)
	if version >= firstOtherCode {
		code = codeOtherwise
	}
	return &jsonrpc.Error{Code: code, Message: messageNotFound + ": " + n.Error(), Data: o.end()}
}

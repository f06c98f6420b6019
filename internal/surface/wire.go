package surface

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gitlab-mcp-server/internal/scan"
)

// wireResult is a tool result that writes its own JSON. The SDK's form goes
// through reflection and copies a structured result three times, which costs more
// than finding an action does.
type wireResult struct {
	*mcp.CallToolResult
	complete bool // the protocol wants resultType
}

// MarshalJSON gives the protocol's form of the result.
func (w wireResult) MarshalJSON() ([]byte, error) {
	structured, ok := w.StructuredContent.(json.RawMessage)
	if !ok {
		return nil, fmt.Errorf("structured content is a %T, not JSON", w.StructuredContent)
	}
	size := len(structured) + 256
	for _, c := range w.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			size += len(t.Text) + len(t.Text)/8
		}
	}
	o := object{B: make([]byte, 0, size)}
	if len(w.Meta) > 0 {
		meta, err := json.Marshal(w.Meta)
		if err != nil {
			return nil, fmt.Errorf("encode _meta: %w", err)
		}
		o.raw("_meta", string(meta))
	}
	o.key("content")
	o.B = append(o.B, '[')
	for i, c := range w.Content {
		if i > 0 {
			o.B = append(o.B, ',')
		}
		switch c := c.(type) {
		case *mcp.TextContent:
			o.B = append(o.B, `{"type":"text","text":`...)
			o.B = scan.AppendQuoted(o.B, c.Text)
			o.B = append(o.B, '}')
		case *mcp.ImageContent:
			o.B = append(o.B, `{"type":"image","mimeType":`...)
			o.B = scan.AppendQuoted(o.B, c.MIMEType)
			o.B = append(o.B, `,"data":"`...)
			o.B = base64.StdEncoding.AppendEncode(o.B, c.Data)
			o.B = append(o.B, `"}`...)
		default:
			return nil, fmt.Errorf("content is a %T", c)
		}
	}
	o.B = append(o.B, ']')
	o.key("structuredContent")
	o.B = append(o.B, structured...)
	if w.IsError {
		o.boolean("isError", true)
	}
	if w.complete {
		o.text("resultType", "complete")
	}
	return o.end(), nil
}

// encode lets tool results write themselves. Results that ask the user stay the
// SDK's.
func encode(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		call, ok := req.(*mcp.CallToolRequest)
		if tool, is := res.(*mcp.CallToolResult); err == nil && ok && is && tool != nil && tool.InputRequests == nil {
			return wireResult{tool, call.ProtocolVersion() >= firstMultiRound}, nil
		}
		return res, err
	}
}

package surface

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// What a result writes itself is what the SDK would write.
func TestWireResult(t *testing.T) {
	results := map[string]*mcp.CallToolResult{
		"plain": {Content: []mcp.Content{&mcp.TextContent{Text: "a <b> & \"c\"\n\u2028 ä"}}, StructuredContent: json.RawMessage(`{"a":[1,2.50,null]}`)},
		"error": {Content: []mcp.Content{&mcp.TextContent{}}, StructuredContent: json.RawMessage(`{"error":{}}`), IsError: true},
		"image and meta": {
			Content:           []mcp.Content{&mcp.TextContent{Text: "x"}, &mcp.ImageContent{Data: []byte{0, 1, 254}, MIMEType: "image/png"}},
			StructuredContent: json.RawMessage(`{}`),
			Meta:              mcp.Meta{"gitlab-mcp-server/notes": []string{"a"}, "gitlab-mcp-server/truncated": json.RawMessage(`[{"path":"items","kept":1,"total":2}]`)},
		},
	}
	for name, res := range results {
		t.Run(name, func(t *testing.T) {
			want := decoded(t, res)
			if diff := cmp.Diff(want, decoded(t, wireResult{res, false})); diff != "" {
				t.Errorf("JSON differs (-SDK +ours):\n%s", diff)
			}
			want["resultType"] = "complete"
			if diff := cmp.Diff(want, decoded(t, wireResult{res, true})); diff != "" {
				t.Errorf("JSON of the newer protocol differs (-want +ours):\n%s", diff)
			}
		})
	}
	if _, err := json.Marshal(wireResult{&mcp.CallToolResult{StructuredContent: 7}, false}); err == nil {
		t.Error("a structured result that is no JSON text was written")
	}
}

func decoded(t *testing.T, v any) map[string]any {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

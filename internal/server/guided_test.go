package server

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gitlab-mcp-server/generated"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/config"
)

// newWhole is a server over the whole catalog.
func newWhole(t *testing.T, g *fakeGitLab) *Server {
	t.Helper()
	cfg, err := new(config.Flags).Parse([]string{"GITLAB_URL=" + g.URL})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(cfg, catalog.New(generated.Tables()), "1.0.0", NewLogger(io.Discard, cfg.LogLevel))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const wantIssue = `POST /api/v4/projects/g%2Fp/issues {"title":"Broken"}`

// A guided action asks for values; here where the client calls again with them.
func TestGuidedOverRounds(t *testing.T) {
	for answer, sent := range map[string][]string{"accept": {wantIssue}, "decline": nil} {
		t.Run(answer, func(t *testing.T) {
			g := newFakeGitLab(t)
			c := newClient(t, newWhole(t, g))
			client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
				ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					schema, err := json.Marshal(req.Params.RequestedSchema)
					if err != nil || !strings.Contains(string(schema), `"default":"g/p"`) {
						t.Errorf("form %s, %v", schema, err)
					}
					return &mcp.ElicitResult{Action: answer, Content: map[string]any{"project_id": "g/p", "title": "Broken"}}, nil
				},
			})
			session, err := client.Connect(context.Background(), &mcp.IOTransport{Reader: io.NopCloser(c.out), Writer: c.in}, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer session.Close()
			res, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "gitlab_execute_action", Arguments: map[string]any{
				"action": "interactive.issue_create", "params": map[string]any{"project_id": "g/p"},
			}})
			if err != nil || res.IsError != (sent == nil) || !slices.Equal(g.asked(), sent) {
				t.Errorf("%+v, %v, sent %v", res, err, g.asked())
			}
		})
	}
}

// The same where the server asks within the call.
func TestGuidedWithinTheCall(t *testing.T) {
	g := newFakeGitLab(t)
	c := newClient(t, newWhole(t, g))
	c.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}`)
	c.receive()
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"gitlab_execute_action","arguments":{"action":"interactive.issue_create","params":{}}}}`)
	var question struct {
		ID     json.RawMessage
		Method string
	}
	for question.Method != "elicitation/create" {
		if err := json.Unmarshal([]byte(c.receive()), &question); err != nil {
			t.Fatal(err)
		}
	}
	c.send(`{"jsonrpc":"2.0","id":` + string(question.ID) + `,"result":{"action":"accept","content":{"project_id":"g/p","title":"Broken"}}}`)
	if answer := c.receive(); !strings.Contains(answer, `"iid":8`) || !slices.Contains(g.asked(), wantIssue) {
		t.Errorf("answer %s, sent %v", answer, g.asked())
	}
}

// What the server says of itself comes without a request.
func TestStatusOfTheServer(t *testing.T) {
	g := newFakeGitLab(t)
	c := newClient(t, newWhole(t, g))
	c.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	c.receive()
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"gitlab_find_action","arguments":{"query":"server.status"}}}`)
	c.receive()
	c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"gitlab_execute_action","arguments":{"action":"server.status"}}}`)
	if answer := c.receive(); !strings.Contains(answer, `"version":"1.0.0"`) || !strings.Contains(answer, `"searches":1`) {
		t.Errorf("answer %s", answer)
	}
}

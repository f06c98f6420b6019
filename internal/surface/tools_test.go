package surface

import (
	"context"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/catalog/catalogtest"
	"gitlab-mcp-server/internal/policy"
)

// tools/list calls the execute tool as harmless as what the caller can reach
// with it at that moment.
func TestToolsListFollowsScopes(t *testing.T) {
	cat := catalogtest.New(catalogtest.Spec{Actions: []catalogtest.Action{
		{ID: "thing.list", Path: "/api/v4/things", Kind: catalog.List},
		{ID: "thing.create", Method: "POST", Path: "/api/v4/things", Risk: catalog.Write},
	}})
	p, err := policy.New(cat, policy.Config{})
	if err != nil {
		t.Fatal(err)
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "test"}, nil)
	NewDynamic(&Engine{Catalog: cat, Policy: p, Finder: &fixed{}}).Register(s)
	there, here := mcp.NewInMemoryTransports()
	server, err := s.Connect(context.Background(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(context.Background(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for _, tt := range []struct {
		name     string
		scopes   []string
		readOnly bool
	}{
		{"unknown", nil, false},
		{"read only", []string{"read_api"}, true},
		{"all", []string{"api"}, false},
	} {
		p.SetScopes(tt.scopes)
		list, err := client.ListTools(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(list.Tools) != 2 {
			t.Fatalf("%s: %d tools, want 2", tt.name, len(list.Tools))
		}
		for _, tool := range list.Tools {
			a := tool.Annotations
			want := tt.readOnly || tool.Name == findTool
			if a.ReadOnlyHint != want || a.DestructiveHint == nil || *a.DestructiveHint == want {
				t.Errorf("%s: %s is called read-only %t and destructive %v, want read-only %t", tt.name, tool.Name, a.ReadOnlyHint, a.DestructiveHint, want)
			}
		}
	}
}

package sim

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/exec"
	"gitlab-mcp-server/internal/gitlab"
	"gitlab-mcp-server/internal/policy"
)

// Every GraphQL action's example is a document and variables that fit together,
// and its answer comes back in the declared form.
func TestEveryGraphQLAction(t *testing.T) {
	cat := fullCatalog()
	server := httptest.NewServer(New(cat, Options{}))
	defer server.Close()
	client, err := gitlab.New(gitlab.Config{BaseURL: server.URL, Credential: gitlab.Credential{Token: Token}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := policy.New(cat, policy.Config{})
	if err != nil {
		t.Fatal(err)
	}
	x := exec.New(cat, p, client, exec.Config{})
	n := 0
	for a := range cat.All() {
		if a.Method() != "GRAPHQL" {
			continue
		}
		n++
		res := x.Execute(context.Background(), exec.Call{Action: a.ID(), Params: json.RawMessage(cmp.Or(a.Example(), "{}")), Confirm: true})
		if res.IsError {
			t.Errorf("%s %s: %s", a.ID(), a.Example(), res.Text)
			continue
		}
		var list struct {
			Items      []any
			Pagination map[string]any
		}
		if err := json.Unmarshal(res.Structured, &list); err != nil {
			t.Errorf("%s: %v", a.ID(), err)
		}
		if isList := list.Pagination != nil; isList != (a.Kind() == catalog.List) {
			t.Errorf("%s: answers %s", a.ID(), res.Structured)
		}
	}
	if n < 20 {
		t.Errorf("only %d GraphQL actions", n)
	}
}

func TestGraphQLRefuses(t *testing.T) {
	s := New(fullCatalog(), Options{Tokens: []Grant{{Token: "reader", Scopes: []string{"read_api"}, Username: "ada"}}})
	for _, tt := range []struct{ name, body, want string }{
		{"syntax", `{"query":"query { "}`, `"errors"`},
		{"two operations", `{"query":"query a { x } query b { x }"}`, `"errors"`},
		{"one of two", `{"query":"query a { x } query b { y }","operationName":"b"}`, `{"data":{"y":"a y"}}`},
		{"missing variable", `{"query":"query a($id: ID!) { x(id: $id) }"}`, "$id"},
		{"undeclared variable", `{"query":"query a { x }","variables":{"id":1}}`, "$id"},
		{"a reader's mutation", `{"query":"mutation { x }"}`, `"errors"`},
		{"alias and fragment", `{"query":"query { one: user { ...u } } fragment u on User { id isBot }"}`, `{"data":{"one":{"id":"gid://gitlab/User/1","isBot":false}}}`},
		{"a fragment in itself", `{"query":"query { ...u } fragment u on User { id ...u }"}`, `"id"`},
	} {
		req := httptest.NewRequest("POST", graphqlPath, strings.NewReader(tt.body))
		req.Header.Set("Authorization", "Bearer reader")
		w := serve(s, req)
		if w.Code != 200 || !strings.Contains(w.Body.String(), tt.want) {
			t.Errorf("%s: %d %s, want %s", tt.name, w.Code, w.Body, tt.want)
		}
	}
}

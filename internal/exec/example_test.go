package exec_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/catalog/catalogtest"
	"gitlab-mcp-server/internal/exec"
	"gitlab-mcp-server/internal/gitlab"
	"gitlab-mcp-server/internal/policy"
)

func ExampleExecutor_Execute() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Println("GitLab was asked:", r.Method, r.RequestURI)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"iid":12,"title":"Login fails","state":"opened"}`)
	}))
	defer server.Close()
	cat := catalogtest.New(catalogtest.Spec{Actions: []catalogtest.Action{{
		ID: "issue.get", Title: "Get an issue", Path: "/api/v4/projects/{id}/issues/{issue_iid}",
		Params: []catalogtest.Param{
			{Name: "project_id", Wire: "id", In: catalog.InPath, Type: catalog.TypeID, Flags: catalog.Required},
			{Name: "issue_iid", In: catalog.InPath, Type: catalog.TypeInteger, Flags: catalog.Required},
		},
	}}})
	rules, err := policy.New(cat, policy.Config{ReadOnly: true})
	if err != nil {
		panic(err)
	}
	client, err := gitlab.New(gitlab.Config{BaseURL: server.URL})
	if err != nil {
		panic(err)
	}
	x := exec.New(cat, rules, client, exec.Config{})

	call, err := exec.ParseCall([]byte(`{"action":"issue.get","params":{"project_id":"team/app","issue_iid":"12"},"fields":["title","state"]}`))
	if err != nil {
		panic(err)
	}
	result := x.Execute(context.Background(), call)
	fmt.Println(string(result.Structured))
	fmt.Println(result.Meta[exec.MetaNotes])

	result = x.Execute(context.Background(), exec.Call{Action: "issue.get"})
	var failed struct {
		Error struct {
			Code    string
			Example json.RawMessage
		}
	}
	if err := json.Unmarshal(result.Structured, &failed); err != nil {
		panic(err)
	}
	fmt.Println(failed.Error.Code, string(failed.Error.Example))
	// Output:
	// GitLab was asked: GET /api/v4/projects/team%2Fapp/issues/12
	// {"title":"Login fails","state":"opened"}
	// [issue_iid: a string was read as an integer]
	// invalid_params {"action":"issue.get","params":{"project_id":"group/project","issue_iid":1}}
}

package exec_test

import (
	"encoding/json"
	"testing"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/catalog/catalogtest"
	"gitlab-mcp-server/internal/exec"
	"gitlab-mcp-server/internal/gitlab"
	"gitlab-mcp-server/internal/policy"
)

// BenchmarkPreview is a call without its network: the name resolved, arguments
// read, the request built and shown.
func BenchmarkPreview(b *testing.B) {
	cat := catalogtest.New(spec())
	p, err := policy.New(cat, policy.Config{})
	if err != nil {
		b.Fatal(err)
	}
	c, err := gitlab.New(gitlab.Config{BaseURL: "https://gitlab.example.com", Credential: gitlab.Credential{Token: token}})
	if err != nil {
		b.Fatal(err)
	}
	x := exec.New(cat, p, c, exec.Config{})
	call := exec.Call{Action: "issue.create", Params: json.RawMessage(`{"project_id":"group/project","title":"Login fails","description":"after the update","weight":"3"}`), DryRun: true}
	b.ReportAllocs()
	for b.Loop() {
		if res := x.Execute(b.Context(), call); res.IsError {
			b.Fatal(res.Text)
		}
	}
}

// BenchmarkUnknownAction looks for near names in the whole catalog.
func BenchmarkUnknownAction(b *testing.B) {
	var s catalogtest.Spec
	for i := range 1400 {
		s.Actions = append(s.Actions, catalogtest.Action{ID: "domain_" + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676)) + ".action", Kind: catalog.Object, Path: "/x"})
	}
	cat := catalogtest.New(s)
	p, err := policy.New(cat, policy.Config{})
	if err != nil {
		b.Fatal(err)
	}
	c, err := gitlab.New(gitlab.Config{BaseURL: "https://gitlab.example.com"})
	if err != nil {
		b.Fatal(err)
	}
	x := exec.New(cat, p, c, exec.Config{})
	b.ReportAllocs()
	for b.Loop() {
		x.Execute(b.Context(), exec.Call{Action: "merge_request.aprove"})
	}
}

package policy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/catalog/catalogtest"
	"gitlab-mcp-server/internal/policy"
)

func testCatalog() *catalog.Catalog {
	return catalogtest.New(catalogtest.Spec{
		Actions: []catalogtest.Action{
			{ID: "issue.list", Kind: catalog.List},
			{ID: "issue.create", Method: "POST", Risk: catalog.Write},
			{ID: "issue.delete", Method: "DELETE", Risk: catalog.Destroy},
			{ID: "issue_note.delete", Method: "DELETE", Risk: catalog.Destroy},
			{ID: "ci_lint.validate", Method: "POST"}, // reads
			{ID: "user.get_current", Scope: "read_user"},
			{ID: "file.get", Scope: "read_repository"},
			{ID: "epic.list", Tier: "premium"},
			{ID: "vulnerability.list", Tier: "ultimate", Method: "GRAPHQL"},
			{ID: "server.status", Method: "LOCAL", Scope: policy.NoScope},
			{ID: "pipeline.wait", Method: "LOCAL"},
		},
		Groups: []catalogtest.Group{{Name: "issues", Domains: []string{"issue", "issue_note"}}},
	})
}

func allowed(c *catalog.Catalog, p *policy.Policy) []string {
	var ids []string
	for a := range c.All() {
		if p.Allowed(a) {
			ids = append(ids, a.ID())
		}
	}
	return ids
}

func without(c *catalog.Catalog, ids ...string) []string {
	var out []string
	for a := range c.All() {
		if !slices.Contains(ids, a.ID()) {
			out = append(out, a.ID())
		}
	}
	return out
}

func TestOperator(t *testing.T) {
	c := testCatalog()
	tests := []struct {
		name     string
		cfg      policy.Config
		withheld []string
	}{
		{"nothing set", policy.Config{}, nil},
		{"read-only", policy.Config{ReadOnly: true}, []string{"issue.create", "issue.delete", "issue_note.delete"}},
		{"safe mode hides nothing", policy.Config{SafeMode: true}, nil},
		{"id", policy.Config{Exclude: []string{"issue.delete"}}, []string{"issue.delete"}},
		{"domain is exact", policy.Config{Exclude: []string{"issue"}}, []string{"issue.list", "issue.create", "issue.delete"}},
		{"glob", policy.Config{Exclude: []string{"*.delete"}}, []string{"issue.delete", "issue_note.delete"}},
		{"glob in the middle", policy.Config{Exclude: []string{"iss*.*te"}}, []string{"issue.create", "issue.delete", "issue_note.delete"}},
		{"group", policy.Config{Exclude: []string{"gitlab_issues"}}, []string{"issue.list", "issue.create", "issue.delete", "issue_note.delete"}},
		{"glob over groups", policy.Config{Exclude: []string{"gitlab_iss*"}}, []string{"issue.list", "issue.create", "issue.delete", "issue_note.delete"}},
		{"tier free", policy.Config{Tier: "free"}, []string{"epic.list", "vulnerability.list"}},
		{"tier premium", policy.Config{Tier: "premium"}, []string{"vulnerability.list"}},
		{"tier ultimate", policy.Config{Tier: "ultimate"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := policy.New(c, tt.cfg)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(without(c, tt.withheld...), allowed(c, p)); diff != "" {
				t.Errorf("allowed (-want +got):\n%s", diff)
			}
			for a := range c.All() {
				if why := p.Why(a); (why.Code == policy.Allowed) != p.Allowed(a) || (why.Text == "") != p.Allowed(a) {
					t.Errorf("%s: allowed %v, but the reason is %q", a.ID(), p.Allowed(a), why.Text)
				}
			}
		})
	}
}

func TestExcludeThatMatchesNothing(t *testing.T) {
	for entry, near := range map[string]string{
		"issue.delet": "issue.delete", "isue": "issue", "gitlab_issue": "gitlab_issues",
		"epics.list": "epic.list", "": "", "zzz*": "",
	} {
		_, err := policy.New(testCatalog(), policy.Config{Exclude: []string{entry}})
		if err == nil {
			t.Errorf("%q was accepted", entry)
			continue
		}
		if near != "" && !strings.Contains(err.Error(), "did you mean "+near+"?") {
			t.Errorf("%q: %v, want %s named", entry, err, near)
		}
	}
}

func TestScopes(t *testing.T) {
	c := testCatalog()
	tests := []struct {
		granted []string
		allowed []string
	}{
		{nil, without(c)},
		{[]string{"api"}, without(c)},
		{[]string{"read_api"}, []string{"epic.list", "file.get", "issue.list", "pipeline.wait", "server.status", "user.get_current", "vulnerability.list"}},
		{[]string{"read_user"}, []string{"server.status", "user.get_current"}},
		{[]string{"write_repository"}, []string{"file.get", "server.status"}},
		{[]string{"mcp"}, []string{"server.status"}},
		{[]string{}, []string{"server.status"}},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.granted), func(t *testing.T) {
			p, err := policy.New(c, policy.Config{})
			if err != nil {
				t.Fatal(err)
			}
			other := p.ForCaller()
			p.SetScopes(tt.granted)
			if diff := cmp.Diff(tt.allowed, allowed(c, p)); diff != "" {
				t.Errorf("allowed (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(without(c), allowed(c, other)); diff != "" {
				t.Errorf("another caller (-want +got):\n%s", diff)
			}
			filter := p.Filter()
			for a := range c.All() {
				if filter(a.Index()) != p.Allowed(a) {
					t.Errorf("%s: the filter says %v", a.ID(), filter(a.Index()))
				}
			}
			p.SetScopes(nil)
			if diff := cmp.Diff(without(c), allowed(c, p)); diff != "" {
				t.Errorf("after forgetting (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReasonNamesScopes(t *testing.T) {
	c := testCatalog()
	p, err := policy.New(c, policy.Config{})
	if err != nil {
		t.Fatal(err)
	}
	p.SetScopes([]string{"read_user", "read_api"})
	a, _ := c.ByID("ci_lint.validate")
	want := policy.Reason{Code: policy.Scope, Text: "the token lacks the scope api (it has read_user, read_api)"}
	if got := p.Why(a); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	p.SetScopes([]string{"mcp"})
	if got := p.Why(a); !strings.Contains(got.Text, "REST") {
		t.Errorf("a token for MCP alone is not explained: %q", got.Text)
	}
}

func TestPreview(t *testing.T) {
	p, err := policy.New(testCatalog(), policy.Config{SafeMode: true})
	if err != nil {
		t.Fatal(err)
	}
	if p.Preview(catalog.Read) || !p.Preview(catalog.Write) || !p.Preview(catalog.Destroy) {
		t.Error("safe mode must preview exactly what changes something")
	}
}

func TestGlob(t *testing.T) {
	for _, tt := range []struct {
		pattern, s string
		want       bool
	}{
		{"*", "", true}, {"*", "a.b", true}, {"a*", "a", true}, {"a*b*c", "a-b-c", true}, {"a*b*c", "acb", false},
		{"*.delete", "issue.delete", true}, {"*.delete", "issue.delete_all", false}, {"ab*ba", "aba", false},
		{"issue", "issue", true}, {"issue", "issues", false}, {"**x", "x", true},
	} {
		if got := policy.Glob(tt.pattern, tt.s); got != tt.want {
			t.Errorf("Glob(%q, %q) = %v", tt.pattern, tt.s, got)
		}
	}
}

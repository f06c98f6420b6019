package check_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab-mcp-server/gen/check"
	"gitlab-mcp-server/gen/ir"
)

// action is a small action that nothing is wrong with.
func action(id string, number int) *ir.Action {
	domain, name, _ := strings.Cut(id, ".")
	return &ir.Action{
		ID: id, Domain: domain, Name: name, Group: domain, Number: number, Op: &ir.Operation{Pos: ir.Pos{File: "spec", Line: number}},
		Method: "GET", WirePath: "/api/v4/projects/{project_id}/" + name, UpstreamPath: "/api/v4/projects/{id}/" + name,
		Params: []*ir.Param{
			{Name: "project_id", Wire: "id", In: ir.Path, Required: true, Type: &ir.Type{Kind: ir.ID}},
			{Name: "state", Wire: "state", In: ir.Query, Type: &ir.Type{Kind: ir.String, Enum: []string{"opened", "closed"}}},
		},
		Kind: ir.KindList, Risk: ir.Read, Title: "Do " + id, Example: map[string]any{"project_id": "acme/webshop"},
		Returns: "list of issue: iid, title", Tier: "free", Offering: "all", Scope: "read_api", Source: "issues.md",
	}
}

func catalog(actions ...*ir.Action) *ir.Catalog {
	return &ir.Catalog{Actions: actions, Groups: []ir.Group{{Name: "issue", Title: "Issues", Domains: []string{"issue"}}}}
}

func TestCleanCatalog(t *testing.T) {
	if got := check.Catalog(catalog(action("issue.get", 1), action("issue.list", 2))); len(got) > 0 {
		t.Errorf("findings over a clean catalog: %v", got)
	}
}

// TestFindings spoils one thing at a time and wants it found, and only it.
func TestFindings(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*ir.Catalog, *ir.Action)
		want  string
	}{
		"number": {func(_ *ir.Catalog, a *ir.Action) { a.Number = 2 }, "issue.list: has the number 2 of issue.get"},
		"title": {func(_ *ir.Catalog, a *ir.Action) { a.Title = "Do issue.list" },
			`issue.list: has the title of issue.get: "Do issue.list"`},
		"long title": {func(_ *ir.Catalog, a *ir.Action) { a.Title = strings.Repeat("é", 61) }, "issue.get: the title has 61 characters, over 60"},
		"no title":   {func(_ *ir.Catalog, a *ir.Action) { a.Title = "" }, "issue.get: has no title"},
		"request": {func(_ *ir.Catalog, a *ir.Action) { a.WirePath = "/api/v4/projects/{project_id}/list" },
			`issue.list: has the request of issue.get: "GET /api/v4/projects/{project_id}/list"`},
		"group": {func(_ *ir.Catalog, a *ir.Action) { a.Group = "" }, `issue.get: is in group "", its domain in "issue"`},
		"empty domain": {func(c *ir.Catalog, _ *ir.Action) { c.Groups[0].Domains = []string{"issue", "board"} },
			`group "issue" has domain "board", which has no action`},
		"shadow": {func(c *ir.Catalog, _ *ir.Action) {
			c.Aliases = []ir.Alias{{Name: "issue.get", Targets: []string{"issue.list"}}}
		},
			`alias "issue.get" shadows an action`},
		"dangling alias": {func(c *ir.Catalog, _ *ir.Action) { c.Aliases = []ir.Alias{{Name: "x", Targets: []string{"issue.no"}}} },
			`alias "x" leads to "issue.no", which is no action`},
		"path": {func(_ *ir.Catalog, a *ir.Action) { a.WirePath = "/api/v4/(-/){project_id}/get" },
			`issue.get: the wire path "/api/v4/(-/){project_id}/get" cannot be sent`},
		"lost placeholder": {func(_ *ir.Catalog, a *ir.Action) { a.WirePath = "/api/v4/get" },
			`issue.get: path parameter "project_id" stands nowhere in /api/v4/get`},
		"unknown placeholder": {func(_ *ir.Catalog, a *ir.Action) { a.WirePath += "/{iid}" },
			`issue.get: the wire path wants "iid", which is no path parameter`},
		"optional piece": {func(_ *ir.Catalog, a *ir.Action) { a.WirePath = "/api/v4/get{/project_id}" },
			`issue.get: path parameter "project_id": required is true in the list and false in the path`},
		"array of nothing": {func(_ *ir.Catalog, a *ir.Action) { a.Params[1].Type = &ir.Type{Kind: ir.Array} }, "issue.get: state is an array of nothing"},
		"untyped":          {func(_ *ir.Catalog, a *ir.Action) { a.Params[1].Type = &ir.Type{} }, `issue.get: state has kind "" and 0 alternatives`},
		"empty value": {func(_ *ir.Catalog, a *ir.Action) { a.Params[1].Type.Enum = []string{""} },
			"issue.get: the values of state have an empty one"},
		"nested": {func(_ *ir.Catalog, a *ir.Action) {
			a.Params[1].Type = &ir.Type{Kind: ir.Array, Items: &ir.Type{Kind: ir.Object}}
		}, "issue.get: state[] is an object without fields"},
		"example lacks": {func(_ *ir.Catalog, a *ir.Action) { a.Example = nil }, `issue.get: the example lacks "project_id"`},
		"example gives": {func(_ *ir.Catalog, a *ir.Action) { a.Example["confirm"] = true }, `issue.get: the example gives "confirm", which is no parameter`},
		"related":       {func(_ *ir.Catalog, a *ir.Action) { a.Related = []string{"issue.no"} }, `issue.get: is related to "issue.no"`},
		"rule": {func(_ *ir.Catalog, a *ir.Action) {
			a.Groups = []ir.ParamGroup{{Rule: "one_of", Params: []string{"state", "x"}}}
		},
			`issue.get: rule one_of over "x", which is no parameter`},
		"mention": {func(_ *ir.Catalog, a *ir.Action) { a.Usage = "For one; issue.list finds it, issue.find does not." },
			"issue.get: usage speaks of issue.find, which is no action"},
		"keyset":  {func(_ *ir.Catalog, a *ir.Action) { a.Keyset = "cursor" }, `issue.get: pages by "cursor", which is no query parameter`},
		"returns": {func(_ *ir.Catalog, a *ir.Action) { a.Returns = "" }, "issue.get: lacks what it answers with"},
		"source":  {func(_ *ir.Catalog, a *ir.Action) { a.Source = "" }, "issue.get: lacks a page of GitLab's documentation"},
		"risk":    {func(_ *ir.Catalog, a *ir.Action) { a.Risk = ir.Destroy }, "issue.get: GET with risk destroy"},
		"kind":    {func(_ *ir.Catalog, a *ir.Action) { a.Kind = ir.KindHead }, "issue.get: GET answers with head"},
	} {
		t.Run(name, func(t *testing.T) {
			a := action("issue.get", 1)
			cat := catalog(a, action("issue.list", 2))
			c.spoil(cat, a)
			var got []string
			for _, f := range check.Catalog(cat) {
				got = append(got, f.Message)
				if f.Fix == "" {
					t.Errorf("%s: no word on what to do", f.Message)
				}
			}
			if diff := cmp.Diff([]string{c.want}, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestCompleteness(t *testing.T) {
	a := action("issue.get", 1)
	text := &ir.Type{Kind: ir.String}
	a.Params = append(a.Params,
		&ir.Param{Name: "labels", In: ir.Query, Description: "Names", Type: &ir.Type{Kind: ir.Array, Items: text}},
		&ir.Param{Name: "search", In: ir.Query, Type: text},
		&ir.Param{Name: "title", In: ir.Query, Type: text, Plain: true})
	b := action("issue.list", 2)
	b.Returns = ""
	got := map[string][2]int{}
	for _, f := range check.Completeness(catalog(a, b)) {
		got[f.Name] = [2]int{f.Count, f.N}
	}
	for name, want := range map[string][2]int{
		"title": {2, 2}, "returns": {1, 2}, "usage": {0, 2},
		"parameter description": {1, 2}, // the path, the enum and the title speak for themselves
	} {
		if got[name] != want {
			t.Errorf("%s: %v, want %v", name, got[name], want)
		}
	}
}

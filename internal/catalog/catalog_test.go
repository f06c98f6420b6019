package catalog_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/catalog/catalogtest"
)

func small() *catalog.Catalog {
	return catalogtest.New(catalogtest.Spec{
		GitLabVersion: "19.2",
		Actions: []catalogtest.Action{
			{ID: "issue.list", Title: "List issues", Path: "/api/v4/issues", Kind: catalog.List, Flags: catalog.Paged, Folded: []string{"x"}, FindSchema: `{"type":"object"}`},
			{ID: "issue.delete", Method: "DELETE", Path: "/api/v4/projects/{id}/issues/{issue_iid}", Risk: catalog.Destroy, Kind: catalog.None, Number: 7,
				Params: []catalogtest.Param{
					{Name: "project_id", Wire: "id", In: catalog.InPath, Type: catalog.TypeID, Flags: catalog.Required},
					{Name: "issue_iid", In: catalog.InPath, Type: catalog.TypeInteger, Flags: catalog.Required},
				}},
			{ID: "issue_link.list", Path: "/api/v4/links", Kind: catalog.List},
			{ID: "commit.create", Method: "POST", Path: "/api/v4/commits", Risk: catalog.Write,
				Params:      []catalogtest.Param{{Name: "force", In: catalog.InBody, Type: catalog.TypeBoolean}, {Name: "message", In: catalog.InBody}},
				DestroyWhen: [][2]string{{"force", "true"}},
				Guidance:    [][2]string{{"force", "overwrites the branch"}},
				Related:     []string{"issue.list", "issue_link.list"},
				Rules:       []catalogtest.Rule{{Rule: "one_of", Params: []string{"force", "message"}}},
				Aliases:     []string{"commit.push"},
			},
			{ID: "server.status", Method: "LOCAL"},
		},
		Aliases: []catalogtest.Alias{
			{Name: "commit.push", Targets: []string{"commit.create"}, Fixed: `{"force":true}`, Rename: [][2]string{{"text", "message"}}, Only: []string{"text"}, From: "ours"},
			{Name: "list", Targets: []string{"issue.list", "issue_link.list"}},
			{Name: "teapot", Note: "there is none"},
		},
		ParamAliases: []catalogtest.ParamAlias{{From: "id", To: "project_id"}, {From: "state", To: "state_event", Actions: []string{"issue.*"}, Values: [][2]string{{"closed", "close"}}}},
		Groups:       []catalogtest.Group{{Name: "plan", Title: "Planning", Domains: []string{"issue", "issue_link"}}},
	})
}

func ids(seq func(func(catalog.Action) bool)) []string {
	var got []string
	for a := range seq {
		got = append(got, a.ID())
	}
	return got
}

func TestByID(t *testing.T) {
	c := small()
	want := []string{"commit.create", "issue.delete", "issue.list", "issue_link.list", "server.status"}
	if diff := cmp.Diff(want, ids(c.All())); diff != "" {
		t.Fatalf("All (-want +got):\n%s", diff)
	}
	for i, id := range want {
		a, ok := c.ByID(id)
		if !ok || a.ID() != id || a.Index() != i || a != c.At(i) || !a.Valid() {
			t.Errorf("ByID(%q) = %v, %v", id, a.Index(), ok)
		}
	}
	for _, id := range []string{"", "issue", "issue.", "issue.listx", "a", "zzz", "commit.push"} {
		if a, ok := c.ByID(id); ok || a.Valid() {
			t.Errorf("ByID(%q) found %s", id, a.ID())
		}
	}
}

func TestInDomain(t *testing.T) {
	c := small()
	for domain, want := range map[string][]string{
		"issue":      {"issue.delete", "issue.list"},
		"issue_link": {"issue_link.list"},
		"server":     {"server.status"},
		"iss":        nil,
		"":           nil,
		"zoo":        nil,
	} {
		if got := ids(c.InDomain(domain)); !slices.Equal(got, want) {
			t.Errorf("InDomain(%q) = %v, want %v", domain, got, want)
		}
	}
	for range c.InDomain("issue") {
		break // stops
	}
}

func TestAction(t *testing.T) {
	c := small()
	a, _ := c.ByID("issue.delete")
	got := fmt.Sprint(a.Domain(), a.Name(), a.Number(), a.Method(), a.Path(), a.Group(), a.Tool(), a.Risk(), a.Kind(), a.Destructive(), a.ReadOnly(), a.Has(catalog.Paged), a.Handler() != nil)
	want := "issue delete 7 DELETE /api/v4/projects/{id}/issues/{issue_iid} plan gitlab_plan destroy none true false false true"
	// Sprint puts blanks between operands that are no strings only.
	if cmp.Diff(fields(want), fields(got)) != "" {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	a, _ = c.ByID("issue.list")
	if !a.ReadOnly() || a.Destructive() || !a.Has(catalog.Paged) || a.Kind() != catalog.List || a.FindSchema() == a.Schema() {
		t.Errorf("issue.list: %v %v %s", a.Risk(), a.Kind(), a.FindSchema())
	}
	if got := slices.Collect(a.Folded()); !slices.Equal(got, []string{"x"}) {
		t.Errorf("Folded = %v", got)
	}
	if a, _ := c.ByID("server.status"); a.Handler() != nil {
		t.Error("a local action has a handler")
	}
}

func fields(s string) string {
	var out []rune
	for _, r := range s {
		if r != ' ' {
			out = append(out, r)
		}
	}
	return string(out)
}

func TestLists(t *testing.T) {
	a, _ := small().ByID("commit.create")
	if got := slices.Collect(a.Related()); !slices.Equal(got, []string{"issue.list", "issue_link.list"}) {
		t.Errorf("Related = %v", got)
	}
	if got := slices.Collect(a.Phrases()); got != nil {
		t.Errorf("Phrases = %v, want none", got)
	}
	if diff := cmp.Diff(map[string]string{"force": "true"}, maps.Collect(a.DestroyWhen())); diff != "" {
		t.Errorf("DestroyWhen (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"force": "overwrites the branch"}, maps.Collect(a.Guidance())); diff != "" {
		t.Errorf("Guidance (-want +got):\n%s", diff)
	}
	n := 0
	for rule, names := range a.Rules() {
		n++
		if got := slices.Collect(names); rule != "one_of" || !slices.Equal(got, []string{"force", "message"}) {
			t.Errorf("Rules: %s %v", rule, got)
		}
	}
	if n != 1 {
		t.Errorf("%d rules, want 1", n)
	}
	if got := slices.Collect(a.Aliases()); !slices.Equal(got, []string{"commit.push"}) {
		t.Errorf("Aliases = %v", got)
	}
}

func TestParams(t *testing.T) {
	a, _ := small().ByID("issue.delete")
	var names []string
	for p := range a.Params() {
		names = append(names, p.Name()+"/"+p.Wire()+"/"+p.In().String()+"/"+p.Type().String())
	}
	if want := []string{"project_id/id/path/id", "issue_iid/issue_iid/path/integer"}; !slices.Equal(names, want) {
		t.Errorf("Params = %v, want %v", names, want)
	}
	p, ok := a.ParamNamed("issue_iid")
	if !ok || !p.Required() || p.Has(catalog.Splat) || p.Encoding() != catalog.Plain || p != a.Param(1) {
		t.Errorf("ParamNamed(issue_iid) = %v, %v", p, ok)
	}
	if _, ok := a.ParamNamed("id"); ok {
		t.Error("ParamNamed finds the wire name")
	}
}

func TestAliases(t *testing.T) {
	c := small()
	al, ok := c.ByAlias("commit.push")
	if !ok || al.NumTargets() != 1 || al.Fixed() != `{"force":true}` || al.From() != "ours" {
		t.Fatalf("ByAlias(commit.push) = %v, %v", al.Fixed(), ok)
	}
	if got := maps.Collect(al.Rename()); got["text"] != "message" || len(got) != 1 {
		t.Errorf("Rename = %v", got)
	}
	if got := slices.Collect(al.Only()); !slices.Equal(got, []string{"text"}) {
		t.Errorf("Only = %v", got)
	}
	al, _ = c.ByAlias("list")
	if got := slices.Collect(al.Targets()); !slices.Equal(got, []string{"issue.list", "issue_link.list"}) {
		t.Errorf("Targets = %v", got)
	}
	if al, _ = c.ByAlias("teapot"); al.NumTargets() != 0 || al.Note() != "there is none" {
		t.Errorf("teapot: %d targets, note %q", al.NumTargets(), al.Note())
	}
	if _, ok := c.ByAlias("issue.list"); ok {
		t.Error("ByAlias finds an id")
	}
	var names []string
	for al := range c.Aliases() {
		names = append(names, al.Name())
	}
	if !slices.Equal(names, []string{"commit.push", "list", "teapot"}) {
		t.Errorf("Aliases = %v", names)
	}
	n := 0
	for pa := range c.ParamAliases() {
		n++
		if pa.From() == "state" {
			if got := slices.Collect(pa.Actions()); !slices.Equal(got, []string{"issue.*"}) || pa.To() != "state_event" || maps.Collect(pa.Values())["closed"] != "close" {
				t.Errorf("parameter alias state: %v", got)
			}
		}
	}
	if n != 2 {
		t.Errorf("%d parameter aliases, want 2", n)
	}
}

func TestGroups(t *testing.T) {
	var got []string
	for g := range small().Groups() {
		got = append(got, g.Name()+":"+fmt.Sprint(slices.Collect(g.Domains())))
	}
	if want := []string{"commit:[commit]", "plan:[issue issue_link]", "server:[server]"}; !slices.Equal(got, want) {
		t.Errorf("Groups = %v, want %v", got, want)
	}
}

// A look-up allocates nothing.
func TestAllocs(t *testing.T) {
	c := small()
	if n := testing.AllocsPerRun(100, func() {
		a, _ := c.ByID("issue.delete")
		_, _ = c.ByAlias("list")
		for p := range a.Params() {
			_ = p.Name()
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestWords(t *testing.T) {
	for want, got := range map[string]string{
		"read": catalog.Read.String(), "destroy": catalog.Destroy.String(), "head": catalog.Head.String(), "object": catalog.Object.String(),
		"local": catalog.InLocal.String(), "file": catalog.TypeFile.String(), "hash": catalog.Hash.String(), "plain": catalog.Plain.String(),
		"unknown": catalog.Risk(9).String(),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func Example() {
	c := catalog.New(catalogtest.Tables(catalogtest.Spec{Actions: []catalogtest.Action{{
		ID: "issue.get", Title: "Get an issue", Method: "GET", Path: "/api/v4/projects/{id}/issues/{issue_iid}",
		Params: []catalogtest.Param{
			{Name: "project_id", Wire: "id", In: catalog.InPath, Type: catalog.TypeID, Flags: catalog.Required},
			{Name: "issue_iid", In: catalog.InPath, Type: catalog.TypeInteger, Flags: catalog.Required},
		},
	}}}))
	a, ok := c.ByID("issue.get")
	fmt.Println(ok, a.Title(), a.Method(), a.Path(), a.Risk())
	for p := range a.Params() {
		fmt.Println(p.Name(), p.Type(), p.Required())
	}
	// Output:
	// true Get an issue GET /api/v4/projects/{id}/issues/{issue_iid} read
	// project_id id true
	// issue_iid integer true
}

package gen_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab-mcp-server/gen/ir"
	"gitlab-mcp-server/gen/schema"
	"gitlab-mcp-server/internal/catalog"
)

// TestTables derives every value that the tables hold from the IR again and
// reads it through the views.
func TestTables(t *testing.T) {
	cat, c := catalogs(t)
	if c.Len() != len(cat.Actions) {
		t.Fatalf("%d actions in the tables, %d in the catalog", c.Len(), len(cat.Actions))
	}
	if c.GitLabVersion() != cat.GitLabVersion || cat.GitLabVersion == "" {
		t.Errorf("GitLab version %q, want %q", c.GitLabVersion(), cat.GitLabVersion)
	}
	aliases := map[string][]string{}
	for _, al := range cat.Aliases {
		if len(al.Targets) == 1 {
			aliases[al.Targets[0]] = append(aliases[al.Targets[0]], al.Name)
		}
	}
	folder := schema.NewFolder(cat)
	for i, a := range cat.Actions {
		got := c.At(i)
		if diff := cmp.Diff(actionFacts(a, folder, aliases[a.ID]), tableFacts(got)); diff != "" {
			t.Errorf("%s (-catalog +tables):\n%s", a.ID, diff)
		}
		if byID, ok := c.ByID(a.ID); !ok || byID != got {
			t.Errorf("ByID(%s) is another action", a.ID)
		}
		if sends := a.Op != nil || a.Document != nil; (got.Handler() != nil) != sends {
			t.Errorf("%s: handler %v, sends a request %v", a.ID, got.Handler() != nil, sends)
		}
	}
}

// actionFacts is what the tables should say of a.
func actionFacts(a *ir.Action, folder *schema.Folder, aliases []string) map[string]any {
	find, folded := folder.Find(a)
	facts := map[string]any{
		"id": a.ID, "domain": a.Domain, "name": a.Name, "group": a.Group, "number": a.Number,
		"method": a.Method, "path": a.UpstreamPath, "content_type": a.ContentType, "keyset": a.Keyset,
		"title": a.Title, "usage": a.Usage, "returns": a.Returns, "tier": a.Tier, "offering": a.Offering,
		"role": a.Role, "scope": a.Scope, "since": a.Since, "source": a.Source, "deprecated": a.Deprecated, "lifecycle": a.Lifecycle,
		"schema": schema.Input(a), "find_schema": find, "output": schema.Output(a),
		"risk": string(a.Risk), "kind": string(a.Kind),
		"related": a.Related, "phrases": a.Phrases, "columns": a.Columns, "folded": folded, "aliases": aliases,
		"guidance": a.Guidance, "operation_id": "",
		"admin": a.Admin, "reveals": a.Reveals, "raw_body": a.RawBody != "", "old": a.NameState == "deprecated",
		"hidden": a.NameState == "deprecated", "added": false,
	}
	if a.Op != nil {
		facts["operation_id"] = a.Op.OperationID
		facts["hidden"] = a.NameState == "deprecated" || a.Op.Deprecated
		facts["added"] = a.Op.Added
	}
	if a.Document != nil {
		facts["result"] = a.Document.Result
	} else {
		facts["result"] = ""
	}
	example := map[string]any{}
	if len(a.Example) > 0 {
		example = plain(a.Example)
	}
	facts["example"] = example
	when := map[string]string{}
	for _, d := range a.DestroyWhen {
		when[d.Param] = d.Value
	}
	facts["destroy_when"] = when
	var params, rules []string
	wires := map[string]bool{}
	for _, p := range a.Params {
		if p.In == ir.Query {
			wires[p.Wire] = true
		}
		kind := ir.Any
		if p.Type != nil && p.Type.Kind != "" {
			kind = p.Type.Kind
		}
		enc := string(p.Encoding)
		if enc == "" {
			enc = "plain"
		}
		params = append(params, fmt.Sprint([]any{
			p.Name, p.Wire, string(p.In), string(kind), enc,
			p.Required, p.Clearable, p.Splat, p.Deprecated, slices.Contains(folded, p.Name),
		}))
	}
	for _, g := range a.Groups {
		rules = append(rules, fmt.Sprint(g.Rule, g.Params))
	}
	facts["params"], facts["rules"], facts["paged"] = params, rules, wires["page"] && wires["per_page"]
	return normal(facts)
}

// tableFacts is what the tables say of a.
func tableFacts(a catalog.Action) map[string]any {
	facts := map[string]any{
		"id": a.ID(), "domain": a.Domain(), "name": a.Name(), "group": a.Group(), "number": a.Number(),
		"method": a.Method(), "path": a.Path(), "content_type": a.ContentType(), "keyset": a.Keyset(), "result": a.Result(),
		"title": a.Title(), "usage": a.Usage(), "returns": a.Returns(), "tier": a.Tier(), "offering": a.Offering(),
		"role": a.Role(), "scope": a.Scope(), "since": a.Since(), "source": a.Source(), "deprecated": a.Deprecated(), "lifecycle": a.Lifecycle(),
		"schema": a.Schema(), "find_schema": a.FindSchema(), "output": a.OutputSchema(),
		"risk": a.Risk().String(), "kind": a.Kind().String(),
		"related": slices.Collect(a.Related()), "phrases": slices.Collect(a.Phrases()), "columns": slices.Collect(a.Columns()),
		"folded": slices.Collect(a.Folded()), "aliases": slices.Collect(a.Aliases()),
		"guidance": maps.Collect(a.Guidance()), "operation_id": a.OperationID(),
		"admin": a.Has(catalog.Admin), "reveals": a.Has(catalog.Reveals), "raw_body": a.Has(catalog.RawBody), "old": a.Has(catalog.NameIsOld),
		"hidden": a.Has(catalog.Hidden), "added": a.Has(catalog.Added), "paged": a.Has(catalog.Paged),
		"destroy_when": maps.Collect(a.DestroyWhen()),
	}
	example := map[string]any{}
	if a.Example() != "" {
		if err := json.Unmarshal([]byte(a.Example()), &example); err != nil {
			facts["example error"] = err.Error()
		}
	}
	facts["example"] = example
	var params, rules []string
	for p := range a.Params() {
		params = append(params, fmt.Sprint([]any{
			p.Name(), p.Wire(), p.In(), p.Type(), p.Encoding(),
			p.Required(), p.Has(catalog.Clearable), p.Has(catalog.Splat), p.Has(catalog.ParamDeprecated), p.Has(catalog.FoldedParam),
		}))
	}
	for rule, names := range a.Rules() {
		rules = append(rules, fmt.Sprint(rule, slices.Collect(names)))
	}
	facts["params"], facts["rules"] = params, rules
	return normal(facts)
}

// plain is v as JSON reads it back.
func plain(v map[string]any) map[string]any {
	js, err := json.Marshal(v)
	if err != nil {
		return map[string]any{"error": err.Error()}
	}
	out := map[string]any{}
	if err := json.Unmarshal(js, &out); err != nil {
		return map[string]any{"error": err.Error()}
	}
	return out
}

// normal leaves out what is empty: no list and an empty one say the same.
func normal(facts map[string]any) map[string]any {
	for k, v := range facts {
		switch v := v.(type) {
		case []string:
			if len(v) == 0 {
				delete(facts, k)
			}
		case map[string]string:
			if len(v) == 0 {
				delete(facts, k)
			}
		}
	}
	return facts
}

// TestNameTables does the same for aliases and groups.
func TestNameTables(t *testing.T) {
	cat, c := catalogs(t)
	var want, got []string
	for _, al := range cat.Aliases {
		fixed := "{}"
		if len(al.Fixed) > 0 {
			fixed = quoted(plain(al.Fixed))
		}
		want = append(want, fmt.Sprint(al.Name, al.Targets, fixed, al.Rename, al.Only, al.Note, al.From))
	}
	for al := range c.Aliases() {
		fixed := map[string]any{}
		if al.Fixed() != "" {
			if err := json.Unmarshal([]byte(al.Fixed()), &fixed); err != nil {
				t.Errorf("alias %s: %v", al.Name(), err)
			}
		}
		got = append(got, fmt.Sprint(al.Name(), slices.Collect(al.Targets()), quoted(fixed), maps.Collect(al.Rename()), slices.Collect(al.Only()), al.Note(), al.From()))
		if found, ok := c.ByAlias(al.Name()); !ok || found != al {
			t.Errorf("ByAlias(%s) is another alias", al.Name())
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("aliases (-catalog +tables):\n%s", diff)
	}
	want, got = nil, nil
	for _, pa := range cat.ParamAliases {
		want = append(want, fmt.Sprint(pa.From, pa.To, pa.Actions, pa.Values))
	}
	for pa := range c.ParamAliases() {
		got = append(got, fmt.Sprint(pa.From(), pa.To(), slices.Collect(pa.Actions()), maps.Collect(pa.Values())))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("parameter aliases (-catalog +tables):\n%s", diff)
	}
	want, got = nil, nil
	for _, g := range cat.Groups {
		want = append(want, fmt.Sprint(g.Name, g.Title, g.Domains))
	}
	for g := range c.Groups() {
		got = append(got, fmt.Sprint(g.Name(), g.Title(), slices.Collect(g.Domains())))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("groups (-catalog +tables):\n%s", diff)
	}
}

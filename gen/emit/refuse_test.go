package emit

import (
	"strings"
	"testing"

	"gitlab-mcp-server/gen/ir"
	"gitlab-mcp-server/internal/token"
)

// What cannot be rendered is an error that names the action, never a handler
// that sends something else.
func TestGoRefuses(t *testing.T) {
	for _, tc := range []struct {
		name  string
		spoil func(c *ir.Catalog, a *ir.Action) // a is issue.list
		want  string
	}{
		{"unknown place in the path", func(_ *ir.Catalog, a *ir.Action) { a.WirePath = "/api/v4/projects/{id}/issues" }, "issue.list: wire path /api/v4/projects/{id}/issues: no path parameter fills {id}"},
		{"parameter without a place", func(_ *ir.Catalog, a *ir.Action) { a.WirePath = "/api/v4/issues" }, "no place for path parameter project_id"},
		{"parameter with two places", func(_ *ir.Catalog, a *ir.Action) { a.WirePath += "/{project_id}" }, "no path parameter fills {project_id}"},
		{"open brace", func(_ *ir.Catalog, a *ir.Action) { a.WirePath += "/{x" }, "not closed"},
		{"stray brace", func(_ *ir.Catalog, a *ir.Action) { a.WirePath += "/x}" }, "no literal"},
		{"file in a query", func(_ *ir.Catalog, a *ir.Action) {
			a.Params = append(a.Params, newParam("f", ir.Query, typ(ir.FileVal)))
		}, "parameter f: a file travels in a body only"},
		{"object in a path", func(_ *ir.Catalog, a *ir.Action) { a.Params[0].Type = typ(ir.Boolean) }, "parameter project_id: a path takes strings and integers only"},
		{"array of files", func(_ *ir.Catalog, a *ir.Action) {
			a.Params = append(a.Params, newParam("f", ir.BodyIn, arrayOf(typ(ir.FileVal))))
		}, "an array of files"},
		{"unknown kind", func(_ *ir.Catalog, a *ir.Action) { a.Params = append(a.Params, newParam("f", ir.BodyIn, typ("blob"))) }, `unknown kind "blob"`},
		{"header parameter", func(_ *ir.Catalog, a *ir.Action) {
			a.Params = append(a.Params, newParam("f", ir.Header, typ(ir.String)))
		}, "parameter f: no action takes a header"},
		{"body that is no object", func(_ *ir.Catalog, a *ir.Action) { a.Op.Body = &ir.Body{Whole: typ(ir.String)} }, "the body is no object"},
		{"no risk", func(_ *ir.Catalog, a *ir.Action) { a.Risk = "" }, `issue.list: unknown risk ""`},
		{"no kind", func(_ *ir.Catalog, a *ir.Action) { a.Kind = "" }, `issue.list: unknown kind ""`},
		{"no group", func(_ *ir.Catalog, a *ir.Action) { a.Group = "none" }, `issue.list: no group "none"`},
		{"unsorted actions", func(c *ir.Catalog, _ *ir.Action) { c.Actions[0], c.Actions[1] = c.Actions[1], c.Actions[0] }, "not sorted"},
		{"unsorted aliases", func(c *ir.Catalog, _ *ir.Action) { c.Aliases[0].Name = "z" }, "not sorted"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := small()
			for _, a := range c.Actions {
				if a.ID == "issue.list" {
					tc.spoil(c, a)
				}
			}
			_, err := Go(c, &token.Index{})
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("Go: %v, want an error with %q", err, tc.want)
			}
		})
	}
}

func TestNames(t *testing.T) {
	for _, tc := range []struct{ in, exported, unexported string }{
		{"project_id", "ProjectID", "projectID"},
		{"iids", "IIDs", "iids"},
		{"issue.list_all", "IssueListAll", "issueListAll"},
		{"ci_variable.get", "CIVariableGet", "ciVariableGet"},
		{"2fa", "X2fa", "x2fa"},
		{"export-url", "ExportURL", "exportURL"},
		{"xray", "Xray", "xray"},
		{"ümlaut", "Mlaut", "mlaut"},
		{"", "X", "x"},
	} {
		if got := exported(tc.in); got != tc.exported {
			t.Errorf("exported(%q) = %q, want %q", tc.in, got, tc.exported)
		}
		if got := unexported(tc.in); got != tc.unexported {
			t.Errorf("unexported(%q) = %q, want %q", tc.in, got, tc.unexported)
		}
	}
}

// Two ids that meet in one Go name get two functions.
func TestNamesCollide(t *testing.T) {
	c := small()
	base := *c.Actions[len(c.Actions)-1] // version.get
	one, two := base, base
	one.ID, one.Domain, one.Name = "zoo.pen_get", "zoo", "pen_get"
	two.ID, two.Domain, two.Name = "zoo_pen.get", "zoo_pen", "get"
	c.Actions = append(c.Actions, &one, &two)
	m, err := newModel(c)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := m.handlers[one.ID], m.handlers[two.ID]; a != "zooPenGet" || b != "zooPen_Get" {
		t.Errorf("handlers are %s and %s", a, b)
	}
}

// Two runs give the same bytes.
func TestGoIsPure(t *testing.T) {
	first, err := Go(small(), &token.Index{})
	if err != nil {
		t.Fatal(err)
	}
	second, err := Go(small(), &token.Index{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range first {
		if first[i].Name != second[i].Name || string(first[i].Data) != string(second[i].Data) {
			t.Errorf("%s differs between two runs", first[i].Name)
		}
	}
}

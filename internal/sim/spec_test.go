package sim

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"gitlab-mcp-server/internal/catalog"
)

// repaired are actions whose requests differ from GitLab's document on purpose.
func repaired() map[string]string {
	const (
		jsonBody = "the document has the form of an upload here; GitLab takes JSON"
		paths    = "the document wants a number; GitLab takes a path too"
		headBody = "the document wants a body of a HEAD"
	)
	return map[string]string{
		"commit.create":                  jsonBody,
		"file.create":                    jsonBody,
		"file.update":                    jsonBody,
		"file.get_metadata":              headBody,
		"file.get_blame_metadata":        headBody,
		"epic_issue.assign":              "the document calls the path parameter otherwise than the path",
		"pipeline_trigger.run":           "the document wants ref in an optional part of the path",
		"project.unshare_group":          paths,
		"project_member.import":          paths,
		"zoekt.index_project":            paths,
		"zoekt_indexed_namespace.create": paths,
		"zoekt_indexed_namespace.delete": paths,
	}
}

// What the simulation takes, GitLab's own document takes: the example of every
// action, judged by an independent reader of the document.
func TestSpec(t *testing.T) {
	data, err := os.ReadFile("../../specs/gitlab/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(data)
	if err != nil {
		t.Fatal(err)
	}
	cat := fullCatalog()
	root := buildRoutes(cat)
	known := repaired()
	for a := range cat.All() {
		if a.Handler() == nil || a.Path() == "" || a.Has(catalog.Added) {
			continue
		}
		req, err := request(a, cmp.Or(a.Example(), "{}"))
		if err != nil {
			t.Errorf("%s: %v", a.ID(), err)
			continue
		}
		item := doc.Paths.Value(a.Path())
		if item == nil || item.GetOperation(a.Method()) == nil {
			t.Errorf("%s: the document has no %s %s", a.ID(), a.Method(), a.Path())
			continue
		}
		segs, err := splitPath(req.URL.EscapedPath())
		if err != nil {
			t.Errorf("%s: %v", a.ID(), err)
			continue
		}
		r, at := choose(root.lookup(segs), a.Method())
		if r == nil || r.action != a {
			t.Errorf("%s: %s finds another route", a.ID(), req.RequestURI)
			continue
		}
		err = validate(doc, item, a, req, r.read(at))
		switch {
		case err == nil && known[a.ID()] != "":
			t.Errorf("%s: accepted; take it off the list", a.ID())
		case err != nil && known[a.ID()] == "":
			t.Errorf("%s: %s %s: %v", a.ID(), req.Method, req.RequestURI, strings.ReplaceAll(err.Error(), "\n", " "))
		}
		delete(known, a.ID())
	}
	for id, why := range known {
		t.Errorf("%s was not judged (%s)", id, why)
	}
}

// validate judges a request by the document, with the repairs that hold for all
// operations.
func validate(doc *openapi3.T, item *openapi3.PathItem, a catalog.Action, req *http.Request, path map[string]string) error {
	op := *item.GetOperation(a.Method())
	op.Parameters = repairParameters(a, op.Parameters)
	op.RequestBody = repairBody(a, op.RequestBody)
	// Lists travel as name[]=a, which the document calls name.
	req.URL.RawQuery = strings.ReplaceAll(req.URL.RawQuery, "[]=", "=")
	return openapi3filter.ValidateRequest(context.Background(), &openapi3filter.RequestValidationInput{
		Request: req, PathParams: path,
		Route:   &routers.Route{Spec: doc, Path: a.Path(), PathItem: item, Method: a.Method(), Operation: &op},
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, MultiError: true},
	})
}

// repairParameters gives path parameters without a type one, lets the ids of
// projects and groups be paths, and forgets formats and patterns, which are
// GitLab's to judge. What the catalog does not require is not required here: too
// strict a document is one of the things that the catalog repairs.
func repairParameters(a catalog.Action, ps openapi3.Parameters) openapi3.Parameters {
	out := openapi3.Parameters{}
	for _, ref := range ps {
		p := *ref.Value
		p.Required = p.In == "path" || requires(a, p.Name)
		s := p.Schema
		if p.In == "path" && (s == nil || s.Value == nil || s.Value.Type == nil && len(s.Value.OneOf) == 0 || p.Name == "id" && s.Value.Type.Is("integer")) {
			p.Schema = openapi3.NewSchemaRef("", openapi3.NewStringSchema())
		} else if p.Schema.Value.Type.Is("string") {
			free := *p.Schema.Value
			free.Format, free.Pattern = "", ""
			p.Schema = openapi3.NewSchemaRef("", &free)
		}
		out = append(out, &openapi3.ParameterRef{Value: &p})
	}
	return out
}

// repairBody lets a form without a required file come as JSON, and lists that
// travel as text with commas be texts.
func repairBody(a catalog.Action, ref *openapi3.RequestBodyRef) *openapi3.RequestBodyRef {
	if ref == nil || ref.Value == nil {
		return ref
	}
	body := *ref.Value
	body.Content = openapi3.Content{}
	for media, original := range ref.Value.Content {
		content := openapi3.NewMediaType().WithSchema(withCommas(a, original.Schema.Value))
		body.Content[media] = content
		needsFile := false
		for _, name := range original.Schema.Value.Required {
			p := original.Schema.Value.Properties[name]
			needsFile = needsFile || p != nil && p.Value.Format == "binary"
		}
		if media != "application/json" && !needsFile {
			body.Content["application/json"] = content
		}
	}
	return &openapi3.RequestBodyRef{Value: &body}
}

func withCommas(a catalog.Action, s *openapi3.Schema) *openapi3.Schema {
	out := *s
	out.Properties = maps.Clone(s.Properties)
	out.Required = slices.DeleteFunc(slices.Clone(s.Required), func(name string) bool { return !requires(a, name) })
	for p := range a.Params() {
		if p.In() == catalog.InBody && p.Encoding() == catalog.Comma && out.Properties[p.Wire()] != nil {
			out.Properties[p.Wire()] = openapi3.NewSchemaRef("", openapi3.NewStringSchema())
		}
	}
	return &out
}

// requires reports whether the catalog requires an argument.
func requires(a catalog.Action, wire string) bool {
	for p := range a.Params() {
		if p.Wire() == wire && p.Required() {
			return true
		}
	}
	return false
}

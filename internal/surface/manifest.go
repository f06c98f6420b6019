package surface

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/policy"
	"gitlab-mcp-server/internal/search"
)

// Manifest is the JSON of gitlab://tools: every action of the filtered catalog.
func (e *Engine) Manifest() []byte {
	allowed := e.Policy.Filter()
	o := object{B: make([]byte, 0, 320*e.Catalog.Len())}
	o.text("surface", "dynamic")
	o.text("server_version", e.Version)
	o.text("gitlab_spec", e.Catalog.GitLabVersion())
	o.texts("tools", slices.Values([]string{findTool, executeTool}))
	o.key("actions")
	o.B = append(o.B, '[')
	first := true
	for a := range e.Catalog.All() {
		if !allowed(a.Index()) {
			continue
		}
		if !first {
			o.B = append(o.B, ',')
		}
		first = false
		facts := object{B: o.B}
		facts.facts(a)
		o.B = facts.end()
	}
	o.B = append(o.B, ']')
	return o.end()
}

// facts are the members that the list and the single action have in common.
func (o *object) facts(a catalog.Action) {
	o.text("id", a.ID())
	o.text("title", a.Title())
	o.text("domain", a.Domain())
	o.text("method", a.Method())
	o.text("path", a.Path())
	o.boolean("destructive", a.Destructive())
	o.boolean("read_only", a.ReadOnly())
	o.texts("required_params", requiredParams(a))
	o.optional("tier", a.Tier())
	o.optional("deprecated", a.Deprecated())
}

// Dump is the JSON of the filtered catalog for programs, and for comparing two
// releases: the manifest, and for each action what callers depend on.
func (e *Engine) Dump(domain string) []byte {
	allowed := e.Policy.Filter()
	o := object{B: make([]byte, 0, 1024*e.Catalog.Len())}
	o.text("server_version", e.Version)
	o.text("gitlab_spec", e.Catalog.GitLabVersion())
	o.key("actions")
	o.B = append(o.B, '[')
	first := true
	actions := e.Catalog.All()
	if domain != "" {
		actions = e.Catalog.InDomain(domain)
	}
	for a := range actions {
		if !allowed(a.Index()) {
			continue
		}
		if !first {
			o.B = append(o.B, ',')
		}
		first = false
		facts := object{B: o.B}
		facts.facts(a)
		facts.number("number", a.Number())
		facts.text("risk", a.Risk().String())
		facts.text("kind", a.Kind().String())
		facts.texts("aliases", a.Aliases())
		facts.raw("input_schema", a.Schema())
		o.B = facts.end()
	}
	o.B = append(o.B, ']')
	return o.end()
}

// Describe is the JSON of gitlab://tools/{id}.
func (e *Engine) Describe(a catalog.Action) []byte {
	o := object{B: make([]byte, 0, 2048+len(a.Schema())+len(a.OutputSchema()))}
	o.facts(a)
	o.text("action", a.Name())
	o.text("offering", a.Offering())
	o.boolean("admin", a.Has(catalog.Admin))
	o.text("scope", policy.ScopeOf(a))
	for _, known := range [...][2]string{{"role", a.Role()}, {"since", a.Since()}, {"lifecycle", a.Lifecycle()}, {"source", a.Source()}} {
		if known[1] != "" {
			o.text(known[0], known[1])
		}
	}
	o.text("returns", a.Returns())
	o.text("usage", a.Usage())
	o.texts("related_actions", e.related(a, e.Policy.Filter()))
	o.pairs("parameter_guidance", a.Guidance())
	o.texts("aliases", a.Aliases())
	o.example(a)
	o.raw("input_schema", a.Schema())
	o.key("parameters")
	o.B = append(o.B, '[')
	first := true
	for p := range a.Params() {
		if !first {
			o.B = append(o.B, ',')
		}
		first = false
		param := object{B: o.B}
		param.text("name", p.Name())
		param.text("in", p.In().String())
		param.text("wire_name", p.Wire())
		param.boolean("required", p.Required())
		o.B = param.end()
	}
	o.B = append(o.B, ']')
	output := a.OutputSchema()
	if output == "" {
		output = "{}"
	}
	o.raw("output_schema", output)
	return o.end()
}

// NotFound is why a name or a URI stands for no action of this caller.
type NotFound struct {
	Name string
	Why  string   // it is known, but …
	Near []string // ids that were perhaps meant
}

// Error names the near ids.
func (n *NotFound) Error() string {
	var b strings.Builder
	b.WriteString("no action " + strconv.Quote(n.Name))
	if n.Why != "" {
		b.WriteString(": " + n.Why)
	}
	if len(n.Near) > 0 {
		b.WriteString("; near: " + strings.Join(n.Near, ", "))
	}
	return b.String()
}

// Lookup finds an action by id or unique alias. The error is a *NotFound.
func (e *Engine) Lookup(ctx context.Context, name string) (catalog.Action, error) {
	a, ok := e.Catalog.ByID(name)
	if !ok {
		alias, found := e.Catalog.ByAlias(name)
		if found {
			targets := slices.Collect(alias.Targets())
			if len(targets) != 1 {
				return a, &NotFound{Name: name, Why: cmp.Or(alias.Note(), "the name is ambiguous"), Near: e.existing(targets)}
			}
			a, ok = e.Catalog.ByID(targets[0])
		}
	}
	if !ok {
		return a, &NotFound{Name: name, Near: e.near(ctx, name)}
	}
	if why := e.Policy.Why(a); why.Code != policy.Allowed {
		return a, &NotFound{Name: name, Why: "it exists, but " + why.Text}
	}
	return a, nil
}

// existing drops the ids that are withheld from this caller.
func (e *Engine) existing(ids []string) []string {
	return slices.DeleteFunc(ids, func(id string) bool {
		a, ok := e.Catalog.ByID(id)
		return !ok || !e.Policy.Allowed(a)
	})
}

// maxNear is the number of near ids that an error names.
const maxNear = 5

// near are ids that resemble a name, by its words.
func (e *Engine) near(ctx context.Context, name string) []string {
	words := strings.Join(strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("._-/: ", r) }), " ")
	if runes := []rune(words); len(runes) > search.MaxQuery {
		words = string(runes[:search.MaxQuery])
	}
	found, err := e.Finder.Search(ctx, words, search.Options{Limit: maxNear, Allow: e.Policy.Filter()})
	if err != nil {
		return nil // a name without words resembles nothing
	}
	var ids []string
	for _, h := range found.Hits {
		ids = append(ids, e.Catalog.At(h.Index).ID())
	}
	return ids
}

// Resource is the JSON behind a URI of the manifest. The error is a *NotFound.
func (e *Engine) Resource(ctx context.Context, uri string) ([]byte, error) {
	if uri == manifestURI || uri == uriPrefix {
		return e.Manifest(), nil
	}
	name, ok := strings.CutPrefix(uri, uriPrefix)
	if !ok {
		return nil, &NotFound{Name: uri, Why: "resources are " + manifestURI + " and " + uriPrefix + "{id}"}
	}
	if plain, err := url.PathUnescape(name); err == nil {
		name = plain
	}
	a, err := e.Lookup(ctx, name)
	if err != nil {
		return nil, err
	}
	return e.Describe(a), nil
}

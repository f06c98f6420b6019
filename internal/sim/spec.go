package sim

import (
	"maps"
	"slices"
	"strings"

	"gitlab-mcp-server/internal/catalog"
)

// spec is what the catalog says of an action's request, in the form in which
// requests are checked.
type spec struct {
	query   map[string]*param // by wire name
	body    map[string]*param
	path    map[string]*param // by the placeholder's name
	rules   []rule
	hasFile bool // a file is required
	output  *object
}

// param is one argument with the schema of its values.
type param struct {
	catalog.Param
	schema *object
}

// rule is a rule over several arguments, by their wire names.
type rule struct {
	name  string
	names []string
}

// contract is what the catalog says of r's request, read once.
func (r *route) contract() *spec {
	if r.spec == nil {
		r.spec = newSpec(r)
	}
	return r.spec
}

func newSpec(r *route) *spec {
	s := &spec{query: map[string]*param{}, body: map[string]*param{}, path: map[string]*param{}}
	if !r.action.Valid() {
		return s
	}
	schema, _ := decode(r.action.Schema()).(*object)
	if out := r.action.OutputSchema(); out != "" {
		s.output, _ = decode(out).(*object)
	}
	wire := map[string]string{}
	var loose []*param
	for p := range r.action.Params() {
		wire[p.Name()] = p.Wire()
		q := &param{p, schema.sub("properties").sub(p.Name())}
		switch p.In() {
		case catalog.InPath:
			loose = append(loose, q)
		case catalog.InQuery:
			s.query[p.Wire()] = q
		case catalog.InBody, catalog.InFile:
			s.body[p.Wire()] = q
			s.hasFile = s.hasFile || p.In() == catalog.InFile && p.Required()
		}
	}
	s.bindPath(r, loose)
	for name, params := range r.action.Rules() {
		ru := rule{name: name}
		for p := range params {
			ru.names = append(ru.names, wire[p])
		}
		s.rules = append(s.rules, ru)
	}
	return s
}

// bindPath maps placeholders to arguments: by upstream's name, and the one that
// is left over to the argument that is left over.
func (s *spec) bindPath(r *route, params []*param) {
	var holders []string
	for _, p := range r.pieces {
		holders = append(holders, p.params...)
	}
	for _, h := range holders {
		if i := slices.IndexFunc(params, func(p *param) bool { return p.Wire() == h }); i >= 0 {
			s.path[h] = params[i]
		}
	}
	params = slices.DeleteFunc(params, func(p *param) bool { return s.path[p.Wire()] == p })
	holders = slices.DeleteFunc(holders, func(h string) bool { return s.path[h] != nil })
	if len(params) == 1 && len(holders) == 1 {
		s.path[holders[0]] = params[0]
	}
}

// names are the sorted wire names, for messages.
func names(m map[string]*param) string {
	return strings.Join(sortedNames(m), ", ")
}

// properties of a schema, nil if it has none.
func properties(schema *object) *object {
	if schema == nil {
		return nil
	}
	return schema.sub("properties")
}

func sortedNames(m map[string]*param) []string { return slices.Sorted(maps.Keys(m)) }

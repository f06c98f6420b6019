// Package catalogtest builds small catalogs by hand for tests of the packages
// that read a catalog: what the generator writes for all of GitLab, a test
// writes for the three actions it needs.
//
// It is not for programs, and it checks nothing that the generator checks.
package catalogtest

import (
	"cmp"
	"slices"
	"strings"

	"gitlab-mcp-server/internal/catalog"
)

// Spec is a catalog in plain structs. Actions and aliases may stand in any order.
type Spec struct {
	Actions       []Action
	Aliases       []Alias
	ParamAliases  []ParamAlias
	Groups        []Group // groups that no entry names are made from the domains
	Index         catalog.Index
	GitLabVersion string
}

// Action is one action. Domain and Name come from ID; Method defaults to GET.
// A zero Schema is derived from Params, a nil Handler is Generic of the action
// unless the method is LOCAL or GRAPHQL, and Group defaults to the domain.
type Action struct {
	ID, Title, Method, Path, OperationID string
	Usage, Returns, Scope, Tier          string
	Offering, Since, Source, Role        string
	Deprecated, Lifecycle, Example       string
	Keyset, ContentType, Group           string
	Schema, FindSchema, OutputSchema     string
	Params                               []Param
	Related, Phrases, Columns            []string
	Folded, Aliases                      []string
	Guidance, DestroyWhen                [][2]string
	Rules                                []Rule
	Risk                                 catalog.Risk
	Kind                                 catalog.Kind
	Flags                                catalog.Flags
	Number                               int
	Handler                              catalog.Handler
}

// Param is one argument; Wire defaults to Name.
type Param struct {
	Name, Wire string
	In         catalog.In
	Type       catalog.Type
	Encoding   catalog.Encoding
	Flags      catalog.ParamFlags
	Enum       []string // used by the derived schema and Generic only
}

// Rule is a rule over several parameters.
type Rule struct {
	Rule   string
	Params []string
}

// Alias is another name of one or several actions.
type Alias struct {
	Name       string
	Targets    []string
	By         [][2]string
	Fixed      string
	Rename     [][2]string
	Only       []string
	Note, From string
}

// ParamAlias is another name of a parameter.
type ParamAlias struct {
	From, To string
	Actions  []string // ids or globs; none: everywhere
	Values   [][2]string
}

// Group is a group of domains.
type Group struct {
	Name, Title string
	Domains     []string
}

// New gives the catalog of s.
func New(s Spec) *catalog.Catalog { return catalog.New(Tables(s)) }

// Tables gives the tables of s.
func Tables(s Spec) *catalog.Tables {
	b := &builder{t: &catalog.Tables{Index: s.Index, GitLabVersion: s.GitLabVersion}, strs: map[string]catalog.Str{}}
	b.str("") // line 0, which the zero Str means
	b.t.ListEnds = []uint32{0}
	actions := slices.SortedFunc(slices.Values(s.Actions), func(x, y Action) int { return cmp.Compare(x.ID, y.ID) })
	for i := range actions {
		a := &actions[i]
		if a.Method == "" {
			a.Method = "GET"
		}
		if a.Group == "" {
			a.Group = groupOf(s.Groups, domain(a.ID))
		}
	}
	groups := b.groups(s.Groups, actions)
	for i := range actions {
		b.action(&actions[i], groups)
	}
	aliases := slices.SortedFunc(slices.Values(s.Aliases), func(x, y Alias) int { return cmp.Compare(x.Name, y.Name) })
	for _, a := range aliases {
		b.t.Aliases = append(b.t.Aliases, catalog.AliasRow{
			Name: b.str(a.Name), Targets: b.list(a.Targets), By: b.pairs(a.By), Fixed: b.str(a.Fixed),
			Rename: b.pairs(a.Rename), Only: b.list(a.Only), Note: b.str(a.Note), From: b.str(a.From),
		})
	}
	for _, a := range s.ParamAliases {
		b.t.ParamAliases = append(b.t.ParamAliases, catalog.ParamAliasRow{
			From: b.str(a.From), To: b.str(a.To), Actions: b.list(a.Actions), Values: b.pairs(a.Values),
		})
	}
	b.t.Text = b.text.String()
	b.t.Schemas, b.t.Outputs = b.schemas.String(), b.outputs.String()
	return b.t
}

type builder struct {
	t                      *catalog.Tables
	text, schemas, outputs strings.Builder
	strs                   map[string]catalog.Str
}

func domain(id string) string {
	d, _, _ := strings.Cut(id, ".")
	return d
}

func groupOf(groups []Group, domain string) string {
	for _, g := range groups {
		if slices.Contains(g.Domains, domain) {
			return g.Name
		}
	}
	return domain
}

func (b *builder) groups(given []Group, actions []Action) []string {
	all := slices.Clone(given)
	for _, a := range actions {
		i := slices.IndexFunc(all, func(g Group) bool { return g.Name == a.Group })
		if i < 0 {
			all = append(all, Group{Name: a.Group, Title: a.Group, Domains: []string{domain(a.ID)}})
		} else if !slices.Contains(all[i].Domains, domain(a.ID)) {
			all[i].Domains = append(slices.Clone(all[i].Domains), domain(a.ID))
		}
	}
	slices.SortFunc(all, func(x, y Group) int { return cmp.Compare(x.Name, y.Name) })
	var names []string
	for _, g := range all {
		names = append(names, g.Name)
		b.t.Groups = append(b.t.Groups, catalog.GroupRow{Name: b.str(g.Name), Title: b.str(g.Title), Domains: b.list(g.Domains)})
	}
	return names
}

func (b *builder) action(a *Action, groups []string) {
	dom, name, _ := strings.Cut(a.ID, ".")
	schema := cmp.Or(a.Schema, deriveSchema(a.Params))
	row := catalog.Row{
		ID: b.str(a.ID), Domain: b.str(dom), Name: b.str(name), Title: b.str(cmp.Or(a.Title, a.ID)),
		Method: b.str(a.Method), Path: b.str(a.Path), OperationID: b.str(a.OperationID),
		Usage: b.str(a.Usage), Returns: b.str(a.Returns), Scope: b.str(a.Scope), Tier: b.str(cmp.Or(a.Tier, "free")),
		Offering: b.str(cmp.Or(a.Offering, "all")), Since: b.str(a.Since), Source: b.str(a.Source), Role: b.str(a.Role),
		Deprecated: b.str(a.Deprecated), Lifecycle: b.str(a.Lifecycle), Example: b.str(cmp.Or(a.Example, "{}")),
		Keyset: b.str(a.Keyset), ContentType: b.str(a.ContentType),
		Group: uint32(slices.Index(groups, a.Group)), Number: uint32(a.Number),
		Schema: catalog.Line(addLine(&b.schemas, &b.t.SchemaEnds, schema)), FindSchema: catalog.Line(addLine(&b.schemas, &b.t.SchemaEnds, cmp.Or(a.FindSchema, schema))),
		Output:  catalog.Line(addLine(&b.outputs, &b.t.OutputEnds, cmp.Or(a.OutputSchema, `{"type":"object","properties":{}}`))),
		Related: b.list(a.Related), Phrases: b.list(a.Phrases), Columns: b.list(a.Columns), Folded: b.list(a.Folded), Aliases: b.list(a.Aliases),
		Guidance: b.pairs(a.Guidance), DestroyWhen: b.pairs(a.DestroyWhen),
		Risk: a.Risk, Kind: a.Kind, Flags: a.Flags,
	}
	row.Params = catalog.Run{Off: uint32(len(b.t.Params)), Len: uint32(len(a.Params))}
	for _, p := range a.Params {
		b.t.Params = append(b.t.Params, catalog.ParamRow{
			Name: b.str(p.Name), Wire: b.str(cmp.Or(p.Wire, p.Name)),
			In: p.In, Type: p.Type, Encoding: p.Encoding, Flags: p.Flags,
		})
	}
	row.Rules = catalog.Run{Off: uint32(len(b.t.Rules)), Len: uint32(len(a.Rules))}
	for _, r := range a.Rules {
		b.t.Rules = append(b.t.Rules, catalog.RuleRow{Rule: b.str(r.Rule), Params: b.list(r.Params)})
	}
	handler := a.Handler
	if handler == nil && a.Method != "LOCAL" && a.Method != "GRAPHQL" {
		handler = Generic(*a)
	}
	b.t.Rows = append(b.t.Rows, row)
	b.t.Handlers = append(b.t.Handlers, handler)
}

func (b *builder) str(s string) catalog.Str {
	if n, ok := b.strs[s]; ok {
		return n
	}
	n := catalog.Str(addLine(&b.text, &b.t.TextEnds, s))
	b.strs[s] = n
	return n
}

func (b *builder) list(ss []string) catalog.Strs {
	if len(ss) == 0 {
		return 0
	}
	for _, s := range ss {
		b.t.Lists = append(b.t.Lists, b.str(s))
	}
	b.t.ListEnds = append(b.t.ListEnds, uint32(len(b.t.Lists)))
	return catalog.Strs(len(b.t.ListEnds) - 1)
}

func (b *builder) pairs(ps [][2]string) catalog.Strs {
	var flat []string
	for _, p := range ps {
		flat = append(flat, p[0], p[1])
	}
	return b.list(flat)
}

func addLine(b *strings.Builder, ends *[]uint32, line string) uint32 {
	b.WriteString(line)
	*ends = append(*ends, uint32(b.Len()))
	b.WriteByte('\n')
	return uint32(len(*ends) - 1)
}

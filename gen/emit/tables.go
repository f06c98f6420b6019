package emit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"gitlab-mcp-server/gen/ir"
	"gitlab-mcp-server/gen/schema"
)

// tables is the catalog as numbers: what package catalog reads.
type tables struct {
	version string
	text    interner
	lists   *lists
	schemas interner
	outputs interner

	rows         []row
	params       []param
	rules        []pair
	aliases      []row
	paramAliases []row
	groups       []row
}

// row is one struct of a table: its comment, and the fields in order. Fields
// whose value is zero are not written.
type row struct {
	id     string
	fields []cell
}

// cell is a field and its value, both Go source.
type cell struct{ name, value string }

func (r *row) num(name string, n uint32) {
	if n != 0 {
		r.fields = append(r.fields, cell{name, fmt.Sprint(n)})
	}
}

func (r *row) ident(name, value string) {
	r.fields = append(r.fields, cell{name, value})
}

// param is one row of the table of arguments.
type param struct {
	name, wire         uint32
	in, typ, enc, flag string // constants of package catalog, "" for zero
}

// pair is a row of two numbers.
type pair [2]uint32

func newTables(c *ir.Catalog, m *model) (*tables, error) {
	t := &tables{version: c.GitLabVersion, lists: newLists()}
	t.text.line("") // line 0, which the zero Str means
	t.outputs.line("")
	groups := map[string]uint32{}
	for i, g := range c.Groups {
		groups[g.Name] = uint32(i)
		var r row
		r.num("Name", t.str(g.Name))
		r.num("Title", t.str(g.Title))
		r.num("Domains", t.list(g.Domains))
		t.groups = append(t.groups, r)
	}
	unique := map[string][]string{} // by id: names that mean this action alone
	for _, al := range c.Aliases {
		if len(al.Targets) == 1 {
			unique[al.Targets[0]] = append(unique[al.Targets[0]], al.Name)
		}
	}
	folder := schema.NewFolder(c)
	for i, a := range c.Actions {
		if i > 0 && c.Actions[i-1].ID >= a.ID {
			return nil, fmt.Errorf("actions are not sorted: %s before %s", c.Actions[i-1].ID, a.ID)
		}
		g, ok := groups[a.Group]
		if !ok {
			return nil, fmt.Errorf("%s: no group %q", a.ID, a.Group)
		}
		if err := t.action(a, g, folder, unique[a.ID]); err != nil {
			return nil, fmt.Errorf("%s: %w", a.ID, err)
		}
		if fn := m.handlers[a.ID]; fn != "" {
			t.rows[i].fields = append([]cell{{"", fn}}, t.rows[i].fields...)
		} else {
			t.rows[i].fields = append([]cell{{"", "nil"}}, t.rows[i].fields...)
		}
	}
	return t, t.names(c)
}

func (t *tables) str(s string) uint32 { return t.text.line(s) }

func (t *tables) list(ss []string) uint32 { return t.lists.list(&t.text, ss) }

// names fills the tables of aliases.
func (t *tables) names(c *ir.Catalog) error {
	for i, al := range c.Aliases {
		if i > 0 && c.Aliases[i-1].Name >= al.Name {
			return fmt.Errorf("aliases are not sorted: %s before %s", c.Aliases[i-1].Name, al.Name)
		}
		fixed, err := object(al.Fixed)
		if err != nil {
			return fmt.Errorf("alias %s: %w", al.Name, err)
		}
		r := row{}
		r.num("Name", t.str(al.Name))
		r.num("Targets", t.list(al.Targets))
		r.num("By", t.list(cases(al.By)))
		r.num("Fixed", t.str(fixed))
		r.num("Rename", t.list(pairs(al.Rename)))
		r.num("Only", t.list(al.Only))
		r.num("Note", t.str(al.Note))
		r.num("From", t.str(al.From))
		t.aliases = append(t.aliases, r)
	}
	for _, pa := range c.ParamAliases {
		r := row{}
		r.num("From", t.str(pa.From))
		r.num("To", t.str(pa.To))
		r.num("Actions", t.list(pa.Actions))
		r.num("Values", t.list(pairs(pa.Values)))
		t.paramAliases = append(t.paramAliases, r)
	}
	return nil
}

func (t *tables) action(a *ir.Action, group uint32, folder *schema.Folder, aliases []string) error {
	example, err := object(a.Example)
	if err != nil {
		return fmt.Errorf("example: %w", err)
	}
	find, folded := folder.Find(a)
	r := row{id: a.ID}
	r.num("ID", t.str(a.ID))
	r.num("Domain", t.str(a.Domain))
	r.num("Name", t.str(a.Name))
	r.num("Group", group)
	r.num("Number", uint32(a.Number))
	r.num("Method", t.str(a.Method))
	r.num("Path", t.str(a.UpstreamPath))
	if a.Op != nil {
		r.num("OperationID", t.str(a.Op.OperationID))
	}
	r.num("ContentType", t.str(a.ContentType))
	r.num("Keyset", t.str(a.Keyset))
	if a.Document != nil {
		r.num("Result", t.str(a.Document.Result))
	}
	r.num("Title", t.str(a.Title))
	r.num("Usage", t.str(a.Usage))
	r.num("Returns", t.str(a.Returns))
	r.num("Example", t.str(example))
	r.num("Tier", t.str(a.Tier))
	r.num("Offering", t.str(a.Offering))
	r.num("Role", t.str(a.Role))
	r.num("Scope", t.str(a.Scope))
	r.num("Since", t.str(a.Since))
	r.num("Source", t.str(a.Source))
	r.num("Deprecated", t.str(a.Deprecated))
	r.num("Lifecycle", t.str(a.Lifecycle))
	r.num("Schema", t.schemas.line(schema.Input(a)))
	r.num("FindSchema", t.schemas.line(find))
	r.num("Output", t.outputs.line(schema.Output(a)))
	r.run("Params", t.addParams(a, folded), len(a.Params))
	r.run("Rules", len(t.rules), len(a.Groups))
	for _, g := range a.Groups {
		t.rules = append(t.rules, pair{t.str(g.Rule), t.list(g.Params)})
	}
	r.num("Related", t.list(a.Related))
	r.num("Phrases", t.list(a.Phrases))
	r.num("Columns", t.list(a.Columns))
	r.num("Folded", t.list(folded))
	r.num("Aliases", t.list(aliases))
	r.num("Guidance", t.list(pairs(a.Guidance)))
	var when []string
	for _, d := range a.DestroyWhen {
		when = append(when, d.Param, d.Value)
	}
	r.num("DestroyWhen", t.list(when))
	if err := r.constant("Risk", risks, string(a.Risk)); err != nil {
		return err
	}
	if err := r.constant("Kind", kinds, string(a.Kind)); err != nil {
		return err
	}
	if f := actionFlags(a); f != "" {
		r.ident("Flags", f)
	}
	t.rows = append(t.rows, r)
	return nil
}

func (r *row) run(name string, off, n int) {
	if n > 0 {
		r.ident(name, fmt.Sprintf("catalog.Run{Off: %d, Len: %d}", off, n))
	}
}

func (r *row) constant(name string, words map[string]string, word string) error {
	c, ok := words[word]
	if !ok {
		return fmt.Errorf("unknown %s %q", strings.ToLower(name), word)
	}
	r.ident(name, "catalog."+c)
	return nil
}

// The constants of package catalog by the words of package ir.
var (
	risks = map[string]string{"read": "Read", "write": "Write", "destroy": "Destroy"}
	kinds = map[string]string{"object": "Object", "list": "List", "text": "Text", "binary": "Binary", "none": "None", "head": "Head"}
	ins   = map[ir.In]string{ir.Path: "InPath", ir.Query: "InQuery", ir.BodyIn: "InBody", ir.File: "InFile", ir.Variable: "InVariable", ir.Local: "InLocal"}
	types = map[ir.Kind]string{
		ir.String: "TypeString", ir.Integer: "TypeInteger", ir.Number: "TypeNumber", ir.Boolean: "TypeBoolean", ir.ID: "TypeID",
		ir.Array: "TypeArray", ir.Object: "TypeObject", ir.Map: "TypeMap", ir.Any: "TypeAny", ir.FileVal: "TypeFile", "": "TypeAny",
	}
	encodings = map[ir.Encoding]string{ir.Plain: "Plain", ir.Comma: "Comma", ir.Brackets: "Brackets", ir.Hash: "Hash"}
)

func actionFlags(a *ir.Action) string {
	paged := 0
	for _, p := range a.Params {
		if p.In == ir.Query && (p.Wire == "page" || p.Wire == "per_page") {
			paged++
		}
	}
	old := a.NameState == "deprecated"
	return joined(
		fact{"Admin", a.Admin},
		fact{"Paged", paged == 2},
		fact{"Reveals", a.Reveals},
		fact{"Hidden", old || a.Op != nil && a.Op.Deprecated},
		fact{"Added", a.Op != nil && a.Op.Added},
		fact{"RawBody", a.RawBody != ""},
		fact{"NameIsOld", old},
	)
}

type fact struct {
	name string
	on   bool
}

func joined(facts ...fact) string {
	var on []string
	for _, f := range facts {
		if f.on {
			on = append(on, "catalog."+f.name)
		}
	}
	return strings.Join(on, "|")
}

func (t *tables) addParams(a *ir.Action, folded []string) int {
	off := len(t.params)
	out := map[string]bool{}
	for _, name := range folded {
		out[name] = true
	}
	for _, p := range a.Params {
		kind := ir.Any
		if p.Type != nil {
			kind = p.Type.Kind
		}
		t.params = append(t.params, param{
			name: t.str(p.Name), wire: t.str(p.Wire),
			in: ins[p.In], typ: types[kind], enc: encodings[p.Encoding],
			flag: joined(
				fact{"Required", p.Required},
				fact{"Clearable", p.Clearable},
				fact{"Splat", p.Splat},
				fact{"ParamDeprecated", p.Deprecated},
				fact{"FoldedParam", out[p.Name]},
			),
		})
	}
	return off
}

// object is m as compact JSON, "" for none.
func object(m map[string]any) (string, error) {
	if len(m) == 0 {
		return "", nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(m); err != nil { // sorts the keys
		return "", err
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

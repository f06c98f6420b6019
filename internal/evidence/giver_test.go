package evidence

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	client "gitlab.com/gitlab-org/api/client-go/v2"

	"gitlab-mcp-server/gen/ir"
)

const (
	fileName    = "evidence_test.go" // exists, for methods that take a name only
	fileContent = "hello"
)

// giver makes arguments for a method of the client: distinct, believable, and
// valid by the types of the action that the method corresponds to.
type giver struct {
	action *ir.Action        // nil while it is unknown
	skip   map[string]bool   // options to leave out, by wire names joined by dots
	files  bool              // fill what the client sends as an upload, too
	hints  map[int]*ir.Param // path parameters by the method's argument
	n      int
}

func (g *giver) next() int { g.n++; return g.n }

// arguments are those of a method of the type m, and the text of each that may
// stand in a path.
func (g *giver) arguments(m reflect.Type) (in []reflect.Value, texts []string) {
	for i := range m.NumIn() {
		if m.IsVariadic() && i == m.NumIn()-1 {
			break
		}
		v := reflect.New(m.In(i)).Elem()
		g.argument(v, i)
		in = append(in, v)
		texts = append(texts, fmt.Sprint(v.Interface()))
	}
	return in, texts
}

func (g *giver) argument(v reflect.Value, i int) {
	var t *ir.Type
	if p := g.hints[i]; p != nil {
		t = p.Type
	}
	number := int64(1000 + i)
	switch {
	case v.Type() == reflect.TypeFor[io.Reader](), v.Type() == reflect.TypeFor[io.Writer]():
		g.fill(v, "", t)
	case v.Kind() == reflect.Interface && t != nil && t.Kind == ir.Integer:
		v.Set(reflect.ValueOf(number))
	case v.Kind() == reflect.Interface:
		v.Set(reflect.ValueOf(fmt.Sprintf("space/item-%d", i)))
	case v.Kind() == reflect.String && t != nil && len(t.Enum) > 0:
		v.SetString(t.Enum[0])
	case v.Kind() == reflect.String && t != nil && t.Kind == ir.Integer:
		v.SetString(strconv.FormatInt(number, 10))
	case v.Kind() == reflect.String:
		v.SetString(fmt.Sprintf("name-%d.x", i))
	case v.CanInt():
		v.SetInt(number)
	case v.CanUint():
		v.SetUint(uint64(number))
	default:
		g.fill(v, "", nil)
	}
}

// fill sets v, which stands at the path of wire names, to a value of the type t;
// nil: unknown.
func (g *giver) fill(v reflect.Value, path string, t *ir.Type) {
	switch v.Type() {
	case reflect.TypeFor[time.Time](), reflect.TypeFor[client.ISOTime]():
		day := time.Date(2026, 3, 1+g.next()%28, 10, 20, 30, 0, time.UTC)
		v.Set(reflect.ValueOf(day).Convert(v.Type()))
		return
	case reflect.TypeFor[*client.ApproverIDsValue]():
		v.Set(reflect.ValueOf(client.ApproverIDs([]int64{int64(100 + g.next()), int64(100 + g.next())})))
		return
	case reflect.TypeFor[*client.AssigneeIDValue]():
		v.Set(reflect.ValueOf(client.AssigneeID(100 + g.next())))
		return
	case reflect.TypeFor[*client.ReviewerIDValue]():
		v.Set(reflect.ValueOf(client.ReviewerID(100 + g.next())))
		return
	case reflect.TypeFor[client.NotificationLevelValue]():
		v.SetInt(2) // of the names, "watch"
		return
	case reflect.TypeFor[json.RawMessage]():
		v.Set(reflect.ValueOf(json.RawMessage(`{"key":"value"}`)))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		g.fill(v.Elem(), path, t)
	case reflect.Struct:
		g.fields(v, path, t)
	case reflect.Slice:
		var items *ir.Type
		if t != nil && t.Items != nil {
			items = t.Items
		} else if t != nil && t.Kind != ir.Array {
			items = t
		}
		n := 2
		if g.files {
			n = 1 // the client's forms have one value for each name
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			g.fill(v.Index(i), path, items)
		}
	case reflect.Map:
		key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		if key.Kind() == reflect.Bool { // client.Nullable: a value
			key.SetBool(true)
		} else {
			key.SetString("key")
			t = nil
		}
		g.fill(elem, path, t)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, elem)
	case reflect.Interface:
		g.free(v, t)
	case reflect.String:
		v.SetString(g.text(path, t))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(g.integer(path, t))
	case reflect.Uint, reflect.Uint64:
		v.SetUint(uint64(g.integer(path, t)))
	case reflect.Float64, reflect.Float32:
		v.SetFloat(float64(g.next()) + 0.5)
	}
}

// fields sets the exported fields of a struct of options.
func (g *giver) fields(v reflect.Value, path string, t *ir.Type) {
	if isListOptions(v.Type()) {
		g.listOptions(v, path, t, nil)
		return
	}
	st := v.Type()
	own := map[string]bool{}
	for i := range st.NumField() {
		wire, _ := wireName(st.Field(i))
		own[wire] = !st.Field(i).Anonymous
	}
	for i := range st.NumField() {
		f := st.Field(i)
		if !f.IsExported() {
			continue
		}
		wire, upload := wireName(f)
		if isListOptions(f.Type) {
			g.listOptions(v.Field(i), path, t, own)
			continue
		}
		if _, named := f.Tag.Lookup("json"); f.Anonymous && !named {
			g.fill(v.Field(i), path, t)
			continue
		}
		where := join(path, wire)
		if upload && !g.files || g.skip[where] || wire == "-" && !upload {
			continue
		}
		var ft *ir.Type
		if p := g.param(path, t, wire); p != nil {
			ft = p.Type
		}
		g.fill(v.Field(i), where, ft)
	}
}

func isListOptions(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.ConvertibleTo(reflect.TypeFor[client.ListOptions]())
}

// listOptions sets the options for paging that the client offers with every list.
// Only what the action has and the numbers of pages are set, and nothing that the
// method's options have on their own; the rest is no statement about GitLab.
func (g *giver) listOptions(v reflect.Value, path string, t *ir.Type, own map[string]bool) {
	for i := range v.NumField() {
		wire, _ := wireName(v.Type().Field(i))
		p := g.param(path, t, wire)
		switch {
		case g.skip[join(path, wire)] || own[wire]:
		case wire == "page":
			v.Field(i).SetInt(3)
		case wire == "per_page":
			v.Field(i).SetInt(20)
		case p != nil:
			g.fill(v.Field(i), wire, p.Type)
		}
	}
}

// wireName is the name of a field in requests; upload is true for what the
// client does not encode but sends as a file.
func wireName(f reflect.StructField) (wire string, upload bool) {
	tag, ok := f.Tag.Lookup("json")
	url, hasURL := f.Tag.Lookup("url")
	if hasURL && url != "-" || !ok {
		tag = url
	}
	wire, _, _ = strings.Cut(tag, ",")
	upload = f.Type.Kind() == reflect.Pointer && f.Type.Elem().Kind() == reflect.Struct && strings.HasSuffix(f.Type.Elem().Name(), "Avatar")
	if wire == "" {
		wire = f.Name
	}
	return wire, upload
}

// param is the action's argument of a wire name: at the top, or among the fields
// of t.
func (g *giver) param(path string, t *ir.Type, wire string) *ir.Param {
	if path == "" {
		if g.action == nil {
			return nil
		}
		return argument(g.action.Params, wire)
	}
	for t != nil && t.Items != nil {
		t = t.Items
	}
	if t == nil {
		return nil
	}
	return argument(t.Fields, wire)
}

// argument finds a wire name, which may be that of a member: not[labels].
func argument(params []*ir.Param, wire string) *ir.Param {
	at := func(wire string) *ir.Param {
		i := slices.IndexFunc(params, func(p *ir.Param) bool { return p.Wire == wire && p.In != ir.Path && p.In != ir.Local })
		if i < 0 {
			return nil
		}
		return params[i]
	}
	if p := at(wire); p != nil {
		return p
	}
	name, rest, ok := strings.Cut(wire, "[")
	if p := at(name); ok && p != nil && p.Type != nil {
		inner, _, _ := strings.Cut(rest, "]")
		return member(p, inner)
	}
	return nil
}

// member is the field of an object that travels as p[inner].
func member(p *ir.Param, inner string) *ir.Param {
	t := p.Type
	for t != nil && t.Items != nil {
		t = t.Items
	}
	if t == nil {
		return nil
	}
	for _, f := range t.Fields {
		if f.Wire == inner || f.Wire == p.Wire+"["+inner+"]" {
			return f
		}
	}
	return nil
}

func (g *giver) text(path string, t *ir.Type) string {
	n := g.next()
	if t != nil && t.Items != nil {
		t = t.Items
	}
	name := path[strings.LastIndex(path, ".")+1:]
	switch {
	case name == "file":
		return fileName // the client opens it
	case t != nil && len(choices(t)) > 0:
		c := choices(t)
		return c[n%len(c)]
	case t != nil && (t.Kind == ir.Integer || t.Kind == ir.Number):
		return strconv.FormatInt(g.integer(path, t), 10)
	case t != nil && t.Kind == ir.Boolean:
		return "true"
	case t != nil && t.Format == "date-time" || strings.HasSuffix(name, "_at"):
		return fmt.Sprintf("2026-05-%02dT08:09:10Z", 1+n%28)
	case t != nil && t.Format == "date" || strings.HasSuffix(name, "_date"):
		return fmt.Sprintf("2026-04-%02d", 1+n%28)
	}
	return fmt.Sprintf("text %d", n)
}

func (g *giver) integer(path string, t *ir.Type) int64 {
	n := g.next()
	if t != nil && t.Items != nil {
		t = t.Items
	}
	if t == nil {
		if strings.Contains(path, "access_level") {
			return 30
		}
		return int64(100 + n)
	}
	if c := choices(t); len(c) > 0 {
		if v, err := strconv.ParseInt(c[n%len(c)], 10, 64); err == nil {
			return v
		}
	}
	for _, limit := range []*string{t.Max, t.Min} {
		if limit == nil {
			continue
		}
		if v, err := strconv.ParseInt(*limit, 10, 64); err == nil && (limit == t.Max && v < int64(100+n) || limit == t.Min && v > int64(100+n)) {
			return v
		}
	}
	return int64(100 + n)
}

func (g *giver) free(v reflect.Value, t *ir.Type) {
	var value any
	switch {
	case v.Type() == reflect.TypeFor[io.Reader]():
		value = strings.NewReader(fileContent)
	case v.Type() == reflect.TypeFor[io.Writer]():
		value = io.Discard
	case v.NumMethod() > 0:
		return // no idea what the client wants
	case t != nil && (t.Kind == ir.Integer || t.Kind == ir.Number):
		value = g.integer("", t)
	case t != nil && t.Kind == ir.Boolean:
		value = true
	case t != nil && t.Kind == ir.Array:
		value = fmt.Sprintf("%d,%d", 100+g.next(), 100+g.next())
	default:
		value = g.text("", t)
	}
	v.Set(reflect.ValueOf(value))
}

// join is a name below a path of names, joined by dots: not.labels for not[labels].
func join(path, wire string) string {
	if base(wire) != wire {
		return strings.NewReplacer("[", ".", "]", "").Replace(wire)
	}
	return strings.TrimPrefix(path+"."+wire, ".")
}

// choices are the values of an enum but the empty one.
func choices(t *ir.Type) []string {
	return slices.DeleteFunc(slices.Clone(t.Enum), func(v string) bool { return v == "" })
}

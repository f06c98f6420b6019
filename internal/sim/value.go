package sim

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"gitlab-mcp-server/internal/scan"
)

// object is a JSON object that keeps the order of its members. Values are nil,
// bool, string, number, int64, []any and *object. Members whose name starts
// with a dot are the simulation's own and never leave it.
type object struct{ members []member }

type member struct {
	name  string
	value any
}

// number is the text of a JSON number.
type number string

// obj makes an object of names and values in turn.
func obj(pairs ...any) *object {
	o := &object{members: make([]member, 0, len(pairs)/2)}
	for i := 0; i+1 < len(pairs); i += 2 {
		o.set(pairs[i].(string), pairs[i+1])
	}
	return o
}

func (o *object) find(name string) int {
	if o == nil {
		return -1
	}
	return slices.IndexFunc(o.members, func(m member) bool { return m.name == name })
}

// get is a member's value, nil if there is none.
func (o *object) get(name string) any {
	if i := o.find(name); i >= 0 {
		return o.members[i].value
	}
	return nil
}

func (o *object) has(name string) bool { return o.find(name) >= 0 }

// set changes a member in its place or adds it at the end. Plain ints become int64.
func (o *object) set(name string, v any) {
	if n, ok := v.(int); ok {
		v = int64(n)
	}
	if i := o.find(name); i >= 0 {
		o.members[i].value = v
		return
	}
	o.members = append(o.members, member{name, v})
}

func (o *object) del(name string) {
	if i := o.find(name); i >= 0 {
		o.members = slices.Delete(o.members, i, i+1)
	}
}

// str is a member's value as text, empty for null and for what is missing.
func (o *object) str(name string) string { return text(o.get(name)) }

// num is a member's value as an integer, 0 if it is none.
func (o *object) num(name string) int64 {
	n, _ := strconv.ParseInt(text(o.get(name)), 10, 64)
	return n
}

// sub is a member that is an object, nil if it is none.
func (o *object) sub(name string) *object {
	s, _ := o.get(name).(*object)
	return s
}

// list is a member that is an array, nil if it is none.
func (o *object) list(name string) []any {
	l, _ := o.get(name).([]any)
	return l
}

// is reports whether a member is true.
func (o *object) is(name string) bool { return o.get(name) == true }

// clone is a copy whose members can be set without changing o; nested values
// are shared.
func (o *object) clone() *object { return &object{members: slices.Clone(o.members)} }

// pick is an object of the named members of o, in that order.
func (o *object) pick(names ...string) *object {
	out := obj()
	for _, n := range names {
		if i := o.find(n); i >= 0 {
			out.set(n, o.members[i].value)
		}
	}
	return out
}

// without is o lacking the named members.
func (o *object) without(names ...string) *object {
	out := o.clone()
	for _, n := range names {
		out.del(n)
	}
	return out
}

// text is a scalar as text.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case number:
		return string(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case int:
		return strconv.Itoa(v)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// texts are the elements of an array as text, or the parts of a comma list.
func texts(v any) []string {
	switch v := v.(type) {
	case []any:
		var out []string
		for _, e := range v {
			out = append(out, text(e))
		}
		return out
	case string:
		var out []string
		for _, p := range strings.Split(v, ",") {
			if p = strings.TrimSpace(p); p != "" {
				out = append(out, p)
			}
		}
		return out
	case nil:
		return nil
	}
	return []string{text(v)}
}

// anys is a list of strings as a JSON array.
func anys(list []string) []any {
	out := make([]any, 0, len(list))
	for _, s := range list {
		out = append(out, s)
	}
	return out
}

// stamp is t as GitLab writes it.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// appendJSON appends v as compact JSON.
func appendJSON(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		return strconv.AppendBool(dst, v)
	case string:
		return scan.AppendQuoted(dst, v)
	case number:
		return append(dst, v...)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	case float64:
		return strconv.AppendFloat(dst, v, 'f', -1, 64)
	case []any:
		dst = append(dst, '[')
		for i, e := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendJSON(dst, e)
		}
		return append(dst, ']')
	case *object:
		if v == nil {
			return append(dst, "null"...)
		}
		dst = append(dst, '{')
		first := true
		for _, m := range v.members {
			if strings.HasPrefix(m.name, ".") {
				continue
			}
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = append(scan.AppendQuoted(dst, m.name), ':')
			dst = appendJSON(dst, m.value)
		}
		return append(dst, '}')
	}
	panic("sim: a value that is no JSON")
}

// decode reads JSON text that scan.Valid has approved of.
func decode(src string) any {
	switch scan.KindOf(src) {
	case scan.Object:
		o := obj()
		for k, v := range scan.Members(src) {
			o.set(scan.Key(k), decode(v))
		}
		return o
	case scan.Array:
		out := []any{}
		for e := range scan.Elements(src) {
			out = append(out, decode(e))
		}
		return out
	case scan.String:
		return scan.Unquoted(src)
	case scan.True, scan.False:
		return scan.KindOf(src) == scan.True
	case scan.Number:
		return number(scan.Trim(src))
	}
	return nil
}

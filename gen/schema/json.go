package schema

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"gitlab-mcp-server/gen/ir"
)

// writer writes compact JSON in the order in which it is told to.
type writer struct{ b bytes.Buffer }

func (w *writer) String() string { return w.b.String() }

func (w *writer) raw(s string) { w.b.WriteString(s) }

func (w *writer) str(s string) { w.b.Write(quote(s)) }

func (w *writer) comma(first *bool) {
	if !*first {
		w.b.WriteByte(',')
	}
	*first = false
}

func (w *writer) key(first *bool, name string) {
	w.comma(first)
	w.str(name)
	w.raw(":")
}

// value writes the text v as a value of kind k: as it stands where k is no
// string and v is JSON of it, quoted otherwise.
func (w *writer) value(k ir.Kind, v string) {
	switch {
	case (k == ir.Integer || k == ir.Number) && isNumber(v),
		k == ir.Boolean && (v == "true" || v == "false"),
		k == ir.Array:
		w.raw(v)
	default:
		w.str(v)
	}
}

// fits reports whether the text v is a value of type t.
func fits(t *ir.Type, v string) bool {
	switch t.Kind {
	case ir.Integer, ir.Number:
		return isNumber(v)
	case ir.Boolean:
		return v == "true" || v == "false"
	case ir.String, ir.ID:
		return v != "" && (len(t.Enum) == 0 || slices.Contains(t.Enum, v))
	case ir.Array:
		var list []any
		return json.Unmarshal([]byte(v), &list) == nil && len(list) > 0
	}
	return false
}

// isNumber reports whether v is the text of a JSON number.
func isNumber(v string) bool {
	return v != "" && strings.Trim(v, "0123456789+-.eE") == "" && json.Valid([]byte(v))
}

// quote is the JSON string of s, with <, > and & as they are.
func quote(s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err) // a string always encodes
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

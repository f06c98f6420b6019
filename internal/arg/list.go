package arg

import (
	"strings"

	"gitlab-mcp-server/internal/scan"
)

// Strings reads a list of texts. Accepted in place of an array are one text,
// several joined by commas, a number, and an array written as JSON text.
func (r *Reader) Strings(name string, f Flags) Strings {
	return r.texts(name, f, &want{kind: text})
}

// EnumStrings reads a list of texts of e; see Strings.
func (r *Reader) EnumStrings(name string, f Flags, e Enum) Strings {
	return r.texts(name, f, &want{kind: text, enum: e})
}

// IDs reads a list of ids, numbers or paths; see Strings.
func (r *Reader) IDs(name string, f Flags) Strings {
	return r.texts(name, f, &want{kind: id})
}

// Ints reads a list of whole numbers; see Strings.
func (r *Reader) Ints(name string, f Flags) Ints {
	vs, s := r.list(name, f, &want{kind: integer})
	return Ints{V: vs, State: s, plainForm: r.plain(name, f)}
}

// IntEnums reads a list of whole numbers of e; see Strings.
func (r *Reader) IntEnums(name string, f Flags, e Enum) Ints {
	vs, s := r.list(name, f, &want{kind: integer, enum: e})
	return Ints{V: vs, State: s, plainForm: r.plain(name, f)}
}

// Numbers reads a list of numbers; see Strings.
func (r *Reader) Numbers(name string, f Flags) Numbers {
	vs, s := r.list(name, f, &want{kind: number})
	return Numbers{V: vs, State: s}
}

// texts reads a list of texts. "" for one is what clears a comma-joined list.
func (r *Reader) texts(name string, f Flags, w *want) Strings {
	if f&(Filter|Required) == 0 && w.enum == "" {
		if m := r.find(name); m != nil && r.value(m) == `""` {
			r.ask(name).state = Set
			return Strings{State: Set, blank: true}
		}
	}
	vs, s := r.list(name, f, w)
	return Strings{V: vs, State: s, plainForm: r.plain(name, f)}
}

// plain is the plain value of a list that was read, for the flag Scalar.
func (r *Reader) plain(name string, f Flags) plainForm {
	if f&Scalar == 0 {
		return plainForm{}
	}
	m := r.find(name)
	if m == nil || m.state != Set {
		return plainForm{}
	}
	switch v := r.value(m); scan.KindOf(v) {
	case scan.Number:
		return plainForm{plain: true}
	case scan.String:
		text := scan.Unquoted(v)
		if _, array := jsonText(text, scan.Array); !array {
			return plainForm{plain: true, text: text}
		}
	}
	return plainForm{}
}

// list reads a list; wrong elements are recorded and left out.
func (r *Reader) list(name string, f Flags, w *want) ([]string, State) {
	m := r.ask(name)
	if s := r.state(m, f, true); s != Set {
		if s == Absent && f&Required != 0 {
			r.problem(Problem{Path: r.path(name), Code: Missing, Expected: w.plural()})
		}
		return nil, s
	}
	array, k := r.value(m), scan.KindOf(r.value(m))
	switch k {
	case scan.Array:
	case scan.String:
		v := scan.Unquoted(r.value(m))
		if inner, ok := jsonText(v, scan.Array); ok {
			array = inner
			r.note(Note{Path: r.path(name), Change: "JSON text was read as an array"})
			break
		}
		return r.split(name, v, f, w), Set
	case scan.Number:
		return r.single(name, r.value(m), k, f, w), Set
	default:
		r.problem(Problem{Path: r.path(name), Code: WrongType, Got: k.String(), Expected: w.plural()})
		return nil, Absent
	}
	vs := make([]string, 0, min(strings.Count(array, ",")+1, 64))
	i := -1
	for e := range scan.Elements(array) {
		i++
		k := scan.KindOf(e)
		v := e
		switch k {
		case scan.Null: // absent, as everywhere
			r.note(Note{Path: r.at(name, i), Change: "null was left out"})
			continue
		case scan.String:
			v = scan.Unquoted(e)
			if v == "" && (f&Filter != 0 || w.kind != text) {
				r.note(Note{Path: r.at(name, i), Change: "an empty text was left out"})
				continue
			}
		}
		if v, ok := r.one(name, i, v, k, w); ok {
			vs = append(vs, v)
		}
	}
	if i < 0 && f&(Filter|Required) == Filter { // filtering by nothing is no filter
		m.state = Absent
	}
	return vs, m.state
}

// split reads one text as the list of its parts between commas.
func (r *Reader) split(name, v string, f Flags, w *want) []string {
	if !strings.Contains(v, ",") || w.enum.has(v) {
		return r.single(name, v, scan.String, f, w)
	}
	r.note(Note{Path: r.path(name), Change: "a string was read as an array, split at its commas"})
	var vs []string
	i := -1
	for part := range strings.SplitSeq(v, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		i++
		if w.kind == integer || w.kind == number { // already noted for the whole
			if n, ok := r.quietly(name, i, part, w); ok {
				vs = append(vs, n)
			}
			continue
		}
		if v, ok := r.one(name, i, part, scan.String, w); ok {
			vs = append(vs, v)
		}
	}
	return vs
}

// quietly reads a number out of a text without a note of its own.
func (r *Reader) quietly(name string, index int, v string, w *want) (string, bool) {
	n := len(r.root.notes)
	v, ok := r.one(name, index, v, scan.String, w)
	r.root.notes = r.root.notes[:n]
	return v, ok
}

// single reads one value in place of a list.
func (r *Reader) single(name, v string, k scan.Kind, f Flags, w *want) []string {
	n := len(r.root.notes)
	v, ok := r.one(name, -1, v, k, w)
	if !ok {
		return nil
	}
	r.root.notes = r.root.notes[:n]
	if f&Scalar == 0 { // else it is sent as it is
		r.note(Note{Path: r.path(name), Change: k.String() + " was read as an array of one"})
	}
	return []string{v}
}

// jsonText is text if it is itself JSON of the kind k.
func jsonText(text string, k scan.Kind) (string, bool) {
	text = scan.Trim(text)
	if scan.KindOf(text) != k || scan.Valid(text) != nil {
		return "", false
	}
	return text, true
}

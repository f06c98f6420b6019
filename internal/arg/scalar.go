package arg

import (
	"strconv"
	"strings"

	"gitlab-mcp-server/internal/scan"
)

// String reads a text. A number is accepted as its own text.
func (r *Reader) String(name string, f Flags) String {
	v, s := r.scalar(name, f, &want{kind: text})
	return String{V: v, State: s}
}

// ID reads a number or a path or name. A whole number is accepted in any
// writing and of any size.
func (r *Reader) ID(name string, f Flags) String {
	if f&Required != 0 {
		f |= Path // an empty id names nothing
	}
	w := want{kind: id}
	v, s := r.scalar(name, f, &w)
	return String{V: v, State: s, number: w.number}
}

// Enum reads one of the texts of e. Another case is accepted.
func (r *Reader) Enum(name string, f Flags, e Enum) String {
	v, s := r.scalar(name, f, &want{kind: text, enum: e})
	return String{V: v, State: s}
}

// Int reads a whole number of any size.
func (r *Reader) Int(name string, f Flags) Int {
	v, s := r.scalar(name, f, &want{kind: integer})
	return Int{V: v, State: s}
}

// IntEnum reads one of the whole numbers of e.
func (r *Reader) IntEnum(name string, f Flags, e Enum) Int {
	v, s := r.scalar(name, f, &want{kind: integer, enum: e})
	return Int{V: v, State: s}
}

// IntRange reads a whole number from lo to hi, both canonical and included; ""
// is an open end.
func (r *Reader) IntRange(name string, f Flags, lo, hi string) Int {
	v, s := r.scalar(name, f, &want{kind: integer, lo: lo, hi: hi})
	return Int{V: v, State: s}
}

// Number reads a number.
func (r *Reader) Number(name string, f Flags) Number {
	v, s := r.scalar(name, f, &want{kind: number})
	return Number{V: v, State: s}
}

// NumberRange reads a number from lo to hi, both included; "" is an open end.
func (r *Reader) NumberRange(name string, f Flags, lo, hi string) Number {
	v, s := r.scalar(name, f, &want{kind: number, lo: lo, hi: hi})
	return Number{V: v, State: s}
}

// Bool reads true or false, also written as text (true, yes, on, 1, …) or as
// the numbers 1 and 0.
func (r *Reader) Bool(name string, f Flags) Bool {
	v, s := r.scalar(name, f, &want{kind: boolean})
	return Bool{V: v == "true", State: s}
}

// kind is what a scalar or an element of a list has to be.
type kind uint8

const (
	text kind = iota
	id
	integer
	number
	boolean
)

// want is what is accepted for one value.
type want struct {
	kind   kind
	enum   Enum
	lo, hi string
	number bool // what was given is a JSON number; set by scalar
}

// String is what is expected, in words.
func (w *want) String() string {
	if w.enum != "" {
		return "one of " + w.enum.list()
	}
	s := [...]string{"a string", "an id (a number or a path)", "an integer", "a number", "a boolean (true or false)"}[w.kind]
	switch {
	case w.lo != "" && w.hi != "":
		s += " from " + w.lo + " to " + w.hi
	case w.lo != "":
		s += " of at least " + w.lo
	case w.hi != "":
		s += " of at most " + w.hi
	}
	return s
}

// plural is what the elements of a list have to be, in words.
func (w *want) plural() string {
	if w.enum != "" {
		return "an array of values out of " + w.enum.list()
	}
	return [...]string{"an array of strings", "an array of ids", "an array of integers", "an array of numbers", "an array of booleans"}[w.kind]
}

// scalar reads one value; its text is "true" or "false" for booleans.
func (r *Reader) scalar(name string, f Flags, w *want) (string, State) {
	m := r.ask(name)
	blank := w.kind != text && w.kind != id
	if s := r.state(m, f, blank); s != Set {
		if s == Absent && f&Required != 0 {
			r.problem(Problem{Path: r.path(name), Code: Missing, Expected: w.String()})
		}
		return "", s
	}
	k := scan.KindOf(r.value(m))
	v := r.value(m)
	w.number = k == scan.Number
	if k == scan.String {
		v = scan.Unquoted(v)
	}
	v, ok := r.one(name, -1, v, k, w)
	if !ok {
		return "", Absent // the problem is recorded
	}
	if f&Path != 0 && r.root.CheckPath != nil {
		if expected := r.root.CheckPath(name, v); expected != "" {
			r.problem(Problem{Path: r.path(name), Code: Invalid, Expected: expected})
			return "", Absent
		}
	}
	return v, Set
}

// state is what is given for m before its type is looked at; blank says that ""
// means nothing for this type.
func (r *Reader) state(m *member, f Flags, blank bool) State {
	if m == nil {
		return Absent
	}
	m.state = Set
	switch r.value(m) {
	case "null":
		m.state = Absent
	case `""`:
		if blank || f&(Filter|Path) != 0 {
			m.state = Absent
		}
	case `"none"`:
		if f&Clearable != 0 {
			m.state = Null
		}
	}
	return m.state
}

// one reads one value: v is its text, without quotes if it is a string. It
// records the problem if there is one. index is that of a list's element, or -1.
func (r *Reader) one(name string, index int, v string, k scan.Kind, w *want) (string, bool) {
	switch w.kind {
	case text:
		return r.oneText(name, index, v, k, w)
	case id:
		switch k {
		case scan.String:
			return v, true
		case scan.Number:
			n, got := canonInt(v)
			if n == "" {
				return r.wrong(name, index, got, w)
			}
			return n, true
		}
	case integer:
		if k != scan.Number && k != scan.String {
			break
		}
		n, got := canonInt(strings.TrimSpace(v))
		if n == "" {
			return r.wrong(name, index, got, w)
		}
		if k == scan.String || n != v {
			r.changed(name, index, k, "an integer")
		}
		if w.lo != "" && compareInts(n, w.lo) < 0 || w.hi != "" && compareInts(n, w.hi) > 0 {
			r.outside(name, index, w)
			return "", false
		}
		if w.enum != "" && !w.enum.has(n) {
			r.problem(Problem{Path: r.at(name, index), Code: NotInEnum, Got: "another integer", Expected: w.String()})
			return "", false
		}
		return n, true
	case number:
		if k != scan.Number && k != scan.String {
			break
		}
		n := strings.TrimPrefix(strings.TrimSpace(v), "+")
		if !scan.IsNumber(n) {
			return r.wrong(name, index, "text that is no number", w)
		}
		if k == scan.String {
			r.changed(name, index, k, "a number")
		}
		if below(n, w.lo) || below(w.hi, n) {
			r.outside(name, index, w)
			return "", false
		}
		return n, true
	case boolean:
		if k == scan.True || k == scan.False {
			return v, true
		}
		if k != scan.String && k != scan.Number {
			break
		}
		truth, ok := truthOf(strings.TrimSpace(v))
		if !ok {
			return r.wrong(name, index, k.String()+" of another kind", w)
		}
		r.changed(name, index, k, "a boolean")
		return truth, true
	}
	return r.wrong(name, index, k.String(), w)
}

func (r *Reader) oneText(name string, index int, v string, k scan.Kind, w *want) (string, bool) {
	switch k {
	case scan.String:
	case scan.Number:
		if w.enum == "" {
			r.changed(name, index, k, "a string")
		}
	case scan.True, scan.False:
		// GitLab spells some truth values as enums: yes and no.
		if w.enum.has(v) {
			return v, true
		}
		word := "yes"
		if k == scan.False {
			word = "no"
		}
		if w.enum.has(word) {
			r.changed(name, index, k, "a string")
			return word, true
		}
		return r.wrong(name, index, k.String(), w)
	default:
		return r.wrong(name, index, k.String(), w)
	}
	if w.enum == "" || w.enum.has(v) {
		return v, true
	}
	trimmed := strings.TrimSpace(v)
	for e := range strings.SplitSeq(string(w.enum), "\n") {
		if strings.EqualFold(e, trimmed) {
			r.root.notes = append(r.root.notes, Note{Path: r.at(name, index), Change: "read as " + e})
			return e, true
		}
	}
	r.problem(Problem{
		Path: r.at(name, index), Code: NotInEnum, Got: "another value", Expected: w.String(),
		Near: Nearest(trimmed, strings.Split(string(w.enum), "\n")),
	})
	return "", false
}

// at is the path of a value of r or of an element of it.
func (r *Reader) at(name string, index int) string {
	p := r.path(name)
	if index >= 0 {
		p += "[" + strconv.Itoa(index) + "]"
	}
	return p
}

func (r *Reader) wrong(name string, index int, got string, w *want) (string, bool) {
	r.problem(Problem{Path: r.at(name, index), Code: WrongType, Got: got, Expected: w.String()})
	return "", false
}

func (r *Reader) outside(name string, index int, w *want) {
	r.problem(Problem{Path: r.at(name, index), Code: Range, Got: "one outside of it", Expected: w.String()})
}

// changed notes that a value of kind k was read as another.
func (r *Reader) changed(name string, index int, k scan.Kind, as string) {
	r.note(Note{Path: r.at(name, index), Change: k.String() + " was read as " + as})
}

// below reports whether the number a is less than b; an empty one is no limit.
func below(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	// Out of range is infinite with the right sign, which compares well enough.
	return (errX == nil || isRange(errX)) && (errY == nil || isRange(errY)) && x < y
}

func isRange(err error) bool {
	e, ok := err.(*strconv.NumError)
	return ok && e.Err == strconv.ErrRange
}

// truthOf is the truth value that GitLab reads in v, as true or false.
func truthOf(v string) (string, bool) {
	switch strings.ToLower(v) {
	case "true", "t", "yes", "y", "on", "1", "1.0":
		return "true", true
	case "false", "f", "no", "n", "off", "0", "0.0":
		return "false", true
	}
	return "", false
}

// has reports whether v is one of e.
func (e Enum) has(v string) bool {
	s := string(e)
	for s != "" {
		i := strings.IndexByte(s, '\n')
		if i < 0 {
			return s == v
		}
		if s[:i] == v {
			return true
		}
		s = s[i+1:]
		if s == "" {
			return v == "" // the list ends with the empty text
		}
	}
	return false
}

// list is e for people, without its empty text and shortened if very long.
func (e Enum) list() string {
	const most = 30
	all := strings.Split(string(e), "\n")
	names := all[:0]
	for _, v := range all {
		if v != "" {
			names = append(names, v)
		}
	}
	if n := len(names); n > most {
		return strings.Join(names[:most], ", ") + ", … (" + strconv.Itoa(n) + " in all)"
	}
	return strings.Join(names, ", ")
}

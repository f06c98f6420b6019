package arg

import (
	"iter"

	"gitlab-mcp-server/internal/scan"
)

// Map reads an object with free keys. Nothing inside it is changed.
func (r *Reader) Map(name string, f Flags) Raw {
	v, s := r.object(name, f)
	if s != Set {
		return Raw{State: s}
	}
	return Raw{V: scan.AppendCompact(make([]byte, 0, len(v)), v), State: Set}
}

// Any reads any JSON value; only null is absent.
func (r *Reader) Any(name string, f Flags) Raw {
	m := r.ask(name)
	if s := r.state(m, f, false); s != Set {
		if s == Absent && f&Required != 0 {
			r.problem(Problem{Path: r.path(name), Code: Missing, Expected: "any value"})
		}
		return Raw{State: s}
	}
	return Raw{V: scan.AppendCompact(make([]byte, 0, len(r.value(m))), r.value(m)), State: Set}
}

// Object is a reader of the object given for the name, nil if none was given or
// its state is Null. JSON text is accepted.
func (r *Reader) Object(name string, f Flags) *Reader {
	v, s := r.object(name, f)
	if s != Set {
		return nil
	}
	return r.sub(name, -1, v)
}

// object is the text of the object given for the name.
func (r *Reader) object(name string, f Flags) (string, State) {
	m := r.ask(name)
	if s := r.state(m, f, true); s != Set {
		if s == Absent && f&Required != 0 {
			r.problem(Problem{Path: r.path(name), Code: Missing, Expected: "an object"})
		}
		return "", s
	}
	v, ok := r.objectText(name, -1, r.value(m), "an object")
	if !ok {
		return "", Absent
	}
	return v, Set
}

// objectText is v if it is an object, or the object that v has as JSON text.
func (r *Reader) objectText(name string, index int, v, expected string) (string, bool) {
	k := scan.KindOf(v)
	switch k {
	case scan.Object:
		return v, true
	case scan.String:
		if inner, ok := jsonText(scan.Unquoted(v), scan.Object); ok {
			r.note(Note{Path: r.at(name, index), Change: "JSON text was read as an object"})
			return inner, true
		}
	}
	r.problem(Problem{Path: r.at(name, index), Code: WrongType, Got: k.String(), Expected: expected})
	return "", false
}

// Objects are readers of the elements of an array of objects. One object and
// JSON text are accepted in place of the array. The problems of an element are
// those found while it is read, so the caller ranges over all of them.
func (r *Reader) Objects(name string, f Flags) iter.Seq[*Reader] {
	const expected = "an array of objects"
	m := r.ask(name)
	if s := r.state(m, f, true); s != Set {
		if s == Absent && f&Required != 0 {
			r.problem(Problem{Path: r.path(name), Code: Missing, Expected: expected})
		}
		return func(func(*Reader) bool) {}
	}
	array := r.value(m)
	k := scan.KindOf(array)
	if k == scan.String {
		inner, ok := jsonText(scan.Unquoted(array), scan.Array)
		if !ok {
			inner, ok = jsonText(scan.Unquoted(array), scan.Object)
		}
		if ok {
			array, k = inner, scan.KindOf(inner)
			r.note(Note{Path: r.path(name), Change: "JSON text was read as " + k.String()})
		}
	}
	switch k {
	case scan.Array:
	case scan.Object:
		r.note(Note{Path: r.path(name), Change: "an object was read as an array of one"})
		one := array
		return func(yield func(*Reader) bool) { yield(r.sub(name, 0, one)) }
	default:
		r.problem(Problem{Path: r.path(name), Code: WrongType, Got: k.String(), Expected: expected})
		return func(func(*Reader) bool) {}
	}
	return func(yield func(*Reader) bool) {
		i := -1
		for e := range scan.Elements(array) {
			i++
			if scan.KindOf(e) == scan.Null {
				r.note(Note{Path: r.at(name, i), Change: "null was left out"})
				continue
			}
			if v, ok := r.objectText(name, i, e, "an object"); ok && !yield(r.sub(name, i, v)) {
				return
			}
		}
	}
}

// Package arg reads the arguments of one tool call. It owns all leniency (a
// number written as a string, a string in place of an array, null, …) and all
// complaints: every problem is collected with its path, and nothing is
// reported before all parameters were asked for.
//
// It does not know any action, sends nothing and encodes nothing for a URL;
// package call does. Nothing here uses reflection, and no input makes it panic.
package arg

import (
	"iter"
	"strconv"
	"strings"

	"gitlab-mcp-server/internal/scan"
)

// Reader reads the members of one JSON object. The zero value is ready for
// Reset and then for any number of further ones; it is not for concurrent use.
//
// A name given twice in one object is a problem: whichever value were taken, the
// other would be lost unseen. Inside free-form maps it stays as it is.
type Reader struct {
	// CheckPath, if set on the root, says what is expected in place of a value
	// that cannot stand in a URL's path, "" if it can. It makes such a value one
	// problem among the others, for parameters read with the flag Path.
	CheckPath func(name, value string) string

	root    *Reader
	parent  *Reader
	name    string // in the parent
	index   int    // of an array's element, -1 for an object
	text    string // the object; what Put gives stands behind it
	members []member
	marks   uint64 // of the names, see mark
	asked   []string
	next    int // where the search for the next name starts

	// Of the root only.
	problems []Problem
	notes    []Note
	pool     []*Reader // readers of inner objects, used ones first
	used     int
}

// member says where a key, unescaped, and its raw value stand in the reader's
// text. Without pointers a long list of members costs the collector nothing.
type member struct {
	keyLo, keyHi, lo, hi uint32
	seen                 bool
	state                State
}

// key is the name of a member of r.
func (r *Reader) key(m *member) string { return r.text[m.keyLo:m.keyHi] }

// value is the JSON text of a member of r.
func (r *Reader) value(m *member) string { return r.text[m.lo:m.hi] }

// add puts s behind the text and says where it stands.
func (r *Reader) add(s string) (lo, hi uint32) {
	lo = uint32(len(r.text))
	r.text += s
	return lo, uint32(len(r.text))
}

// Reset makes r read params, which must be a JSON object, null or empty text.
// params is copied; values that r returns stay valid after a further Reset.
func (r *Reader) Reset(params []byte) error {
	r.root, r.index = r, -1
	r.text, r.members, r.marks, r.asked, r.next = "", r.members[:0], 0, r.asked[:0], 0
	r.problems, r.notes, r.used = nil, nil, 0
	if len(params) > maxText {
		return &Error{Problems: []Problem{{Path: "params", Code: Invalid, Got: "more", Expected: "at most 1 GiB of JSON"}}}
	}
	text := scan.Trim(string(params))
	switch k := scan.KindOf(text); {
	case k == scan.Object:
		return r.fill(text)
	case text == "" || text == "null":
		return nil
	case scan.Valid(text) != nil:
		return notJSON(scan.Valid(text))
	case k == scan.String: // the object as its own JSON text
		if inner, ok := jsonText(scan.Unquoted(text), scan.Object); ok {
			r.note(Note{Path: "params", Change: "JSON text was read as an object"})
			return r.fill(inner)
		}
		fallthrough
	default:
		return &Error{Problems: []Problem{{Path: "params", Code: WrongType, Got: k.String(), Expected: "an object"}}}
	}
}

func notJSON(err error) error {
	return &Error{Problems: []Problem{{Path: "params", Code: Invalid, Got: "text that is no JSON (" + err.Error() + ")", Expected: "a JSON object"}}}
}

// maxMembers bounds the names in one object, which are searched one by one. The
// largest operation has some six hundred.
const maxMembers = 2000

// maxText bounds the whole of the arguments, so that places in it fit a member.
const maxText = 1 << 30

// fill indexes the members of the object text and checks it, in one walk.
func (r *Reader) fill(text string) error {
	c := scan.Cursor[string]{Text: text, Check: r.parent == nil}
	c.Enter(scan.Object)
	r.text = text
	for c.Next() {
		if len(r.members) == maxMembers {
			r.problem(Problem{Path: r.prefix(), Code: Invalid, Got: "more", Expected: "at most " + strconv.Itoa(maxMembers) + " names in an object"})
			return nil
		}
		var m member
		klo, khi := c.KeySpan()
		lo, hi := c.Span()
		m.keyLo, m.keyHi, m.lo, m.hi = uint32(klo), uint32(khi), uint32(lo), uint32(hi)
		key := c.Key()
		if strings.IndexByte(key, '\\') >= 0 {
			key = scan.Key(key)
			m.keyLo, m.keyHi = r.add(key)
		}
		if r.find(key) != nil {
			r.problem(Problem{Path: r.path(key), Code: Duplicate, Got: "the name twice", Expected: "each name once"})
			continue
		}
		r.members = append(r.members, m)
		r.marks |= mark(key)
	}
	if c.Check {
		if err := c.Finish(); err != nil {
			return notJSON(err)
		}
	}
	return nil
}

// mark is the bit that stands for a name among a reader's marks: a name whose
// bit is not set was not given, which answers most questions at once.
func mark(name string) uint64 {
	n := len(name)
	if n == 0 {
		return 1
	}
	return 1 << ((uint(n)*7 + uint(name[0])*5 + uint(name[n-1])*3 + uint(name[n/2])) & 63)
}

// find is the member of that name, or nil. Members are mostly asked for in the
// order in which they stand, so the search goes on where the last one ended.
func (r *Reader) find(name string) *member {
	if r.marks&mark(name) == 0 {
		return nil
	}
	n := len(r.members)
	for i := range n {
		j := r.next + i
		if j >= n {
			j -= n
		}
		if r.key(&r.members[j]) == name {
			r.next = j + 1
			if r.next >= n {
				r.next = 0
			}
			return &r.members[j]
		}
	}
	return nil
}

// ask is the member of that name for one of the typed methods, or nil. It
// remembers the name as one that exists.
func (r *Reader) ask(name string) *member {
	r.asked = append(r.asked, name)
	m := r.find(name)
	if m != nil {
		m.seen = true
	}
	return m
}

// sub is a reader for an object inside r.
func (r *Reader) sub(name string, index int, text string) *Reader {
	root := r.root
	if root.used == len(root.pool) {
		root.pool = append(root.pool, new(Reader))
	}
	s := root.pool[root.used]
	root.used++
	s.root, s.parent, s.name, s.index = root, r, name, index
	s.members, s.marks, s.asked, s.next = s.members[:0], 0, s.asked[:0], 0
	// The text is part of one that was checked, or was checked as JSON text.
	_ = s.fill(text)
	return s
}

// path is the path of a member of r: actions[0].file_path.
func (r *Reader) path(name string) string {
	name = clip(name)
	if r.parent == nil {
		return name
	}
	return r.prefix() + "." + name
}

// clip makes any name fit for a message.
func clip(name string) string {
	if len(name) <= maxNear {
		return strings.ToValidUTF8(name, "\uFFFD")
	}
	return strings.ToValidUTF8(name[:maxNear], "\uFFFD") + "…"
}

func (r *Reader) prefix() string {
	if r.parent == nil {
		return ""
	}
	p := r.parent.path(r.name)
	if r.index >= 0 {
		p += "[" + strconv.Itoa(r.index) + "]"
	}
	return p
}

func (r *Reader) problem(p Problem) { r.root.problems = append(r.root.problems, p) }

func (r *Reader) note(n Note) { r.root.notes = append(r.root.notes, n) }

// Problem adds a problem that another part found in the arguments.
func (r *Reader) Problem(p Problem) { r.problem(p) }

// Note adds a note that another part has to give about the arguments.
func (r *Reader) Note(n Note) { r.note(n) }

// Err is nil if all arguments are right, else an [*Error] with every problem:
// those found while reading, and every name that was never asked for. Call it
// on the root after all parameters were read.
func (r *Reader) Err() error {
	root := r.root
	if root == nil {
		return nil
	}
	unknown := root.unknown(nil)
	for _, s := range root.pool[:root.used] {
		unknown = s.unknown(unknown)
	}
	if len(root.problems)+len(unknown) == 0 {
		return nil
	}
	return &Error{Problems: append(unknown, root.problems...)}
}

// unknown appends a problem for every member that was not asked for.
func (r *Reader) unknown(ps []Problem) []Problem {
	for i := range r.members {
		if m := &r.members[i]; !m.seen {
			ps = append(ps, Problem{Path: r.path(r.key(m)), Code: Unknown, Near: r.nearName(r.key(m))})
		}
	}
	return ps
}

// nearName is the parameter that was perhaps meant by name, those not given
// before those given.
func (r *Reader) nearName(name string) string {
	free := make([]string, 0, len(r.asked))
	for _, a := range r.asked {
		if r.find(a) == nil {
			free = append(free, a)
		}
	}
	if n := Nearest(name, free); n != "" {
		return n
	}
	return Nearest(name, r.asked)
}

// Notes is what was accepted in another form than the documented one.
func (r *Reader) Notes() []Note { return r.root.notes }

// State is the state of a parameter: after it was read, what reading made of
// it; before, Set unless it is missing or null.
func (r *Reader) State(name string) State {
	m := r.find(name)
	switch {
	case m == nil || scan.KindOf(r.value(m)) == scan.Null:
		return Absent
	case m.seen:
		return m.state
	}
	return Set
}

// Keys are the names given, in their order.
func (r *Reader) Keys() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range r.members {
			if !yield(r.key(&r.members[i])) {
				return
			}
		}
	}
}

// Has reports whether the name was given, even as null.
func (r *Reader) Has(name string) bool { return r.find(name) != nil }

// DropNulls takes the names out that were given as null: clients fill what they do
// not use with it, and it says no more than leaving them out.
func (r *Reader) DropNulls() {
	kept := r.members[:0]
	for i := range r.members {
		if scan.KindOf(r.value(&r.members[i])) != scan.Null {
			kept = append(kept, r.members[i])
		}
	}
	r.members, r.next = kept, 0
}

// Raw is the JSON text given for the name.
func (r *Reader) Raw(name string) ([]byte, bool) {
	if m := r.find(name); m != nil {
		return []byte(r.value(m)), true
	}
	return nil, false
}

// Rename gives the value of from the name to, and notes it. It does nothing if
// from was not given or to was.
func (r *Reader) Rename(from, to string) {
	if m := r.find(from); m != nil && r.find(to) == nil {
		m.keyLo, m.keyHi = r.add(to)
		r.marks |= mark(to)
		r.note(Note{Path: r.path(from), Change: "read as " + to})
	}
}

// Delete takes the name out of the arguments.
func (r *Reader) Delete(name string) {
	for i := range r.members {
		if r.key(&r.members[i]) == name {
			r.members = append(r.members[:i], r.members[i+1:]...)
			r.next = 0
			return
		}
	}
}

// Put sets the value of a name; json must be valid JSON.
func (r *Reader) Put(name string, json []byte) {
	if m := r.find(name); m != nil {
		m.lo, m.hi = r.add(string(json))
		return
	}
	r.marks |= mark(name)
	var m member
	m.keyLo, m.keyHi = r.add(name)
	m.lo, m.hi = r.add(string(json))
	r.members = append(r.members, m)
}

// Clamp lowers a whole number above hi, a canonical one, to hi and notes it.
// Anything that is no whole number is left for the typed methods to judge.
func (r *Reader) Clamp(name, hi string) {
	m := r.find(name)
	if m == nil {
		return
	}
	v := r.value(m)
	if scan.KindOf(v) == scan.String {
		v = strings.TrimSpace(scan.Unquoted(v))
	}
	if n, _ := canonInt(v); n != "" && compareInts(n, hi) > 0 {
		m.lo, m.hi = r.add(hi)
		r.note(Note{Path: r.path(name), Change: "lowered to " + hi + ", the most that GitLab gives"})
	}
}

// Rule checks a rule over several parameters, which must have been read:
// one_of (at least one of them), exactly_one, at_most_one, all_or_none.
func (r *Reader) Rule(rule string, names ...string) {
	n := 0
	for _, name := range names {
		if r.State(name) != Absent {
			n++
		}
	}
	var want string
	switch {
	case rule == "one_of" && n == 0:
		want = "at least one of "
	case rule == "exactly_one" && n != 1:
		want = "exactly one of "
	case rule == "at_most_one" && n > 1:
		want = "at most one of "
	case rule == "all_or_none" && n > 0 && n < len(names):
		want = "all or none of "
	default:
		return
	}
	got := strconv.Itoa(n) + " of them"
	if n == 0 {
		got = "none"
	}
	r.problem(Problem{Path: r.prefix(), Code: Group, Got: got, Expected: want + strings.Join(names, ", ")})
}

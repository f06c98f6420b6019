package arg

import "strings"

// Code is the kind of a problem.
type Code string

// Kinds of problems.
const (
	Unknown   Code = "unknown"   // no parameter has this name
	Missing   Code = "missing"   // a required parameter is absent
	WrongType Code = "type"      // a value of another type
	NotInEnum Code = "enum"      // a value outside the allowed ones
	Range     Code = "range"     // a number outside its limits
	Group     Code = "group"     // a rule over several parameters does not hold
	Duplicate Code = "duplicate" // a name stands twice in one object
	Invalid   Code = "invalid"   // right type, but not usable
)

// Problem is one thing that is wrong with the arguments. It never holds a
// value of the caller's: Got says what kind of value came.
type Problem struct {
	Path     string // actions[0].file_path
	Code     Code
	Got      string // "a string"; empty if nothing came
	Expected string // "an integer"; for Unknown empty
	Near     string // a name or enum value that was perhaps meant; empty if none
}

// String is the problem as one line without an end mark.
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.Path)
	switch p.Code {
	case Unknown:
		b.WriteString(": no such parameter")
	case Missing:
		b.WriteString(": required: " + p.Expected)
	default:
		if p.Path != "" {
			b.WriteString(": ")
		}
		b.WriteString("expected " + p.Expected)
		if p.Got != "" {
			b.WriteString(", got " + p.Got)
		}
	}
	if p.Near != "" {
		b.WriteString("; did you mean " + p.Near + "?")
	}
	return b.String()
}

// Error is all problems of one set of arguments; there is at least one.
type Error struct{ Problems []Problem }

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("invalid arguments")
	for i, p := range e.Problems {
		if i == 0 {
			b.WriteString(": ")
		} else {
			b.WriteString("; ")
		}
		b.WriteString(p.String())
	}
	return b.String()
}

// Note says that a value was accepted in another form than the documented one.
// It holds names and kinds, never values.
type Note struct {
	Path   string
	Change string // "a string was read as an integer"
}

// String is the note as one line without an end mark.
func (n Note) String() string { return n.Path + ": " + n.Change }

package arg

// State says whether a value was given.
type State uint8

// States of a value.
const (
	Absent State = iota // not given, null, or empty where empty means nothing
	Null                // the word "none" for a clearable parameter: null is sent
	Set                 // given, explicit empties included
)

// String is a text, an id (number or path) or one of an enum.
type String struct {
	V     string
	State State
	// number is true for an id that was given as a JSON number: a JSON body
	// repeats it as one.
	number bool
}

// Int is a whole number of any size as canonical decimal text: "42", "-7".
type Int struct {
	V     string
	State State
}

// Number is a JSON number as its text.
type Number struct {
	V     string
	State State
}

// Bool is a truth value.
type Bool struct {
	V     bool
	State State
}

// Raw is any JSON value as compact JSON text; nulls, key order and number
// texts are those of the caller.
type Raw struct {
	V     []byte
	State State
}

// Strings is a list of texts, ids or enum values. Set with no elements is an
// explicit empty list.
type Strings struct {
	V     []string
	State State
	plainForm
	// blank is true for "" given in place of a list: GitLab clears by it where
	// lists travel comma-joined, and an array of JSON has no such value.
	blank bool
}

// Ints is a list of whole numbers, each as in Int.
type Ints struct {
	V     []string
	State State
	plainForm
}

// plainForm is what stood in place of a list that is read with the flag Scalar.
type plainForm struct {
	plain bool   // one value, not an array
	text  string // the value, if it was a text
}

// Numbers is a list of JSON numbers, each as its text.
type Numbers struct {
	V     []string
	State State
}

// File is a file that goes to GitLab: its bytes, or the path that the sender
// opens. Path is set only if the caller gave a path; whether it may be read is
// the sender's to decide.
type File struct {
	Content     []byte
	Path        string
	Filename    string // a base name; empty if not given
	ContentType string // a media type; empty if not given
	State       State
}

// Opt is an object inside the arguments.
type Opt[T any] struct {
	V     T
	State State
}

// List is an array of objects inside the arguments.
type List[T any] struct {
	V     []T
	State State
}

// Flags say how a parameter is read.
type Flags uint8

// Flags of a parameter.
const (
	Required  Flags = 1 << iota // an error if absent
	Filter                      // filters a read: "" is absent
	Clearable                   // the word "none" means null
	Path                        // stands in the URL's path: "" is absent
	Scalar                      // a list that GitLab also takes as one plain value: that is sent as it was given
)

// Enum is the list of allowed texts, joined by "\n".
type Enum string

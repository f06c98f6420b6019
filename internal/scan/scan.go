// Package scan reads and writes JSON text without decoding it: it checks a
// document once, then walks members and elements as spans of the original
// text, so that numbers, key order, nulls and unknown fields stay as they were.
//
// It is not a decoder: nothing here builds maps, slices of any, or structs.
//
// Every function takes the text as a string or as bytes. The walking functions
// expect text that [Valid] accepts; on any other bytes they stop early and
// yield what they have found, and never panic.
package scan

// Text is JSON text.
type Text interface{ ~string | ~[]byte }

// Kind is the kind of a JSON value: the byte that it starts with.
type Kind byte

// Kinds of JSON values. Number stands for all bytes that a number starts with.
const (
	Invalid Kind = 0
	Object  Kind = '{'
	Array   Kind = '['
	String  Kind = '"'
	Number  Kind = '0'
	True    Kind = 't'
	False   Kind = 'f'
	Null    Kind = 'n'
)

// String is the kind in words, with its article: "an object".
func (k Kind) String() string {
	switch k {
	case Object:
		return "an object"
	case Array:
		return "an array"
	case String:
		return "a string"
	case Number:
		return "a number"
	case True, False:
		return "a boolean"
	case Null:
		return "null"
	}
	return "no JSON value"
}

// KindOf is the kind of the value that v starts with, after white space.
func KindOf[T Text](v T) Kind {
	i := space(v, 0)
	if i == len(v) {
		return Invalid
	}
	switch c := v[i]; c {
	case '{', '[', '"', 't', 'f', 'n':
		return Kind(c)
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return Number
	}
	return Invalid
}

// Trim is v without white space around it.
func Trim[T Text](v T) T {
	i, j := space(v, 0), len(v)
	for j > i && isSpace(v[j-1]) {
		j--
	}
	return v[i:j]
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// space is the index of the first byte at or behind i that is no white space.
func space[T Text](v T, i int) int {
	for i < len(v) && isSpace(v[i]) {
		i++
	}
	return i
}

// quoted is the index behind the string that starts with the quote at i, and
// false if the text ends before it does.
func quoted[T Text](v T, i int) (int, bool) {
	for i = plainRun(v, i+1); i < len(v); i = plainRun(v, i+1) {
		switch v[i] {
		case '"':
			return i + 1, true
		case '\\':
			i++
		}
	}
	return len(v), false
}

// End is the index behind the value that starts at i, which must be no white
// space; 0 if none starts there or the text ends inside it.
func End[T Text](v T, i int) int {
	if i < 0 || i >= len(v) {
		return 0
	}
	switch v[i] {
	case '"':
		if j, ok := quoted(v, i); ok {
			return j
		}
		return 0
	case '{', '[':
		depth := 0
		for i < len(v) {
			switch v[i] {
			case '{', '[':
				depth++
			case '}', ']':
				depth--
				if depth == 0 {
					return i + 1
				}
			case '"':
				j, ok := quoted(v, i)
				if !ok {
					return 0
				}
				i = j
				continue
			}
			i++
		}
		return 0
	}
	j := i
	for j < len(v) && !isSpace(v[j]) && v[j] != ',' && v[j] != ']' && v[j] != '}' && v[j] != ':' {
		j++
	}
	if j == i {
		return 0
	}
	return j
}

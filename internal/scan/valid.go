package scan

import (
	"fmt"
	"math/bits"
)

// MaxDepth is how deep objects and arrays may stand in each other.
const MaxDepth = 500

// SyntaxError says where a text stops being one JSON value.
type SyntaxError struct {
	Offset int // in bytes, from 0
	Reason string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s at byte %d", e.Reason, e.Offset)
}

// Valid checks that text is exactly one JSON value, white space around it
// allowed, at most MaxDepth deep. The error is a [*SyntaxError]. Bytes inside
// strings that are no UTF-8 are no error here: reading replaces them.
func Valid[T Text](text T) error {
	i, reason := checkValue(text, space(text, 0), MaxDepth)
	if reason == "" {
		if i = space(text, i); i < len(text) {
			reason = "unexpected text behind the value"
		}
	}
	return syntaxError(len(text), i, reason)
}

// syntaxError is nil without a reason.
func syntaxError(length, at int, reason string) error {
	switch {
	case reason == "":
		return nil
	case at >= length:
		return &SyntaxError{Offset: length, Reason: "unexpected end of JSON"}
	}
	return &SyntaxError{Offset: at, Reason: reason}
}

// checkValue checks the value at i and returns the index behind it, or where
// and why it is none.
func checkValue[T Text](v T, i, depth int) (int, string) {
	if i >= len(v) {
		return i, "a value is missing"
	}
	switch c := v[i]; c {
	case '"':
		return checkString(v, i)
	case '{', '[':
		if depth == 0 {
			return i, "nested too deeply"
		}
		return checkContainer(v, i, depth-1)
	case 't':
		return checkWord(v, i, "true")
	case 'f':
		return checkWord(v, i, "false")
	case 'n':
		return checkWord(v, i, "null")
	default:
		return checkNumber(v, i)
	}
}

func checkContainer[T Text](v T, i, depth int) (int, string) {
	object := v[i] == '{'
	end := byte(']')
	if object {
		end = '}'
	}
	i = space(v, i+1)
	if i < len(v) && v[i] == end {
		return i + 1, ""
	}
	for {
		var reason string
		if object {
			if i >= len(v) || v[i] != '"' {
				return i, "a quoted key is missing"
			}
			if i, reason = checkString(v, i); reason != "" {
				return i, reason
			}
			if i = space(v, i); i >= len(v) || v[i] != ':' {
				return i, "a colon is missing"
			}
			i = space(v, i+1)
		}
		if i, reason = checkValue(v, i, depth); reason != "" {
			return i, reason
		}
		i = space(v, i)
		if i >= len(v) {
			return i, "a closing bracket is missing"
		}
		switch v[i] {
		case ',':
			i = space(v, i+1)
		case end:
			return i + 1, ""
		default:
			return i, "a comma is missing"
		}
	}
}

// plainRun is the index of the first byte at or behind i that ends the plain part
// of a string: a quote, a backslash or a control character. It looks at eight
// bytes at a time, since strings are most of what is read.
func plainRun[T Text](v T, i int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for i+8 <= len(v) {
		b := v[i : i+8]
		x := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		quote, slash := x^(ones*'"'), x^(ones*'\\')
		// The top bit of each byte that is zero in quote or slash, or below a space
		// in x; bits above the lowest one found may be wrong.
		if found := ((x-ones*' ')&^x | (quote-ones)&^quote | (slash-ones)&^slash) & tops; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
		i += 8
	}
	for i < len(v) && v[i] >= ' ' && v[i] != '"' && v[i] != '\\' {
		i++
	}
	return i
}

func checkString[T Text](v T, i int) (int, string) {
	for i = plainRun(v, i+1); i < len(v); i = plainRun(v, i+1) {
		switch c := v[i]; {
		case c == '"':
			return i + 1, ""
		case c < ' ':
			return i, "a control character in a string"
		}
		i++ // behind the backslash
		if i == len(v) {
			break
		}
		switch v[i] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		case 'u':
			if unit(v, i+1) < 0 {
				return i, "an unknown escape in a string"
			}
			i += 4
		default:
			return i, "an unknown escape in a string"
		}
	}
	return len(v), "a string has no end"
}

func checkWord[T Text](v T, i int, word string) (int, string) {
	if len(v)-i < len(word) || string(v[i:i+len(word)]) != word {
		return i, "an unknown word"
	}
	return i + len(word), ""
}

func checkNumber[T Text](v T, i int) (int, string) {
	if v[i] == '-' {
		i++
	}
	switch {
	case i < len(v) && v[i] == '0':
		i++
	case i < len(v) && '1' <= v[i] && v[i] <= '9':
		i = digits(v, i)
	default:
		return i, "an unexpected character"
	}
	if i < len(v) && v[i] == '.' {
		j := digits(v, i+1)
		if j == i+1 {
			return j, "a digit is missing"
		}
		i = j
	}
	if i < len(v) && (v[i] == 'e' || v[i] == 'E') {
		i++
		if i < len(v) && (v[i] == '+' || v[i] == '-') {
			i++
		}
		j := digits(v, i)
		if j == i {
			return j, "a digit is missing"
		}
		i = j
	}
	return i, ""
}

func digits[T Text](v T, i int) int {
	for i < len(v) && '0' <= v[i] && v[i] <= '9' {
		i++
	}
	return i
}

// IsNumber reports whether v is exactly one JSON number.
func IsNumber[T Text](v T) bool {
	if len(v) == 0 {
		return false
	}
	i, reason := checkNumber(v, 0)
	return reason == "" && i == len(v)
}

package render

import (
	"bytes"
	"strconv"
)

// wholeRunes is body with escaped halves of surrogate pairs, which no UTF-8 can
// hold, replaced by U+FFFD.
func wholeRunes(body []byte) []byte {
	var out []byte
	from := 0
	for i := 0; ; {
		j := bytes.Index(body[i:], []byte(`\u`))
		if j < 0 {
			break
		}
		i += j
		if escaped(body, i) || i+6 > len(body) {
			i += 2
			continue
		}
		switch high, low := surrogate(body[i:]), rune(0); {
		case high == 0:
			i += 6
			continue
		case high < 0xDC00 && i+12 <= len(body):
			if low = surrogate(body[i+6:]); low >= 0xDC00 {
				i += 12
				continue
			}
		}
		out = append(append(out, body[from:i]...), `\ufffd`...)
		i += 6
		from = i
	}
	if out == nil {
		return body
	}
	return append(out, body[from:]...)
}

// escaped reports whether the backslash at i is the second of a pair.
func escaped(body []byte, i int) bool {
	n := 0
	for i--; i >= 0 && body[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

// surrogate is the half of a surrogate pair that s begins with as an escape, or 0.
func surrogate(s []byte) rune {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0
	}
	n, err := strconv.ParseUint(string(s[2:6]), 16, 32)
	if err != nil || n < 0xD800 || n > 0xDFFF {
		return 0
	}
	return rune(n)
}

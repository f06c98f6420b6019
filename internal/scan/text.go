package scan

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

const hex = "0123456789abcdef"

// plain reports whether raw, a string without its quotes, means itself: no
// escapes and valid UTF-8.
func plain[T Text](raw T) bool {
	switch raw := any(raw).(type) {
	case string:
		return strings.IndexByte(raw, '\\') < 0 && utf8.ValidString(raw)
	case []byte:
		return bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw)
	}
	return plain(string(raw))
}

func validUTF8[T Text](v T) bool {
	switch v := any(v).(type) {
	case string:
		return utf8.ValidString(v)
	case []byte:
		return utf8.Valid(v)
	}
	return utf8.ValidString(string(v))
}

// Unquoted is the text of the string value v, quotes included in v. It is a
// part of v itself where v has no escapes. Invalid UTF-8 and lone surrogates
// become U+FFFD. Anything but a string is returned as it is.
func Unquoted(v string) string {
	raw, ok := body(v)
	if !ok || plain(raw) {
		return raw
	}
	var buf [512]byte // one allocation for most texts
	return string(unescape(buf[:0], raw))
}

// AppendUnquoted appends the text of the string value v to dst; see [Unquoted].
func AppendUnquoted[T Text](dst []byte, v T) []byte {
	raw, ok := body(v)
	if !ok || plain(raw) {
		return append(dst, raw...)
	}
	return unescape(dst, raw)
}

// body is v without its quotes, and false if it has none.
func body[T Text](v T) (T, bool) {
	if len(v) < 2 || v[0] != '"' || v[len(v)-1] != '"' {
		return v, false
	}
	return v[1 : len(v)-1], true
}

// unescape appends raw, a string without its quotes, with its escapes resolved.
func unescape[T Text](dst []byte, raw T) []byte {
	for i := 0; i < len(raw); {
		from := i
		for i < len(raw) && raw[i] < utf8.RuneSelf && raw[i] != '\\' {
			i++
		}
		if dst = append(dst, raw[from:i]...); i == len(raw) {
			break
		}
		if raw[i] >= utf8.RuneSelf {
			r, n := decodeRune(raw, i)
			dst = utf8.AppendRune(dst, r) // RuneError appends U+FFFD
			i += n
			continue
		}
		if i+1 == len(raw) {
			dst = append(dst, '\\')
			break
		}
		i += 2
		switch e := raw[i-1]; e {
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r := unit(raw, i)
			if r < 0 {
				dst = append(dst, '\\', 'u')
				continue
			}
			i += 4
			if utf16.IsSurrogate(r) {
				low := rune(-1)
				if i+1 < len(raw) && raw[i] == '\\' && raw[i+1] == 'u' {
					low = unit(raw, i+2)
				}
				if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
					i += 6
				}
			}
			dst = utf8.AppendRune(dst, r)
		default: // \" \\ \/ mean the character itself
			dst = append(dst, e)
		}
	}
	return dst
}

// decodeRune is the rune at i and its width; RuneError and 1 for invalid UTF-8.
func decodeRune[T Text](v T, i int) (rune, int) {
	var b [utf8.UTFMax]byte
	return utf8.DecodeRune(b[:copy(b[:], v[i:min(i+utf8.UTFMax, len(v))])])
}

// unit is the UTF-16 unit written as four hexadecimal digits at i, or -1.
func unit[T Text](v T, i int) rune {
	if i+4 > len(v) {
		return -1
	}
	var r rune
	for _, c := range []byte(v[i : i+4]) {
		d := digit(c)
		if d < 0 {
			return -1
		}
		r = r<<4 | rune(d)
	}
	return r
}

func digit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// AppendQuoted appends s as a JSON string. Only what JSON demands is escaped:
// quotes, backslashes and control characters, so that <, > and & stay
// readable. Invalid UTF-8 becomes U+FFFD.
func AppendQuoted[T Text](dst []byte, s T) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := decodeRune(s, i)
			if r == utf8.RuneError && n == 1 {
				dst = append(append(dst, s[from:i]...), "\uFFFD"...)
				from = i + 1
			}
			i += n
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		dst = append(dst, s[from:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		from = i
	}
	return append(append(dst, s[from:]...), '"')
}

// AppendCompact appends v without the white space between its parts; all else
// stays byte for byte.
func AppendCompact[T Text](dst []byte, v T) []byte {
	from := 0
	for i := 0; i < len(v); {
		switch {
		case v[i] == '"':
			i, _ = quoted(v, i)
		case isSpace(v[i]):
			dst = append(dst, v[from:i]...)
			i = space(v, i)
			from = i
		default:
			i++
		}
	}
	return append(dst, v[from:]...)
}

// AppendValidUTF8 appends v with every byte that is no UTF-8 replaced by
// U+FFFD, and reports whether there was any.
func AppendValidUTF8[T Text](dst []byte, v T) (_ []byte, changed bool) {
	if validUTF8(v) {
		return append(dst, v...), false
	}
	for i := 0; i < len(v); {
		r, n := rune(v[i]), 1
		if r >= utf8.RuneSelf {
			r, n = decodeRune(v, i)
		}
		dst = utf8.AppendRune(dst, r)
		i += n
	}
	return dst, true
}

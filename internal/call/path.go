package call

import (
	"net/url"
	"strings"
	"unicode/utf8"
)

// PathError says that an argument cannot stand in the path of a URL. It holds
// no value.
type PathError struct {
	Param   string // the argument's public name
	Message string // what is expected: "a value that is not empty"
}

func (e *PathError) Error() string { return e.Param + ": expected " + e.Message }

// Literal appends an already encoded piece of the path: "/api/v4/projects/".
func (q *Request) Literal(s string) { q.path = append(q.path, s...) }

// Segment appends the argument as one segment of the path, encoded once: of
// a/b and a%2Fb both become a%2Fb (see [decoded] for when a value counts as
// encoded). A value that is empty, or has "." or ".." between its slashes, is an
// error, since a proxy that resolves such pieces would reach another
// operation; so is an empty piece in an id or a file's path.
func (q *Request) Segment(name, v string) {
	q.piece(name, v, strict(name), false)
}

// PathFault says what is expected in place of v as an argument in the path, ""
// if v can stand there. It lets a reader of arguments tell before a request is
// built; Segment and Splat judge in the same way.
func PathFault(name, v string) string { return fault(decoded(v), strict(name)) }

// strict reports whether the argument is one whose empty pieces mean nothing: an
// id, or a path. Names of labels and the like may have slashes anywhere.
func strict(name string) bool {
	return strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "path")
}

// Splat appends the argument as any number of segments: its slashes stay, each
// piece between them is encoded once. Empty pieces are errors, too.
func (q *Request) Splat(name, v string) {
	q.piece(name, v, true, true)
}

// piece appends the argument, or notes why it cannot stand in a path.
func (q *Request) piece(name, v string, strict, slashes bool) {
	v = decoded(v)
	if m := fault(v, strict); m != "" {
		if q.err == nil {
			q.err = &PathError{Param: name, Message: m}
		}
		return
	}
	q.path = appendEscaped(q.path, v, slashes)
}

// fault is what is expected in place of v, a decoded value, in a path, or "".
func fault(v string, strict bool) string {
	if v == "" {
		return "a value that is not empty"
	}
	if v == "/" || strict && (v[0] == '/' || v[len(v)-1] == '/' || strings.Contains(v, "//")) {
		return "a value without a slash at either end or two in a row"
	}
	// Further rounds see what a second and third decoder on the way would see.
	for range 3 {
		if dotted(v) {
			return `a value without "." or ".." between slashes`
		}
		next, err := url.PathUnescape(v)
		if err != nil || next == v {
			break
		}
		v = next
	}
	return ""
}

// dotted reports whether a piece of v between slashes of either kind is one that
// proxies resolve.
func dotted(v string) bool {
	if strings.IndexByte(v, '.') < 0 {
		return false
	}
	for piece := range strings.FieldsFuncSeq(v, func(c rune) bool { return c == '/' || c == '\\' }) {
		if dots(piece) {
			return true
		}
	}
	return false
}

func dots(s string) bool { return s == "." || s == ".." }

// decoded is v without its percent-encoding, if it has one.
//
// GitLab's documentation tells people to encode paths themselves, so values
// come in both forms. A value counts as encoded if all its percent signs begin
// an escape, what they decode to is UTF-8 without control characters, and it
// either has an encoded slash (%2F) or consists of nothing but escapes,
// slashes, and characters that never need one. So 100%, 50% off and %zz are
// taken literally, while my%20file is the name "my file"; a name that truly
// holds the text %20 is given as %2520.
func decoded(v string) string {
	if strings.IndexByte(v, '%') < 0 {
		return v
	}
	d, err := url.PathUnescape(v)
	if err != nil || !utf8.ValidString(d) {
		return v
	}
	for i := range len(d) {
		if d[i] < ' ' || d[i] == 0x7f {
			return v
		}
	}
	if strings.Contains(v, "%2F") || strings.Contains(v, "%2f") {
		return d
	}
	for i := range len(v) {
		if c := v[i]; !unreserved(c) && c != '%' && c != '/' {
			return v
		}
	}
	return d
}

func unreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '.' || c == '_' || c == '~'
}

const upperHex = "0123456789ABCDEF"

// appendEscaped appends v percent-encoded; slashes stay if they are wanted.
func appendEscaped(dst []byte, v string, slashes bool) []byte {
	for i := range len(v) {
		c := v[i]
		if unreserved(c) || slashes && c == '/' {
			dst = append(dst, c)
			continue
		}
		dst = append(dst, '%', upperHex[c>>4], upperHex[c&15])
	}
	return dst
}

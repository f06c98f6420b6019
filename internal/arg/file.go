package arg

import (
	"encoding/base64"
	"strings"

	"gitlab-mcp-server/internal/scan"
)

const fileExpected = "a file: {content, encoding, filename} or {path}, or its text as a string"

// File reads a file: an object with content (and encoding text or base64) or
// path, and optionally filename and content_type; or a string, which is its text.
// An empty string for a file that a write may go without is Null: no file in
// place of the one that is there.
func (r *Reader) File(name string, f Flags) File {
	m := r.ask(name)
	if m != nil && f&(Required|Filter) == 0 && r.value(m) == `""` {
		m.state = Null
		return File{State: Null}
	}
	if s := r.state(m, f, true); s != Set {
		if s == Absent && f&Required != 0 {
			r.problem(Problem{Path: r.path(name), Code: Missing, Expected: fileExpected})
		}
		return File{State: s}
	}
	object := r.value(m)
	switch k := scan.KindOf(object); k {
	case scan.Object:
	case scan.String:
		v := scan.Unquoted(object)
		inner, ok := jsonText(v, scan.Object)
		if !ok || !fileLike(inner) {
			return File{Content: []byte(v), State: Set}
		}
		object = inner
		r.note(Note{Path: r.path(name), Change: "JSON text was read as an object"})
	default:
		r.problem(Problem{Path: r.path(name), Code: WrongType, Got: k.String(), Expected: fileExpected})
		return File{}
	}
	return r.sub(name, -1, object).file(r.path(name))
}

// fileLike reports whether an object written as text is a file's description;
// else the text is a JSON file's own content.
func fileLike(object string) bool {
	known := false
	for k := range scan.Members(object) {
		switch scan.Key(k) {
		case "content", "path":
			known = true
		case "encoding", "filename", "content_type":
		default:
			return false
		}
	}
	return known
}

// file reads the description of a file from its own reader.
func (r *Reader) file(at string) File {
	content := r.String("content", 0)
	encoding := r.Enum("encoding", Filter, "text\nbase64")
	path := r.String("path", Filter)
	file := File{
		Path:        path.V,
		Filename:    baseName(r.String("filename", Filter).V),
		ContentType: mediaType(r.String("content_type", Filter).V),
		State:       Set,
	}
	switch {
	case content.State == Set && path.State == Set && content.V != "":
		r.problem(Problem{Path: at, Code: Group, Got: "both", Expected: "content or path, not both"})
		return File{}
	case path.State == Set:
		return file
	case content.State != Set:
		if !r.Has("content") || r.State("content") == Absent {
			r.problem(Problem{Path: at, Code: Missing, Expected: fileExpected})
		}
		return File{}
	}
	file.Path = ""
	if encoding.V != "base64" {
		file.Content = []byte(content.V)
		return file
	}
	data, ok := decodeBase64(content.V)
	if !ok {
		r.problem(Problem{Path: r.path("content"), Code: Invalid, Got: "text that is no base64", Expected: "base64"})
		return File{}
	}
	file.Content = data
	return file
}

// decodeBase64 takes both alphabets, with or without padding, line breaks, and
// the prefix of a data URL.
func decodeBase64(s string) ([]byte, bool) {
	if rest, ok := strings.CutPrefix(s, "data:"); ok {
		if _, data, ok := strings.Cut(rest, ";base64,"); ok {
			s = data
		}
	}
	s = strings.Map(func(c rune) rune {
		switch c {
		case ' ', '\t', '\r', '\n':
			return -1
		case '-':
			return '+'
		case '_':
			return '/'
		}
		return c
	}, s)
	if n := len(strings.TrimRight(s, "=")); len(s)-n > 2 || len(s) != n && len(s)%4 != 0 {
		return nil, false
	} else {
		s = s[:n]
	}
	data, err := base64.RawStdEncoding.DecodeString(s)
	return data, err == nil
}

// baseName is the last part of a path of either kind of system, without
// control characters; empty if that names nothing.
func baseName(s string) string {
	if i := strings.LastIndexAny(s, `/\`); i >= 0 {
		s = s[i+1:]
	}
	s = strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return -1
		}
		return c
	}, s)
	if s == "." || s == ".." {
		return ""
	}
	return s
}

// mediaType is s if it can stand in a header as it is, else empty.
func mediaType(s string) string {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return ""
		}
	}
	return s
}

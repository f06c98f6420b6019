package render

import (
	"strconv"
	"strings"

	"gitlab-mcp-server/internal/scan"
)

const (
	maxCell = 80  // characters of a cell
	maxBody = 200 // of a cell with free text
	maxFact = 300 // of a fact of a card
)

// plainText is a value in a few words, not yet escaped: a text or number as it
// is, an object by what identifies it, an array by its elements.
func plainText(v []byte, depth int) string {
	switch scan.KindOf(v) {
	case scan.String:
		return scan.Unquoted(string(v))
	case scan.Null, scan.Invalid:
		return ""
	case scan.Object:
		return objectText(v, depth)
	case scan.Array:
		var parts []string
		n := 0
		for e := range scan.Elements(v) {
			if n++; len(parts) < 10 {
				if t := plainText(e, depth+1); t != "" {
					parts = append(parts, t)
				}
			}
		}
		s := strings.Join(parts, ", ")
		if n > len(parts) {
			s += " … (" + strconv.Itoa(n) + " in all)"
		}
		return s
	}
	return string(v)
}

// objectText is what identifies an object: a person by name and user name,
// other things by their title, name, path or number.
func objectText(v []byte, depth int) string {
	o := pick(v, "username", "name", "title", "path_with_namespace", "full_path", "short_id", "iid", "id", "key", "sha")
	text := func(i int) string {
		if k := scan.KindOf(o[i]); k == scan.String || k == scan.Number {
			return plainText(o[i], depth)
		}
		return ""
	}
	if user := text(0); user != "" {
		if name := text(1); name != "" {
			return name + " (@" + user + ")"
		}
		return "@" + user
	}
	for i := range o {
		if t := text(i); t != "" {
			return t
		}
	}
	if depth > 1 {
		return ""
	}
	var parts []string
	for k, e := range scan.Members(v) {
		if t := plainText(e, depth+1); t != "" && len(parts) < 8 {
			parts = append(parts, scan.Key(k)+" "+clip(t, 60))
		}
	}
	return strings.Join(parts, ", ")
}

// pick walks an object once and gives the values of the names; nil for the
// others.
func pick(obj []byte, names ...string) [][]byte {
	vs := make([][]byte, len(names))
	cur := scan.Cursor[[]byte]{Text: obj}
	if !cur.Enter(scan.Object) {
		return vs
	}
	for cur.Next() {
		for i, name := range names {
			if vs[i] == nil && scan.KeyIs(cur.Key(), name) {
				vs[i] = cur.Value()
				break
			}
		}
	}
	return vs
}

// code is s as a code span in one line.
func code(s string) string {
	s = oneLine(s)
	ticks := "`"
	for strings.Contains(s, ticks) {
		ticks += "`"
	}
	if len(ticks) > 1 {
		return ticks + " " + s + " " + ticks
	}
	return ticks + s + ticks
}

// short is s in one line, at most n characters, escaped.
func short(s string, n int) string {
	if len(s) > 8*n { // more than folded white space accounts for
		s = clip(s, 8*n)
	}
	return Escape(clip(oneLine(s), n))
}

package render

import (
	"bytes"
	"slices"

	"gitlab-mcp-server/internal/scan"
)

// copier copies JSON, leaving out what a projection leaves out and masking
// secrets. Everything it keeps stays byte for byte.
type copier struct {
	mask   bool
	urls   bool     // whether any text may hold credentials in a URL
	masked []string // names of masked members, each once
}

// newCopier looks once over the whole text for what could be a secret, so that
// the answers that have none, nearly all, are copied as they are.
func newCopier(text []byte, reveal bool) copier {
	if reveal {
		return copier{}
	}
	urls := mayHoldCredentials(text)
	return copier{mask: urls || mayHoldSecrets(text), urls: urls}
}

// value appends v; f is the projection of it, nil for all of it.
func (c *copier) value(dst, v []byte, f *field) []byte {
	if f != nil && len(f.kids) == 0 {
		f = nil
	}
	if f == nil && !c.mask {
		return append(dst, v...)
	}
	switch scan.KindOf(v) {
	case scan.Object:
		return c.object(dst, v, f)
	case scan.Array:
		return c.array(dst, v, f)
	case scan.Null:
		if f != nil {
			f.excuse()
		}
	case scan.String:
		if c.urls {
			if masked, ok := maskQuoted(v); ok {
				c.note("a URL's credentials")
				return append(dst, masked...)
			}
		}
	}
	return append(dst, v...)
}

func (c *copier) array(dst, v []byte, f *field) []byte {
	dst = append(dst, '[')
	start := len(dst)
	for e := range scan.Elements(v) {
		if len(dst) > start {
			dst = append(dst, ',')
		}
		dst = c.value(dst, e, f)
	}
	if len(dst) == start && f != nil {
		f.excuse()
	}
	return append(dst, ']')
}

func (c *copier) object(dst, v []byte, f *field) []byte {
	if f != nil {
		f.visit(v)
	}
	dst = append(dst, '{')
	start := len(dst)
	cur := scan.Cursor[[]byte]{Text: v}
	cur.Enter(scan.Object)
	for cur.Next() {
		var kid *field
		if f != nil {
			name := cur.Key()
			if bytes.IndexByte(name, '\\') >= 0 {
				name = []byte(scan.Key(name))
			}
			if kid = f.kid(name); kid == nil || !kid.fits(cur.Value()) {
				continue
			}
			kid.found = true
		}
		if len(dst) > start {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), cur.Key()...), '"', ':')
		if c.mask && secretMember(v, cur.Key(), cur.Value()) {
			c.note(scan.Key(cur.Key()))
			dst = append(append(append(dst, '"'), Masked...), '"')
			continue
		}
		dst = c.value(dst, cur.Value(), kid)
	}
	return append(dst, '}')
}

// fits reports whether v has what is below f: a path that goes on behind a text
// or number leads nowhere.
func (f *field) fits(v []byte) bool {
	if len(f.kids) == 0 {
		return true
	}
	k := scan.KindOf(v)
	return k == scan.Object || k == scan.Array || k == scan.Null
}

func (c *copier) note(name string) {
	if !slices.Contains(c.masked, name) {
		c.masked = append(c.masked, name)
	}
}

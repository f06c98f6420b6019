package render

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"gitlab-mcp-server/internal/scan"
)

// cutter makes JSON fit a number of characters and states what it left out.
type cutter struct{ cuts []Cut }

// minText is the length below which nothing is shortened.
const minText = 40

func (c *cutter) cut(cut Cut) { c.cuts = append(c.cuts, cut) }

// size is the number of characters of v.
func size(v []byte) int { return utf8.RuneCount(v) }

// value appends v shortened to at most budget characters, as far as shortening
// texts, arrays and, where nothing else helps, objects goes.
func (c *cutter) value(dst, v []byte, path string, budget int) []byte {
	if len(v) <= budget || size(v) <= budget {
		return append(dst, v...)
	}
	switch scan.KindOf(v) {
	case scan.String:
		return c.text(dst, v, path, budget)
	case scan.Array:
		return c.array(dst, v, path, budget)
	case scan.Object:
		return c.object(dst, v, path, budget)
	}
	return append(dst, v...)
}

// text keeps the beginning of a text.
func (c *cutter) text(dst, v []byte, path string, budget int) []byte {
	raw := v[1 : len(v)-1]
	budget = max(budget-2, minText)
	// end is behind the last character kept; one escape is one character of the
	// text, and two that make a surrogate pair are not taken apart.
	end, chars, kept, total := 0, 0, 0, 0
	for i := 0; i < len(raw); {
		n, width := charLen(raw[i:])
		if chars+width <= budget {
			end, chars, kept = i+n, chars+width, kept+1
		} else {
			budget = 0 // nothing behind the first that does not fit
		}
		i += n
		total++
	}
	if kept == total {
		return append(dst, v...)
	}
	c.cut(Cut{Path: path, Kept: kept, Total: total, Unit: "characters"})
	return append(append(append(dst, '"'), raw[:end]...), '"')
}

// charLen is how many bytes the first character of a JSON text takes, and how
// many characters of JSON it is written with.
func charLen(raw []byte) (n, width int) {
	if raw[0] != '\\' {
		_, n = utf8.DecodeRune(raw)
		return n, 1
	}
	if len(raw) < 6 || raw[1] != 'u' {
		n = min(2, len(raw))
		return n, n
	}
	if len(raw) >= 12 && (raw[2] == 'd' || raw[2] == 'D') && (raw[3] == '8' || raw[3] == '9' || lower(raw[3]) == 'a' || lower(raw[3]) == 'b') &&
		raw[6] == '\\' && raw[7] == 'u' {
		return 12, 12
	}
	return 6, 6
}

func lower(c byte) byte { return c | 0x20 }

// array loses elements at the end; one that does not fit as the first is
// shortened itself.
func (c *cutter) array(dst, v []byte, path string, budget int) []byte {
	total := scan.Len(v)
	dst = append(dst, '[')
	used, kept := 2, 0
	for e := range scan.Elements(v) {
		n := size(e)
		if kept > 0 {
			n++
		}
		if used+n > budget {
			if kept > 0 {
				break
			}
			before, cuts := len(dst), len(c.cuts)
			dst = c.value(dst, e, path+"[0]", budget-used)
			if size(dst[before:]) > max(budget-used, 2*minText) { // not to be shortened enough
				dst, c.cuts = dst[:before], c.cuts[:cuts]
				break
			}
			kept = 1
			break
		}
		if kept > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, e...)
		used += n
		kept++
	}
	if kept < total {
		c.cut(Cut{Path: path, Kept: kept, Total: total, Unit: "elements"})
	}
	return append(dst, ']')
}

// part is a member of an object that is too long.
type part struct {
	key, value []byte
	size       int // of the value
	budget     int // what it may have; its size if it stays whole
}

// object shortens its longest members to one length. If all of them together
// are still too long, there are too many, and the last ones go.
func (c *cutter) object(dst, v []byte, path string, budget int) []byte {
	var parts []part
	fixed := 1 // the brackets, and a comma less than members
	long := 0
	for k, e := range scan.Members(v) {
		p := part{key: k, value: e, size: size(e)}
		p.budget = p.size
		fixed += size(k) + 4 // quotes, colon, comma
		if p.shortens() {
			long += p.size
		} else {
			fixed += p.size
		}
		parts = append(parts, p)
	}
	if fixed+long > budget {
		encoding, ok := scan.Get(v, "encoding")
		base64 := ok && string(encoding) == `"base64"`
		limit := waterline(parts, budget-fixed)
		for i := range parts {
			if p := &parts[i]; p.shortens() && p.size > limit {
				p.budget = limit
				if base64 && scan.KeyIs(p.key, "content") {
					p.budget = 2 + (limit-2)/4*4 // so that what is kept can be decoded
				}
			}
		}
	}
	dst = append(dst, '{')
	used, kept := 2, 0
	for _, p := range parts {
		before, cuts := len(dst), len(c.cuts)
		if kept > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), p.key...), '"', ':')
		dst = c.value(dst, p.value, join(path, scan.Key(p.key)), p.budget)
		if n := size(dst[before:]); used+n <= budget {
			used += n
			kept++
			continue
		}
		dst, c.cuts = dst[:before], c.cuts[:cuts]
		break
	}
	if kept < len(parts) {
		c.cut(Cut{Path: path, Kept: kept, Total: len(parts), Unit: "members"})
	}
	return append(dst, '}')
}

// shortens reports whether the member can be made shorter.
func (p *part) shortens() bool {
	switch scan.KindOf(p.value) {
	case scan.String, scan.Array, scan.Object:
		return p.size > minText
	}
	return false
}

// waterline is the length to which the parts that can be shortened are cut, so
// that all of them together have at most total characters.
func waterline(parts []part, total int) int {
	var sizes []int
	for i := range parts {
		if parts[i].shortens() {
			sizes = append(sizes, parts[i].size)
		}
	}
	slices.Sort(sizes)
	for i, s := range sizes {
		if s*(len(sizes)-i) > total {
			return max(total/(len(sizes)-i), minText)
		}
		total -= s
	}
	return 1 << 62
}

// join is the path of a member.
func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// items appends the items of a list within budget characters, brackets left
// out. Items go at the end; one that is longer than all of the budget is
// shortened first, to what the others leave, a quarter at least.
func (c *cutter) items(dst []byte, items [][]byte, budget int) (_ []byte, kept int) {
	huge, rest := 0, 0
	for _, e := range items {
		if n := size(e) + 1; n > budget {
			huge++
		} else {
			rest += n
		}
	}
	share := budget
	if huge > 0 {
		share = max(budget-rest, budget/4) / huge
		share = max(share, budget/8, minText)
	}
	used := 0
	for i, e := range items {
		before, cuts := len(dst), len(c.cuts)
		if i > 0 {
			dst = append(dst, ',')
		}
		if size(e)+1 > budget {
			dst = c.value(dst, e, "items["+strconv.Itoa(i)+"]", share-1)
		} else {
			dst = append(dst, e...)
		}
		n := size(dst[before:])
		if used+n > budget && i > 0 {
			dst, c.cuts = dst[:before], c.cuts[:cuts]
			break
		}
		used += n
		kept++
	}
	return dst, kept
}

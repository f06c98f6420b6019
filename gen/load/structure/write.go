package structure

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// width is how long a line may get before its value goes to lines of its own.
const width = 140

// write renders the document: one parameter, property or response a line where
// it fits, nested lines where it does not.
func write(n *node) []byte {
	w := writer{}
	w.mapping(n, 0)
	return []byte(w.b.String())
}

type writer struct{ b strings.Builder }

func (w *writer) indent(depth int) {
	for range depth {
		w.b.WriteString("  ")
	}
}

// mapping writes the entries of n, each on its own lines.
func (w *writer) mapping(n *node, depth int) {
	for i, key := range n.keys {
		w.indent(depth)
		w.entry(quote(key, false)+":", n.kids[i], depth, depth)
	}
}

// entry writes a value behind its head (a key with its colon). Items are the
// depth at which a sequence's items stand.
func (w *writer) entry(head string, n *node, depth, items int) {
	w.b.WriteString(head)
	if line, ok := onOneLine(n, width-2*depth-len(head)-1); ok {
		w.b.WriteString(" " + line + "\n")
		return
	}
	w.b.WriteByte('\n')
	if n.kind == mapping {
		w.mapping(n, depth+1)
		return
	}
	for _, item := range n.kids {
		w.indent(items)
		w.item(item, items)
	}
}

// item writes one item of a sequence behind a dash.
func (w *writer) item(n *node, depth int) {
	w.b.WriteString("-")
	if line, ok := onOneLine(n, width-2*depth-2); ok {
		w.b.WriteString(" " + line + "\n")
		return
	}
	if n.kind == sequence {
		w.b.WriteByte('\n')
		for _, item := range n.kids {
			w.indent(depth + 1)
			w.item(item, depth+1)
		}
		return
	}
	for i, key := range n.keys {
		if i == 0 {
			w.b.WriteByte(' ')
		} else {
			w.indent(depth + 1)
		}
		w.entry(quote(key, false)+":", n.kids[i], depth+1, depth+1)
	}
}

// onOneLine renders n in flow style if nothing in it has to stand in block
// style and it takes at most limit bytes. Scalars and empty values always do.
func onOneLine(n *node, limit int) (string, bool) {
	if n.kind == scalar {
		return value(n, false), true
	}
	if len(n.kids) == 0 {
		return flow(nil, n), true
	}
	if hasBlock(n, limit) {
		return "", false
	}
	s := flow(nil, n)
	return s, len(s) <= limit
}

// hasBlock says whether n or a value in it is kept in block style. It gives up,
// as does a line, on a value of more parts than budget.
func hasBlock(n *node, budget int) bool {
	var walk func(n *node) bool
	walk = func(n *node) bool {
		budget--
		if budget < 0 || n.block && len(n.kids) > 0 {
			return true
		}
		for _, kid := range n.kids {
			if walk(kid) {
				return true
			}
		}
		return false
	}
	return walk(n)
}

func flow(dst []byte, n *node) string { return string(appendFlow(dst, n)) }

func appendFlow(dst []byte, n *node) []byte {
	switch n.kind {
	case sequence:
		dst = append(dst, '[')
		for i, kid := range n.kids {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = appendFlow(dst, kid)
		}
		return append(dst, ']')
	case mapping:
		dst = append(dst, '{')
		for i, kid := range n.kids {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = append(dst, quote(n.keys[i], true)...)
			dst = append(dst, ": "...)
			dst = appendFlow(dst, kid)
		}
		return append(dst, '}')
	}
	return append(dst, value(n, true)...)
}

func value(n *node, inFlow bool) string {
	if n.str {
		return quote(n.text, inFlow)
	}
	return n.text
}

// Strings that need no quotes. The sets are far smaller than YAML allows, so
// that no version of YAML reads them as anything but strings.
var (
	plainFlow  = regexp.MustCompile(`^[A-Za-z_/$][A-Za-z0-9_/$.+-]*( [A-Za-z0-9_/$.+()-]+)*$`)
	plainBlock = regexp.MustCompile(`^[A-Za-z_/$][A-Za-z0-9_/$.+(){}\[\]-]*( [A-Za-z0-9_/$.+()-]+)*$`)
	words      = regexp.MustCompile(`^(?i:true|false|null|yes|no|on|off|y|n)$`)
)

// quote renders a string as a YAML scalar.
func quote(s string, inFlow bool) string {
	plain := plainBlock
	if inFlow {
		plain = plainFlow
	}
	if plain.MatchString(s) && !words.MatchString(s) {
		return s
	}
	if strings.ContainsAny(s, `\"`) && singleQuotable(s) {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	b := []byte{'"'}
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\t':
			b = append(b, `\t`...)
		case literal(r):
			b = utf8.AppendRune(b, r)
		case r > 0xFFFF:
			b = fmt.Appendf(b, `\U%08X`, r)
		default:
			b = fmt.Appendf(b, `\u%04X`, r)
		}
	}
	return string(append(b, '"'))
}

// singleQuotable says whether s can stand between single quotes, where nothing
// is escaped. Leading and trailing space could be folded with a line break.
func singleQuotable(s string) bool {
	for _, r := range s {
		if !literal(r) {
			return false
		}
	}
	return true
}

// literal says whether YAML takes r in quotes as it is.
func literal(r rune) bool {
	switch {
	case r >= 0x20 && r <= 0x7E:
		return true
	case r >= 0xA0 && r <= 0xD7FF:
		return r != 0x2028 && r != 0x2029
	case r >= 0xE000 && r <= 0xFFFD:
		return r != 0xFEFF
	}
	return r > 0xFFFF && r <= 0x10FFFF
}

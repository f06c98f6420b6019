package overlay

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"gitlab-mcp-server/gen/ir"
)

// nodeKind is the shape of a node.
type nodeKind uint8

const (
	scalarNode nodeKind = iota
	nullNode
	listNode
	mapNode
)

func (k nodeKind) String() string {
	return [...]string{"scalar", "null", "list", "map"}[k]
}

// node is one value of an overlay file with the place where it stands. Maps
// keep the order of the file: the order of fields is the order of parameters.
type node struct {
	pos   ir.Pos
	kind  nodeKind
	text  string // of scalars
	value any    // of scalars: string, bool, int64, uint64 or float64
	items []*node
	pairs []pair
}

type pair struct {
	key string
	pos ir.Pos
	val *node
}

// parseFile reads one overlay file. The positions carry name, which callers
// keep free of absolute directories so that output does not depend on them.
func parseFile(path, name string) (*node, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parse(text, name)
}

func parse(text []byte, name string) (*node, error) {
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, Problem{ir.Pos{File: name}, "not YAML: " + strings.TrimSpace(firstLine(err.Error()))}
	}
	empty := &node{pos: ir.Pos{File: name, Line: 1}, kind: nullNode}
	switch len(file.Docs) {
	case 0:
		return empty, nil
	case 1:
	default:
		return nil, Problem{ir.Pos{File: name}, "more than one YAML document"}
	}
	if file.Docs[0].Body == nil {
		return empty, nil
	}
	return convert(file.Docs[0].Body, name)
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

func line(n ast.Node) int {
	if t := n.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line
	}
	return 0
}

// convert takes over the YAML that overlays use. Anchors, aliases, tags and
// merge keys are refused: an overlay says things in one way.
func convert(n ast.Node, file string) (*node, error) {
	if n == nil {
		return &node{pos: ir.Pos{File: file}, kind: nullNode}, nil
	}
	out := &node{pos: ir.Pos{File: file, Line: line(n)}}
	switch n := n.(type) {
	case *ast.NullNode:
		out.kind = nullNode
	case *ast.StringNode:
		out.text, out.value = n.Value, n.Value
	case *ast.LiteralNode:
		out.text, out.value = n.Value.Value, n.Value.Value
	case *ast.BoolNode:
		out.text, out.value = strconv.FormatBool(n.Value), n.Value
	case *ast.IntegerNode:
		out.text, out.value = n.Token.Value, n.Value
	case *ast.FloatNode:
		out.text, out.value = n.Token.Value, n.Value
	case *ast.SequenceNode:
		out.kind = listNode
		for _, v := range n.Values {
			item, err := convert(v, file)
			if err != nil {
				return nil, err
			}
			out.items = append(out.items, item)
		}
	case *ast.MappingNode:
		out.kind = mapNode
		for _, v := range n.Values {
			if err := out.addPair(v, file); err != nil {
				return nil, err
			}
		}
		if len(out.pairs) > 0 {
			out.pos = out.pairs[0].pos
		}
	case *ast.MappingValueNode:
		out.kind = mapNode
		if err := out.addPair(n, file); err != nil {
			return nil, err
		}
		out.pos = out.pairs[0].pos
	default:
		return nil, Problem{out.pos, fmt.Sprintf("YAML %v is not used in overlays", n.Type())}
	}
	return out, nil
}

func (n *node) addPair(v *ast.MappingValueNode, file string) error {
	key, err := convert(v.Key, file)
	if err != nil {
		return err
	}
	if key.kind != scalarNode {
		return Problem{key.pos, "a key must be a plain word"}
	}
	for _, p := range n.pairs {
		if p.key == key.text {
			return Problem{key.pos, fmt.Sprintf("key %q stands twice, first in line %d", key.text, p.pos.Line)}
		}
	}
	val, err := convert(v.Value, file)
	if err != nil {
		return err
	}
	if val.pos.Line == 0 || val.kind == nullNode {
		val.pos = key.pos
	}
	n.pairs = append(n.pairs, pair{key.text, key.pos, val})
	return nil
}

// decoder turns nodes into Go values. It never stops at a problem; what it
// cannot read is the zero value.
type decoder struct{ *problems }

// object calls the handler of each key of n and reports keys without one.
func (d decoder) object(n *node, handlers map[string]func(*node)) {
	switch n.kind {
	case nullNode:
		return
	case mapNode:
	default:
		d.addf(n.pos, "expected a map, got a %v", n.kind)
		return
	}
	for _, p := range n.pairs {
		h, ok := handlers[p.key]
		if !ok {
			known := make([]string, 0, len(handlers))
			for k := range handlers {
				known = append(known, k)
			}
			slices.Sort(known)
			d.addf(p.pos, "unknown key %q%s; known: %s", p.key, near(p.key, known), strings.Join(known, ", "))
			continue
		}
		h(p.val)
	}
}

// each calls f for each key of a map.
func (d decoder) each(n *node, f func(key string, pos ir.Pos, val *node)) {
	switch n.kind {
	case nullNode:
	case mapNode:
		for _, p := range n.pairs {
			f(p.key, p.pos, p.val)
		}
	default:
		d.addf(n.pos, "expected a map, got a %v", n.kind)
	}
}

// list calls f for each item of a list.
func (d decoder) list(n *node, f func(*node)) {
	switch n.kind {
	case nullNode:
	case listNode:
		for _, item := range n.items {
			f(item)
		}
	default:
		d.addf(n.pos, "expected a list, got a %v", n.kind)
	}
}

// text is the text of any scalar: 12, true and "x" alike.
func (d decoder) text(n *node) string {
	if n.kind != scalarNode {
		d.addf(n.pos, "expected one value, got a %v", n.kind)
	}
	return n.text
}

// word is a text that may not be empty.
func (d decoder) word(n *node) string {
	s := d.text(n)
	if s == "" && n.kind == scalarNode {
		d.addf(n.pos, "expected a value, got an empty one")
	}
	return s
}

// texts is a list of scalars.
func (d decoder) texts(n *node) []string {
	var out []string
	d.list(n, func(item *node) { out = append(out, d.text(item)) })
	return out
}

// textOrTexts reads a list, or one scalar as a list of one.
func (d decoder) textOrTexts(n *node) []string {
	if n.kind == scalarNode {
		return []string{n.text}
	}
	return d.texts(n)
}

func (d decoder) bool(n *node) bool {
	b, ok := n.value.(bool)
	if !ok {
		d.addf(n.pos, "expected true or false, got %s", n.describe())
	}
	return b
}

// textMap is a map of scalars to scalars.
func (d decoder) textMap(n *node) map[string]string {
	out := map[string]string{}
	d.each(n, func(k string, _ ir.Pos, v *node) { out[k] = d.text(v) })
	return out
}

// any is the value as encoding/json would hold it, integers as int64.
func (d decoder) any(n *node) any {
	switch n.kind {
	case scalarNode:
		if u, ok := n.value.(uint64); ok && u < 1<<63 {
			return int64(u)
		}
		return n.value
	case listNode:
		out := make([]any, len(n.items))
		for i, item := range n.items {
			out[i] = d.any(item)
		}
		return out
	case mapNode:
		return d.anyMap(n)
	}
	return nil
}

func (d decoder) anyMap(n *node) map[string]any {
	out := map[string]any{}
	d.each(n, func(k string, _ ir.Pos, v *node) { out[k] = d.any(v) })
	return out
}

// oneOf reads a word that must be one of allowed.
func (d decoder) oneOf(n *node, allowed ...string) string {
	s := d.text(n)
	if n.kind == scalarNode && !slices.Contains(allowed, s) {
		d.addf(n.pos, "%q is not one of %s%s", s, strings.Join(allowed, ", "), near(s, allowed))
	}
	return s
}

func (n *node) describe() string {
	if n.kind == scalarNode {
		return strconv.Quote(n.text)
	}
	return "a " + n.kind.String()
}

// source is the folder of overlays.
type source struct {
	dir  string
	base string // prefix of names in positions
}

// open parses one file of the folder; a file that is not there is an empty one.
func (s source) open(p *problems, name string) *node {
	shown := s.base + name
	n, err := parseFile(filepath.Join(s.dir, name), shown)
	switch {
	case os.IsNotExist(err):
		return &node{pos: ir.Pos{File: shown}, kind: nullNode}
	case err != nil:
		if pr, ok := err.(Problem); ok {
			p.list = append(p.list, pr)
		} else {
			p.addf(ir.Pos{File: shown}, "%v", err)
		}
		return &node{pos: ir.Pos{File: shown}, kind: nullNode}
	}
	return n
}

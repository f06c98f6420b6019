package structure

type kind uint8

const (
	scalar kind = iota
	sequence
	mapping
)

// node is a value of the document, from YAML or JSON alike. Text keeps the
// digits of a number as they were written, so that no size of integer is lost.
type node struct {
	kind  kind
	str   bool     // a scalar that is a string
	block bool     // never written on one line
	text  string   // of a scalar; true, false and null are spelt so
	keys  []string // of a mapping, beside kids
	kids  []*node  // values of a mapping, items of a sequence
	line  int
}

// The accessors take nil, so that chains of get need no checks.

func (n *node) get(key string) *node {
	if n == nil || n.kind != mapping {
		return nil
	}
	for i, k := range n.keys {
		if k == key {
			return n.kids[i]
		}
	}
	return nil
}

func (n *node) scalar() string {
	if n == nil || n.kind != scalar {
		return ""
	}
	return n.text
}

func (n *node) children() []*node {
	if n == nil {
		return nil
	}
	return n.kids
}

func (n *node) lineOf() int {
	if n == nil {
		return 0
	}
	return n.line
}

func (n *node) isNull() bool { return n.kind == scalar && !n.str && n.text == "null" }

func (n *node) add(key string, v *node) {
	n.keys = append(n.keys, key)
	n.kids = append(n.kids, v)
}

// what names the kind of a value for a message.
func (n *node) what() string {
	switch {
	case n.kind == mapping:
		return "an object"
	case n.kind == sequence:
		return "a list"
	case n.isNull():
		return "nothing"
	case n.str:
		return "a string"
	case n.text == "true", n.text == "false":
		return "a boolean"
	}
	return "a number"
}

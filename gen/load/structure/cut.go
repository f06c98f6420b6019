package structure

import (
	"slices"
	"strings"
)

// one copies what the grammar lists of n, which is of shape s; nil if nothing.
func one(s shape, n *node) (*node, error) {
	switch s {
	case fact:
		return n, nil
	case blank:
		return &node{str: true, line: n.line}, nil
	case name, ref:
		if n.kind != scalar || n.isNull() {
			return nil, faultf(n, "%s stands where a string is expected", n.what())
		}
		if n.str {
			return n, nil
		}
		return &node{str: true, text: n.text, line: n.line}, nil
	case mark:
		switch {
		case n.kind == scalar && !n.str && n.text == "true":
			return n, nil
		case n.kind == scalar && !n.str && n.text == "false":
			return nil, nil
		}
		return nil, faultf(n, "%s stands where true or false is expected", n.what())
	case schema, schemaOrBool:
		// From OpenAPI 3.1 on true and false are schemas everywhere.
		if n.kind == scalar && !n.str && (n.text == "true" || n.text == "false") {
			return n, nil
		}
		s = schema
	}
	return object(s, n)
}

func object(s shape, n *node) (*node, error) {
	if n.kind != mapping {
		return nil, faultf(n, "%s stands where an object is expected", n.what())
	}
	out := &node{kind: mapping, line: n.line, block: s == operation || s == pathItem || s == document}
	for _, f := range grammar[s] {
		v := n.get(f.key)
		switch {
		case v == nil && f.shape == blank && n.get("$ref") == nil:
			v = &node{str: true, line: n.line}
		case v == nil:
			continue
		}
		kept, err := several(f, v)
		if err != nil {
			return nil, err
		}
		if kept != nil {
			out.add(f.key, kept)
		}
	}
	if n.get("$ref") == nil {
		for _, key := range must[s] {
			if out.get(key) == nil {
				return nil, faultf(n, "an object has no %q", key)
			}
		}
	}
	if s == schema {
		if err := checkType(out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func several(f field, n *node) (*node, error) {
	if f.many == single {
		return one(f.shape, n)
	}
	want, what := mapping, "an object"
	if f.many == list {
		want, what = sequence, "a list"
	}
	if n.kind != want {
		return nil, faultf(n, "%s stands under %q, where %s is expected", n.what(), f.key, what)
	}
	out := &node{kind: n.kind, line: n.line, block: inBlock[f.key] || f.shape == tag}
	for i, kid := range n.kids {
		var key string
		if n.kind == mapping {
			key = n.keys[i]
			if (f.key == "paths" || f.key == "responses") && strings.HasPrefix(key, "x-") {
				continue // an extension beside the entries
			}
			if f.key == "paths" && !strings.HasPrefix(key, "/") {
				return nil, faultf(kid, "the path %q does not begin with a slash", key)
			}
		}
		kept, err := one(f.shape, kid)
		if err != nil {
			return nil, err
		}
		if n.kind == mapping {
			out.keys = append(out.keys, key)
		}
		out.kids = append(out.kids, kept)
	}
	if f.many == sorted {
		sortKeys(out)
	}
	return out, nil
}

func sortKeys(n *node) {
	order := make([]int, len(n.keys))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(n.keys[a], n.keys[b]) })
	keys, kids := n.keys, n.kids
	n.keys, n.kids = make([]string, 0, len(keys)), make([]*node, 0, len(kids))
	for _, i := range order {
		n.add(keys[i], kids[i])
	}
}

var types = []string{"string", "integer", "number", "boolean", "array", "object", "null"}

// checkType refuses a type that OpenAPI does not know: a word that was cut off,
// or a document of another kind. A missing type is no fault.
func checkType(s *node) error {
	t := s.get("type")
	if t == nil {
		return nil
	}
	all := []*node{t}
	if t.kind == sequence {
		all = t.kids
	}
	for _, n := range all {
		if n.kind != scalar || !slices.Contains(types, n.text) {
			return faultf(n, "a type is %q, none of %s", n.scalar(), strings.Join(types, ", "))
		}
	}
	return nil
}

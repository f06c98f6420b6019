package structure

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// methods are the keys of a path item that hold operations.
var methods = func() map[string]bool {
	m := make(map[string]bool)
	for _, f := range grammar[pathItem] {
		if f.shape == operation {
			m[f.key] = true
		}
	}
	return m
}()

// operations calls f for every operation of the document, in order.
func operations(doc *node, f func(method, path string, op *node) error) error {
	paths := doc.get("paths")
	for i, item := range paths.children() {
		for j, op := range item.kids {
			if methods[item.keys[j]] {
				if err := f(strings.ToUpper(item.keys[j]), paths.keys[i], op); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func countOperations(doc *node) (n int) {
	_ = operations(doc, func(string, string, *node) error { n++; return nil }) // f never fails
	return n
}

// checkOperations holds operation ids unique: they are names by which people
// call an operation, so one that two share would call either.
func checkOperations(doc *node) error {
	type first struct {
		where string
		line  int
	}
	seen := make(map[string]first)
	err := operations(doc, func(method, path string, op *node) error {
		id := op.get("operationId")
		if id == nil {
			return nil
		}
		where := method + " " + path
		if f, ok := seen[id.text]; ok {
			return faultf(id, "operationId %q of %s is that of %s (line %d) too", id.text, where, f.where, f.line)
		}
		seen[id.text] = first{where, id.line}
		return nil
	})
	if err != nil {
		return err
	}
	if countOperations(doc) == 0 {
		return faultf(doc.get("paths"), "the document has no operations (was it cut off?)")
	}
	return nil
}

// refs calls f for every $ref below n that is one by the grammar: below a fact
// (a default) and as a property's name it is none.
func refs(s shape, n *node, f func(*node)) {
	if n.kind != mapping {
		return
	}
	if s == schemaOrBool {
		s = schema
	}
	for _, fd := range grammar[s] {
		v := n.get(fd.key)
		switch {
		case v == nil:
		case fd.shape == ref:
			f(v)
		case fd.many == single:
			refs(fd.shape, v, f)
		default:
			for _, kid := range v.kids {
				refs(fd.shape, kid, f)
			}
		}
	}
}

const shownRefs = 5 // dangling references named in one message

// checkRefs refuses references that lead nowhere or out of the document.
func checkRefs(doc *node) error {
	var bad []*node
	told := make(map[string]bool)
	refs(document, doc, func(r *node) {
		if lookup(doc, r.text) == nil && !told[r.text] {
			told[r.text] = true
			bad = append(bad, r)
		}
	})
	if len(bad) == 0 {
		return nil
	}
	var names []string
	for _, r := range bad[:min(len(bad), shownRefs)] {
		names = append(names, fmt.Sprintf("%q (line %d)", r.text, r.line))
	}
	more := ""
	if len(bad) > shownRefs {
		more = fmt.Sprintf(" and %d more", len(bad)-shownRefs)
	}
	return faultf(bad[0], "$ref leads nowhere in this document (cut off, or in need of bundling with other files?): %s%s", strings.Join(names, ", "), more)
}

// lookup follows a local reference (#/components/schemas/A) in what was kept.
func lookup(doc *node, ref string) *node {
	steps, ok := pointer(ref)
	if !ok {
		return nil
	}
	n := doc
	for _, step := range steps {
		if n.kind == sequence {
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(n.kids) {
				return nil
			}
			n = n.kids[i]
			continue
		}
		if n = n.get(step); n == nil {
			return nil
		}
	}
	if n.kind != mapping {
		return nil
	}
	return n
}

// pointer splits a local reference into its steps.
func pointer(ref string) ([]string, bool) {
	text, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil, false
	}
	steps := strings.Split(text, "/")
	for i, s := range steps {
		if u, err := url.PathUnescape(s); err == nil {
			s = u
		}
		steps[i] = strings.ReplaceAll(strings.ReplaceAll(s, "~1", "/"), "~0", "~")
	}
	return steps, true
}

// prune drops the named components that no path reaches.
func prune(doc *node) {
	comps := doc.get("components")
	if comps == nil {
		return
	}
	sections := make(map[string]shape)
	for _, f := range grammar[components] {
		sections[f.key] = f.shape
	}
	type component struct{ section, name string }
	reached := make(map[component]bool)
	var queue []component
	reach := func(r *node) {
		steps, _ := pointer(r.text)
		if len(steps) < 3 || steps[0] != "components" {
			return
		}
		if c := (component{steps[1], steps[2]}); !reached[c] {
			reached[c] = true
			queue = append(queue, c)
		}
	}
	paths := doc.get("paths")
	for _, item := range paths.kids {
		refs(pathItem, item, reach)
	}
	for len(queue) > 0 {
		c := queue[0]
		queue = queue[1:]
		if n := comps.get(c.section).get(c.name); n != nil {
			refs(sections[c.section], n, reach)
		}
	}

	kept := &node{kind: mapping, line: comps.line, block: true}
	for i, section := range comps.keys {
		all := comps.kids[i]
		some := &node{kind: mapping, line: all.line, block: true}
		for j, key := range all.keys {
			if reached[component{section, key}] {
				some.add(key, all.kids[j])
			}
		}
		if len(some.keys) > 0 {
			kept.add(section, some)
		}
	}
	for i, key := range doc.keys {
		if key != "components" {
			continue
		}
		if len(kept.keys) > 0 {
			doc.kids[i] = kept
			return
		}
		doc.keys = append(doc.keys[:i], doc.keys[i+1:]...)
		doc.kids = append(doc.kids[:i], doc.kids[i+1:]...)
		return
	}
}

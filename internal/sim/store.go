package sim

import (
	"slices"
	"strconv"
)

// node is a place below /api/v4 at which something is stored: a collection, an
// item, a single resource, or all of them.
type node struct {
	parent *node
	key    string
	doc    *object // nil if nothing is stored here itself
	kids   []*node // in the order of creation
	byKey  map[string]*node
	gone   map[string]bool // keys of deleted items
	last   int64           // iid of the youngest item
	repo   *repo           // of a project
	blob   []byte          // a trace, an upload, an artifact
}

// at is the node below n at a path of keys, nil if there is none.
func (n *node) at(keys ...string) *node {
	for _, k := range keys {
		if n == nil {
			return nil
		}
		n = n.byKey[k]
	}
	return n
}

// open is the node below n at a path of keys, made where it is missing.
func (n *node) open(keys ...string) *node {
	for _, k := range keys {
		kid := n.byKey[k]
		if kid == nil {
			kid = &node{parent: n, key: k}
			if n.byKey == nil {
				n.byKey = map[string]*node{}
			}
			n.byKey[k] = kid
			n.kids = append(n.kids, kid)
		}
		n = kid
	}
	return n
}

// put stores an item under a key.
func (n *node) put(key string, doc *object) *node {
	kid := n.open(key)
	kid.doc = doc
	delete(n.gone, key)
	return kid
}

// remove forgets n and everything below it.
func (n *node) remove() {
	p := n.parent
	delete(p.byKey, n.key)
	p.kids = slices.DeleteFunc(p.kids, func(k *node) bool { return k == n })
	if p.gone == nil {
		p.gone = map[string]bool{}
	}
	p.gone[n.key] = true
}

// item finds an item by its key, or by one of the names that items have.
func (n *node) item(key string) *node {
	if n == nil {
		return nil
	}
	if kid := n.byKey[key]; kid != nil && kid.doc != nil {
		return kid
	}
	for _, kid := range n.kids {
		for _, name := range [...]string{"id", "iid", "name", "slug", "key"} {
			if kid.doc != nil && kid.doc.has(name) && kid.doc.str(name) == key {
				return kid
			}
		}
	}
	return nil
}

// docs are the items of a collection.
func (n *node) docs() []*object {
	if n == nil {
		return nil
	}
	var out []*object
	for _, kid := range n.kids {
		if kid.doc != nil {
			out = append(out, kid.doc)
		}
	}
	return out
}

// nextIID is a number that no item of the collection has had.
func (n *node) nextIID() int64 {
	n.last++
	return n.last
}

// nextID is a number that no other of that kind has.
func (s *Sim) nextID(kind string) int64 {
	s.ids[kind]++
	return s.ids[kind]
}

func key(n int64) string { return strconv.FormatInt(n, 10) }

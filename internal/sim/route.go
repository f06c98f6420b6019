package sim

import (
	"slices"
	"strings"

	"gitlab-mcp-server/internal/catalog"
)

// route is one way to call an action: a method and one variant of its path.
type route struct {
	action catalog.Action // not valid for routes that the catalog lacks
	method string
	pieces []piece
	key    string // the method and the shortest variant of the template, for messages
	node   *routeNode
	spec   *spec // made on first use
}

// routeNode is a place in the tree of all templates.
type routeNode struct {
	parent *routeNode
	piece  piece
	kids   []*routeNode // literals first, then patterns, then plain placeholders, then splats
	routes []*route
}

// hookKey is what hooks are registered under: key with empty placeholders,
// "GET /projects/{}/issues".
func hookKey(key string) string {
	var b strings.Builder
	for key != "" {
		lit, rest, ok := strings.Cut(key, "{")
		b.WriteString(lit)
		if !ok {
			break
		}
		b.WriteString("{}")
		_, key, _ = strings.Cut(rest, "}")
	}
	return b.String()
}

// rank orders the segments that may stand at one place.
func (p piece) rank() int {
	switch {
	case p.static():
		return 0
	case p.splat:
		return 3
	case p.bare():
		return 2
	}
	return 1
}

// kid is the child for a segment. Placeholders at one place are one node, however
// upstream calls them.
func (n *routeNode) kid(p piece) *routeNode {
	for _, k := range n.kids {
		if k.piece.rank() == p.rank() && slices.Equal(k.piece.lits, p.lits) {
			return k
		}
	}
	k := &routeNode{parent: n, piece: p}
	n.kids = append(n.kids, k)
	slices.SortStableFunc(n.kids, func(a, b *routeNode) int { return a.piece.rank() - b.piece.rank() })
	return k
}

// method is the node's route for a method, nil if there is none.
func (n *routeNode) method(m string) *route {
	for _, r := range n.routes {
		if r.method == m {
			return r
		}
	}
	return nil
}

// param is the child that is a placeholder, nil if there is none.
func (n *routeNode) param() *routeNode {
	for _, k := range n.kids {
		if !k.piece.static() && len(k.routes) > 0 {
			return k
		}
	}
	return nil
}

func (n *routeNode) add(r *route) {
	at := n
	for _, p := range r.pieces {
		at = at.kid(p)
	}
	if at.method(r.method) == nil {
		r.node = at
		at.routes = append(at.routes, r)
	}
}

// buildRoutes makes the tree of the catalog's REST actions.
func buildRoutes(cat *catalog.Catalog) *routeNode {
	root := &routeNode{}
	for a := range cat.All() {
		if !strings.HasPrefix(a.Path(), apiPrefix) {
			continue // GraphQL, or no request at all
		}
		var splats []string
		for p := range a.Params() {
			if p.In() == catalog.InPath && p.Has(catalog.Splat) {
				splats = append(splats, p.Wire())
			}
		}
		vs := variants(wirePath(a))
		for _, v := range vs {
			root.add(&route{action: a, method: a.Method(), pieces: pieces(v, splats), key: a.Method() + " " + vs[0]})
		}
	}
	const version = "/version" // GitLab has it, and clients ask for it
	root.add(&route{method: "GET", pieces: pieces(version, nil), key: "GET " + version})
	return root
}

// wirePath is the template that requests follow. The catalog has upstream's; an
// optional path argument that upstream's lacks is a file extension at its end.
func wirePath(a catalog.Action) string {
	path := a.Path()
	for p := range a.Params() {
		if p.In() == catalog.InPath && !p.Required() && !strings.Contains(path, p.Wire()+"}") {
			path += "{." + p.Wire() + "}"
		}
	}
	return path
}

// found is a place that a path leads to.
type found struct {
	node *routeNode
	segs []string // the decoded segments; a splat's are one
}

// lookup finds the nodes with routes that the decoded segments lead to, the
// most literal one first.
func (n *routeNode) lookup(segs []string) []found {
	var out []found
	n.walk(segs, nil, &out)
	return out
}

func (n *routeNode) walk(segs, taken []string, out *[]found) {
	if len(segs) == 0 {
		if len(n.routes) > 0 {
			*out = append(*out, found{node: n, segs: slices.Clone(taken)})
		}
		return
	}
	for _, k := range n.kids {
		switch {
		case k.piece.splat:
			for i := len(segs); i >= 1; i-- {
				k.walk(segs[i:], append(taken, strings.Join(segs[:i], "/")), out)
			}
		case k.piece.static():
			if k.piece.lits[0] == segs[0] {
				k.walk(segs[1:], append(taken, segs[0]), out)
			}
		default:
			if k.piece.match(segs[0], map[string]string{}) {
				k.walk(segs[1:], append(taken, segs[0]), out)
			}
		}
	}
}

// read gives the values of r's placeholders from the segments that matched.
func (r *route) read(segs []string) map[string]string {
	values := map[string]string{}
	for i, p := range r.pieces {
		p.match(segs[i], values)
	}
	return values
}

package sim

import (
	"net/http"
	"strings"

	"gitlab-mcp-server/internal/catalog"
)

// call is one request on its way.
type call struct {
	*Sim
	req   *http.Request
	route *route
	grant Grant
	at    []string          // decoded segments
	path  map[string]string // values of the placeholders, as they came
	query *object
	body  payload

	keys []string // the place in the store
}

// hook answers a route that behaves in a way of its own.
type hook func(c *call) (reply, error)

// check holds a request against the catalog.
func (c *call) check(query string, body []byte) error {
	s := c.route.contract()
	for name, p := range s.path {
		if v, ok := c.path[name]; ok {
			if err := checkText("path parameter "+name, p.schema, v); err != nil {
				return err
			}
		}
	}
	pairs, err := parsePairs(query)
	if err != nil {
		return err
	}
	if c.route.action.Valid() {
		c.query, err = s.checkQuery(c.route.key, pairs)
	} else {
		c.query = obj()
		for _, kv := range pairs {
			c.query.set(kv.name, kv.value)
		}
	}
	if err != nil {
		return err
	}
	if c.body, err = c.route.checkBody(c.req, body); err != nil {
		return err
	}
	return s.checkRules(c.query, c.body)
}

// resolve finds the place in the store and everything above it. A project that
// was renamed answers with a redirect, as GitLab does to reads.
func (c *call) resolve() (rep reply, moved bool, err error) {
	c.keys = append([]string{}, c.at...)
	if len(c.keys) > 1 && !c.route.pieces[1].static() {
		switch c.keys[0] {
		case "projects":
			if id, ok := c.movedProject(c.keys[1]); ok {
				rep, err := c.redirect(id)
				return rep, true, err
			}
			if n := c.findProject(c.keys[1]); n != nil {
				c.keys[1] = n.key
			}
		case "groups":
			if n := c.findGroup(c.keys[1]); n != nil {
				c.keys[1] = n.key
			}
		case "users":
			if n := c.data.at("users").item(c.keys[1]); n != nil {
				c.keys[1] = n.key
			}
		}
	}
	return reply{}, false, c.parents()
}

// parents makes sure that every item above the request's own place exists. What
// lies in a repository is looked for there.
func (c *call) parents() error {
	if len(c.keys) > 2 && c.keys[0] == "projects" && c.keys[2] == "repository" {
		return c.exists(2)
	}
	for depth := 1; depth < len(c.keys); depth++ {
		if err := c.exists(depth); err != nil {
			return err
		}
	}
	return nil
}

// exists makes sure that the item at the first depth segments exists, if there
// stands one.
func (c *call) exists(depth int) error {
	at := c.route.node
	for i := len(c.keys); i > depth; i-- {
		at = at.parent
	}
	if at.piece.static() || len(at.routes) == 0 {
		return nil
	}
	n := c.data.at(c.keys[:depth-1]...).item(c.keys[depth-1])
	if n != nil {
		c.keys[depth-1] = n.key
		return nil
	}
	_, err := c.invented(at, c.keys[:depth])
	return err
}

// invented makes up the item at keys, or says that it is not there.
func (c *call) invented(at *routeNode, keys []string) (*node, error) {
	in := c.data.at(keys[:len(keys)-1]...)
	last := keys[len(keys)-1]
	if !c.opts.Invent || in != nil && in.gone[last] {
		return nil, notFound(entity(keys))
	}
	if in == nil {
		in = c.data.open(keys[:len(keys)-1]...)
	}
	return c.invent(at, in, keys), nil
}

// entity is what the items of a collection are called in GitLab's messages:
// "Merge Request", "Project".
func entity(keys []string) string {
	kind := keys[0]
	if len(keys) > 1 {
		kind = keys[len(keys)-2]
	}
	words := strings.FieldsFunc(kind, func(r rune) bool { return r == '_' || r == '-' })
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	name := singular(strings.Join(words, " "))
	if name == "Tree" {
		return "Tree"
	}
	return name
}

func singular(s string) string {
	switch {
	case strings.HasSuffix(s, "ies"):
		return strings.TrimSuffix(s, "ies") + "y"
	case strings.HasSuffix(s, "sses"), strings.HasSuffix(s, "xes"), strings.HasSuffix(s, "ches"):
		return strings.TrimSuffix(s, "es")
	case strings.HasSuffix(s, "ss"), strings.HasSuffix(s, "us"):
		return s
	}
	return strings.TrimSuffix(s, "s")
}

func (c *call) run() (reply, error) {
	if h := c.hooks[hookKey(c.route.key)]; h != nil {
		return h(c)
	}
	return c.generic()
}

// place is the node of the request's own place, made if it is missing.
func (c *call) place() *node { return c.data.open(c.keys...) }

// kind is what the action answers with.
func (c *call) kind() catalog.Kind {
	if !c.route.action.Valid() {
		return catalog.Object
	}
	return c.route.action.Kind()
}

// in is an argument of the query or the body as text.
func (c *call) in(name string) string {
	if c.query.has(name) {
		return c.query.str(name)
	}
	return c.body.fields.str(name)
}

// url is the address of a web page.
func (s *Sim) url(path string) string { return s.opts.BaseURL + "/" + path }

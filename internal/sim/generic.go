package sim

import (
	"net/http"
	"strings"

	"gitlab-mcp-server/internal/catalog"
)

// generic answers a route by its shape alone: an item, a collection, a single
// resource, or a verb on an item.
func (c *call) generic() (reply, error) {
	last := c.route.pieces[len(c.route.pieces)-1]
	switch {
	case !last.static():
		return c.genericItem()
	case c.req.Method == http.MethodHead && c.kind() == catalog.Head:
		return c.genericHead()
	case c.route.method == http.MethodGet:
		return c.genericRead()
	case c.route.method == http.MethodPost && c.isCollection():
		return c.genericCreate()
	case c.isVerb():
		return c.genericVerb()
	case c.route.method == http.MethodDelete:
		return c.genericClear()
	}
	return c.genericSet()
}

// isCollection is true where items are created: there is a list, or there are
// items.
func (c *call) isCollection() bool {
	n := c.route.node
	if get := n.method(http.MethodGet); get != nil {
		return get.action.Kind() == catalog.List
	}
	return n.param() != nil
}

// isVerb is true where the last segment says what is done to the item before it.
func (c *call) isVerb() bool {
	n := c.route.node
	return n.method(http.MethodGet) == nil && n.param() == nil && n.parent != nil && n.parent.parent != nil &&
		!n.parent.piece.static() && len(n.parent.routes) > 0
}

// genericItem answers a path that ends in an item's key.
func (c *call) genericItem() (reply, error) {
	in := c.data.at(c.keys[:len(c.keys)-1]...)
	n := in.item(c.keys[len(c.keys)-1])
	switch c.route.method {
	case http.MethodPost:
		return c.genericPutItem(n, http.StatusCreated)
	case http.MethodPut, http.MethodPatch:
		if n == nil && !c.hasPost() {
			return c.genericPutItem(nil, http.StatusOK)
		}
	}
	if n == nil {
		var err error
		if n, err = c.invented(c.route.node, c.keys); err != nil {
			return reply{}, err
		}
	}
	switch c.route.method {
	case http.MethodGet:
		return c.show(n)
	case http.MethodHead:
		return c.genericHead()
	case http.MethodDelete:
		n.remove()
		return c.done(n.doc)
	}
	c.merge(n.doc)
	return c.shaped(http.StatusOK, n.doc)
}

// hasPost is true if the collection around the item takes new items by POST.
func (c *call) hasPost() bool {
	p := c.route.node.parent
	return p != nil && p.method(http.MethodPost) != nil
}

func (c *call) genericPutItem(n *node, status int) (reply, error) {
	if n == nil {
		in := c.data.open(c.keys[:len(c.keys)-1]...)
		n = c.invent(c.route.node, in, c.keys)
	}
	c.merge(n.doc)
	return c.shaped(status, n.doc)
}

// show answers a read of something stored.
func (c *call) show(n *node) (reply, error) {
	switch c.kind() {
	case catalog.Text, catalog.Binary:
		return c.genericBytes(n)
	case catalog.List:
		return c.listed(n.docs())
	case catalog.None:
		return noContent()
	case catalog.Head:
		return c.genericHead()
	}
	return ok(n.doc)
}

// genericRead answers a GET of a collection or of a single resource.
func (c *call) genericRead() (reply, error) {
	n := c.place()
	switch c.kind() {
	case catalog.List:
		if len(n.docs()) == 0 && c.opts.Invent && len(n.gone) == 0 {
			c.inventSome(n)
		}
		return c.listed(c.filtered(n.docs()))
	case catalog.Text, catalog.Binary:
		return c.genericBytes(n)
	case catalog.None:
		return noContent()
	}
	if n.doc == nil {
		n.doc = c.fill(c.schemaAt(c.route.node), n)
	}
	return ok(n.doc)
}

// genericCreate adds an item to a collection.
func (c *call) genericCreate() (reply, error) {
	in := c.place()
	schema := c.itemSchema(c.route.node)
	doc := c.fill(schema, in)
	c.identify(doc, in)
	c.merge(doc)
	key := c.keyOf(doc)
	if old := in.byKey[key]; old != nil && old.doc != nil {
		return reply{}, conflict("409 Conflict: " + key + " already exists")
	}
	in.put(key, doc)
	return c.shaped(http.StatusCreated, doc)
}

// genericSet changes a single resource, or stores an item under a key that is a
// literal of the template.
func (c *call) genericSet() (reply, error) {
	n := c.place()
	if n.doc == nil {
		n.doc = c.fill(c.schemaAt(c.route.node), n)
		for _, name := range [...]string{"slug", "name", "key"} {
			if n.doc.has(name) {
				n.doc.set(name, n.key)
			}
		}
	}
	c.merge(n.doc)
	status := http.StatusOK
	if c.route.method == http.MethodPost {
		status = http.StatusCreated
	}
	return c.shaped(status, n.doc)
}

// genericClear deletes a single resource or all items of a collection.
func (c *call) genericClear() (reply, error) {
	n := c.place()
	doc := n.doc
	n.remove()
	return c.done(doc)
}

// genericVerb does something to the item before the last segment.
func (c *call) genericVerb() (reply, error) {
	owner := c.data.at(c.keys[:len(c.keys)-1]...)
	verb := c.keys[len(c.keys)-1]
	now := stamp(c.now())
	if owner.doc.has("updated_at") {
		owner.doc.set("updated_at", now)
	}
	applyVerb(owner.doc, verb, now)
	c.merge(owner.doc)
	status := http.StatusOK
	switch c.route.method {
	case http.MethodPost:
		status = http.StatusCreated
	case http.MethodDelete:
		return c.done(owner.doc)
	}
	return c.shaped(status, owner.doc)
}

// applyVerb is what the verbs of many domains do to the fields that have their names.
func applyVerb(doc *object, verb, now string) {
	set := func(name string, v any) {
		if doc.has(name) {
			doc.set(name, v)
		}
	}
	switch verb {
	case "archive", "unarchive":
		set("archived", verb == "archive")
	case "pause", "resume":
		set("paused", verb == "pause")
	case "cancel", "stop":
		set("status", "canceled")
		set("state", "stopped")
	case "retry", "restart", "play":
		set("status", "pending")
	case "revoke":
		set("revoked", true)
		set("active", false)
	case "block", "ban", "deactivate":
		set("state", map[string]string{"block": "blocked", "ban": "banned", "deactivate": "deactivated"}[verb])
	case "unblock", "unban", "activate", "approve":
		set("state", "active")
	case "resolve", "dismiss", "confirm":
		set("state", map[string]string{"resolve": "resolved", "dismiss": "dismissed", "confirm": "confirmed"}[verb])
		set("resolved_at", now)
	case "mark_as_done":
		set("state", "done")
	case "subscribe", "unsubscribe":
		set("subscribed", verb == "subscribe")
	}
}

// done answers a deletion.
func (c *call) done(doc *object) (reply, error) {
	if c.kind() == catalog.Object && doc != nil {
		return ok(doc)
	}
	return noContent()
}

// shaped answers with doc in the shape that the action declares.
func (c *call) shaped(status int, doc *object) (reply, error) {
	switch c.kind() {
	case catalog.None:
		if status == http.StatusCreated {
			return reply{status: http.StatusCreated}, nil
		}
		return noContent()
	case catalog.Text, catalog.Binary:
		return c.genericBytes(c.place())
	case catalog.List:
		return reply{status: status, value: []any{doc}}, nil
	}
	return reply{status: status, value: c.reshape(doc)}, nil
}

// reshape is doc if it has the declared fields, or else the declared fields
// with what doc knows of them.
func (c *call) reshape(doc *object) *object {
	props := properties(c.route.contract().output)
	if props == nil || len(props.members) == 0 {
		return doc
	}
	common := 0
	for _, m := range props.members {
		if doc.has(m.name) {
			common++
		}
	}
	if 2*common >= len(props.members) {
		return doc
	}
	out := c.fill(c.route.contract().output, c.place())
	for _, m := range out.members {
		if doc.has(m.name) {
			out.set(m.name, doc.get(m.name))
		}
	}
	return out
}

// genericBytes answers with bytes: what was stored, or a line that says what this is.
func (c *call) genericBytes(n *node) (reply, error) {
	body := n.blob
	if body == nil {
		body = []byte("simulated " + strings.Join(c.keys, " ") + "\n")
	}
	if c.kind() == catalog.Text {
		return rawText(body)
	}
	return download(c.keys[len(c.keys)-1], "application/octet-stream", body)
}

// genericHead answers a HEAD.
func (c *call) genericHead() (reply, error) {
	return reply{status: http.StatusOK, header: http.Header{"X-Simulated": {"true"}}}, nil
}

package sim

import (
	"crypto/sha1"
	"encoding/hex"
	"net/http"
	"strings"

	"gitlab-mcp-server/internal/catalog"
)

// schemaAt is the shape of the single resource or item at a place of the routes:
// what reading it answers with, or changing it.
func (c *call) schemaAt(at *routeNode) *object {
	for _, m := range [...]string{http.MethodGet, http.MethodPut, http.MethodPatch, http.MethodPost} {
		r := at.method(m)
		if r == nil || !r.action.Valid() || r.action.Kind() != catalog.Object {
			continue
		}
		if out := r.contract().output; properties(out) != nil {
			return out
		}
	}
	return nil
}

// itemSchema is the shape of an item of the collection at a place of the routes.
func (c *call) itemSchema(at *routeNode) *object {
	if item := at.param(); item != nil {
		if s := c.schemaAt(item); s != nil {
			return s
		}
	}
	if s := c.schemaAt(at); s != nil {
		return s
	}
	if r := at.method(http.MethodGet); r != nil && r.action.Valid() {
		return properties(r.contract().output).sub("items").sub("items")
	}
	return nil
}

// invent makes up an item under the last of keys.
func (c *call) invent(at *routeNode, in *node, keys []string) *node {
	schema := c.schemaAt(at)
	if schema == nil && at.parent != nil {
		schema = c.itemSchema(at.parent)
	}
	doc := c.fill(schema, in)
	k := keys[len(keys)-1]
	c.identify(doc, in)
	name := lastWord(at)
	if name == "id" || name == "iid" {
		doc.set(name, numeric(k))
	} else {
		doc.set(name, k)
	}
	n := in.put(k, doc)
	if len(keys) == 2 && keys[0] == "projects" {
		c.dressProject(n, k)
	}
	return n
}

// inventSome gives an empty collection two items.
func (c *call) inventSome(in *node) {
	schema := c.itemSchema(c.route.node)
	if schema == nil {
		return
	}
	for range 2 {
		doc := c.fill(schema, in)
		c.identify(doc, in)
		in.put(c.keyOf(doc), doc)
	}
}

// lastWord is the field that the key of an item is the value of: of "issue_iid"
// iid, of "tag_name" name.
func lastWord(at *routeNode) string {
	p := at.routes[0].pieces[len(at.routes[0].pieces)-1].params[0]
	return p[strings.LastIndexByte(p, '_')+1:]
}

func numeric(s string) any {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return s
		}
	}
	return number(s)
}

// identify numbers a new item.
func (c *call) identify(doc *object, in *node) {
	if len(doc.members) == 0 || doc.has("id") {
		id := c.nextID(in.key)
		if i := doc.find("id"); i >= 0 {
			doc.members[i].value = id
		} else {
			doc.set("id", id)
		}
	}
	if doc.has("iid") {
		doc.set("iid", in.nextIID())
	}
}

// keyOf is the key of an item that was just made: what the item's path names.
func (c *call) keyOf(doc *object) string {
	if item := c.route.node.param(); item != nil {
		pieces := item.routes[0].pieces
		full := pieces[len(pieces)-1].params[0]
		word := lastWord(item)
		for _, name := range [...]string{full, word} {
			if v := c.body.fields.str(name); v != "" && word != "id" {
				return v
			}
			if v := doc.str(name); v != "" {
				return v
			}
		}
	}
	for _, name := range [...]string{"id", "iid", "name", "key"} {
		if v := doc.str(name); v != "" {
			return v
		}
	}
	return key(c.nextID("#"))
}

// merge takes over what a request says of a resource, where the resource has
// a field of that name and shape. A resource without any known field takes every
// scalar that is no secret.
func (c *call) merge(doc *object) {
	known := len(doc.members) > 1
	for _, m := range c.body.fields.members {
		old := doc.get(m.name)
		switch {
		case doc.has(m.name):
			_, isObject := old.(*object)
			_, toObject := m.value.(*object)
			if old != nil && isObject != toObject {
				continue
			}
			if l, isList := old.([]any); isList && len(l) > 0 {
				if _, still := m.value.([]any); !still {
					continue
				}
			}
		case known && !c.isSetting(), secret(m.name):
			continue
		}
		doc.set(m.name, m.value)
	}
	if doc.has("updated_at") {
		doc.set("updated_at", stamp(c.now()))
	}
}

// isSetting is true where a single resource is changed. What can be set there can
// be read there, whether the schema names it or was cut for its length.
func (c *call) isSetting() bool {
	last := c.route.pieces[len(c.route.pieces)-1]
	get := c.route.node.method(http.MethodGet)
	return last.static() && get != nil && get.action.Valid() && get.action.Kind() == catalog.Object
}

func secret(name string) bool {
	for _, w := range [...]string{"password", "token", "secret", "private", "credential"} {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}

// fill makes an object of a schema with values that look right for their names.
func (c *call) fill(schema *object, n *node) *object {
	out := obj()
	props := properties(schema)
	if props == nil {
		return out
	}
	for _, m := range props.members {
		inner, _ := m.value.(*object)
		out.set(m.name, c.value(m.name, inner, n, 1))
	}
	return out
}

// maxDepth is how deep made-up objects go.
const maxDepth = 3

func (c *call) value(name string, schema *object, n *node, depth int) any {
	if enum := schema.list("enum"); len(enum) > 0 {
		return enum[0]
	}
	switch {
	case name == "author" || name == "user" || name == "created_by" || name == "owner":
		return c.me()
	case name == "project_id" && len(c.keys) > 1 && c.keys[0] == "projects":
		return numeric(c.keys[1])
	case name == "group_id" && len(c.keys) > 1 && c.keys[0] == "groups":
		return numeric(c.keys[1])
	}
	switch schema.str("type") {
	case "object":
		if depth >= maxDepth {
			return obj()
		}
		out := obj()
		if props := properties(schema); props != nil {
			for _, m := range props.members {
				inner, _ := m.value.(*object)
				out.set(m.name, c.value(m.name, inner, n, depth+1))
			}
		}
		return out
	case "array":
		return []any{}
	case "boolean":
		return name == "active" || name == "enabled"
	case "integer":
		if name == "id" || name == "iid" {
			return int64(1)
		}
		return int64(0)
	case "number":
		return int64(0)
	}
	return c.word(name, schema, n)
}

// word is a text for a field.
func (c *call) word(name string, schema *object, n *node) any {
	switch {
	case name == "id" || name == "iid":
		return int64(1)
	case strings.HasSuffix(name, "_count") || strings.HasSuffix(name, "_level"):
		return int64(0)
	case strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "_iid"):
		return nil
	case strings.HasSuffix(name, "_at"):
		if name == "created_at" || name == "updated_at" {
			return stamp(c.now())
		}
		return nil
	case strings.HasSuffix(name, "_date") || strings.HasSuffix(name, "_on"):
		return nil
	case strings.HasSuffix(name, "url"):
		return c.url(strings.Join(c.at, "/"))
	case strings.HasSuffix(name, "sha") || name == "commit_id":
		sum := sha1.Sum([]byte(strings.Join(c.at, "/")))
		return hex.EncodeToString(sum[:])
	case strings.HasSuffix(name, "email"):
		return c.user().str("username") + "@example.com"
	case name == "username":
		return c.user().str("username")
	}
	switch name {
	case "name", "title":
		return singular(strings.ReplaceAll(n.key, "_", " "))
	case "state", "status":
		return "active"
	case "visibility":
		return "private"
	case "description", "body", "message", "note":
		return ""
	}
	if schema.str("type") == "string" {
		return ""
	}
	return nil
}

package sim

import "strings"

func variableHooks() map[string]hook {
	all := map[string]hook{}
	for _, base := range [...]string{"/projects/{}/variables", "/groups/{}/variables"} {
		all["POST "+base] = (*call).createVariable
		all["PUT "+base+"/{}"] = (*call).updateVariable
		all["GET "+base+"/{}"] = (*call).getVariable
		all["DELETE "+base+"/{}"] = (*call).deleteVariable
	}
	return all
}

func newVariable(key, value string) *object {
	return obj(
		"variable_type", "env_var", "key", key, "value", value, "hidden", false, "protected", false, "masked", false, "raw", false,
		"environment_scope", "*", "description", nil,
	)
}

// storedAs is a variable's key in the store: several environments may have one of
// the same name.
func storedAs(v *object) string { return v.str("key") + "@" + v.str("environment_scope") }

func (c *call) createVariable() (reply, error) {
	v := newVariable(c.in("key"), c.in("value"))
	c.merge(v)
	if c.in("masked_and_hidden") == "true" {
		v.set("masked", true)
		v.set("hidden", true)
	}
	if err := maskable(v); err != nil {
		return reply{}, err
	}
	in := c.place()
	if in.byKey[storedAs(v)] != nil {
		return reply{}, &invalid{"key", "(" + v.str("key") + ") has already been taken"}
	}
	in.put(storedAs(v), v)
	return created(v)
}

// maskable holds a masked value to what GitLab can find in a log.
func maskable(v *object) error {
	if value := v.str("value"); v.is("masked") && (len(value) < 8 || strings.ContainsAny(value, " \n")) {
		return &invalid{"value", "is invalid: a masked value is one line of at least 8 characters without spaces"}
	}
	return nil
}

// variable finds a variable by its name, and by filter[environment_scope] where
// the name alone does not say which.
func (c *call) variable() (*node, error) {
	filter := c.query.sub("filter")
	if filter == nil {
		filter = c.body.fields.sub("filter")
	}
	var hits []*node
	in := c.data.at(c.keys[:3]...)
	for _, n := range in.allKids() {
		if n.doc != nil && n.doc.str("key") == c.keys[3] && (filter == nil || n.doc.str("environment_scope") == filter.str("environment_scope")) {
			hits = append(hits, n)
		}
	}
	switch len(hits) {
	case 0:
		return c.invented(c.route.node, c.keys)
	case 1:
		return hits[0], nil
	}
	return nil, conflict("There are multiple variables with provided parameters. Please use 'filter[environment_scope]'")
}

func (c *call) getVariable() (reply, error) {
	n, err := c.variable()
	if err != nil {
		return reply{}, err
	}
	v := n.doc
	if v.is("hidden") {
		v = v.clone()
		v.set("value", nil)
	}
	return ok(v)
}

func (c *call) updateVariable() (reply, error) {
	n, err := c.variable()
	if err != nil {
		return reply{}, err
	}
	was := n.doc.clone()
	c.merge(n.doc)
	if err := maskable(n.doc); err != nil {
		n.doc.members = was.members
		return reply{}, err
	}
	return ok(n.doc)
}

func (c *call) deleteVariable() (reply, error) {
	n, err := c.variable()
	if err != nil {
		return reply{}, err
	}
	n.remove()
	return noContent()
}

package sim

func labelHooks() map[string]hook {
	all := map[string]hook{}
	for _, of := range [...]string{"projects", "groups"} {
		base := "/" + of + "/{}/labels"
		all["GET "+base] = (*call).listLabels
		all["GET "+base+"/{}"] = (*call).getLabel
		all["POST "+base] = (*call).createLabel
		all["PUT "+base+"/{}"] = (*call).updateLabel
		all["DELETE "+base+"/{}"] = (*call).deleteLabel
		all["PUT "+base] = (*call).updateLabel
		all["DELETE "+base] = (*call).deleteLabel
	}
	return all
}

func (s *Sim) newLabel(of *node, name, color, description string) *object {
	l := obj(
		"id", s.nextID("labels"), "name", name, "description", description, "description_html", escapeHTML(description),
		"text_color", "#FFFFFF", "color", color, "archived", false, "subscribed", false, "priority", nil,
		"is_project_label", of.parent.key == "projects",
	)
	of.open("labels").put(name, l)
	return l
}

// labels are a project's own labels and those of the groups above it.
func (c *call) labels() []*object {
	n := c.owner()
	out := n.at("labels").docs()
	if c.query.str("include_ancestor_groups") == "false" {
		return out
	}
	path := n.doc.str("full_path")
	if c.keys[0] == "projects" {
		path = n.doc.str("path_with_namespace")
	}
	for up, _, more := cutLast(path); more; up, _, more = cutLast(up) {
		if g := c.findGroup(up); g != nil {
			out = append(out, g.at("labels").docs()...)
		}
	}
	return out
}

func (c *call) listLabels() (reply, error) {
	var list []*object
	for _, l := range c.labels() {
		if s := c.query.str("search"); s != "" && !contains(l, s, "name", "description") {
			continue
		}
		if c.query.str("with_counts") == "true" {
			l = l.clone()
			c.countLabel(l)
		}
		list = append(list, l)
	}
	return c.listed(list)
}

func (c *call) countLabel(l *object) {
	var open, closed, merges int
	for _, i := range c.owner().at("issues").docs() {
		if hasText(i.list("labels"), l.str("name")) {
			if i.str("state") == "opened" {
				open++
			} else {
				closed++
			}
		}
	}
	for _, m := range c.owner().at("merge_requests").docs() {
		if m.str("state") == "opened" && hasText(m.list("labels"), l.str("name")) {
			merges++
		}
	}
	l.set("open_issues_count", open)
	l.set("closed_issues_count", closed)
	l.set("open_merge_requests_count", merges)
}

func hasText(list []any, s string) bool {
	for _, v := range list {
		if text(v) == s {
			return true
		}
	}
	return false
}

// labelNode is the label that the path names, or the body in the old form.
func (c *call) labelNode() (*node, error) {
	name := c.in("name")
	if len(c.keys) > 3 {
		name = c.keys[3]
	} else if name == "" {
		name = c.in("label_id")
	}
	if n := c.owner().at("labels").item(name); n != nil {
		return n, nil
	}
	if len(c.keys) > 3 {
		return c.invented(c.route.node, c.keys)
	}
	return nil, notFound("Label")
}

func (c *call) getLabel() (reply, error) {
	for _, l := range c.labels() {
		if l.str("name") == c.keys[3] || l.str("id") == c.keys[3] {
			return ok(l)
		}
	}
	n, err := c.labelNode()
	if err != nil {
		return reply{}, err
	}
	return ok(n.doc)
}

func (c *call) createLabel() (reply, error) {
	name := c.in("name")
	if c.owner().at("labels").item(name) != nil {
		return reply{}, conflict("Label already exists")
	}
	l := c.newLabel(c.owner(), name, c.in("color"), c.in("description"))
	l.set("priority", c.body.fields.get("priority"))
	return created(l)
}

func (c *call) updateLabel() (reply, error) {
	n, err := c.labelNode()
	if err != nil {
		return reply{}, err
	}
	old := n.doc.str("name")
	c.body.fields.del("name")
	c.merge(n.doc)
	if to := c.in("new_name"); to != "" && to != old {
		n.doc.set("name", to)
		in := n.parent
		doc := n.doc
		n.remove()
		in.put(to, doc)
		for _, kind := range [...]string{"issues", "merge_requests"} {
			for _, i := range c.owner().at(kind).docs() {
				renameText(i.list("labels"), old, to)
			}
		}
	}
	return ok(n.doc)
}

func renameText(list []any, from, to string) {
	for i, v := range list {
		if v == from {
			list[i] = to
		}
	}
}

func (c *call) deleteLabel() (reply, error) {
	n, err := c.labelNode()
	if err != nil {
		return reply{}, err
	}
	for _, kind := range [...]string{"issues", "merge_requests"} {
		for _, i := range c.owner().at(kind).docs() {
			i.set("labels", dropTexts(i.list("labels"), []string{n.doc.str("name")}))
		}
	}
	n.remove()
	return noContent()
}

package sim

func todoHooks() map[string]hook {
	return map[string]hook{
		"GET /todos":                  (*call).listTodos,
		"POST /todos/{}/mark_as_done": (*call).markTodo,
		"POST /todos/mark_as_done":    (*call).markAllTodos,
	}
}

func (s *Sim) newTodo(p *node, target *object, kind, action string, by *object) *object {
	id := s.nextID("todos")
	t := obj(
		"id", id, "project", p.doc.pick("id", "name", "name_with_namespace", "path", "path_with_namespace"), "author", brief(by),
		"action_name", action, "target_type", kind, "target", target, "target_url", target.get("web_url"), "body", target.get("title"),
		"state", "pending", "created_at", stamp(s.now()), "updated_at", stamp(s.now()),
	)
	s.data.open("todos").put(key(id), t)
	return t
}

func (c *call) listTodos() (reply, error) {
	state := c.query.str("state")
	if state == "" {
		state = "pending"
	}
	var list []*object
	for _, t := range c.data.at("todos").docs() {
		if t.str("state") != state {
			continue
		}
		if k := c.query.str("type"); k != "" && k != t.str("target_type") {
			continue
		}
		if a := c.query.str("action"); a != "" && a != t.str("action_name") {
			continue
		}
		if p := c.query.str("project_id"); p != "" && p != t.sub("project").str("id") {
			continue
		}
		list = append(list, t)
	}
	return c.listed(list)
}

// createTodo marks the issue or merge request as something to do.
func (c *call) createTodo() (reply, error) {
	kind := map[string]string{"issues": "Issue", "merge_requests": "MergeRequest"}[c.keys[2]]
	return created(c.newTodo(c.owner(), c.item().doc, kind, "marked", c.user()))
}

func (c *call) markTodo() (reply, error) {
	n := c.data.at("todos").item(c.keys[1])
	if n == nil {
		return reply{}, notFound("Todo")
	}
	t := n.doc
	t.set("state", "done")
	t.set("updated_at", stamp(c.now()))
	return created(t)
}

func (c *call) markAllTodos() (reply, error) {
	for _, t := range c.data.at("todos").docs() {
		t.set("state", "done")
	}
	return noContent()
}

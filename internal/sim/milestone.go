package sim

func milestoneHooks() map[string]hook {
	all := map[string]hook{}
	for _, of := range [...]string{"projects", "groups"} {
		base := "/" + of + "/{}/milestones"
		all["GET "+base] = (*call).listMilestones
		all["POST "+base] = (*call).createMilestone
		all["PUT "+base+"/{}"] = (*call).updateMilestone
		all["GET "+base+"/{}/issues"] = milestoneItems("issues")
		all["GET "+base+"/{}/merge_requests"] = milestoneItems("merge_requests")
	}
	return all
}

func (s *Sim) newMilestone(of *node, title string) *object {
	in := of.open("milestones")
	id, iid := s.nextID("milestones"), in.nextIID()
	m := obj("id", id, "iid", iid)
	if of.parent.key == "projects" {
		m.set("project_id", of.doc.get("id"))
	} else {
		m.set("group_id", of.doc.get("id"))
	}
	for i, v := range []any{title, "", "active", stamp(s.now()), stamp(s.now()), nil, nil, false, of.doc.str("web_url") + "/-/milestones/" + key(iid)} {
		m.set([]string{"title", "description", "state", "created_at", "updated_at", "due_date", "start_date", "expired", "web_url"}[i], v)
	}
	in.put(key(id), m)
	return m
}

// milestoneBy finds a milestone of the project or of a group above it by its id.
func (c *call) milestoneBy(id string) *object {
	if n := c.owner().at("milestones", id); n != nil {
		return n.doc
	}
	for up, _, more := cutLast(c.owner().doc.str("path_with_namespace")); more; up, _, more = cutLast(up) {
		if g := c.findGroup(up); g != nil {
			if n := g.at("milestones", id); n != nil {
				return n.doc
			}
		}
	}
	return nil
}

func (c *call) listMilestones() (reply, error) {
	var list []*object
	for _, m := range c.owner().at("milestones").docs() {
		if t := c.query.str("title"); t != "" && t != m.str("title") {
			continue
		}
		if ids := texts(c.query.get("iids")); ids != nil && !hasText(anys(ids), m.str("iid")) {
			continue
		}
		list = append(list, m)
	}
	return c.listed(c.filtered(list))
}

func (c *call) createMilestone() (reply, error) {
	for _, m := range c.owner().at("milestones").docs() {
		if m.str("title") == c.in("title") {
			return reply{}, &invalid{"title", "already being used for another group or project milestone."}
		}
	}
	m := c.newMilestone(c.owner(), c.in("title"))
	c.merge(m)
	return created(m)
}

func (c *call) updateMilestone() (reply, error) {
	n, err := c.theItem()
	if err != nil {
		return reply{}, err
	}
	c.merge(n.doc)
	switch c.in("state_event") {
	case "close":
		n.doc.set("state", "closed")
	case "activate":
		n.doc.set("state", "active")
	}
	return ok(n.doc)
}

func milestoneItems(kind string) hook {
	return func(c *call) (reply, error) {
		var list []*object
		for _, i := range c.everywhere(kind) {
			if i.sub("milestone").str("id") == c.keys[3] {
				list = append(list, i)
			}
		}
		return c.listed(list)
	}
}

package sim

import "slices"

func tagHooks() map[string]hook {
	return map[string]hook{
		"GET /projects/{}/repository/tags":       (*call).listTags,
		"POST /projects/{}/repository/tags":      (*call).createTag,
		"GET /projects/{}/repository/tags/{}":    (*call).getTag,
		"DELETE /projects/{}/repository/tags/{}": (*call).deleteTag,
	}
}

func (c *call) tagJSON(t *ref) *object {
	var release any
	if n := c.owner().at("releases").item(t.name); n != nil {
		release = obj("tag_name", t.name, "description", n.doc.str("description"))
	}
	return obj(
		"name", t.name, "message", t.message, "target", t.commit.id, "commit", c.commitJSON(t.commit),
		"release", release, "protected", false, "created_at", stamp(t.commit.when),
	)
}

func (c *call) listTags() (reply, error) {
	var list []*object
	for _, t := range slices.Backward(c.repository().tags) {
		if matchesName(t.name, c.query.str("search")) {
			list = append(list, c.tagJSON(t))
		}
	}
	if c.query.str("sort") == "asc" {
		slices.Reverse(list)
	}
	return c.listed(list)
}

func (c *call) theTag() (*ref, error) {
	if t := c.repository().tag(c.keys[4]); t != nil {
		return t, nil
	}
	if b := c.inventBranch(c.keys[4]); b != nil {
		t := &ref{name: b.name, commit: b.commit}
		c.repository().tags = addRef(c.repository().tags, t)
		return t, nil
	}
	return nil, notFound("Tag")
}

func (c *call) getTag() (reply, error) {
	t, err := c.theTag()
	if err != nil {
		return reply{}, err
	}
	return ok(c.tagJSON(t))
}

func (c *call) createTag() (reply, error) {
	r := c.repository()
	name := c.in("tag_name")
	at := r.resolve(c.in("ref"))
	switch {
	case r.tag(name) != nil:
		return reply{}, &refusal{status: 400, text: "Tag " + name + " already exists"}
	case at == nil:
		return reply{}, &refusal{status: 400, text: "Target " + c.in("ref") + " is invalid"}
	}
	t := &ref{name: name, commit: at, message: c.in("message")}
	r.tags = addRef(r.tags, t)
	return created(c.tagJSON(t))
}

func (c *call) deleteTag() (reply, error) {
	t, err := c.theTag()
	if err != nil {
		return reply{}, err
	}
	r := c.repository()
	r.tags = slices.DeleteFunc(r.tags, func(x *ref) bool { return x == t })
	return noContent()
}

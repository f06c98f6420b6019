package sim

import "slices"

func eventHooks() map[string]hook {
	return map[string]hook{
		"GET /events":             (*call).listOwnEvents,
		"GET /users/{}/events":    (*call).listUserEvents,
		"GET /projects/{}/events": (*call).listProjectEvents,
	}
}

// event notes what the caller did; target is nil for a push.
func (c *call) event(action string, target *object, kind string) {
	var project any
	if c.keys[0] == "projects" {
		project = c.owner().doc.get("id")
	}
	c.noteEvent(action, target, kind, c.user(), project)
}

func (s *Sim) noteEvent(action string, target *object, kind string, by *object, project any) {
	id := s.nextID("events")
	e := obj(
		"id", id, "project_id", project, "action_name", action, "target_id", nil, "target_iid", nil, "target_type", nil,
		"author_id", by.get("id"), "target_title", nil, "created_at", stamp(s.now()), "author", brief(by), "imported", false,
		"author_username", by.get("username"),
	)
	if target == nil {
		e.set("push_data", obj("commit_count", 1, "action", "pushed", "ref_type", "branch", "ref", kind))
	} else {
		e.set("target_id", target.get("id"))
		e.set("target_iid", target.get("iid"))
		e.set("target_type", kind)
		e.set("target_title", target.get("title"))
	}
	s.data.open("events").put(key(id), e)
}

func (c *call) events(keep func(*object) bool) (reply, error) {
	var list []*object
	for _, e := range slices.Backward(c.data.at("events").docs()) {
		if a := c.query.str("action"); a != "" && a != e.str("action_name") && !(a == "pushed" && e.str("action_name") == "pushed to") {
			continue
		}
		if keep(e) {
			list = append(list, e)
		}
	}
	if c.query.str("sort") == "asc" {
		slices.Reverse(list)
	}
	return c.listed(list)
}

func (c *call) listOwnEvents() (reply, error) {
	return c.events(func(e *object) bool { return e.str("author_id") == c.user().str("id") })
}

func (c *call) listUserEvents() (reply, error) {
	return c.events(func(e *object) bool { return e.str("author_id") == c.owner().doc.str("id") })
}

func (c *call) listProjectEvents() (reply, error) {
	return c.events(func(e *object) bool { return e.str("project_id") == c.owner().doc.str("id") })
}

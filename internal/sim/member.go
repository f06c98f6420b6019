package sim

import "strings"

func memberHooks() map[string]hook {
	all := map[string]hook{}
	for _, of := range [...]string{"projects", "groups"} {
		all["GET /"+of+"/{}/members/all"] = (*call).listAllMembers
		all["GET /"+of+"/{}/members/all/{}"] = (*call).getAnyMember
		all["POST /"+of+"/{}/members"] = (*call).addMember
	}
	return all
}

// member is a user with a role.
func (s *Sim) member(u *object, level int64) *object {
	m := brief(u)
	m.set("access_level", level)
	m.set("created_at", stamp(s.now()))
	m.set("expires_at", nil)
	m.set("membership_state", "active")
	return m
}

// allMembers are the members of a project or group and of the groups above it,
// each user once.
func (c *call) allMembers() []*object {
	n := c.owner()
	out := n.at("members").docs()
	seen := map[string]bool{}
	for _, m := range out {
		seen[m.str("id")] = true
	}
	path := n.doc.str("full_path")
	if c.keys[0] == "projects" {
		path = n.doc.str("path_with_namespace")
	}
	for up, _, more := cutLast(path); more; up, _, more = cutLast(up) {
		if g := c.findGroup(up); g != nil {
			for _, m := range g.at("members").docs() {
				if !seen[m.str("id")] {
					seen[m.str("id")] = true
					out = append(out, m)
				}
			}
		}
	}
	return out
}

func (c *call) listAllMembers() (reply, error) {
	var list []*object
	for _, m := range c.allMembers() {
		if q := c.query.str("query"); q == "" || contains(m, q, "name", "username") {
			list = append(list, m)
		}
	}
	return c.listed(list)
}

func (c *call) getAnyMember() (reply, error) {
	for _, m := range c.allMembers() {
		if m.str("id") == c.keys[4] {
			return ok(m)
		}
	}
	return reply{}, notFound("Member")
}

// addMember adds one user or several.
func (c *call) addMember() (reply, error) {
	in := c.place()
	ids := texts(c.body.fields.get("user_id"))
	if len(ids) == 1 {
		ids = strings.Split(ids[0], ",")
	}
	ids = append(ids, texts(c.body.fields.get("username"))...)
	var last *object
	for _, id := range ids {
		u := c.userBy(id)
		if u == nil {
			return reply{}, notFound("User")
		}
		if in.item(u.str("id")) != nil {
			return reply{}, conflict("Member already exists")
		}
		last = c.member(u, c.body.fields.num("access_level"))
		last.set("expires_at", c.body.fields.get("expires_at"))
		in.put(u.str("id"), last)
	}
	if len(ids) != 1 {
		return created(obj("status", "success"))
	}
	return created(last)
}

package sim

import (
	"html"
	"slices"
	"strings"
)

func userHooks() map[string]hook {
	return map[string]hook{
		"GET /user":        func(c *call) (reply, error) { return ok(c.user()) },
		"GET /users":       (*call).listUsers,
		"POST /users":      (*call).createUser,
		"GET /users/{}":    func(c *call) (reply, error) { return c.showUser() },
		"GET /user_counts": (*call).countUser,
		"GET /users/{}/projects": func(c *call) (reply, error) {
			return c.listed(c.projectsWhere(func(p *object) bool { return p.num("creator_id") == c.owner().doc.num("id") }))
		},
		"POST /users/{}/block":      userState("blocked"),
		"POST /users/{}/unblock":    userState("active"),
		"POST /users/{}/ban":        userState("banned"),
		"POST /users/{}/unban":      userState("active"),
		"POST /users/{}/activate":   userState("active"),
		"POST /users/{}/deactivate": userState("deactivated"),
	}
}

func escapeHTML(s string) string { return html.EscapeString(s) }

// user is the caller.
func (c *call) user() *object {
	users := c.data.at("users").docs()
	for _, u := range users {
		if c.grant.Username == "" || u.str("username") == c.grant.Username {
			return u
		}
	}
	return obj("id", int64(0), "username", c.grant.Username, "name", c.grant.Username)
}

// me is the caller as authors are shown.
func (c *call) me() *object { return brief(c.user()) }

// brief is a user as others' data show one.
func brief(u *object) *object {
	if u == nil {
		return nil
	}
	return u.pick("id", "username", "name", "state", "locked", "avatar_url", "web_url")
}

// userBy is the user with an id or a name, nil if there is none.
func (s *Sim) userBy(idOrName string) *object {
	for _, u := range s.data.at("users").docs() {
		if u.str("id") == idOrName || u.str("username") == idOrName {
			return u
		}
	}
	return nil
}

// briefs are the users with the given ids; ids of nobody are left out, as GitLab does.
func (s *Sim) briefs(ids []string) []any {
	out := []any{}
	for _, id := range ids {
		if u := s.userBy(id); u != nil {
			out = append(out, brief(u))
		}
	}
	return out
}

func (s *Sim) newUser(username, name string) *object {
	id := s.nextID("users")
	u := obj(
		"id", id, "username", username, "name", name, "state", "active", "locked", false,
		"avatar_url", nil, "web_url", s.url(username), "created_at", stamp(s.now()),
		"bio", "", "location", nil, "public_email", nil, "job_title", "", "bot", false, "followers", 0, "following", 0,
		"email", username+"@example.com", "is_admin", false, "two_factor_enabled", true, "external", false, "private_profile", false,
	)
	s.data.open("users").put(key(id), u)
	return u
}

func (c *call) listUsers() (reply, error) {
	var list []*object
	for _, u := range c.data.at("users").docs() {
		if want := c.query.str("username"); want != "" && !strings.EqualFold(want, u.str("username")) {
			continue
		}
		if s := c.query.str("search"); s != "" && !contains(u, s, "name", "username", "email") {
			continue
		}
		if c.query.str("active") == "true" && u.str("state") != "active" || c.query.str("blocked") == "true" && u.str("state") != "blocked" {
			continue
		}
		list = append(list, brief(u))
	}
	if c.query.str("sort") != "asc" && c.query.str("username") == "" {
		slices.Reverse(list) // newest first, as GitLab does
	}
	return c.listed(list)
}

func (c *call) showUser() (reply, error) {
	n := c.data.at("users").item(c.keys[1])
	if n == nil {
		return reply{}, notFound("User")
	}
	if c.user() == n.doc {
		return ok(n.doc)
	}
	return ok(n.doc.without("email", "two_factor_enabled", "is_admin", "external", "private_profile"))
}

func (c *call) createUser() (reply, error) {
	name := c.in("username")
	if c.userBy(name) != nil {
		return reply{}, conflict("Username has already been taken")
	}
	u := c.newUser(name, c.in("name"))
	c.merge(u)
	return created(u)
}

func (c *call) countUser() (reply, error) {
	me := c.user().str("id")
	var issues, reviews, mine int
	for _, p := range c.data.at("projects").kids {
		for _, i := range p.at("issues").docs() {
			if i.str("state") == "opened" && hasUser(i.list("assignees"), me) {
				issues++
			}
		}
		for _, m := range p.at("merge_requests").docs() {
			if m.str("state") != "opened" {
				continue
			}
			if hasUser(m.list("assignees"), me) {
				mine++
			}
			if hasUser(m.list("reviewers"), me) {
				reviews++
			}
		}
	}
	todos := 0
	for _, t := range c.data.at("todos").docs() {
		if t.str("state") == "pending" {
			todos++
		}
	}
	return ok(obj(
		"merge_requests", mine+reviews, "assigned_issues", issues, "assigned_merge_requests", mine,
		"review_requested_merge_requests", reviews, "todos", todos,
	))
}

// hasUser is true if a list of users holds the one with an id or name.
func hasUser(list []any, idOrName string) bool {
	return slices.ContainsFunc(list, func(v any) bool {
		u, _ := v.(*object)
		return u.str("id") == idOrName || u.str("username") == idOrName
	})
}

func userState(state string) hook {
	return func(c *call) (reply, error) {
		u := c.owner().doc
		if u.str("state") == state && c.keys[2] != "activate" {
			return reply{}, forbidden("the user is " + state + " already")
		}
		u.set("state", state)
		return created(true)
	}
}

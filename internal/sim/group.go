package sim

import (
	"slices"
	"strings"
)

func groupHooks() map[string]hook {
	return map[string]hook{
		"GET /groups":                      (*call).listGroups,
		"POST /groups":                     (*call).createGroup,
		"GET /groups/{}":                   (*call).getGroup,
		"PUT /groups/{}":                   (*call).updateGroup,
		"DELETE /groups/{}":                (*call).deleteGroup,
		"GET /groups/{}/subgroups":         (*call).listSubgroups,
		"GET /groups/{}/descendant_groups": (*call).listDescendants,
		"GET /groups/{}/projects":          (*call).listGroupProjects,
		"GET /namespaces":                  (*call).listNamespaces,
		"GET /namespaces/{}":               (*call).getNamespace,
		"GET /namespaces/{}/exists":        (*call).namespaceExists,
	}
}

func (s *Sim) findGroup(idOrPath string) *node {
	for _, g := range s.data.at("groups").allKids() {
		if g.doc != nil && (g.key == idOrPath || strings.EqualFold(g.doc.str("full_path"), idOrPath)) {
			return g
		}
	}
	return nil
}

// allKids are the nodes directly below n, none if there is no n.
func (n *node) allKids() []*node {
	if n == nil {
		return nil
	}
	return n.kids
}

func (s *Sim) newGroup(name, path string, parent *object) *node {
	id := s.nextID("namespaces")
	fullPath, fullName := path, name
	var parentID any
	if parent != nil {
		fullPath, fullName = parent.str("full_path")+"/"+path, parent.str("full_name")+" / "+name
		parentID = parent.get("id")
	}
	g := obj(
		"id", id, "web_url", s.url("groups/"+fullPath), "name", name, "path", path, "description", "", "visibility", "private",
		"share_with_group_lock", false, "require_two_factor_authentication", false, "two_factor_grace_period", 48,
		"project_creation_level", "developer", "auto_devops_enabled", nil, "subgroup_creation_level", "maintainer",
		"emails_enabled", true, "mentions_disabled", nil, "lfs_enabled", true, "archived", false, "avatar_url", nil,
		"request_access_enabled", true, "full_name", fullName, "full_path", fullPath,
		"created_at", stamp(s.now()), "parent_id", parentID, "default_branch", nil, "marked_for_deletion_on", nil,
	)
	return s.data.open("groups").put(key(id), g)
}

func (c *call) listGroups() (reply, error) {
	list := c.data.at("groups").docs()
	if c.query.str("top_level_only") == "true" {
		list = slices.DeleteFunc(list, func(g *object) bool { return g.get("parent_id") != nil })
	}
	if skip := texts(c.query.get("skip_groups")); skip != nil {
		list = slices.DeleteFunc(list, func(g *object) bool { return slices.Contains(skip, g.str("id")) })
	}
	return c.listed(c.filtered(list))
}

func (c *call) createGroup() (reply, error) {
	var parent *object
	if id := c.in("parent_id"); id != "" {
		n := c.findGroup(id)
		if n == nil {
			return reply{}, notFound("Group")
		}
		parent = n.doc
	}
	full := c.in("path")
	if parent != nil {
		full = parent.str("full_path") + "/" + full
	}
	if c.findGroup(full) != nil {
		return reply{}, &invalid{"path", "has already been taken"}
	}
	n := c.newGroup(c.in("name"), c.in("path"), parent)
	c.merge(n.doc)
	return created(n.doc)
}

func (c *call) theGroup() (*node, error) {
	if n := c.findGroup(c.keys[1]); n != nil {
		return n, nil
	}
	return c.invented(c.route.node, c.keys)
}

func (c *call) getGroup() (reply, error) {
	n, err := c.theGroup()
	if err != nil {
		return reply{}, err
	}
	g := n.doc.clone()
	if c.query.str("with_projects") != "false" {
		list := []any{}
		for _, p := range c.projectsIn(n.doc, false) {
			list = append(list, p)
		}
		g.set("projects", list)
	}
	return ok(g)
}

func (c *call) updateGroup() (reply, error) {
	n, err := c.theGroup()
	if err != nil {
		return reply{}, err
	}
	c.merge(n.doc)
	if parent, _, nested := cutLast(n.doc.str("full_path")); nested {
		n.doc.set("full_path", parent+"/"+n.doc.str("path"))
	} else {
		n.doc.set("full_path", n.doc.str("path"))
	}
	return ok(n.doc)
}

func cutLast(s string) (before, after string, found bool) {
	i := strings.LastIndexByte(s, '/')
	if i < 0 {
		return "", s, false
	}
	return s[:i], s[i+1:], true
}

func (c *call) deleteGroup() (reply, error) {
	n, err := c.theGroup()
	if err != nil {
		return reply{}, err
	}
	for _, p := range slices.Clone(c.data.at("projects").allKids()) {
		if p.doc != nil && strings.HasPrefix(p.doc.str("path_with_namespace"), n.doc.str("full_path")+"/") {
			p.remove()
		}
	}
	n.remove()
	return accepted(obj("message", "202 Accepted"))
}

func (c *call) listSubgroups() (reply, error) {
	id := c.owner().doc.str("id")
	var list []*object
	for _, g := range c.data.at("groups").docs() {
		if g.str("parent_id") == id {
			list = append(list, g)
		}
	}
	return c.listed(c.filtered(list))
}

func (c *call) listDescendants() (reply, error) {
	var list []*object
	for _, g := range c.data.at("groups").docs() {
		if strings.HasPrefix(g.str("full_path"), c.owner().doc.str("full_path")+"/") {
			list = append(list, g)
		}
	}
	return c.listed(c.filtered(list))
}

func (c *call) listGroupProjects() (reply, error) {
	return c.listed(c.filtered(c.projectsIn(c.owner().doc, c.query.str("include_subgroups") == "true")))
}

// projectsIn are the projects of a group, those of its subgroups too if deep.
func (s *Sim) projectsIn(group *object, deep bool) []*object {
	return s.projectsWhere(func(p *object) bool {
		in := p.sub("namespace").str("full_path")
		return in == group.str("full_path") || deep && strings.HasPrefix(in, group.str("full_path")+"/")
	})
}

func (s *Sim) namespaces() []*object {
	var list []*object
	for _, g := range s.data.at("groups").docs() {
		n := g.pick("id", "name", "path", "full_path", "parent_id", "avatar_url", "web_url")
		n.set("kind", "group")
		list = append(list, n)
	}
	return list
}

func (c *call) listNamespaces() (reply, error) { return c.listed(c.filtered(c.namespaces())) }

func (c *call) getNamespace() (reply, error) {
	for _, n := range c.namespaces() {
		if n.str("id") == c.keys[1] || n.str("full_path") == c.keys[1] {
			return ok(n)
		}
	}
	return reply{}, notFound("Namespace")
}

func (c *call) namespaceExists() (reply, error) {
	taken := slices.ContainsFunc(c.namespaces(), func(n *object) bool { return n.str("path") == c.keys[1] })
	suggests := []any{}
	if taken {
		suggests = append(suggests, c.keys[1]+"1")
	}
	return ok(obj("exists", taken, "suggests", suggests))
}

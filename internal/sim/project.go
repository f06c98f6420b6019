package sim

import (
	"net/http"
	"slices"
	"strings"
)

func projectHooks() map[string]hook {
	return map[string]hook{
		"GET /projects":               (*call).listProjects,
		"POST /projects":              (*call).createProject,
		"GET /projects/{}":            (*call).getProject,
		"PUT /projects/{}":            (*call).updateProject,
		"DELETE /projects/{}":         (*call).deleteProject,
		"POST /projects/{}/archive":   archiveProject(true),
		"POST /projects/{}/unarchive": archiveProject(false),
		"POST /projects/{}/star":      (*call).starProject,
		"POST /projects/{}/unstar":    (*call).unstarProject,
		"POST /projects/{}/fork":      (*call).forkProject,
		"GET /projects/{}/languages":  (*call).getLanguages,
		"GET /projects/{}/users":      (*call).listProjectUsers,
	}
}

func (s *Sim) findProject(idOrPath string) *node {
	for _, p := range s.data.at("projects").allKids() {
		if p.doc != nil && (p.key == idOrPath || strings.EqualFold(p.doc.str("path_with_namespace"), idOrPath)) {
			return p
		}
	}
	return nil
}

func (s *Sim) projectsWhere(keep func(*object) bool) []*object {
	var list []*object
	for _, p := range s.data.at("projects").docs() {
		if keep(p) {
			list = append(list, p)
		}
	}
	return list
}

// projectURL is the web page of the request's project.
func (c *call) projectURL() string { return c.owner().doc.str("web_url") }

func (c *call) listProjects() (reply, error) {
	list := c.projectsWhere(func(p *object) bool {
		switch {
		case c.query.str("archived") == "true" && !p.is("archived"), c.query.str("archived") == "false" && p.is("archived"):
			return false
		case c.query.str("owned") == "true" && p.num("creator_id") != c.user().num("id"):
			return false
		case c.query.str("starred") == "true" && !slices.Contains(texts(p.get(".stars")), c.user().str("username")):
			return false
		}
		if want := texts(c.query.get("topic")); want != nil {
			for _, t := range want {
				if !slices.Contains(texts(p.get("topics")), t) {
					return false
				}
			}
		}
		if s := c.query.str("search"); s != "" {
			fields := []string{"name", "path", "description"}
			if c.query.str("search_namespaces") == "true" {
				fields = append(fields, "path_with_namespace")
			}
			return contains(p, s, fields...)
		}
		return true
	})
	if c.query.str("sort") != "asc" {
		slices.Reverse(list) // newest first
	}
	out := []any{}
	for _, p := range list {
		if v := c.query.str("visibility"); v != "" && v != p.str("visibility") {
			continue
		}
		if c.query.str("simple") == "true" {
			p = p.pick("id", "description", "name", "name_with_namespace", "path", "path_with_namespace", "created_at",
				"default_branch", "tag_list", "topics", "ssh_url_to_repo", "http_url_to_repo", "web_url", "readme_url",
				"forks_count", "avatar_url", "star_count", "last_activity_at", "namespace")
		} else {
			p = p.without("runners_token")
		}
		out = append(out, p)
	}
	return c.page(out)
}

// namespaceFor is where a new project goes to: the namespace that the request
// names, or the caller's own.
func (c *call) namespaceFor(names ...string) (*object, error) {
	for _, name := range names {
		id := c.in(name)
		if id == "" {
			continue
		}
		if n := c.findGroup(id); n != nil {
			return n.doc, nil
		}
		return nil, notFound("Namespace")
	}
	return c.user(), nil
}

func (c *call) createProject() (reply, error) {
	ns, err := c.namespaceFor("namespace_id")
	if err != nil {
		return reply{}, err
	}
	name, path := c.in("name"), c.in("path")
	switch {
	case name == "" && path == "":
		return reply{}, badRequest("name, path are missing, at least one parameter must be provided")
	case name == "":
		name = path
	case path == "":
		path = slug(name)
	}
	full := ns.str("full_path")
	if full == "" {
		full = ns.str("username")
	}
	if c.findProject(full+"/"+path) != nil {
		return reply{}, &invalid{"path", "has already been taken"}
	}
	n := c.newProject(name, path, ns)
	n.doc.set("creator_id", c.user().get("id"))
	c.merge(n.doc)
	if b := c.in("default_branch"); b != "" {
		n.repo.main = b
	}
	if c.in("initialize_with_readme") == "true" {
		x := n.repo.commit(tree{"README.md": {content: "# " + name + "\n"}}, "Initial commit", c.author(), c.now())
		n.repo.setBranch(n.repo.main, x)
		n.doc.set("empty_repo", false)
	}
	return created(n.doc)
}

// slug is a name as part of a path.
func slug(name string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' && r != '.'
	}), "-")
}

func (c *call) theProject() (*node, error) {
	if n := c.findProject(c.keys[1]); n != nil {
		return n, nil
	}
	return c.invented(c.route.node, c.keys)
}

func (c *call) getProject() (reply, error) {
	n, err := c.theProject()
	if err != nil {
		return reply{}, err
	}
	open := 0
	for _, i := range n.at("issues").docs() {
		if i.str("state") == "opened" {
			open++
		}
	}
	n.doc.set("open_issues_count", open)
	p := n.doc.clone()
	if c.query.str("statistics") == "true" {
		p.set("statistics", obj("commit_count", len(n.repo.commits), "storage_size", 48_128, "repository_size", 32_768, "wiki_size", 0))
	}
	return ok(p)
}

func (c *call) updateProject() (reply, error) {
	n, err := c.theProject()
	if err != nil {
		return reply{}, err
	}
	before := n.doc.str("path_with_namespace")
	if b := c.in("default_branch"); b != "" {
		if n.repo.branch(b) == nil {
			return reply{}, &invalid{"default_branch", "does not exist"}
		}
		n.repo.main = b
	}
	c.merge(n.doc)
	if t := c.body.fields.get("topics"); t != nil {
		n.doc.set("tag_list", anys(texts(t)))
		n.doc.set("topics", anys(texts(t)))
	}
	if group, _, _ := cutLast(before); group+"/"+n.doc.str("path") != before {
		n.doc.set("path_with_namespace", group+"/"+n.doc.str("path"))
		n.doc.set("web_url", c.url(group+"/"+n.doc.str("path")))
		n.doc.set(".old_paths", append(n.doc.list(".old_paths"), before))
	}
	return ok(n.doc)
}

func (c *call) deleteProject() (reply, error) {
	n, err := c.theProject()
	if err != nil {
		return reply{}, err
	}
	n.remove()
	return accepted(obj("message", "202 Accepted"))
}

func archiveProject(archived bool) hook {
	return func(c *call) (reply, error) {
		p := c.owner().doc
		p.set("archived", archived)
		return created(p)
	}
}

func (c *call) starProject() (reply, error) {
	p, me := c.owner().doc, c.user().str("username")
	if slices.Contains(texts(p.get(".stars")), me) {
		return reply{status: http.StatusNotModified}, nil
	}
	p.set(".stars", append(p.list(".stars"), me))
	p.set("star_count", p.num("star_count")+1)
	return created(p)
}

func (c *call) unstarProject() (reply, error) {
	p, me := c.owner().doc, c.user().str("username")
	if !slices.Contains(texts(p.get(".stars")), me) {
		return reply{status: http.StatusNotModified}, nil
	}
	p.set(".stars", slices.DeleteFunc(slices.Clone(p.list(".stars")), func(v any) bool { return v == me }))
	p.set("star_count", p.num("star_count")-1)
	return created(p)
}

func (c *call) forkProject() (reply, error) {
	from := c.owner()
	ns, err := c.namespaceFor("namespace_id", "namespace_path", "namespace")
	if err != nil {
		return reply{}, err
	}
	name, path := from.doc.str("name"), from.doc.str("path")
	if n := c.in("name"); n != "" {
		name = n
	}
	if p := c.in("path"); p != "" {
		path = p
	}
	full := ns.str("full_path")
	if full == "" {
		full = ns.str("username")
	}
	if c.findProject(full+"/"+path) != nil {
		return reply{}, conflict("Project namespace name has already been taken")
	}
	n := c.newProject(name, path, ns)
	n.doc.set("creator_id", c.user().get("id"))
	n.doc.set("empty_repo", from.doc.get("empty_repo"))
	n.doc.set("forked_from_project", from.doc.pick("id", "name", "path", "path_with_namespace", "web_url"))
	n.repo = from.repo.fork()
	from.doc.set("forks_count", from.doc.num("forks_count")+1)
	return created(n.doc)
}

// fork is a repository of its own with the same commits.
func (r *repo) fork() *repo {
	f := newRepo(r.main)
	for id, x := range r.commits {
		f.commits[id] = x
	}
	for _, b := range r.branches {
		f.setBranch(b.name, b.commit)
	}
	for _, t := range r.tags {
		f.tags = addRef(f.tags, &ref{t.name, t.commit, t.message})
	}
	return f
}

func (c *call) getLanguages() (reply, error) {
	at := c.repository().resolve("")
	if at == nil {
		return ok(obj())
	}
	sizes, total := map[string]int{}, 0
	for p, f := range at.tree {
		for suffix, lang := range map[string]string{".go": "Go", ".rb": "Ruby", ".sql": "SQL", ".sh": "Shell", ".css": "CSS"} {
			if strings.HasSuffix(p, suffix) {
				sizes[lang] += len(f.content)
				total += len(f.content)
			}
		}
	}
	out := obj()
	for _, lang := range sortedBySize(sizes) {
		out.set(lang, float64(sizes[lang]*10000/total)/100)
	}
	return ok(out)
}

func sortedBySize(sizes map[string]int) []string {
	var names []string
	for n := range sizes {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b string) int {
		if d := sizes[b] - sizes[a]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return names
}

func (c *call) listProjectUsers() (reply, error) {
	var list []*object
	for _, m := range c.allMembers() {
		list = append(list, brief(m))
	}
	return c.listed(c.filtered(list))
}

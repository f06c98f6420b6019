package sim

import (
	"net/http"
	"slices"
	"strings"
)

// movedProject is the id of the project that once had a path.
func (s *Sim) movedProject(path string) (string, bool) {
	for _, p := range s.data.at("projects").allKids() {
		if p.doc != nil && slices.Contains(texts(p.doc.get(".old_paths")), path) {
			return p.key, s.findProject(path) == nil
		}
	}
	return "", false
}

// redirect sends a read to where a moved project is now. A write is refused: it
// is to name the project by its path.
func (c *call) redirect(id string) (reply, error) {
	if c.req.Method != http.MethodGet && c.req.Method != http.MethodHead {
		return reply{}, &refusal{status: http.StatusMethodNotAllowed, text: "Non GET methods are not allowed for moved projects"}
	}
	raw, query := rawTarget(c.req)
	rest := strings.TrimPrefix(raw, apiPrefix+"/projects/")
	_, rest, more := strings.Cut(rest, "/")
	to := c.origin() + apiPrefix + "/projects/" + id
	if more {
		to += "/" + rest
	}
	if query != "" {
		to += "?" + query
	}
	return reply{status: http.StatusMovedPermanently, header: http.Header{"Location": {to}}, value: obj("message", "301 Moved Permanently")}, nil
}

// place puts a project into a namespace: a group, or a user.
func (s *Sim) place(p, namespace *object) {
	ns := namespace.pick("id", "name", "path")
	full, fullName := namespace.str("full_path"), namespace.str("full_name")
	if full == "" {
		full, fullName = namespace.str("username"), namespace.str("name")
		ns.set("path", full)
		ns.set("kind", "user")
	} else {
		ns.set("kind", "group")
	}
	ns.set("full_path", full)
	ns.set("parent_id", namespace.get("parent_id"))
	ns.set("avatar_url", nil)
	ns.set("web_url", namespace.get("web_url"))
	path := full + "/" + p.str("path")
	p.set("namespace", ns)
	p.set("path_with_namespace", path)
	p.set("name_with_namespace", fullName+" / "+p.str("name"))
	p.set("web_url", s.url(path))
	p.set("http_url_to_repo", s.url(path)+".git")
	p.set("ssh_url_to_repo", "git@"+strings.TrimPrefix(strings.TrimPrefix(s.opts.BaseURL, "https://"), "http://")+":"+path+".git")
	p.set("readme_url", s.url(path)+"/-/blob/main/README.md")
}

// newProject makes a project in a group, or in a user's own namespace.
func (s *Sim) newProject(name, path string, namespace *object) *node {
	id := s.nextID("projects")
	p := obj("id", id, "description", nil, "name", name, "name_with_namespace", "", "path", path, "path_with_namespace", "",
		"created_at", stamp(s.now()), "default_branch", "main", "tag_list", []any{}, "topics", []any{},
		"ssh_url_to_repo", "", "http_url_to_repo", "", "web_url", "", "readme_url", nil,
		"forks_count", 0, "avatar_url", nil, "star_count", 0, "last_activity_at", stamp(s.now()), "visibility", "private",
		"namespace", nil, "archived", false, "empty_repo", true, "issues_enabled", true, "merge_requests_enabled", true,
		"wiki_enabled", true, "jobs_enabled", true, "snippets_enabled", true, "container_registry_enabled", true,
		"issues_access_level", "enabled", "repository_access_level", "enabled", "merge_requests_access_level", "enabled",
		"container_registry_access_level", "enabled", "creator_id", 1, "open_issues_count", 0, "ci_config_path", nil,
		"shared_runners_enabled", true, "public_jobs", true, "only_allow_merge_if_pipeline_succeeds", false,
		"only_allow_merge_if_all_discussions_are_resolved", false, "remove_source_branch_after_merge", true,
		"request_access_enabled", true, "merge_method", "merge", "squash_option", "default_off", "auto_devops_enabled", false,
		"runners_token", "simulated-runners-token",
	)
	n := s.data.open("projects").put(key(id), p)
	n.repo = newRepo("main")
	s.place(p, namespace)
	return n
}

// dressProject makes a whole project of an invented one. Its path is what the
// request called it.
func (c *call) dressProject(n *node, called string) {
	full := called
	if _, isID := numeric(called).(number); isID {
		full = "simulated/project-" + called
	}
	group, path, _ := cutLast(full)
	g := c.findGroup(group)
	if g == nil {
		g = c.newGroup(group, group, nil)
		g.doc.set("full_path", group)
	}
	fresh := c.newProject(path, path, g.doc)
	n.doc.members = fresh.doc.members
	fresh.remove()
	if id, isID := numeric(called).(number); isID {
		n.doc.set("id", id)
	}
	n.repo = fresh.repo
	x := n.repo.commit(tree{"README.md": {content: "# " + path + "\n"}}, "Initial commit", c.author(), c.now())
	n.repo.setBranch("main", x)
	n.doc.set("empty_repo", false)
}

package sim

import (
	"path"
	"slices"
	"strings"
)

func searchHooks() map[string]hook {
	return map[string]hook{
		"GET /search":             (*call).search,
		"GET /groups/{}/search":   (*call).search,
		"GET /projects/{}/search": (*call).search,
	}
}

// searched are the projects that a search looks into.
func (c *call) searched() []*node {
	all := c.data.at("projects").allKids()
	switch c.keys[0] {
	case "projects":
		return []*node{c.owner()}
	case "groups":
		full := c.owner().doc.str("full_path") + "/"
		return slices.DeleteFunc(slices.Clone(all), func(p *node) bool {
			return p.doc == nil || !strings.HasPrefix(p.doc.str("path_with_namespace"), full)
		})
	}
	return all
}

// search finds a text in things of the kind that scope names.
func (c *call) search() (reply, error) {
	what := c.query.str("search")
	var list []*object
	keep := func(docs []*object, fields ...string) {
		for _, d := range docs {
			if contains(d, what, fields...) {
				list = append(list, d)
			}
		}
	}
	switch scope := c.query.str("scope"); scope {
	case "users":
		for _, u := range c.data.at("users").docs() {
			if contains(u, what, "name", "username") {
				list = append(list, brief(u))
			}
		}
	case "projects":
		for _, p := range c.searched() {
			keep([]*object{p.doc}, "name", "path", "description")
		}
	default:
		for _, p := range c.searched() {
			switch scope {
			case "issues", "merge_requests", "milestones":
				keep(p.at(scope).docs(), "title", "description")
			case "notes":
				for _, i := range p.at("issues").allKids() {
					keep(i.at("notes").docs(), "body")
				}
			case "wiki_blobs":
				keep(p.at("wikis").docs(), "title", "content")
			case "commits":
				list = append(list, c.foundCommits(p, what)...)
			case "blobs":
				list = append(list, foundBlobs(p, what, c.query.str("ref"))...)
			}
		}
	}
	if s := c.query.str("state"); s != "" && s != "all" {
		list = slices.DeleteFunc(list, func(d *object) bool { return d.has("state") && d.str("state") != s })
	}
	return c.listed(list)
}

func (c *call) foundCommits(p *node, what string) []*object {
	var list []*object
	at := p.repo.resolve("")
	if at == nil {
		return nil
	}
	for _, x := range at.history() {
		if strings.Contains(strings.ToLower(x.message), strings.ToLower(what)) {
			list = append(list, obj("id", x.id, "short_id", x.short(), "title", x.title(), "created_at", stamp(x.when), "message", x.message,
				"author_name", x.author.name, "author_email", x.author.email, "project_id", p.doc.get("id")))
		}
	}
	return list
}

// foundBlobs are the places of a text in the files of a project: one result for
// each file, with the lines around the first match.
func foundBlobs(p *node, what, ref string) []*object {
	at := p.repo.resolve(ref)
	if at == nil {
		return nil
	}
	if ref == "" {
		ref = p.repo.main
	}
	var list []*object
	for _, name := range at.tree.under("") {
		lines := splitLines(at.tree[name].content)
		i := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(strings.ToLower(l), strings.ToLower(what)) })
		if i < 0 {
			continue
		}
		from := max(i-1, 0)
		list = append(list, obj(
			"basename", strings.TrimSuffix(name, path.Ext(name)), "data", strings.Join(lines[from:min(i+2, len(lines))], ""),
			"path", name, "filename", name, "id", nil, "ref", ref, "startline", from+1, "project_id", p.doc.get("id"),
		))
	}
	return list
}

package sim

import "slices"

func releaseHooks() map[string]hook {
	return map[string]hook{
		"GET /projects/{}/releases":                  (*call).listReleases,
		"POST /projects/{}/releases":                 (*call).createRelease,
		"GET /projects/{}/releases/permalink/latest": (*call).getLatestRelease,
		"GET /projects/{}/releases/{}/assets/links":  (*call).listReleaseLinks,
		"POST /projects/{}/releases/{}/assets/links": (*call).createReleaseLink,
		"DELETE /projects/{}/releases/{}":            (*call).deleteRelease,
	}
}

// newRelease makes a release of a tag that exists.
func (s *Sim) newRelease(p *node, tag, name, description string, author *object) *object {
	t := p.repo.tag(tag)
	url := p.doc.str("web_url")
	sources := []any{}
	for _, format := range [...]string{"zip", "tar.gz", "tar.bz2", "tar"} {
		sources = append(sources, obj("format", format, "url", url+"/-/archive/"+tag+"/"+p.doc.str("path")+"-"+tag+"."+format))
	}
	r := obj(
		"name", name, "tag_name", tag, "description", description, "created_at", stamp(s.now()), "released_at", stamp(s.now()),
		"upcoming_release", false, "author", brief(author),
		"commit", obj("id", t.commit.id, "short_id", t.commit.short(), "title", t.commit.title(), "created_at", stamp(t.commit.when)),
		"milestones", []any{}, "commit_path", "/"+p.doc.str("path_with_namespace")+"/-/commit/"+t.commit.id,
		"tag_path", "/"+p.doc.str("path_with_namespace")+"/-/tags/"+tag,
		"assets", obj("count", 4, "sources", sources, "links", []any{}), "evidences", []any{},
		"_links", obj("self", url+"/-/releases/"+tag, "edit_url", url+"/-/releases/"+tag+"/edit"),
	)
	p.open("releases").put(tag, r)
	return r
}

func (c *call) listReleases() (reply, error) {
	list := c.owner().at("releases").docs()
	if c.query.str("sort") != "asc" {
		slices.Reverse(list)
	}
	return c.listed(list)
}

func (c *call) getLatestRelease() (reply, error) {
	list := c.owner().at("releases").docs()
	if len(c.keys) > 5 || len(list) == 0 {
		return reply{}, notFound("Release")
	}
	return ok(list[len(list)-1])
}

func (c *call) createRelease() (reply, error) {
	p := c.owner()
	tag := c.in("tag_name")
	if p.at("releases").item(tag) != nil {
		return reply{}, conflict("Release already exists")
	}
	if p.repo.tag(tag) == nil {
		at := p.repo.resolve(c.in("ref"))
		if c.in("ref") == "" || at == nil {
			return reply{}, &refusal{status: 422, text: "Ref is not specified"}
		}
		p.repo.tags = addRef(p.repo.tags, &ref{name: tag, commit: at, message: c.in("tag_message")})
	}
	name := c.in("name")
	if name == "" {
		name = tag
	}
	r := c.newRelease(p, tag, name, c.in("description"), c.user())
	if assets := c.body.fields.sub("assets"); assets != nil {
		for _, l := range assets.list("links") {
			c.addReleaseLink(p, r, l.(*object))
		}
	}
	return created(r)
}

func (c *call) deleteRelease() (reply, error) {
	n, err := c.theItem()
	if err != nil {
		return reply{}, err
	}
	n.remove()
	return ok(n.doc)
}

func (s *Sim) addReleaseLink(p *node, r, given *object) *object {
	id := s.nextID("release_links")
	kind := given.str("link_type")
	if kind == "" {
		kind = "other"
	}
	direct := given.str("url")
	if path := given.str("direct_asset_path"); path != "" {
		direct = p.doc.str("web_url") + "/-/releases/" + r.str("tag_name") + "/downloads" + path
	}
	l := obj("id", id, "name", given.get("name"), "url", given.get("url"), "direct_asset_url", direct, "link_type", kind)
	if a := r.sub("assets"); a != nil {
		a.set("links", append(a.list("links"), l))
		a.set("count", a.num("count")+1)
	}
	p.open("releases", r.str("tag_name"), "assets", "links").put(key(id), l)
	return l
}

func (c *call) listReleaseLinks() (reply, error) {
	return c.listed(c.item().at("assets", "links").docs())
}

func (c *call) createReleaseLink() (reply, error) {
	return created(c.addReleaseLink(c.owner(), c.item().doc, c.body.fields))
}

package sim

func wikiHooks() map[string]hook {
	all := map[string]hook{}
	for _, of := range [...]string{"projects", "groups"} {
		all["POST /"+of+"/{}/wikis"] = (*call).createWikiPage
		all["GET /"+of+"/{}/wikis"] = (*call).listWikiPages
	}
	return all
}

func newWikiPage(title, content string) *object {
	return obj("format", "markdown", "slug", wikiSlug(title), "title", title, "content", content, "encoding", "UTF-8", "front_matter", obj())
}

// wikiSlug is a title as part of an address; slashes stay, they make folders.
func wikiSlug(title string) string {
	out := []rune(title)
	for i, r := range out {
		if r == ' ' {
			out[i] = '-'
		}
	}
	return string(out)
}

func (c *call) createWikiPage() (reply, error) {
	w := newWikiPage(c.in("title"), c.in("content"))
	if c.place().item(w.str("slug")) != nil {
		return reply{}, &refusal{status: 400, text: "Duplicate page: a page with that title already exists"}
	}
	c.merge(w)
	c.place().put(w.str("slug"), w)
	return created(w)
}

func (c *call) listWikiPages() (reply, error) {
	list := []any{}
	for _, w := range c.place().docs() {
		if c.query.str("with_content") == "true" {
			list = append(list, w)
		} else {
			list = append(list, w.pick("format", "slug", "title"))
		}
	}
	return c.page(list)
}

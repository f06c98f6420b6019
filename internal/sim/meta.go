package sim

func metaHooks() map[string]hook {
	version := func(c *call) (reply, error) { return ok(obj("version", c.version(), "revision", "51mu1a7ed")) }
	return map[string]hook{
		"GET /version": version,
		"GET /metadata": func(c *call) (reply, error) {
			return ok(obj(
				"version", c.version(), "revision", "51mu1a7ed",
				"kas", obj("enabled", false, "externalUrl", nil, "externalK8sProxyUrl", nil, "version", nil), "enterprise", true,
			))
		},
		"GET /personal_access_tokens/self":    (*call).getOwnToken,
		"DELETE /personal_access_tokens/self": (*call).revokeOwnToken,
		"GET /personal_access_tokens":         func(c *call) (reply, error) { return c.listed([]*object{c.ownToken()}) },
		"POST /markdown":                      (*call).renderMarkdown,
	}
}

// version is the GitLab that the catalog was made from.
func (s *Sim) version() string {
	if v := s.cat.GitLabVersion(); v != "" {
		return v + ".0-ee"
	}
	return "19.0.0-ee"
}

func (c *call) ownToken() *object {
	scopes := []any{}
	for _, s := range c.grant.scopes() {
		scopes = append(scopes, s)
	}
	return obj(
		"id", 1, "name", "simulated", "revoked", false, "created_at", stamp(start()), "description", "Token of the simulated GitLab",
		"scopes", scopes, "user_id", c.user().get("id"), "last_used_at", stamp(c.now()), "active", true,
		"expires_at", start().AddDate(1, 0, 0).Format("2006-01-02"),
	)
}

func (c *call) getOwnToken() (reply, error) { return ok(c.ownToken()) }

// revokeOwnToken makes the token worthless from here on.
func (c *call) revokeOwnToken() (reply, error) {
	kept := []Grant{}
	for _, g := range c.opts.Tokens {
		if g.Token != c.grant.Token {
			kept = append(kept, g)
		}
	}
	c.opts.Tokens = kept
	return noContent()
}

func (c *call) renderMarkdown() (reply, error) {
	return created(obj("html", "<p>"+escapeHTML(c.in("text"))+"</p>"))
}

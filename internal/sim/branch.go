package sim

import (
	"slices"
	"strings"
)

func branchHooks() map[string]hook {
	return map[string]hook{
		"GET /projects/{}/repository/branches":              (*call).listBranches,
		"POST /projects/{}/repository/branches":             (*call).createBranch,
		"GET /projects/{}/repository/branches/{}":           (*call).getBranch,
		"HEAD /projects/{}/repository/branches/{}":          (*call).headBranch,
		"DELETE /projects/{}/repository/branches/{}":        (*call).deleteBranch,
		"PUT /projects/{}/repository/branches/{}/protect":   (*call).protectBranch,
		"PUT /projects/{}/repository/branches/{}/unprotect": (*call).unprotectBranch,
		"DELETE /projects/{}/repository/merged_branches":    (*call).deleteMergedBranches,
	}
}

func (c *call) branchJSON(b *ref) *object {
	r := c.repository()
	main := r.branch(r.main)
	return obj(
		"name", b.name, "commit", c.commitJSON(b.commit),
		"merged", b.name != r.main && main != nil && main.commit.contains(b.commit),
		"protected", c.owner().at("protected_branches").item(b.name) != nil,
		"developers_can_push", false, "developers_can_merge", false, "can_push", true, "default", b.name == r.main,
		"web_url", c.projectURL()+"/-/tree/"+b.name,
	)
}

func (c *call) listBranches() (reply, error) {
	var list []*object
	search := c.query.str("search")
	for _, b := range c.repository().branches {
		if matchesName(b.name, search) {
			list = append(list, c.branchJSON(b))
		}
	}
	return c.listed(list)
}

// matchesName is GitLab's search for names, where ^ and $ mark the ends.
func matchesName(name, search string) bool {
	start, fromStart := strings.CutPrefix(search, "^")
	end, toEnd := strings.CutSuffix(start, "$")
	switch {
	case fromStart && toEnd:
		return name == end
	case fromStart:
		return strings.HasPrefix(name, start)
	case toEnd:
		return strings.HasSuffix(name, end)
	}
	return strings.Contains(strings.ToLower(name), strings.ToLower(search))
}

func (c *call) theBranch() (*ref, error) {
	if b := c.repository().branch(c.keys[4]); b != nil {
		return b, nil
	}
	if b := c.inventBranch(c.keys[4]); b != nil {
		return b, nil
	}
	return nil, notFound("Branch")
}

func (c *call) getBranch() (reply, error) {
	b, err := c.theBranch()
	if err != nil {
		return reply{}, err
	}
	return ok(c.branchJSON(b))
}

func (c *call) headBranch() (reply, error) {
	if _, err := c.theBranch(); err != nil {
		return reply{}, err
	}
	return noContent()
}

func (c *call) createBranch() (reply, error) {
	name := c.in("branch")
	at := c.repository().resolve(c.in("ref"))
	switch {
	case c.repository().branch(name) != nil:
		return reply{}, &refusal{status: 400, text: "Branch already exists"}
	case at == nil:
		return reply{}, &refusal{status: 400, text: "Invalid reference name: " + c.in("ref")}
	}
	return created(c.branchJSON(c.repository().setBranch(name, at)))
}

func (c *call) deleteBranch() (reply, error) {
	b, err := c.theBranch()
	if err != nil {
		return reply{}, err
	}
	r := c.repository()
	switch {
	case b.name == r.main:
		return reply{}, &refusal{status: 400, text: "Cannot remove HEAD branch"}
	case c.owner().at("protected_branches").item(b.name) != nil:
		return reply{}, forbidden("the branch is protected")
	}
	r.branches = slices.DeleteFunc(r.branches, func(x *ref) bool { return x == b })
	return noContent()
}

func (c *call) deleteMergedBranches() (reply, error) {
	r := c.repository()
	main := r.resolve(r.main)
	r.branches = slices.DeleteFunc(r.branches, func(b *ref) bool {
		return b.name != r.main && main.contains(b.commit) && c.owner().at("protected_branches").item(b.name) == nil
	})
	return accepted(obj("message", "202 Accepted"))
}

func (c *call) protectBranch() (reply, error) {
	b, err := c.theBranch()
	if err != nil {
		return reply{}, err
	}
	c.owner().open("protected_branches").put(b.name, c.protection(b.name))
	return ok(c.branchJSON(b))
}

func (c *call) unprotectBranch() (reply, error) {
	b, err := c.theBranch()
	if err != nil {
		return reply{}, err
	}
	if n := c.owner().at("protected_branches").item(b.name); n != nil {
		n.remove()
	}
	return ok(c.branchJSON(b))
}

// protection is a protected branch that maintainers push to and merge into.
func (s *Sim) protection(name string) *object {
	level := func() []any {
		return []any{obj("id", s.nextID("access_levels"), "access_level", 40, "access_level_description", "Maintainers", "user_id", nil, "group_id", nil)}
	}
	return obj(
		"id", s.nextID("protected_branches"), "name", name, "push_access_levels", level(), "merge_access_levels", level(),
		"allow_force_push", false, "unprotect_access_levels", []any{}, "code_owner_approval_required", false,
	)
}

package sim

import "slices"

func approvalHooks() map[string]hook {
	base := "/projects/{}/merge_requests/{}"
	return map[string]hook{
		"POST " + base + "/approve":        (*call).approve,
		"POST " + base + "/unapprove":      (*call).unapprove,
		"PUT " + base + "/reset_approvals": (*call).resetApprovals,
		"GET " + base + "/approvals":       func(c *call) (reply, error) { return ok(c.approvals()) },
		"GET " + base + "/approval_state":  (*call).getApprovalState,
	}
}

// approvers are the users who have approved.
func (c *call) approvers() []any {
	var out []any
	for _, a := range c.item().doc.list(".approved_by") {
		out = append(out, a.(*object).sub("user"))
	}
	return out
}

func (c *call) approvals() *object {
	m := c.item().doc
	by := m.list(".approved_by")
	if by == nil {
		by = []any{}
	}
	const required = 1
	left := max(required-len(by), 0)
	mine := hasUser(c.approvers(), c.user().str("id"))
	return obj(
		"id", m.get("id"), "iid", m.get("iid"), "project_id", m.get("project_id"), "title", m.get("title"), "description", m.get("description"),
		"state", m.get("state"), "created_at", m.get("created_at"), "updated_at", m.get("updated_at"), "merge_status", m.get("merge_status"),
		"approved", left == 0, "approvals_required", required, "approvals_left", left, "require_password_to_approve", false,
		"approved_by", by, "suggested_approvers", []any{}, "user_has_approved", mine, "user_can_approve", !mine,
	)
}

func (c *call) approve() (reply, error) {
	m := c.item().doc
	switch {
	case m.str("state") != "opened", hasUser(c.approvers(), c.user().str("id")):
		return reply{}, &refusal{status: 401, text: "401 Unauthorized"} // GitLab says so
	case c.in("sha") != "" && c.in("sha") != m.str("sha"):
		return reply{}, conflict("SHA does not match HEAD of source branch: " + m.str("sha"))
	}
	m.set(".approved_by", append(m.list(".approved_by"), obj("user", c.me(), "approved_at", stamp(c.now()))))
	c.event("approved", m, "MergeRequest")
	return created(c.approvals())
}

func (c *call) unapprove() (reply, error) {
	m := c.item().doc
	me := c.user().str("id")
	if !hasUser(c.approvers(), me) {
		return reply{}, notFound("Approval")
	}
	m.set(".approved_by", slices.DeleteFunc(slices.Clone(m.list(".approved_by")), func(v any) bool {
		return v.(*object).sub("user").str("id") == me
	}))
	return created(c.approvals())
}

func (c *call) resetApprovals() (reply, error) {
	c.item().doc.set(".approved_by", []any{})
	return accepted(nil)
}

func (c *call) getApprovalState() (reply, error) {
	a := c.approvals()
	return ok(obj("approval_rules_overwritten", false, "rules", []any{obj(
		"id", 1, "name", "All Members", "rule_type", "any_approver", "eligible_approvers", []any{}, "approvals_required", 1,
		"users", []any{}, "groups", []any{}, "contains_hidden_groups", false, "approved_by", c.approvers(), "approved", a.get("approved"),
	)}))
}

package sim

import (
	"slices"
	"strings"
)

func mergeRequestHooks() map[string]hook {
	base := "/projects/{}/merge_requests"
	return map[string]hook{
		"GET /merge_requests":                 (*call).listAllMergeRequests,
		"GET /groups/{}/merge_requests":       (*call).listGroupMergeRequests,
		"GET " + base:                         (*call).listMergeRequests,
		"POST " + base:                        (*call).createMergeRequest,
		"GET " + base + "/{}":                 (*call).getMergeRequest,
		"PUT " + base + "/{}":                 (*call).updateMergeRequest,
		"PUT " + base + "/{}/merge":           (*call).accept,
		"PUT " + base + "/{}/rebase":          (*call).rebase,
		"GET " + base + "/{}/diffs":           (*call).listMergeRequestDiffs,
		"GET " + base + "/{}/changes":         (*call).getMergeRequestChanges,
		"GET " + base + "/{}/raw_diffs":       (*call).getRawDiffs,
		"GET " + base + "/{}/commits":         (*call).listMergeRequestCommits,
		"GET " + base + "/{}/pipelines":       (*call).listMergeRequestPipelines,
		"POST " + base + "/{}/pipelines":      (*call).createMergeRequestPipeline,
		"GET " + base + "/{}/participants":    (*call).listParticipants,
		"GET " + base + "/{}/reviewers":       (*call).listReviewers,
		"GET " + base + "/{}/closes_issues":   (*call).listClosedIssues,
		"POST " + base + "/{}/todo":           (*call).createTodo,
		"POST " + base + "/{}/time_estimate":  (*call).setEstimate,
		"POST " + base + "/{}/add_spent_time": (*call).addSpent,
	}
}

// newMergeRequest makes a merge request in a project.
func (s *Sim) newMergeRequest(p *node, title, source, target string, author *object) *object {
	in := p.open("merge_requests")
	iid := in.nextIID()
	m := obj(
		"id", s.nextID("merge_requests"), "iid", iid, "project_id", p.doc.get("id"), "title", title, "description", nil, "state", "opened",
		"created_at", stamp(s.now()), "updated_at", stamp(s.now()), "merged_by", nil, "merge_user", nil, "merged_at", nil,
		"closed_by", nil, "closed_at", nil, "target_branch", target, "source_branch", source, "user_notes_count", 0,
		"upvotes", 0, "downvotes", 0, "author", brief(author), "assignees", []any{}, "assignee", nil, "reviewers", []any{},
		"source_project_id", p.doc.get("id"), "target_project_id", p.doc.get("id"), "labels", []any{}, "draft", isDraft(title),
		"imported", false, "work_in_progress", isDraft(title), "milestone", nil, "merge_when_pipeline_succeeds", false,
		"merge_status", "can_be_merged", "detailed_merge_status", "mergeable", "merge_after", nil, "sha", nil,
		"merge_commit_sha", nil, "squash_commit_sha", nil, "discussion_locked", nil, "should_remove_source_branch", nil,
		"force_remove_source_branch", true, "prepared_at", stamp(s.now()), "reference", "!"+key(iid), "references", references(p, "!", iid),
		"web_url", p.doc.str("web_url")+"/-/merge_requests/"+key(iid),
		"time_stats", obj("time_estimate", 0, "total_time_spent", 0, "human_time_estimate", nil, "human_total_time_spent", nil),
		"squash", false, "task_completion_status", obj("count", 0, "completed_count", 0), "has_conflicts", false,
		"blocking_discussions_resolved", true, "changes_count", nil, "subscribed", true, "first_contribution", false,
		"pipeline", nil, "head_pipeline", nil, "diff_refs", nil, "merge_error", nil, "user", obj("can_merge", true),
	)
	in.put(key(iid), m)
	s.refresh(p, m)
	return m
}

func isDraft(title string) bool {
	t := strings.ToLower(title)
	return strings.HasPrefix(t, "draft:") || strings.HasPrefix(t, "[draft]")
}

// refresh brings what a merge request says of its branches up to date, as long as
// it is open.
func (s *Sim) refresh(p *node, m *object) {
	source, target := p.repo.branch(m.str("source_branch")), p.repo.branch(m.str("target_branch"))
	if m.str("state") != "opened" || source == nil || target == nil {
		return
	}
	base := mergeBase(source.commit, target.commit)
	if base == nil {
		return
	}
	m.set("sha", source.commit.id)
	m.set("diff_refs", obj("base_sha", base.id, "head_sha", source.commit.id, "start_sha", target.commit.id))
	m.set("changes_count", key(int64(len(changes(base.tree, source.commit.tree)))))
	_, conflicts := mergeTrees(base.tree, target.commit.tree, source.commit.tree)
	m.set("has_conflicts", len(conflicts) > 0)
	status, detailed := "can_be_merged", "mergeable"
	switch {
	case len(conflicts) > 0:
		status, detailed = "cannot_be_merged", "conflict"
	case m.is("draft"):
		detailed = "draft_status"
	case base == source.commit:
		detailed = "commits_status"
	}
	m.set("merge_status", status)
	m.set("detailed_merge_status", detailed)
	for _, pl := range p.at("pipelines").docs() {
		if pl.str("ref") == source.name {
			m.set("head_pipeline", pipelineBrief(pl))
			m.set("pipeline", pipelineBrief(pl))
		}
	}
}

func (c *call) listMergeRequests() (reply, error) {
	return c.mergeRequests(c.owner().at("merge_requests").docs(), "all")
}

func (c *call) listGroupMergeRequests() (reply, error) {
	var list []*object
	for _, p := range c.projectsIn(c.owner().doc, true) {
		list = append(list, c.data.at("projects", p.str("id"), "merge_requests").docs()...)
	}
	return c.mergeRequests(list, "all")
}

func (c *call) listAllMergeRequests() (reply, error) {
	return c.mergeRequests(c.everywhere("merge_requests"), "created_by_me")
}

func (c *call) mergeRequests(list []*object, scope string) (reply, error) {
	list = slices.DeleteFunc(slices.Clone(list), func(m *object) bool {
		wip := c.query.str("wip")
		return !c.wants(m, scope) || wip == "yes" && !m.is("draft") || wip == "no" && m.is("draft")
	})
	c.order(list)
	out := []any{}
	for _, m := range list {
		out = append(out, m.without("pipeline", "head_pipeline", "diff_refs", "changes_count", "merge_error", "user", "subscribed", "first_contribution"))
	}
	return c.page(out)
}

func (c *call) getMergeRequest() (reply, error) {
	n, err := c.theItem()
	if err != nil {
		return reply{}, err
	}
	c.refresh(c.owner(), n.doc)
	return ok(n.doc)
}

func (c *call) createMergeRequest() (reply, error) {
	p := c.owner()
	source, target := c.in("source_branch"), c.in("target_branch")
	for _, name := range [...]string{source, target} {
		if p.repo.branch(name) == nil {
			c.inventBranch(name)
		}
	}
	switch {
	case source == target:
		return reply{}, &invalid{"validate_branches", "You can't use same project/branch for source and target"}
	case p.repo.branch(source) == nil:
		return reply{}, &invalid{"source_branch", `"` + source + `" does not exist`}
	case p.repo.branch(target) == nil:
		return reply{}, &invalid{"target_branch", `"` + target + `" does not exist`}
	}
	for _, m := range p.at("merge_requests").docs() {
		if m.str("state") == "opened" && m.str("source_branch") == source && m.str("target_branch") == target {
			return reply{}, &refusal{status: 409, text: "Another open merge request already exists for this source branch: !" + m.str("iid")}
		}
	}
	m := c.newMergeRequest(p, c.in("title"), source, target, c.user())
	if err := c.applyMergeRequest(m); err != nil {
		return reply{}, err
	}
	c.event("opened", m, "MergeRequest")
	return created(m)
}

func (c *call) applyMergeRequest(m *object) error {
	b := c.body.fields
	if m.str("state") == "merged" && b.has("state_event") {
		return &invalid{"state", "cannot transition from merged"}
	}
	if err := c.applyIssue(m); err != nil {
		return err
	}
	for _, name := range [...]string{"squash", "target_branch"} {
		if b.has(name) {
			m.set(name, b.get(name))
		}
	}
	if b.has("remove_source_branch") {
		m.set("force_remove_source_branch", b.get("remove_source_branch"))
	}
	if b.has("reviewer_ids") {
		m.set("reviewers", c.briefs(texts(b.get("reviewer_ids"))))
	}
	m.set("draft", isDraft(m.str("title")))
	m.set("work_in_progress", m.get("draft"))
	c.refresh(c.owner(), m)
	return nil
}

func (c *call) updateMergeRequest() (reply, error) {
	n, err := c.theItem()
	if err != nil {
		return reply{}, err
	}
	if err := c.applyMergeRequest(n.doc); err != nil {
		return reply{}, err
	}
	return ok(n.doc)
}

// span are the commits at both ends of a merge request.
func (c *call) span() (base, head *commit) {
	p, m := c.owner(), c.item().doc
	c.refresh(p, m)
	refs := m.sub("diff_refs")
	return p.repo.commits[refs.str("base_sha")], p.repo.commits[refs.str("head_sha")]
}

func (c *call) mergeRequestChanges() []change {
	base, head := c.span()
	if base == nil || head == nil {
		return nil
	}
	return changes(base.tree, head.tree)
}

func (c *call) listMergeRequestDiffs() (reply, error) {
	return c.page(diffsJSON(c.mergeRequestChanges()))
}

func (c *call) getMergeRequestChanges() (reply, error) {
	m := c.item().doc.clone()
	m.set("changes", diffsJSON(c.mergeRequestChanges()))
	m.set("overflow", false)
	return ok(m)
}

func (c *call) getRawDiffs() (reply, error) {
	return rawText([]byte(patch(c.mergeRequestChanges())))
}

func (c *call) listMergeRequestCommits() (reply, error) {
	base, head := c.span()
	list := []any{}
	if base != nil && head != nil {
		for _, x := range since(base, head) {
			list = append(list, c.commitJSON(x))
		}
	}
	return c.page(list)
}

func (c *call) listMergeRequestPipelines() (reply, error) {
	var list []*object
	for _, p := range slices.Backward(c.owner().at("pipelines").docs()) {
		if p.str("ref") == c.item().doc.str("source_branch") {
			list = append(list, pipelineBrief(p))
		}
	}
	return c.listed(list)
}

func (c *call) createMergeRequestPipeline() (reply, error) {
	p := c.newPipeline(c.owner(), c.item().doc.str("source_branch"), "merge_request_event", c.user())
	if p == nil {
		return reply{}, &refusal{status: 400, text: "the source branch does not exist"}
	}
	return created(p)
}

func (c *call) listReviewers() (reply, error) {
	list := []any{}
	for _, u := range c.item().doc.list("reviewers") {
		state := "unreviewed"
		if hasUser(c.approvers(), u.(*object).str("id")) {
			state = "approved"
		}
		list = append(list, obj("user", u, "state", state, "created_at", c.item().doc.get("created_at")))
	}
	return ok(list)
}

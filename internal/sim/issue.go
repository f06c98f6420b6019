package sim

import (
	"slices"
)

func issueHooks() map[string]hook {
	return map[string]hook{
		"GET /issues":                                       (*call).listAllIssues,
		"GET /groups/{}/issues":                             (*call).listGroupIssues,
		"GET /projects/{}/issues":                           (*call).listIssues,
		"POST /projects/{}/issues":                          (*call).createIssue,
		"GET /projects/{}/issues/{}":                        (*call).getIssue,
		"PUT /projects/{}/issues/{}":                        (*call).updateIssue,
		"GET /issues/{}":                                    (*call).getIssueByID,
		"POST /projects/{}/issues/{}/move":                  (*call).moveIssue,
		"GET /projects/{}/issues/{}/participants":           (*call).listParticipants,
		"GET /projects/{}/issues/{}/related_merge_requests": (*call).listRelatedMergeRequests,
		"GET /projects/{}/issues/{}/closed_by":              (*call).listRelatedMergeRequests,
		"GET /issues_statistics":                            (*call).countIssues,
		"GET /groups/{}/issues_statistics":                  (*call).countIssues,
		"GET /projects/{}/issues_statistics":                (*call).countIssues,
		"POST /projects/{}/issues/{}/todo":                  (*call).createTodo,
		"POST /projects/{}/issues/{}/time_estimate":         (*call).setEstimate,
		"POST /projects/{}/issues/{}/add_spent_time":        (*call).addSpent,
	}
}

// newIssue makes an issue in a project.
func (s *Sim) newIssue(p *node, title string, author *object) *object {
	in := p.open("issues")
	iid := in.nextIID()
	i := obj(
		"id", s.nextID("issues"), "iid", iid, "project_id", p.doc.get("id"), "title", title, "description", nil, "state", "opened",
		"created_at", stamp(s.now()), "updated_at", stamp(s.now()), "closed_at", nil, "closed_by", nil, "labels", []any{},
		"milestone", nil, "assignees", []any{}, "author", brief(author), "type", "ISSUE", "assignee", nil,
		"user_notes_count", 0, "merge_requests_count", 0, "upvotes", 0, "downvotes", 0, "due_date", nil, "confidential", false,
		"discussion_locked", nil, "issue_type", "issue", "web_url", p.doc.str("web_url")+"/-/issues/"+key(iid),
		"time_stats", obj("time_estimate", 0, "total_time_spent", 0, "human_time_estimate", nil, "human_total_time_spent", nil),
		"task_completion_status", obj("count", 0, "completed_count", 0), "weight", nil, "has_tasks", false, "severity", "UNKNOWN",
		"references", references(p, "#", iid), "moved_to_id", nil, "subscribed", true,
	)
	in.put(key(iid), i)
	return i
}

// references are the ways to mention something: short, within the group, whole.
func references(p *node, sign string, iid int64) *object {
	short := sign + key(iid)
	return obj("short", short, "relative", short, "full", p.doc.str("path_with_namespace")+short)
}

// assigned sets the people of an issue or merge request.
func assigned(o *object, people []any) {
	o.set("assignees", people)
	o.set("assignee", nil)
	if len(people) > 0 {
		o.set("assignee", people[0])
	}
}

func (c *call) listIssues() (reply, error) {
	return c.issues(c.owner().at("issues").docs(), "all")
}

func (c *call) listGroupIssues() (reply, error) {
	var list []*object
	for _, p := range c.projectsIn(c.owner().doc, true) {
		list = append(list, c.data.at("projects", p.str("id"), "issues").docs()...)
	}
	return c.issues(list, "all")
}

// listAllIssues lists what the caller created, unless scope says otherwise.
func (c *call) listAllIssues() (reply, error) {
	return c.issues(c.everywhere("issues"), "created_by_me")
}

func (s *Sim) everywhere(kind string) []*object {
	var list []*object
	for _, p := range s.data.at("projects").allKids() {
		list = append(list, p.at(kind).docs()...)
	}
	return list
}

func (c *call) issues(list []*object, scope string) (reply, error) {
	list = slices.DeleteFunc(slices.Clone(list), func(i *object) bool { return !c.wants(i, scope) })
	c.order(list)
	return c.listed(list)
}

// item is the issue, merge request or other thing that the first four segments name.
func (c *call) item() *node { return c.data.at(c.keys[:4]...) }

func (c *call) theItem() (*node, error) {
	in := c.data.at(c.keys[:3]...)
	if n := in.item(c.keys[3]); n != nil && n.key == c.keys[3] {
		return n, nil
	}
	return c.invented(c.route.node, c.keys)
}

func (c *call) getIssue() (reply, error) {
	n, err := c.theItem()
	if err != nil {
		return reply{}, err
	}
	return ok(n.doc)
}

func (c *call) getIssueByID() (reply, error) {
	for _, i := range c.everywhere("issues") {
		if i.str("id") == c.keys[1] {
			return ok(i)
		}
	}
	n, err := c.invented(c.route.node, c.keys)
	if err != nil {
		return reply{}, err
	}
	return ok(n.doc)
}

func (c *call) createIssue() (reply, error) {
	i := c.newIssue(c.owner(), c.in("title"), c.user())
	if err := c.applyIssue(i); err != nil {
		return reply{}, err
	}
	c.event("opened", i, "Issue")
	return created(i)
}

func (c *call) updateIssue() (reply, error) {
	n, err := c.theItem()
	if err != nil {
		return reply{}, err
	}
	if err := c.applyIssue(n.doc); err != nil {
		return reply{}, err
	}
	return ok(n.doc)
}

// applyIssue takes over what a request says of an issue or a merge request.
func (c *call) applyIssue(i *object) error {
	b := c.body.fields
	for _, name := range [...]string{"title", "description", "confidential", "due_date", "weight", "issue_type", "discussion_locked"} {
		if b.has(name) {
			i.set(name, b.get(name))
		}
	}
	if i.str("title") == "" {
		return &invalid{"title", "can't be blank"}
	}
	if b.has("labels") {
		i.set("labels", anys(texts(b.get("labels"))))
	}
	i.set("labels", union(dropTexts(i.list("labels"), texts(b.get("remove_labels"))), texts(b.get("add_labels"))))
	if b.has("assignee_ids") {
		assigned(i, c.briefs(texts(b.get("assignee_ids"))))
	} else if b.has("assignee_id") {
		assigned(i, c.briefs([]string{b.str("assignee_id")}))
	}
	if err := c.applyMilestone(i); err != nil {
		return err
	}
	switch b.str("state_event") {
	case "close":
		c.closeItem(i)
	case "reopen":
		i.set("state", "opened")
		i.set("closed_at", nil)
		i.set("closed_by", nil)
	}
	i.set("updated_at", stamp(c.now()))
	return nil
}

func (c *call) closeItem(i *object) {
	if i.str("state") == "closed" {
		return
	}
	i.set("state", "closed")
	i.set("closed_at", stamp(c.now()))
	i.set("closed_by", c.me())
}

func (c *call) applyMilestone(i *object) error {
	b := c.body.fields
	switch id := b.str("milestone_id"); {
	case !b.has("milestone_id"):
	case id == "" || id == "0":
		i.set("milestone", nil)
	default:
		m := c.milestoneBy(id)
		if m == nil {
			return &invalid{"milestone_id", "is invalid"}
		}
		i.set("milestone", m)
	}
	return nil
}

func dropTexts(list []any, drop []string) []any {
	out := []any{}
	for _, v := range list {
		if !slices.Contains(drop, text(v)) {
			out = append(out, v)
		}
	}
	return out
}

func union(list []any, more []string) []any {
	for _, s := range more {
		if !hasText(list, s) {
			list = append(list, s)
		}
	}
	return list
}

func (c *call) moveIssue() (reply, error) {
	from := c.item()
	to := c.findProject(c.in("to_project_id"))
	if to == nil {
		return reply{}, notFound("Project")
	}
	i := c.newIssue(to, from.doc.str("title"), c.user())
	for _, name := range [...]string{"description", "labels", "assignees", "assignee", "author", "due_date", "confidential"} {
		i.set(name, from.doc.get(name))
	}
	from.doc.set("moved_to_id", i.get("id"))
	c.closeItem(from.doc)
	return created(i)
}

func (c *call) listParticipants() (reply, error) {
	i := c.item()
	var list []*object
	add := func(v any) {
		if u, _ := v.(*object); u != nil && !slices.ContainsFunc(list, func(o *object) bool { return o.str("id") == u.str("id") }) {
			list = append(list, u)
		}
	}
	add(i.doc.sub("author"))
	for _, field := range [...]string{"assignees", "reviewers"} {
		for _, u := range i.doc.list(field) {
			add(u)
		}
	}
	for _, n := range i.at("notes").docs() {
		add(n.sub("author"))
	}
	return c.listed(list)
}

// listRelatedMergeRequests are those that mention the issue.
func (c *call) listRelatedMergeRequests() (reply, error) {
	var list []*object
	for _, m := range c.owner().at("merge_requests").docs() {
		if mentions(m.str("title")+" "+m.str("description"), "#"+c.keys[3]) {
			list = append(list, m)
		}
	}
	return c.listed(list)
}

func (c *call) countIssues() (reply, error) {
	list := c.everywhere("issues")
	scope := "created_by_me"
	if c.keys[0] == "projects" {
		list, scope = c.owner().at("issues").docs(), "all"
	} else if c.keys[0] == "groups" {
		list, scope = nil, "all"
		for _, p := range c.projectsIn(c.owner().doc, true) {
			list = append(list, c.data.at("projects", p.str("id"), "issues").docs()...)
		}
	}
	opened, closed := 0, 0
	for _, i := range list {
		switch {
		case !c.wants(i, scope):
		case i.str("state") == "opened":
			opened++
		default:
			closed++
		}
	}
	return ok(obj("statistics", obj("counts", obj("all", opened+closed, "closed", closed, "opened", opened))))
}

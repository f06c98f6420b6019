package sim

import (
	"slices"
	"strings"
)

func commitHooks() map[string]hook {
	return map[string]hook{
		"GET /projects/{}/repository/commits":                   (*call).listCommits,
		"POST /projects/{}/repository/commits":                  (*call).createCommit,
		"GET /projects/{}/repository/commits/{}":                (*call).getCommit,
		"GET /projects/{}/repository/commits/{}/diff":           (*call).getCommitDiff,
		"GET /projects/{}/repository/commits/{}/refs":           (*call).listCommitRefs,
		"GET /projects/{}/repository/commits/{}/sequence":       (*call).getCommitSequence,
		"GET /projects/{}/repository/commits/{}/merge_requests": (*call).listCommitMergeRequests,
		"POST /projects/{}/repository/commits/{}/cherry_pick":   (*call).cherryPick,
		"POST /projects/{}/repository/commits/{}/revert":        (*call).revert,
		"GET /projects/{}/repository/commits/{}/comments":       (*call).listComments,
		"POST /projects/{}/repository/commits/{}/comments":      (*call).createComment,
		"GET /projects/{}/repository/commits/{}/statuses":       (*call).listStatuses,
	}
}

func (c *call) commitJSON(x *commit) *object {
	parents := []any{}
	for _, p := range x.parents {
		parents = append(parents, p.id)
	}
	when := stamp(x.when)
	return obj(
		"id", x.id, "short_id", x.short(), "created_at", when, "parent_ids", parents, "title", x.title(), "message", x.message,
		"author_name", x.author.name, "author_email", x.author.email, "authored_date", when,
		"committer_name", x.author.name, "committer_email", x.author.email, "committed_date", when,
		"trailers", obj(), "extended_trailers", obj(), "web_url", c.projectURL()+"/-/commit/"+x.id,
	)
}

func stats(x *commit) (o *object, plus, minus int) {
	for _, ch := range changes(x.parentTree(), x.tree) {
		_, p, m := unified(ch.before.content, ch.after.content)
		plus += p
		minus += m
	}
	return obj("additions", plus, "deletions", minus, "total", plus+minus), plus, minus
}

func (c *call) withStats(x *commit) *object {
	o := c.commitJSON(x)
	st, _, _ := stats(x)
	o.set("stats", st)
	return o
}

func (c *call) listCommits() (reply, error) {
	at, err := c.commitAt(c.query.str("ref_name"))
	if err != nil {
		return reply{}, err
	}
	var list []*object
	for _, x := range at.history() {
		when := stamp(x.when)
		if p := c.query.str("path"); p != "" && !x.touches(p) {
			continue
		}
		if a := c.query.str("author"); a != "" && !strings.Contains(x.author.name+" "+x.author.email, a) {
			continue
		}
		if since := c.query.str("since"); since != "" && when < since {
			continue
		}
		if until := c.query.str("until"); until != "" && when > until {
			continue
		}
		if c.query.str("with_stats") == "true" {
			list = append(list, c.withStats(x))
		} else {
			list = append(list, c.commitJSON(x))
		}
	}
	return c.listed(list)
}

func (c *call) theCommit() (*commit, error) { return c.commitAt(c.keys[4]) }

func (c *call) getCommit() (reply, error) {
	x, err := c.theCommit()
	if err != nil {
		return reply{}, err
	}
	o := c.withStats(x)
	var pipeline any
	status := any(nil)
	for _, p := range c.owner().at("pipelines").docs() {
		if p.str("sha") == x.id {
			pipeline, status = pipelineBrief(p), p.get("status")
		}
	}
	o.set("status", status)
	o.set("project_id", c.owner().doc.get("id"))
	o.set("last_pipeline", pipeline)
	return ok(o)
}

func (c *call) getCommitDiff() (reply, error) {
	x, err := c.theCommit()
	if err != nil {
		return reply{}, err
	}
	return c.page(diffsJSON(changes(x.parentTree(), x.tree)))
}

func (c *call) listCommitRefs() (reply, error) {
	x, err := c.theCommit()
	if err != nil {
		return reply{}, err
	}
	list := []any{}
	want := c.query.str("type")
	for kind, refs := range map[string][]*ref{"branch": c.repository().branches, "tag": c.repository().tags} {
		for _, r := range refs {
			if (want == "" || want == "all" || want == kind) && r.commit.contains(x) {
				list = append(list, obj("type", kind, "name", r.name))
			}
		}
	}
	slices.SortFunc(list, func(a, b any) int {
		return strings.Compare(a.(*object).str("type")+a.(*object).str("name"), b.(*object).str("type")+b.(*object).str("name"))
	})
	return c.page(list)
}

func (c *call) getCommitSequence() (reply, error) {
	x, err := c.theCommit()
	if err != nil {
		return reply{}, err
	}
	return ok(obj("count", len(x.history())))
}

func (c *call) listCommitMergeRequests() (reply, error) {
	x, err := c.theCommit()
	if err != nil {
		return reply{}, err
	}
	var list []*object
	for _, m := range c.owner().at("merge_requests").docs() {
		if m.str("merge_commit_sha") == x.id || m.str("sha") == x.id {
			list = append(list, m)
		}
	}
	return c.listed(list)
}

func (c *call) listComments() (reply, error) {
	x, err := c.theCommit()
	if err != nil {
		return reply{}, err
	}
	return c.listed(c.owner().at("repository", "commits", x.id, "comments").docs())
}

func (c *call) createComment() (reply, error) {
	x, err := c.theCommit()
	if err != nil {
		return reply{}, err
	}
	line := c.body.fields.get("line")
	o := obj(
		"note", c.in("note"), "path", c.body.fields.get("path"), "line", line, "line_type", c.body.fields.get("line_type"),
		"author", c.me(), "created_at", stamp(c.now()),
	)
	in := c.owner().open("repository", "commits", x.id, "comments")
	in.put(key(in.nextIID()), o)
	return created(o)
}

func (c *call) listStatuses() (reply, error) {
	x, err := c.theCommit()
	if err != nil {
		return reply{}, err
	}
	var list []*object
	for _, j := range c.owner().at("jobs").docs() {
		if j.sub("commit").str("id") == x.id {
			list = append(list, j.pick("id", "status", "name", "ref", "created_at", "started_at", "finished_at", "allow_failure"))
		}
	}
	return c.listed(list)
}

package sim

import (
	"encoding/base64"
	"maps"
	"path"
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

// author is who commits: the caller, or whom the request names.
func (c *call) author() person {
	u := c.user()
	p := person{u.str("name"), u.str("username") + "@example.com"}
	if n := c.in("author_name"); n != "" {
		p.name = n
	}
	if e := c.in("author_email"); e != "" {
		p.email = e
	}
	return p
}

// branchToWrite is the branch that a commit goes to and the commit it goes upon;
// a branch that does not exist starts where start_branch or start_sha says.
func (c *call) branchToWrite(name string) (*commit, error) {
	r := c.repository()
	b := r.branch(name)
	start := c.in("start_branch")
	if start == "" {
		start = c.in("start_sha")
	}
	switch {
	case b != nil && start != "" && start != name && c.in("force") != "true":
		return nil, &refusal{status: 400, text: "A branch called '" + name + "' already exists. Switch to that branch in order to make changes"}
	case b != nil && start == "":
		return b.commit, nil
	case start == "" && len(r.branches) == 0:
		return nil, nil // the first commit of an empty repository
	case start == "":
		return nil, &refusal{status: 400, text: "You can only create or edit files when you are on a branch"}
	}
	at := r.resolve(start)
	if at == nil {
		return nil, &refusal{status: 400, text: "Cannot find start_branch or start_sha " + start}
	}
	return at, nil
}

// commitTo adds a commit to a branch.
func (c *call) commitTo(branch string, parent *commit, t tree, message string) *commit {
	var parents []*commit
	if parent != nil {
		parents = append(parents, parent)
	}
	x := c.repository().commit(t, message, c.author(), c.now(), parents...)
	c.repository().setBranch(branch, x)
	c.event("pushed to", nil, branch)
	return x
}

func (c *call) createCommit() (reply, error) {
	branch := c.in("branch")
	parent, err := c.branchToWrite(branch)
	if err != nil {
		return reply{}, err
	}
	t := tree{}
	if parent != nil {
		t = maps.Clone(parent.tree)
	}
	for _, a := range c.body.fields.list("actions") {
		action, _ := a.(*object)
		if err := t.apply(action); err != nil {
			return reply{}, err
		}
	}
	return created(c.withStats(c.commitTo(branch, parent, t, c.in("commit_message"))))
}

// apply does one action of a commit to a tree.
func (t tree) apply(a *object) error {
	p := strings.Trim(a.str("file_path"), "/")
	old, exists := t[p]
	content, err := contentOf(a)
	if err != nil {
		return err
	}
	bad := func(text string) error { return &refusal{status: 400, text: text} }
	if p == "" || path.Clean(p) != p {
		return bad("You must provide a valid file path")
	}
	switch a.str("action") {
	case "create":
		if exists {
			return bad("A file with this name already exists")
		}
		t[p] = file{content, a.is("execute_filemode")}
	case "update":
		if !exists {
			return bad("A file with this name doesn't exist")
		}
		t[p] = file{content, old.executable}
	case "delete":
		if !exists {
			return bad("A file with this name doesn't exist")
		}
		delete(t, p)
	case "move":
		from, ok := t[a.str("previous_path")]
		if !ok {
			return bad("A file with this name doesn't exist")
		}
		if exists {
			return bad("A file with this name already exists")
		}
		delete(t, a.str("previous_path"))
		if a.has("content") {
			from.content = content
		}
		t[p] = from
	case "chmod":
		if !exists {
			return bad("A file with this name doesn't exist")
		}
		old.executable = a.is("execute_filemode")
		t[p] = old
	}
	return nil
}

// contentOf is the content that a file or an action carries.
func contentOf(o *object) (string, error) {
	content := o.str("content")
	if o.str("encoding") != "base64" {
		return content, nil
	}
	b, err := base64.StdEncoding.DecodeString(content)
	if err != nil {
		return "", badRequest("content is invalid: it is no base64")
	}
	return string(b), nil
}

func (c *call) cherryPick() (reply, error) {
	return c.replay(false, func(x *commit) string { return x.message + "\n\n(cherry picked from commit " + x.id + ")" })
}

func (c *call) revert() (reply, error) {
	return c.replay(true, func(x *commit) string { return `Revert "` + x.title() + "\"\n\nThis reverts commit " + x.id })
}

// replay does what a commit did, or the opposite, on another branch.
func (c *call) replay(backwards bool, message func(*commit) string) (reply, error) {
	x, err := c.theCommit()
	if err != nil {
		return reply{}, err
	}
	branch := c.repository().branch(c.in("branch"))
	if branch == nil {
		return reply{}, notFound("Branch")
	}
	from, to := x.parentTree(), x.tree
	if backwards {
		from, to = to, from
	}
	t := maps.Clone(branch.commit.tree)
	for _, ch := range changes(from, to) {
		now, exists := t[ch.oldPath]
		if exists != !ch.added || exists && now != ch.before {
			return reply{}, &refusal{status: 400, text: "Sorry, the change could not be applied to " + branch.name + ": " + ch.newPath + " differs", more: obj("error_code", "conflict")}
		}
		delete(t, ch.oldPath)
		if !ch.deleted {
			t[ch.newPath] = ch.after
		}
	}
	if c.in("dry_run") == "true" {
		return ok(obj("dry_run", "success"))
	}
	return created(c.commitJSON(c.commitTo(branch.name, branch.commit, t, message(x))))
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

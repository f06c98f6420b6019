package sim

import (
	"encoding/base64"
	"maps"
	"path"
	"strings"
)

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

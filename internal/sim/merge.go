package sim

import (
	"maps"
	"slices"
	"strings"
)

// mergeTrees puts what theirs changed since base upon ours, and names the paths that both changed differently.
func mergeTrees(base, ours, theirs tree) (tree, []string) {
	out := maps.Clone(ours)
	var conflicts []string
	for _, ch := range changes(base, theirs) {
		for _, p := range sortedSet([]string{ch.oldPath, ch.newPath}) {
			b, inBase := base[p]
			o, inOurs := ours[p]
			t, inTheirs := theirs[p]
			switch {
			case inOurs == inTheirs && o == t:
			case inOurs == inBase && o == b:
				delete(out, p)
				if inTheirs {
					out[p] = t
				}
			default:
				conflicts = append(conflicts, p)
			}
		}
	}
	return out, conflicts
}

// accept merges: the target branch gets a commit with the source's changes.
func (c *call) accept() (reply, error) {
	p, m := c.owner(), c.item().doc
	c.refresh(p, m)
	source, target := p.repo.branch(m.str("source_branch")), p.repo.branch(m.str("target_branch"))
	switch {
	case m.str("state") != "opened" || m.is("draft") || source == nil || target == nil:
		return reply{}, &refusal{status: 405, text: "405 Method Not Allowed"}
	case m.is("has_conflicts"):
		return reply{}, &refusal{status: 422, text: "Branch cannot be merged"}
	case c.in("sha") != "" && c.in("sha") != source.commit.id:
		return reply{}, conflict("SHA does not match HEAD of source branch: " + source.commit.id)
	case c.in("auto_merge") == "true" || c.in("merge_when_pipeline_succeeds") == "true":
		if m.sub("head_pipeline").str("status") == "running" {
			m.set("merge_when_pipeline_succeeds", true)
			return ok(m)
		}
	}
	base := mergeBase(source.commit, target.commit)
	if base == nil {
		return reply{}, &refusal{status: 422, text: "Branch cannot be merged"}
	}
	t, _ := mergeTrees(base.tree, target.commit.tree, source.commit.tree)
	message := c.in("merge_commit_message")
	if message == "" {
		message = "Merge branch '" + source.name + "' into '" + target.name + "'\n\n" + m.str("title") + "\n\nSee merge request " + m.sub("references").str("full")
	}
	parents := []*commit{target.commit, source.commit}
	if c.in("squash") == "true" || m.is("squash") && !c.body.fields.has("squash") {
		squashed := p.repo.commit(t, m.str("title"), c.author(), c.now(), target.commit)
		m.set("squash_commit_sha", squashed.id)
		parents = []*commit{target.commit, squashed}
	}
	x := p.repo.commit(t, message, c.author(), c.now(), parents...)
	target.commit = x
	m.set("state", "merged")
	m.set("merge_commit_sha", x.id)
	m.set("merged_by", c.me())
	m.set("merge_user", c.me())
	m.set("merged_at", stamp(c.now()))
	m.set("updated_at", stamp(c.now()))
	m.set("detailed_merge_status", "not_open")
	if c.in("should_remove_source_branch") == "true" {
		m.set("should_remove_source_branch", true)
		p.repo.branches = slices.DeleteFunc(p.repo.branches, func(b *ref) bool { return b == source })
	}
	for _, i := range c.closedBy(m) {
		c.closeItem(i)
	}
	c.event("accepted", m, "MergeRequest")
	return ok(m)
}

// rebase puts the source branch's changes upon the head of the target branch.
func (c *call) rebase() (reply, error) {
	p, m := c.owner(), c.item().doc
	source, target := p.repo.branch(m.str("source_branch")), p.repo.branch(m.str("target_branch"))
	if m.str("state") != "opened" || source == nil || target == nil {
		return reply{}, forbidden("the merge request cannot be rebased")
	}
	base := mergeBase(source.commit, target.commit)
	if base == nil {
		return reply{}, forbidden("the branches have no common past")
	}
	t, conflicts := mergeTrees(base.tree, target.commit.tree, source.commit.tree)
	if len(conflicts) > 0 {
		m.set("merge_error", "Rebase failed: resolve all conflicts in "+strings.Join(conflicts, ", "))
	} else if base != target.commit {
		source.commit = p.repo.commit(t, source.commit.message, source.commit.author, c.now(), target.commit)
		c.refresh(p, m)
	}
	return accepted(obj("rebase_in_progress", true))
}

// closedBy are the issues that a merge request closes: "Closes #4".
func (c *call) closedBy(m *object) []*object {
	var list []*object
	said := strings.ToLower(m.str("title") + "\n" + m.str("description"))
	for _, i := range c.owner().at("issues").docs() {
		for _, word := range [...]string{"closes", "fixes", "resolves"} {
			if mentions(said, word+" #"+i.str("iid")) {
				list = append(list, i)
				break
			}
		}
	}
	return list
}

func (c *call) listClosedIssues() (reply, error) { return c.listed(c.closedBy(c.item().doc)) }

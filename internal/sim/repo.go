package sim

import (
	"cmp"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// repo is a Git repository as far as the API shows one: commits with whole trees,
// branches and tags. Commits and trees never change once they are made.
type repo struct {
	main     string // default branch
	branches []*ref // by name
	tags     []*ref // by name
	commits  map[string]*commit
}

// ref is a branch or a tag.
type ref struct {
	name    string
	commit  *commit
	message string // of an annotated tag
}

type commit struct {
	id      string
	parents []*commit
	author  person
	message string
	when    time.Time
	tree    tree
}

type person struct{ name, email string }

// tree is the content of all files by path.
type tree map[string]file

type file struct {
	content    string
	executable bool
}

func (f file) mode() string {
	if f.executable {
		return "100755"
	}
	return "100644"
}

// blobID is Git's name of a content.
func blobID(content string) string {
	sum := sha1.Sum([]byte(fmt.Sprintf("blob %d\x00%s", len(content), content)))
	return hex.EncodeToString(sum[:])
}

// treeID is a name of a folder's content, different for different contents.
func (t tree) treeID(folder string) string {
	h := sha1.New()
	for _, p := range slices.Sorted(maps.Keys(t)) {
		if strings.HasPrefix(p, folder) {
			fmt.Fprintf(h, "%s %s %s\n", t[p].mode(), blobID(t[p].content), p)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

func newRepo(main string) *repo { return &repo{main: main, commits: map[string]*commit{}} }

func findRef(refs []*ref, name string) *ref {
	if i := slices.IndexFunc(refs, func(r *ref) bool { return r.name == name }); i >= 0 {
		return refs[i]
	}
	return nil
}

func (r *repo) branch(name string) *ref { return findRef(r.branches, name) }
func (r *repo) tag(name string) *ref    { return findRef(r.tags, name) }

func addRef(refs []*ref, n *ref) []*ref {
	refs = append(refs, n)
	slices.SortFunc(refs, func(a, b *ref) int { return cmp.Compare(a.name, b.name) })
	return refs
}

func (r *repo) setBranch(name string, at *commit) *ref {
	if b := r.branch(name); b != nil {
		b.commit = at
		return b
	}
	b := &ref{name: name, commit: at}
	r.branches = addRef(r.branches, b)
	return b
}

// resolve finds what a branch, tag, commit id or the beginning of one names.
func (r *repo) resolve(name string) *commit {
	if name == "" || name == "HEAD" {
		name = r.main
	}
	name = strings.TrimPrefix(strings.TrimPrefix(name, "refs/heads/"), "refs/tags/")
	if b := r.branch(name); b != nil {
		return b.commit
	}
	if t := r.tag(name); t != nil {
		return t.commit
	}
	if len(name) < 7 {
		return nil
	}
	if c := r.commits[name]; c != nil {
		return c
	}
	for _, id := range slices.Sorted(maps.Keys(r.commits)) {
		if strings.HasPrefix(id, name) {
			return r.commits[id]
		}
	}
	return nil
}

// commit makes a commit; it belongs to no branch yet.
func (r *repo) commit(t tree, message string, author person, when time.Time, parents ...*commit) *commit {
	h := sha1.New()
	fmt.Fprintf(h, "%s\n%s <%s>\n%s\n%s\n", t.treeID(""), author.name, author.email, stamp(when), message)
	for _, p := range parents {
		fmt.Fprintln(h, p.id)
	}
	c := &commit{id: hex.EncodeToString(h.Sum(nil)), parents: parents, author: author, message: message, when: when, tree: t}
	r.commits[c.id] = c
	return c
}

// history is c and everything before it, youngest first.
func (c *commit) history() []*commit {
	seen := map[*commit]bool{}
	var out []*commit
	var visit func(*commit)
	visit = func(c *commit) {
		if seen[c] {
			return
		}
		seen[c] = true
		for _, p := range c.parents {
			visit(p)
		}
		out = append(out, c)
	}
	visit(c)
	slices.Reverse(out)
	slices.SortStableFunc(out, func(a, b *commit) int { return b.when.Compare(a.when) })
	return out
}

// contains is true if a is c or before it.
func (c *commit) contains(a *commit) bool { return slices.Contains(c.history(), a) }

// mergeBase is the youngest commit that both come from, nil if there is none.
func mergeBase(a, b *commit) *commit {
	theirs := b.history()
	for _, c := range a.history() {
		if slices.Contains(theirs, c) {
			return c
		}
	}
	return nil
}

// since are the commits of head that base does not have, youngest first.
func since(base, head *commit) []*commit {
	old := base.history()
	return slices.DeleteFunc(head.history(), func(c *commit) bool { return slices.Contains(old, c) })
}

func (c *commit) title() string {
	title, _, _ := strings.Cut(c.message, "\n")
	return title
}

func (c *commit) short() string { return c.id[:8] }

// parentTree is the tree that a commit changed.
func (c *commit) parentTree() tree {
	if len(c.parents) == 0 {
		return nil
	}
	return c.parents[0].tree
}

// touches is true if a commit changed a path or something below it.
func (c *commit) touches(path string) bool {
	for _, ch := range changes(c.parentTree(), c.tree) {
		for _, p := range [...]string{ch.oldPath, ch.newPath} {
			if p == path || strings.HasPrefix(p, path+"/") {
				return true
			}
		}
	}
	return false
}

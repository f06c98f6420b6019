package sim

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"maps"
	"path"
	"slices"
	"strings"
)

func repositoryHooks() map[string]hook {
	return map[string]hook{
		"GET /projects/{}/repository/tree":           (*call).listTree,
		"GET /projects/{}/repository/compare":        (*call).compare,
		"GET /projects/{}/repository/merge_base":     (*call).getMergeBase,
		"GET /projects/{}/repository/contributors":   (*call).listContributors,
		"GET /projects/{}/repository/blobs/{}":       (*call).getBlob,
		"GET /projects/{}/repository/blobs/{}/raw":   (*call).getRawBlob,
		"GET /projects/{}/repository/archive":        (*call).getArchive,
		"GET /projects/{}/repository/files/{}/raw":   (*call).getRawFile,
		"GET /projects/{}/repository/files/{}/blame": (*call).getBlame,
	}
}

// owner is the project or group that the path names.
func (c *call) owner() *node { return c.data.at(c.keys[0], c.keys[1]) }

// repository is the project's repository.
func (c *call) repository() *repo {
	p := c.owner()
	if p.repo == nil {
		p.repo = newRepo("main")
	}
	return p.repo
}

// commitAt is what a ref names; the default branch if it is empty.
func (c *call) commitAt(name string) (*commit, error) {
	if at := c.repository().resolve(name); at != nil {
		return at, nil
	}
	if b := c.inventBranch(name); b != nil {
		return b.commit, nil
	}
	return nil, notFound("Commit")
}

// inventBranch makes up a branch that is asked for, in a simulation that does so.
func (c *call) inventBranch(name string) *ref {
	r := c.repository()
	if !c.opts.Invent || name == "" {
		return nil
	}
	at := r.resolve("")
	if at == nil {
		at = r.commit(tree{"README.md": {content: "# Invented\n"}}, "Initial commit", c.author(), c.now())
	}
	return r.setBranch(name, at)
}

func (c *call) listTree() (reply, error) {
	at := c.repository().resolve(c.query.str("ref"))
	folder := strings.Trim(c.query.str("path"), "/")
	if at == nil {
		return reply{}, notFound("Tree")
	}
	recursive := c.query.str("recursive") == "true"
	var folders, files []any
	seen := map[string]bool{}
	for _, p := range slices.Sorted(maps.Keys(at.tree)) {
		inside := p
		if folder != "" {
			rest, ok := strings.CutPrefix(p, folder+"/")
			if !ok {
				continue
			}
			inside = rest
		}
		for i := range inside {
			if inside[i] != '/' {
				continue
			}
			dir := strings.TrimPrefix(folder+"/"+inside[:i], "/")
			if !seen[dir] {
				seen[dir] = true
				folders = append(folders, obj("id", at.tree.treeID(dir+"/"), "name", path.Base(dir), "type", "tree", "path", dir, "mode", "040000"))
			}
			if !recursive {
				break
			}
		}
		if recursive || !strings.Contains(inside, "/") {
			f := at.tree[p]
			files = append(files, obj("id", blobID(f.content), "name", path.Base(p), "type", "blob", "path", p, "mode", f.mode()))
		}
	}
	if len(folders)+len(files) == 0 && folder != "" {
		return reply{}, notFound("Tree")
	}
	return c.page(append(append([]any{}, folders...), files...))
}

func (c *call) compare() (reply, error) {
	from, err := c.commitAt(c.query.str("from"))
	if err != nil {
		return reply{}, err
	}
	to, err := c.commitAt(c.query.str("to"))
	if err != nil {
		return reply{}, err
	}
	base := from
	if c.query.str("straight") != "true" {
		if base = mergeBase(from, to); base == nil {
			return reply{}, notFound("Merge Base")
		}
	}
	list := []any{}
	for _, x := range slices.Backward(since(base, to)) {
		list = append(list, c.commitJSON(x))
	}
	var youngest any
	if len(list) > 0 {
		youngest = list[len(list)-1]
	}
	return ok(obj(
		"commit", youngest, "commits", list, "diffs", diffsJSON(changes(base.tree, to.tree)),
		"compare_timeout", false, "compare_same_ref", from == to,
		"web_url", c.projectURL()+"/-/compare/"+from.id+"..."+to.id,
	))
}

func (c *call) getMergeBase() (reply, error) {
	var base *commit
	for _, name := range texts(c.query.get("refs")) {
		at, err := c.commitAt(name)
		if err != nil {
			return reply{}, err
		}
		if base == nil {
			base = at
		} else if base = mergeBase(base, at); base == nil {
			return reply{}, notFound("Merge Base")
		}
	}
	if base == nil {
		return reply{}, notFound("Merge Base")
	}
	return ok(c.commitJSON(base))
}

func (c *call) listContributors() (reply, error) {
	at, err := c.commitAt(c.query.str("ref"))
	if err != nil {
		return reply{}, err
	}
	var list []*object
	for _, x := range at.history() {
		_, plus, minus := stats(x)
		i := slices.IndexFunc(list, func(o *object) bool { return o.str("email") == x.author.email })
		if i < 0 {
			i = len(list)
			list = append(list, obj("name", x.author.name, "email", x.author.email, "commits", 0, "additions", 0, "deletions", 0))
		}
		list[i].set("commits", list[i].num("commits")+1)
		list[i].set("additions", list[i].num("additions")+int64(plus))
		list[i].set("deletions", list[i].num("deletions")+int64(minus))
	}
	return c.listed(list)
}

func (c *call) blob() (string, error) {
	for _, x := range c.repository().commits {
		for _, f := range x.tree {
			if blobID(f.content) == c.keys[4] {
				return f.content, nil
			}
		}
	}
	if c.opts.Invent {
		return "invented\n", nil
	}
	return "", notFound("Blob")
}

func (c *call) getBlob() (reply, error) {
	content, err := c.blob()
	if err != nil {
		return reply{}, err
	}
	return ok(obj("size", len(content), "encoding", "base64", "content", base64.StdEncoding.EncodeToString([]byte(content)), "sha", c.keys[4]))
}

func (c *call) getRawBlob() (reply, error) {
	content, err := c.blob()
	if err != nil {
		return reply{}, err
	}
	return rawText([]byte(content))
}

// getArchive packs all files of a commit, as tar.gz unless zip is asked for.
func (c *call) getArchive() (reply, error) {
	at, err := c.commitAt(c.query.str("sha"))
	if err != nil {
		return reply{}, err
	}
	name := c.owner().doc.str("path") + "-" + at.short()
	under := strings.Trim(c.query.str("path"), "/")
	var buf bytes.Buffer
	if c.path["format"] == "zip" {
		z := zip.NewWriter(&buf)
		for _, p := range at.tree.under(under) {
			w, err := z.Create(name + "/" + p)
			if err != nil {
				return reply{}, err
			}
			if _, err := w.Write([]byte(at.tree[p].content)); err != nil {
				return reply{}, err
			}
		}
		if err := z.Close(); err != nil {
			return reply{}, err
		}
		return download(name+".zip", "application/zip", buf.Bytes())
	}
	g := gzip.NewWriter(&buf)
	t := tar.NewWriter(g)
	for _, p := range at.tree.under(under) {
		content := at.tree[p].content
		if err := t.WriteHeader(&tar.Header{Name: name + "/" + p, Mode: 0o644, Size: int64(len(content)), ModTime: at.when}); err != nil {
			return reply{}, err
		}
		if _, err := t.Write([]byte(content)); err != nil {
			return reply{}, err
		}
	}
	if err := t.Close(); err != nil {
		return reply{}, err
	}
	if err := g.Close(); err != nil {
		return reply{}, err
	}
	return download(name+".tar.gz", "application/gzip", buf.Bytes())
}

// under are the sorted paths of a folder's files; of all if it is empty.
func (t tree) under(folder string) []string {
	var out []string
	for _, p := range slices.Sorted(maps.Keys(t)) {
		if folder == "" || p == folder || strings.HasPrefix(p, folder+"/") {
			out = append(out, p)
		}
	}
	return out
}

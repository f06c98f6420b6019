package sim

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"maps"
	"net/http"
	"path"
	"strconv"
)

func fileHooks() map[string]hook {
	return map[string]hook{
		"GET /projects/{}/repository/files/{}":        (*call).getFile,
		"HEAD /projects/{}/repository/files/{}":       (*call).headFile,
		"HEAD /projects/{}/repository/files/{}/raw":   (*call).headFile,
		"HEAD /projects/{}/repository/files/{}/blame": (*call).headFile,
		"POST /projects/{}/repository/files/{}":       (*call).createFile,
		"PUT /projects/{}/repository/files/{}":        (*call).updateFile,
		"DELETE /projects/{}/repository/files/{}":     (*call).deleteFile,
	}
}

// found is a file of a commit.
type foundFile struct {
	file
	path string
	ref  string
	at   *commit
}

func (c *call) theFile() (foundFile, error) {
	ref := c.query.str("ref")
	if ref == "" || ref == "HEAD" {
		ref = c.repository().main
	}
	at, err := c.commitAt(ref)
	if err != nil {
		return foundFile{}, err
	}
	f, ok := at.tree[c.keys[4]]
	switch {
	case !ok && c.opts.Invent:
		f = file{content: "invented\n"}
	case !ok:
		return foundFile{}, notFound("File")
	}
	return foundFile{f, c.keys[4], ref, at}, nil
}

// lastChange is the youngest commit that touched the file.
func (f foundFile) lastChange() *commit {
	for _, x := range f.at.history() {
		if x.touches(f.path) {
			return x
		}
	}
	return f.at
}

func (f foundFile) json() *object {
	sum := sha256.Sum256([]byte(f.content))
	return obj(
		"file_name", path.Base(f.path), "file_path", f.path, "size", len(f.content), "encoding", "base64",
		"content_sha256", hex.EncodeToString(sum[:]), "ref", f.ref, "blob_id", blobID(f.content),
		"commit_id", f.at.id, "last_commit_id", f.lastChange().id, "execute_filemode", f.executable,
		"content", base64.StdEncoding.EncodeToString([]byte(f.content)),
	)
}

func (c *call) getFile() (reply, error) {
	f, err := c.theFile()
	if err != nil {
		return reply{}, err
	}
	return ok(f.json())
}

// headFile is the file's metadata as headers.
func (c *call) headFile() (reply, error) {
	f, err := c.theFile()
	if err != nil {
		return reply{}, err
	}
	h := http.Header{}
	for name, field := range map[string]string{
		"X-Gitlab-File-Name": "file_name", "X-Gitlab-File-Path": "file_path", "X-Gitlab-Size": "size",
		"X-Gitlab-Encoding": "encoding", "X-Gitlab-Content-Sha256": "content_sha256", "X-Gitlab-Ref": "ref",
		"X-Gitlab-Blob-Id": "blob_id", "X-Gitlab-Commit-Id": "commit_id", "X-Gitlab-Last-Commit-Id": "last_commit_id",
		"X-Gitlab-Execute-Filemode": "execute_filemode",
	} {
		h.Set(name, f.json().str(field))
	}
	return reply{status: http.StatusOK, header: h}, nil
}

func (c *call) getRawFile() (reply, error) {
	f, err := c.theFile()
	if err != nil {
		return reply{}, err
	}
	return rawText([]byte(f.content))
}

func (c *call) getBlame() (reply, error) {
	f, err := c.theFile()
	if err != nil {
		return reply{}, err
	}
	lines, from := f.at.blame(f.path)
	first, last := 1, len(lines)
	if r := c.query.sub("range"); r != nil {
		first, _ = strconv.Atoi(r.str("start"))
		last, _ = strconv.Atoi(r.str("end"))
		if first < 1 || last < first || first > len(lines) {
			return reply{}, badRequest("range is invalid: the file has %d lines", len(lines))
		}
		last = min(last, len(lines))
	}
	list := []any{}
	var run *object
	var of *commit
	for i := first - 1; i < last; i++ {
		if from[i] != of {
			of = from[i]
			run = obj("commit", c.commitJSON(of).pick("id", "parent_ids", "message", "authored_date", "author_name", "author_email",
				"committed_date", "committer_name", "committer_email"), "lines", []any{})
			list = append(list, run)
		}
		line := lines[i]
		if n := len(line); n > 0 && line[n-1] == '\n' {
			line = line[:n-1]
		}
		run.set("lines", append(run.list("lines"), line))
	}
	return ok(list)
}

// writeFile makes a commit out of one action on one file.
func (c *call) writeFile(action string) error {
	branch := c.in("branch")
	parent, err := c.branchToWrite(branch)
	if err != nil {
		return err
	}
	t := tree{}
	if parent != nil {
		t = maps.Clone(parent.tree)
	}
	if last := c.in("last_commit_id"); last != "" && parent != nil {
		f := foundFile{t[c.keys[4]], c.keys[4], branch, parent}
		if f.lastChange().id != last {
			return &refusal{status: 400, text: "You are attempting to update a file that has changed since you started editing it."}
		}
	}
	a := c.body.fields.clone()
	a.set("action", action)
	a.set("file_path", c.keys[4])
	if err := t.apply(a); err != nil {
		return err
	}
	c.commitTo(branch, parent, t, c.in("commit_message"))
	return nil
}

func (c *call) createFile() (reply, error) {
	if err := c.writeFile("create"); err != nil {
		return reply{}, err
	}
	return created(obj("file_path", c.keys[4], "branch", c.in("branch")))
}

func (c *call) updateFile() (reply, error) {
	if err := c.writeFile("update"); err != nil {
		return reply{}, err
	}
	return ok(obj("file_path", c.keys[4], "branch", c.in("branch")))
}

func (c *call) deleteFile() (reply, error) {
	if err := c.writeFile("delete"); err != nil {
		return reply{}, err
	}
	return noContent()
}

package sim

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

func artifactHooks() map[string]hook {
	base := "/projects/{}/jobs"
	return map[string]hook{
		"GET " + base + "/{}/artifacts":          (*call).getArtifacts,
		"DELETE " + base + "/{}/artifacts":       (*call).deleteArtifacts,
		"POST " + base + "/{}/artifacts/keep":    (*call).keepArtifacts,
		"GET " + base + "/{}/artifacts/tree":     (*call).listArtifactFiles,
		"GET " + base + "/{}/artifacts/{}":       (*call).getArtifactFile,
		"GET " + base + "/artifacts/{}/download": (*call).getArtifactsByRef,
		"GET " + base + "/artifacts/{}/raw/{}":   (*call).getArtifactFileByRef,
	}
}

// pack makes a zip of files, given as names and contents in turn.
func pack(files ...string) []byte {
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for i := 0; i+1 < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err == nil {
			_, err = io.WriteString(w, files[i+1])
		}
		if err != nil {
			panic(fmt.Sprintf("sim: zip into memory: %v", err))
		}
	}
	if err := z.Close(); err != nil {
		panic(fmt.Sprintf("sim: zip into memory: %v", err))
	}
	return buf.Bytes()
}

// attach gives a job an archive of artifacts.
func (s *Sim) attach(p *node, j *object, archive []byte) {
	n := p.at("jobs", j.str("id"))
	n.open("artifacts").blob = archive
	j.set("artifacts_file", obj("filename", "artifacts.zip", "size", len(archive)))
	j.set("artifacts", []any{
		obj("file_type", "archive", "size", len(archive), "filename", "artifacts.zip", "file_format", "zip"),
		obj("file_type", "trace", "size", len(n.blob), "filename", "job.log", "file_format", "raw"),
	})
	j.set("artifacts_expire_at", stamp(s.now().AddDate(0, 1, 0)))
}

// archiveOf is a job's archive, nil if it has none.
func archiveOf(job *node) []byte {
	if a := job.at("artifacts"); a != nil {
		return a.blob
	}
	return nil
}

func (c *call) archive() ([]byte, error) {
	if b := archiveOf(c.item()); b != nil {
		return b, nil
	}
	if c.opts.Invent {
		return pack("simulated.txt", "an invented artifact\n"), nil
	}
	return nil, notFound("Artifacts")
}

func (c *call) getArtifacts() (reply, error) {
	b, err := c.archive()
	if err != nil {
		return reply{}, err
	}
	return download("artifacts.zip", "application/zip", b)
}

// archiveByRef is the archive of the youngest good job with a name on a branch.
func (c *call) archiveByRef(refName, job string) ([]byte, error) {
	for _, j := range slices.Backward(c.owner().at("jobs").allKids()) {
		if j.doc != nil && j.doc.str("ref") == refName && j.doc.str("name") == job && j.doc.str("status") == "success" {
			if b := archiveOf(j); b != nil {
				return b, nil
			}
		}
	}
	if c.opts.Invent {
		return pack("simulated.txt", "an invented artifact\n"), nil
	}
	return nil, notFound("Artifacts")
}

func (c *call) getArtifactsByRef() (reply, error) {
	b, err := c.archiveByRef(c.keys[4], c.query.str("job"))
	if err != nil {
		return reply{}, err
	}
	return download("artifacts.zip", "application/zip", b)
}

func (c *call) deleteArtifacts() (reply, error) {
	if a := c.item().at("artifacts"); a != nil {
		a.remove()
	}
	c.item().doc.set("artifacts", []any{})
	c.item().doc.del("artifacts_file")
	return noContent()
}

func (c *call) keepArtifacts() (reply, error) {
	c.item().doc.set("artifacts_expire_at", nil)
	return ok(c.item().doc)
}

func (c *call) listArtifactFiles() (reply, error) {
	b, err := c.archive()
	if err != nil {
		return reply{}, err
	}
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return reply{}, err
	}
	under := strings.Trim(c.query.str("path"), "/")
	list := []any{}
	for _, f := range z.File {
		if under == "" || strings.HasPrefix(f.Name, under+"/") {
			list = append(list, obj("name", path.Base(f.Name), "path", f.Name, "type", "file", "size", int64(f.UncompressedSize64), "mode", "100644"))
		}
	}
	return c.page(list)
}

func (c *call) getArtifactFile() (reply, error) {
	b, err := c.archive()
	if err != nil {
		return reply{}, err
	}
	return unpacked(b, c.keys[5], c.opts.Invent)
}

func (c *call) getArtifactFileByRef() (reply, error) {
	b, err := c.archiveByRef(c.keys[4], c.query.str("job"))
	if err != nil {
		return reply{}, err
	}
	return unpacked(b, c.keys[6], c.opts.Invent)
}

// unpacked answers with one file of an archive.
func unpacked(archive []byte, name string, invent bool) (reply, error) {
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return reply{}, err
	}
	f, err := z.Open(name)
	if err != nil {
		if invent {
			return download(path.Base(name), "application/octet-stream", []byte("invented\n"))
		}
		return reply{}, notFound("Artifact")
	}
	defer f.Close()
	content, err := io.ReadAll(f)
	if err != nil {
		return reply{}, err
	}
	return download(path.Base(name), "application/octet-stream", content)
}

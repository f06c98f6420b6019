package call

import (
	"crypto/rand"
	"fmt"
	"io"
	"mime"
	"path/filepath"
	"strings"
)

// Part is one part of a form, or the file that is the whole body.
type Part struct {
	Name        string
	File        bool
	Filename    string // as the caller gave it; see FormName
	ContentType string
	Content     []byte // of the file, or the field's text
	Path        string // of the file on disk in place of Content
}

const octetStream = "application/octet-stream"

// FormName is the file name that a form gives to the part: that of the caller,
// else of the path, else "file"; never with a directory or control characters.
func (p *Part) FormName() string {
	name := p.Filename
	if name == "" && p.Path != "" {
		name = filepath.Base(p.Path)
	}
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	name = strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return -1
		}
		return c
	}, strings.ToValidUTF8(name, "\uFFFD"))
	if name == "" || dots(name) {
		return "file"
	}
	return name
}

// formType is the media type of a file: the caller's, else by the name.
func (p *Part) formType() string {
	if p.ContentType != "" && !strings.ContainsAny(p.ContentType, "\r\n\x00") {
		return p.ContentType
	}
	if t := mime.TypeByExtension(filepath.Ext(p.FormName())); t != "" {
		return t
	}
	return octetStream
}

// formBoundary separates the parts of the form. It is random, so that no file's
// content can hold it and smuggle in fields of its own.
func (q *Request) formBoundary() string {
	if q.boundary == "" {
		q.boundary = "form-" + rand.Text()
	}
	return q.boundary
}

// WriteForm writes the parts of a form to w, one after the other, the same
// bytes at every call. open opens a file by its path; it is the caller's to
// check that the path is allowed. Files by path are copied through a small buffer.
func (q *Request) WriteForm(w io.Writer, open func(path string) (io.ReadCloser, error)) error {
	parts := q.Parts()
	for i := range parts {
		if err := q.writePart(w, &parts[i], open); err != nil {
			return fmt.Errorf("form field %s: %w", parts[i].Name, err)
		}
	}
	_, err := io.WriteString(w, "--"+q.formBoundary()+"--\r\n")
	return err
}

// quoteEscape makes v fit between the quotes of a header, as browsers do.
func quoteEscape(v string) string {
	if !strings.ContainsAny(v, "\"\r\n") {
		return v
	}
	return strings.NewReplacer(`"`, "%22", "\r", "%0D", "\n", "%0A").Replace(v)
}

func (q *Request) writePart(w io.Writer, p *Part, open func(string) (io.ReadCloser, error)) error {
	head := "--" + q.formBoundary() + "\r\nContent-Disposition: form-data; name=\"" + quoteEscape(p.Name) + `"`
	if p.File {
		head += `; filename="` + quoteEscape(p.FormName()) + "\"\r\nContent-Type: " + p.formType()
	}
	if _, err := io.WriteString(w, head+"\r\n\r\n"); err != nil {
		return err
	}
	if err := writeContent(w, p, open); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\r\n")
	return err
}

func writeContent(w io.Writer, p *Part, open func(string) (io.ReadCloser, error)) (err error) {
	if p.Path == "" {
		_, err = w.Write(p.Content)
		return err
	}
	f, err := open(p.Path)
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	_, err = io.Copy(w, f)
	return err
}

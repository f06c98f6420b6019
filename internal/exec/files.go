package exec

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"gitlab-mcp-server/internal/gitlab"
)

// Files says where files may be read and written. The zero value allows
// neither. Directories are absolute.
type Files struct {
	UploadDirs  []string
	DownloadDir string
}

// errNoUploads is the answer to a path where no directory is allowed.
var errNoUploads = errors.New("content in place of path: this server may not read files (GITLAB_UPLOAD_DIRS is not set)")

// Open opens a regular file inside one of the upload directories. Symbolic links are
// resolved first, and those that lead outside are refused.
func (f *Files) Open(path string) (gitlab.File, error) {
	if len(f.UploadDirs) == 0 {
		return nil, errNoUploads
	}
	outside := fmt.Errorf("a file inside of %s", strings.Join(f.UploadDirs, ", "))
	for _, dir := range f.UploadDirs {
		root, err := filepath.EvalSymlinks(dir)
		if err != nil {
			continue
		}
		full := path
		if !filepath.IsAbs(full) {
			full = filepath.Join(dir, path)
		}
		real, err := filepath.EvalSymlinks(full)
		if err != nil {
			continue
		}
		rel, err := filepath.Rel(root, real)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		// Opened through the directory, so that a link put in between cannot
		// lead outside.
		file, err := os.OpenInRoot(root, rel)
		if err != nil {
			return nil, errors.New("a file that can be read: " + reason(err))
		}
		info, err := file.Stat()
		if err == nil && !info.Mode().IsRegular() {
			err = errors.New("not a regular file")
		}
		if err != nil {
			file.Close()
			return nil, errors.New("a regular file: " + reason(err))
		}
		return sized{file, info.Size()}, nil
	}
	return nil, outside
}

// check reports whether Open would open the path.
func (f *Files) check(path string) error {
	file, err := f.Open(path)
	if err != nil {
		return err
	}
	return file.Close()
}

// reason is err without the path that package os puts into it.
func reason(err error) string {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

type sized struct {
	*os.File
	size int64
}

func (s sized) Size() int64 { return s.size }

// download is an answer on its way into a file: a temporary one that gets its
// name when it is whole.
type download struct {
	files *Files
	path  string // of the request, for the name where the answer gives none
	tmp   *os.File
}

// open gives an empty temporary file, also for a further attempt.
func (d *download) open(http.Header) (io.Writer, error) {
	if d.tmp != nil {
		if err := d.tmp.Truncate(0); err != nil {
			return nil, fmt.Errorf("empty the temporary file: %w", err)
		}
		_, err := d.tmp.Seek(0, io.SeekStart)
		return d.tmp, err
	}
	tmp, err := os.CreateTemp(d.files.DownloadDir, ".download-*")
	if err != nil {
		return nil, fmt.Errorf("create a file for the download: %w", err)
	}
	d.tmp = tmp
	return tmp, nil
}

// discard removes a temporary file that was not kept.
func (d *download) discard() {
	if d.tmp == nil {
		return
	}
	d.tmp.Close()
	os.Remove(d.tmp.Name())
	d.tmp = nil
}

// keep gives the file its name, the first free one after the answer's, and
// returns its path. It never replaces a file.
func (d *download) keep(h http.Header) (string, error) {
	if err := d.tmp.Close(); err != nil {
		return "", err
	}
	name := d.name(h)
	ext := filepath.Ext(name)
	base := strings.TrimSuffix(name, ext)
	for n := 1; n < 1000; n++ {
		if n > 1 {
			name = base + "-" + strconv.Itoa(n) + ext
		}
		path := filepath.Join(d.files.DownloadDir, name)
		// Reserves the name without a race; the rename then replaces our own
		// empty file.
		reserved, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		if err := reserved.Close(); err != nil {
			return "", err
		}
		if err := os.Rename(d.tmp.Name(), path); err != nil {
			os.Remove(path)
			return "", err
		}
		d.tmp = nil
		return path, nil
	}
	return "", errors.New("too many files of the same name")
}

// content reads a kept file back.
func (d *download) content(path string, size int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := make([]byte, size)
	_, err = io.ReadFull(f, b)
	return b, err
}

// name is the name that the answer gives to the file, else the last part of the
// request's path; a plain name in any case.
func (d *download) name(h http.Header) string {
	if _, params, err := mime.ParseMediaType(h.Get("Content-Disposition")); err == nil {
		if n := plainName(params["filename"]); n != "" {
			return n
		}
	}
	last := d.path[strings.LastIndexByte(d.path, '/')+1:]
	if u, err := url.PathUnescape(last); err == nil {
		last = u
	}
	if n := plainName(last); n != "" {
		return n
	}
	return "download"
}

// plainName is the last part of s without anything that a file system or a
// terminal could take for more than a name; empty if nothing is left.
func plainName(s string) string {
	if i := strings.LastIndexAny(s, `/\`); i >= 0 {
		s = s[i+1:]
	}
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`<>:"|?*`, r) {
			return '_'
		}
		return r
	}, strings.ToValidUTF8(s, "_"))
	s = strings.Trim(s, " .")
	const longest = 150
	if len(s) > longest {
		s = strings.ToValidUTF8(s[len(s)-longest:], "")
	}
	if !filepath.IsLocal(s) {
		return ""
	}
	return s
}

package gitlab

import (
	"bytes"
	"errors"
	"io"
	"net/http"

	"github.com/hashicorp/go-retryablehttp"

	"gitlab-mcp-server/internal/call"
)

// setBody gives req the body of q: JSON, a form, or a file. Files that were
// named by path are opened once for each attempt and streamed.
func (c *Client) setBody(req *retryablehttp.Request, q *call.Request) error {
	if !q.HasBody() {
		return nil
	}
	req.Header.Set("Content-Type", q.ContentType())
	if body := q.JSON(); body != nil {
		return req.SetBody(body)
	}
	pieces, err := c.pieces(q)
	if err != nil {
		return err
	}
	size := int64(0)
	for _, p := range pieces {
		size += p.size()
	}
	if err := req.SetBody(retryablehttp.ReaderFunc(func() (io.Reader, error) {
		return &stream{open: c.open, pieces: pieces}, nil
	})); err != nil {
		return err
	}
	req.ContentLength = size
	return nil
}

// piece is a part of a body: text in memory, or a file by its path.
type piece struct {
	text []byte
	path string
	len  int64 // of the file
}

func (p piece) size() int64 {
	if p.path != "" {
		return p.len
	}
	return int64(len(p.text))
}

// pieces is the body of q, which is a form or a file, in the order of sending.
func (c *Client) pieces(q *call.Request) ([]piece, error) {
	if raw := q.Raw(); raw != nil {
		if raw.Path == "" {
			return []piece{{text: raw.Content}}, nil
		}
		p, err := c.file(raw.Path)
		return []piece{p}, err
	}
	var frame bytes.Buffer
	var pieces []piece
	flush := func() {
		pieces = append(pieces, piece{text: bytes.Clone(frame.Bytes())})
		frame.Reset()
	}
	// The form is written with nothing in place of each file: the file's
	// content is streamed there when the request is sent.
	err := q.WriteForm(&frame, func(path string) (io.ReadCloser, error) {
		p, err := c.file(path)
		if err != nil {
			return nil, err
		}
		flush()
		pieces = append(pieces, p)
		return http.NoBody, nil
	})
	flush()
	return pieces, err
}

// file is the piece of a file, which is opened to learn its size.
func (c *Client) file(path string) (piece, error) {
	f, err := c.open(path)
	if err != nil {
		return piece{}, err
	}
	return piece{path: path, len: f.Size()}, f.Close()
}

// stream reads pieces one after the other, with at most one file open.
type stream struct {
	open   func(string) (File, error)
	pieces []piece
	cur    io.Reader
	file   File
	left   int64
}

// Read gives the next bytes. A file that has become shorter or longer than it
// was announced is an error: the form would be damaged.
func (s *stream) Read(b []byte) (int, error) {
	for {
		if s.cur == nil {
			if len(s.pieces) == 0 {
				return 0, io.EOF
			}
			if err := s.next(); err != nil {
				return 0, &localError{err}
			}
		}
		n, err := s.cur.Read(b[:min(int64(len(b)), max(s.left, 1))])
		s.left -= int64(n)
		if s.left < 0 || (err == io.EOF && s.left > 0) {
			return 0, &localError{errors.New("the file changed while it was read")}
		}
		if err == io.EOF {
			err = s.closeFile()
			s.cur = nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

func (s *stream) next() error {
	p := s.pieces[0]
	s.pieces = s.pieces[1:]
	s.left = p.size()
	if p.path == "" {
		s.cur = bytes.NewReader(p.text)
		return nil
	}
	f, err := s.open(p.path)
	if err != nil {
		return err
	}
	s.cur, s.file = f, f
	return nil
}

func (s *stream) closeFile() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	s.file = nil
	return err
}

// Close closes the file that is open.
func (s *stream) Close() error { return s.closeFile() }

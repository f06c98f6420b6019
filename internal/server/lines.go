package server

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxLine bounds one message on stdin, in bytes. A file of 12 MiB fits in as base64.
const maxLine = 16 << 20

// line is one line of input without its end.
type line struct {
	text    []byte // fresh memory, the receiver's own; the beginning only if tooLong
	tooLong bool
}

// keep is how much of an over-long line is kept, to find the id in.
const keep = 4 << 10

// lines cuts a stream into lines of bounded length.
type lines struct {
	r     *bufio.Reader
	max   int
	first bool // the next line is the first
}

func newLines(r io.Reader, max int) *lines {
	return &lines{r: bufio.NewReaderSize(r, 64<<10), max: max, first: true}
}

// next gives the next line that is not blank. The last one needs no newline.
// After the last it gives io.EOF or what made reading fail.
func (l *lines) next() (line, error) {
	for {
		ln, err := l.read()
		if l.first {
			l.first = false
			ln.text = bytes.TrimPrefix(ln.text, []byte("\uFEFF")) // editors and shells on Windows write one
		}
		if ln.text = bytes.TrimSpace(ln.text); len(ln.text) > 0 || ln.tooLong {
			return ln, nil // an error comes again with the next call
		}
		if err != nil {
			return line{}, err
		}
	}
}

func (l *lines) read() (ln line, err error) {
	for {
		part, err := l.r.ReadSlice('\n')
		switch {
		case ln.tooLong: // skip to the end of the line
		case len(ln.text)+len(part) > l.max:
			ln.tooLong = true
			ln.text = append(ln.text, part...)
			ln.text = bytes.Clone(ln.text[:min(keep, len(ln.text))])
		default:
			ln.text = append(ln.text, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return ln, err
		}
	}
}

package render

import (
	"bytes"
	"strings"
)

// Lines selects lines of a text, in this order: From and To, Grep, Offset, Tail.
type Lines struct {
	From, To int    // line numbers from 1, both included; 0: open
	Grep     string // only lines that contain this text, ignoring case
	Offset   int    // lines to skip
	Tail     int    // only the last lines
}

// any reports whether anything is selected at all.
func (l Lines) any() bool { return l != Lines{} }

// selection is what Lines made of a text.
type selection struct {
	text        []byte
	kept, total int // lines
}

// choose selects lines of text; their ends stay as they are.
func (l Lines) choose(text []byte) selection {
	lines := splitLines(text)
	s := selection{total: len(lines)}
	if l.To > 0 && l.To < len(lines) {
		lines = lines[:l.To]
	}
	if l.From > 1 {
		lines = lines[min(l.From-1, len(lines)):]
	}
	if l.Grep != "" {
		want := strings.ToLower(l.Grep)
		var hits [][]byte
		for _, line := range lines {
			if strings.Contains(strings.ToLower(string(line)), want) {
				hits = append(hits, line)
			}
		}
		lines = hits
	}
	if l.Offset > 0 {
		lines = lines[min(l.Offset, len(lines)):]
	}
	if l.Tail > 0 && l.Tail < len(lines) {
		lines = lines[len(lines)-l.Tail:]
	}
	s.kept = len(lines)
	s.text = bytes.Join(lines, nil)
	return s
}

// splitLines is text as its lines, each with its end.
func splitLines(text []byte) [][]byte {
	lines := make([][]byte, 0, bytes.Count(text, []byte{'\n'})+1)
	for line := range bytes.Lines(text) {
		lines = append(lines, line)
	}
	return lines
}

// StripTrace is a job's log without what is not meant for reading: colours and
// other escape sequences of terminals, the markers that fold sections, and what
// a line showed before it was overwritten.
func StripTrace(log []byte) []byte {
	out := make([]byte, 0, len(log))
	for line := range bytes.Lines(log) {
		end := len(line)
		if end > 0 && line[end-1] == '\n' {
			end--
			if end > 0 && line[end-1] == '\r' {
				end--
			}
		}
		body := stripLine(line[:end])
		out = append(out, body...)
		// A line of markers alone says nothing.
		if end < len(line) && (len(body) > 0 || end == 0) {
			out = append(out, '\n')
		}
	}
	return out
}

// stripLine is one line of a log, without its end, for reading.
func stripLine(line []byte) []byte {
	if bytes.IndexByte(line, 0x1b) < 0 && bytes.IndexByte(line, '\r') < 0 && !bytes.HasPrefix(line, []byte("section_")) {
		return line
	}
	var last []byte
	for part := range bytes.SplitSeq(line, []byte{'\r'}) {
		part = stripMarker(stripEscapes(part))
		if len(part) > 0 {
			last = part
		}
	}
	return last
}

// stripMarker is part without a marker of GitLab's runner:
// section_start:1560896352:name[options], or section_end:….
func stripMarker(part []byte) []byte {
	for _, m := range [...]string{"section_start:", "section_end:"} {
		rest, ok := bytes.CutPrefix(part, []byte(m))
		if !ok {
			continue
		}
		n := 0
		for n < len(rest) && '0' <= rest[n] && rest[n] <= '9' {
			n++
		}
		if n == 0 || n == len(rest) || rest[n] != ':' || bytes.IndexByte(rest, ' ') >= 0 {
			continue
		}
		return nil // what belongs to the line stands behind a carriage return
	}
	return part
}

// stripEscapes is part without the escape sequences of terminals.
func stripEscapes(part []byte) []byte {
	if bytes.IndexByte(part, 0x1b) < 0 {
		return part
	}
	out := make([]byte, 0, len(part))
	for i := 0; i < len(part); {
		if part[i] != 0x1b {
			out = append(out, part[i])
			i++
			continue
		}
		i += escapeLen(part[i:])
	}
	return out
}

// escapeLen is the length of the escape sequence that s begins with.
func escapeLen(s []byte) int {
	if len(s) < 2 {
		return len(s)
	}
	switch s[1] {
	case '[': // up to a byte from @ to ~
		for i := 2; i < len(s); i++ {
			if '@' <= s[i] && s[i] <= '~' {
				return i + 1
			}
		}
		return len(s)
	case ']', 'P', '^', '_', 'X': // up to BEL or ESC \
		for i := 2; i < len(s); i++ {
			if s[i] == 0x07 {
				return i + 1
			}
			if s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\' {
				return i + 2
			}
		}
		return len(s)
	case '(', ')', '#', '%':
		return min(3, len(s))
	}
	return 2
}

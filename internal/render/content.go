package render

import (
	"bytes"
	"encoding/base64"
	"mime"
	"strconv"
	"strings"
	"unicode/utf8"

	"gitlab-mcp-server/internal/scan"
)

// content shapes an answer that is text or bytes.
func (s *shaper) content(body []byte) {
	s.noFields()
	media := s.answer.Header.Get("Content-Type")
	if !isText(media, body) {
		s.binary(body, media)
		return
	}
	if media == "" {
		media = "text/plain"
	}
	length := len(body)
	if !utf8.Valid(body) {
		body, _ = scan.AppendValidUTF8(make([]byte, 0, len(body)+64), body)
		s.note("invalid UTF-8 in the text was replaced by U+FFFD")
	}
	if s.opts.Trace {
		body = StripTrace(body)
	}
	if !s.opts.Reveal {
		if masked, ok := maskURLs(body); ok {
			body = masked
			s.note("masked as secrets: a URL's credentials")
		}
	}
	chosen := selection{text: body}
	if s.opts.Lines.any() {
		chosen = s.opts.Lines.choose(body)
	}
	shown := s.fit(chosen.text)
	s.out = scan.AppendQuoted(append(s.out, `{"content":`...), shown)
	s.contentEnd("text", media, length)

	s.text.title(s.opts.Title)
	about := strconv.Itoa(length) + " bytes, " + Escape(clip(media, 80))
	if s.opts.Lines.any() {
		about = strconv.Itoa(chosen.kept) + " of " + strconv.Itoa(chosen.total) + " lines, " + about
	}
	s.text.line(about)
	if len(shown) == 0 {
		s.text.line("It is empty.")
		return
	}
	s.text.block(language(media, shown), string(shown))
}

// fit shortens a text to the budget, at the end of a line if it can. Who asked
// for the last lines gets those.
func (s *shaper) fit(text []byte) []byte {
	budget := s.opts.Budget - room
	if s.opts.Budget <= 0 || len(text) <= budget/6 || quotedSize(text) <= budget {
		return text
	}
	budget = max(budget, minText)
	lines := splitLines(text)
	fromEnd := s.opts.Lines.Tail > 0
	kept, used := 0, 0
	for kept < len(lines) {
		line := lines[kept]
		if fromEnd {
			line = lines[len(lines)-1-kept]
		}
		if used += quotedSize(line); used > budget {
			break
		}
		kept++
	}
	cut := Cut{Path: "content", Kept: kept, Total: len(lines), Unit: "lines"}
	switch {
	case kept == 0: // not even one line: its beginning
		line := lines[0]
		if fromEnd {
			line = lines[len(lines)-1]
		}
		n, chars := 0, 0
		for n < len(line) {
			_, width := utf8.DecodeRune(line[n:])
			if chars += quotedSize(line[n : n+width]); chars > budget {
				break
			}
			n += width
		}
		text = line[:n]
		cut = Cut{Path: "content", Kept: utf8.RuneCount(text), Total: utf8.RuneCount(bytes.Join(lines, nil)), Unit: "characters"}
	case fromEnd:
		text = bytes.Join(lines[len(lines)-kept:], nil)
		cut.Continue = "the last lines are given; ask for fewer with tail, or select some with grep"
	default:
		text = bytes.Join(lines[:kept], nil)
	}
	s.cuts = append(s.cuts, s.advise(cut))
	return text
}

// quotedSize is the number of characters of text as a JSON string, without the
// quotes.
func quotedSize(text []byte) int {
	n := utf8.RuneCount(text)
	for _, c := range text {
		switch {
		case c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t':
			n++
		case c < ' ':
			n += 5
		}
	}
	return n
}

func (s *shaper) binary(body []byte, media string) {
	if media == "" {
		media = "application/octet-stream"
	}
	shown := body
	if budget := s.opts.Budget - room; s.opts.Budget > 0 && base64.StdEncoding.EncodedLen(len(body)) > budget {
		shown = body[:max(budget, minText)/4*3]
		s.cuts = append(s.cuts, s.advise(Cut{Path: "content", Kept: len(shown), Total: len(body), Unit: "bytes"}))
	}
	s.out = append(s.out, `{"content":"`...)
	s.out = append(base64.StdEncoding.AppendEncode(s.out, shown), '"')
	s.contentEnd("base64", media, len(body))
	s.text.title(s.opts.Title)
	s.text.line(strconv.Itoa(len(body)) + " bytes, " + Escape(clip(media, 80)) + "; the content stands in the structured result as base64.")
}

func (s *shaper) contentEnd(encoding, media string, length int) {
	s.out = append(append(append(s.out, `,"encoding":"`...), encoding...), `","content_type":`...)
	s.out = scan.AppendQuoted(s.out, media)
	s.out = append(strconv.AppendInt(append(s.out, `,"size":`...), int64(length), 10), '}')
}

// isText reports whether body is for reading. Bytes of another encoding that
// are declared as text are; what has NUL bytes, or is mostly no UTF-8, is not.
func isText(media string, body []byte) bool {
	if bytes.IndexByte(body, 0) >= 0 {
		return false
	}
	kind, _, err := mime.ParseMediaType(media)
	if err != nil {
		kind = strings.ToLower(strings.TrimSpace(media))
	}
	for _, prefix := range [...]string{"image/", "audio/", "video/", "font/"} {
		if strings.HasPrefix(kind, prefix) && kind != "image/svg+xml" {
			return false
		}
	}
	switch kind {
	case "application/zip", "application/gzip", "application/x-gzip", "application/pdf", "application/x-tar", "application/x-bzip2", "application/x-xz":
		return false
	}
	if utf8.Valid(body) {
		return true
	}
	if !strings.HasPrefix(kind, "text/") {
		return false
	}
	bad := 0
	for rest := body; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		if r == utf8.RuneError && n == 1 {
			bad++
		}
		rest = rest[n:]
	}
	return bad*5 <= len(body)
}

// language is what a fence says of a text.
func language(media string, text []byte) string {
	kind, _, _ := strings.Cut(strings.ToLower(media), ";")
	switch kind = strings.TrimSpace(kind); {
	case bytes.HasPrefix(text, []byte("diff --git ")), kind == "text/x-diff", kind == "text/x-patch":
		return "diff"
	case strings.HasSuffix(kind, "json"):
		return "json"
	case strings.HasSuffix(kind, "yaml"):
		return "yaml"
	case kind == "text/html":
		return "html"
	case strings.HasSuffix(kind, "xml"):
		return "xml"
	case kind == "text/markdown":
		return "markdown"
	}
	return ""
}

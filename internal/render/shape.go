package render

import (
	"bytes"
	"encoding/base64"
	"mime"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gitlab-mcp-server/internal/scan"
)

// shaper holds what is known while one answer is shaped.
type shaper struct {
	opts   Options
	answer Answer

	out   []byte
	text  doc
	cuts  []Cut
	notes []string
}

const (
	// maxCuts is how many cuts of one answer are stated.
	maxCuts = 50
	// room is what an envelope needs around its content.
	room = 300
)

func (s *shaper) note(n string) { s.notes = append(s.notes, n) }

// finish gives every cut its advice and puts the result together.
func (s *shaper) finish() Shaped {
	return Shaped{Structured: s.out, Text: s.text.String(), Truncated: s.cuts, Notes: s.notes}
}

// state takes over the cuts of c.
func (s *shaper) state(c *cutter) {
	for i, cut := range c.cuts {
		if len(s.cuts) == maxCuts {
			s.note("cut: " + strconv.Itoa(len(c.cuts)-i) + " further texts and arrays were shortened")
			return
		}
		s.cuts = append(s.cuts, s.advise(cut))
	}
}

// advise gives a cut its Continue.
func (s *shaper) advise(c Cut) Cut {
	c.Path = clip(c.Path, maxFact)
	if c.Continue == "" && s.opts.Continue != nil {
		c.Continue = s.opts.Continue(c)
	}
	if c.Continue != "" {
		return c
	}
	switch {
	case c.Path == "items":
		c.Continue = "ask for less per item with fields, or for smaller pages with params.per_page"
	case c.Path == "content" && c.Unit == "bytes":
		c.Continue = "the whole is too large to be given inline"
	case c.Path == "content":
		c.Continue = "ask for a part of the lines"
	case c.Unit == "members":
		c.Continue = "name the members that you need with fields"
	default:
		c.Continue = "ask for less of the rest with fields: " + strconv.Quote(clip(c.Path, 80))
	}
	return c
}

func (s *shaper) success() {
	s.out = []byte(`{"status":"success"}`)
	s.text.title(s.opts.Title)
	s.text.line("Done; GitLab answers nothing more.")
}

// head is the answer to a HEAD request: its headers without those that speak of
// the connection.
func (s *shaper) head() {
	names := make([]string, 0, len(s.answer.Header))
	for name := range s.answer.Header {
		if !transport(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	s.out = append(s.out, `{"status":"success","headers":{`...)
	s.text.title(s.opts.Title)
	for i, name := range names {
		if i > 0 {
			s.out = append(s.out, ',')
		}
		value := strings.Join(s.answer.Header.Values(name), ", ")
		s.out = append(scan.AppendQuoted(s.out, name), ':')
		s.out = scan.AppendQuoted(s.out, value)
		s.text.fact(name, clip(Escape(value), maxFact))
	}
	s.out = append(s.out, `}}`...)
	if len(names) == 0 {
		s.text.line("It exists.")
	}
}

// transport reports whether a header says nothing about the resource.
func transport(name string) bool {
	switch name = strings.ToLower(name); name {
	case "set-cookie", "connection", "date", "server", "via", "vary", "nel", "report-to", "alt-svc", "keep-alive", "transfer-encoding",
		"strict-transport-security", "referrer-policy", "permissions-policy", "x-content-type-options", "x-frame-options",
		"x-xss-protection", "x-permitted-cross-domain-policies", "x-download-options", "x-runtime", "x-request-id", "x-gitlab-meta",
		"content-security-policy", "content-security-policy-report-only", "gitlab-lb", "gitlab-sv", "www-authenticate":
		return true
	}
	return strings.HasPrefix(name, "cf-") || strings.HasPrefix(name, "ratelimit-") || strings.HasPrefix(name, "access-control-")
}

// json shapes an answer that should be JSON.
func (s *shaper) json() {
	body := bytes.TrimPrefix(s.answer.Body, []byte("\uFEFF"))
	body = scan.Trim(body)
	if len(body) == 0 {
		s.success()
		return
	}
	if err := scan.Valid(body); err != nil {
		s.note("the answer is no JSON; it is given as it is")
		s.content(s.answer.Body)
		return
	}
	if !utf8.Valid(body) {
		body, _ = scan.AppendValidUTF8(make([]byte, 0, len(body)+64), body)
		s.note("invalid UTF-8 in the answer was replaced by U+FFFD")
	}
	body = wholeRunes(body)
	switch scan.KindOf(body) {
	case scan.Object:
		s.object(body)
	case scan.Array:
		s.list(body)
	default:
		s.scalar(body)
	}
}

// wholeRunes is body with escaped halves of surrogate pairs, which no UTF-8 can
// hold, replaced by U+FFFD.
func wholeRunes(body []byte) []byte {
	var out []byte
	from := 0
	for i := 0; ; {
		j := bytes.Index(body[i:], []byte(`\u`))
		if j < 0 {
			break
		}
		i += j
		if escaped(body, i) || i+6 > len(body) {
			i += 2
			continue
		}
		switch high, low := surrogate(body[i:]), rune(0); {
		case high == 0:
			i += 6
			continue
		case high < 0xDC00 && i+12 <= len(body):
			if low = surrogate(body[i+6:]); low >= 0xDC00 {
				i += 12
				continue
			}
		}
		out = append(append(out, body[from:i]...), `\ufffd`...)
		i += 6
		from = i
	}
	if out == nil {
		return body
	}
	return append(out, body[from:]...)
}

// escaped reports whether the backslash at i is the second of a pair.
func escaped(body []byte, i int) bool {
	n := 0
	for i--; i >= 0 && body[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

// surrogate is the half of a surrogate pair that s begins with as an escape, or 0.
func surrogate(s []byte) rune {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0
	}
	n, err := strconv.ParseUint(string(s[2:6]), 16, 32)
	if err != nil || n < 0xD800 || n > 0xDFFF {
		return 0
	}
	return rune(n)
}

// reduce projects and masks v.
func (s *shaper) reduce(v []byte, list bool) []byte {
	c := newCopier(v, s.opts.Reveal)
	f := parseFields(s.opts.Fields, list)
	if f == nil && !c.mask {
		return v
	}
	out := c.value(make([]byte, 0, len(v)), v, f)
	if f != nil && !f.found { // found says that the list is empty
		s.notes = f.missing(s.notes, "")
	}
	if len(c.masked) > 0 {
		s.note("masked as secrets: " + some(c.masked, 10))
	}
	return out
}

func (s *shaper) object(body []byte) {
	body = s.reduce(body, false)
	if s.opts.Budget > 0 {
		var c cutter
		body = c.value(nil, body, "", s.opts.Budget)
		s.state(&c)
	}
	s.out = body
	s.text.card(&s.opts, body)
}

func (s *shaper) list(body []byte) {
	body = s.reduce(body, true)
	page := s.opts.Pagination
	if page == nil {
		p := PaginationOf(s.answer.Header)
		page = &p
	}
	var items [][]byte
	for e := range scan.Elements(body) {
		items = append(items, e)
	}
	total := len(items)
	s.out = append(make([]byte, 0, len(body)+room), `{"items":[`...)
	start := len(s.out)
	if budget := s.opts.Budget; budget > 0 && len(body) > budget-room && size(body) > budget-room {
		s.cutItems(items, page)
		items = items[:0]
		for e := range scan.Elements(slices.Concat([]byte{'['}, s.out[start:], []byte{']'})) {
			items = append(items, e)
		}
	} else {
		s.out = append(s.out, body[1:len(body)-1]...)
	}
	s.out = page.AppendJSON(append(s.out, `],"pagination":`...))
	if len(s.cuts) > 0 {
		s.out = AppendCuts(append(s.out, `,"truncated":`...), s.cuts)
	}
	s.out = append(s.out, '}')
	s.text.list(&s.opts, items, total, page)
}

// cutItems appends the items that fit the budget. What is said about cuts takes
// room itself, so it may take a few attempts.
func (s *shaper) cutItems(items [][]byte, page *Pagination) {
	start, notes := len(s.out), len(s.notes)
	limit := s.opts.Budget - start - size(page.AppendJSON(nil)) - len(`],"pagination":,"truncated":}`)
	budget := limit
	for over, attempt := 0, 0; ; attempt++ {
		budget = max(budget-over, minText)
		var c cutter
		kept := 0
		s.out, kept = c.items(s.out[:start], items, budget)
		s.cuts, s.notes = s.cuts[:0], s.notes[:notes]
		if kept < len(items) {
			s.cuts = append(s.cuts, s.advise(Cut{Path: "items", Kept: kept, Total: len(items), Unit: "items"}))
		}
		s.state(&c)
		over = size(s.out[start:]) + size(AppendCuts(nil, s.cuts)) - limit
		if over <= 0 || budget == minText || attempt == 8 {
			return
		}
	}
}

func (s *shaper) scalar(body []byte) {
	s.noFields()
	c := newCopier(body, s.opts.Reveal)
	body = c.value(nil, body, nil)
	if s.opts.Budget > 0 {
		var c cutter
		body = c.value(nil, body, "content", max(s.opts.Budget-room, minText))
		s.state(&c)
	}
	s.out = append(append(append(s.out, `{"content":`...), body...), `,"encoding":"json"}`...)
	s.text.title(s.opts.Title)
	if scan.KindOf(body) == scan.String {
		s.text.block("", scan.Unquoted(string(body)))
		return
	}
	s.text.line("`" + string(body) + "`")
}

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

// noFields notes that there is nothing to project.
func (s *shaper) noFields() {
	if len(s.opts.Fields) > 0 {
		s.note("fields: the answer is no object or list; it is given whole")
	}
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

// AppendCuts appends the cuts as a JSON array of {path, kept, total, continue}.
func AppendCuts(dst []byte, cuts []Cut) []byte {
	dst = append(dst, '[')
	for i, c := range cuts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = scan.AppendQuoted(append(dst, `{"path":`...), c.Path)
		dst = strconv.AppendInt(append(dst, `,"kept":`...), int64(c.Kept), 10)
		dst = strconv.AppendInt(append(dst, `,"total":`...), int64(c.Total), 10)
		dst = append(scan.AppendQuoted(append(dst, `,"continue":`...), c.Continue), '}')
	}
	return append(dst, ']')
}

// Footer is the last lines of a text: cuts first, then notes; empty if there
// are none. Every line starts with "> ", which nothing from GitLab can forge.
func Footer(cuts []Cut, notes []string) string {
	var b strings.Builder
	for _, c := range cuts {
		unit := c.Unit
		if unit != "" {
			unit = " " + unit
		}
		path := c.Path
		if path == "" {
			path = "the answer"
		}
		b.WriteString("> Cut: " + Escape(path) + ", " + strconv.Itoa(c.Kept) + " of " + strconv.Itoa(c.Total) + unit + "; " + oneLine(c.Continue) + ".\n")
	}
	for _, n := range notes {
		b.WriteString("> Note: " + Escape(n) + "\n")
	}
	if b.Len() == 0 {
		return ""
	}
	return "\n" + b.String()
}

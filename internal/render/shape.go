package render

import (
	"bytes"
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

// noFields notes that there is nothing to project.
func (s *shaper) noFields() {
	if len(s.opts.Fields) > 0 {
		s.note("fields: the answer is no object or list; it is given whole")
	}
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

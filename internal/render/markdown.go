package render

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape is text from GitLab for use inside a line of Markdown: it cannot start
// markup, links or HTML, and has no line breaks. Only what would be markup is
// escaped, so that names and paths stay as people know them.
func Escape(s string) string {
	s = oneLine(s)
	if !strings.ContainsAny(s, "\\`*_<>[]|~&#") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 8)
	for i := range len(s) {
		c := s[i]
		escape := false
		switch c {
		case '\\', '`', '*', '<', '[', ']', '|':
			escape = true
		case '_': // means something only at the edge of a word
			escape = i == 0 || i == len(s)-1 || !letter(s[i-1]) || !letter(s[i+1])
		case '~':
			escape = i+1 < len(s) && s[i+1] == '~'
		case '&': // an entity would be another character
			escape = i+1 < len(s) && (s[i+1] == '#' || letter(s[i+1])) && strings.IndexByte(s[i:], ';') > 0
		case '#', '>':
			escape = i == 0
		}
		if escape {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}

func letter(c byte) bool { return wordByte(c) && c != '_' || c >= utf8.RuneSelf }

// oneLine is s in one line, white space folded, without characters that
// control a terminal or turn the direction of what follows.
func oneLine(s string) string {
	clean := utf8.ValidString(s)
	for i := 0; clean && i < len(s); i++ {
		c := s[i]
		clean = c >= ' ' && c < 0x7f && (c != ' ' || i > 0 && i < len(s)-1 && s[i+1] != ' ')
	}
	if clean {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	gap := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			gap = b.Len() > 0
			continue
		case unicode.IsControl(r), turns(r):
			continue
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// turns reports whether r changes the direction of text, or hides in it.
func turns(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f || r == 0x061c || r >= 0xe0000 && r <= 0xe007f
}

// Fence is text in a fenced block that the text cannot close; lang may be empty.
// Characters that control a terminal are left out.
func Fence(lang, text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || !unicode.IsControl(r) && !turns(r) {
			return r
		}
		return -1
	}, text)
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] != '`' {
			run = 0
			continue
		}
		if run++; run > longest {
			longest = run
		}
	}
	fence := strings.Repeat("`", max(longest+1, 3))
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	for i := range len(lang) {
		if !wordByte(lang[i]) && lang[i] != '-' && lang[i] != '+' {
			lang = ""
			break
		}
	}
	return fence + lang + "\n" + text + fence
}

// link is label, already escaped, as a link to url if that is one of the web.
func link(label, url string) string {
	if url = webURL(url); url == "" || label == "" {
		return label
	}
	return "[" + label + "](" + url + ")"
}

// webURL is url as it may stand in a link, or empty if it is none of the web.
func webURL(url string) string {
	rest, ok := cutFold(url, "https://")
	if !ok {
		rest, ok = cutFold(url, "http://")
	}
	if !ok || !utf8.ValidString(url) {
		return ""
	}
	host := rest
	if i := strings.IndexAny(host, "/?#"); i >= 0 {
		host = host[:i]
	}
	if host == "" || strings.IndexByte(host, '@') >= 0 { // which host it is could be mistaken
		return ""
	}
	var b strings.Builder
	for _, r := range url {
		switch {
		case unicode.IsSpace(r), unicode.IsControl(r), turns(r):
			return ""
		case strings.ContainsRune("()<>[]\\\"'`|", r):
			const hex = "0123456789ABCDEF"
			b.Write([]byte{'%', hex[r>>4], hex[r&15]})
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// cutFold is s without prefix, ignoring case.
func cutFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// clip is s with at most n characters.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	i := 0
	for at := range s {
		if i == n-1 {
			if utf8.RuneCountInString(s[at:]) <= 1 {
				return s
			}
			return s[:at] + "…"
		}
		i++
	}
	return s
}

// doc builds a Markdown text, its blocks apart from each other.
type doc struct {
	b      strings.Builder
	inList bool
}

func (d *doc) String() string { return d.b.String() }

// apart begins a new block.
func (d *doc) apart() {
	if d.b.Len() > 0 {
		d.b.WriteByte('\n')
	}
	d.inList = false
}

func (d *doc) title(t string) {
	if t != "" {
		d.line("## " + Escape(t))
	}
}

// line is a paragraph of one line, already Markdown.
func (d *doc) line(s string) {
	d.apart()
	d.b.WriteString(s)
	d.b.WriteByte('\n')
}

// fact is a line of a list: a name and an already escaped value.
func (d *doc) fact(name, value string) {
	if !d.inList {
		d.apart()
		d.inList = true
	}
	d.b.WriteString("- **" + Escape(name) + "**: " + value + "\n")
}

// item is a line of a list, already Markdown.
func (d *doc) item(s string) {
	if !d.inList {
		d.apart()
		d.inList = true
	}
	d.b.WriteString("- " + s + "\n")
}

// block is a fenced text.
func (d *doc) block(lang, text string) {
	d.apart()
	d.b.WriteString(Fence(lang, text))
	d.b.WriteByte('\n')
}

package gitlab

import (
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"gitlab-mcp-server/internal/scan"
)

// maxMessage is how many characters of a message of GitLab are kept.
const maxMessage = 2000

// Message is the error text of an answer of GitLab, in one line: a message, a
// map of messages by attribute ("name: is too long; path: is taken"), an OAuth
// error with its description, or a list of errors. Text that is no JSON is the
// message itself; an empty answer has none.
func Message(body []byte) string {
	text := strings.TrimSpace(string(body))
	if text == "" {
		return ""
	}
	if scan.Valid(text) != nil {
		return oneLine(text)
	}
	if scan.KindOf(text) != scan.Object {
		return oneLine(flatten("", text))
	}
	var parts []string
	for _, key := range [...]string{"message", "error", "error_description", "errors"} {
		v, ok := scan.Get(text, key)
		if !ok {
			continue
		}
		if s := flatten("", v); s != "" && !contains(parts, s) {
			parts = append(parts, s)
		}
	}
	if len(parts) == 0 {
		parts = append(parts, flatten("", text))
	}
	return oneLine(strings.Join(parts, ": "))
}

// contains is true if an earlier part says s already: many answers have the same
// text as message and as error.
func contains(parts []string, s string) bool {
	for _, p := range parts {
		if strings.Contains(p, s) {
			return true
		}
	}
	return false
}

// flatten is v as text: members as "name: text" joined by semicolons, elements
// joined by commas.
func flatten(name, v string) string {
	switch scan.KindOf(v) {
	case scan.Object:
		// GraphQL errors and the like: the message is the text, the rest is about it.
		if m, ok := scan.Get(v, "message"); ok && scan.KindOf(m) == scan.String {
			return labelled(name, scan.Unquoted(m))
		}
		var parts []string
		for key, value := range scan.Members(v) {
			key := scan.Key(key)
			if name != "" {
				key = name + "." + key
			}
			if s := flatten(key, value); s != "" {
				parts = append(parts, s)
			}
		}
		return strings.Join(parts, "; ")
	case scan.Array:
		var texts []string
		for e := range scan.Elements(v) {
			if s := flatten("", e); s != "" {
				texts = append(texts, s)
			}
		}
		return labelled(name, strings.Join(texts, ", "))
	case scan.String:
		return labelled(name, scan.Unquoted(v))
	case scan.Null:
		return ""
	}
	return labelled(name, v)
}

// labelled puts the attribute before what is said of it. Rails uses "base" for
// what concerns the whole object.
func labelled(name, text string) string {
	text = strings.TrimSpace(text)
	if name == "" || name == "base" || text == "" {
		return text
	}
	return name + ": " + text
}

// htmlMessage says that a page for browsers came, and what is in its title.
func htmlMessage(resp *http.Response, body []byte) string {
	from := ""
	if s := oneLine(resp.Header.Get("Server")); s != "" && len(s) < 40 {
		from = " (server: " + s + ")"
	}
	page := "an HTML page in place of an answer of GitLab's API"
	if t := title(body); t != "" {
		page += `, titled "` + t + `"`
	}
	return page + from
}

func title(body []byte) string {
	s := string(body[:min(len(body), 16<<10)])
	lower := strings.ToLower(s)
	i := strings.Index(lower, "<title")
	if i < 0 || len(lower) != len(s) {
		return ""
	}
	open := strings.IndexByte(lower[i:], '>')
	end := strings.Index(lower[i:], "</title")
	if open < 0 || end < open {
		return ""
	}
	return cut(oneLine(s[i+open+1:i+end]), 100)
}

// oneLine is s with white space and control characters turned into single
// spaces and bytes that are no UTF-8 into U+FFFD, cut to a sensible length.
func oneLine(s string) string {
	s = cut(s, 4*maxMessage)
	var b strings.Builder
	gap := false
	for _, r := range s {
		if unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
		}
		gap = false
		b.WriteRune(r)
	}
	return cut(b.String(), maxMessage)
}

// cut is s with at most n bytes, ended by a mark where something was left out.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

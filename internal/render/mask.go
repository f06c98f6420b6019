package render

import (
	"bytes"
	"strings"

	"gitlab-mcp-server/internal/scan"
)

// Masked stands in place of a secret.
const Masked = "[MASKED]"

// Mask is JSON or other text with every secret replaced by [Masked], and reports
// whether there was one. It is for text outside of a result, such as an error
// message or a preview, and so looks for tokens by their prefixes too.
//
// Secrets are text members of JSON objects with the names that secretName
// knows, the value of a variable that is marked masked or hidden, and the
// credentials of URLs.
func Mask(text []byte) ([]byte, bool) {
	out, changed := text, false
	if k := scan.KindOf(text); (k == scan.Object || k == scan.Array) && scan.Valid(text) == nil {
		c := newCopier(text, false)
		if out = c.value(nil, text, nil); len(c.masked) > 0 {
			changed = true
		}
	} else if masked, ok := maskURLs(text); ok {
		out, changed = masked, true
	}
	if masked, ok := maskTokens(out); ok {
		out, changed = masked, true
	}
	return out, changed
}

// mayHoldSecrets reports whether a name of a secret occurs anywhere in text.
func mayHoldSecrets(text []byte) bool {
	for _, end := range [...]string{`oken"`, `ecret"`, `assword"`, `_key"`, `asked"`, `idden"`} {
		if bytes.Contains(text, []byte(end)) {
			return true
		}
	}
	// A name written with escapes; GitLab does not, but nothing forbids it.
	return bytes.Contains(text, []byte(`\u00`)) && escapedName(text)
}

// escapedName reports whether a quote, colon sequence ends a text with escapes.
func escapedName(text []byte) bool {
	for {
		i := bytes.Index(text, []byte(`\u00`))
		if i < 0 {
			return false
		}
		text = text[i+4:]
		end := bytes.IndexByte(text, '"')
		if end < 0 {
			return false
		}
		if rest := bytes.TrimLeft(text[end+1:], " \t\r\n"); len(rest) > 0 && rest[0] == ':' {
			return true
		}
	}
}

// secretMember reports whether the member of obj is a secret.
func secretMember(obj, key, value []byte) bool {
	if len(value) < 3 || value[0] != '"' { // no text, or an empty one
		return false
	}
	if bytes.IndexByte(key, '\\') >= 0 {
		key = []byte(scan.Key(key))
	}
	if string(key) == "value" {
		return flagged(obj, "masked") || flagged(obj, "hidden")
	}
	return secretName(key)
}

func flagged(obj []byte, name string) bool {
	v, ok := scan.Get(obj, name)
	return ok && string(v) == "true"
}

// secretName reports whether GitLab keeps secrets under that name: tokens of
// every kind, but not the ones that lead to the next page, and the keys and
// passwords of services that an instance is connected to.
func secretName(key []byte) bool {
	switch string(key) {
	case "token", "secret", "password", "private_key", "secret_key", "api_key":
		return true
	case "page_token", "next_page_token", "next_token", "continuation_token":
		return false
	}
	for _, end := range [...]string{"_token", "_secret", "_password", "_api_key", "_private_key", "_secret_key", "_secret_access_key"} {
		if len(key) > len(end) && string(key[len(key)-len(end):]) == end {
			return true
		}
	}
	return false
}

// mayHoldCredentials reports whether text, JSON or not, may hold a URL with
// credentials.
func mayHoldCredentials(text []byte) bool {
	if bytes.Contains(text, []byte(`:\/`)) || bytes.Contains(text, []byte(`\u003a`)) || bytes.Contains(text, []byte(`\u003A`)) ||
		bytes.Contains(text, []byte(`\u002f`)) || bytes.Contains(text, []byte(`\u002F`)) || bytes.Contains(text, []byte(`\u0040`)) {
		return bytes.IndexByte(text, '@') >= 0 || bytes.Contains(text, []byte(`\u0040`))
	}
	if bytes.IndexByte(text, '@') < 0 {
		return false
	}
	_, _, _, ok := credentials(text)
	return ok
}

// maskQuoted masks the credentials of URLs in a quoted text.
func maskQuoted(v []byte) ([]byte, bool) {
	if bytes.IndexByte(v, '\\') < 0 {
		return maskURLs(v)
	}
	// Only a text with a URL in it is worth resolving the escapes of.
	masked, ok := maskURLs(scan.AppendUnquoted(nil, v))
	if !ok {
		return v, false
	}
	return scan.AppendQuoted(nil, masked), true
}

// maskURLs masks the credentials of all URLs in text.
func maskURLs(text []byte) ([]byte, bool) {
	var out []byte
	for {
		lo, hi, next, ok := credentials(text)
		if !ok {
			break
		}
		out = append(append(append(out, text[:lo]...), Masked...), text[hi:next]...)
		text = text[next:]
	}
	if out == nil {
		return text, false
	}
	return append(out, text...), true
}

// credentials finds the first URL with credentials in text: where they stand,
// and where to go on looking. The name alone of an ssh or git URL is no secret.
func credentials(text []byte) (lo, hi, next int, ok bool) {
	for from := 0; ; {
		i := bytes.Index(text[from:], []byte("://"))
		if i < 0 {
			return 0, 0, 0, false
		}
		colon := from + i
		lo, from = colon+3, colon+3
		end := lo
		for end < len(text) && !endsAuthority(text[end]) {
			end++
		}
		at := bytes.LastIndexByte(text[lo:end], '@')
		if at <= 0 {
			continue
		}
		user := text[lo : lo+at]
		if string(user) == Masked || bytes.IndexByte(user, ':') < 0 && !webScheme(text[:colon]) {
			continue
		}
		return lo, lo + at, end, true
	}
}

// endsAuthority reports whether c ends the part of a URL in which credentials
// stand. Other characters than these do occur unencoded in passwords.
func endsAuthority(c byte) bool {
	switch c {
	case '/', '?', '#', ' ', '\t', '\r', '\n', '"', '<', '>', '`', '\\':
		return true
	}
	return false
}

// webScheme reports whether s ends with the scheme http or https.
func webScheme(s []byte) bool {
	tail := strings.ToLower(string(s[max(0, len(s)-5):]))
	return strings.HasSuffix(tail, "http") || tail == "https"
}

// maskTokens masks what begins like one of GitLab's tokens.
func maskTokens(text []byte) ([]byte, bool) {
	var out []byte
	for from := 0; from < len(text); {
		i := bytes.Index(text[from:], []byte("gl"))
		if i < 0 {
			break
		}
		i += from
		n := tokenLen(text[i:])
		if n == 0 || i > 0 && wordByte(text[i-1]) {
			from = i + 2
			continue
		}
		out = append(append(out, text[:i]...), Masked...)
		text, from = text[i+n:], 0
	}
	if out == nil {
		return text, false
	}
	return append(out, text...), true
}

// tokenLen is the length of the token that s begins with, or 0.
func tokenLen(s []byte) int {
	for _, prefix := range [...]string{
		"glpat-", "gloas-", "gldt-", "glrt-", "glrtr-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-", "glwt-", "glsoat-", "glffct-",
	} {
		if !bytes.HasPrefix(s, []byte(prefix)) {
			continue
		}
		n := len(prefix)
		for n < len(s) && (wordByte(s[n]) || s[n] == '-' || s[n] == '.') {
			n++
		}
		if n >= len(prefix)+8 { // less is the prefix named in a text
			return n
		}
	}
	return 0
}

func wordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

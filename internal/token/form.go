package token

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// isSHA is true for 6 to 64 hexadecimal digits with both letters and digits.
func isSHA(t string) bool {
	if len(t) < 6 || len(t) > 64 {
		return false
	}
	letters, nums := 0, 0
	for i := range len(t) {
		switch c := t[i]; {
		case '0' <= c && c <= '9':
			nums++
		case 'a' <= c && c <= 'f', 'A' <= c && c <= 'F':
			letters++
		default:
			return false
		}
	}
	return letters > 0 && nums > 0
}

// isNumber is true for digits with at most two letters before and three behind
// them, and for versions.
func isNumber(t string) bool {
	i := 0
	for i < len(t) && i < 2 && isLetter(rune(t[i])) {
		i++
	}
	if i == len(t) || !isDigit(rune(t[i])) {
		return false
	}
	for i < len(t) && (isDigit(rune(t[i])) || t[i] == '.') {
		i++
	}
	rest := t[i:]
	if len(rest) > 0 && rest[0] == '-' {
		return true // v1.2-beta
	}
	if len(rest) > 3 {
		return false
	}
	for i := range len(rest) {
		if !isLetter(rune(rest[i])) && !isDigit(rune(rest[i])) {
			return false
		}
	}
	return true
}

func digits(t string) bool {
	for i := range len(t) {
		if t[i] < '0' || t[i] > '9' {
			return false
		}
	}
	return true
}

func isDigit(r rune) bool  { return '0' <= r && r <= '9' }
func isSpace(r rune) bool  { return r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == 0x3000 }
func notSpace(r rune) bool { return !isSpace(r) }
func isLetter(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r > utf8.RuneSelf && !isCJK(r) && unicode.IsLetter(r)
}

func isWordRune(r rune) bool {
	return isLetter(r) || isDigit(r) || r == '_' || 0x300 <= r && r <= 0x36F
}
func isNameRune(r rune) bool { return isWordRune(r) || r == '.' || r == '-' }
func isPathRune(r rune) bool { return isNameRune(r) || r == '/' || r == '*' }

// isCJK is true for Han, Kana and Hangul, and the full stop-like marks inside
// Japanese words.
func isCJK(r rune) bool {
	switch {
	case r < 0x3005:
		return false
	case r <= 0x3007, 0x3041 <= r && r <= 0x30FF, 0x3400 <= r && r <= 0x4DBF, 0x4E00 <= r && r <= 0x9FFF,
		0xAC00 <= r && r <= 0xD7A3, 0xF900 <= r && r <= 0xFAFF:
		return true
	}
	return false
}

// isFile is true for the name of a text file, perhaps with a path: by its
// ending, which hosts and versions do not have.
func isFile(t []byte) bool {
	dot := len(t) - 1
	for dot >= 0 && t[dot] != '.' && t[dot] != '/' {
		dot--
	}
	if dot <= 0 || t[dot] != '.' {
		return false
	}
	switch string(t[dot+1:]) {
	case "md", "txt", "rst", "adoc", "rb", "go", "py", "js", "ts", "jsx", "tsx", "vue", "java", "kt", "c", "h", "cpp", "cs", "rs", "php", "swift", "scala", "ex", "erl",
		"yml", "yaml", "json", "toml", "xml", "html", "css", "scss", "sh", "sql", "csv", "ini", "cfg", "conf", "env", "lock", "tf", "gradle", "proto":
		return true
	}
	return false
}

func isQuote(r rune) bool {
	switch r {
	case '"', '`', '“', '”', '«', '„', '「', '『', '\'', '‘':
		return true
	}
	return false
}

func hasLower(t string) bool {
	for i := range len(t) {
		if 'a' <= t[i] && t[i] <= 'z' {
			return true
		}
	}
	return false
}

// isCamel is true for words written without spaces: listMergeRequests.
func isCamel(t string) bool { return hump(t) < len(t) }

// hump is the length of the first word of a text written in camel case: a
// capital behind a small letter starts the next.
func hump(t string) int {
	for i := 1; i < len(t); i++ {
		if 'A' <= t[i] && t[i] <= 'Z' && 'a' <= t[i-1] && t[i-1] <= 'z' {
			return i
		}
	}
	return len(t)
}

// isPath is true for words joined by slashes that are surely no enumeration
// like read/write: there are more than two, or some are joined by hyphens.
func isPath(t []byte) bool {
	slash := bytes.IndexByte(t, '/')
	return slash >= 0 && (bytes.IndexByte(t, '-') >= 0 || bytes.IndexByte(t[slash+1:], '/') >= 0)
}

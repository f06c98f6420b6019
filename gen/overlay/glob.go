package overlay

import "strings"

// match reports whether name fits pattern, in which '*' stands for any run of
// characters, dots included.
func match(pattern, name string) bool {
	first, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == name
	}
	if !strings.HasPrefix(name, first) {
		return false
	}
	name = name[len(first):]
	for {
		piece, next, more := strings.Cut(rest, "*")
		if !more {
			return strings.HasSuffix(name, piece)
		}
		i := strings.Index(name, piece)
		if i < 0 {
			return false
		}
		name, rest = name[i+len(piece):], next
	}
}

package policy

import (
	"fmt"
	"strings"

	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/catalog"
)

// exclude marks every action that entry names.
func (b *base) exclude(entry string) error {
	found := false
	for a := range b.cat.All() {
		if matches(entry, a) {
			b.excluded.set(a.Index())
			found = true
		}
	}
	if found {
		return nil
	}
	msg := fmt.Sprintf("excluded name %q: no action, domain or group is called so", entry)
	if near := b.nearest(entry); near != "" {
		msg += "; did you mean " + near + "?"
	}
	return fmt.Errorf("%s", msg)
}

// matches reports whether entry is the action's id, its domain, the tool name of
// its group, or a glob over ids or tool names.
func matches(entry string, a catalog.Action) bool {
	if strings.Contains(entry, "*") {
		return Glob(entry, a.ID()) || (strings.HasPrefix(entry, "gitlab_") && Glob(entry, a.Tool()))
	}
	return entry == a.ID() || entry == a.Domain() || entry == a.Tool()
}

// nearest is the name that was perhaps meant.
func (b *base) nearest(entry string) string {
	var names []string
	last := ""
	for a := range b.cat.All() {
		if a.Domain() != last {
			last = a.Domain()
			names = append(names, last)
		}
		names = append(names, a.ID())
	}
	for g := range b.cat.Groups() {
		names = append(names, "gitlab_"+g.Name())
	}
	return arg.Nearest(entry, names)
}

// Glob reports whether pattern matches the whole of s; '*' is any run of
// characters.
func Glob(pattern, s string) bool {
	head, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == s
	}
	if !strings.HasPrefix(s, head) {
		return false
	}
	s = s[len(head):]
	for {
		part, more, star := strings.Cut(rest, "*")
		if !star {
			return strings.HasSuffix(s, part)
		}
		i := strings.Index(s, part)
		if i < 0 {
			return false
		}
		s, rest = s[i+len(part):], more
	}
}

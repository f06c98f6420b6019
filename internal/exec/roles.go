package exec

import (
	"strings"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/scan"
)

// roles are GitLab's roles and the access levels that its API wants for them.
var roles = [...]struct{ name, level string }{
	{"no_access", "0"}, {"none", "0"}, {"minimal", "5"}, {"minimal_access", "5"}, {"guest", "10"}, {"planner", "15"},
	{"reporter", "20"}, {"security_manager", "25"}, {"developer", "30"}, {"maintainer", "40"}, {"master", "40"},
	{"owner", "50"}, {"admin", "60"},
}

// levelOf is the access level of a role given by name, or "".
func levelOf(raw string) string {
	if scan.KindOf(raw) != scan.String {
		return ""
	}
	name := strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(scan.Unquoted(raw))))
	name = strings.TrimSuffix(name, "s")
	for _, r := range roles {
		if strings.TrimSuffix(r.name, "s") == name {
			return r.level
		}
	}
	return ""
}

// isLevel reports whether an argument of that name takes an access level.
func isLevel(name string) bool {
	return strings.HasSuffix(name, "access_level") || strings.HasSuffix(name, "access_levels") || name == "group_access"
}

// readRoles replaces role names by access levels where the action takes
// numbers, in the objects inside of arrays and objects too.
func (x *execution) readRoles() {
	for p := range x.action.Params() {
		raw, ok := x.r.Raw(p.Name())
		if !ok {
			continue
		}
		out, changed := "", false
		switch p.Type() {
		case catalog.TypeInteger:
			if isLevel(p.Name()) {
				out = levelOf(string(raw))
				changed = out != ""
			}
		case catalog.TypeArray, catalog.TypeObject:
			out, changed = replaceRoles(string(raw), isLevel(p.Name()))
		}
		if changed {
			x.r.Put(p.Name(), []byte(out))
			x.note(p.Name() + ": a role name was read as its access level")
		}
	}
}

// replaceRoles is v with the role names under access_level and the like
// replaced, and whether there were any. level says that v itself stands under
// such a name.
func replaceRoles(v string, level bool) (string, bool) {
	switch scan.KindOf(v) {
	case scan.String:
		if level {
			if l := levelOf(v); l != "" {
				return l, true
			}
		}
		// An object that is given as its JSON text.
		if inner := scan.Unquoted(v); scan.KindOf(inner) == scan.Array || scan.KindOf(inner) == scan.Object {
			if scan.Valid(inner) == nil {
				if out, ok := replaceRoles(inner, level); ok {
					return out, true
				}
			}
		}
		return v, false
	case scan.Object, scan.Array:
	default:
		return v, false
	}
	c := scan.Cursor[string]{Text: v}
	object := scan.KindOf(v) == scan.Object
	if object {
		c.Enter(scan.Object)
	} else {
		c.Enter(scan.Array)
	}
	var b strings.Builder
	from, changed := 0, false
	for c.Next() {
		under := level && !object
		if object {
			under = isLevel(scan.Key(c.Key()))
		}
		if out, ok := replaceRoles(c.Value(), under); ok {
			lo, hi := c.Span()
			b.WriteString(v[from:lo])
			b.WriteString(out)
			from, changed = hi, true
		}
	}
	if !changed {
		return v, false
	}
	b.WriteString(v[from:])
	return b.String(), true
}

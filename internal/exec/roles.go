package exec

import (
	"slices"
	"strings"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/scan"
)

// roles are the words that the catalog has for access levels, by the name of
// the argument, or of the field inside one, that takes a level.
type roles []catalog.ParamAlias

func (x *execution) roles() roles {
	var rs roles
	for pa := range x.cat.ParamAliases() {
		if pa.From() == pa.To() && x.applies(pa) {
			rs = append(rs, pa)
		}
	}
	return rs
}

// level is the access level of a role that is given by name under key, or "".
func (rs roles) level(key, raw string) string {
	i := slices.IndexFunc(rs, func(pa catalog.ParamAlias) bool { return pa.To() == key })
	if i < 0 || scan.KindOf(raw) != scan.String {
		return ""
	}
	name := strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(scan.Unquoted(raw))))
	name = strings.TrimSuffix(name, "s")
	for role, level := range rs[i].Values() {
		if strings.TrimSuffix(role, "s") == name {
			return level
		}
	}
	return ""
}

// readRoles replaces role names by access levels where the action takes
// numbers, in the objects inside of arrays and objects too.
func (x *execution) readRoles() {
	rs := x.roles()
	if len(rs) == 0 {
		return
	}
	for p := range x.action.Params() {
		raw, ok := x.r.Raw(p.Name())
		if !ok {
			continue
		}
		out, changed := "", false
		switch p.Type() {
		case catalog.TypeInteger:
			out = rs.level(p.Name(), string(raw))
			changed = out != ""
		case catalog.TypeArray, catalog.TypeObject:
			out, changed = rs.replace(p.Name(), string(raw))
		}
		if changed {
			x.r.Put(p.Name(), []byte(out))
			x.note(p.Name() + ": a role name was read as its access level")
		}
	}
}

// replace is v, which stands under key, with the role names in it replaced, and
// whether there were any.
func (rs roles) replace(key, v string) (string, bool) {
	switch scan.KindOf(v) {
	case scan.String:
		if l := rs.level(key, v); l != "" {
			return l, true
		}
		// An object that is given as its JSON text.
		if inner := scan.Unquoted(v); scan.KindOf(inner) == scan.Array || scan.KindOf(inner) == scan.Object {
			if scan.Valid(inner) == nil {
				if out, ok := rs.replace(key, inner); ok {
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
	c.Enter(scan.KindOf(v))
	var b strings.Builder
	from, changed := 0, false
	for c.Next() {
		under := key // an element stands under the name of its array
		if object {
			under = scan.Key(c.Key())
		}
		if out, ok := rs.replace(under, c.Value()); ok {
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

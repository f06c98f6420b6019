package exec

import (
	"net/url"
	"slices"
	"strings"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/scan"
)

// A request line with values in its path, GET /projects/5/issues/7?x=y, names an
// action and gives arguments at once. This file finds both.

// given is an argument that a request line holds: the wire name, and the value
// as JSON.
type given struct {
	wire  string
	value []byte
}

// operationLine takes "METHOD /path" apart; the method may be missing. The path is
// empty where name is no such line.
func operationLine(name string) (method, path string) {
	if first, rest, ok := strings.Cut(name, " "); ok && strings.HasPrefix(strings.TrimSpace(rest), "/") && isMethod(first) {
		return strings.ToUpper(first), strings.TrimSpace(rest)
	}
	if strings.HasPrefix(name, "/") {
		return "", name
	}
	return "", ""
}

// concrete are the actions whose path has the values of path in it. If several
// have, those that spell out most of it are meant.
func (e *Executor) concrete(method, path string) []catalog.Action {
	var found []catalog.Action
	most := 0
	for a := range e.cat.All() {
		if a.Path() == "" || method != "" && a.Method() != method {
			continue
		}
		_, literal, ok := pathValues(a.Path(), path)
		switch {
		case !ok || literal < most:
		case literal > most:
			found, most = []catalog.Action{a}, literal
		default:
			found = append(found, a)
		}
	}
	return found
}

// pathValues are the values that path has where template has parameters, and how
// many segments the two have in common.
func pathValues(template, path string) (values []given, literal int, ok bool) {
	for _, optional := range []bool{false, true} {
		if values, literal, ok = matchPath(template, path, optional); ok {
			return values, literal, ok
		}
	}
	return nil, 0, false
}

func matchPath(template, path string, optional bool) (values []given, literal int, ok bool) {
	plain, names := parseTemplate(template, optional)
	path, _, _ = strings.Cut(path, "?")
	have := slices.DeleteFunc(strings.Split(strings.TrimPrefix(path, "/api/v4"), "/"), func(s string) bool { return s == "" || s == "-" })
	want := strings.Split(strings.TrimPrefix(plain, "/"), "/")
	if len(have) != len(want) {
		return nil, 0, false
	}
	for i, segment := range want {
		before, after, parameter := strings.Cut(segment, "{}")
		switch {
		case !parameter:
			if !strings.EqualFold(have[i], segment) {
				return nil, 0, false
			}
			literal++
			continue
		case strings.Contains(after, "{}"), len(names) == 0:
			return nil, 0, false // where one value ends and the next begins is anyone's guess
		}
		name := names[0]
		names = names[1:]
		raw, starts := strings.CutPrefix(have[i], before)
		raw, ends := strings.CutSuffix(raw, after)
		if !starts || !ends || raw == "" {
			return nil, 0, false
		}
		if raw[0] == ':' || raw[0] == '*' || raw[0] == '{' {
			continue // a placeholder: the value is among the arguments
		}
		value, err := url.PathUnescape(raw)
		if err != nil {
			return nil, 0, false
		}
		values = append(values, given{name, scan.AppendQuoted(nil, value)})
	}
	return values, literal, true
}

// takeQuery takes the query of a request line for arguments, unless they are
// given apart.
func (x *execution) takeQuery() {
	_, path := operationLine(trimName(x.call.Action))
	_, query, ok := strings.Cut(path, "?")
	if !ok {
		return
	}
	var all []given
	for pair := range strings.SplitSeq(query, "&") {
		key, value, _ := strings.Cut(pair, "=")
		key, errKey := url.QueryUnescape(key)
		value, errValue := url.QueryUnescape(value)
		if key == "" || errKey != nil || errValue != nil {
			continue
		}
		list := strings.HasSuffix(key, "[]")
		key = strings.TrimSuffix(key, "[]")
		quoted := scan.AppendQuoted(nil, value)
		i := slices.IndexFunc(all, func(g given) bool { return g.wire == key })
		switch {
		case i < 0 && list:
			all = append(all, given{key, slices.Concat([]byte{'['}, quoted, []byte{']'})})
		case i < 0:
			all = append(all, given{key, quoted})
		case list && all[i].value[0] == '[':
			all[i].value = slices.Concat(all[i].value[:len(all[i].value)-1], []byte{','}, quoted, []byte{']'})
		default:
			all[i].value = quoted // the last one counts, as it does for GitLab
		}
	}
	for _, g := range all {
		name := g.wire
		for p := range x.action.Params() {
			if p.In() == catalog.InQuery && strings.TrimSuffix(p.Wire(), "[]") == g.wire {
				name = p.Name()
			}
		}
		if !x.r.Has(name) {
			x.r.Put(name, g.value)
		}
	}
}

// takePath takes the values in the path of a request line for arguments, unless
// they are given apart.
func (x *execution) takePath() {
	_, path := operationLine(trimName(x.call.Action))
	if path == "" {
		return
	}
	values, _, _ := pathValues(x.action.Path(), path)
	for _, g := range values {
		for p := range x.action.Params() {
			if p.In() == catalog.InPath && p.Wire() == g.wire && !x.r.Has(p.Name()) {
				x.r.Put(p.Name(), g.value)
			}
		}
	}
}

// trimName is the name of an action without the marks that models put around it.
func trimName(name string) string { return strings.Trim(strings.TrimSpace(name), "`\"'") }

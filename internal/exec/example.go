package exec

import (
	"slices"
	"strconv"
	"strings"

	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/render"
	"gitlab-mcp-server/internal/scan"
)

// invalid is the failure for arguments with problems, with an example call that
// keeps what was right.
func (x *execution) invalid(problems []arg.Problem) *Failure {
	f := &Failure{Code: CodeInvalidParams, Problems: problems}
	var lines []string
	for _, p := range problems {
		lines = append(lines, p.String())
	}
	f.Message = strings.Join(lines, "; ")
	if !x.action.Valid() {
		return f
	}
	f.Hint = "nothing was sent; gitlab://tools/" + x.action.ID() + " has all parameters"
	f.Example = x.example(problems)
	return f
}

// example is {"action":…,"params":…}: the caller's params with the problems
// mended, by the near names and values where there are some, else from the
// action's own example.
func (x *execution) example(problems []arg.Problem) []byte {
	m := mender{x: x, values: map[string]string{}}
	for key := range x.r.Keys() {
		raw, _ := x.r.Raw(key)
		m.set(key, string(raw))
	}
	for _, p := range problems {
		m.mend(p)
	}
	m.complete()
	b := scan.AppendQuoted([]byte(`{"action":`), x.action.ID())
	b = append(b, `,"params":{`...)
	for i, name := range m.order {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(scan.AppendQuoted(b, name), ':')
		b = append(b, shorten(m.values[name])...)
	}
	b = append(b, "}}"...)
	masked, _ := render.Mask(b)
	return masked
}

// mender holds the arguments of an example: values as JSON, by name, in order.
type mender struct {
	x      *execution
	values map[string]string
	order  []string
}

func (m *mender) set(name, value string) {
	if _, ok := m.values[name]; !ok {
		m.order = append(m.order, name)
	}
	m.values[name] = value
}

func (m *mender) drop(name string) {
	if _, ok := m.values[name]; !ok {
		return
	}
	delete(m.values, name)
	kept := m.order[:0]
	for _, n := range m.order {
		if n != name {
			kept = append(kept, n)
		}
	}
	m.order = kept
}

// rename moves a value to the argument that was perhaps meant, in its place, and
// drops it where there is none or that one has a value.
func (m *mender) rename(from, to string) {
	_, isParam := m.x.action.ParamNamed(to)
	_, given := m.values[to]
	i := slices.Index(m.order, from)
	if !isParam || given || i < 0 {
		m.drop(from)
		return
	}
	m.order[i], m.values[to] = to, m.values[from]
	delete(m.values, from)
}

// mend mends one problem. What is inside an object or array is replaced as a whole.
func (m *mender) mend(p arg.Problem) {
	root := p.Path
	if _, given := m.values[root]; !given { // a name may have dots and brackets itself
		if i := strings.IndexAny(root, ".["); i >= 0 {
			root = root[:i]
		}
	}
	param, known := m.x.action.ParamNamed(root)
	_, has := m.values[root]
	switch {
	case p.Code == arg.Missing && has && root == p.Path && m.values[root] != "null" && m.values[root] != `""`:
		// An unknown name has been mended to it before.
	case root != p.Path && !known:
		m.drop(root)
	case root != p.Path && p.Code == arg.Unknown && p.Near == "" && !param.Required():
		m.replace(param)
	case p.Code == arg.Unknown:
		m.rename(root, p.Near)
	case !known:
		m.drop(root)
	case root == p.Path && p.Code == arg.NotInEnum && p.Near != "" && param.Type() != catalog.TypeArray:
		m.set(root, string(literal(param.Type(), p.Near)))
	default:
		m.replace(param)
	}
}

// replace gives an argument a value that is surely of the right form, or drops
// one that is optional and has none.
func (m *mender) replace(p catalog.Param) {
	if v, ok := scan.Get(m.x.action.Example(), p.Name()); ok {
		m.set(p.Name(), v)
		return
	}
	// What guides an action of our own rests on other arguments: none is better than
	// one without them.
	guide := p.In() == catalog.InLocal && p.Name() != "all_pages"
	if p.Required() || (isScalar(p.Type()) && !guide) {
		m.set(p.Name(), placeholder(m.x.action, p))
		return
	}
	m.drop(p.Name())
}

func isScalar(t catalog.Type) bool { return t <= catalog.TypeID }

// complete adds the required arguments that are missing, and makes the rules over
// several arguments hold.
func (m *mender) complete() {
	for p := range m.x.action.Params() {
		if _, ok := m.values[p.Name()]; !ok && p.Required() {
			m.replace(p)
		}
	}
	for rule, names := range m.x.action.Rules() {
		var given, free []string
		for n := range names {
			if _, ok := m.values[n]; ok {
				given = append(given, n)
			} else {
				free = append(free, n)
			}
		}
		switch {
		case (rule == "exactly_one" || rule == "at_most_one") && len(given) > 1:
			for _, n := range given[1:] {
				m.drop(n)
			}
		case rule == "all_or_none" && slices.ContainsFunc(free, m.excluded):
			for _, n := range given {
				m.drop(n)
			}
		case (rule == "exactly_one" || rule == "one_of") && len(given) == 0 && len(free) > 0,
			rule == "all_or_none" && len(given) > 0:
			if rule != "all_or_none" {
				free = free[:1]
			}
			for _, n := range free {
				if p, ok := m.x.action.ParamNamed(n); ok {
					m.set(n, placeholder(m.x.action, p))
				}
			}
		}
	}
}

// excluded reports whether an argument cannot be added, because another stands
// there that excludes it.
func (m *mender) excluded(name string) bool {
	for rule, names := range m.x.action.Rules() {
		if rule != "exactly_one" && rule != "at_most_one" {
			continue
		}
		in, other := false, false
		for n := range names {
			_, given := m.values[n]
			in, other = in || n == name, other || n != name && given
		}
		if in && other {
			return true
		}
	}
	return false
}

// shorten cuts a value that would drown the example.
func shorten(v string) string {
	const longest = 200
	if len(v) <= longest {
		return v
	}
	if scan.KindOf(v) == scan.String {
		s := []rune(scan.Unquoted(v))
		return string(scan.AppendQuoted(nil, string(s[:min(len(s), longest/2)])+"…"))
	}
	if n := scan.Len(v); n > 0 && len(v) > 10*longest {
		return `"… ` + strconv.Itoa(n) + ` parts …"`
	}
	return v
}

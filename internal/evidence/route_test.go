package evidence

import (
	"regexp"
	"strings"
	"sync"

	"gitlab-mcp-server/gen/ir"
)

// template is a path template, ready to match.
type template struct {
	re    *regexp.Regexp
	names []string // public names of the parameters
}

var templates sync.Map // *ir.Action → template

func templateOf(a *ir.Action) (*regexp.Regexp, []string) {
	if got, ok := templates.Load(a); ok {
		return got.(template).re, got.(template).names
	}
	splat := map[string]bool{}
	for _, p := range a.Params {
		splat[p.Name] = p.In == ir.Path && p.Splat
	}
	tm := compile(a.WirePath, splat)
	templates.Store(a, tm)
	return tm.re, tm.names
}

// compile reads a template with {name}, {/name} and {.name}.
func compile(path string, splat map[string]bool) template {
	var b strings.Builder
	var tm template
	b.WriteString("^")
	for rest := path; rest != ""; {
		literal, after, found := strings.Cut(rest, "{")
		b.WriteString(regexp.QuoteMeta(literal))
		if !found {
			break
		}
		name, tail, _ := strings.Cut(after, "}")
		rest = tail
		plain := strings.TrimLeft(name, "/.")
		group := "([^/]+)"
		if splat[plain] {
			group = "(.+)"
		}
		if mark := name[:len(name)-len(plain)]; mark != "" {
			group = "(?:" + regexp.QuoteMeta(mark) + group + ")?"
		}
		b.WriteString(group)
		tm.names = append(tm.names, plain)
	}
	tm.re = regexp.MustCompile(b.String() + "$")
	return tm
}

// optional are the pieces of upstream's templates that may be absent.
var optional = strings.NewReplacer("(-/)", "", "(ref/{ref}/)", "", "(/{settings_context_hash})", "", `\(`, "(", `\)`, ")")

// routes finds operations by method and path.
type routes struct {
	actions  []*ir.Action
	excluded []excluded
}

type excluded struct {
	rule string
	op   *ir.Operation
	re   *regexp.Regexp
}

func newRoutes(cat *ir.Catalog) *routes {
	r := &routes{}
	for _, a := range cat.Actions {
		if a.Op != nil {
			r.actions = append(r.actions, a)
		}
	}
	for _, e := range cat.Excluded {
		r.excluded = append(r.excluded, excluded{e.Rule, e.Op, compile(optional.Replace(e.Op.Path), nil).re})
	}
	return r
}

// action is the action of a request, nil if there is none.
func (r *routes) action(w *wire) *ir.Action {
	for _, path := range spellings(w.path) {
		if a := r.at(w.method, path); a != nil {
			return a
		}
	}
	return nil
}

// spellings are a path and those that GitLab reads alike: without the piece /-/
// that may be absent, and with single slashes.
func spellings(path string) []string {
	return []string{path, strings.Replace(path, "/-/", "/", 1), strings.ReplaceAll(path, "//", "/")}
}

// at is the action whose template has the fewest parameters, as routers choose.
func (r *routes) at(method, path string) *ir.Action {
	var best *ir.Action
	for _, a := range r.actions {
		if re, names := templateOf(a); a.Method == method && re.MatchString(path) {
			if best == nil || moreLiteral(names, a.WirePath, best) {
				best = a
			}
		}
	}
	return best
}

func moreLiteral(names []string, path string, than *ir.Action) bool {
	_, others := templateOf(than)
	if len(names) != len(others) {
		return len(names) < len(others)
	}
	return len(path) > len(than.WirePath)
}

// exclusion is the rule by which a request has no action, "" if GitLab's document
// does not have it.
func (r *routes) exclusion(w *wire) string {
	rule, params := "", 99
	for _, e := range r.excluded {
		if n := strings.Count(e.op.Path, "{"); e.op.Method == w.method && n < params && e.re.MatchString(w.path) {
			rule, params = e.rule, n
		}
	}
	return rule
}

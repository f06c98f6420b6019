package exec

import (
	"strconv"
	"strings"

	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/render"
	"gitlab-mcp-server/internal/scan"
)

// locals are arguments that never reach GitLab by themselves.
type locals struct {
	allPages bool
	cursor   string
	lines    render.Lines
}

// readLocals reads the arguments that this package understands: those that the
// catalog declares as local, and the paging ones of every list. A declared local
// argument of any other name stays in the Reader, where it is an unknown one.
func (x *execution) readLocals() {
	a, r := x.action, x.r
	l := &x.local
	if x.hasLocal("all_pages") || (a.Kind() == catalog.List && !x.isParam("all_pages")) {
		l.allPages = r.Bool("all_pages", 0).V
	}
	if x.hasLocal("cursor") || (a.Keyset() != "" && !x.isParam("cursor")) {
		l.cursor = r.String("cursor", arg.Filter).V
	}
	if x.selects("tail") {
		l.lines.Tail = x.count("tail")
	}
	if x.selects("offset") {
		l.lines.Offset = x.count("offset")
	}
	if x.selects("grep") {
		l.lines.Grep = r.String("grep", arg.Filter).V
	}
	if x.selects("start_line") {
		l.lines.From = x.count("start_line")
	}
	if x.selects("end_line") {
		l.lines.To = x.count("end_line")
	}
	if x.selects("lines") {
		x.lineRange(r.String("lines", arg.Filter).V)
	}
	x.clampPerPage()
}

// Locals are the names of the local arguments that this package understands.
// The catalog may declare them for any action that is a request.
var Locals = []string{"all_pages", "cursor", "tail", "grep", "offset", "start_line", "end_line", "lines"}

// selects reports whether a local argument that selects lines has its meaning
// here: every text has lines.
func (x *execution) selects(name string) bool {
	return x.hasLocal(name) || (x.action.Kind() == catalog.Text && !x.isParam(name))
}

// hasLocal reports whether the catalog declares a local argument of that name.
func (x *execution) hasLocal(name string) bool {
	p, ok := x.action.ParamNamed(name)
	return ok && p.In() == catalog.InLocal
}

// isParam reports whether GitLab's operation has an argument of that name.
func (x *execution) isParam(name string) bool {
	p, ok := x.action.ParamNamed(name)
	return ok && p.In() != catalog.InLocal
}

// count is a local argument that counts lines.
func (x *execution) count(name string) int {
	v := x.r.IntRange(name, 0, "0", "1000000000")
	n, err := strconv.Atoi(v.V)
	if err != nil {
		return 0 // absent, or a problem that the Reader reports
	}
	return n
}

// lineRange reads "10-20", "10-" and "10".
func (x *execution) lineRange(s string) {
	if s = strings.TrimSpace(s); s == "" {
		return
	}
	first, last, isRange := strings.Cut(s, "-")
	from, err := strconv.Atoi(strings.TrimPrefix(strings.TrimSpace(first), "L"))
	to := from
	if err == nil && isRange {
		to = 0
		if last = strings.TrimPrefix(strings.TrimSpace(last), "L"); last != "" {
			to, err = strconv.Atoi(last)
		}
	}
	if err != nil || from < 1 || to < 0 || (to != 0 && to < from) {
		x.r.Problem(arg.Problem{Path: "lines", Code: arg.Invalid, Expected: "a line or a range of lines such as 10-20"})
		return
	}
	x.local.lines.From, x.local.lines.To = from, to
}

// maxPerPage is what GitLab gives at most, silently, whatever is asked for. Few
// lists give less.
const maxPerPage = 100

// mostPerPage is the greatest page size of the action's list.
func (x *execution) mostPerPage() int {
	properties, _ := scan.Get(x.action.Schema(), "properties")
	schema, _ := scan.Get(properties, "per_page")
	most, _ := scan.Get(schema, "maximum")
	if n, err := strconv.Atoi(most); err == nil && n > 0 {
		return min(n, maxPerPage)
	}
	return maxPerPage
}

// clampPerPage lowers a page size above GitLab's limit, so that the page numbers
// of the answer mean what the caller expects.
func (x *execution) clampPerPage() {
	p, ok := x.action.ParamNamed("per_page")
	if !ok || (p.In() != catalog.InQuery && p.In() != catalog.InVariable) {
		return
	}
	most := strconv.Itoa(x.mostPerPage())
	if x.r.Has("per_page") {
		x.r.Clamp("per_page", most)
	} else if x.local.allPages {
		x.r.Put("per_page", []byte(most))
	}
}

// page puts a cursor into the request.
func (x *execution) page() {
	if x.local.cursor == "" {
		return
	}
	wire := x.action.Keyset()
	if wire == "" {
		wire = "cursor"
	}
	x.q.SetQuery(wire, x.local.cursor)
	if p, ok := x.action.ParamNamed("pagination"); ok && p.In() == catalog.InQuery {
		if _, given := x.q.Query(p.Wire()); !given {
			x.q.SetQuery(p.Wire(), "keyset")
		}
	}
}

package render

import (
	"slices"
	"strconv"
	"strings"

	"gitlab-mcp-server/internal/scan"
)

// list renders a list: a table for objects, a list of lines for anything else.
// items may be fewer than total if the budget cut them.
func (d *doc) list(opts *Options, items [][]byte, total int, page *Pagination) {
	d.title(opts.Title)
	d.line(counted(len(items), total, page))
	if len(items) == 0 {
		return
	}
	for _, e := range items {
		if scan.KindOf(e) != scan.Object {
			d.lines(items)
			return
		}
	}
	if isDiffs(items) {
		d.diffs(items)
		return
	}
	d.table(items, columns(opts, items))
}

func (d *doc) lines(items [][]byte) {
	for _, e := range items {
		if k := scan.KindOf(e); k == scan.Array || k == scan.Object {
			d.item(code(clip(string(e), maxFact)))
			continue
		}
		d.item(short(plainText(e, 0), maxFact))
	}
}

// counted says how many items there are, here and in all, as far as GitLab says.
func counted(shown, onPage int, p *Pagination) string {
	s := plural(shown, "item")
	if shown < onPage {
		s = strconv.Itoa(shown) + " of the " + plural(onPage, "item") + " of this page"
	}
	switch {
	case p.HasTotal && p.Total > shown:
		s += ", " + strconv.Itoa(p.Total) + " in all"
	case p.HasMore:
		s += ", more than these in all"
	}
	if p.Page > 1 || p.Page > 0 && p.HasMore {
		s += "; page " + strconv.Itoa(p.Page)
	}
	switch {
	case p.NextCursor != "":
		s += "; next: " + code("cursor: "+strconv.Quote(p.NextCursor))
	case p.NextPage > 0:
		s += "; next: " + code("page: "+strconv.Itoa(p.NextPage))
	}
	return s + "."
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// maxColumns is the width of a derived table.
const maxColumns = 7

// preferred are the members that people look at first, in the order of a table.
func preferred() []string {
	return []string{
		"iid", "id", "short_id", "key", "tag_name", "title", "name", "path_with_namespace", "full_path", "username", "file_path",
		"new_path", "path", "filename", "ref", "target_title", "action_name", "status", "state", "stage", "body", "message", "type", "value", "environment_scope",
		"access_level", "author", "author_name", "user", "assignees", "labels", "milestone", "visibility", "commit", "default", "protected", "merged",
		"active", "color", "created_at", "updated_at", "last_activity_at", "due_date", "expires_at",
	}
}

// instead names what makes a column needless if it is there too.
func instead(name string) []string {
	switch name {
	case "id":
		return []string{"iid", "short_id", "tag_name"}
	case "name":
		return []string{"path_with_namespace", "title", "tag_name"}
	case "path":
		return []string{"path_with_namespace", "full_path"}
	case "message":
		return []string{"title"}
	case "author_name":
		return []string{"author"}
	case "updated_at", "last_activity_at":
		return []string{"created_at"}
	}
	return nil
}

// columns are the dotted fields that the table shows.
func columns(opts *Options, items [][]byte) []string {
	if len(opts.Fields) > 0 {
		if cols := leaves(items[0], "", 0); len(cols) > 0 && len(cols) <= 2*maxColumns {
			return cols
		}
	}
	if len(opts.Columns) > 0 {
		// A projection or an old GitLab may have left columns empty.
		var cols []string
		for _, c := range opts.Columns {
			if slices.ContainsFunc(items, func(e []byte) bool { return dotted(e, c) != nil }) {
				cols = append(cols, c)
			}
		}
		if len(cols) > 0 {
			return cols
		}
	}
	has := map[string]bool{}
	var order []string // names in the order of the items
	for _, e := range items[:min(len(items), 10)] {
		for k, v := range scan.Members(e) {
			name := scan.Key(k)
			if _, seen := has[name]; !seen {
				order = append(order, name)
				has[name] = false
			}
			if scan.KindOf(v) != scan.Null && string(v) != `""` && string(v) != "[]" {
				has[name] = true
			}
		}
	}
	var cols []string
	for _, name := range preferred() {
		if has[name] && len(cols) < maxColumns && !slices.ContainsFunc(instead(name), func(n string) bool { return has[n] }) {
			cols = append(cols, name)
		}
	}
	for _, name := range order {
		if len(cols) >= min(maxColumns, 4) {
			break
		}
		if !slices.Contains(cols, name) && has[name] && !strings.HasSuffix(name, "_url") && !strings.HasPrefix(name, "_") {
			cols = append(cols, name)
		}
	}
	if len(cols) == 0 {
		cols = order[:min(len(order), maxColumns)]
	}
	return cols
}

// leaves are the dotted paths of a projected item, in its order.
func leaves(item []byte, prefix string, depth int) []string {
	var paths []string
	for k, v := range scan.Members(item) {
		path := join(prefix, scan.Key(k))
		if scan.KindOf(v) == scan.Object && depth < 2 && scan.Len(v) <= 3 && scan.Len(v) > 0 {
			paths = append(paths, leaves(v, path, depth+1)...)
			continue
		}
		paths = append(paths, path)
	}
	return paths
}

// dotted is the value at a dotted path, nil if there is none.
func dotted(v []byte, path string) []byte {
	for path != "" {
		if e, ok := scan.Get(v, path); ok { // a name that has dots itself
			return e
		}
		name, rest, _ := strings.Cut(path, ".")
		e, ok := scan.Get(v, strings.TrimSuffix(name, "[]"))
		if !ok {
			return nil
		}
		v, path = e, rest
	}
	return v
}

// table renders objects, a line each. Without columns, where a projection left
// nothing, there is no table.
func (d *doc) table(items [][]byte, cols []string) {
	if len(cols) == 0 {
		return
	}
	heads := make([]string, 0, len(cols)+1)
	for _, c := range cols {
		name, _, _ := strings.Cut(c, ".")
		heads = append(heads, name)
	}
	heads = append(heads, "web_url")
	linked := slices.IndexFunc(cols, func(c string) bool {
		switch c {
		case "title", "name", "path_with_namespace", "full_path", "username", "target_title":
			return true
		}
		return false
	})
	if linked < 0 {
		linked = 0
	}
	d.apart()
	b := &d.b
	for _, c := range cols {
		b.WriteString("| " + Escape(clip(c, maxCell)) + " ")
	}
	b.WriteString("|\n" + strings.Repeat("|---", len(cols)) + "|\n")
	for _, e := range items {
		vs := pick(e, heads...)
		url := ""
		if u := vs[len(cols)]; u != nil {
			url = plainText(u, 0)
		}
		for i, c := range cols {
			v := vs[i]
			if v == nil { // the same member twice, or a name with dots
				v = dotted(e, c)
			} else if _, rest, ok := strings.Cut(c, "."); ok {
				v = dotted(v, rest)
			}
			limit := maxCell
			if c == "body" || c == "message" || c == "description" {
				limit = maxBody
			}
			cell := short(plainText(v, 0), limit)
			if i == linked {
				cell = link(cell, url)
			}
			b.WriteString("| " + cell + " ")
		}
		b.WriteString("|\n")
	}
}

package sim

import (
	"slices"
	"strings"
)

// filtered applies the filters that every list has: a query parameter with the
// name of a scalar field, and search over names and texts; then order_by and sort.
func (c *call) filtered(docs []*object) []*object {
	out := slices.DeleteFunc(slices.Clone(docs), func(d *object) bool { return !c.keeps(d) })
	by := c.query.str("order_by")
	if by == "" {
		by = "created_at"
	}
	c.sort(out, by, c.query.str("sort"))
	return out
}

func (c *call) keeps(d *object) bool {
	for _, m := range c.query.members {
		switch m.name {
		case "page", "per_page", "order_by", "sort":
			continue
		case "search":
			if !contains(d, text(m.value), "name", "title", "description", "username", "path", "key") {
				return false
			}
			continue
		}
		switch have := d.get(m.name).(type) {
		case string, number, int64, bool:
			if want, isText := m.value.(string); isText && want != "all" && text(have) != want {
				return false
			}
		}
	}
	return true
}

// contains is true if one of the fields has the text, whatever the case.
func contains(d *object, what string, fields ...string) bool {
	what = strings.ToLower(what)
	for _, f := range fields {
		if strings.Contains(strings.ToLower(d.str(f)), what) {
			return true
		}
	}
	return false
}

// sort orders items by a field. Without a direction the stored order stays.
func (c *call) sort(docs []*object, by, direction string) {
	if direction == "" {
		return
	}
	slices.SortStableFunc(docs, func(a, b *object) int {
		n := compare(a.get(by), b.get(by))
		if direction == "desc" {
			return -n
		}
		return n
	})
}

func compare(a, b any) int {
	x, isNumber := a.(int64)
	y, both := b.(int64)
	if isNumber && both {
		return int(max(min(x-y, 1), -1))
	}
	return strings.Compare(text(a), text(b))
}

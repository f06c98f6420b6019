package sim

import (
	"slices"
	"strings"
)

// wants applies the filters that issues and merge requests share.
func (c *call) wants(i *object, scope string) bool {
	q := c.query
	if s := q.str("scope"); s != "" {
		scope = strings.ReplaceAll(s, "-", "_")
	}
	me := c.user().str("id")
	switch {
	case scope == "created_by_me" && i.sub("author").str("id") != me,
		scope == "assigned_to_me" && !hasUser(i.list("assignees"), me),
		scope == "reviews_for_me" && !hasUser(i.list("reviewers"), me):
		return false
	}
	if !c.matches(i, q) {
		return false
	}
	if s := q.str("state"); s != "" && s != "all" && s != i.str("state") {
		return false
	}
	if ids := texts(q.get("iids")); ids != nil && !slices.Contains(ids, i.str("iid")) {
		return false
	}
	if s := q.str("search"); s != "" {
		fields := texts(q.get("in"))
		if fields == nil {
			fields = []string{"title", "description"}
		}
		if !contains(i, s, fields...) {
			return false
		}
	}
	for name, field := range map[string]string{"created_": "created_at", "updated_": "updated_at"} {
		if after := q.str(name + "after"); after != "" && i.str(field) < after {
			return false
		}
		if before := q.str(name + "before"); before != "" && i.str(field) > before {
			return false
		}
	}
	return q.sub("not") == nil || len(q.sub("not").members) == 0 || !c.matches(i, q.sub("not"))
}

// matches applies the filters that can also be negated.
func (c *call) matches(i *object, q *object) bool {
	for _, l := range texts(q.get("labels")) {
		switch l {
		case "None":
			if len(i.list("labels")) > 0 {
				return false
			}
		case "Any":
			if len(i.list("labels")) == 0 {
				return false
			}
		default:
			if !hasText(i.list("labels"), l) {
				return false
			}
		}
	}
	for _, name := range [...]string{"author_id", "author_username"} {
		if want := q.str(name); want != "" && !hasUser([]any{i.sub("author")}, want) {
			return false
		}
	}
	for _, name := range [...]string{"assignee_id", "assignee_username"} {
		for _, want := range texts(q.get(name)) {
			switch {
			case want == "None" && len(i.list("assignees")) == 0, want == "Any" && len(i.list("assignees")) > 0:
			case !hasUser(i.list("assignees"), want):
				return false
			}
		}
	}
	for _, name := range [...]string{"reviewer_id", "reviewer_username"} {
		if want := q.str(name); want != "" && !hasUser(i.list("reviewers"), want) {
			return false
		}
	}
	switch m := q.str("milestone"); m {
	case "":
	case "None":
		return i.sub("milestone") == nil
	case "Any":
		return i.sub("milestone") != nil
	default:
		if i.sub("milestone").str("title") != m {
			return false
		}
	}
	for _, name := range [...]string{"confidential", "issue_type", "source_branch", "target_branch", "draft"} {
		if want := q.str(name); want != "" && want != i.str(name) {
			return false
		}
	}
	return true
}

// order sorts as order_by and sort say; the newest first without them.
func (c *call) order(list []*object) {
	by, direction := c.query.str("order_by"), c.query.str("sort")
	if by == "" {
		by = "created_at"
	}
	if direction == "" {
		direction = "desc"
	}
	slices.SortStableFunc(list, func(a, b *object) int {
		n := compare(a.get(by), b.get(by))
		if n == 0 {
			n = compare(a.get("id"), b.get("id"))
		}
		if direction == "desc" {
			return -n
		}
		return n
	})
}

// mentions is true if a text has a reference that does not go on with a digit.
func mentions(s, ref string) bool {
	for {
		i := strings.Index(s, ref)
		if i < 0 {
			return false
		}
		s = s[i+len(ref):]
		if s == "" || s[0] < '0' || s[0] > '9' {
			return true
		}
	}
}

package sim

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"gitlab-mcp-server/internal/catalog"
)

// maxPerPage is the most items that GitLab gives in one page.
const maxPerPage = 100

// listed answers with one page of items.
func (c *call) listed(docs []*object) (reply, error) {
	list := make([]any, len(docs))
	for i, d := range docs {
		list[i] = d
	}
	return c.page(list)
}

// page answers with one page of a list: by cursor where the action has one and
// the request asks for it, else by number; or with everything, if the action
// knows no pages.
func (c *call) page(list []any) (reply, error) {
	a := c.route.action
	if !a.Valid() || !a.Has(catalog.Paged) && a.Keyset() == "" {
		return ok(list)
	}
	per := clamp(c.query.str("per_page"), 20, maxPerPage)
	byCursor := a.Keyset() != "" && (c.query.has(a.Keyset()) || c.query.str("pagination") == "keyset" || !c.route.contract().hasPage())
	if byCursor {
		return c.keyset(list, per)
	}
	page := clamp(c.query.str("page"), 1, 1<<30)
	pages := (len(list) + per - 1) / per
	from := min((page-1)*per, len(list))
	to := min(from+per, len(list))
	h := http.Header{}
	set := func(name string, n int, known bool) {
		v := ""
		if known {
			v = strconv.Itoa(n)
		}
		h.Set(name, v)
	}
	set("X-Total", len(list), true)
	set("X-Total-Pages", pages, true)
	set("X-Per-Page", per, true)
	set("X-Page", page, true)
	set("X-Next-Page", page+1, page < pages)
	set("X-Prev-Page", page-1, page > 1)
	var links []string
	link := func(rel string, n int) {
		links = append(links, c.link(rel, "page", strconv.Itoa(n), "per_page", strconv.Itoa(per)))
	}
	if page > 1 {
		link("prev", page-1)
	}
	if page < pages {
		link("next", page+1)
	}
	link("first", 1)
	link("last", max(pages, 1))
	h.Set("Link", strings.Join(links, ", "))
	return reply{status: http.StatusOK, value: slices.Clone(list[from:to]), header: h}, nil
}

func (s *spec) hasPage() bool { return s.query["page"] != nil }

// keyset answers with the items behind a cursor and links to the next ones. The
// cursor names the last item: openly where the parameter is an id or name, else
// in a form that nobody is to read.
func (c *call) keyset(list []any, per int) (reply, error) {
	param := c.route.action.Keyset()
	opaque := param == "cursor"
	from := 0
	if after := c.query.str(param); after != "" {
		if opaque {
			b, err := base64.RawURLEncoding.DecodeString(after)
			if err != nil {
				return reply{}, badRequest("%s is invalid: it is no cursor of an earlier answer", param)
			}
			after = string(b)
		}
		i := slices.IndexFunc(list, func(v any) bool { return mark(v) == after })
		from = i + 1
	}
	to := min(from+per, len(list))
	h := http.Header{}
	h.Set("X-Per-Page", strconv.Itoa(per))
	if to < len(list) && to > 0 {
		next := mark(list[to-1])
		if opaque {
			next = base64.RawURLEncoding.EncodeToString([]byte(next))
			h.Set("X-Next-Cursor", next)
		}
		h.Set("Link", c.link("next", param, next, "per_page", strconv.Itoa(per)))
	}
	return reply{status: http.StatusOK, value: slices.Clone(list[from:to]), header: h}, nil
}

// mark is what a cursor names an item by.
func mark(v any) string {
	o, _ := v.(*object)
	for _, name := range [...]string{"id", "name", "tag_name", "key"} {
		if s := o.str(name); s != "" {
			return s
		}
	}
	return ""
}

// link is one element of a Link header: the request with other paging.
func (c *call) link(rel string, pairs ...string) string {
	raw, query := rawTarget(c.req)
	var keep []string
	for part := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(part, "=")
		if part != "" && !slices.Contains(pairs, name) {
			keep = append(keep, part)
		}
	}
	for i := 0; i < len(pairs); i += 2 {
		keep = append(keep, pairs[i]+"="+url.QueryEscape(pairs[i+1]))
	}
	return "<" + c.origin() + raw + "?" + strings.Join(keep, "&") + `>; rel="` + rel + `"`
}

// origin is the scheme and host that the request came to.
func (c *call) origin() string {
	scheme := "http"
	if c.req.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + c.req.Host
}

func clamp(s string, byDefault, most int) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return byDefault
	}
	return min(n, most)
}

package render

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"gitlab-mcp-server/internal/scan"
)

// Pagination is where a list stands among its pages. Zero numbers and empty
// texts are unknown, and null in JSON.
type Pagination struct {
	Page, PerPage, NextPage int
	NextCursor              string
	Total                   int  // valid if HasTotal
	HasTotal                bool // GitLab leaves totals out above 10,000
	HasMore                 bool
}

// PaginationOf reads GitLab's paging headers: X-Page, X-Per-Page, X-Next-Page,
// X-Total, X-Next-Cursor, and Link with cursor, page_token or id_after.
func PaginationOf(h http.Header) Pagination {
	var p Pagination
	p.Page, _ = count(h.Get("X-Page"))
	p.PerPage, _ = count(h.Get("X-Per-Page"))
	p.NextPage, _ = count(h.Get("X-Next-Page"))
	p.Total, p.HasTotal = count(h.Get("X-Total"))
	p.NextCursor = h.Get("X-Next-Cursor")
	if next := NextQuery(h); next != nil {
		p.HasMore = true
		if p.PerPage == 0 {
			p.PerPage, _ = count(next.Get("per_page"))
		}
		page, numbered := count(next.Get("page"))
		if p.NextPage == 0 && numbered {
			p.NextPage = page
		}
		if p.NextCursor == "" {
			p.NextCursor = nextCursor(next, numbered)
		}
	}
	if p.NextPage > 0 || p.NextCursor != "" {
		p.HasMore = true
	}
	return p
}

// nextCursor is the cursor in the query of a link to the next page. A list that
// goes by page numbers may have id_after as a filter.
func nextCursor(q url.Values, numbered bool) string {
	for _, name := range [...]string{"cursor", "page_token"} {
		if v := q.Get(name); v != "" {
			return v
		}
	}
	if numbered && q.Get("pagination") != "keyset" {
		return ""
	}
	return q.Get("id_after")
}

func count(s string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	return n, err == nil && n >= 0
}

// NextQuery is the query of the Link with rel="next", nil if there is none. It
// holds the cursor of a list by keyset, and repeats the filters.
func NextQuery(header http.Header) url.Values {
	for _, h := range header.Values("Link") {
		for h != "" {
			_, rest, ok := strings.Cut(h, "<")
			if !ok {
				break
			}
			target, rest, ok := strings.Cut(rest, ">")
			if !ok {
				break
			}
			params := rest
			if i := strings.IndexByte(rest, '<'); i >= 0 {
				params = rest[:i]
			}
			h = rest
			if !isNext(params) {
				continue
			}
			u, err := url.Parse(target)
			if err != nil {
				continue // a link that cannot be read leads nowhere
			}
			return u.Query()
		}
	}
	return nil
}

// isNext reports whether the parameters of a link say rel=next.
func isNext(params string) bool {
	for p := range strings.FieldsFuncSeq(params, func(c rune) bool { return c == ';' || c == ',' }) {
		name, value, _ := strings.Cut(p, "=")
		if !strings.EqualFold(strings.TrimSpace(name), "rel") {
			continue
		}
		for rel := range strings.FieldsSeq(strings.Trim(strings.TrimSpace(value), `"`)) {
			if strings.EqualFold(rel, "next") {
				return true
			}
		}
	}
	return false
}

// AppendJSON appends the object that stands beside a list's items: page,
// per_page, next_page, next_cursor, total, has_more.
func (p Pagination) AppendJSON(dst []byte) []byte {
	dst = appendCount(append(dst, `{"page":`...), p.Page, p.Page > 0)
	dst = appendCount(append(dst, `,"per_page":`...), p.PerPage, p.PerPage > 0)
	dst = appendCount(append(dst, `,"next_page":`...), p.NextPage, p.NextPage > 0)
	dst = append(dst, `,"next_cursor":`...)
	if p.NextCursor == "" {
		dst = append(dst, "null"...)
	} else {
		dst = scan.AppendQuoted(dst, p.NextCursor)
	}
	dst = appendCount(append(dst, `,"total":`...), p.Total, p.HasTotal)
	return append(strconv.AppendBool(append(dst, `,"has_more":`...), p.HasMore), '}')
}

func appendCount(dst []byte, n int, known bool) []byte {
	if !known {
		return append(dst, "null"...)
	}
	return strconv.AppendInt(dst, int64(n), 10)
}

package exec

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/gitlab"
	"gitlab-mcp-server/internal/render"
	"gitlab-mcp-server/internal/scan"
)

// answers is what the action's request expects to come back.
func (x *execution) answers() gitlab.Answers {
	switch x.action.Kind() {
	case catalog.Text:
		return gitlab.Text
	case catalog.Binary:
		return gitlab.Binary
	}
	return gitlab.JSON
}

// send sends the request, or the pages asked for, and shapes the answer.
func (x *execution) send(ctx context.Context) (Result, error) {
	opts := gitlab.Options{Read: x.risk == catalog.Read, Answers: x.answers(), Facts: x.facts()}
	if x.local.allPages && x.action.Method() == methodGraphQL {
		return x.sendAllGraphQL(ctx, opts)
	}
	if x.local.allPages {
		return x.sendAll(ctx, opts)
	}
	var file *download
	if opts.Answers == gitlab.Binary && x.cfg.Files.DownloadDir != "" {
		file = &download{files: x.cfg.Files, path: x.q.Path()}
		opts.Save = file.open
		defer file.discard()
	}
	resp, err := x.client.Do(ctx, &x.q, opts)
	if err != nil {
		return Result{}, err
	}
	if resp.Saved {
		return x.shapeSaved(resp, file)
	}
	if resp.Cut {
		x.note("the answer broke off; the request itself succeeded")
	}
	if x.action.Method() == methodGraphQL {
		return x.shapeGraphQL(resp)
	}
	return x.shape(resp, nil), nil
}

// sendAll follows the pages of a list up to the cap and gives them as one list.
// A page that fails ends the list; what came before is not lost.
func (x *execution) sendAll(ctx context.Context, opts gitlab.Options) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, x.client.Timeout())
	defer cancel()
	var items []byte
	var first, last *gitlab.Response
	count, total := 0, 0
	for page := 1; ; page++ {
		resp, err := x.client.Do(ctx, &x.q, opts)
		if err != nil && last == nil {
			return Result{}, err
		}
		if err != nil {
			x.note("page " + strconv.Itoa(page) + " could not be read, the items before it follow: " + x.failureOf(err).Message)
			break
		}
		if scan.KindOf(resp.Body) != scan.Array || scan.Valid(resp.Body) != nil {
			if last == nil {
				return x.shape(resp, nil), nil // no list, so there are no pages
			}
			x.note("page " + strconv.Itoa(page) + " was no list, the items before it follow")
			break
		}
		if last = resp; first == nil {
			first = resp
		}
		for e := range scan.Elements(resp.Body) {
			if count > 0 {
				items = append(items, ',')
			}
			items = append(items, e...)
			count++
		}
		if n, err := strconv.Atoi(resp.Header.Get("X-Total")); err == nil {
			total = n
		}
		if x.call.Progress != nil {
			x.call.Progress(count, total)
		}
		more := x.turn(resp.Header)
		if !more {
			break
		}
		if page == x.cfg.MaxPages {
			x.note("all_pages stopped at its limit of " + strconv.Itoa(page) + " pages; has_more says where to go on")
			break
		}
		if int64(len(items)) > maxItems {
			x.note("all_pages stopped at " + strconv.Itoa(count) + " items, which are large; has_more says where to go on")
			break
		}
	}
	joined := *last
	joined.Body = append(append([]byte{'['}, items...), ']')
	p := render.PaginationOf(last.Header)
	p.Page = render.PaginationOf(first.Header).Page
	return x.shape(&joined, &p), nil
}

// maxItems is how many bytes of items all_pages keeps in memory.
const maxItems = 32 << 20

// turn makes the request one for the next page and reports whether there is one.
// The Link header knows best: it holds the cursor of keyset lists and every
// filter. Only its query is taken, since behind a proxy its host may be another.
func (x *execution) turn(h http.Header) bool {
	if query, ok := nextQuery(h); ok {
		for pair := range strings.SplitSeq(query, "&") {
			name, value, _ := strings.Cut(pair, "=")
			name, value = unquery(name), unquery(value)
			if x.turns(name) {
				x.q.SetQuery(name, value)
			}
		}
		return true
	}
	if next := h.Get("X-Next-Page"); isDigits(next) {
		x.q.SetQuery("page", next)
		return true
	}
	return false
}

// turns reports whether a parameter of the Link header says where the next page
// is. The header repeats the filters too, and what was in the path; those stand in
// the request already.
func (x *execution) turns(name string) bool {
	switch name {
	case "page", "per_page", "cursor", "page_token", "id_after", "pagination", "order_by", "sort":
		return true
	}
	return name != "" && name == x.action.Keyset()
}

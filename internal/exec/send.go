package exec

import (
	"cmp"
	"context"
	"net/http"
	"strconv"

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
	var all pages
	first, total := 0, 0 // number of the first page; of items, as far as a page said
	for page := 1; ; page++ {
		resp, err := x.client.Do(ctx, &x.q, opts)
		if err != nil && all.last == nil {
			return Result{}, err
		}
		if err != nil {
			x.note("page " + strconv.Itoa(page) + " could not be read, the items before it follow: " + x.failureOf(err).Message)
			break
		}
		if scan.KindOf(resp.Body) != scan.Array || scan.Valid(resp.Body) != nil {
			if all.last == nil {
				return x.shape(resp, nil), nil // no list, so there are no pages
			}
			x.note("page " + strconv.Itoa(page) + " was no list, the items before it follow")
			break
		}
		shown := render.PaginationOf(resp.Header)
		if all.last == nil {
			first = shown.Page
		}
		if shown.HasTotal {
			total = shown.Total
		}
		shown.Page = first
		all.page = shown
		all.add(resp, resp.Body)
		if x.call.Progress != nil {
			x.call.Progress(all.count, total)
		}
		if !x.turn(resp.Header) {
			break
		}
		if full := all.full(page, x.cfg.MaxPages); full != "" {
			x.note(full)
			break
		}
	}
	joined := *all.last
	joined.Body = all.list()
	return x.shape(&joined, &all.page), nil
}

// turn makes the request one for the next page and reports whether there is one.
// The Link header knows best: it holds the cursor of keyset lists and every
// filter. Only its query is taken, since behind a proxy its host may be another.
func (x *execution) turn(h http.Header) bool {
	if next := render.NextQuery(h); len(next) > 0 {
		for _, name := range append(turning(), x.action.Keyset()) {
			if next.Has(name) {
				x.q.SetQuery(name, next.Get(name))
			}
		}
		return true
	}
	if next := h.Get("X-Next-Page"); isDigits(next) {
		if next == cmp.Or(h.Get("X-Page"), "1") {
			return false // a page that follows itself would be read again and again
		}
		x.q.SetQuery("page", next)
		return true
	}
	return false
}

// turning are the parameters of the Link header that say where the next page is.
// The header repeats the filters too, and what was in the path; those stand in
// the request already.
func turning() []string {
	return []string{"page", "per_page", "cursor", "page_token", "id_after", "pagination", "order_by", "sort"}
}

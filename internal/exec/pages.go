package exec

import (
	"strconv"

	"gitlab-mcp-server/internal/gitlab"
	"gitlab-mcp-server/internal/render"
	"gitlab-mcp-server/internal/scan"
)

// maxItems is how many bytes of items all_pages keeps in memory.
const maxItems = 32 << 20

// pages are the items of the pages read so far.
type pages struct {
	items []byte
	count int
	last  *gitlab.Response
	page  render.Pagination // of the last one
}

func (p *pages) add(resp *gitlab.Response, list []byte) {
	p.last = resp
	for e := range scan.Elements(list) {
		if p.count > 0 {
			p.items = append(p.items, ',')
		}
		p.items = append(p.items, e...)
		p.count++
	}
}

// full says why no further page is read, "" if one may be.
func (p *pages) full(page, most int) string {
	switch {
	case page == most:
		return "all_pages stopped at its limit of " + strconv.Itoa(page) + " pages; has_more says where to go on"
	case len(p.items) > maxItems:
		return "all_pages stopped at " + strconv.Itoa(p.count) + " items, which are large; has_more says where to go on"
	}
	return ""
}

func (p *pages) list() []byte { return append(append([]byte{'['}, p.items...), ']') }

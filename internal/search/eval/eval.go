// Package eval measures a search by labelled queries: how often the right
// action comes first, among five, among ten, by kind of query.
//
// It knows the weights of ranking by their names only, and nothing of how ranking
// works.
package eval

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/search"
)

// Query is a labelled query: one JSON object a line of a file.
type Query struct {
	Text     string   `json:"query"`
	Category string   `json:"category"`
	Want     []string `json:"want"`              // ids, any of which is right; none: nothing may match
	AlsoOK   []string `json:"also_ok,omitempty"` // ids that are no shame
	All      bool     `json:"all,omitempty"`     // all of Want are asked for
	Note     string   `json:"note,omitempty"`
}

// Load reads a file of queries. An id that the catalog lacks is an error.
func Load(path string, c *catalog.Catalog) ([]Query, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f, path, c)
}

// Read is Load from r; name stands in errors.
func Read(r io.Reader, name string, c *catalog.Catalog) ([]Query, error) {
	var queries []Query
	scan := bufio.NewScanner(r)
	scan.Buffer(nil, 1<<20)
	for line := 1; scan.Scan(); line++ {
		if len(scan.Bytes()) == 0 {
			continue
		}
		var q Query
		if err := json.Unmarshal(scan.Bytes(), &q); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		if q.Text == "" || q.Category == "" {
			return nil, fmt.Errorf("%s:%d: a query needs its text and its category", name, line)
		}
		for _, id := range slices.Concat(q.Want, q.AlsoOK) {
			if _, ok := c.ByID(id); !ok {
				return nil, fmt.Errorf("%s:%d: no action is called %q", name, line, id)
			}
		}
		queries = append(queries, q)
	}
	if err := scan.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return queries, nil
}

// Outcome is what a search made of one query.
type Outcome struct {
	Query
	Got  []string `json:"got"`  // ids, best first: the hits and then the others that matched
	Hits int      `json:"hits"` // number of Got that are hits
	Rank int      `json:"rank"` // of the first wanted action from 1, 0 if absent; for queries that match nothing rightly, 1
	Last int      `json:"last"` // of the last wanted action; 0 if one of All is absent
}

// Hit reports whether the query is answered within the first k.
func (o Outcome) Hit(k int) bool {
	if o.All && k >= 10 {
		return 0 < o.Last && o.Last <= k
	}
	return 0 < o.Rank && o.Rank <= k
}

// Report is the outcome of many queries.
type Report struct {
	Outcomes []Outcome
}

// Run searches for all queries.
func Run(ctx context.Context, s *search.Searcher, c *catalog.Catalog, queries []Query) (Report, error) {
	var r Report
	for _, q := range queries {
		reply, err := s.Search(ctx, q.Text, search.Options{})
		if err != nil {
			return r, fmt.Errorf("%q: %w", q.Text, err)
		}
		o := Outcome{Query: q, Hits: len(reply.Hits)}
		for _, h := range reply.Hits {
			o.Got = append(o.Got, c.At(h.Index).ID())
		}
		for _, i := range reply.More {
			o.Got = append(o.Got, c.At(i).ID())
		}
		o.judge()
		r.Outcomes = append(r.Outcomes, o)
	}
	return r, nil
}

func (o *Outcome) judge() {
	if len(o.Want) == 0 {
		if len(o.Got) == 0 {
			o.Rank, o.Last = 1, 1
		}
		return
	}
	missing := false
	for _, id := range o.Want {
		rank := slices.Index(o.Got, id) + 1
		if rank == 0 {
			missing = true
			continue
		}
		if o.Rank == 0 || rank < o.Rank {
			o.Rank = rank
		}
		o.Last = max(o.Last, rank)
	}
	if missing && o.All {
		o.Last = 0
	}
}

// Figures are shares of queries, from 0 to 1.
type Figures struct {
	N               int
	At1, At5, At10  float64
	MRR             float64
	MeanHits        float64 // hits of a query, those that come in full
	HitsMedian      int
	WithoutNonsense float64 // At1 of the queries that want something
}

// Figures counts the outcomes of a category, of all with "".
func (r Report) Figures(category string) Figures {
	var f Figures
	var hits []int
	want, at1 := 0, 0
	for _, o := range r.Outcomes {
		if category != "" && o.Category != category {
			continue
		}
		f.N++
		hits = append(hits, o.Hits)
		f.MeanHits += float64(o.Hits)
		if len(o.Want) > 0 {
			want++
			if o.Hit(1) {
				at1++
			}
		}
		if o.Hit(1) {
			f.At1++
		}
		if o.Hit(5) {
			f.At5++
		}
		if o.Hit(10) {
			f.At10++
		}
		if o.Rank > 0 {
			f.MRR += 1 / float64(o.Rank)
		}
	}
	if f.N == 0 {
		return f
	}
	n := float64(f.N)
	f.At1, f.At5, f.At10, f.MRR, f.MeanHits = f.At1/n, f.At5/n, f.At10/n, f.MRR/n, f.MeanHits/n
	slices.Sort(hits)
	f.HitsMedian = hits[len(hits)/2]
	if want > 0 {
		f.WithoutNonsense = float64(at1) / float64(want)
	}
	return f
}

// Categories are the kinds of queries, in the order in which they first occur.
func (r Report) Categories() []string {
	var list []string
	for _, o := range r.Outcomes {
		if !slices.Contains(list, o.Category) {
			list = append(list, o.Category)
		}
	}
	return list
}

// Print writes the figures and, with misses, every query whose first action is
// not a wanted one.
func (r Report) Print(w io.Writer, misses bool) error {
	p := printer{w: w}
	p.f("%-16s %5s %7s %7s %7s %7s %6s\n", "category", "n", "at 1", "at 5", "at 10", "MRR", "hits")
	for _, c := range append(r.Categories(), "") {
		f := r.Figures(c)
		if c == "" {
			c = "all"
		}
		p.f("%-16s %5d %7.3f %7.3f %7.3f %7.3f %6d\n", c, f.N, f.At1, f.At5, f.At10, f.MRR, f.HitsMedian)
	}
	if misses {
		for _, o := range r.Outcomes {
			if o.Hit(1) && o.Hit(10) {
				continue
			}
			p.f("\n%s: %s\n  want %v at rank %d\n  got  %v\n", o.Category, o.Text, o.Want, o.Rank, o.Got[:min(5, len(o.Got))])
		}
	}
	return p.err
}

// Compare writes the queries whose rank differs between a baseline and r.
func (r Report) Compare(w io.Writer, baseline Report) error {
	old := map[string]Outcome{}
	for _, o := range baseline.Outcomes {
		old[o.Text] = o
	}
	p := printer{w: w}
	better, worse := 0, 0
	for _, o := range r.Outcomes {
		b, ok := old[o.Text]
		if !ok || b.Rank == o.Rank {
			continue
		}
		mark := "better"
		if o.Rank == 0 || b.Rank != 0 && b.Rank < o.Rank {
			mark = "worse"
			worse++
		} else {
			better++
		}
		p.f("%s %d → %d  %s\n", mark, b.Rank, o.Rank, o.Text)
	}
	p.f("%d better, %d worse\n", better, worse)
	return p.err
}

type printer struct {
	w   io.Writer
	err error
}

func (p *printer) f(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

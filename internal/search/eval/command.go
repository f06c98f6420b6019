package eval

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/search"
)

// Options are those of the command find --eval.
type Options struct {
	Queries  string // file of labelled queries
	Baseline string // file that an earlier run wrote with JSON; empty for none
	JSON     bool   // write outcomes, one JSON object a line, for a later Baseline
}

// Command runs the queries of a file and writes figures and misses to out, or
// the outcomes as JSON lines, or what differs from an earlier run.
func Command(ctx context.Context, s *search.Searcher, c *catalog.Catalog, o Options, out io.Writer) error {
	queries, err := Load(o.Queries, c)
	if err != nil {
		return err
	}
	var baseline Report
	if o.Baseline != "" {
		if baseline, err = readOutcomes(o.Baseline); err != nil {
			return err
		}
	}
	r, err := Run(ctx, s, c, queries)
	if err != nil {
		return err
	}
	switch {
	case o.JSON:
		return r.write(out)
	case o.Baseline != "":
		if err := r.Print(out, false); err != nil {
			return err
		}
		return r.Compare(out, baseline)
	}
	return r.Print(out, true)
}

func (r Report) write(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, o := range r.Outcomes {
		if err := enc.Encode(o); err != nil {
			return err
		}
	}
	return nil
}

func readOutcomes(path string) (Report, error) {
	f, err := os.Open(path)
	if err != nil {
		return Report{}, err
	}
	defer f.Close()
	var r Report
	scan := bufio.NewScanner(f)
	scan.Buffer(nil, 1<<20)
	for line := 1; scan.Scan(); line++ {
		var o Outcome
		if err := json.Unmarshal(scan.Bytes(), &o); err != nil {
			return r, fmt.Errorf("%s:%d: %w", path, line, err)
		}
		r.Outcomes = append(r.Outcomes, o)
	}
	return r, scan.Err()
}

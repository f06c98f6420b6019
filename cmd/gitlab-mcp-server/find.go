package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"gitlab-mcp-server/generated"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/config"
	"gitlab-mcp-server/internal/search"
	"gitlab-mcp-server/internal/search/eval"
	"gitlab-mcp-server/internal/surface"
)

// find is gitlab_find_action at a terminal.
func (a *app) find(ctx context.Context, flags *config.Flags, args []string) int {
	fs := newFlagSet(flags)
	limit := fs.Int("limit", 0, "")
	explain := fs.Bool("explain", false, "")
	asJSON := fs.Bool("json", false, "")
	queries := fs.String("eval", "", "")
	baseline := fs.String("baseline", "", "")
	words, code, ok := a.parse(fs, args)
	if !ok {
		return code
	}
	if *queries != "" && len(words) == 0 {
		return a.evaluate(ctx, eval.Options{Queries: *queries, Baseline: *baseline, JSON: *asJSON})
	}
	if *queries != "" || *baseline != "" {
		return a.usage("find takes a query, or --eval FILE of labelled queries with --baseline FILE or without")
	}
	if len(words) == 0 {
		return a.usage(`find needs a query: find "open merge requests of a project"`)
	}
	s, code, ok := a.open(flags)
	if !ok {
		return code
	}
	reply, err := s.Engine.Find(ctx, surface.FindInput{Query: strings.Join(words, " "), Limit: *limit, Explain: *explain})
	switch {
	case err != nil:
		fmt.Fprintln(a.stderr, err)
		return exitFail
	case *asJSON:
		fmt.Fprintf(a.stdout, "%s\n", reply.Structured)
	case reply.IsError:
		fmt.Fprintln(a.stderr, reply.Text)
	default:
		if err := a.printFound(reply); err != nil {
			fmt.Fprintln(a.stderr, err)
			return exitFail
		}
	}
	if reply.IsError {
		return exitUsage
	}
	return exitOK
}

// evaluate measures the search by labelled queries.
func (a *app) evaluate(ctx context.Context, o eval.Options) int {
	c := catalog.New(generated.Tables())
	if err := eval.Command(ctx, search.New(c), c, o, a.stdout); err != nil {
		fmt.Fprintln(a.stderr, err)
		return exitFail
	}
	return exitOK
}

// found is the part of a reply that a person looks at.
type found struct {
	Results []struct {
		ID          string   `json:"id"`
		Title       string   `json:"title"`
		Destructive bool     `json:"destructive"`
		ReadOnly    bool     `json:"read_only"`
		Required    []string `json:"required_params"`
		Score       int      `json:"score"`
		Explanation []struct {
			Term   string `json:"term"`
			Match  string `json:"match"`
			Field  string `json:"field"`
			Factor string `json:"factor"`
			Points int    `json:"points"`
		} `json:"explanation"`
	} `json:"results"`
	More        []string `json:"more"`
	Suggestions []string `json:"suggestions"`
	NextStep    string   `json:"next_step"`
}

func (a *app) printFound(reply surface.Reply) error {
	var f found
	if err := json.Unmarshal(reply.Structured, &f); err != nil {
		return fmt.Errorf("read the reply: %w", err)
	}
	if len(f.Results) == 0 {
		fmt.Fprintln(a.stdout, reply.Text)
		return nil
	}
	w := tabwriter.NewWriter(a.stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "SCORE\tACTION\tRISK\tREQUIRED\tTITLE")
	for _, r := range f.Results {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\n", r.Score, r.ID, riskWord(r.ReadOnly, r.Destructive), strings.Join(r.Required, ", "), r.Title)
		for _, e := range r.Explanation {
			fmt.Fprintf(w, "  %+d\t%s\t%s\t%s\t%s\n", e.Points, e.Term, e.Factor, e.Field, e.Match)
		}
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write the table: %w", err)
	}
	if len(f.More) > 0 {
		fmt.Fprintf(a.stdout, "\nalso: %s\n", strings.Join(f.More, ", "))
	}
	fmt.Fprintf(a.stdout, "\nparameters of one: gitlab-mcp-server catalog show %s\n", f.Results[0].ID)
	return nil
}

func riskWord(readOnly, destructive bool) string {
	switch {
	case destructive:
		return "DESTROYS"
	case readOnly:
		return "reads"
	}
	return "writes"
}

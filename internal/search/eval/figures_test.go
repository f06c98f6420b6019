package eval_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"gitlab-mcp-server/generated"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/search"
	"gitlab-mcp-server/internal/search/eval"
)

// figures is testdata/figures.json of package search: what was last reported.
type figures struct {
	At1 float64 `json:"at1"`
	At5 float64 `json:"at5"`
}

// TestReportedFigures fails when a change loses more than one point of what was
// last reported. After a change for the better, write the new figures down.
func TestReportedFigures(t *testing.T) {
	data, err := os.ReadFile("../testdata/figures.json")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]figures{}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	c := catalog.New(generated.Tables())
	s := search.New(c)
	total := 0
	for _, half := range []string{"tune", "report"} {
		queries, err := eval.Load("../testdata/queries_"+half+".jsonl", c)
		if err != nil {
			t.Fatal(err)
		}
		total += len(queries)
		r, err := eval.Run(context.Background(), s, c, queries)
		if err != nil {
			t.Fatal(err)
		}
		got := r.Figures("")
		t.Logf("%s: %d queries, at 1 %.3f, at 5 %.3f, at 10 %.3f, MRR %.3f", half, got.N, got.At1, got.At5, got.At10, got.MRR)
		if w := want[half]; got.At1 < w.At1-0.01 || got.At5 < w.At5-0.01 {
			t.Errorf("%s half: at 1 %.3f and at 5 %.3f, last reported %.3f and %.3f", half, got.At1, got.At5, w.At1, w.At5)
		}
	}
	if total < 600 {
		t.Errorf("%d labelled queries, at least 600 are promised", total)
	}
}

func TestOutcomes(t *testing.T) {
	c := catalog.New(generated.Tables())
	s := search.New(c)
	const lines = `{"query":"issue.list","category":"name","want":["issue.list"]}
{"query":"issue.get","category":"name","want":["issue.list"]}

{"query":"blarg frobnitz","category":"nonsense","want":[]}
{"query":"create a branch and open a merge request","category":"two","want":["branch.create","merge_request.create"],"all":true}
`
	queries, err := eval.Read(strings.NewReader(lines), "queries", c)
	if err != nil {
		t.Fatal(err)
	}
	r, err := eval.Run(context.Background(), s, c, queries)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, false, true, true} {
		if got := r.Outcomes[i].Hit(10); got != want {
			t.Errorf("%s: within ten %v, want %v", r.Outcomes[i].Text, got, want)
		}
	}
	if f := r.Figures(""); f.N != 4 || f.At1 != 0.75 {
		t.Errorf("figures: %+v", f)
	}
	if f := r.Figures("name"); f.N != 2 || f.At1 != 0.5 {
		t.Errorf("figures of a category: %+v", f)
	}
	for _, bad := range []string{
		`{"query":"x","category":"c","want":["no.action"]}`, `{"category":"c","want":[]}`, `{"query":"x","want":[]}`, `{`,
	} {
		if _, err := eval.Read(strings.NewReader(bad), "queries", c); err == nil || !strings.Contains(err.Error(), "queries:1") {
			t.Errorf("%s: error %v", bad, err)
		}
	}
}

// TestCommand checks that a run can be a baseline for another.
func TestCommand(t *testing.T) {
	c := catalog.New(generated.Tables())
	s := search.New(c)
	dir := t.TempDir()
	queries := dir + "/queries.jsonl"
	if err := os.WriteFile(queries, []byte(`{"query":"issue.list","category":"name","want":["issue.list"]}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := eval.Command(context.Background(), s, c, eval.Options{Queries: queries, JSON: true}, &out); err != nil {
		t.Fatal(err)
	}
	baseline := dir + "/run.jsonl"
	worse := strings.Replace(out.String(), `"rank":1`, `"rank":3`, 1)
	if err := os.WriteFile(baseline, []byte(worse), 0o600); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	if err := eval.Command(context.Background(), s, c, eval.Options{Queries: queries, Baseline: baseline}, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"better 3 → 1  issue.list", "1 better, 0 worse"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// Tuning finds its way back from a bad weight.
func TestTune(t *testing.T) {
	c := catalog.New(generated.Tables())
	queries, err := eval.Load("../testdata/queries_tune.jsonl", c)
	if err != nil {
		t.Fatal(err)
	}
	queries = queries[:60]
	ix := c.Tables().Index
	ix.Weights = append([]int32(nil), ix.Weights...)
	ix.Similar = append([]int32(nil), ix.Similar...)
	for i := range ix.Weights[:12] {
		ix.Weights[i] /= 8
	}
	before, err := eval.Run(context.Background(), search.Over(c, &ix), c, queries)
	if err != nil {
		t.Fatal(err)
	}
	if err := eval.Tune(context.Background(), c, &ix, queries, 1, nil); err != nil {
		t.Fatal(err)
	}
	after, err := eval.Run(context.Background(), search.Over(c, &ix), c, queries)
	if err != nil {
		t.Fatal(err)
	}
	if b, a := before.Figures(""), after.Figures(""); a.At1+a.MRR <= b.At1+b.MRR {
		t.Errorf("tuning: at 1 %.3f → %.3f, MRR %.3f → %.3f", b.At1, a.At1, b.MRR, a.MRR)
	}
}

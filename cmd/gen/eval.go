package main

import (
	"context"
	"flag"
	"io"

	"gitlab-mcp-server/internal/search"
	"gitlab-mcp-server/internal/search/eval"
)

var evalCommand = command{
	name:  "eval",
	about: "measure the search by labelled queries, over the specs as they are, before generating",
	run:   runEval,
}

func runEval(ctx context.Context, args []string, out io.Writer) error {
	var root string
	var o eval.Options
	fs := flag.NewFlagSet("gen eval", flag.ContinueOnError)
	fs.StringVar(&root, "root", ".", "`directory` of the checkout")
	fs.StringVar(&o.Queries, "queries", "internal/search/testdata/queries_report.jsonl", "labelled queries, `file` below root")
	fs.StringVar(&o.Baseline, "baseline", "", "compare with an earlier run's -json, `file`")
	fs.BoolVar(&o.JSON, "json", false, "write outcomes as JSON lines")
	if _, err := parseFlags(fs, args, 0); err != nil {
		return err
	}
	o.Queries = below(root, o.Queries)
	if o.Baseline != "" {
		o.Baseline = below(root, o.Baseline)
	}
	cat, ix, err := searchIndex(root)
	if err != nil {
		return err
	}
	return eval.Command(ctx, search.Over(cat, ix), cat, o, out)
}

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"gitlab-mcp-server/gen"
	"gitlab-mcp-server/gen/check"
)

var generateCommand = command{
	name:  "generate",
	about: "compile specs into generated and docs/reference (-check: only compare)",
	run:   runGenerate,
}

func runGenerate(_ context.Context, args []string, out io.Writer) error {
	var o gen.Options
	var quiet bool
	fs := flag.NewFlagSet("gen generate", flag.ContinueOnError)
	fs.StringVar(&o.Root, "root", ".", "`directory` of the checkout")
	fs.BoolVar(&o.Check, "check", false, "write nothing; fail if the output on disk is not current")
	fs.BoolVar(&quiet, "q", false, "print no warnings and no table of completeness")
	if _, err := parseFlags(fs, args, 0); err != nil {
		return err
	}
	res, err := gen.Generate(o)
	if !quiet {
		for _, f := range res.Findings {
			if f.Severity != check.Error { // errors are in err
				fmt.Fprintln(out, f)
			}
		}
	}
	var stale *gen.StaleError
	if err != nil && !errors.As(err, &stale) {
		return err
	}
	if !quiet {
		for _, f := range check.Completeness(res.Catalog) {
			fmt.Fprintf(out, "%-24s %5d of %d\n", f.Name, f.Count, f.N)
		}
	}
	verb := "written"
	if o.Check {
		verb = "not current"
	}
	fmt.Fprintf(out, "%d actions, %d refused operations; %d files, %d bytes; %d %s\n",
		len(res.Catalog.Actions), len(res.Catalog.Excluded), res.Files, res.Bytes, len(res.Changed), verb)
	return err
}

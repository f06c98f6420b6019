package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"gitlab-mcp-server/gen"
	"gitlab-mcp-server/gen/check"
	"gitlab-mcp-server/gen/index"
	"gitlab-mcp-server/internal/search"
	"gitlab-mcp-server/internal/search/eval"
)

var auditCommand = command{
	name:  "audit",
	about: "judge the search data: aliases, phrases, words, actions that cannot be found",
	run:   runAudit,
}

// maxRank is the place behind which a phrase counts as leading elsewhere.
const maxRank = 5

func runAudit(ctx context.Context, args []string, out io.Writer) error {
	var root string
	var quiet bool
	fs := flag.NewFlagSet("gen audit", flag.ContinueOnError)
	fs.StringVar(&root, "root", ".", "`directory` of the checkout")
	fs.BoolVar(&quiet, "q", false, "print errors only")
	if _, err := parseFlags(fs, args, 0); err != nil {
		return err
	}
	built, err := gen.Build(filepath.Join(root, "specs"))
	if err != nil {
		return err
	}
	findings, ix, err := index.Audit(built, filepath.Join(root, "specs", "overlays"))
	if err != nil {
		return err
	}
	cat, err := current(built)
	if err != nil {
		return err
	}
	phrases, err := index.Phrases(filepath.Join(root, "specs", "overlays"))
	if err != nil {
		return err
	}
	own := map[string][]string{} // phrases of the other overlays
	for _, a := range built.Actions {
		own[a.ID] = a.Phrases
	}
	strays, err := eval.Phrases(ctx, search.Over(cat, ix), cat, func(id string) []string { return slices.Concat(own[id], phrases[id]) }, maxRank)
	if err != nil {
		return err
	}
	for _, s := range strays {
		findings = append(findings, check.Finding{Severity: check.Warning, Message: fmt.Sprintf("%s: the phrase %q brings up %s", s.ID, s.Phrase, s.First),
			Fix: "reword the phrase, or drop it if it says another thing"})
	}
	errs, warnings := 0, 0
	for _, f := range findings {
		if f.Severity == check.Error {
			errs++
		} else {
			warnings++
			if quiet {
				continue
			}
		}
		fmt.Fprintln(out, f)
	}
	fmt.Fprintf(out, "search data: %d errors, %d warnings\n", errs, warnings)
	if errs > 0 {
		return errors.New("the search data has errors")
	}
	return nil
}

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"gitlab-mcp-server/gen"
	"gitlab-mcp-server/gen/index"
	"gitlab-mcp-server/gen/ir"
	"gitlab-mcp-server/generated"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/search"
	"gitlab-mcp-server/internal/search/eval"
)

var tuneCommand = command{
	name:  "tune",
	about: "fit the weights in specs/overlays/_ranking.yaml to labelled queries",
	run:   runTune,
}

// errStaleCatalog says that the index of the specs is of other actions than
// the generated catalog.
var errStaleCatalog = errors.New("the generated catalog has other actions than specs; run " + gen.Command + " first")

func runTune(ctx context.Context, args []string, out io.Writer) error {
	var root, queries, report string
	var rounds int
	var dry bool
	fs := flag.NewFlagSet("gen tune", flag.ContinueOnError)
	fs.StringVar(&root, "root", ".", "`directory` of the checkout")
	fs.StringVar(&queries, "queries", "internal/search/testdata/queries_tune.jsonl", "labelled queries to fit to, `file` below root")
	fs.StringVar(&report, "report", "internal/search/testdata/queries_report.jsonl", "labelled queries to report on, `file` below root")
	fs.IntVar(&rounds, "rounds", 3, "rounds over all weights")
	fs.BoolVar(&dry, "n", false, "only say what would change")
	if _, err := parseFlags(fs, args, 0); err != nil {
		return err
	}
	cat, ix, err := searchIndex(root)
	if err != nil {
		return err
	}
	fit, err := eval.Load(below(root, queries), cat)
	if err != nil {
		return err
	}
	other, err := eval.Load(below(root, report), cat)
	if err != nil {
		return err
	}
	changed := map[string]int32{}
	err = eval.Tune(ctx, cat, ix, fit, rounds, func(c eval.Change) {
		changed[c.Weight] = c.To
		fmt.Fprintf(out, "%-24s %7.3f → %7.3f  goal %.4f\n", c.Weight, float64(c.From)/1000, float64(c.To)/1000, c.Goal)
	})
	if err != nil {
		return err
	}
	for _, set := range [][]eval.Query{fit, other} {
		r, err := eval.Run(ctx, search.Over(cat, ix), cat, set)
		if err != nil {
			return err
		}
		if err := r.Print(out, false); err != nil {
			return err
		}
	}
	if dry || len(changed) == 0 {
		return nil
	}
	return writeWeights(filepath.Join(root, "specs", "overlays", "_ranking.yaml"), changed)
}

// searchIndex builds the index of the specs below root, over the generated
// catalog.
func searchIndex(root string) (*catalog.Catalog, *catalog.Index, error) {
	built, err := gen.Build(filepath.Join(root, "specs"))
	if err != nil {
		return nil, nil, err
	}
	cat, err := current(built)
	if err != nil {
		return nil, nil, err
	}
	ix, err := index.Build(built, filepath.Join(root, "specs", "overlays"))
	return cat, ix, err
}

// current gives the generated catalog, if it has the actions of the specs.
func current(built *ir.Catalog) (*catalog.Catalog, error) {
	cat := catalog.New(generated.Tables())
	if cat.Len() != len(built.Actions) {
		return nil, errStaleCatalog
	}
	for i, a := range built.Actions {
		if cat.At(i).ID() != a.ID {
			return nil, errStaleCatalog
		}
	}
	return cat, nil
}

// below is path below root, unless it is absolute.
func below(root, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(root, path)
}

// writeWeights puts new numbers into the lines of _ranking.yaml; comments stay.
func writeWeights(path string, changed map[string]int32) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for name, w := range changed {
		value := strconv.FormatFloat(float64(w)/1000, 'f', -1, 64)
		if data, err = setWeight(data, name, value); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return os.WriteFile(path, data, 0o644)
}

var similarName = regexp.MustCompile(`^similar (\w+) (\w+)$`)

// setWeight sets one weight; a name of three words is a similarity of classes.
func setWeight(data []byte, name, value string) ([]byte, error) {
	line := regexp.MustCompile(`(?m)^(  ` + regexp.QuoteMeta(name) + `: +)[-0-9.]+`)
	if m := similarName.FindStringSubmatch(name); m != nil {
		line = regexp.MustCompile(`(?m)^(  ` + m[1] + `: \{(?:.*[ {])?` + m[2] + `: )[-0-9.]+`)
		if !line.Match(data) { // a pair that was not there
			line = regexp.MustCompile(`(?m)^(  ` + m[1] + `: \{)`)
			value = m[2] + ": " + value + ", "
		}
	}
	if !line.Match(data) {
		return nil, fmt.Errorf("no line for %s", name)
	}
	return line.ReplaceAll(data, []byte("${1}"+value)), nil
}

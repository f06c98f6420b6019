package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"gitlab-mcp-server/gen"
	"gitlab-mcp-server/gen/diff"
)

var diffCommand = command{
	name:  "diff",
	about: "compare the catalogs of OLD and NEW: revisions, directories or JSON dumps",
	run:   runDiff,
}

var dumpCommand = command{
	name:  "dump",
	about: "print the catalog of a revision or directory as JSON, for diff",
	run:   runDump,
}

func runDiff(ctx context.Context, args []string, out io.Writer) error {
	var asJSON, fail bool
	fs := flag.NewFlagSet("gen diff", flag.ContinueOnError)
	fs.BoolVar(&asJSON, "json", false, "print JSON")
	fs.BoolVar(&fail, "fail-on-breaking", false, "exit with 1 if a change breaks callers")
	words, err := parseFlags(fs, args, 2)
	if err != nil {
		return err
	}
	before, err := readCatalog(ctx, words[0])
	if err != nil {
		return fmt.Errorf("%s: %w", words[0], err)
	}
	after, err := readCatalog(ctx, words[1])
	if err != nil {
		return fmt.Errorf("%s: %w", words[1], err)
	}
	report := diff.Compare(before, after)
	if asJSON {
		err = printJSON(out, report)
	} else {
		err = report.WriteText(out)
	}
	if err == nil && fail && report.Breaking > 0 {
		err = fmt.Errorf("%d breaking changes", report.Breaking)
	}
	return err
}

func runDump(ctx context.Context, args []string, out io.Writer) error {
	fs := flag.NewFlagSet("gen dump", flag.ContinueOnError)
	words, err := parseFlags(fs, args, 1)
	if err != nil {
		return err
	}
	d, err := readCatalog(ctx, words[0])
	if err != nil {
		return fmt.Errorf("%s: %w", words[0], err)
	}
	return printJSON(out, d)
}

func printJSON(out io.Writer, v any) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// readCatalog reads the catalog that name means: a JSON dump, a checkout or its
// specs folder, or, where no file is so named, a revision of the repository in
// the working directory. The prefix git: always means a revision.
func readCatalog(ctx context.Context, name string) (*diff.Dump, error) {
	rev, isRev := strings.CutPrefix(name, "git:")
	info, err := os.Stat(name)
	switch {
	case isRev, errors.Is(err, os.ErrNotExist):
		return ofRevision(ctx, rev)
	case err != nil:
		return nil, err
	case info.IsDir():
		return ofDirectory(name)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return diff.Parse(data)
}

// ofDirectory builds the catalog of a checkout or of its specs folder.
func ofDirectory(dir string) (*diff.Dump, error) {
	if _, err := os.Stat(filepath.Join(dir, "specs")); err == nil {
		dir = filepath.Join(dir, "specs")
	}
	cat, err := gen.Build(dir)
	if err != nil {
		return nil, err
	}
	return gen.Dump(cat)
}

// ofRevision builds the catalog of a revision with the generator of today.
func ofRevision(ctx context.Context, rev string) (d *diff.Dump, err error) {
	dir, err := os.MkdirTemp("", "gen-diff-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := extract(ctx, rev, "specs", dir); err != nil {
		return nil, err
	}
	return ofDirectory(dir)
}

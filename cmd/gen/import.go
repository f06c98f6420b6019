package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"gitlab-mcp-server/gen/load"
)

var importCommand = command{
	name:  "import",
	about: "take the structure of an OpenAPI document of GitLab's into specs/gitlab",
	run:   runImport,
}

func runImport(ctx context.Context, args []string, out io.Writer) error {
	var o load.ImportOptions
	fs := flag.NewFlagSet("gen import", flag.ContinueOnError)
	fs.StringVar(&o.In, "in", "", "OpenAPI 3.x document, YAML or JSON: a `FILE or URL`")
	fs.StringVar(&o.Out, "out", "specs/gitlab", "`directory` to write to")
	fs.StringVar(&o.GitLabVersion, "gitlab-version", "", "GitLab `version` of the document, such as 19.2 (default: info.version, where that is a release)")
	fs.StringVar(&o.Date, "date", "", "`date` of the document, such as 2026-06")
	if _, err := parseFlags(fs, args, 0); err != nil {
		return err
	}
	if o.In == "" {
		return fmt.Errorf("%w: -in FILE or URL is missing", errUsage)
	}
	got, err := load.Import(ctx, o)
	if err != nil {
		return err
	}
	s := got.Source
	fmt.Fprintf(out, "%s: GitLab %s, %s: %d operations, %d schemas, %d bytes in %s\n",
		s.Input, s.GitLabVersion, s.Date, s.Operations, got.Schemas, got.Bytes, o.Out)
	if s.GitLabVersion == load.Unknown {
		fmt.Fprintf(out, "the document names no GitLab release (info.version is %q); pass -gitlab-version\n", s.OpenAPIVersion)
	}
	return nil
}

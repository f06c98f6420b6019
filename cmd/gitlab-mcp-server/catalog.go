package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"gitlab-mcp-server/gen/diff"
	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/config"
	"gitlab-mcp-server/internal/server"
	"gitlab-mcp-server/internal/surface"
)

// catalog shows the actions of this server and compares catalogs.
func (a *app) catalog(ctx context.Context, flags *config.Flags, args []string) int {
	fs := newFlagSet(flags)
	asJSON := fs.Bool("json", false, "")
	domain := fs.String("domain", "", "")
	breaking := fs.Bool("fail-on-breaking", false, "")
	words, code, ok := a.parse(fs, args)
	if !ok {
		return code
	}
	switch {
	case len(words) == 1 && words[0] == "list":
	case len(words) == 2 && words[0] == "show":
	case len(words) == 3 && words[0] == "diff":
		return a.compare(words[1], words[2], *asJSON, *breaking)
	default:
		return a.usage("catalog needs one of: list, show ID, diff OLD NEW (both outputs of catalog list --json)")
	}
	s, code, ok := a.open(flags)
	if !ok {
		return code
	}
	if words[0] == "list" {
		return a.list(s, *domain, *asJSON)
	}
	return a.show(ctx, s, words[1], *asJSON)
}

func (a *app) list(s *server.Server, domain string, asJSON bool) int {
	if known := domains(s); domain != "" && !slices.Contains(known, domain) {
		message := "no domain " + domain
		if near := arg.Nearest(domain, known); near != "" {
			message += "; did you mean " + near + "?"
		}
		fmt.Fprintln(a.stderr, message)
		return exitFail
	}
	if asJSON {
		fmt.Fprintf(a.stdout, "%s\n", s.Engine.Dump(domain))
		return exitOK
	}
	w := tabwriter.NewWriter(a.stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "ACTION\tRISK\tMETHOD\tTITLE")
	actions := s.Engine.Catalog.All()
	if domain != "" {
		actions = s.Engine.Catalog.InDomain(domain)
	}
	for x := range actions {
		if !s.Engine.Policy.Allowed(x) {
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", x.ID(), riskWord(x.ReadOnly(), x.Destructive()), x.Method(), x.Title())
	}
	if err := w.Flush(); err != nil {
		fmt.Fprintln(a.stderr, err)
		return exitFail
	}
	return exitOK
}

func domains(s *server.Server) []string {
	var ds []string
	for x := range s.Engine.Catalog.All() {
		ds = append(ds, x.Domain())
	}
	slices.Sort(ds)
	return slices.Compact(ds)
}

func (a *app) show(ctx context.Context, s *server.Server, id string, asJSON bool) int {
	x, err := s.Engine.Lookup(ctx, id)
	var missing *surface.NotFound
	if errors.As(err, &missing) {
		fmt.Fprintln(a.stderr, missing)
		return exitFail
	} else if err != nil {
		fmt.Fprintln(a.stderr, err)
		return exitFail
	}
	if asJSON {
		fmt.Fprintf(a.stdout, "%s\n", s.Engine.Describe(x))
		return exitOK
	}
	if err := a.printAction(x); err != nil {
		fmt.Fprintln(a.stderr, err)
		return exitFail
	}
	return exitOK
}

func (a *app) printAction(x catalog.Action) error {
	fmt.Fprintf(a.stdout, "%s: %s\n", x.ID(), x.Title())
	w := tabwriter.NewWriter(a.stdout, 0, 8, 2, ' ', 0)
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(w, "%s\t%s\n", name, value)
		}
	}
	row("request", strings.TrimSpace(x.Method()+" "+x.Path()))
	row("risk", riskWord(x.ReadOnly(), x.Destructive()))
	row("returns", x.Returns())
	row("tier", x.Tier())
	row("role", x.Role())
	row("since", x.Since())
	row("lifecycle", x.Lifecycle())
	row("use", x.Usage())
	row("deprecated", x.Deprecated())
	row("related", strings.Join(slices.Collect(x.Related()), ", "))
	row("aliases", strings.Join(slices.Collect(x.Aliases()), ", "))
	row("source", x.Source())
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(a.stdout)
	fmt.Fprintln(w, "PARAMETER\tTYPE\tIN\tWIRE NAME")
	types := surface.ParamTypes(x.Schema())
	for p := range x.Params() {
		name := p.Name()
		if p.Required() {
			name += " *"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", name, types[p.Name()], p.In(), p.Wire())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.stdout, "\ngitlab-mcp-server execute %s --params '%s'\n", x.ID(), exampleOf(x))
	return err
}

func exampleOf(x catalog.Action) string {
	if e := x.Example(); e != "" {
		return e
	}
	return "{}"
}

// compare prints the difference of two dumps.
func (a *app) compare(before, after string, asJSON, failOnBreaking bool) int {
	var dumps [2]*diff.Dump
	for i, name := range []string{before, after} {
		data, err := os.ReadFile(name)
		if err != nil {
			return a.usage("%v", err)
		}
		if dumps[i], err = diff.Parse(data); err != nil {
			return a.usage("%s: %v", name, err)
		}
	}
	report := diff.Compare(dumps[0], dumps[1])
	var err error
	if asJSON {
		enc := json.NewEncoder(a.stdout)
		enc.SetEscapeHTML(false)
		err = enc.Encode(report)
	} else {
		err = report.WriteText(a.stdout)
	}
	if err != nil {
		fmt.Fprintln(a.stderr, err)
		return exitFail
	}
	if failOnBreaking && report.Breaking > 0 {
		return exitFail
	}
	return exitOK
}

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"gitlab-mcp-server/generated"
	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/config"
	"gitlab-mcp-server/internal/server"
)

// command is one word behind the program's name.
type command struct {
	name, args, about string
	run               func(a *app, ctx context.Context, flags *config.Flags, args []string) int
}

// commands is the table, in the order of the help text.
func commands() []command {
	return []command{
		{"find", `"QUERY"`, "find actions for what you want to do (--limit N, --explain, --json; --eval FILE, --baseline FILE)", (*app).find},
		{"execute", "ACTION", "execute an action (--params JSON, --confirm, --dry-run, --fields a,b.c, --json)", (*app).execute},
		{"catalog", "list|show ID|diff OLD NEW", "show or compare catalogs (--domain D, --json)", (*app).catalog},
		{"demo", "", "see it work on a simulated GitLab: no token, no network (--serve)", (*app).demo},
		{"version", "", "print the version (--json)", (*app).version},
		{"help", "", "print this text", (*app).help},
	}
}

// run parses what stands before the command and runs it.
func (a *app) run(ctx context.Context, args []string) int {
	var flags config.Flags
	fs := newFlagSet(&flags)
	version := fs.Bool("version", false, "")
	if err := fs.Parse(args); err != nil {
		return a.badFlag(fs, err)
	}
	switch {
	case *version:
		return a.version(ctx, &flags, nil)
	case fs.NArg() == 0:
		return a.serve(ctx, &flags)
	}
	name := fs.Arg(0)
	for _, c := range commands() {
		if c.name == name {
			return c.run(a, ctx, &flags, fs.Args()[1:])
		}
	}
	return a.usage("unknown command %q; commands are %s", name, strings.Join(commandNames(), ", "))
}

func commandNames() (names []string) {
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return names
}

func newFlagSet(flags *config.Flags) *flag.FlagSet {
	fs := flag.NewFlagSet(server.Name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	flags.Register(fs)
	return fs
}

// parse reads a command's flags, which may stand before and behind its words,
// and returns the words. ok is false if the program is to end with code.
func (a *app) parse(fs *flag.FlagSet, args []string) (words []string, code int, ok bool) {
	for {
		if err := fs.Parse(args); err != nil {
			return nil, a.badFlag(fs, err), false
		}
		if fs.NArg() == 0 {
			return words, exitOK, true
		}
		before := args[:len(args)-fs.NArg()]
		if len(before) > 0 && before[len(before)-1] == "--" {
			return append(words, fs.Args()...), exitOK, true
		}
		words = append(words, fs.Arg(0))
		args = fs.Args()[1:]
	}
}

// badFlag explains a flag that cannot be parsed, or prints the help.
func (a *app) badFlag(fs *flag.FlagSet, err error) int {
	if errors.Is(err, flag.ErrHelp) {
		return a.printHelp()
	}
	message := err.Error()
	if name, found := strings.CutPrefix(message, "flag provided but not defined: -"); found {
		message = "unknown flag --" + strings.TrimLeft(name, "-")
		if near := nearFlag(fs, name); near != "" {
			message += "; did you mean --" + near + "?"
		}
	}
	return a.usage("%s", message)
}

// nearFlag is the flag that was perhaps meant by name, or "".
func nearFlag(fs *flag.FlagSet, name string) string {
	var names []string
	fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	return arg.Nearest(name, names)
}

// usage complains on stderr and gives the exit code for it.
func (a *app) usage(format string, args ...any) int {
	fmt.Fprintf(a.stderr, "%s: %s\n(see %s help)\n", server.Name, fmt.Sprintf(format, args...), server.Name)
	return exitUsage
}

// help is the command of that name.
func (a *app) help(context.Context, *config.Flags, []string) int { return a.printHelp() }

func (a *app) printHelp() int {
	fmt.Fprintf(a.stdout, "%s: GitLab's REST API behind two MCP tools\n\n", server.Name)
	fmt.Fprintf(a.stdout, "usage: %s [flags]            serve MCP over stdio\n", server.Name)
	fmt.Fprintf(a.stdout, "       %s COMMAND [flags]\n\ncommands:\n", server.Name)
	for _, c := range commands() {
		fmt.Fprintf(a.stdout, "  %s\n        %s\n", strings.TrimSpace(c.name+" "+c.args), c.about)
	}
	fmt.Fprint(a.stdout, "\nsettings (environment, flag):\n")
	config.Help(a.stdout)
	fmt.Fprint(a.stdout, "\nGITLAB_MCP_ before a name stands for GITLAB_, or for nothing: GITLAB_MCP_READ_ONLY, GITLAB_MCP_TOOL_SURFACE.\n")
	return exitOK
}

// open reads the settings and puts the server together. ok is false if the
// program is to end with code.
func (a *app) open(flags *config.Flags) (s *server.Server, code int, ok bool) {
	cfg, err := flags.Parse(a.environ)
	if err == nil {
		s, err = server.New(cfg, catalog.New(generated.Tables()), version(), server.NewLogger(a.stderr, cfg.LogLevel, cfg.Token.Reveal()))
	}
	if err != nil {
		for line := range strings.Lines(err.Error()) {
			fmt.Fprintf(a.stderr, "%s: %s\n", server.Name, strings.TrimRight(line, "\n"))
		}
		return nil, exitUsage, false
	}
	return s, exitOK, true
}

// serve is the server over stdio.
func (a *app) serve(ctx context.Context, flags *config.Flags) int {
	s, code, ok := a.open(flags)
	if !ok {
		return code
	}
	if err := s.ServeStdio(ctx, a.stdin, a.stdout); err != nil {
		fmt.Fprintf(a.stderr, "%s: %v\n", server.Name, err)
		return exitFail
	}
	return exitOK
}

// list splits a comma list of a flag.
func list(s string) []string {
	return slices.DeleteFunc(strings.Split(s, ","), func(e string) bool { return strings.TrimSpace(e) == "" })
}

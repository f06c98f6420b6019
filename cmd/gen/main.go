// Command gen makes the catalog: it imports GitLab's OpenAPI document and
// compiles it, with the overlays, into the generated tree. It is flags only;
// the work is done by the packages under gen.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// command is one sub-command; each has a file of its own.
type command struct {
	name  string
	about string // one line
	run   func(ctx context.Context, args []string, out io.Writer) error
}

// commands in the order in which the help shows them.
var commands = []command{
	importCommand,
	generateCommand,
	diffCommand,
	dumpCommand,
	tuneCommand,
	evalCommand,
	auditCommand,
}

// errUsage marks wrong flags or arguments; the command exits with exitUsage.
var errUsage = errors.New("usage")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run dispatches to a sub-command. Arguments that begin with a flag (-check)
// are those of generate, the default.
func run(ctx context.Context, args []string, out, errOut io.Writer) int {
	name := "generate"
	switch {
	case len(args) > 0 && (args[0] == "help" || args[0] == "-h" || args[0] == "-help" || args[0] == "--help"):
		fmt.Fprint(out, usage())
		return exitOK
	case len(args) > 0 && !strings.HasPrefix(args[0], "-"):
		name, args = args[0], args[1:]
	}
	for _, c := range commands {
		if c.name != name {
			continue
		}
		err := c.run(ctx, args, out)
		var help helpAsked
		switch {
		case err == nil:
			return exitOK
		case errors.As(err, &help):
			fmt.Fprint(out, string(help))
			return exitOK
		case errors.Is(err, errUsage):
			fmt.Fprintf(errOut, "gen %s: %v\n", name, err)
			return exitUsage
		default:
			fmt.Fprintf(errOut, "gen %s: %v\n", name, err)
			return exitFailed
		}
	}
	fmt.Fprintf(errOut, "gen: no command %q\n%s", name, usage())
	return exitUsage
}

func usage() string {
	var b strings.Builder
	b.WriteString("usage: go run ./cmd/gen COMMAND [flags]\n")
	for _, c := range commands {
		fmt.Fprintf(&b, "  %-10s %s\n", c.name, c.about)
	}
	return b.String()
}

// helpAsked is the text that -h asks for; it is no failure.
type helpAsked string

func (helpAsked) Error() string { return flag.ErrHelp.Error() }

// parseFlags reads args into the flags of a command that takes n words beside
// them, and returns the words. A wrong flag is an errUsage.
func parseFlags(fs *flag.FlagSet, args []string, n int) ([]string, error) {
	var help strings.Builder
	fs.SetOutput(&help)
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil, helpAsked(help.String())
		}
		return nil, fmt.Errorf("%w: %v", errUsage, err)
	}
	if fs.NArg() != n {
		return nil, fmt.Errorf("%w: %d arguments beside the flags, %d expected", errUsage, fs.NArg(), n)
	}
	return fs.Args(), nil
}

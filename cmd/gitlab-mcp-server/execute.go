package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"gitlab-mcp-server/internal/config"
	"gitlab-mcp-server/internal/exec"
)

// maxParams bounds the arguments that are read from a file or stdin.
const maxParams = 64 << 20

// execute is gitlab_execute_action at a terminal.
func (a *app) execute(ctx context.Context, flags *config.Flags, args []string) int {
	fs := newFlagSet(flags)
	params := fs.String("params", "{}", "")
	confirm := fs.Bool("confirm", false, "")
	dryRun := fs.Bool("dry-run", false, "")
	fields := fs.String("fields", "", "")
	asJSON := fs.Bool("json", false, "")
	words, code, ok := a.parse(fs, args)
	if !ok {
		return code
	}
	if len(words) == 0 {
		return a.usage(`execute needs an action: execute merge_request.list --params '{"project_id":"group/project"}'`)
	}
	raw, err := a.params(*params)
	if err != nil {
		return a.usage("--params: %v", err)
	}
	s, code, ok := a.open(flags)
	if !ok {
		return code
	}
	res := s.Engine.Exec.Execute(ctx, exec.Call{
		Action: strings.Join(words, " "), Params: raw, Confirm: *confirm, DryRun: *dryRun, Fields: list(*fields),
	})
	switch {
	case *asJSON:
		fmt.Fprintf(a.stdout, "%s\n", res.Structured)
	case res.IsError:
		fmt.Fprintln(a.stderr, res.Text)
	default:
		fmt.Fprintln(a.stdout, res.Text)
	}
	if res.IsError {
		return exitFail
	}
	return exitOK
}

// params reads the value of --params: JSON, @file, or - for stdin.
func (a *app) params(value string) (json.RawMessage, error) {
	data := []byte(value)
	var in io.Reader
	switch {
	case value == "-":
		in = a.stdin
	case strings.HasPrefix(value, "@"):
		f, err := os.Open(value[1:])
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	if in != nil {
		var err error
		if data, err = io.ReadAll(io.LimitReader(in, maxParams+1)); err != nil {
			return nil, err
		}
		if len(data) > maxParams {
			return nil, fmt.Errorf("more than %d bytes", maxParams)
		}
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(data, &object); err != nil {
		return nil, fmt.Errorf("no JSON object: %w", err)
	}
	return data, nil
}

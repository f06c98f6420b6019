// Command gitlab-mcp-server offers GitLab's REST API to MCP clients, and to a
// person at a terminal. Without a command it serves MCP over stdio.
//
// Exit codes: 0 all right, 1 the call failed, 2 usage or settings.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	a := &app{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, environ: os.Environ()}
	os.Stdout = os.Stderr // what a library might print is no MCP message
	os.Exit(a.run(ctx, os.Args[1:]))
}

// app is one run of the program.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	environ        []string
}

// Exit codes.
const (
	exitOK    = 0
	exitFail  = 1 // the call failed
	exitUsage = 2 // usage or settings
)

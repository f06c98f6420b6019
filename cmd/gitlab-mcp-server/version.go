package main

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"gitlab-mcp-server/generated"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/config"
	"gitlab-mcp-server/internal/server"
)

// release is set by the linker for releases: -ldflags "-X main.release=1.2.3".
var release string

// version is the release, or what the Go toolchain knows of the build.
func version() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}

// version prints the versions of everything that matters.
func (a *app) version(_ context.Context, flags *config.Flags, args []string) int {
	fs := newFlagSet(flags)
	asJSON := fs.Bool("json", false, "")
	if _, code, ok := a.parse(fs, args); !ok {
		return code
	}
	cat := catalog.New(generated.Tables())
	if *asJSON {
		err := json.NewEncoder(a.stdout).Encode(struct {
			Version string `json:"version"`
			GitLab  string `json:"gitlab_spec"`
			Actions int    `json:"actions"`
			Go      string `json:"go"`
		}{version(), cat.GitLabVersion(), cat.Len(), runtime.Version()})
		if err != nil {
			fmt.Fprintln(a.stderr, err)
			return exitFail
		}
		return exitOK
	}
	fmt.Fprintf(a.stdout, "%s %s (GitLab %s, %d actions, %s)\n", server.Name, version(), cat.GitLabVersion(), cat.Len(), runtime.Version())
	return exitOK
}

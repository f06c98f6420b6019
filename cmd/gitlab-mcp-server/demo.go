package main

import (
	"context"

	"gitlab-mcp-server/internal/config"
)

// demo shows the main job on a simulated GitLab.
func (a *app) demo(context.Context, *config.Flags, []string) int {
	return a.usage("demo is not in this build")
}

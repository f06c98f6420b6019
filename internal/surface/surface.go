// Package surface is what clients see of the catalog: the tools gitlab_find_action
// and gitlab_execute_action, and the manifest resources.
//
// It turns tool arguments into calls of packages search and exec and their
// answers into tool results. It is not for deciding, sending or shaping: who may
// call what is package policy's, how a call runs is package exec's.
package surface

import (
	"context"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/exec"
	"gitlab-mcp-server/internal/policy"
	"gitlab-mcp-server/internal/search"
)

// Finder ranks the actions of a catalog; *search.Searcher is one.
type Finder interface {
	Search(ctx context.Context, query string, o search.Options) (search.Reply, error)
}

// Executor runs one action; *exec.Executor is one.
type Executor interface {
	Execute(ctx context.Context, c exec.Call) exec.Result
}

// Engine is everything that a surface stands on. All fields are needed.
type Engine struct {
	Catalog *catalog.Catalog
	Policy  *policy.Policy
	Finder  Finder
	Exec    Executor
	Version string // of the server
}

// names of the tools of the dynamic surface.
const (
	findTool    = "gitlab_find_action"
	executeTool = "gitlab_execute_action"
)

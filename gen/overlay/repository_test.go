package overlay_test

import (
	"errors"
	"testing"

	"gitlab-mcp-server/gen/ir"
	"gitlab-mcp-server/gen/load"
	"gitlab-mcp-server/gen/overlay"
)

const (
	specDir    = "../../specs/gitlab"
	overlayDir = "../../specs/overlays"
	lockFile   = "../../specs/names.lock"
)

// buildRepository makes the catalog of this repository.
func buildRepository(t *testing.T) *ir.Catalog {
	t.Helper()
	spec, err := load.Load(specDir)
	if err != nil {
		t.Fatal(err)
	}
	cat, err := overlay.Build(spec, overlayDir, lockFile)
	var problems overlay.Errors
	if errors.As(err, &problems) {
		for _, p := range problems {
			t.Error(p)
		}
	} else if err != nil {
		t.Fatal(err)
	}
	return cat
}

// TestBuildRepository prints every problem of the committed overlays.
func TestBuildRepository(t *testing.T) {
	cat := buildRepository(t)
	t.Logf("%d actions, %d operations refused, %d groups, %d aliases", len(cat.Actions), len(cat.Excluded), len(cat.Groups), len(cat.Aliases))
}

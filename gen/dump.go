package gen

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"gitlab-mcp-server/gen/diff"
	"gitlab-mcp-server/gen/ir"
	"gitlab-mcp-server/gen/load"
	"gitlab-mcp-server/gen/overlay"
	"gitlab-mcp-server/gen/schema"
)

// Build reads the specs in dir, a folder with gitlab, overlays and names.lock,
// and gives the catalog before it is judged. The catalog comes also beside an
// error, as far as it could be made; it may be nil.
func Build(dir string) (*ir.Catalog, error) {
	spec, err := load.Load(filepath.Join(dir, "gitlab"))
	if err != nil {
		return nil, err
	}
	return overlay.Build(spec, filepath.Join(dir, "overlays"), filepath.Join(dir, "names.lock"))
}

// Dump is cat as callers see it, for comparing it with another.
func Dump(cat *ir.Catalog) (*diff.Dump, error) {
	d := &diff.Dump{GitLab: cat.GitLabVersion}
	aliases := map[string][]string{}
	for _, al := range cat.Aliases {
		if len(al.Targets) == 1 {
			aliases[al.Targets[0]] = append(aliases[al.Targets[0]], al.Name)
		}
	}
	for _, a := range cat.Actions {
		in := new(diff.Schema)
		if err := json.Unmarshal([]byte(schema.Input(a)), in); err != nil {
			return nil, fmt.Errorf("%s: input schema: %w", a.ID, err)
		}
		d.Actions = append(d.Actions, diff.Action{
			ID: a.ID, Number: a.Number, Title: a.Title, Method: a.Method, Path: a.UpstreamPath,
			Risk: string(a.Risk), Kind: string(a.Kind), Deprecated: a.Deprecated,
			Aliases: aliases[a.ID], InputSchema: in,
		})
	}
	return d, nil
}

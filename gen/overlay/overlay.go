// Package overlay makes the catalog: it names every operation of GitLab's
// document, repairs what the document gets wrong, and merges what we say about
// each action. All of that is data in specs/overlays; this package holds the
// engine and the few rules that are the same for every operation.
//
// It is not for reading OpenAPI (gen/load), nor for judging the finished
// catalog (gen/check), nor for rendering it (gen/emit).
package overlay

import "gitlab-mcp-server/gen/ir"

// Build applies the overlays in dir to spec and returns the catalog. The
// spec is not modified. Names and numbers are held against the ledger at
// lockPath; names that are new get the next free numbers, which [UpdateLock]
// writes down.
//
// The error is an [Errors] with every problem found, in order of file and line.
func Build(spec *ir.Spec, dir, lockPath string) (*ir.Catalog, error) {
	return nil, nil
}

// UpdateLock appends the names of cat that the ledger at lockPath lacks and
// reports whether the file changed.
func UpdateLock(cat *ir.Catalog, lockPath string) (changed bool, err error) {
	return false, nil
}

// Package check judges the finished catalog: collisions, shapes of names,
// dangling references, doubtful texts, and how complete the curation is.
//
// It is not for stale or unmatched overlay entries: those are errors of
// gen/overlay, which knows where they stand.
package check

import "gitlab-mcp-server/gen/ir"

// Severity says whether a finding stops the generator.
type Severity string

// Severities.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Finding is one thing to look at.
type Finding struct {
	Severity Severity
	Pos      ir.Pos // may be zero
	Message  string
	Fix      string // what to do about it
}

// Catalog returns the findings over cat, errors first, in a stable order.
func Catalog(cat *ir.Catalog) []Finding { return nil }

// Field is one line of the completeness table.
type Field struct {
	Name     string
	Count, N int
}

// Completeness counts for each curated field how many of the actions that
// should have it do.
func Completeness(cat *ir.Catalog) []Field { return nil }

package overlay

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gitlab-mcp-server/gen/ir"
)

// Problem is one thing wrong with an overlay, or with the document under it.
type Problem struct {
	Pos ir.Pos
	Msg string
}

func (p Problem) Error() string {
	if p.Pos == (ir.Pos{}) {
		return p.Msg
	}
	return p.Pos.String() + ": " + p.Msg
}

// Errors holds every problem of one [Build], sorted by position.
type Errors []Problem

func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, p := range e {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// problems collects problems while a build goes on, so that one run reports
// all of them.
type problems struct{ list Errors }

func (p *problems) addf(pos ir.Pos, format string, args ...any) {
	p.list = append(p.list, Problem{pos, fmt.Sprintf(format, args...)})
}

// err returns the collected problems in a stable order, or nil.
func (p *problems) err() error {
	if len(p.list) == 0 {
		return nil
	}
	slices.SortStableFunc(p.list, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Msg, b.Msg))
	})
	return slices.Compact(p.list)
}

package emit

import (
	"slices"
	"testing"

	"gitlab-mcp-server/gen/ir"
)

// An empty text filters nothing in a read, wherever it travels; in a write, and
// as what a read is about, it is a value.
func TestFilterFlag(t *testing.T) {
	tests := []struct {
		name     string
		risk     ir.Risk
		in       ir.In
		required bool
		want     bool
	}{
		{"query of a read", ir.Read, ir.Query, false, true},
		{"required query of a read", ir.Read, ir.Query, true, true},
		{"variable of a read", ir.Read, ir.Variable, false, true},
		{"body of a read", ir.Read, ir.BodyIn, false, true},
		{"what a read by POST is about", ir.Read, ir.BodyIn, true, false},
		{"path of a read", ir.Read, ir.Path, false, false},
		{"body of a write", ir.Write, ir.BodyIn, false, false},
		{"query of a write", ir.Write, ir.Query, false, false},
		{"body of a destruction", ir.Destroy, ir.BodyIn, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &field{param: &ir.Param{In: tt.in, Required: tt.required}, query: tt.in == ir.Query}
			if got := slices.Contains(flags(&ir.Action{Risk: tt.risk}, f), "Filter"); got != tt.want {
				t.Errorf("filter %t, want %t", got, tt.want)
			}
		})
	}
}

package exec

import (
	"strings"
	"testing"

	"gitlab-mcp-server/internal/scan"
)

func TestPathValues(t *testing.T) {
	tests := []struct {
		template, path string
		want           string // wire=value, in order
		literal        int
		ok             bool
	}{
		{"/api/v4/projects/{id}/issues/{issue_iid}", "/projects/g%2Fp/issues/7", `id="g/p" issue_iid="7"`, 2, true},
		{"/api/v4/projects/{id}/(-/)issues", "/api/v4/projects/5/-/Issues/?x=1", `id="5"`, 2, true},
		{"/api/v4/projects/{id}/latest{/suffix}", "/projects/5/latest", `id="5"`, 2, true},
		{"/api/v4/projects/{id}/latest{/suffix}", "/projects/5/latest/x", `id="5" suffix="x"`, 2, true},
		{"/api/v4/projects/:id/x", "/projects/5/x", `id="5"`, 2, true},
		{"/api/v4/projects/{id}", "/projects/{id}", "", 1, true},
		{"/api/v4/projects/{id}", "/projects/%zz", "", 0, false},
		{"/api/v4/projects/{id}", "/groups/5", "", 0, false},
		{"/api/v4/projects/{id}", "/projects", "", 0, false},
		{"/api/v4/compare/{a}{b}", "/compare/xy", "", 0, false},
	}
	for _, tt := range tests {
		values, literal, ok := pathValues(tt.template, tt.path)
		var got []string
		for _, v := range values {
			got = append(got, v.wire+"="+string(v.value))
		}
		if s := strings.Join(got, " "); s != tt.want || literal != tt.literal || ok != tt.ok {
			t.Errorf("%s of %s: %s, %d, %t; want %s, %d, %t", tt.path, tt.template, s, literal, ok, tt.want, tt.literal, tt.ok)
		}
	}
}

func FuzzPathValues(f *testing.F) {
	f.Add("/api/v4/projects/{id}/(-/)issues/{issue_iid}", "/projects/g%2Fp/issues/7?x=1")
	f.Add("/a/{b}{/c}/:d.{e}", "/a/%zz/*/{")
	f.Fuzz(func(t *testing.T, template, path string) {
		values, _, ok := pathValues(template, path)
		if !ok && len(values) > 0 {
			t.Errorf("values %v of a path that does not fit", values)
		}
		for _, v := range values {
			if scan.Valid(v.value) != nil || scan.KindOf(v.value) != scan.String {
				t.Errorf("%s: %q is no JSON text", v.wire, v.value)
			}
		}
	})
}

package arg_test

import (
	"testing"

	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/call"
)

// A list that GitLab also takes as one plain value keeps the form it came in.
func TestScalarLists(t *testing.T) {
	for _, tc := range []struct {
		in       string
		comma    string // as a comma list in a query
		brackets string // as a bracket list in a query
		body     string // as a comma list in a body
		notes    int
	}{
		{`"a"`, "x=a", "x=a", `{"x":"a"}`, 0},
		{`"a, b"`, "x=a,%20b", "x[]=a&x[]=b", `{"x":"a, b"}`, 1},
		{`["a"]`, "x=a", "x[]=a", `{"x":"a"}`, 0},
		{`["a","b"]`, "x=a,b", "x[]=a&x[]=b", `{"x":"a,b"}`, 0},
		{`"[\"a\"]"`, "x=a", "x[]=a", `{"x":"a"}`, 1},
		{`7`, "x=7", "x=7", `{"x":"7"}`, 0},
		{`null`, "", "", ``, 0},
	} {
		var r arg.Reader
		if err := r.Reset([]byte(`{"x":` + tc.in + `}`)); err != nil {
			t.Fatal(err)
		}
		v := r.Strings("x", arg.Scalar)
		if err := r.Err(); err != nil {
			t.Errorf("%s: %v", tc.in, err)
		}
		var comma, brackets, body call.Request
		v.QueryComma(&comma, "x")
		v.QueryBrackets(&brackets, "x")
		v.BodyComma(body.Body(false), "x")
		if got := comma.RawQuery(); got != tc.comma {
			t.Errorf("%s: comma %s, want %s", tc.in, got, tc.comma)
		}
		if got := brackets.RawQuery(); got != tc.brackets {
			t.Errorf("%s: brackets %s, want %s", tc.in, got, tc.brackets)
		}
		if got := string(body.JSON()); got != tc.body {
			t.Errorf("%s: body %s, want %s", tc.in, got, tc.body)
		}
		if n := len(r.Notes()); n != tc.notes {
			t.Errorf("%s: notes %v, want %d", tc.in, r.Notes(), tc.notes)
		}
	}
	var r arg.Reader
	if err := r.Reset([]byte(`{"x":"a,b"}`)); err != nil {
		t.Fatal(err)
	}
	var array call.Request
	r.Strings("x", arg.Scalar).Body(array.Body(false), "x")
	if got := string(array.JSON()); got != `{"x":"a,b"}` {
		t.Errorf("array in a body: %s", got)
	}
	if err := r.Reset([]byte(`{"x":"5.0"}`)); err != nil {
		t.Fatal(err)
	}
	var q call.Request
	r.Ints("x", arg.Scalar).QueryBrackets(&q, "x")
	if got := q.RawQuery(); got != "x=5" {
		t.Errorf("ints: %s, want x=5", got)
	}
}

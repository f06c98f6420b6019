package arg_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab-mcp-server/internal/arg"
)

func TestGID(t *testing.T) {
	for _, tt := range []struct{ in, want, problem string }{
		{`{"id":7}`, "gid://gitlab/WorkItem/7", ""},
		{`{"id":"7"}`, "gid://gitlab/WorkItem/7", ""},
		{`{"id":"gid://gitlab/Issue/7"}`, "gid://gitlab/Issue/7", ""},
		{`{"id":"gid://gitlab/WorkItems::Type/1"}`, "gid://gitlab/WorkItems::Type/1", ""},
		{`{"id":"6a9c1750b37d513a43987b574953fceb50b03ce7"}`, "gid://gitlab/WorkItem/6a9c1750b37d513a43987b574953fceb50b03ce7", ""},
		{`{}`, "", "id: required: an id (a number or a path)"},
		{`{"id":"#7"}`, "", "id: expected a number, or a global id (gid://gitlab/WorkItem/1), got a string"},
		{`{"id":"gid://gitlab/"}`, "", "id: expected a number, or a global id (gid://gitlab/WorkItem/1), got a string"},
		{`{"id":"gid://gitlab/WorkItem/"}`, "", "id: expected a number, or a global id (gid://gitlab/WorkItem/1), got a string"},
	} {
		var r arg.Reader
		if err := r.Reset([]byte(tt.in)); err != nil {
			t.Fatal(err)
		}
		got := r.GID("id", arg.Required, "WorkItem")
		err := r.Err()
		switch {
		case tt.problem == "" && (err != nil || got.V != tt.want || got.State != arg.Set):
			t.Errorf("%s: %+v, %v; want %s", tt.in, got, err, tt.want)
		case tt.problem != "" && (err == nil || err.(*arg.Error).Problems[0].String() != tt.problem):
			t.Errorf("%s: %v; want %s", tt.in, err, tt.problem)
		}
	}
}

func TestGIDs(t *testing.T) {
	var r arg.Reader
	if err := r.Reset([]byte(`{"ids":[1,"2","gid://gitlab/User/3"],"one":"4,5","bad":["x"]}`)); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, name := range []string{"ids", "one", "none"} {
		got = append(got, r.GIDs(name, 0, "User").V...)
	}
	want := []string{"gid://gitlab/User/1", "gid://gitlab/User/2", "gid://gitlab/User/3", "gid://gitlab/User/4", "gid://gitlab/User/5"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ids (-want +got):\n%s", diff)
	}
	r.GIDs("bad", 0, "User")
	if err := r.Err(); err == nil || err.(*arg.Error).Problems[0].Path != "bad[0]" {
		t.Errorf("error %v, want one at bad[0]", err)
	}
}

package own_test

import (
	"encoding/json"
	"strings"
	"testing"

	"gitlab-mcp-server/internal/exec"
)

func TestGraphQLQuery(t *testing.T) {
	nothing := func(*exec.Call) {}
	readOnly := func(o *options) { o.policy.ReadOnly = true }
	safe := func(o *options) { o.policy.SafeMode = true }
	guard := func(o *options) { o.exec.GuardQuickActions = true }
	normal := func(*options) {}
	tests := []struct {
		name, query, more string
		option            func(*options)
		change            func(*exec.Call)
		sent              int
		code              string
	}{
		{"query", "query { currentUser { username } }", "", normal, nothing, 1, ""},
		{"short form", "{ currentUser { username } }", "", normal, nothing, 1, ""},
		{"query in read-only mode", "{ currentUser { username } }", "", readOnly, nothing, 1, ""},
		{"mutation in a text", `{ project(fullPath: "mutation { x }") { id } }`, "", readOnly, nothing, 1, ""},
		{"mutation behind a comment", "# query\n,,mutation { x }", "", normal, nothing, 0, "needs_confirmation"},
		{"mutation in read-only mode", "mutation { x }", "", readOnly, confirm, 0, "read_only"},
		{"confirmed mutation", "mutation { x }", "", normal, confirm, 1, ""},
		{"mutation in safe mode", "mutation { x }", "", safe, confirm, 0, ""},
		{"mutation behind a query", "query a { x } mutation b { y }", `,"operation_name":"b"`, normal, nothing, 0, "needs_confirmation"},
		{"query before a mutation", "query a { x } mutation b { y }", `,"operation_name":"a"`, readOnly, nothing, 1, ""},
		{"which of two", "query a { x } query b { y }", "", normal, nothing, 0, "invalid_params"},
		{"none of two", "query a { x } query b { y }", `,"operation_name":"c"`, normal, nothing, 0, "invalid_params"},
		{"subscription", "subscription { x }", "", normal, confirm, 0, "invalid_params"},
		{"fragment alone", "fragment f on X { y }", "", normal, nothing, 0, "invalid_params"},
		{"no GraphQL", "select * from users", "", normal, nothing, 0, "invalid_params"},
		{"endless", strings.Repeat("{ a ", 30_000), "", normal, nothing, 0, "invalid_params"},
		{"dry run", "mutation { x }", "", normal, dryRun, 0, ""},
		{"quick action in the document", `mutation { createNote(input: {body: "/close"}) { errors } }`, "", guard, confirm, 0, "invalid_params"},
		{"quick action in a variable", `mutation($i: X!) { createNote(input: $i) { errors } }`, `,"variables":{"i":{"body":"a\n/close"}}`, guard, confirm, 0, "invalid_params"},
		{"quick action in a variable of another name", `mutation($b: String!) { createNote(input: {body: $b}) { errors } }`, `,"variables":{"b":"/close"}`, guard, confirm, 0, "invalid_params"},
		{"quick action in a variable given twice", `mutation($b: String!) { createNote(input: {body: $b}) { errors } }`, `,"variables":{"b":"x","\u0062":"/close"}`, guard, confirm, 0, "invalid_params"},
		{"quick action in a default", `mutation($b: String = "/close") { createNote(input: {body: $b}) { errors } }`, "", guard, confirm, 0, "invalid_params"},
		{"quick action in a default object", `mutation($i: X = {body: "/close"}) { createNote(input: $i) { errors } }`, "", guard, confirm, 0, "invalid_params"},
		{"quick action in a fragment", `mutation { ...F } fragment F on Mutation { createNote(input: {body: "/close"}) { errors } }`, "", guard, confirm, 0, "invalid_params"},
		{"quick action in an inline fragment", `mutation { ... on Mutation { ... { createNote(input: {body: "/close"}) { errors } } } }`, "", guard, confirm, 0, "invalid_params"},
		{"quick action in a list", "mutation { x(input: {notes: [{body: \"\"\"a\n/close\"\"\"}]}) { errors } }", "", guard, confirm, 0, "invalid_params"},
		{"quick action behind a directive", `mutation { x @include(if: true) { y(body: "/close") } }`, "", guard, confirm, 0, "invalid_params"},
		{"fragments in a circle", `mutation { ...F } fragment F on Mutation { ...G x } fragment G on Mutation { ...F }`, "", guard, confirm, 1, ""},
		{"quick action in a fragment that is not used", `mutation { x } fragment F on Mutation { createNote(input: {body: "/close"}) { errors } }`, "", guard, confirm, 1, ""},
		{"mutation behind a mark of byte order", "\ufeffmutation { x }", "", readOnly, confirm, 0, "read_only"},
		{"mutation of fragments in read-only mode", `mutation { ...F } fragment F on Mutation { x }`, "", readOnly, confirm, 0, "read_only"},
		{"mutation with a directive in read-only mode", `mutation @x { y }`, "", readOnly, confirm, 0, "read_only"},
		{"two operations of one name", "query a { x } mutation a { y }", `,"operation_name":"a"`, readOnly, nothing, 0, "invalid_params"},
		{"quick action where none is run", `mutation { x(path: "/close") { errors } }`, "", guard, confirm, 1, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"POST /api/graphql": `{"data":{"currentUser":{"username":"me"}}}`}, tt.option)
			query, err := json.Marshal(tt.query)
			if err != nil {
				t.Fatal(err)
			}
			res := w.do(t, "graphql.query", `{"query":`+string(query)+tt.more+`}`, tt.change)
			if len(w.sent()) != tt.sent {
				t.Errorf("sent %v, want %d", w.sent(), tt.sent)
			}
			switch {
			case tt.code == "" && res.IsError:
				t.Errorf("failed: %s", res.Text)
			case tt.code != "":
				if f := failure(t, res); f.Code != tt.code {
					t.Errorf("code %s (%s), want %s", f.Code, f.Message, tt.code)
				}
			case tt.sent == 1 && string(res.Structured) != `{"username":"me"}`:
				t.Errorf("structured %s", res.Structured)
			}
		})
	}
}

// Who is asked to confirm a mutation reads what it does, wherever that stands.
func TestGraphQLQueryTarget(t *testing.T) {
	tests := []struct{ name, query, want string }{
		{"plain", `mutation { a: createNote(input: {}) { note { id } } b: updateNote { id } }`, "createNote, updateNote"},
		{"fragment", `mutation { ...F } fragment F on Mutation { destroyNote { id } ...F }`, "destroyNote"},
		{"inline fragment", `mutation { ... on Mutation { ... { destroyNote { id } } } }`, "destroyNote"},
		{"fragment below and at the top", `mutation { x { ...F } ...F } fragment F on Mutation { destroyNote { id } }`, "x, destroyNote"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, nil)
			query, err := json.Marshal(tt.query)
			if err != nil {
				t.Fatal(err)
			}
			f := failure(t, w.do(t, "graphql.query", `{"query":`+string(query)+`}`))
			if want := "the mutation " + tt.want; f.Code != "needs_confirmation" || !strings.Contains(f.Message, want) {
				t.Errorf("%s: %q, want %q in it", f.Code, f.Message, want)
			}
		})
	}
}

func TestGraphQLQueryBody(t *testing.T) {
	w := newWorld(t, map[string]string{"POST /api/graphql": `{"data":{"x":1}}`})
	w.do(t, "graphql.query", `{"query":"query a($v: X) { x }","variables":{"v":{"n":null,"i":12345678901234567890}},"operation_name":"a"}`)
	const want = `{"query":"query a($v: X) { x }","operationName":"a","variables":{"v":{"n":null,"i":12345678901234567890}}}`
	if w.body[0] != want {
		t.Errorf("body %s, want %s", w.body[0], want)
	}
}

package surface

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/catalog/catalogtest"
	"gitlab-mcp-server/internal/policy"
	"gitlab-mcp-server/internal/scan"
	"gitlab-mcp-server/internal/search"
)

func TestSignature(t *testing.T) {
	tests := []struct {
		name, schema       string
		required, optional string
	}{
		{"none", `{"type":"object","properties":{}}`, "", ""},
		{"scalars", `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["a"]}`, "a (string)", "b (integer)"},
		{"enum", `{"properties":{"state":{"type":"string","enum":["opened","closed"]},"level":{"type":"integer","enum":[10,20]}}}`, "", "state (opened|closed), level (10|20)"},
		{"arrays", `{"properties":{"a":{"type":"array","items":{"type":"string"}},"b":{"type":"array"},"c":{"type":"array","items":{"type":"string","enum":["x","y"]}}}}`, "", "a (array of string), b (array), c (array of x|y)"},
		{"objects", `{"properties":{"vars":{"type":"array","items":{"type":"object","properties":{"key":{"type":"string"},"n":{"type":"integer"}},"required":["key"]}},"free":{"type":"object"}}}`, "", "vars (array of {key*, n: integer}), free (object)"},
		{"depth", `{"properties":{"a":{"type":"object","properties":{"b":{"type":"object","properties":{"c":{"type":"object","properties":{"d":{"type":"string"}}}}}}}}}`, "", "a ({b: {c: object}})"},
		{"any", `{"properties":{"a":{}}}`, "", "a (any)"},
		{"escapes", `{"properties":{"a\"b":{"type":"string","enum":["\u00e4"]}},"required":["a\"b"]}`, `a"b (ä)`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := signatureOf(tt.schema)
			if diff := cmp.Diff(tt.required, string(s.required)); diff != "" {
				t.Errorf("required differ (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.optional, string(s.optional)); diff != "" {
				t.Errorf("optional differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLargeEnumIsCut(t *testing.T) {
	var values []string
	for i := range maxEnum + 3 {
		values = append(values, fmt.Sprintf(`"v%d"`, i))
	}
	got := string(appendType(nil, `{"type":"string","enum":[`+strings.Join(values, ",")+`]}`, 0))
	if !strings.HasSuffix(got, "|… 3 more") || strings.Count(got, "v") != maxEnum {
		t.Errorf("enum %q, want %d values and 3 more", got, maxEnum)
	}
}

// fixed gives the same reply to every query.
type fixed struct {
	reply search.Reply
	asked search.Options
	query string
}

func (f *fixed) Search(_ context.Context, query string, o search.Options) (search.Reply, error) {
	f.query, f.asked = query, o
	return f.reply, nil
}

// engine is one over n actions, each with a schema of size characters.
func engine(t *testing.T, n, size int, finder Finder) *Engine {
	t.Helper()
	var actions []catalogtest.Action
	for i := range n {
		actions = append(actions, catalogtest.Action{
			ID: fmt.Sprintf("thing%02d.list", i), Title: "List things", Path: "/api/v4/things", Kind: catalog.List,
			Schema: `{"type":"object","properties":{"a":{"type":"string","description":"` + strings.Repeat("x", size) + `"}},"required":[],"additionalProperties":false}`,
			Params: []catalogtest.Param{{Name: "a", In: catalog.InQuery}},
		})
	}
	cat := catalogtest.New(catalogtest.Spec{Actions: actions, GitLabVersion: "19.2"})
	p, err := policy.New(cat, policy.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return &Engine{Catalog: cat, Policy: p, Finder: finder, Version: "1.0.0"}
}

func hits(n int) (hs []search.Hit) {
	for i := range n {
		hs = append(hs, search.Hit{Index: i, Score: 100 - i})
	}
	return hs
}

func ids(t *testing.T, structured []byte) (results, more []string) {
	t.Helper()
	var reply struct {
		Count   int
		Results []struct{ ID string }
		More    []string
	}
	if err := json.Unmarshal(structured, &reply); err != nil {
		t.Fatalf("reply is no JSON: %v", err)
	}
	for _, r := range reply.Results {
		results = append(results, r.ID)
	}
	if reply.Count != len(results) {
		t.Errorf("count %d, want %d", reply.Count, len(results))
	}
	return results, reply.More
}

// Results that do not fit the budget stand in more, in the order of rank.
func TestBudget(t *testing.T) {
	tests := []struct{ size, limit, want, more int }{
		{size: 10, want: 10, more: 10},
		{size: 1500, want: 2, more: 18},
		{size: 20_000, want: 1, more: 19},
		{size: 20_000, limit: 20, want: 20, more: 0},
	}
	for _, tt := range tests {
		f := &fixed{reply: search.Reply{Hits: hits(20)}}
		e := engine(t, 20, tt.size, f)
		reply, err := e.Find(t.Context(), FindInput{Query: "things", Limit: tt.limit})
		if err != nil {
			t.Fatal(err)
		}
		results, more := ids(t, reply.Structured)
		if len(results) != tt.want && tt.size > 10 || len(results)+len(more) != 20 {
			t.Errorf("schemas of %d, limit %d: %d results and %d more, want %d and %d", tt.size, tt.limit, len(results), len(more), tt.want, tt.more)
		}
		for i, id := range append(results, more...) {
			if want := fmt.Sprintf("thing%02d.list", i); id != want {
				t.Errorf("place %d has %s, want %s", i, id, want)
			}
		}
		if f.asked.Limit != tt.limit {
			t.Errorf("asked for %d, want %d", f.asked.Limit, tt.limit)
		}
	}
}

// A client that shows the model text only must be able to execute the results.
func TestTextSuffices(t *testing.T) {
	e := engine(t, 3, 0, &fixed{reply: search.Reply{Hits: hits(2), More: []int{2}}})
	reply, err := e.Find(t.Context(), FindInput{Query: "things"})
	if err != nil {
		t.Fatal(err)
	}
	want := `1. thing00.list: List things [read-only]
   optional: a (string)
   example: {"action":"thing00.list","params":{}}
2. thing01.list: List things [read-only]
   optional: a (string)
Also: thing02.list
Call gitlab_execute_action with action thing00.list and its params, or with another result that fits better.`
	if diff := cmp.Diff(want, reply.Text); diff != "" {
		t.Errorf("text differs (-want +got):\n%s", diff)
	}
}

func TestExplainShowsTheSame(t *testing.T) {
	f := &fixed{reply: search.Reply{Hits: hits(20)}}
	e := engine(t, 20, 900, f)
	plain, err := e.Find(t.Context(), FindInput{Query: "things"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range f.reply.Hits {
		f.reply.Hits[i].Explanation = slices.Repeat([]search.Reason{{Term: "thing", Match: "thing", Field: "name", Factor: "match", Points: 7}}, 20)
	}
	explained, err := e.Find(t.Context(), FindInput{Query: "things", Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	results, more := ids(t, plain.Structured)
	gotResults, gotMore := ids(t, explained.Structured)
	if len(results) < 2 || !slices.Equal(results, gotResults) || !slices.Equal(more, gotMore) {
		t.Errorf("explained %v and %v, want %v and %v", gotResults, gotMore, results, more)
	}
}

func TestExplainAndDoubts(t *testing.T) {
	f := &fixed{reply: search.Reply{Hits: []search.Hit{{
		Index: 0, Score: 7, LowConfidence: true, AmbiguousWith: []int{1},
		Explanation: []search.Reason{{Term: "thing", Match: "thing", Field: "name", Factor: "match", Points: 7}},
	}}}}
	e := engine(t, 2, 0, f)
	reply, err := e.Find(t.Context(), FindInput{Query: "things", Explain: true})
	if err != nil || !f.asked.Explain {
		t.Fatalf("explain asked %v, %v", f.asked.Explain, err)
	}
	results, _ := scan.Get(string(reply.Structured), "results")
	for _, want := range []string{
		`"low_confidence":true`, `"ambiguous_with":["thing01.list"]`,
		`"explanation":[{"term":"thing","match":"thing","field":"name","factor":"match","points":7}]`,
	} {
		if !strings.Contains(results, want) {
			t.Errorf("results lack %s:\n%s", want, results)
		}
	}
}

func TestFindInput(t *testing.T) {
	good := map[string]FindInput{
		`{"query":"a \u00e4"}`:                       {Query: "a ä"},
		`{"query":"a","limit":5,"explain":true}`:     {Query: "a", Limit: 5, Explain: true},
		`{"query":"a","limit":"5","explain":"true"}`: {Query: "a", Limit: 5, Explain: true},
		`{"query":"a","limit":5.0,"explain":null}`:   {Query: "a", Limit: 5},
		`{"query":"a","limit":null}`:                 {Query: "a"},
		``:                                           {},
	}
	for args, want := range good {
		if got, problem := findInput([]byte(args)); problem != "" || got != want {
			t.Errorf("%s: %+v, %q, want %+v", args, got, problem, want)
		}
	}
	bad := map[string]string{
		`[]`: "object", `{"query":["a"]}`: "query", `{"query":"a","limit":0}`: "limit", `{"query":"a","limit":51}`: "limit", `{"query":"a","limit":1.5}`: "limit",
		`{"query":"a","limit":1e300}`: "limit", `{"query":"a","explain":"maybe"}`: "explain", `{"q":"a"}`: "q: unknown", `{"":1}`: "unknown",
	}
	for args, want := range bad {
		if _, problem := findInput([]byte(args)); !strings.Contains(problem, want) {
			t.Errorf("%s: problem %q, want one with %q", args, problem, want)
		}
	}
}

// The price that every conversation pays.
func TestToolsAreCheap(t *testing.T) {
	data, err := json.Marshal(map[string]any{"tools": []any{findToolDef(), executeToolDef(false)}})
	if err != nil {
		t.Fatal(err)
	}
	if tokens := len(data) / 4; tokens >= 900 {
		t.Errorf("the two tools cost %d tokens, want under 900", tokens)
	}
	for _, schema := range []string{findSchema, executeSchema} {
		if err := scan.Valid(schema); err != nil {
			t.Errorf("schema: %v", err)
		}
	}
}

func TestTickets(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	s := newStates()
	s.now = func() time.Time { return now }
	ticket := s.give("delete issue 7")
	other := newStates()
	other.now = s.now
	cases := []struct {
		name string
		ok   bool
	}{
		{"another request", s.take(ticket, "delete issue 8")},
		{"another process", other.take(ticket, "delete issue 7")},
		{"no ticket", s.take("", "delete issue 7")},
		{"a damaged one", s.take(ticket[:len(ticket)-2]+"AA", "delete issue 7")},
		{"no base64", s.take("%%", "delete issue 7")},
	}
	for _, c := range cases {
		if c.ok {
			t.Errorf("%s was accepted", c.name)
		}
	}
	if !s.take(ticket, "delete issue 7") {
		t.Error("a good ticket was refused")
	}
	if s.take(ticket, "delete issue 7") {
		t.Error("a ticket was accepted twice")
	}
	late := s.give("delete issue 7")
	now = now.Add(stateLife + time.Second)
	if s.take(late, "delete issue 7") {
		t.Error("a late ticket was accepted")
	}
	s.take(s.give("x"), "x")
	if len(s.used) != 1 {
		t.Errorf("%d used tickets are kept, want the live one only", len(s.used))
	}
}

func TestResourceNames(t *testing.T) {
	e := engine(t, 2, 0, &fixed{reply: search.Reply{Hits: hits(2)}})
	for _, uri := range []string{"gitlab://tools/thing01.list", "gitlab://tools/thing01%2Elist"} {
		data, err := e.Resource(t.Context(), uri)
		if err != nil || !strings.Contains(string(data), `{"id":"thing01.list",`) {
			t.Errorf("%s: %.40s, %v", uri, data, err)
		}
	}
	for uri, want := range map[string]string{
		"gitlab://tools/thing1.list": "near: thing00.list, thing01.list",
		"gitlab://tool":              "gitlab://tools/{id}",
		"":                           "gitlab://tools/{id}",
	} {
		if _, err := e.Resource(t.Context(), uri); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", uri, err, want)
		}
	}
}

// Related actions that the caller cannot run are named neither by a find result
// nor by the action's resource.
func TestRelatedExist(t *testing.T) {
	cat := catalogtest.New(catalogtest.Spec{Actions: []catalogtest.Action{
		{ID: "thing.create", Path: "/api/v4/things", Method: "POST", Scope: "api", Risk: catalog.Write},
		{ID: "thing.delete", Path: "/api/v4/things/{id}", Method: "DELETE", Scope: "api", Risk: catalog.Destroy},
		{ID: "thing.get", Path: "/api/v4/things/{id}", Scope: "read_api"},
		{
			ID: "thing.list", Path: "/api/v4/things", Scope: "read_api",
			Related: []string{"thing.create", "thing.get", "thing.list_paid", "thing.delete"},
		},
		{ID: "thing.list_paid", Path: "/api/v4/paid_things", Scope: "read_api", Tier: "ultimate"},
	}})
	tests := []struct {
		name   string
		config policy.Config
		scopes []string
		want   string // empty: the find result has no such member
	}{
		{"all", policy.Config{}, nil, `["thing.create","thing.get","thing.list_paid","thing.delete"]`},
		{"read-only", policy.Config{ReadOnly: true}, nil, `["thing.get","thing.list_paid"]`},
		{"excluded", policy.Config{Exclude: []string{"*.delete"}}, nil, `["thing.create","thing.get","thing.list_paid"]`},
		{"tier", policy.Config{Tier: "free"}, nil, `["thing.create","thing.get","thing.delete"]`},
		{"scopes", policy.Config{}, []string{"read_api"}, `["thing.get","thing.list_paid"]`},
		{"none left", policy.Config{ReadOnly: true, Exclude: []string{"thing.get"}, Tier: "free"}, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := policy.New(cat, tt.config)
			if err != nil {
				t.Fatal(err)
			}
			p.SetScopes(tt.scopes)
			list, _ := cat.ByID("thing.list")
			e := &Engine{Catalog: cat, Policy: p, Finder: &fixed{reply: search.Reply{Hits: []search.Hit{{Index: list.Index()}}}}}
			reply, err := e.Find(t.Context(), FindInput{Query: "things"})
			if err != nil {
				t.Fatal(err)
			}
			results, _ := scan.Get(string(reply.Structured), "results")
			for first := range scan.Elements(results) {
				if got, has := scan.Get(first, "related_actions"); got != tt.want || has != (tt.want != "") {
					t.Errorf("find result has related_actions %s, want %s", got, tt.want)
				}
			}
			data, err := e.Resource(t.Context(), "gitlab://tools/thing.list")
			if err != nil {
				t.Fatal(err)
			}
			want := tt.want
			if want == "" {
				want = "[]" // the member is always there
			}
			if got, _ := scan.Get(string(data), "related_actions"); got != want {
				t.Errorf("resource has related_actions %s, want %s", got, want)
			}
		})
	}
}

// The dump is what package diff reads, and the manifest is a list of the same actions.
func TestManifestAndDump(t *testing.T) {
	e := engine(t, 3, 0, &fixed{})
	for name, data := range map[string][]byte{"manifest": e.Manifest(), "dump": e.Dump("")} {
		if err := scan.Valid(data); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		actions, _ := scan.Get(string(data), "actions")
		if n := scan.Len(actions); n != 3 {
			t.Errorf("%s has %d actions, want 3", name, n)
		}
	}
	one, _ := scan.Get(string(e.Dump("thing01")), "actions")
	if scan.Len(one) != 1 || !strings.Contains(one, `"input_schema":{`) {
		t.Errorf("dump of one domain: %s", one)
	}
}

func FuzzFindInput(f *testing.F) {
	f.Add([]byte(`{"query":"a","limit":5,"explain":true}`))
	f.Add([]byte(`{"query":"\ud800","limit":"1e1"}`))
	f.Fuzz(func(t *testing.T, args []byte) {
		in, problem := findInput(args)
		if problem == "" && (in.Limit < 0 || in.Limit > search.MaxLimit) {
			t.Errorf("limit %d passed", in.Limit)
		}
	})
}

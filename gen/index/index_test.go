package index

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab-mcp-server/gen/ir"
	"gitlab-mcp-server/internal/token"
)

// small is a catalog of four actions.
func small() *ir.Catalog {
	action := func(id, method, path string, risk ir.Risk) *ir.Action {
		domain, name, _ := strings.Cut(id, ".")
		return &ir.Action{ID: id, Domain: domain, Name: name, Method: method, UpstreamPath: path, Risk: risk,
			Op: &ir.Operation{Method: method, Path: path, Tags: []string{"Issues"}}}
	}
	list := action("issue.list", "GET", "/api/v4/projects/{id}/issues", ir.Read)
	list.Params = []*ir.Param{{Name: "labels", Wire: "labels", In: ir.Query, Type: &ir.Type{Kind: ir.Array, Items: &ir.Type{Kind: ir.String}}}}
	return &ir.Catalog{Actions: []*ir.Action{
		action("group.list", "GET", "/api/v4/groups", ir.Read),
		action("issue.delete", "DELETE", "/api/v4/projects/{id}/issues/{issue_iid}", ir.Destroy),
		list,
		action("issue.subscribe", "POST", "/api/v4/projects/{id}/issues/{issue_iid}/subscribe", ir.Write),
	}}
}

const (
	smallVocabulary = `
stop: a, the, of
verbs:
  list: {list: 100}
  delete: {delete: 100}
  subscribe: {act: 100, term: 100}
scopes: {project: project, group: group}
near:
  reminder: {subscribe: 60}
same:
  delete: throw away
  issue: ticket, bug
languages:
  de: {stop: der die das, same: {delete: "lösche, löschen"}}
nouns:
  issue: defect
scope_paths: {project: "/projects/{", group: "/groups/{", instance: "/"}
use: {issue: 100}
`
	smallPhrases = `
issue.subscribe: [watch a ticket, the issue]
issue.list: [open tickets]
`
)

// specs writes overlays with the ranking of this repository.
func specs(t *testing.T, vocabulary, phrases string) string {
	t.Helper()
	dir := t.TempDir()
	ranking, err := os.ReadFile("../../specs/overlays/_ranking.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{"_vocabulary.yaml": vocabulary, "_ranking.yaml": string(ranking), "_phrases.yaml": phrases} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestBuild(t *testing.T) {
	dir := specs(t, smallVocabulary, smallPhrases)
	ix, err := Build(small(), dir)
	if err != nil {
		t.Fatal(err)
	}
	docs := func(word string) []int {
		term, ok := ix.Find([]byte(token.StemOf(word)))
		if !ok {
			return nil
		}
		start := uint32(0)
		if term > 0 {
			start = ix.PostEnds[term-1]
		}
		var list []int
		for _, u := range ix.Posts[start:ix.PostEnds[term]] {
			d := slices.IndexFunc(ix.DocUnits, func(end uint32) bool { return uint32(u) < end })
			if !slices.Contains(list, d) {
				list = append(list, d)
			}
		}
		return list
	}
	for word, want := range map[string][]int{
		"issue": {1, 2, 3}, "group": {0}, "subscribe": {3}, "watch": {3}, "defects": {1, 2, 3}, "ticket": nil, "project": nil,
	} {
		if diff := cmp.Diff(want, docs(word)); diff != "" {
			t.Errorf("%s: %s", word, diff)
		}
	}
	if diff := cmp.Diff([]uint8{token.ClassList, token.ClassDelete, token.ClassList, token.ClassAct}, ix.DocClass); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]uint8{token.ScopeInstance, token.ScopeProject, token.ScopeProject, token.ScopeProject}, ix.DocScope); diff != "" {
		t.Error(diff)
	}
	if ix.DocFlags[1] != token.DocDestructive|token.DocOwn || ix.DocFlags[2] != token.DocOwn || ix.DocFlags[3] != 0 {
		t.Errorf("flags %v", ix.DocFlags)
	}
	again, err := Build(small(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(ix, again); diff != "" {
		t.Errorf("two builds differ: %s", diff)
	}
}

// What phrases of a class or an action have in common is learned as signs of it.
func TestSenses(t *testing.T) {
	var said strings.Builder
	said.WriteString("issue.list: [")
	for _, w := range []string{"bugs", "tickets", "defects", "reports"} {
		said.WriteString("which " + w + " exist, all " + w + ", ")
	}
	said.WriteString("all issues]\nissue.delete: [")
	for _, w := range []string{"bug", "ticket", "defect", "report"} {
		said.WriteString("kill the " + w + ", the " + w + " must die, ")
	}
	said.WriteString("kill the issue]\n")
	ix, err := Build(small(), specs(t, smallVocabulary, said.String()))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{"kill the meeting": token.ClassDelete, "which meetings": token.ClassList, "all": token.ClassList} {
		var q token.Query
		q.Scan(text)
		sense := ix.Sense(ix.Lexicon.Signs(nil, &q, 0, len(q.Tokens), true, 100))
		asks := ix.Asks(&sense)
		if most := slices.Index(asks[:], slices.Max(asks[:])); most != want {
			t.Errorf("%q asks for %s: %v", text, token.ClassNames[most], asks)
		}
	}
}

// Lessons are learned from, and so is what asks for nothing.
func TestLessons(t *testing.T) {
	dir := specs(t, smallVocabulary, smallPhrases)
	lessons := "issue.delete: [make the ticket vanish, vanish the ticket, let the ticket vanish]\nissue.subscribe: [ping me about the ticket, ping me, ping the ticket]\n"
	build := func(file string) *token.Index {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "_lessons.yaml"), []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		ix, err := Build(small(), dir)
		if err != nil {
			t.Fatal(err)
		}
		return ix
	}
	sense := func(ix *token.Index, text string) token.Sense {
		var q token.Query
		q.Scan(text)
		return ix.Sense(ix.Lexicon.Signs(nil, &q, 0, len(q.Tokens), true, 100))
	}
	// every word of a lesson that the lexicon has must be in phrases too
	if err := os.WriteFile(filepath.Join(dir, "_phrases.yaml"), []byte(smallPhrases+"issue.delete: [vanish, weather]\ngroup.list: [ping]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ix := build(lessons)
	for text, want := range map[string]int{"vanish": 1, "ping": 3} {
		s := sense(ix, text)
		best := 0
		for doc := range ix.DocClass {
			if ix.Meets(&s, doc) > ix.Meets(&s, best) {
				best = doc
			}
		}
		if best != want {
			t.Errorf("%q asks for %d, want %d", text, best, want)
		}
	}
	s := sense(ix, "weather")
	if _, ok := ix.Nothing(&s); ok {
		t.Error("nothing was taught and is known")
	}
	ix = build(lessons + "nothing: [the weather, weather of rome, how is the weather, weather]\n")
	s = sense(ix, "weather")
	nothing, ok := ix.Nothing(&s)
	if !ok {
		t.Fatal("nothing was taught and is not known")
	}
	for doc := range ix.DocClass {
		if ix.Meets(&s, doc) >= nothing {
			t.Errorf("the weather asks for %d rather than for nothing", doc)
		}
	}
}

func TestLetters(t *testing.T) {
	v := vector{0, 1, -1, 100, -100}
	got := letters([]vector{v}, 10)
	for i, want := range []int{0, 10, -10, token.SenseLevels, -token.SenseLevels} {
		if level := int(got[i]) - token.SenseZero; level != want {
			t.Errorf("%v is level %d, want %d", v[i], level, want)
		}
	}
	if len(got) != token.SenseDims {
		t.Errorf("%d letters", len(got))
	}
}

func TestRefused(t *testing.T) {
	for name, tt := range map[string]struct{ vocabulary, phrases, want string }{
		"unknown key":   {"stop: a\nsynonym: {a: b}\n", "{}", "synonym"},
		"two meanings":  {"same: {issue: ticket, todo: ticket}\n", "{}", `two entries for "ticket"`},
		"unknown class": {"verbs: {list: {enumerate: 100}}\n", "{}", `unknown class "enumerate"`},
		"unknown scope": {"scopes: {galaxy: star}\n", "{}", `unknown scope "galaxy"`},
		"unknown mark":  {"marks: {perhaps: maybe}\n", "{}", `unknown mark "perhaps"`},
		"near weight":   {"near: {reminder: {subscribe: 101}}\n", "{}", "near: reminder: subscribe has weight 101, not 0 to 100"},
		"verb weight":   {"verbs: {list: {list: -1}}\n", "{}", "verbs: list: list has weight -1"},
		"use":           {"use: {issue: 1000}\n", "{}", "issue has weight 1000"},
		"no list":       {smallVocabulary, "issue.list: {a: b}\n", "_phrases.yaml"},
	} {
		_, err := Build(small(), specs(t, tt.vocabulary, tt.phrases))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, tt.want)
		}
	}
}

func TestAudit(t *testing.T) {
	cat := small()
	cat.Aliases = []ir.Alias{{Name: "issue.list", Targets: []string{"issue.delete"}}, {Name: "issue.gone", Targets: []string{"issue.nothing"}}}
	twin := *cat.Actions[1]
	twin.ID, twin.Domain = "issue.delete2", "issue"
	cat.Actions = slices.Insert(cat.Actions, 2, &twin)
	vocabulary := strings.Replace(smallVocabulary, "same:\n", "same:\n  galaxy: milky way\n", 1)
	vocabulary = strings.Replace(vocabulary, "same: {delete", "same: {nebula: Nebel, delete", 1)
	findings, _, err := Audit(cat, specs(t, vocabulary, smallPhrases+"no.action: [hello there]\n"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range findings {
		if f.Fix == "" {
			t.Errorf("%s: no advice", f.Message)
		}
		got = append(got, string(f.Severity)+" "+f.Message)
	}
	for _, want := range []string{
		"error issue.list: this alias is the id of an action, which hides it",
		"error issue.gone: this alias points to issue.nothing, which is no action",
		"error no.action: _phrases.yaml has phrases for this id, which is no action",
		"warning group.list: nothing but the words of its id leads to this action",
		`warning issue.subscribe: the phrase "the issue" says no more than the thing`,
		`warning same: other words for "galaxy" lead to no action`,
		`warning de: other words for "nebula" lead to no action`,
		"warning issue.delete2: no query can tell it from issue.delete",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no finding %q in\n%s", want, strings.Join(got, "\n"))
		}
	}
}

package token_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab-mcp-server/internal/token"
)

var kindNames = map[token.Kind]string{
	token.Word: "word", token.Ident: "ident", token.CJK: "cjk", token.Dotted: "dotted", token.Number: "number", token.Issue: "issue",
	token.Merge: "merge", token.SHA: "sha", token.URL: "url", token.Email: "email", token.User: "user", token.Date: "date",
	token.Quoted: "quoted", token.Key: "key", token.Value: "value", token.Break: "break",
}

func scan(text string) string {
	tokens, buf := token.Scan(nil, nil, text)
	var out []string
	for _, t := range tokens {
		out = append(out, fmt.Sprintf("%s:%s", kindNames[t.Kind], t.Text(buf)))
	}
	return strings.Join(out, " ")
}

func TestScan(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"List open MRs", "word:list word:open word:mrs"},
		{"close #12, merge !34", "word:close issue:#12 break:, word:merge merge:!34"},
		{"what changed in 1a2b3c", "word:what word:changed word:in sha:1a2b3c"},
		{"labels=backend,bug state=opened", "key:labels value:backend,bug key:state value:opened"},
		{"after=2026-01-01 since 2026-01-01T10:00:00Z", "key:after value:2026-01-01 word:since date:2026-01-01t10:00:00z"},
		{"regex=^release/", "key:regex value:^release/"},
		{"kim@example.com and @kim", "email:kim@example.com word:and user:@kim"},
		{"titled 'Login broken' please", "word:titled quoted:login broken word:please"},
		{"the author's issue isn't done", "word:the word:author word:issue word:isnt word:done"},
		{"supprimer l'utilisateur 8", "word:supprimer word:l word:utilisateur number:8"},
		{"tag v1.2-beta at 2am", "word:tag number:v1.2-beta word:at number:2am"},
		{"docs/intro.md on feature/x.", "dotted:docs/intro.md word:docs word:intro word:md word:on dotted:feature/x word:feature word:x break:."},
		{"push_access_level", "ident:push_access_level word:push word:access word:level"},
		{"git diff main..dev", "word:git word:diff value:main..dev"},
		{"https://gitlab.example.com/a/b/-/merge_requests/7?x=1.", "url:https://gitlab.example.com/a/b/-/merge_requests/7?x=1 word:merge word:requests break:."},
		{"Über Änderungen größer", "word:uber word:anderungen word:grosser"},
		{"合并合并请求 15", "cjk:合并合并请求 number:15"},
		{"ブランチを削除", "cjk:ブランチを削除"},
		{"ＡＢＣ", "word:abc"},
		{"", ""},
		{"  \t ", ""},
	} {
		if got := scan(tt.text); got != tt.want {
			t.Errorf("Scan(%q)\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

func TestStem(t *testing.T) {
	// words of one line have one stem, of two lines two
	var stems []string
	for _, line := range []string{
		"merge merges merged merging",
		"move moves moved moving",
		"run runs running",
		"list lists listed listing",
		"branch branches",
		"policy policies",
		"approve approved approving",
		"delete deletes deleted deleting",
		"tag tags tagged tagging",
		"issue issues",
		"note notes",
		"not",
		"site sites",
		"sit",
		"setting settings",
		"set sets",
		"status",
		"access",
		"reply replies replied replying",
		"stop stops stopped stopping",
		"add adds added adding",
		"string strings",
		"label labels labelled labelling",
		"cancel cancelled canceling",
		"spell spelled spelling",
	} {
		var first string
		for _, w := range strings.Fields(line) {
			got := token.StemOf(w)
			if first == "" {
				first = got
			} else if got != first {
				t.Errorf("stem of %s is %q, of its line %q", w, got, first)
			}
		}
		stems = append(stems, first)
	}
	for i, s := range stems {
		for j, o := range stems[:i] {
			if s == o {
				t.Errorf("lines %d and %d have the stem %q", j, i, s)
			}
		}
	}
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b  string
		limit int
		want  int
	}{
		{"pipeline", "pipeline", 2, 0},
		{"pipelnie", "pipeline", 2, 1}, // swapped
		{"pipelne", "pipeline", 2, 1},
		{"retyr", "retry", 1, 1},
		{"enviroment", "environment", 2, 1},
		{"pplne", "pipeline", 2, 3},
		{"abc", "xyz", 2, 3},
		{"", "ab", 2, 2},
		{"ab", "", 1, 2},
		{strings.Repeat("a", 40), strings.Repeat("a", 39) + "b", 2, 1}, // long, but alike
		{"x" + strings.Repeat("a", 40) + "x", "y" + strings.Repeat("a", 40) + "y", 2, 3},
	} {
		if got := token.Distance([]byte(tt.a), tt.b, tt.limit); got != tt.want {
			t.Errorf("Distance(%q, %q, %d) = %d, want %d", tt.a, tt.b, tt.limit, got, tt.want)
		}
	}
}

func TestLexicon(t *testing.T) {
	b := token.NewBuilder()
	add := func(key string, steps ...token.Step) {
		t.Helper()
		if err := b.Add(token.KeyOf(key), steps...); err != nil {
			t.Fatal(err)
		}
	}
	add("merge request", token.Step{Op: token.OpTerm, Weight: 100, Term: "merge_request"})
	add("merge", token.Step{Op: token.OpTerm, Weight: 100, Term: "merg"}, token.Step{Op: token.OpClass, Weight: 90, ID: token.ClassAct})
	add("the", token.Step{Op: token.OpStop})
	add("合并", token.Step{Op: token.OpTerm, Weight: 100, Term: "merg"})
	add("合并请求", token.Step{Op: token.OpTerm, Weight: 100, Term: "merge_request"})
	add("take", token.Step{Op: token.OpClass, Weight: 50, ID: token.ClassGet}, token.Step{Op: token.OpVerb, Term: "take"})
	add("take off", token.Step{Op: token.OpClass, Weight: 95, ID: token.ClassDelete}, token.Step{Op: token.OpVerb, Term: "delet"})
	add("under", token.Step{Op: token.OpTerm, Weight: 100, Term: "under"}, token.Step{Op: token.OpLight})
	if err := b.Add("merg", token.Step{Op: token.OpStop}); err == nil {
		t.Error("a second entry for one key was taken")
	}
	l, err := b.Lexicon()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"merging the merge requests", []string{"merg act", "merge_request"}},
		{"合并合并请求", []string{"merg", "merge_request"}},
		{"the frobnitz 12", []string{"? frobnitz", "= 12"}},
		{"take the merge off", []string{"delete (delet)", "merg act", "off"}},
		{"take the merge. off", []string{"get (take)", "merg act", "= .", "off"}},
		{"take a b c d e f off", []string{"get (take)", "? a", "? b", "? c", "? d", "? e", "? f", "off"}},
		{"under 5", []string{"~under", "= 5"}},
	} {
		var q token.Query
		q.Scan(tt.text)
		l.Match(&q)
		var got []string
		for _, s := range q.Slots[:q.N] {
			switch s.Kind {
			case token.Unknown:
				got = append(got, "? "+tt.text[s.Start:s.End])
			case token.Literal, token.Connection:
				got = append(got, "= "+tt.text[s.Start:s.End])
			case token.Light:
				got = append(got, "~"+l.Stem(int(s.Alts[0].Term)))
			default:
				var words []string
				if s.NAlts > 0 {
					words = append(words, l.Stem(int(s.Alts[0].Term)))
				}
				for _, c := range s.Class[:s.NClass] {
					words = append(words, token.ClassNames[c.Term])
				}
				if s.Verb != token.NoTerm {
					words = append(words, "("+l.Stem(int(s.Verb))+")")
				}
				got = append(got, strings.Join(words, " "))
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q: %s", tt.text, diff)
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, s := range []string{"close #12", "a=b c='d e'", "https://x/-/issues/1", "合并 ｆｕｌｌ", "\xff\xfe", "a..b", "'", "don't", "x@y.z"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tokens, buf := token.Scan(nil, nil, text)
		for i, tok := range tokens {
			if int(tok.Off)+int(tok.Len) > len(buf) || tok.Start > tok.End || int(tok.End) > len(text) {
				t.Fatalf("token %d of %q is out of bounds: %+v", i, text, tok)
			}
			if i+int(tok.Parts) >= len(tokens) {
				t.Fatalf("token %d of %q has parts beyond the end", i, text)
			}
		}
	})
}

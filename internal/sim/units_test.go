package sim

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestVariants(t *testing.T) {
	for _, tt := range []struct {
		template string
		want     []string
	}{
		{"/api/v4/projects/{id}", []string{"/projects/{id}"}},
		{"/api/v4/groups/{id}/(-/)epics", []string{"/groups/{id}/epics", "/groups/{id}/-/epics"}},
		{"/api/v4/a{/path}/{file}", []string{"/a/{file}", "/a/{path}/{file}"}},
		{"/api/v4/archive{.format}", []string{"/archive", "/archive.{format}"}},
		{"/api/v4/a(/{hash})/(b/)c", []string{"/a/c", "/a/{hash}/c", "/a/b/c", "/a/{hash}/b/c"}},
		{`/api/v4/FindById\(\)`, []string{"/FindById()"}},
	} {
		if diff := cmp.Diff(tt.want, variants(tt.template)); diff != "" {
			t.Errorf("%s: %s", tt.template, diff)
		}
	}
}

func TestPieceMatch(t *testing.T) {
	for _, tt := range []struct {
		template, segment string
		want              map[string]string
	}{
		{"{name}", "a b", map[string]string{"name": "a b"}},
		{"{file}.tgz", "x.tgz", map[string]string{"file": "x"}},
		{"{file}.tgz", "x.zip", nil},
		{"{file}.tgz", ".tgz", nil},
		{"v{a}-{b}", "v1-2-3", map[string]string{"a": "1", "b": "2-3"}},
		{"issues", "issues", map[string]string{}},
		{"issues", "issue", nil},
	} {
		got := map[string]string{}
		ok := pieces("/"+tt.template, nil)[0].match(tt.segment, got)
		if ok != (tt.want != nil) || ok && cmp.Diff(tt.want, got) != "" {
			t.Errorf("%s on %s: %v %v", tt.template, tt.segment, ok, got)
		}
	}
}

func TestEncodedTwice(t *testing.T) {
	for raw, want := range map[string]bool{"a%252Fb": true, "a%2520b": true, "a%2Fb": false, "100%25": false, "50%25-off": false, "a%2541": false} {
		_, err := splitPath(apiPrefix + "/x/" + raw)
		if (err != nil) != want {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

func TestBrackets(t *testing.T) {
	for _, tt := range []struct {
		name, base string
		keys       []string
		ok         bool
	}{
		{"a", "a", nil, true},
		{"a[]", "a", []string{""}, true},
		{"a[b][]", "a", []string{"b", ""}, true},
		{"a[", "a[", nil, false},
		{"a[b", "a[b", nil, false},
		{"a[b]c", "a[b]c", nil, false},
		{"[a]", "[a]", nil, false},
	} {
		base, keys, ok := brackets(tt.name)
		if ok != tt.ok || ok && (base != tt.base || cmp.Diff(tt.keys, keys) != "") {
			t.Errorf("%s: %q %q %v", tt.name, base, keys, ok)
		}
	}
}

func TestUnified(t *testing.T) {
	for _, tt := range []struct {
		name, before, after, want string
	}{
		{"same", "a\n", "a\n", ""},
		{"new", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"gone", "a\n", "", "@@ -1,1 +0,0 @@\n-a\n"},
		{"middle", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n", "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"},
		{"no end of line", "a", "b", "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"},
		{"far apart", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", "one\n2\n3\n4\n5\n6\n7\n8\n9\nten\n", "@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n@@ -7,4 +7,4 @@\n 7\n 8\n 9\n-10\n+ten\n"},
	} {
		got, _, _ := unified(tt.before, tt.after)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

func TestMergeTrees(t *testing.T) {
	base := tree{"a": plain("1"), "b": plain("1"), "c": plain("1")}
	ours := tree{"a": plain("2"), "b": plain("1"), "c": plain("1"), "d": plain("1")}
	theirs := tree{"a": plain("1"), "b": plain("3")}
	got, conflicts := mergeTrees(base, ours, theirs)
	want := tree{"a": plain("2"), "b": plain("3"), "d": plain("1")}
	if len(conflicts) > 0 || !cmp.Equal(want, got, cmp.AllowUnexported(file{})) {
		t.Errorf("%v, conflicts %v", got, conflicts)
	}
	theirs["a"] = plain("4")
	if _, conflicts := mergeTrees(base, ours, theirs); !cmp.Equal(conflicts, []string{"a"}) {
		t.Errorf("conflicts %v", conflicts)
	}
}

func TestSingular(t *testing.T) {
	for plural, want := range map[string]string{"issues": "issue", "policies": "policy", "branches": "branch", "status": "status", "boxes": "box", "releases": "release", "access": "access"} {
		if got := singular(plural); got != want {
			t.Errorf("%s: %s", plural, got)
		}
	}
}

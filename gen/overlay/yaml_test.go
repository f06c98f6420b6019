package overlay

import (
	"testing"
)

// FuzzParse holds that no overlay file, however broken, stops the generator
// otherwise than by an error, and that lines are lines of the file.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"", "a: 1\n", "- a\n- {b: [1, 2]}\n", "a: &x 1\nb: *x\n", "a: |\n  text\n", "a: 1\n---\nb: 2\n", "{", "? [a]\n: b\n", "a: !!set {}\n", "\t"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		n, err := parse(text, "file.yaml")
		if err != nil {
			return
		}
		lines := 1
		for _, c := range text {
			if c == '\n' || c == '\r' { // the parser takes both for line ends
				lines++
			}
		}
		var walk func(*node)
		walk = func(n *node) {
			if n.pos.File != "file.yaml" || n.pos.Line > lines+1 {
				t.Fatalf("node at %v of a file of %d lines", n.pos, lines)
			}
			for _, item := range n.items {
				walk(item)
			}
			for _, p := range n.pairs {
				walk(p.val)
			}
		}
		walk(n)
	})
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"issue.list", "issue.list", true},
		{"issue.list", "issue.list_group", false},
		{"issue.*", "issue.list", true},
		{"*.list", "issue.list", true},
		{"*.list", "issue.list_group", false},
		{"*note*.create", "issue_note.create", true},
		{"*note*.create", "note.update", false},
		{"*", "", true},
		{"a*a", "a", false},
		{"*request", "project_access_request", true},
	} {
		if got := match(c.pattern, c.name); got != c.want {
			t.Errorf("match(%q, %q) = %v", c.pattern, c.name, got)
		}
	}
}

func TestNear(t *testing.T) {
	names := []string{"issue.list", "issue.get", "label.list"}
	for word, want := range map[string]string{
		"issue.lst": `, did you mean "issue.list"?`,
		"isue.get":  `, did you mean "issue.get"?`,
		"vanished":  "",
	} {
		if got := near(word, names); got != want {
			t.Errorf("near(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestSingular(t *testing.T) {
	n := &naming{singulars: map[string]*entry{"statuses": {text: "status"}}}
	for plural, want := range map[string]string{
		"issues": "issue", "branches": "branch", "vulnerabilities": "vulnerability", "access": "access", "statuses": "status", "commit_statuses": "commit_status",
	} {
		if got := n.singular(plural); got != want {
			t.Errorf("singular(%q) = %q, want %q", plural, got, want)
		}
	}
}

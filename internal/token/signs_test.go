package token_test

import (
	"cmp"
	"slices"
	"testing"

	"gitlab-mcp-server/internal/token"
)

// Texts that differ in words, order, number or values differ in signs; the rest
// does not count.
func TestSigns(t *testing.T) {
	b := token.NewBuilder()
	for _, w := range []string{"is", "runner", "issu", "list", "the"} {
		b.Term(w)
	}
	l, err := b.Lexicon()
	if err != nil {
		t.Fatal(err)
	}
	signs := func(text string) []token.Sign {
		var q token.Query
		q.Scan(text)
		s := l.Signs(nil, &q, 0, len(q.Tokens), true, 100)
		slices.SortFunc(s, func(a, b token.Sign) int { return cmp.Compare(a.Name, b.Name) })
		return s
	}
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"is the runner", "Is the runner?", true},
		{"list issue", "list issues", false},
		{"list issue 5", "list issue 7", true},
		{"list issue 5", "list issue", false},
		{"list issue 5", "list issue kim@example.com", false},
		{"the issue is", "is the issue", false},
		{"issue frobnitz", "issue wibble", true}, // words that nothing was learned of
		{"issue frobnitz", "issue", true},
		{"issue issue issue", "issue issue", true},
	} {
		if got := slices.Equal(signs(tt.a), signs(tt.b)); got != tt.same {
			t.Errorf("signs of %q and %q are the same: %v, want %v", tt.a, tt.b, got, tt.same)
		}
	}
}

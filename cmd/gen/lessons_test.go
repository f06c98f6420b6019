package main

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gitlab-mcp-server/gen/index"
)

// What is learned from must not be what is measured with, or the figures of the
// search say nothing.
func TestLessonsAreNoQueries(t *testing.T) {
	digits, others := regexp.MustCompile(`\d+`), regexp.MustCompile(`[^\pL\pN]+`)
	key := func(text string) string {
		return strings.TrimSpace(others.ReplaceAllString(digits.ReplaceAllString(strings.ToLower(text), "0"), " "))
	}
	lessons, err := index.Lessons("../../specs/overlays")
	if err != nil {
		t.Fatal(err)
	}
	taught := map[string]string{}
	for id, list := range lessons {
		for _, text := range list {
			taught[key(text)] = id
		}
	}
	files, err := filepath.Glob("../../internal/search/testdata/queries_*.jsonl")
	if err != nil || len(files) != 2 || len(taught) < 1000 {
		t.Fatalf("%d lessons, queries in %v: %v", len(taught), files, err)
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		for lines := bufio.NewScanner(f); lines.Scan(); {
			var q struct{ Query string }
			if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
				t.Fatal(err)
			}
			if id, ok := taught[key(q.Query)]; ok {
				t.Errorf("%s: %q is a lesson of %s", filepath.Base(name), q.Query, id)
			}
		}
		f.Close()
	}
}

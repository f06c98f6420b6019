package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// generate is the default command, writes once, and checks with -check.
func TestGenerate(t *testing.T) {
	root := t.TempDir()
	specs(t, root)
	ranking := filepath.Join("specs", "overlays", "_ranking.yaml")
	data, err := os.ReadFile(filepath.Join("..", "..", ranking))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, ranking), data, 0o644); err != nil {
		t.Fatal(err)
	}
	code, out, complaint := runGen(t, "-check", "-root", root)
	if code != exitFailed || !strings.Contains(complaint, "not current") || !strings.Contains(complaint, "run go run ./cmd/gen generate") {
		t.Errorf("check of nothing: exit %d, %s%s", code, out, complaint)
	}
	code, out, complaint = runGen(t, "generate", "-root", root)
	if code != exitOK || !strings.Contains(out, "2 actions, 0 refused operations") || !strings.Contains(out, "title ") {
		t.Errorf("generate: exit %d, %s%s", code, out, complaint)
	}
	code, out, complaint = runGen(t, "--check", "-q", "-root", root)
	if code != exitOK || !strings.Contains(out, "0 not current") || strings.Contains(out, "title ") {
		t.Errorf("check: exit %d, %s%s", code, out, complaint)
	}
	if code, _, complaint = runGen(t, "generate", "-root", t.TempDir()); code != exitFailed || complaint == "" {
		t.Errorf("no specs: exit %d, %q", code, complaint)
	}
}

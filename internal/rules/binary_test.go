package rules

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const server = "gitlab-mcp-server/cmd/gitlab-mcp-server"

func goTool(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}

// The server links neither the generator nor what it parses with.
func TestServerLinksNoGenerator(t *testing.T) {
	for _, dep := range strings.Fields(goTool(t, "list", "-deps", server)) {
		switch {
		case strings.HasPrefix(dep, "github.com/getkin/"), strings.HasPrefix(dep, "github.com/dave/"), strings.HasPrefix(dep, "github.com/goccy/"),
			strings.HasPrefix(dep, "github.com/blevesearch/"), strings.HasPrefix(dep, module+"gen/") && dep != module+"gen/diff":
			t.Errorf("the server links %s", dep)
		}
	}
}

// mostBytes bounds the stripped binary.
const mostBytes = 25_000_000

// The binary is small, and no package of this module does work before main.
func TestBinary(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the server twice")
	}
	dir := t.TempDir()
	full, stripped := filepath.Join(dir, "full"), filepath.Join(dir, "stripped")
	goTool(t, "build", "-o", full, server)
	for line := range strings.Lines(goTool(t, "tool", "nm", full)) {
		name := line[strings.LastIndexByte(line, ' ')+1:]
		if pkg, ok := strings.CutSuffix(strings.TrimSpace(name), "..inittask"); ok && (strings.HasPrefix(pkg, module) || pkg == "main") {
			t.Errorf("%s has work to do before main", pkg)
		}
	}
	if runtime.GOOS == "windows" {
		return // sizes there say nothing about ours
	}
	goTool(t, "build", "-trimpath", "-ldflags", "-s -w", "-o", stripped, server)
	info, err := os.Stat(stripped)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("stripped: %d bytes", info.Size())
	if info.Size() > mostBytes {
		t.Errorf("the stripped server has %d bytes, want at most %d", info.Size(), mostBytes)
	}
}

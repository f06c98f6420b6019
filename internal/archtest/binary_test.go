package archtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// maxBinary bounds the stripped server, in bytes.
const maxBinary = 25 << 20

// The server links none of the generator's libraries.
func TestBinaryLinks(t *testing.T) {
	deps := run(t, "go", "list", "-deps", "./cmd/gitlab-mcp-server")
	for _, lib := range []string{"github.com/getkin/kin-openapi", "github.com/dave/jennifer", "github.com/goccy/go-yaml", "go.yaml.in/yaml", "github.com/blevesearch", module + "/gen/emit", module + "/gen/load"} {
		for _, dep := range strings.Fields(deps) {
			if within(dep, lib) {
				t.Errorf("the server links %s", dep)
			}
		}
	}
}

// Nothing of ours runs before main: no package of this module has work to do at
// start. The linker keeps an inittask only for a package that has some.
func TestBinaryStartsWithoutWork(t *testing.T) {
	if testing.Short() {
		t.Skip("links the server")
	}
	bin := filepath.Join(t.TempDir(), "server")
	run(t, "go", "build", "-o", bin, "./cmd/gitlab-mcp-server")
	task := regexp.MustCompile(`\b(` + module + `/\S+)\.\.inittask\b`)
	for _, m := range task.FindAllStringSubmatch(run(t, "go", "tool", "nm", bin), -1) {
		t.Errorf("%s does work before main; make its package-level variables constants, arrays or functions", m[1])
	}
}

func TestBinarySize(t *testing.T) {
	if testing.Short() {
		t.Skip("links the server")
	}
	bin := filepath.Join(t.TempDir(), "server")
	run(t, "go", "build", "-ldflags", "-s -w", "-o", bin, "./cmd/gitlab-mcp-server")
	info, err := os.Stat(bin)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes", info.Size())
	if info.Size() > maxBinary {
		t.Errorf("the stripped server has %d bytes, at most %d are allowed", info.Size(), maxBinary)
	}
}

// run runs a command in the root of the checkout.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = root(t)
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, complaint.String())
	}
	return string(out)
}

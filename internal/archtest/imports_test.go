// Package archtest holds the repository against its architecture: which package
// may import which, and what the server's binary must not contain.
//
// It has no code outside its tests.
package archtest

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "gitlab-mcp-server"

// rank orders the packages under internal: imports go to a lower rank only. The
// first element below internal counts; a package may import its own element.
var rank = map[string]int{
	"web":     6,
	"server":  5,
	"surface": 4, "own": 4,
	"exec":   3,
	"policy": 2, "render": 2, "gitlab": 2, "search": 2, "sim": 2,
	"catalog": 1,
	"arg":     0, "call": 0, "token": 0, "config": 0,
	"scan": -1,
}

// leaves import nothing of this module but what is listed.
var leaves = map[string][]string{
	"internal/scan":   {},
	"internal/token":  {},
	"internal/config": {},
	"internal/arg":    {"internal/scan"},
	"internal/call":   {"internal/scan"},
	"gen/ir":          {},
	"gen/diff":        {},
	"generated":       {"internal/catalog", "internal/arg", "internal/call"},
}

// libraries are modules that only the listed packages import, and only the
// tests of those under tests.
var libraries = []struct {
	path         string
	in, testsToo []string
}{
	{"github.com/getkin/kin-openapi", []string{"gen/load"}, []string{"internal/sim", "internal/evidence"}},
	{"github.com/dave/jennifer", []string{"gen/emit"}, nil},
	{"github.com/goccy/go-yaml", []string{"gen/overlay", "gen/index"}, nil},
	{"go.yaml.in/yaml", []string{"gen/load"}, nil},
	{"github.com/vektah/gqlparser", []string{"gen/overlay", "internal/own", "internal/sim"}, nil},
	{"github.com/hashicorp/go-retryablehttp", []string{"internal/gitlab"}, nil},
	{"github.com/modelcontextprotocol/go-sdk", []string{"internal/surface", "internal/server", "internal/web"}, []string{"cmd/gitlab-mcp-server"}},
	{"github.com/blevesearch", nil, []string{"internal/search"}},
	{"gitlab.com/gitlab-org/api/client-go", nil, []string{"*"}},
	{"github.com/google/go-cmp", nil, []string{"*"}},
}

// edge is an import.
type edge struct {
	from, to string // paths below the module, or the whole path of a library
	test     bool
	file     string
}

func TestImports(t *testing.T) {
	edges := imports(t)
	if len(edges) < 100 {
		t.Fatalf("%d imports found; the walk is broken", len(edges))
	}
	for _, e := range edges {
		if why := refused(e); why != "" {
			t.Errorf("%s imports %s: %s", e.file, e.to, why)
		}
	}
}

// The rules refuse what they are for.
func TestImportsRefuses(t *testing.T) {
	for _, e := range []edge{
		{from: "internal/arg", to: "internal/catalog"},
		{from: "internal/token", to: "internal/scan"},
		{from: "internal/exec", to: "internal/surface"},
		{from: "internal/policy", to: "internal/render"},
		{from: "internal/exec", to: "generated"},
		{from: "internal/exec", to: "gen/ir"},
		{from: "internal/server", to: "internal/sim"},
		{from: "internal/exec", to: "internal/catalog/catalogtest"},
		{from: "internal/new", to: "internal/arg"},
		{from: "gen/emit", to: "internal/catalog"},
		{from: "gen/emit", to: "generated"},
		{from: "gen/ir", to: "gen/schema"},
		{from: "generated", to: "internal/scan"},
		{from: "cmd/gitlab-mcp-server", to: "gen/load"},
		{from: "cmd/gen", to: "internal/exec"},
		{from: "internal/exec", to: "github.com/modelcontextprotocol/go-sdk/mcp"},
		{from: "gen/overlay", to: "github.com/getkin/kin-openapi/openapi3"},
		{from: "internal/arg", to: "github.com/google/go-cmp/cmp"},
	} {
		if refused(e) == "" {
			t.Errorf("%s may import %s", e.from, e.to)
		}
	}
}

// refused says why the import is against the architecture, "" if it is not.
func refused(e edge) string {
	for _, lib := range libraries {
		if !within(e.to, lib.path) {
			continue
		}
		if among(e.from, lib.in) || e.test && (among(e.from, lib.testsToo) || slices.Contains(lib.testsToo, "*")) {
			return ""
		}
		return "only " + strings.Join(lib.in, ", ") + " may"
	}
	if !ours(e.to) {
		return ""
	}
	if e.test {
		return "" // a test may look at anything of ours
	}
	if only, ok := leaves[e.from]; ok {
		if slices.Contains(only, e.to) {
			return ""
		}
		return "it is a leaf"
	}
	switch {
	case path.Base(e.to) == "catalogtest" || path.Base(e.to) == "archtest":
		return "it is for tests"
	case within(e.from, "cmd/gen"):
		if within(e.to, "gen") || e.to == "generated" || among(e.to, []string{"internal/search", "internal/catalog", "internal/token"}) {
			return ""
		}
		return "the generator's command drives gen, and hands tables to search"
	case within(e.from, "cmd"):
		if within(e.to, "internal") || e.to == "generated" || e.to == "gen/diff" {
			return ""
		}
		return "a program links nothing of the generator but gen/diff"
	case within(e.from, "gen"):
		if within(e.to, "gen") || e.to == "internal/token" {
			return ""
		}
		return "the generator names the run time as text only"
	case within(e.from, "internal") && within(e.to, "internal"):
		return upwards(e)
	}
	return "no rule allows it"
}

// upwards refuses imports of the same or a higher rank.
func upwards(e edge) string {
	from, to := element(e.from), element(e.to)
	if from == to {
		return ""
	}
	high, ok := rank[from]
	if !ok {
		return from + " has no rank; give it one here and in docs/architecture.md"
	}
	low, ok := rank[to]
	switch {
	case !ok:
		return to + " has no rank; give it one here and in docs/architecture.md"
	case to == "sim":
		return "programs and tests start the simulated GitLab"
	case low >= high:
		return "imports go downwards only"
	}
	return ""
}

func element(p string) string { return strings.Split(p, "/")[1] }

func within(p, dir string) bool { return p == dir || strings.HasPrefix(p, dir+"/") }

func among(p string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(d string) bool { return within(p, d) })
}

func ours(p string) bool {
	return within(p, "internal") || within(p, "gen") || within(p, "cmd") || p == "generated"
}

// imports are those of all Go files of the module.
func imports(t *testing.T) []edge {
	t.Helper()
	root := filepath.Join("..", "..")
	var edges []edge
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() {
			if name == "testdata" || name == "bin" || name == "dist" || strings.HasPrefix(name, ".") && name != ".." {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") {
			return nil
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			to, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			edges = append(edges, edge{
				from: path.Dir(rel), to: strings.TrimPrefix(to, module+"/"),
				test: strings.HasSuffix(rel, "_test.go") || path.Base(path.Dir(rel)) == "catalogtest", file: rel,
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return edges
}

// root is the folder of go.mod.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Package rules holds the tests of docs/architecture.md: who may import whom,
// and what the server binary may hold. It has no code of its own.
package rules

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

const module = "gitlab-mcp-server/"

// may lists the packages of this module that each package may import.
var may = map[string][]string{
	"internal/scan":                {},
	"internal/token":               {},
	"internal/config":              {},
	"internal/arg":                 {"internal/scan"},
	"internal/call":                {"internal/scan"},
	"internal/catalog":             {"internal/arg", "internal/call", "internal/token"},
	"internal/catalog/catalogtest": {"internal/arg", "internal/call", "internal/catalog"},
	"internal/search":              {"internal/catalog", "internal/token"},
	"internal/search/eval":         {"internal/search", "internal/catalog", "internal/token"},
	"internal/policy":              {"internal/arg", "internal/catalog"},
	"internal/gitlab":              {"internal/call", "internal/scan"},
	"internal/render":              {"internal/arg", "internal/catalog", "internal/scan"},
	"internal/exec":                {"internal/arg", "internal/call", "internal/catalog", "internal/gitlab", "internal/policy", "internal/render", "internal/scan", "internal/search"},
	"internal/surface":             {"internal/catalog", "internal/exec", "internal/policy", "internal/scan", "internal/search"},
	"internal/server":              {"internal/call", "internal/catalog", "internal/config", "internal/exec", "internal/gitlab", "internal/policy", "internal/scan", "internal/search", "internal/surface"},
	"internal/sim":                 {"internal/catalog", "internal/scan"},
	"generated":                    {"internal/arg", "internal/call", "internal/catalog"},
}

// only lists who may import a foreign module.
var only = map[string][]string{
	"github.com/getkin/kin-openapi":          {"gen/load"},
	"github.com/dave/jennifer":               {"gen/emit"},
	"github.com/hashicorp/go-retryablehttp":  {"internal/gitlab"},
	"github.com/modelcontextprotocol/go-sdk": {"internal/surface", "internal/server", "internal/web", "cmd/gitlab-mcp-server/testdata/empty"},
}

func TestImports(t *testing.T) {
	root := filepath.Join("..", "..")
	seen := map[string]bool{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(rel))
		switch {
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "bin" || strings.HasPrefix(rel, filepath.Join("gen", "emit", "testdata"))):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		seen[pkg] = true
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if why := forbidden(pkg, imported); why != "" {
				t.Errorf("%s imports %s: %s", rel, imported, why)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range may {
		if !seen[pkg] && pkg != "internal/sim" && pkg != "internal/search/eval" {
			t.Errorf("the rules name %s, which does not exist", pkg)
		}
	}
}

// forbidden says why pkg may not import a path, or nothing.
func forbidden(pkg, imported string) string {
	for mod, users := range only {
		if (imported == mod || strings.HasPrefix(imported, mod+"/")) && !slices.Contains(users, pkg) {
			return "only " + strings.Join(users, ", ") + " may"
		}
	}
	local, ok := strings.CutPrefix(imported, module)
	if !ok {
		return ""
	}
	switch {
	case strings.HasPrefix(pkg, "cmd/"):
		return ""
	case pkg == "gen" || strings.HasPrefix(pkg, "gen/"):
		if strings.HasPrefix(local, "internal/") && local != "internal/token" || local == "generated" {
			return "gen knows internal/token only"
		}
		return ""
	}
	allowed, known := may[pkg]
	if !known {
		return "no rule for the package; add it to may"
	}
	if !slices.Contains(allowed, local) {
		return "an edge that docs/architecture.md does not have"
	}
	return ""
}

func TestForbidden(t *testing.T) {
	for _, tt := range []struct {
		pkg, imported string
		want          bool
	}{
		{"internal/scan", module + "internal/arg", true},
		{"internal/exec", module + "internal/surface", true},
		{"internal/exec", module + "internal/render", false},
		{"internal/search", module + "generated", true},
		{"gen/emit", module + "internal/catalog", true},
		{"gen/index", module + "internal/token", false},
		{"cmd/gen", module + "internal/search", false},
		{"internal/render", "github.com/modelcontextprotocol/go-sdk/mcp", true},
		{"internal/new", module + "internal/scan", true},
		{"internal/scan", path.Join("encoding", "json"), false},
	} {
		if got := forbidden(tt.pkg, tt.imported) != ""; got != tt.want {
			t.Errorf("%s imports %s: forbidden %v, want %v", tt.pkg, tt.imported, got, tt.want)
		}
	}
}

package overlay_test

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"gitlab-mcp-server/gen/check"
	"gitlab-mcp-server/gen/ir"
	"gitlab-mcp-server/gen/load"
	"gitlab-mcp-server/gen/overlay"
)

const (
	specDir    = "../../specs/gitlab"
	overlayDir = "../../specs/overlays"
	lockFile   = "../../specs/names.lock"
)

// repository makes the catalog of this repository, once for all tests.
var repository = sync.OnceValues(func() (*ir.Catalog, error) {
	spec, err := load.Load(specDir)
	if err != nil {
		return nil, err
	}
	return overlay.Build(spec, overlayDir, lockFile)
})

func buildRepository(t *testing.T) *ir.Catalog {
	t.Helper()
	cat, err := repository()
	var problems overlay.Errors
	if errors.As(err, &problems) {
		for _, p := range problems {
			t.Error(p)
		}
	} else if err != nil {
		t.Fatal(err)
	}
	return cat
}

// TestBuildRepository prints every problem of the committed overlays, and how
// far the curation is.
func TestBuildRepository(t *testing.T) {
	cat := buildRepository(t)
	for _, f := range check.Catalog(cat) {
		if f.Severity == check.Error {
			t.Error(f)
		}
	}
	t.Logf("%d actions, %d operations refused, %d groups, %d aliases", len(cat.Actions), len(cat.Excluded), len(cat.Groups), len(cat.Aliases))
	for _, f := range check.Completeness(cat) {
		t.Logf("%-22s %5d of %d", f.Name, f.Count, f.N)
		if strings.HasSuffix(f.Name, " description") && f.Count*10 < f.N*9 {
			t.Errorf("%s: %d of %d, want nine of ten", f.Name, f.Count, f.N)
		}
	}
}

// The ids of the operations of the document of GitLab 19.2, as the naming
// rules were reviewed. An id is a promise: if the figures differ because the
// document is a newer one, review the difference in docs/reference first.
const (
	namedOperations   = 1383
	namedDomains      = 288
	refusedOperations = 338
	namesHash         = "c254c5538d965823"
)

func TestIDs(t *testing.T) {
	cat := buildRepository(t)
	var lines []string
	domains := map[string]bool{}
	for _, a := range cat.Actions {
		if a.Op != nil && !a.Op.Added {
			lines = append(lines, a.Method+" "+a.UpstreamPath+" "+a.ID+"\n")
			domains[a.Domain] = true
		}
	}
	named := len(lines)
	for _, e := range cat.Excluded {
		lines = append(lines, e.Op.Key()+" !"+e.Rule+"\n")
	}
	slices.Sort(lines)
	hash := fnv.New64a()
	for _, l := range lines {
		io.WriteString(hash, l)
	}
	if named != namedOperations || len(domains) != namedDomains || len(cat.Excluded) != refusedOperations {
		t.Errorf("%d operations named in %d domains and %d refused, want %d in %d and %d",
			named, len(domains), len(cat.Excluded), namedOperations, namedDomains, refusedOperations)
	}
	if got := fmt.Sprintf("%x", hash.Sum(nil)); got != namesHash {
		t.Errorf("operations have other ids, or are refused by other rules: hash %s, was %s", got, namesHash)
	}
}

// TestBuildTwice holds that a build is a pure function of its inputs and
// leaves the spec as it is.
func TestBuildTwice(t *testing.T) {
	spec, err := load.Load(specDir)
	if err != nil {
		t.Fatal(err)
	}
	first, err1 := overlay.Build(spec, overlayDir, lockFile)
	second, err2 := overlay.Build(spec, overlayDir, lockFile)
	if a, b := dump(first, err1), dump(second, err2); a != b {
		t.Error("two builds of one spec differ")
	}
}

// TestIDKinds holds that only ids are read as ids: a fraction, a word or a truth
// value given for something else would be refused as no id.
func TestIDKinds(t *testing.T) {
	known := map[string]bool{"start_project": true, "identifiers": true, "record_identifier": true}
	eachParam(buildRepository(t), func(a *ir.Action, p *ir.Param) {
		kind := p.Type.Kind
		if kind == ir.Array && p.Type.Items != nil {
			kind = p.Type.Items.Kind
		}
		name := strings.TrimSuffix(p.Name, "s")
		if kind == ir.ID && name != "id" && !strings.HasSuffix(name, "_id") && !known[p.Name] {
			t.Errorf("%s: %s is read as an id; repair its type", a.ID, p.Name)
		}
	})
}

// TestUntypedAreDescribed holds that what a schema gives no type, it explains.
func TestUntypedAreDescribed(t *testing.T) {
	eachParam(buildRepository(t), func(a *ir.Action, p *ir.Param) {
		if p.Type.Kind == ir.Any && p.Description == "" {
			t.Errorf("%s: %s has neither type nor description", a.ID, p.Name)
		}
	})
}

// eachParam visits the parameters of all actions, at every depth.
func eachParam(cat *ir.Catalog, visit func(*ir.Action, *ir.Param)) {
	for _, a := range cat.Actions {
		var walk func([]*ir.Param)
		walk = func(params []*ir.Param) {
			for _, p := range params {
				visit(a, p)
				walk(p.Type.Fields)
				if p.Type.Items != nil {
					walk(p.Type.Items.Fields)
				}
			}
		}
		walk(a.Params)
	}
}

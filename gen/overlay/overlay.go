// Package overlay makes the catalog: it names every operation of GitLab's
// document, repairs what the document gets wrong, and merges what we say about
// each action. All of that is data in specs/overlays; this package holds the
// engine and the few rules that are the same for every operation.
//
// It is not for reading OpenAPI (gen/load), nor for judging the finished
// catalog (gen/check), nor for rendering it (gen/emit).
package overlay

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gitlab-mcp-server/gen/ir"
)

// Build applies the overlays in dir to spec and returns the catalog. The
// spec is not modified. Names and numbers are held against the ledger at
// lockPath; names that are new get the next free numbers, which [UpdateLock]
// writes down.
//
// The error is an [Errors] with every problem found, in order of file and
// line. The catalog comes with it, as far as it could be made, so that the
// checks of later stages can report too.
func Build(spec *ir.Spec, dir, lockPath string) (*ir.Catalog, error) {
	b := &builder{src: source{dir: dir, base: shown(dir)}, byID: map[string]*draft{}}
	b.dec = decoder{&b.problems}
	b.cat = &ir.Catalog{GitLabVersion: spec.GitLabVersion}

	b.naming = readNaming(&b.problems, b.src)
	b.types = readTypes(&b.problems, b.src)
	b.admit(spec.Operations)
	b.repair()
	for _, d := range b.drafts {
		b.finish(d)
	}
	b.naming.reportUnused(&b.problems)
	b.types.reportUnused(&b.problems)
	b.beyondREST()

	b.group()
	b.curate()
	b.aliases()
	slices.SortFunc(b.drafts, func(x, y *draft) int { return cmp.Compare(x.ID, y.ID) })
	for _, d := range b.drafts {
		b.cat.Actions = append(b.cat.Actions, d.Action)
	}
	b.ledger(lockPath)
	return b.cat, b.err()
}

// builder carries one build through its steps.
type builder struct {
	problems
	dec    decoder
	src    source
	cat    *ir.Catalog
	naming *naming
	types  *typeTable
	drafts []*draft
	byID   map[string]*draft
	ours   []alias // of the domain files
}

// draft is an action in the making.
type draft struct {
	*ir.Action
	fixed    map[fact]ir.Pos         // what a repair has set, and where: rules leave it alone
	first    map[*ir.Param]*ir.Param // parameters as upstream has them, copied before their first repair
	beyond   *beyond                 // of an action that is no REST operation
	declared ir.ResultKind           // kind of answer that upstream declares
	likely   ir.ResultKind           // the same, where nothing declared means that upstream forgot
}

// fact is one property of an operation (param nil) or of a parameter.
type fact struct {
	param *ir.Param
	key   string
}

func (d *draft) isFixed(p *ir.Param, key string) bool {
	_, ok := d.fixed[fact{p, key}]
	return ok
}

// admit names the operations, upstream's and added ones, and refuses those
// that a rule excludes.
func (b *builder) admit(upstream []*ir.Operation) {
	rules := readRefusals(&b.problems, b.src)
	ops := slices.Concat(upstream, b.addedOperations(upstream))
	for _, op := range ops {
		if r := refuse(rules, op); r != nil {
			b.cat.Excluded = append(b.cat.Excluded, ir.Excluded{Op: op, Rule: r.rule, Why: r.why})
			continue
		}
		id := b.naming.id(op.Method, op.Path)
		if id == "" {
			b.addf(op.Pos, "no table line: %s has no prefix in %s_naming.yaml and no exclusion rule refuses it", op.Key(), b.src.base)
			continue
		}
		b.add(id, op)
	}
	for _, r := range rules {
		if !r.used {
			b.addf(r.pos, "exclusion %q refuses nothing", r.rule)
		}
	}
}

func (b *builder) add(id string, op *ir.Operation) {
	if other := b.byID[id]; other != nil {
		switch {
		case other.Method == op.Method && extraParam(other.UpstreamPath, op.Path) != "":
			b.merge(other, other.Op, op)
		case other.Method == op.Method && extraParam(op.Path, other.UpstreamPath) != "":
			b.merge(other, op, other.Op)
		default:
			b.addf(op.Pos, "collision: %s and %s are both %s; give one of them a name in overrides", other.Op.Key(), op.Key(), id)
		}
		return
	}
	d := newDraft(id, op)
	b.byID[id] = d
	b.drafts = append(b.drafts, d)
}

func newDraft(id string, op *ir.Operation) *draft {
	domain, name, _ := strings.Cut(id, ".")
	op = cloneOperation(op)
	return &draft{
		Action: &ir.Action{
			ID: id, Domain: domain, Name: name, Op: op, Method: op.Method, UpstreamPath: op.Path, Lifecycle: op.Lifecycle,
		},
		fixed:    map[fact]ir.Pos{},
		first:    map[*ir.Param]*ir.Param{},
		declared: declaredKind(op),
		likely:   kindOf(op),
	}
}

// merge makes one action of two spellings of a route. Newer documents write an
// optional parameter, which may hold slashes, as two operations.
func (b *builder) merge(d *draft, short, long *ir.Operation) {
	extra := extraParam(short.Path, long.Path)
	b.cat.Excluded = append(b.cat.Excluded, ir.Excluded{Op: long, Rule: "twin", Why: "the spelling of " + d.ID + " with " + extra})
	*d = *newDraft(d.ID, long)
	d.UpstreamPath = short.Path
	d.WirePath = strings.Replace(long.Path, "/{"+extra+"}", "{/"+extra+"}", 1)
	for _, p := range d.Op.Params {
		if p.In == ir.Path && p.Wire == extra {
			p.Splat = true
		}
	}
}

// extraParam is the parameter by which long is longer than short, "" if
// that is not all they differ in.
func extraParam(short, long string) string {
	a := segments(normalise(short))
	b := strings.Split(strings.Trim(normalise(long), "/"), "/")
	if len(b) != len(a)+1 {
		return ""
	}
	// From the right: of generic/{version}/{path}/{file_name} it is the path
	// that may be missing, and names of the parameters before it are the same.
	plain := segments(normalise(long))
	shortNames := placeholder.FindAllString(short, -1)
	for i := len(b) - 1; i >= 0; i-- {
		if plain[i] == "{}" && slices.Equal(slices.Concat(plain[:i], plain[i+1:]), a) && !slices.Contains(shortNames, b[i]) {
			return strings.Trim(b[i], "{}")
		}
	}
	return ""
}

// group puts every action into the group of its domain.
func (b *builder) group() {
	groups, of := readGroups(&b.problems, b.src)
	missing := map[string]bool{}
	for _, d := range b.drafts {
		e := of[d.Domain]
		if e == nil {
			if !missing[d.Domain] {
				missing[d.Domain] = true
				b.addf(ir.Pos{File: b.src.base + "_domains.yaml"}, "domain %q (%s) is in no group", d.Domain, d.ID)
			}
			continue
		}
		d.Group = e.use()
	}
	for _, g := range groups {
		for _, name := range g.Domains {
			if e := of[name]; !e.used {
				b.addf(e.pos, "domain %q has no action", name)
			}
		}
	}
	b.cat.Groups = groups
}

// shown is how the folder of overlays is called in messages and positions,
// free of where the checkout stands.
func shown(dir string) string {
	dir = filepath.ToSlash(filepath.Clean(dir))
	if i := strings.LastIndex(dir, "specs/"); i >= 0 {
		dir = dir[i:]
	} else {
		dir = path.Base(dir)
	}
	return dir + "/"
}

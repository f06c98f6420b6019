// Package check judges the finished catalog: collisions, shapes of names,
// dangling references, doubtful texts, and how complete the curation is.
//
// It is not for stale or unmatched overlay entries: those are errors of
// gen/overlay, which knows where they stand.
package check

import (
	"cmp"
	"fmt"
	"slices"

	"gitlab-mcp-server/gen/ir"
)

// Severity says whether a finding stops the generator.
type Severity string

// Severities.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Finding is one thing to look at.
type Finding struct {
	Severity Severity
	Pos      ir.Pos // of the operation upstream; zero where there is none
	Message  string
	Fix      string // what to do about it
}

// String is the finding in one line: place, severity, message and, in brackets,
// what to do.
func (f Finding) String() string {
	at := ""
	if f.Pos != (ir.Pos{}) {
		at = f.Pos.String() + ": "
	}
	return fmt.Sprintf("%s%s: %s (%s)", at, f.Severity, f.Message, f.Fix)
}

// Catalog returns the findings over cat, errors first, in a stable order.
func Catalog(cat *ir.Catalog) []Finding {
	c := &checker{cat: cat, ids: map[string]*ir.Action{}, domains: map[string]bool{}}
	for _, a := range cat.Actions {
		c.ids[a.ID] = a
		c.domains[a.Domain] = true
	}
	c.identities()
	c.groups()
	c.aliases()
	for _, a := range cat.Actions {
		c.names(a)
		c.texts(a)
		c.path(a)
		c.params(a)
		c.references(a)
		c.answer(a)
	}
	slices.SortStableFunc(c.findings, func(x, y Finding) int {
		return cmp.Or(cmp.Compare(x.Severity, y.Severity), cmp.Compare(x.Message, y.Message))
	})
	return c.findings
}

type checker struct {
	cat      *ir.Catalog
	ids      map[string]*ir.Action
	domains  map[string]bool
	findings []Finding
}

func (c *checker) add(s Severity, a *ir.Action, fix, format string, args ...any) {
	f := Finding{Severity: s, Message: fmt.Sprintf(format, args...), Fix: fix}
	if a != nil {
		f.Message = a.ID + ": " + f.Message
		if a.Op != nil {
			f.Pos = a.Op.Pos
		}
	}
	c.findings = append(c.findings, f)
}

// identities reports what must be unique and is not.
func (c *checker) identities() {
	numbers, titles, requests := map[int]string{}, map[string]string{}, map[string]string{}
	seen := map[string]bool{}
	for _, a := range c.cat.Actions {
		if seen[a.ID] {
			c.add(Error, a, "give one of them a name in _naming.yaml", "two actions have this id")
		}
		seen[a.ID] = true
		for _, u := range []struct {
			what, key, fix string
			of             map[string]string
		}{
			{"title", a.Title, "say in the title how they differ", titles},
			{"request", a.Method + " " + a.WirePath, "refuse one of the operations in _exclude.yaml", requests},
		} {
			if u.key == "" || u.what == "request" && a.Op == nil {
				continue
			}
			if other, taken := u.of[u.key]; taken {
				c.add(Error, a, u.fix, "has the %s of %s: %q", u.what, other, u.key)
			}
			u.of[u.key] = a.ID
		}
		if other, taken := numbers[a.Number]; taken {
			c.add(Error, a, "correct specs/names.lock", "has the number %d of %s", a.Number, other)
		}
		numbers[a.Number] = a.ID
	}
	if !slices.IsSortedFunc(c.cat.Actions, func(x, y *ir.Action) int { return cmp.Compare(x.ID, y.ID) }) {
		c.add(Error, nil, "a fault of gen/overlay", "actions are not sorted by id")
	}
}

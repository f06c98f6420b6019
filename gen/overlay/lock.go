package overlay

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gitlab-mcp-server/gen/ir"
)

// The ledger holds every public name ever published, one a line:
//
//	number name id|alias active|deprecated|removed [successor]
//
// Lines are only added, and only their state and successor change by hand. So
// the numbers have no gap, and a line that somebody took out leaves one.
const ledgerHead = `# Every public name ever published: number, name, kind, state, successor.
# Append-only. A name that goes away becomes removed and names its successor;
# its number is never given again. New names are added by the generator.
`

// States of a name.
const (
	stateActive     = "active"
	stateDeprecated = "deprecated"
	stateRemoved    = "removed"
)

// Kinds of names.
const (
	kindID    = "id"
	kindAlias = "alias"
)

// name is one line of the ledger.
type name struct {
	pos       ir.Pos
	number    int
	name      string
	kind      string
	state     string
	successor string
}

func readLedger(p *problems, path string) []*name {
	shown := ir.Pos{File: shownFile(path)}
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		p.addf(shown, "%v", err)
		return nil
	}
	var names []*name
	byName := map[string]bool{}
	last := 0 // number of the line before, -1 if that line is broken
	lines := bufio.NewScanner(bytes.NewReader(text))
	for line := 1; lines.Scan(); line++ {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		n := &name{pos: ir.Pos{File: shown.File, Line: line}}
		if err := n.parse(fields); err != nil {
			p.addf(n.pos, "%v", err)
			last = -1
			continue
		}
		switch {
		case n.number <= last:
			p.addf(n.pos, "number %d does not rise over %d of the line before", n.number, last)
		case last >= 0 && n.number > last+1:
			p.addf(n.pos, "number %d follows %d: restore the line between, a released name is never lost", n.number, last)
		}
		if byName[n.name] {
			p.addf(n.pos, "%q stands twice", n.name)
		}
		last = n.number
		byName[n.name] = true
		names = append(names, n)
	}
	if err := lines.Err(); err != nil {
		p.addf(shown, "%v", err)
	}
	return names
}

func (n *name) parse(fields []string) error {
	if len(fields) < 4 || len(fields) > 5 {
		return fmt.Errorf("a line has 4 or 5 fields: number, name, kind, state, successor")
	}
	number, err := strconv.Atoi(fields[0])
	if err != nil || number < 1 {
		return fmt.Errorf("%q is no number", fields[0])
	}
	n.number, n.name, n.kind, n.state = number, fields[1], fields[2], fields[3]
	if n.kind != kindID && n.kind != kindAlias {
		return fmt.Errorf("kind %q is neither id nor alias", n.kind)
	}
	if n.state != stateActive && n.state != stateDeprecated && n.state != stateRemoved {
		return fmt.Errorf("state %q is none of active, deprecated, removed", n.state)
	}
	if len(fields) == 5 {
		n.successor = fields[4]
	}
	if n.state == stateRemoved && n.successor == "" {
		return fmt.Errorf("%s is removed and names no successor", n.name)
	}
	return nil
}

func (n *name) String() string {
	s := fmt.Sprintf("%d %s %s %s", n.number, n.name, n.kind, n.state)
	if n.successor != "" {
		s += " " + n.successor
	}
	return s
}

// ledger holds the catalog against the ledger: no name may vanish. An alias may
// become an id, which resolves as well, and an id an alias. It gives the actions
// their numbers and states, and makes a tombstone alias of every removed name.
func (b *builder) ledger(path string) {
	names := readLedger(&b.problems, path)
	current := publicNames(b.cat)
	kinds := map[string]string{}
	for _, n := range current {
		kinds[n.name] = n.kind
	}
	next := 1
	numbers := map[string]*name{}
	for _, n := range names {
		numbers[n.name] = n
		next = n.number + 1
	}
	for _, n := range names {
		exists := kinds[n.name] != ""
		switch {
		case n.successor != "" && kinds[n.successor] == "" && numbers[n.successor] == nil:
			b.addf(n.pos, "successor %q of %s is no name of the catalog", n.successor, n.name)
		case n.state == stateRemoved && exists:
			b.addf(n.pos, "%s is removed, but the catalog has it", n.name)
		case n.state == stateRemoved:
			b.tombstone(n)
		case !exists:
			b.addf(n.pos, "%s %q vanished%s; restore it, make it an alias, or mark it removed with a successor", n.kind, n.name, b.renamedTo(n, numbers))
		}
	}
	for _, n := range current {
		if numbers[n.name] == nil {
			n.number = next
			next++
			numbers[n.name] = n
		}
	}
	for _, a := range b.cat.Actions {
		n := numbers[a.ID]
		a.Number, a.NameState = n.number, n.state
	}
}

// renamedTo guesses the new name of an id that is gone.
func (b *builder) renamedTo(n *name, numbers map[string]*name) string {
	var fresh []string
	for _, a := range b.cat.Actions {
		if numbers[a.ID] == nil {
			fresh = append(fresh, a.ID)
		}
	}
	return near(n.name, fresh)
}

// tombstone makes a removed name answer with its successor.
func (b *builder) tombstone(n *name) {
	i, taken := slices.BinarySearchFunc(b.cat.Aliases, n.name, func(a ir.Alias, name string) int { return cmp.Compare(a.Name, name) })
	if !taken {
		b.cat.Aliases = slices.Insert(b.cat.Aliases, i, ir.Alias{Name: n.name, Note: "removed; use " + n.successor, From: "ours"})
	}
}

// publicNames are the names that cat publishes, ids before aliases, each
// sorted. Upstream's operation ids are not ours to promise.
func publicNames(cat *ir.Catalog) []*name {
	var names []*name
	for _, a := range cat.Actions {
		names = append(names, &name{name: a.ID, kind: kindID, state: stateActive})
	}
	for _, a := range cat.Aliases {
		if a.From != fromOperationID && !strings.ContainsAny(a.Name, " \t") {
			names = append(names, &name{name: a.Name, kind: kindAlias, state: stateActive})
		}
	}
	return names
}

// UpdateLock appends the names of cat that the ledger at lockPath lacks and
// reports whether the file changed. Lines that stand are left as they are.
func UpdateLock(cat *ir.Catalog, lockPath string) (changed bool, err error) {
	var p problems
	names := readLedger(&p, lockPath)
	if err := p.err(); err != nil {
		return false, err
	}
	known := map[string]bool{}
	next := 1
	for _, n := range names {
		known[n.name] = true
		next = n.number + 1
	}
	var added bytes.Buffer
	for _, n := range publicNames(cat) {
		if known[n.name] {
			continue
		}
		n.number = next
		next++
		fmt.Fprintln(&added, n)
	}
	if added.Len() == 0 {
		return false, nil
	}
	old, err := os.ReadFile(lockPath)
	switch {
	case os.IsNotExist(err):
		old = []byte(ledgerHead)
	case err != nil:
		return false, err
	}
	if len(old) > 0 && old[len(old)-1] != '\n' {
		old = append(old, '\n')
	}
	if err := os.WriteFile(lockPath, append(old, added.Bytes()...), 0o644); err != nil {
		return false, fmt.Errorf("write the ledger: %w", err)
	}
	return true, nil
}

func shownFile(path string) string { return shown(filepath.Dir(path)) + filepath.Base(path) }

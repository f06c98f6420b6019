package evidence

import (
	"encoding/json"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gitlab-mcp-server/gen/ir"
	"gitlab-mcp-server/internal/exec"
)

// comparison holds the request of another client against what our action makes
// of the same values.
type comparison struct {
	x      *exec.Executor
	action *ir.Action
	theirs *wire

	added map[string]bool // wire names that we had to add to be let through
	diffs []string
}

// differences are one line each, without values where the kind says it all.
func (c *comparison) differences(t *testing.T) []string {
	c.added = map[string]bool{}
	tr := &translator{action: c.action}
	names := c.theirs.names()
	args := map[string]any{}
	values, ok := pathArguments(c.action, c.theirs.path)
	if !ok {
		t.Fatalf("%s: path %s is none of %s", c.action.ID, c.theirs.path, c.action.WirePath)
	}
	for name, v := range values {
		args[name] = v
	}
	for name, s := range names {
		p := argument(c.action.Params, name)
		if p == nil {
			c.diff(name, "no argument of ours")
			delete(names, name)
			continue
		}
		args[p.Name] = tr.value(p, s)
	}
	for _, name := range tr.missing {
		c.diff(name, "no argument of ours")
	}
	for _, s := range names {
		s.pairs = slices.DeleteFunc(s.pairs, func(p pair) bool { return slices.Contains(tr.missing, p.name) })
	}
	if c.theirs.raw {
		if c.action.RawBody == "" {
			c.diff("body", "a file alone; we send "+c.action.ContentType)
		} else {
			args[c.action.RawBody] = upload(fileName)
		}
	}
	if ours := c.ours(t, args, names); ours != nil {
		c.compare(ours, names)
	}
	slices.Sort(c.diffs)
	return slices.Compact(c.diffs)
}

func (c *comparison) diff(name, what string) { c.diffs = append(c.diffs, name+": "+what) }

// ours is our request; what we refuse is noted and left out.
func (c *comparison) ours(t *testing.T, args map[string]any, names map[string]*sent) *wire {
	for range 8 {
		js, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		got := dryRun(t, c.x, c.action.ID, js)
		if got.wire != nil {
			return got.wire
		}
		if len(got.problems) == 0 {
			c.diff("request", "refused: "+got.message)
			return nil
		}
		for _, p := range got.problems {
			c.settle(p, args, names)
		}
	}
	c.diff("request", "refused")
	return nil
}

var index = regexp.MustCompile(`\[\d*\]`)

// settle notes a problem and changes the arguments so that the rest compares.
func (c *comparison) settle(p problem, args map[string]any, names map[string]*sent) {
	path := index.ReplaceAllString(p.Path, "[]")
	top, _, nested := strings.Cut(strings.ReplaceAll(path, "[", "."), ".")
	i := slices.IndexFunc(c.action.Params, func(q *ir.Param) bool { return q.Name == top })
	if i < 0 {
		c.diff(path, p.Code+", expected "+p.Expected)
		delete(args, top)
		return
	}
	param := c.action.Params[i]
	if p.Code == "missing" && !nested {
		c.diff(param.Wire, "we require it")
		args[top] = sample(param.Type)
		c.added[param.Wire] = true
		return
	}
	c.diff(strings.Replace(path, top, param.Wire, 1), "we refuse it: "+p.Code+", expected "+p.Expected)
	delete(args, top)
	delete(names, param.Wire)
}

func (c *comparison) compare(ours *wire, names map[string]*sent) {
	if ours.method != c.theirs.method {
		c.diff("method", c.theirs.method+", ours "+ours.method)
	}
	if !samePath(ours.path, c.theirs.path) {
		c.diff("path", c.theirs.path+", ours "+ours.path)
	}
	if ours.raw != c.theirs.raw {
		c.diff("body", c.theirs.contentType+", ours "+ours.contentType)
	}
	if (ours.form != nil) != (c.theirs.form != nil) && ours.contentType != "" && c.theirs.contentType != "" && !ours.raw {
		c.diff("body", c.theirs.contentType+", ours "+ours.contentType)
	}
	got := ours.names()
	for name, theirs := range names {
		mine := got[name]
		if mine == nil {
			c.diff(name, "we do not send it")
			continue
		}
		if theirs.isJSON && mine.isJSON {
			if !reflect.DeepEqual(theirs.json, mine.json) {
				c.values(name, text(theirs.json), text(mine.json))
			}
			continue
		}
		a, b := sorted(theirs.flat(name)), sorted(mine.flat(name))
		if !slices.Equal(a, b) {
			c.values(name, queryText(without(a, b)), queryText(without(b, a)))
		}
	}
	for name, mine := range got {
		if names[name] == nil && !c.added[name] {
			c.diff(name, "only we send "+queryText(mine.flat(name)))
		}
	}
}

// samePath compares the segments; what of them is percent-encoded is a matter of
// taste but for slashes.
func samePath(a, b string) bool {
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	return slices.EqualFunc(as, bs, func(x, y string) bool {
		u, err := url.PathUnescape(x)
		v, err2 := url.PathUnescape(y)
		return err == nil && err2 == nil && u == v
	})
}

func sorted(ps []pair) []pair {
	ps = slices.Clone(ps)
	slices.SortStableFunc(ps, func(x, y pair) int { return strings.Compare(x.name, y.name) })
	return ps
}

// without are the pairs of ps that qs does not have.
func without(ps, qs []pair) []pair {
	return slices.DeleteFunc(slices.Clone(ps), func(p pair) bool { return slices.Contains(qs, p) })
}

func queryText(ps []pair) string {
	var parts []string
	for _, p := range ps {
		parts = append(parts, p.name+"="+p.value)
	}
	return strings.Join(parts, "&")
}

func text(v any) string {
	js, err := json.Marshal(v)
	if err != nil {
		panic(err) // it was decoded from JSON
	}
	return string(js)
}

// made are the values that a giver makes up.
var made = regexp.MustCompile(`text \d+|2026-[0-9T:Z-]+|\d+(\.\d+)?`)

// values notes that two values differ, with letters for what the giver made up:
// only their form tells something.
func (c *comparison) values(name, theirs, ours string) {
	letters := map[string]string{}
	c.diff(name, made.ReplaceAllStringFunc(theirs+", ours "+ours, func(v string) string {
		if letters[v] == "" {
			letters[v] = string(rune('A' + len(letters)))
		}
		return letters[v]
	}))
}

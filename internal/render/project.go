package render

import (
	"slices"
	"strings"

	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/scan"
)

// field is a node of a projection: the root stands for the answer, or for each
// item of a list. A node without kids keeps the whole value.
type field struct {
	name    string
	kids    []*field
	whole   bool     // the end of a path
	found   bool     // whether any object had it
	visited bool     // whether names was filled
	names   []string // the names that objects here have, for the note
}

// parseFields makes the projection for dotted paths; nil if there are none.
// Brackets after a name say nothing that the answer does not say itself, so
// "notes[].body" and "notes.body" are the same; list says that the answer is an
// array, whose paths may begin with the envelope's items.
func parseFields(paths []string, list bool) *field {
	root := &field{}
	for _, p := range paths {
		p = strings.TrimSpace(p)
		if list {
			for _, prefix := range [...]string{"items[].", "items.", "[]."} {
				if rest, ok := strings.CutPrefix(p, prefix); ok {
					p = rest
					break
				}
			}
			if p == "items" || p == "items[]" || p == "[]" {
				return nil
			}
		}
		at := root
		for name := range strings.SplitSeq(p, ".") {
			if i := strings.IndexByte(name, '['); i >= 0 {
				name = name[:i]
			}
			if name == "" {
				continue
			}
			at = at.add(name)
		}
		if at != root {
			at.whole, at.kids = true, nil // what is asked for below it is part of it
		}
	}
	if len(root.kids) == 0 {
		return nil
	}
	return root
}

// add is the node of that name below f.
func (f *field) add(name string) *field {
	if f.whole {
		return f
	}
	for _, k := range f.kids {
		if k.name == name {
			return k
		}
	}
	k := &field{name: name}
	f.kids = append(f.kids, k)
	return k
}

// kid is the node for a member, nil if the projection leaves it out. A name that
// has dots itself matches the path that reads like it.
func (f *field) kid(name []byte) *field {
	for _, k := range f.kids {
		if k.name == string(name) {
			return k
		}
	}
	for i, c := range name {
		if c != '.' {
			continue
		}
		if up := f.kid(name[:i]); up != nil && len(up.kids) > 0 {
			if k := up.kid(name[i+1:]); k != nil {
				up.found = true
				return k
			}
		}
	}
	return nil
}

// visit remembers the names of the first object seen at f.
func (f *field) visit(obj []byte) {
	if f.visited {
		return
	}
	f.visited = true
	for k := range scan.Members(obj) {
		f.names = append(f.names, scan.Key(k))
	}
}

// excuse counts everything at and below f as found: null or an empty list
// stands where it would be.
func (f *field) excuse() {
	f.found = true
	for _, k := range f.kids {
		k.excuse()
	}
}

// missing appends a note for every path that no object had.
func (f *field) missing(notes []string, prefix string) []string {
	for _, k := range f.kids {
		path := prefix + k.name
		if k.found {
			notes = k.missing(notes, path+".")
			continue
		}
		note := "fields: the answer has no " + clip(path, 80)
		switch {
		case slices.Contains(f.names, k.name): // but as a text or number
			note = "fields: " + clip(path, 80) + " has no members"
		case f.visited:
			if near := arg.Nearest(k.name, f.names); near != "" {
				note += " (did you mean " + prefix + near + "?)"
			}
			note += "; it has: " + some(f.names, 40)
		}
		notes = append(notes, note)
	}
	return notes
}

// some is a list of names, at most n of them.
func some(names []string, n int) string {
	if len(names) == 0 {
		return "nothing"
	}
	if len(names) > n {
		return strings.Join(names[:n], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

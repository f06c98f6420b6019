package arg

import "strings"

// gidPrefix begins a global id of GitLab's GraphQL API: gid://gitlab/Issue/1.
const gidPrefix = "gid://gitlab/"

// digest is the length of a SHA-1 in hexadecimal digits.
const digest = 40

// GID reads the global id of an object of that class. The plain number, or the
// digest by which threads go, is completed to one; an id that is global already
// stands as it is given.
func (r *Reader) GID(name string, f Flags, class string) String {
	s := r.ID(name, f)
	if s.State == Set {
		s.V, s.number = r.global(name, -1, s.V, class), false
	}
	return s
}

// GIDs reads a list of global ids; see GID and Strings.
func (r *Reader) GIDs(name string, f Flags, class string) Strings {
	s := r.IDs(name, f)
	for i, v := range s.V {
		s.V[i] = r.global(name, i, v, class)
	}
	s.plainForm = plainForm{}
	return s
}

// global is v as a global id.
func (r *Reader) global(name string, index int, v, class string) string {
	switch {
	case v != "" && strings.Trim(v, "0123456789") == "", len(v) == digest && strings.Trim(v, "0123456789abcdef") == "":
		return gidPrefix + class + "/" + v
	case strings.HasPrefix(v, gidPrefix) && strings.Count(v[len(gidPrefix):], "/") == 1 && !strings.HasSuffix(v, "/"):
		return v
	}
	r.problem(Problem{Path: r.at(name, index), Code: Invalid, Got: "a string", Expected: "a number, or a global id (" + gidPrefix + class + "/1)"})
	return v
}

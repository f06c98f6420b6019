package exec

import (
	"strings"

	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/scan"
)

// checkBody looks at the finished request: files must be readable, and with the
// guard set no note or description may hold a quick action.
func (x *execution) checkBody() error {
	var problems []arg.Problem
	problems = append(problems, x.checkFiles()...)
	if x.cfg.GuardQuickActions && x.risk != catalog.Read {
		problems = append(problems, x.guard()...)
	}
	if len(problems) > 0 {
		return &arg.Error{Problems: problems}
	}
	return nil
}

// checkFiles finds files that may not be read before anything is sent.
func (x *execution) checkFiles() []arg.Problem {
	var problems []arg.Problem
	check := func(name, path string) {
		if path == "" {
			return
		}
		if err := x.cfg.Files.check(path); err != nil {
			problems = append(problems, arg.Problem{Path: name + ".path", Code: arg.Invalid, Expected: err.Error()})
		}
	}
	if raw := x.q.Raw(); raw != nil {
		check("file", raw.Path)
	}
	for _, part := range x.q.Parts() {
		check(part.Name, part.Path)
	}
	return problems
}

// guard finds texts with lines that GitLab would run as quick actions.
func (x *execution) guard() []arg.Problem {
	var problems []arg.Problem
	found := func(path string) {
		problems = append(problems, arg.Problem{
			Path: path, Code: arg.Invalid, Got: "a line that starts with a quick action",
			Expected: "text without quick actions, which the operator has forbidden here; call the action that does it",
		})
	}
	for _, part := range x.q.Parts() {
		if isProse(part.Name) && hasQuickAction(string(part.Content)) {
			found(part.Name)
		}
	}
	guardJSON("", "", string(x.q.JSON()), found)
	return problems
}

// guardJSON finds the texts in v, the value of that name at path. The elements of
// a list go by the name of the list.
func guardJSON(path, name, v string, found func(path string)) {
	switch scan.KindOf(v) {
	case scan.String:
		if QuickAction(name, scan.Unquoted(v)) {
			found(path)
		}
	case scan.Object:
		for key, value := range scan.Members(v) {
			name := scan.Key(key)
			inner := name
			if path != "" {
				inner = path + "." + name
			}
			guardJSON(inner, name, value, found)
		}
	case scan.Array:
		for e := range scan.Elements(v) {
			guardJSON(path+"[]", name, e, found)
		}
	}
}

// QuickAction reports whether a text under that name would run quick actions.
func QuickAction(name, text string) bool { return isProse(name) && hasQuickAction(text) }

// QuickActionInJSON reports whether v, a value under that name, or a text in it would.
func QuickActionInJSON(name, v string) bool {
	found := false
	guardJSON("", name, v, func(string) { found = true })
	return found
}

// isProse is true for the fields in which GitLab runs quick actions.
func isProse(name string) bool {
	if i := strings.LastIndexByte(name, '['); i >= 0 {
		name = strings.TrimSuffix(name[i+1:], "]")
	}
	switch name {
	case "body", "description", "note":
		return true
	}
	return false
}

// hasQuickAction reports whether a line of s is a slash and a word. Which words
// GitLab knows depends on its version and on the resource, so every word counts;
// a path such as /usr/bin is none.
func hasQuickAction(s string) bool {
	for line := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '\n' || r == '\r' }) {
		word, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "/")
		if !ok {
			continue
		}
		if i := strings.IndexAny(word, " \t"); i >= 0 {
			word = word[:i]
		}
		if word != "" && strings.Trim(strings.ToLower(word), "abcdefghijklmnopqrstuvwxyz_") == "" {
			return true
		}
	}
	return false
}

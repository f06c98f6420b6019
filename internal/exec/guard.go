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
	guardJSON("", string(x.q.JSON()), found)
	return problems
}

func guardJSON(path, v string, found func(string)) {
	join := func(key string) string {
		if path == "" {
			return key
		}
		return path + "." + key
	}
	for key, value := range scan.Members(v) {
		name := scan.Key(key)
		if scan.KindOf(value) == scan.String {
			if isProse(name) && hasQuickAction(scan.Unquoted(value)) {
				found(join(name))
			}
			continue
		}
		guardJSON(join(name), value, found)
	}
	for e := range scan.Elements(v) {
		guardJSON(path+"[]", e, found)
	}
}

// QuickAction reports whether a text under that name would run quick actions.
func QuickAction(name, text string) bool { return isProse(name) && hasQuickAction(text) }

// QuickActionInJSON reports whether a text somewhere in v would.
func QuickActionInJSON(v string) bool {
	found := false
	guardJSON("", v, func(string) { found = true })
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

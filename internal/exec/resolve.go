package exec

import (
	"cmp"
	"strings"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/policy"
	"gitlab-mcp-server/internal/scan"
)

// resolve finds the action that name means: an id, a unique alias, an operation
// id, or a method with a path. It fails with the reason why there is none, and
// also where the action exists but is withheld from this caller.
//
// An alias of several actions means the one that params choose.
func (e *Executor) resolve(name string, params []byte) (catalog.Action, catalog.Alias, error) {
	name = trimName(name)
	if a, ok := e.cat.ByID(name); ok {
		return a, catalog.Alias{}, e.admit(a, name)
	}
	if al, ok := e.cat.ByAlias(name); ok {
		a, err := e.target(al, params)
		return a, al, err
	}
	if lower := strings.ToLower(name); lower != name {
		if a, ok := e.cat.ByID(lower); ok {
			return a, catalog.Alias{}, e.admit(a, name)
		}
		if al, ok := e.cat.ByAlias(lower); ok {
			a, err := e.target(al, params)
			return a, al, err
		}
	}
	switch found := e.operations(name); len(found) {
	case 0:
		return catalog.Action{}, catalog.Alias{}, e.unknown(name)
	case 1:
		return found[0], catalog.Alias{}, e.admit(found[0], name)
	default:
		return catalog.Action{}, catalog.Alias{}, e.ambiguous(name, found, "")
	}
}

// admit is nil if the caller has the action, else a failure that says who
// withholds it.
func (e *Executor) admit(a catalog.Action, name string) error {
	why := e.policy.Why(a)
	if why.Code == policy.Allowed {
		return nil
	}
	f := &Failure{Code: CodeWithheld, Message: a.ID() + " exists, but is withheld: " + why.Text}
	if name != a.ID() {
		f.Message = name + " means " + f.Message
	}
	switch why.Code {
	case policy.ReadOnly:
		f.Code = CodeReadOnly
		f.Hint = "nothing that changes data can be called here; tell the user"
	case policy.Scope:
		f.Hint = "a token with the scope " + policy.ScopeOf(a) + " is needed in GITLAB_TOKEN; tell the user"
	case policy.Tier:
		f.Hint = "the operator can change GITLAB_TIER; tell the user"
	default:
		f.Hint = "the operator can change EXCLUDE_TOOLS; tell the user"
	}
	return f
}

// target is the one action that an alias means.
func (e *Executor) target(al catalog.Alias, params []byte) (catalog.Action, error) {
	if a, _, ok := e.chosen(al, params); ok {
		return a, e.admit(a, al.Name())
	}
	var found []catalog.Action
	for id := range al.Targets() {
		if a, ok := e.cat.ByID(id); ok {
			found = append(found, a)
		}
	}
	switch len(found) {
	case 0:
		return catalog.Action{}, &Failure{Code: CodeNoCounterpart, Message: al.Name() + " is known from elsewhere (" + cmp.Or(al.From(), "another server") + ") and has no counterpart here", Hint: al.Note()}
	case 1:
		return found[0], e.admit(found[0], al.Name())
	}
	return catalog.Action{}, e.ambiguous(al.Name(), found, al.Note())
}

// chosen is the target of an alias that the arguments choose, and the argument
// whose value does: it says which tool is meant, and is none of the tool's own.
func (e *Executor) chosen(al catalog.Alias, params []byte) (a catalog.Action, selector string, ok bool) {
	if al.NumTargets() < 2 {
		return catalog.Action{}, "", false // nothing to choose, no reason to read the arguments
	}
	if scan.Valid(params) != nil || scan.KindOf(params) != scan.Object {
		params = nil // resolving comes before judging the arguments
	}
	for when, id := range al.By() {
		name, want, valued := strings.Cut(when, "=")
		if name != "" {
			raw, given := scan.Get(params, name)
			if !given || scan.KindOf(raw) == scan.Null || valued && !strings.EqualFold(text(single(raw)), want) {
				continue
			}
		}
		if a, ok = e.cat.ByID(id); ok {
			if valued {
				selector = name
			}
			return a, selector, true
		}
	}
	return catalog.Action{}, "", false
}

// single is the one element of a list of one, and anything else as it stands.
func single(raw []byte) []byte {
	if scan.KindOf(raw) == scan.Array && scan.Len(raw) == 1 {
		for element := range scan.Elements(raw) {
			return element
		}
	}
	return raw
}

func (e *Executor) ambiguous(name string, found []catalog.Action, note string) error {
	var ids []string
	for _, a := range found {
		if e.policy.Allowed(a) {
			ids = append(ids, a.ID())
		}
	}
	if len(ids) == 0 {
		return e.admit(found[0], name)
	}
	return &Failure{
		Code: CodeAmbiguous, Message: name + " may mean several actions: " + strings.Join(ids, ", "),
		Hint: cmp.Or(note, "call the one that is meant by its id"), Candidates: ids,
	}
}

// operations are the actions with that operation id, or with that method and
// path, which may have values in place of its parameters. A path without a method
// means every method.
func (e *Executor) operations(name string) []catalog.Action {
	method, path := operationLine(name)
	var found []catalog.Action
	if path == "" {
		for a := range e.cat.All() {
			if id := a.OperationID(); id != "" && strings.EqualFold(id, name) {
				found = append(found, a)
			}
		}
		return found
	}
	want := templateOf(path, false)
	for a := range e.cat.All() {
		if a.Path() == "" || (method != "" && a.Method() != method) {
			continue
		}
		if templateOf(a.Path(), false) == want || templateOf(a.Path(), true) == want {
			found = append(found, a)
		}
	}
	if len(found) == 0 {
		return e.concrete(method, path)
	}
	return found
}

func isMethod(s string) bool {
	switch strings.ToUpper(s) {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE":
		return true
	}
	return false
}

// templateOf is a path template in a form that all spellings share: without
// /api/v4, with {} for every parameter, without the segment "-". Optional parts,
// "(…)" and "{/name}", are left out, or taken in if optional is set.
func templateOf(path string, optional bool) string {
	plain, _ := parseTemplate(path, optional)
	return plain
}

// parseTemplate gives the names of the parameters too, in order.
func parseTemplate(path string, optional bool) (template string, names []string) {
	path, _, _ = strings.Cut(path, "?")
	path = strings.TrimPrefix(path, "/api/v4")
	var plain strings.Builder
	depth := 0
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case c == '\\' && i+1 < len(path):
			i++
			plain.WriteByte(path[i])
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == '{' && strings.HasPrefix(path[i:], "{/"):
			end := strings.IndexByte(path[i:], '}')
			if end < 0 {
				return "", nil
			}
			if optional {
				plain.WriteString("/{" + path[i+2:i+end] + "}")
			}
			i += end
		case depth <= 0 || optional:
			plain.WriteByte(c)
		}
	}
	var b strings.Builder
	for segment := range strings.SplitSeq(plain.String(), "/") {
		switch {
		case segment == "" || segment == "-":
		case segment[0] == ':' || segment[0] == '*':
			name, extension, dotted := strings.Cut(segment[1:], ".")
			names = append(names, name)
			b.WriteString("/{}")
			if dotted {
				b.WriteString("." + extension)
			}
		default:
			b.WriteByte('/')
			for rest := segment; ; {
				before, after, ok := strings.Cut(rest, "{")
				b.WriteString(strings.ToLower(before))
				if !ok {
					break
				}
				b.WriteString("{}")
				var name string
				name, rest, _ = strings.Cut(after, "}")
				names = append(names, name)
			}
		}
	}
	return b.String(), names
}

// unknown is the failure for a name that means nothing, with up to five near ids.
func (e *Executor) unknown(name string) error {
	f := &Failure{Code: CodeUnknownAction, Message: "no action is called " + quoteShort(name), Hint: "gitlab_find_action finds actions by what they do", Candidates: e.Near(name, 5)}
	if name == "" {
		f.Message = "the name of the action is empty"
	}
	return f
}

// quoteShort is a name of the caller in quotes, cut to a sensible length.
func quoteShort(s string) string {
	r := []rune(s)
	if len(r) > 80 {
		s = string(r[:80]) + "…"
	}
	return `"` + strings.Join(strings.Fields(s), " ") + `"`
}

package exec

import (
	"bytes"
	"strings"

	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/policy"
	"gitlab-mcp-server/internal/scan"
)

// text is a scalar's text: a string without its quotes, anything else as it stands.
func text(raw []byte) string { return scan.Unquoted(string(bytes.TrimSpace(raw))) }

// takeConfirm accepts confirm among the params of an action that has no such
// argument: models put it there.
func (x *execution) takeConfirm() {
	if _, isParam := x.action.ParamNamed("confirm"); isParam {
		return
	}
	if raw, ok := x.r.Raw("confirm"); ok {
		if strings.EqualFold(text(raw), "true") {
			x.call.Confirm = true
		}
		x.r.Delete("confirm")
	}
}

// applyAlias turns the arguments of another server's tool into ours. A narrow
// tool stays narrow: it takes what it took, and what it fixed stays fixed.
func (x *execution) applyAlias() {
	if x.alias == (catalog.Alias{}) {
		return
	}
	if _, selector, _ := x.chosen(x.alias, x.call.Params); selector != "" {
		if _, isParam := x.action.ParamNamed(selector); !isParam {
			x.r.Delete(selector)
		}
	}
	x.narrow()
	for from, to := range x.alias.Rename() {
		if _, isParam := x.action.ParamNamed(from); from != to && (!isParam || !x.r.Has(to)) {
			x.r.Rename(from, to)
		}
	}
	for key, value := range scan.Members([]byte(x.alias.Fixed())) {
		key := scan.Key(key)
		if given, ok := x.r.Raw(key); ok && scan.KindOf(given) != scan.Null && text(given) != text(value) {
			x.r.Problem(arg.Problem{Path: key, Code: arg.Invalid, Got: "another value", Expected: string(value) + ", which " + x.alias.Name() + " stands for"})
		}
		x.r.Put(key, value)
	}
}

// narrow refuses arguments that the old tool did not have.
func (x *execution) narrow() {
	known := map[string]bool{}
	var names []string
	for name := range x.alias.Only() {
		known[name] = true
		names = append(names, name)
	}
	if len(names) == 0 {
		return
	}
	for from, to := range x.alias.Rename() {
		known[from], known[to] = true, true
	}
	var foreign []string
	for key := range x.r.Keys() {
		if p, ok := x.action.ParamNamed(key); !known[key] && (!ok || p.In() != catalog.InPath) {
			foreign = append(foreign, key)
		}
	}
	for _, key := range foreign {
		x.r.Delete(key)
		x.r.Problem(arg.Problem{Path: key, Code: arg.Unknown, Near: arg.Nearest(key, names)})
	}
}

// rename gives arguments the names that the action has for them. Every step
// applies only where the name given is no argument of the action and the one
// meant is not given too.
func (x *execution) rename() {
	x.takeURLs()
	for pa := range x.cat.ParamAliases() {
		if pa.From() != pa.To() { // else words for values, see readRoles
			x.applyParamAlias(pa)
		}
	}
	for p := range x.action.Params() {
		if p.In() == catalog.InPath {
			x.renameTo(p.Wire(), p.Name())
		}
	}
	x.renameTo("iid", x.onlyIID())
	x.readRoles()
}

// renameTo renames from to to, if to is an argument of the action and from is not.
func (x *execution) renameTo(from, to string) bool {
	if from == to || to == "" || !x.r.Has(from) {
		return false
	}
	if _, isParam := x.action.ParamNamed(from); isParam {
		return false
	}
	if _, isParam := x.action.ParamNamed(to); !isParam || x.given(to) {
		return false
	}
	x.r.Delete(to) // an empty text in its place
	x.r.Rename(from, to)
	return true
}

// given reports whether the argument has a value other than null. An empty text
// is none where a part of the path is meant.
func (x *execution) given(name string) bool {
	raw, ok := x.r.Raw(name)
	if !ok || scan.KindOf(raw) == scan.Null {
		return false
	}
	p, isParam := x.action.ParamNamed(name)
	return !isParam || p.In() != catalog.InPath || text(raw) != ""
}

// onlyIID is the action's one argument that ends in _iid, or "".
func (x *execution) onlyIID() string {
	found := ""
	for p := range x.action.Params() {
		if p.In() == catalog.InPath && strings.HasSuffix(p.Name(), "_iid") {
			if found != "" {
				return ""
			}
			found = p.Name()
		}
	}
	return found
}

func (x *execution) applyParamAlias(pa catalog.ParamAlias) {
	if !x.r.Has(pa.From()) || !x.applies(pa) {
		return
	}
	if !x.renameTo(pa.From(), pa.To()) {
		return
	}
	p, ok := x.action.ParamNamed(pa.To())
	if !ok {
		return
	}
	raw, _ := x.r.Raw(pa.To())
	for from, to := range pa.Values() {
		if strings.EqualFold(text(raw), from) {
			x.r.Put(pa.To(), literal(p.Type(), to))
			if from != to {
				x.note(pa.To() + ": a value of " + pa.From() + " was read as its counterpart")
			}
			return
		}
	}
}

func (x *execution) applies(pa catalog.ParamAlias) bool {
	any := false
	for pattern := range pa.Actions() {
		if policy.Glob(pattern, x.action.ID()) {
			return true
		}
		any = true
	}
	return !any
}

// literal is s as JSON for an argument of that type.
func literal(t catalog.Type, s string) []byte {
	switch t {
	case catalog.TypeInteger, catalog.TypeNumber:
		if scan.IsNumber(s) {
			return []byte(s)
		}
	case catalog.TypeBoolean:
		if s == "true" || s == "false" {
			return []byte(s)
		}
	case catalog.TypeArray, catalog.TypeObject, catalog.TypeMap, catalog.TypeAny:
		if scan.Valid(s) == nil {
			return []byte(s)
		}
	}
	return scan.AppendQuoted(nil, s)
}

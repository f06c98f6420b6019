package sim

import (
	"net/url"
	"strings"

	"gitlab-mcp-server/internal/catalog"
)

// pair is one name and value of a query or form, decoded.
type pair struct{ name, value string }

// parsePairs reads a query or a form in its order.
func parsePairs(raw string) ([]pair, error) {
	var out []pair
	for part := range strings.SplitSeq(raw, "&") {
		if part == "" {
			continue
		}
		k, v, _ := strings.Cut(part, "=")
		name, err := url.QueryUnescape(k)
		if err != nil {
			return nil, badRequest("the name %q in the query is not percent-encoded correctly", k)
		}
		value, err := url.QueryUnescape(v)
		if err != nil {
			return nil, badRequest("the value of %s is not percent-encoded correctly", name)
		}
		out = append(out, pair{name, value})
	}
	return out, nil
}

// checkQuery judges a query against the catalog and reads it: lists as []any,
// hashes as objects, the rest as text. key is the route, for messages.
func (s *spec) checkQuery(key string, pairs []pair) (*object, error) {
	out := obj()
	seen := map[string]bool{}
	for _, kv := range pairs {
		base, keys, ok := brackets(kv.name)
		p := s.query[base]
		if !ok || p == nil {
			// Names with brackets may be declared verbatim.
			if p = s.query[kv.name]; p == nil {
				return nil, s.undeclared(key, base)
			}
			base, keys = kv.name, nil
		}
		if err := s.readQuery(out, p, base, keys, kv, seen); err != nil {
			return nil, err
		}
	}
	return out, s.missing(s.query, out, "query parameter")
}

func (s *spec) undeclared(key, name string) error {
	if s.body[name] != nil {
		return badRequest("%s is not a query parameter: %s takes it in the body", name, key)
	}
	if len(s.query) == 0 {
		return badRequest("%s is not declared: %s takes no query", name, key)
	}
	return badRequest("%s is not declared: the query of %s has %s", name, key, names(s.query))
}

func (s *spec) readQuery(out *object, p *param, base string, keys []string, kv pair, seen map[string]bool) error {
	where := "query parameter " + kv.name
	array := p.Type() == catalog.TypeArray
	switch {
	case p.Encoding() == catalog.Hash:
		return readHash(out, p, base, keys, kv)
	case array && p.Encoding() == catalog.Brackets && len(keys) == 1 && keys[0] == "":
		if err := checkText(where, p.schema.sub("items"), kv.value); err != nil {
			return err
		}
		out.set(base, append(out.list(base), kv.value))
		return nil
	case len(keys) > 0:
		return badRequest("%s is encoded wrongly: %s travels as %s", where, base, form(p))
	case seen[base]:
		return badRequest("%s stands in the query twice; %s travels as %s", where, base, form(p))
	}
	seen[base] = true
	if array {
		// GitLab also takes one plain value where a list is declared with brackets.
		values := []any{}
		for _, v := range texts(kv.value) {
			if err := checkText(where, p.schema.sub("items"), v); err != nil {
				return err
			}
			values = append(values, v)
		}
		if p.Encoding() == catalog.Brackets && len(values) > 1 {
			return badRequest("%s is encoded wrongly: %s travels as %s", where, base, form(p))
		}
		out.set(base, values)
		return nil
	}
	if err := checkText(where, p.schema, kv.value); err != nil {
		return err
	}
	out.set(base, kv.value)
	return nil
}

// readHash reads name[key]=value, where a list under a key may have its own brackets.
func readHash(out *object, p *param, base string, keys []string, kv pair) error {
	where := "query parameter " + kv.name
	list := len(keys) == 2 && keys[1] == ""
	if len(keys) == 0 || keys[0] == "" || len(keys) > 1 && !list {
		return badRequest("%s is encoded wrongly: %s travels as %s", where, base, form(p))
	}
	props := properties(p.schema)
	inner := props.sub(keys[0])
	if props != nil && len(props.members) > 0 && inner == nil {
		return badRequest("%s is not declared; %s has %s", where, base, memberNames(props))
	}
	if out.sub(base) == nil {
		out.set(base, obj())
	}
	into := out.sub(base)
	if inner.str("type") != "array" {
		if list {
			return badRequest("%s is encoded wrongly: %s[%s] is no list", where, base, keys[0])
		}
		into.set(keys[0], kv.value)
		return checkText(where, inner, kv.value)
	}
	values := []string{kv.value}
	if !list {
		values = texts(kv.value)
	}
	for _, v := range values {
		if err := checkText(where, inner.sub("items"), v); err != nil {
			return err
		}
		into.set(keys[0], append(into.list(keys[0]), v))
	}
	return nil
}

// form is how a parameter travels, for messages.
func form(p *param) string {
	switch p.Encoding() {
	case catalog.Comma:
		return p.Wire() + "=a,b"
	case catalog.Brackets:
		return p.Wire() + "[]=a&" + p.Wire() + "[]=b"
	case catalog.Hash:
		return p.Wire() + "[key]=value"
	}
	return p.Wire() + "=value"
}

// brackets splits "a[b][]" into its base and keys.
func brackets(name string) (base string, keys []string, ok bool) {
	base, rest, _ := strings.Cut(name, "[")
	if base == "" {
		return name, nil, false
	}
	if len(rest) == 0 {
		return base, nil, base == name
	}
	rest = "[" + rest
	for rest != "" {
		key, behind, found := strings.Cut(rest[1:], "]")
		if rest[0] != '[' || !found {
			return name, nil, false
		}
		keys = append(keys, key)
		rest = behind
	}
	return base, keys, true
}

// missing finds a required argument that is not there.
func (s *spec) missing(declared map[string]*param, given *object, what string) error {
	for _, name := range sortedNames(declared) {
		if declared[name].Required() && !given.has(name) {
			return badRequest("%s is missing: it is a required %s", name, what)
		}
	}
	return nil
}

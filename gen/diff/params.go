package diff

import (
	"cmp"
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strings"
)

// properties compares the members of two objects; prefix is where they stand.
func (c *comparison) properties(action, prefix string, old, now *Schema) {
	for _, name := range slices.Sorted(maps.Keys(old.Properties)) {
		if _, ok := now.Properties[name]; !ok {
			c.add(Change{Kind: ParamRemoved, Action: action, Param: prefix + name, From: typeOf(old.Properties[name]), Breaking: true})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(now.Properties)) {
		required := slices.Contains(now.Required, name)
		was, ok := old.Properties[name]
		is := now.Properties[name]
		path := prefix + name
		if !ok {
			ch := Change{Kind: ParamAdded, Action: action, Param: path, To: typeOf(is), Breaking: required}
			if required {
				ch.To += ", required"
			}
			c.add(ch)
			continue
		}
		switch wasRequired := slices.Contains(old.Required, name); {
		case required && !wasRequired:
			c.add(Change{Kind: ParamRequired, Action: action, Param: path, Breaking: true})
		case !required && wasRequired:
			c.add(Change{Kind: ParamOptional, Action: action, Param: path})
		}
		c.param(action, path, was, is)
	}
}

// param compares the values that two schemas of one argument allow. No schema
// allows any value.
func (c *comparison) param(action, path string, was, is *Schema) {
	was, is = cmp.Or(was, &Schema{}), cmp.Or(is, &Schema{})
	if was.Type != is.Type {
		c.add(Change{
			Kind: ParamRetyped, Action: action, Param: path, From: typeOf(was), To: typeOf(is),
			// Any value takes all that was taken, and a number every integer.
			Breaking: is.Type != "" && (was.Type != "integer" || is.Type != "number"),
		})
		return
	}
	c.limits(action, path, was, is)
	if was.Items != nil && is.Items != nil {
		c.param(action, path+"[]", was.Items, is.Items)
	}
	// An object without properties takes all keys.
	switch {
	case len(was.Properties) == 0 && len(is.Properties) == 0:
	case len(was.Properties) == 0:
		c.add(Change{Kind: ParamLimited, Action: action, Param: path, From: "any keys", To: strings.Join(slices.Sorted(maps.Keys(is.Properties)), ", "), Breaking: true})
	case len(is.Properties) == 0:
		c.add(Change{Kind: ParamWidened, Action: action, Param: path, To: "any keys"})
	default:
		c.properties(action, path+".", was, is)
	}
}

// limits compares allowed values and ranges.
func (c *comparison) limits(action, path string, was, is *Schema) {
	before, after := texts(was.Enum), texts(is.Enum)
	switch {
	case before == nil && after != nil:
		c.add(Change{Kind: ParamLimited, Action: action, Param: path, From: "any " + is.Type, To: strings.Join(after, ", "), Breaking: true})
	case before != nil && after == nil:
		c.add(Change{Kind: ParamWidened, Action: action, Param: path, To: "any " + is.Type})
	default:
		if gone := without(before, after); len(gone) > 0 {
			c.add(Change{Kind: ParamLimited, Action: action, Param: path, From: strings.Join(gone, ", "), Breaking: true})
		}
		if more := without(after, before); len(more) > 0 {
			c.add(Change{Kind: ParamWidened, Action: action, Param: path, To: strings.Join(more, ", ")})
		}
	}
	c.bound(action, path, "minimum", was.Minimum, is.Minimum, 1)
	c.bound(action, path, "maximum", was.Maximum, is.Maximum, -1)
}

// bound compares one end of a range; sign is 1 where a greater value limits.
func (c *comparison) bound(action, path, name string, was, is *json.Number, sign int) {
	limited := 0 // 1: fewer values, -1: more
	switch {
	case was == nil && is == nil:
	case was == nil:
		limited = 1
	case is == nil:
		limited = -1
	default:
		limited = sign * compareNumbers(*is, *was)
	}
	ch := Change{Action: action, Param: path, From: boundText(name, was), To: boundText(name, is)}
	switch {
	case limited > 0:
		ch.Kind, ch.Breaking = ParamLimited, true
		c.add(ch)
	case limited < 0:
		ch.Kind = ParamWidened
		c.add(ch)
	}
}

func boundText(name string, n *json.Number) string {
	if n == nil {
		return "no " + name
	}
	return name + " " + n.String()
}

func compareNumbers(a, b json.Number) int {
	x, ok := new(big.Rat).SetString(a.String())
	y, ok2 := new(big.Rat).SetString(b.String())
	if !ok || !ok2 {
		return strings.Compare(a.String(), b.String())
	}
	return x.Cmp(y)
}

// typeOf is the type of an argument in a few words.
func typeOf(s *Schema) string {
	switch {
	case s == nil || s.Type == "":
		return "any"
	case s.Type == "array" && s.Items != nil:
		return "array of " + typeOf(s.Items)
	}
	return s.Type
}

func texts(values []json.RawMessage) []string {
	var ts []string
	for _, v := range values {
		ts = append(ts, strings.Trim(string(v), `"`))
	}
	return ts
}

func without(list, others []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(others, s) })
}

package sim

import (
	"math/big"
	"slices"
	"strings"
)

// checkText judges a value that came as text, from a path, query or form.
func checkText(where string, schema *object, value string) error {
	if schema == nil {
		return nil
	}
	if enum := schema.list("enum"); enum != nil && value != "" && !slices.Contains(texts(enum), value) {
		return badRequest("%s does not have a valid value: %q is none of %s", where, value, strings.Join(texts(enum), ", "))
	}
	switch schema.str("type") {
	case "integer":
		if n, ok := new(big.Int).SetString(value, 10); !ok {
			return badRequest("%s is invalid: %q is no integer", where, value)
		} else if text, bad := outside(schema, new(big.Float).SetInt(n)); bad {
			return badRequest("%s is invalid: %s is %s", where, value, text)
		}
	case "number":
		if n, _, err := big.ParseFloat(value, 10, 64, big.ToNearestEven); err != nil {
			return badRequest("%s is invalid: %q is no number", where, value)
		} else if text, bad := outside(schema, n); bad {
			return badRequest("%s is invalid: %s is %s", where, value, text)
		}
	case "boolean":
		if value != "true" && value != "false" {
			return badRequest("%s is invalid: %q is no boolean", where, value)
		}
	}
	return nil
}

// outside says on which side of a schema's range n lies.
func outside(schema *object, n *big.Float) (string, bool) {
	if lo, _, err := big.ParseFloat(schema.str("minimum"), 10, 64, big.ToNearestEven); err == nil && n.Cmp(lo) < 0 {
		return "below " + schema.str("minimum"), true
	}
	if hi, _, err := big.ParseFloat(schema.str("maximum"), 10, 64, big.ToNearestEven); err == nil && n.Cmp(hi) > 0 {
		return "above " + schema.str("maximum"), true
	}
	return "", false
}

// checkJSON judges a value of a JSON body. Null stands for every type: GitLab
// clears by it. Schemas call ids strings, and GitLab takes them as numbers too.
func checkJSON(where string, schema *object, v any) error {
	if schema == nil || v == nil {
		return nil
	}
	kind := kindOf(v)
	switch want := schema.str("type"); want {
	case "":
		return nil
	case "string":
		switch {
		case kind == "string":
			return checkText(where, schema, v.(string))
		case kind == "integer" && !schema.has("enum"):
			return nil
		}
		return badRequest("%s is invalid: expected a string, got %s", where, withArticle(kind))
	case "integer", "number":
		if kind != "integer" && (kind != "number" || want == "integer") {
			return badRequest("%s is invalid: expected %s, got %s", where, withArticle(want), withArticle(kind))
		}
		return checkText(where, schema, text(v))
	case "boolean":
		if kind != "boolean" {
			return badRequest("%s is invalid: expected a boolean, got %s", where, withArticle(kind))
		}
	case "array":
		list, ok := v.([]any)
		if !ok {
			return badRequest("%s is invalid: expected an array, got %s", where, withArticle(kind))
		}
		for i, e := range list {
			if err := checkJSON(where+"["+text(i)+"]", schema.sub("items"), e); err != nil {
				return err
			}
		}
	case "object":
		o, ok := v.(*object)
		if !ok {
			return badRequest("%s is invalid: expected an object, got %s", where, withArticle(kind))
		}
		return checkObject(where, schema, o)
	}
	return nil
}

func checkObject(where string, schema *object, o *object) error {
	props := properties(schema)
	for _, m := range o.members {
		var inner *object
		switch {
		case props.has(m.name):
			inner = props.sub(m.name)
		case props != nil && len(props.members) > 0 && schema.get("additionalProperties") != true && schema.sub("additionalProperties") == nil:
			return badRequest("%s[%s] is not declared; %s has %s", where, m.name, where, memberNames(props))
		}
		if err := checkJSON(where+"["+m.name+"]", inner, m.value); err != nil {
			return err
		}
	}
	for _, name := range texts(schema.get("required")) {
		if !o.has(name) {
			return badRequest("%s[%s] is missing", where, name)
		}
	}
	return nil
}

func memberNames(o *object) string {
	var all []string
	for _, m := range o.members {
		all = append(all, m.name)
	}
	return strings.Join(all, ", ")
}

func kindOf(v any) string {
	switch v := v.(type) {
	case string:
		return "string"
	case bool:
		return "boolean"
	case []any:
		return "array"
	case *object:
		return "object"
	case number:
		if strings.ContainsAny(string(v), ".eE") {
			return "number"
		}
		return "integer"
	}
	return "null"
}

func withArticle(kind string) string {
	if kind != "" && strings.IndexByte("aio", kind[0]) >= 0 {
		return "an " + kind
	}
	return "a " + kind
}

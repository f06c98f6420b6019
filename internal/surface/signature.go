package surface

import (
	"strconv"
	"strings"

	"gitlab-mcp-server/internal/scan"
)

// How much of a schema a signature shows.
const (
	maxEnum     = 15 // values of an enum
	maxDepth    = 2  // levels of nested objects
	maxFields   = 12 // fields of a nested object
	maxOptional = 10 // optional parameters of an action
)

// params splits the properties of an input schema into required and optional
// ones, both in the schema's order, each as "name (type)".
func params(schema string) (required, optional []string) {
	properties, _ := scan.Get(schema, "properties")
	needed, _ := scan.Get(schema, "required")
	for k, v := range scan.Members(properties) {
		name := scan.Key(k)
		text := name + " (" + typeOf(v, 0) + ")"
		if contains(needed, name) {
			required = append(required, text)
		} else {
			optional = append(optional, text)
		}
	}
	return required, optional
}

// typeOf words the type of a property: "string", "opened|closed",
// "array of integer", "{key*, value*: string}".
func typeOf(schema string, depth int) string {
	if enum, ok := scan.Get(schema, "enum"); ok {
		return enumOf(enum)
	}
	kind := text(schema, "type")
	switch kind {
	case "array":
		items, ok := scan.Get(schema, "items")
		if !ok {
			return "array"
		}
		return "array of " + typeOf(items, depth)
	case "object":
		properties, ok := scan.Get(schema, "properties")
		if !ok || scan.Len(properties) == 0 || depth >= maxDepth {
			return "object"
		}
		return fieldsOf(properties, schema, depth)
	case "":
		return "any"
	}
	return kind
}

func enumOf(enum string) string {
	var b strings.Builder
	n := 0
	for v := range scan.Elements(enum) {
		if n == maxEnum {
			b.WriteString("|… " + strconv.Itoa(scan.Len(enum)-n) + " more")
			break
		}
		if n > 0 {
			b.WriteByte('|')
		}
		b.WriteString(scan.Unquoted(v))
		n++
	}
	return b.String()
}

// fieldsOf words a nested object; a star marks what is required in it.
func fieldsOf(properties, schema string, depth int) string {
	needed, _ := scan.Get(schema, "required")
	var b strings.Builder
	b.WriteByte('{')
	n := 0
	for k, v := range scan.Members(properties) {
		if n > 0 {
			b.WriteString(", ")
		}
		if n == maxFields {
			b.WriteString("…")
			break
		}
		name := scan.Key(k)
		b.WriteString(name)
		if contains(needed, name) {
			b.WriteByte('*')
		}
		if t := typeOf(v, depth+1); t != "string" {
			b.WriteString(": " + t)
		}
		n++
	}
	b.WriteByte('}')
	return b.String()
}

// contains tells whether a JSON array has the string.
func contains(array, want string) bool {
	for v := range scan.Elements(array) {
		if scan.KindOf(v) == scan.String && scan.Unquoted(v) == want {
			return true
		}
	}
	return false
}

// text is the string member of that name, or empty.
func text(obj, name string) string {
	if v, ok := scan.Get(obj, name); ok && scan.KindOf(v) == scan.String {
		return scan.Unquoted(v)
	}
	return ""
}

// ParamTypes words the type of every parameter of an input schema, by name.
func ParamTypes(schema string) map[string]string {
	types := map[string]string{}
	properties, _ := scan.Get(schema, "properties")
	for k, v := range scan.Members(properties) {
		types[scan.Key(k)] = typeOf(v, 0)
	}
	return types
}

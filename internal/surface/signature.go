package surface

import (
	"strconv"

	"gitlab-mcp-server/internal/scan"
)

// How much of a schema a signature shows.
const (
	maxEnum     = 15 // values of an enum
	maxDepth    = 2  // levels of nested objects
	maxFields   = 12 // fields of a nested object
	maxOptional = 10 // optional parameters of an action
)

// shape is the part of a JSON schema that a signature words; empty texts are
// members that it lacks.
type shape struct {
	kind                              string // type
	enum, items, properties, required string
}

func shapeOf(schema string) (s shape) {
	for k, v := range scan.Members(schema) {
		switch k {
		case "type":
			s.kind = scan.Unquoted(v)
		case "enum":
			s.enum = v
		case "items":
			s.items = v
		case "properties":
			s.properties = v
		case "required":
			s.required = v
		}
	}
	return s
}

// signature is the parameters of an input schema in words: "name (type), …",
// in the schema's order.
type signature struct {
	required, optional []byte
	hidden             int // optional parameters beyond the bound
}

func signatureOf(schema string) (s signature) {
	whole := shapeOf(schema)
	n := 0
	for k, v := range scan.Members(whole.properties) {
		to := &s.required
		if !contains(whole.required, k) {
			if n++; n > maxOptional {
				s.hidden++
				continue
			}
			to = &s.optional
		}
		if len(*to) > 0 {
			*to = append(*to, ", "...)
		}
		*to = append(*to, scan.Key(k)...)
		*to = append(*to, " ("...)
		*to = appendType(*to, v, 0)
		*to = append(*to, ')')
	}
	return s
}

// ParamTypes words the type of every parameter of an input schema, by name.
func ParamTypes(schema string) map[string]string {
	types := map[string]string{}
	for k, v := range scan.Members(shapeOf(schema).properties) {
		types[scan.Key(k)] = string(appendType(nil, v, 0))
	}
	return types
}

// appendType words the type of a property: "string", "opened|closed",
// "array of integer", "{key*, value}".
func appendType(b []byte, schema string, depth int) []byte {
	s := shapeOf(schema)
	switch {
	case s.enum != "":
		return appendEnum(b, s.enum)
	case s.kind == "array" && s.items != "":
		return appendType(append(b, "array of "...), s.items, depth)
	case s.kind == "object" && depth < maxDepth && scan.Len(s.properties) > 0:
		return appendFields(b, s, depth)
	case s.kind == "":
		return append(b, "any"...)
	}
	return append(b, s.kind...)
}

func appendEnum(b []byte, enum string) []byte {
	n := 0
	for v := range scan.Elements(enum) {
		if n == maxEnum {
			b = append(b, "|… "...)
			b = strconv.AppendInt(b, int64(scan.Len(enum)-n), 10)
			return append(b, " more"...)
		}
		if n > 0 {
			b = append(b, '|')
		}
		b = append(b, scan.Unquoted(v)...)
		n++
	}
	return b
}

// appendFields words a nested object; a star marks what is required in it, and
// strings go without their type.
func appendFields(b []byte, s shape, depth int) []byte {
	b = append(b, '{')
	n := 0
	for k, v := range scan.Members(s.properties) {
		if n > 0 {
			b = append(b, ", "...)
		}
		if n == maxFields {
			b = append(b, "…"...)
			break
		}
		n++
		b = append(b, scan.Key(k)...)
		if contains(s.required, k) {
			b = append(b, '*')
		}
		mark := len(b)
		b = appendType(append(b, ": "...), v, depth+1)
		if string(b[mark:]) == ": string" {
			b = b[:mark]
		}
	}
	return append(b, '}')
}

// contains tells whether a JSON array has the string that k is the raw text of.
func contains(array, k string) bool {
	for v := range scan.Elements(array) {
		if len(v) == len(k)+2 && v[1:len(v)-1] == k {
			return true
		}
	}
	return false
}

package exec

import (
	"strings"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/scan"
)

// placeholder is a value for a reader to replace that the action accepts as it
// stands: of the type, among the values and inside the range of the schema.
func placeholder(a catalog.Action, p catalog.Param) string {
	switch p.Type() {
	case catalog.TypeFile:
		return `{"content":"…","encoding":"text","filename":"file.txt"}`
	case catalog.TypeID:
		switch p.Name() {
		case "project_id":
			return `"group/project"`
		case "group_id":
			return `"group"`
		}
		return `"1"`
	}
	properties, _ := scan.Get(a.Schema(), "properties")
	schema, _ := scan.Get(properties, p.Name())
	return sample(schema, p.Name())
}

// sample is a value of the schema of that name: the first of an enum, the least
// of a range, else something of the type; objects with what they require.
func sample(schema, name string) string {
	if values, ok := scan.Get(schema, "enum"); ok {
		for v := range scan.Elements(values) {
			return v
		}
	}
	kind, _ := scan.Get(schema, "type")
	switch kind {
	case `"integer"`, `"number"`:
		for _, bound := range [...]string{"minimum", "maximum"} {
			if v, ok := scan.Get(schema, bound); ok {
				return v
			}
		}
		return "1"
	case `"boolean"`:
		return "true"
	case `"array"`:
		items, _ := scan.Get(schema, "items")
		return "[" + sample(items, name) + "]"
	case `"object"`:
		return sampleObject(schema)
	}
	return string(scan.AppendQuoted(nil, strings.ReplaceAll(name, `"`, "")))
}

func sampleObject(schema string) string {
	properties, _ := scan.Get(schema, "properties")
	required, _ := scan.Get(schema, "required")
	b := []byte{'{'}
	for r := range scan.Elements(required) {
		name := scan.Unquoted(r)
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(scan.AppendQuoted(b, name), ':')
		property, _ := scan.Get(properties, name)
		b = append(b, sample(property, name)...)
	}
	return string(append(b, '}'))
}

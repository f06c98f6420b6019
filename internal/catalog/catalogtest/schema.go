package catalogtest

import (
	"encoding/json"
	"slices"

	"gitlab-mcp-server/internal/catalog"
)

// deriveSchema gives the plain input schema of params, JSON.
func deriveSchema(params []Param) string {
	props := map[string]any{}
	required := []string{}
	for _, p := range params {
		prop := map[string]any{"type": jsonType(p.Type)}
		if p.Type == catalog.TypeArray {
			prop["items"] = map[string]any{"type": "string"}
		}
		if len(p.Enum) > 0 {
			prop["enum"] = slices.Clone(p.Enum)
		}
		props[p.Name] = prop
		if p.Flags&catalog.Required != 0 {
			required = append(required, p.Name)
		}
	}
	schema, err := json.Marshal(map[string]any{
		"type": "object", "properties": props, "required": required, "additionalProperties": false,
	})
	if err != nil {
		panic(err) // maps of strings always encode
	}
	return string(schema)
}

func jsonType(t catalog.Type) string {
	switch t {
	case catalog.TypeInteger:
		return "integer"
	case catalog.TypeNumber:
		return "number"
	case catalog.TypeBoolean:
		return "boolean"
	case catalog.TypeArray:
		return "array"
	case catalog.TypeObject, catalog.TypeMap, catalog.TypeFile:
		return "object"
	}
	return "string"
}

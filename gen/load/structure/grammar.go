package structure

// shape says what an object of the document is, and so which of its keys are
// facts. The same key means different things in different shapes: `title` is
// prose in a schema and a name in its properties.
type shape uint8

const (
	// Leaves.
	fact  shape = iota // any value, kept as it is
	name               // a string
	mark               // a boolean, kept only if true: false is OpenAPI's default
	blank              // prose that OpenAPI demands: kept as ""
	ref                // where else the object stands

	// Objects.
	document
	info
	license
	tag
	components
	pathItem
	operation
	parameter
	requestBody
	mediaType
	response
	schema
	schemaOrBool // additionalProperties
)

// plural says how many of a shape a key holds.
type plural uint8

const (
	single plural = iota
	list          // a sequence, in source order
	table         // a mapping by name, in source order
	sorted        // a mapping by name, sorted
)

type field struct {
	key   string
	shape shape
	many  plural
}

// must lists the keys without which an object of a shape means nothing. Their
// absence is how a document looks that was cut off at a line's end.
var must = map[shape][]string{
	operation: {"responses"},
	parameter: {"name", "in"},
	tag:       {"name"},
}

// grammar lists what stays, in the order in which it is written. A shape's
// keys that are not listed here are dropped.
var grammar = map[shape][]field{
	document: {
		{"openapi", name, single},
		{"info", info, single},
		{"tags", tag, list},
		{"paths", pathItem, sorted},
		{"components", components, single},
	},
	info: {
		{"title", blank, single},
		{"version", name, single},
		{"license", license, single},
	},
	license: {
		{"name", name, single},
		{"identifier", name, single},
		{"url", name, single},
	},
	tag: {
		{"name", name, single},
	},
	components: {
		{"parameters", parameter, sorted},
		{"requestBodies", requestBody, sorted},
		{"responses", response, sorted},
		{"pathItems", pathItem, sorted},
		{"schemas", schema, sorted},
	},
	pathItem: {
		{"$ref", ref, single},
		{"parameters", parameter, list},
		{"get", operation, single},
		{"head", operation, single},
		{"post", operation, single},
		{"put", operation, single},
		{"patch", operation, single},
		{"delete", operation, single},
		{"options", operation, single},
		{"trace", operation, single},
	},
	operation: {
		{"operationId", name, single},
		{"tags", name, list},
		{"deprecated", mark, single},
		{"x-gitlab-lifecycle", fact, single},
		{"parameters", parameter, list},
		{"requestBody", requestBody, single},
		{"responses", response, sorted},
	},
	parameter: {
		{"$ref", ref, single},
		{"name", name, single},
		{"in", name, single},
		{"required", mark, single},
		{"deprecated", mark, single},
		{"allowEmptyValue", mark, single},
		{"allowReserved", mark, single},
		{"style", name, single},
		{"explode", fact, single}, // its default depends on the style
		{"x-gitlab-lifecycle", fact, single},
		{"schema", schema, single},
		{"content", mediaType, sorted},
	},
	requestBody: {
		{"$ref", ref, single},
		{"required", mark, single},
		{"content", mediaType, sorted},
	},
	response: {
		{"$ref", ref, single},
		{"description", blank, single},
		{"content", mediaType, sorted},
	},
	mediaType: {
		{"schema", schema, single},
	},
	schema: {
		{"$ref", ref, single},
		{"type", fact, single},
		{"format", name, single},
		{"contentEncoding", name, single},
		{"contentMediaType", name, single},
		{"nullable", mark, single},
		{"deprecated", mark, single},
		{"readOnly", mark, single},
		{"writeOnly", mark, single},
		{"x-gitlab-lifecycle", fact, single},
		{"const", fact, single},
		{"enum", fact, single},
		{"default", fact, single},
		{"minimum", fact, single},
		{"exclusiveMinimum", fact, single},
		{"maximum", fact, single},
		{"exclusiveMaximum", fact, single},
		{"multipleOf", fact, single},
		{"minLength", fact, single},
		{"maxLength", fact, single},
		{"pattern", name, single},
		{"minItems", fact, single},
		{"maxItems", fact, single},
		{"uniqueItems", mark, single},
		{"minProperties", fact, single},
		{"maxProperties", fact, single},
		{"discriminator", fact, single},
		{"required", name, list},
		{"oneOf", schema, list},
		{"anyOf", schema, list},
		{"allOf", schema, list},
		{"not", schema, single},
		{"prefixItems", schema, list},
		{"items", schema, single},
		{"properties", schema, table},
		{"patternProperties", schema, table},
		{"additionalProperties", schemaOrBool, single},
	},
}

// inBlock lists the keys whose entries stand on lines of their own, however
// short they are, so that a change of one is a change of one line.
var inBlock = map[string]bool{
	"paths": true, "components": true, "schemas": true, "parameters": true,
	"responses": true, "requestBodies": true, "pathItems": true, "properties": true, "patternProperties": true,
	"info": true,
}

// Package ir is the generator's picture of the catalog: what upstream says
// (Spec), and what the overlays make of it (Catalog). Every stage of gen reads
// and writes these types and nothing else; they hold facts, no code.
//
// It is not for run time: the server links none of it.
package ir

import "fmt"

// Pos is where a node stands in its source file; it follows the node into
// every message about it.
type Pos struct {
	File string
	Line int
}

func (p Pos) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// Spec is the structure of GitLab's OpenAPI document, as upstream has it.
type Spec struct {
	GitLabVersion string       // from SOURCE.md, e.g. "19.2"
	Operations    []*Operation // sorted by path, then by method
}

// Operation is one method of one path.
type Operation struct {
	Pos         Pos
	Method      string // GET, PUT, POST, DELETE, PATCH, HEAD
	Path        string // template verbatim, with /api/v4 and (-/) and the like
	OperationID string
	Tags        []string
	Deprecated  bool
	Lifecycle   string   // x-gitlab-lifecycle: "", "experiment", "beta"
	Params      []*Param // path and query, in source order
	Body        *Body    // nil: no request body
	Responses   []Response
	Added       bool // from an overlay, absent upstream
}

// Key is "METHOD path", the identity of an operation.
func (o *Operation) Key() string { return o.Method + " " + o.Path }

// Body is the one request body of an operation.
type Body struct {
	ContentType string // application/json, multipart/form-data, application/x-www-form-urlencoded, application/octet-stream
	Required    bool
	Fields      []*Param // top-level properties, in source order; In is BodyIn or File
	Whole       *Type    // the body itself where it is no object with properties; then Fields is empty
}

// Response is one declared response. Type is nil where upstream declares no content.
type Response struct {
	Code        string // "200", "default"
	ContentType string
	Type        *Type
}

// In says where a parameter travels.
type In string

// The places a parameter can travel in; Local never reaches GitLab.
const (
	Path     In = "path"
	Query    In = "query"
	BodyIn   In = "body"
	File     In = "file"
	Variable In = "variable" // of a GraphQL document
	Local    In = "local"
	Header   In = "header" // upstream may declare them; no action has them
	Cookie   In = "cookie"
)

// Encoding is how an array or object travels in a query.
type Encoding string

// Encodings of arrays and objects in a query string. Unmarked scalars are Plain.
const (
	Plain    Encoding = ""         // name=value
	Comma    Encoding = "comma"    // name=a,b
	Brackets Encoding = "brackets" // name[]=a&name[]=b
	Hash     Encoding = "hash"     // name[key]=value; arrays inside by their own encoding
)

// Param is one argument: a path or query parameter, or a property of a body or
// of an object inside one.
type Param struct {
	Pos         Pos
	Name        string // public name; upstream's until the overlay stage renames it
	Wire        string // upstream's name verbatim
	In          In
	Required    bool
	Type        *Type
	Encoding    Encoding
	Splat       bool   // path only: slashes stay
	Scalar      bool   // array for which GitLab takes one plain string too: sent as it is, name=value
	Description string // ours, never upstream's
	Deprecated  bool
	Clearable   bool // GitLab clears the value by null: the word "none" sends null
	Folded      bool // left out of find's schema, named in folded_params
	Plain       bool // the name explains itself; there need be no Description
}

// Kind is the type of a value.
type Kind string

// Kinds of values. ID is a number or a path or name, string in schemas; Map is
// an object with free keys; Any is any JSON value.
const (
	String  Kind = "string"
	Integer Kind = "integer"
	Number  Kind = "number"
	Boolean Kind = "boolean"
	ID      Kind = "id"
	Array   Kind = "array"
	Object  Kind = "object"
	Map     Kind = "map"
	Any     Kind = "any"
	FileVal Kind = "file"
)

// Type is a value's type with its limits. OneOf is filled by load where
// upstream offers alternatives, and empty after the overlay stage.
type Type struct {
	Kind     Kind     // "" where upstream declares none
	Format   string   // date, date-time, int64, float, binary, …
	Enum     []string // in source order, texts of the values
	Default  *string  // text of the value
	Min      *string
	Max      *string
	MinLen   *int
	MaxLen   *int
	Pattern  string
	Items    *Type        // of Array
	Values   *Type        // of Map; nil: any
	Fields   []*Param     // of Object, in source order
	Groups   []ParamGroup // rules over the Fields of an Object
	OneOf    []*Type
	Entity   string // schema name upstream, of response objects
	GID      string // class of a GraphQL global id: the plain number is completed to gid://gitlab/<GID>/<number>
	Nullable bool
}

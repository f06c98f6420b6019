// Package structure cuts an OpenAPI 3 document down to the facts that the
// catalog is compiled from, and writes them as YAML that diffs line by line.
//
// What stays is one table (grammar): paths, methods, parameters, bodies,
// responses, schemas, limits, deprecation and lifecycle. Prose does not:
// descriptions, summaries, titles, examples and links out are dropped, while a
// property or parameter that is merely *named* so survives.
//
// It is not for understanding the document: it resolves no reference and knows
// no type. Package load does that with what is written here.
package structure

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
)

// Document is the structure of one OpenAPI document.
type Document struct {
	YAML       []byte // the document to keep; Cut of it gives the same bytes
	Version    string // info.version as upstream has it, e.g. "v4" or "19.5"
	Licence    string // info.license.name; "" if the document names none
	Operations int    // methods of paths
	Schemas    int    // named schemas that are reachable from a path
}

// Cut reads an OpenAPI 3.x document in YAML or JSON and returns its structure.
// The result depends on data alone: paths, named components and responses are
// sorted, parameters and properties keep their order. Named components that no
// path reaches are dropped.
//
// Data that is no such document gives an error that says what to do: see the
// Err values and [SyntaxError]; a document that contradicts itself (a dangling
// or foreign $ref, two operations of one id, a name standing twice) gives a
// [*Fault] with the line.
func Cut(data []byte) (*Document, error) {
	doc, err := read(data)
	var f *Fault
	if errors.As(err, &f) && f.Line >= lastLine(data) {
		f.atEnd = true
	}
	return doc, err
}

// lastLine gives the number of the last line that is not blank.
func lastLine(data []byte) int {
	return bytes.Count(bytes.TrimRight(data, " \t\r\n"), []byte("\n")) + 1
}

func read(data []byte) (*Document, error) {
	root, err := parse(data)
	if err != nil {
		return nil, err
	}
	if err := checkVersion(root); err != nil {
		return nil, err
	}
	cut, err := one(document, root)
	if err != nil {
		return nil, err
	}
	if err := checkOperations(cut); err != nil {
		return nil, err
	}
	if err := checkRefs(cut); err != nil {
		return nil, err
	}
	prune(cut)

	info := cut.get("info")
	return &Document{
		YAML:       write(cut),
		Version:    info.get("version").scalar(),
		Licence:    info.get("license").get("name").scalar(),
		Operations: countOperations(cut),
		Schemas:    len(cut.get("components").get("schemas").children()),
	}, nil
}

// Errors that refuse the input as a whole. Each says what to do instead.
var (
	ErrEmpty   = errors.New("the input is empty; download the OpenAPI document again")
	ErrMarkup  = errors.New("the input is an HTML or XML page, not an OpenAPI document (a sign-in or error page?); download the raw YAML or JSON file")
	ErrSwagger = errors.New("the input is a Swagger 2.0 document; only OpenAPI 3.x is read: take GitLab's openapi_v3.yaml, or convert the file to OpenAPI 3 first")
	ErrForeign = errors.New("the input is no OpenAPI document: it has no `openapi: 3.x` at its top; pass GitLab's openapi_v3.yaml")
)

// Fault is something in the document that contradicts OpenAPI or itself.
type Fault struct {
	Line    int
	Message string
	atEnd   bool // the last line is at fault, as of a document that was cut off
}

func (f *Fault) Error() string {
	hint := "correct it, or take another copy"
	if f.atEnd {
		hint = "the document ends here: if it was cut off, download it again"
	}
	return fmt.Sprintf("line %d: %s; %s", f.Line, f.Message, hint)
}

func faultf(n *node, format string, args ...any) error {
	return &Fault{Line: n.lineOf(), Message: fmt.Sprintf(format, args...)}
}

var supported = regexp.MustCompile(`^3\.[0-9]+(\.[0-9]+)?(-[0-9A-Za-z.]+)?$`)

// checkVersion refuses everything but OpenAPI 3.x, Swagger 2.0 by name.
func checkVersion(root *node) error {
	if root.get("swagger") != nil {
		return ErrSwagger
	}
	v := root.get("openapi")
	if v == nil {
		return ErrForeign
	}
	if v.kind != scalar || !supported.MatchString(v.text) {
		return faultf(v, "openapi version %q is not supported, only 3.x", v.scalar())
	}
	if root.get("paths") == nil {
		return faultf(root, "the document has no paths (was it cut off?)")
	}
	return nil
}

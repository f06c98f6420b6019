// Package load reads specs/gitlab, the structure of GitLab's REST API, into
// the generator's IR, and imports a newer one from an OpenAPI document of
// GitLab's.
//
// Load says what upstream says, with its faults: one thing typed in several
// ways, lists typed as one object, arrays without encoding. Repairs are the
// overlay stage's. It is the only package that knows kin-openapi.
package load

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"gitlab-mcp-server/gen/ir"
)

// Files of a directory that [Import] writes and [Load] reads.
const (
	SpecFile    = "openapi.yaml"
	SourceFile  = "SOURCE.md"
	LicenceFile = "LICENSE"
)

// Load reads the spec in dir, usually specs/gitlab: openapi.yaml, and the
// GitLab version from SOURCE.md.
//
// Parameters and request bodies are the operation's own, also where upstream
// shares a schema: a repair of one reaches no other. Types of responses are
// shared between all operations that answer with the same entity; they are to
// be replaced, not changed in place. A schema that contains itself ends, where
// it recurs, in an object that has its Entity and no fields.
func Load(dir string) (*ir.Spec, error) {
	source, err := ReadSource(dir)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, SpecFile)
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("load the spec: %w", err)
	}
	spec, err := parse(data, filepath.ToSlash(file))
	if err != nil {
		return nil, err
	}
	spec.GitLabVersion = source.GitLabVersion
	return spec, nil
}

// parse reads an OpenAPI document; file is its name in positions.
func parse(data []byte, file string) (*ir.Spec, error) {
	loader := openapi3.NewLoader()
	loader.IncludeOrigin = true
	doc, err := loader.LoadFromData(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	texts, err := readTexts(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	r := &reader{
		file:   file,
		texts:  texts,
		shared: make(map[string]*ir.Type),
	}
	if doc.Components != nil {
		r.named = *doc.Components
	}
	r.cuts = r.backEdges()

	spec := &ir.Spec{}
	if doc.Paths == nil {
		return spec, nil
	}
	items := doc.Paths.Map()
	for _, path := range slices.Sorted(maps.Keys(items)) { // the same error at every run
		item := items[path]
		ops := item.Operations()
		for _, method := range slices.Sorted(maps.Keys(ops)) {
			op := ops[method]
			o, err := r.operation(method, path, item, op)
			if err != nil {
				return nil, fmt.Errorf("%s %s: %w", method, path, err)
			}
			spec.Operations = append(spec.Operations, o)
		}
	}
	return spec, nil
}

// reader turns the parts of one document into IR.
type reader struct {
	file   string
	texts  texts
	named  openapi3.Components
	shared map[string]*ir.Type // response entities by schema name
	cuts   map[edge]bool       // references that would close a circle
	copied int                 // types of bodies and parameters made so far
}

func (r *reader) pos(o *openapi3.Origin) ir.Pos {
	if o == nil || o.Key == nil {
		return ir.Pos{File: r.file}
	}
	return ir.Pos{File: r.file, Line: o.Key.Line}
}

func (r *reader) operation(method, path string, item *openapi3.PathItem, op *openapi3.Operation) (*ir.Operation, error) {
	o := &ir.Operation{
		Pos:         r.pos(op.Origin),
		Method:      method,
		Path:        path,
		OperationID: op.OperationID,
		Tags:        op.Tags,
		Deprecated:  op.Deprecated,
	}
	if s, ok := op.Extensions["x-gitlab-lifecycle"].(string); ok {
		o.Lifecycle = s
	}
	var err error
	if o.Params, err = r.params(item, op); err != nil {
		return nil, err
	}
	if o.Body, err = r.body(op.RequestBody); err != nil {
		return nil, err
	}
	if o.Responses, err = r.responses(op.Responses); err != nil {
		return nil, err
	}
	return o, nil
}

// responses gives one Response for each code and content type, sorted by both,
// "default" last.
func (r *reader) responses(all *openapi3.Responses) ([]ir.Response, error) {
	var out []ir.Response
	for code, ref := range all.Map() {
		if ref == nil || ref.Value == nil {
			return nil, fmt.Errorf("response %s: empty", code)
		}
		if len(ref.Value.Content) == 0 {
			out = append(out, ir.Response{Code: code})
			continue
		}
		for contentType, media := range ref.Value.Content {
			resp := ir.Response{Code: code, ContentType: contentType}
			if media != nil && media.Schema != nil {
				var err error
				if resp.Type, err = r.sharedType(media.Schema); err != nil {
					return nil, fmt.Errorf("response %s: %w", code, err)
				}
			}
			out = append(out, resp)
		}
	}
	slices.SortFunc(out, func(a, b ir.Response) int {
		if c := strings.Compare(a.Code, b.Code); c != 0 {
			return c // digits sort before letters
		}
		return strings.Compare(a.ContentType, b.ContentType)
	})
	return out, nil
}

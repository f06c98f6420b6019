package load

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"gitlab-mcp-server/gen/ir"
)

// params gives the parameters of an operation in source order; those of its
// path come first, unless the operation has one of the same name and place.
func (r *reader) params(item *openapi3.PathItem, op *openapi3.Operation) ([]*ir.Param, error) {
	var out []*ir.Param
	for _, ref := range item.Parameters {
		if ref.Value != nil && op.Parameters.GetByInAndName(ref.Value.In, ref.Value.Name) != nil {
			continue
		}
		p, err := r.param(ref)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	for _, ref := range op.Parameters {
		p, err := r.param(ref)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func (r *reader) param(ref *openapi3.ParameterRef) (*ir.Param, error) {
	v := ref.Value
	if v == nil {
		return nil, fmt.Errorf("parameter %q: empty", ref.Ref)
	}
	p := &ir.Param{
		Pos:        r.pos(v.Origin),
		Name:       v.Name,
		Wire:       v.Name,
		In:         ir.In(v.In),
		Required:   v.Required,
		Deprecated: v.Deprecated,
	}
	schema := v.Schema
	if schema == nil {
		for _, contentType := range slices.Sorted(maps.Keys(v.Content)) {
			schema = v.Content[contentType].Schema
			break
		}
	}
	var err error
	if p.Type, err = r.ownType(schema); err != nil {
		return nil, fmt.Errorf("parameter %s: %w", v.Name, err)
	}
	if p.Encoding, err = encoding(v, p.Type); err != nil {
		return nil, fmt.Errorf("parameter %s: %w", v.Name, err)
	}
	return p, nil
}

// encoding maps OpenAPI's style of a query parameter. An array without a style
// stays Plain: OpenAPI would repeat the name, which Rails does not understand,
// so the repairs decide.
func encoding(v *openapi3.Parameter, t *ir.Type) (ir.Encoding, error) {
	if ir.In(v.In) != ir.Query {
		return ir.Plain, nil
	}
	switch v.Style {
	case "", openapi3.SerializationForm:
		if v.Explode != nil && !*v.Explode && takesArray(t) {
			return ir.Comma, nil
		}
		return ir.Plain, nil
	case openapi3.SerializationDeepObject:
		return ir.Hash, nil
	}
	return ir.Plain, fmt.Errorf("query style %q has no encoding here", v.Style)
}

func takesArray(t *ir.Type) bool {
	return t.Kind == ir.Array || slices.ContainsFunc(t.OneOf, takesArray)
}

// contentTypes are the types of bodies in the order of preference. Upstream
// declares one for each body.
var contentTypes = []string{"application/json", "multipart/form-data", "application/x-www-form-urlencoded"}

// body gives the request body, nil if there is none.
func (r *reader) body(ref *openapi3.RequestBodyRef) (*ir.Body, error) {
	if ref == nil {
		return nil, nil
	}
	if ref.Value == nil || len(ref.Value.Content) == 0 {
		return nil, errors.New("the request body declares no content")
	}
	content := ref.Value.Content
	contentType := slices.Sorted(maps.Keys(content))[0]
	for _, t := range contentTypes {
		if _, ok := content[t]; ok {
			contentType = t
			break
		}
	}
	b := &ir.Body{ContentType: contentType, Required: ref.Value.Required}
	media := content[contentType]
	if media == nil {
		return b, nil
	}
	t, err := r.ownType(media.Schema)
	if err != nil {
		return nil, fmt.Errorf("request body: %w", err)
	}
	if t.Kind != ir.Object || len(t.Fields) == 0 {
		b.Whole = t
		return b, nil
	}
	b.Fields = t.Fields
	for _, f := range b.Fields {
		if f.Type.Kind == ir.FileVal {
			f.In = ir.File
		}
	}
	return b, nil
}

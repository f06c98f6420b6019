package load

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"gitlab-mcp-server/gen/ir"
)

// maxCopied bounds the types that parameters and bodies may unfold into, each
// having its own copy: named schemas that use each other twice, a few levels
// deep, would fill the memory. GitLab's document has 15,000.
const maxCopied = 300_000

const schemaPrefix = "#/components/schemas/"

// schemaName gives the name of a reference to a named schema, else "".
func schemaName(ref *openapi3.SchemaRef) string {
	name, ok := strings.CutPrefix(ref.Ref, schemaPrefix)
	if !ok || strings.Contains(name, "/") {
		return ""
	}
	return strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
}

// ownType gives a type that nothing else holds, with references resolved. A
// missing schema is a type without a kind.
func (r *reader) ownType(ref *openapi3.SchemaRef) (*ir.Type, error) {
	return r.build("", ref, r.own)
}

// sharedType gives a type whose named parts are shared.
func (r *reader) sharedType(ref *openapi3.SchemaRef) (*ir.Type, error) {
	return r.build("", ref, r.entity)
}

// resolver gives the type of a named schema.
type resolver func(name string) (*ir.Type, error)

func (r *reader) own(name string) (*ir.Type, error) {
	ref := r.named.Schemas[name]
	var t *ir.Type
	var err error
	if ref != nil && ref.Ref != "" { // another name of a schema
		t, err = r.build(name, ref, r.own)
	} else {
		t, err = r.value(name, ref, r.own)
	}
	if err != nil {
		return nil, err
	}
	t.Entity = name
	return t, nil
}

func (r *reader) entity(name string) (*ir.Type, error) {
	if t := r.shared[name]; t != nil {
		return t, nil
	}
	ref := r.named.Schemas[name]
	if ref != nil && ref.Ref != "" {
		t, err := r.build(name, ref, r.entity)
		if err != nil {
			return nil, err
		}
		r.shared[name] = t
		return t, nil
	}
	t, err := r.value(name, ref, r.entity)
	if err != nil {
		return nil, err
	}
	t.Entity = name
	r.shared[name] = t
	return t, nil
}

// build gives the type of a schema that stands in the named schema `within`
// ("": in none). References go to resolve; one that closes a circle ends in an
// object without fields.
func (r *reader) build(within string, ref *openapi3.SchemaRef, resolve resolver) (*ir.Type, error) {
	if ref == nil || ref.Ref == "" {
		return r.value(within, ref, resolve)
	}
	name := schemaName(ref)
	if name == "" {
		return nil, fmt.Errorf("$ref %q: only named schemas (%s…) can be referred to", ref.Ref, schemaPrefix)
	}
	if r.cuts[edge{within, name}] {
		return &ir.Type{Kind: ir.Object, Entity: name}, nil
	}
	return resolve(name)
}

// value reads the schema itself. Within is the named schema it is part of.
func (r *reader) value(within string, ref *openapi3.SchemaRef, resolve resolver) (*ir.Type, error) {
	if r.copied++; r.copied > maxCopied {
		return nil, fmt.Errorf("schemas unfold into more than %d types", maxCopied)
	}
	if ref == nil || ref.Value == nil {
		return &ir.Type{}, nil
	}
	s := ref.Value
	t := &ir.Type{
		Format:   s.Format,
		Nullable: s.Nullable,
		Pattern:  s.Pattern,
		Default:  r.text(s, "default"),
		Min:      cmp.Or(r.text(s, "minimum"), r.bound(s, "exclusiveMinimum")),
		Max:      cmp.Or(r.text(s, "maximum"), r.bound(s, "exclusiveMaximum")),
	}
	if s.MinLength > 0 {
		n := int(s.MinLength)
		t.MinLen = &n
	}
	if s.MaxLength != nil {
		n := int(*s.MaxLength)
		t.MaxLen = &n
	}
	r.enum(t, s)

	if err := r.parts(t, within, s, resolve); err != nil {
		return nil, err
	}
	var kinds []ir.Kind
	for _, name := range s.Type.Slice() {
		if name == openapi3.TypeNull {
			t.Nullable = true
			continue
		}
		kinds = append(kinds, r.kind(name, s))
	}
	switch {
	case len(kinds) == 1:
		t.Kind = kinds[0]
	case len(kinds) > 1:
		// OpenAPI 3.1 may list several types in one schema.
		for _, k := range kinds {
			t.OneOf = append(t.OneOf, &ir.Type{Kind: k})
		}
	case len(t.Fields) > 0:
		t.Kind = ir.Object
	case t.Items != nil:
		t.Kind = ir.Array
	}
	return t, nil
}

// parts fills what a type is made of.
func (r *reader) parts(t *ir.Type, within string, s *openapi3.Schema, resolve resolver) (err error) {
	if s.Items != nil {
		if t.Items, err = r.build(within, s.Items, resolve); err != nil {
			return err
		}
	}
	if s.AdditionalProperties.Schema != nil {
		if t.Values, err = r.build(within, s.AdditionalProperties.Schema, resolve); err != nil {
			return err
		}
	}
	for _, alternatives := range []openapi3.SchemaRefs{s.OneOf, s.AnyOf} {
		for _, ref := range alternatives {
			a, err := r.build(within, ref, resolve)
			if err != nil {
				return err
			}
			t.OneOf = append(t.OneOf, a)
		}
	}
	if t.Fields, err = r.fields(within, s, resolve); err != nil {
		return err
	}
	for _, ref := range s.AllOf {
		part, err := r.build(within, ref, resolve)
		if err != nil {
			return err
		}
		merge(t, part)
	}
	return nil
}

// kind maps a type's name.
func (r *reader) kind(name string, s *openapi3.Schema) ir.Kind {
	switch name {
	case openapi3.TypeString:
		if s.Format == "binary" {
			return ir.FileVal
		}
		return ir.String
	case openapi3.TypeObject:
		// An object that declares nothing is an Object without fields: upstream
		// does not say whether its keys are free or were left out.
		free := s.AdditionalProperties.Schema != nil || s.AdditionalProperties.Has != nil && *s.AdditionalProperties.Has
		if free && len(s.Properties) == 0 {
			return ir.Map
		}
		return ir.Object
	}
	return ir.Kind(name) // integer, number, boolean, array
}

// fields gives the properties in source order.
func (r *reader) fields(within string, s *openapi3.Schema, resolve resolver) ([]*ir.Param, error) {
	if len(s.Properties) == 0 {
		return nil, nil
	}
	names := make([]string, 0, len(s.Properties))
	for name := range s.Properties {
		names = append(names, name)
	}
	at := func(name string) (line, column int) {
		if p := s.Properties[name]; p != nil && p.Origin != nil && p.Origin.Key != nil {
			return p.Origin.Key.Line, p.Origin.Key.Column
		}
		return 0, 0
	}
	slices.SortFunc(names, func(a, b string) int {
		la, ca := at(a)
		lb, cb := at(b)
		return cmp.Or(cmp.Compare(la, lb), cmp.Compare(ca, cb), strings.Compare(a, b))
	})

	fields := make([]*ir.Param, 0, len(names))
	for _, name := range names {
		ref := s.Properties[name]
		t, err := r.build(within, ref, resolve)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		f := &ir.Param{
			Pos:      ir.Pos{File: r.file},
			Name:     name,
			Wire:     name,
			In:       ir.BodyIn,
			Required: slices.Contains(s.Required, name),
			Type:     t,
		}
		if ref != nil {
			f.Pos = r.pos(ref.Origin)
			f.Deprecated = ref.Value != nil && ref.Value.Deprecated
		}
		fields = append(fields, f)
	}
	return fields, nil
}

// merge adds what one schema of an allOf says to t; what t says itself holds.
func merge(t, part *ir.Type) {
	t.Kind = cmp.Or(t.Kind, part.Kind)
	t.Format = cmp.Or(t.Format, part.Format)
	t.Pattern = cmp.Or(t.Pattern, part.Pattern)
	t.Default = cmp.Or(t.Default, part.Default)
	t.Min, t.Max = cmp.Or(t.Min, part.Min), cmp.Or(t.Max, part.Max)
	t.MinLen, t.MaxLen = cmp.Or(t.MinLen, part.MinLen), cmp.Or(t.MaxLen, part.MaxLen)
	t.Items, t.Values = cmp.Or(t.Items, part.Items), cmp.Or(t.Values, part.Values)
	t.Entity = cmp.Or(t.Entity, part.Entity)
	t.Nullable = t.Nullable || part.Nullable
	if len(t.Enum) == 0 {
		t.Enum = part.Enum
	}
	if len(t.OneOf) == 0 {
		t.OneOf = part.OneOf
	}
	for _, f := range part.Fields {
		if !slices.ContainsFunc(t.Fields, func(g *ir.Param) bool { return g.Wire == f.Wire }) {
			t.Fields = append(t.Fields, f)
		}
	}
}

// enum copies the allowed values as they are written. A null among them is no
// value but the permission of null.
func (r *reader) enum(t *ir.Type, s *openapi3.Schema) {
	values := s.Enum
	if s.Const != nil {
		values = []any{s.Const}
	}
	var written []openapi3.Location
	if s.Origin != nil && s.Const == nil {
		written = s.Origin.Sequences["enum"] // scalars only
	}
	for i, v := range values {
		switch {
		case v == nil:
			t.Nullable = true
		case len(written) == len(values):
			t.Enum = append(t.Enum, written[i].Name)
		default:
			t.Enum = append(t.Enum, textOf(v))
		}
	}
}

// text gives the value of a schema's key as it is written; nil if it has none,
// or null.
func (r *reader) text(s *openapi3.Schema, key string) *string {
	if s.Origin == nil {
		return nil
	}
	at, ok := s.Origin.Fields.Lookup(key)
	if !ok {
		return nil
	}
	if text, ok := r.texts[place{at.Line, at.Column}]; ok {
		return &text
	}
	return nil
}

// bound gives an exclusive limit as if it were inclusive: looser by one value,
// which GitLab judges. OpenAPI 3.0's boolean form stands beside a limit.
func (r *reader) bound(s *openapi3.Schema, key string) *string {
	if text := r.text(s, key); text != nil && *text != "true" && *text != "false" {
		return text
	}
	return nil
}

// textOf renders a value that is no scalar, or whose text is not at hand.
func textOf(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v) // values from YAML that JSON has no form for
	}
	return string(b)
}

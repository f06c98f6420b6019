package evidence

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"gitlab-mcp-server/gen/ir"
	"gitlab-mcp-server/generated"
	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/call"
	"gitlab-mcp-server/internal/catalog"
)

// What handlers make of arguments of the right types, an independent reader of
// OpenAPI accepts by the repaired structure, and every name in a query stands in
// it as it is written. (Names in bodies too: the schemas are closed.)
func TestRequestsFitTheStructure(t *testing.T) {
	cat := catalog.New(generated.Tables())
	n := 0
	for _, a := range repaired(t).Actions {
		if a.Op == nil {
			continue
		}
		n++
		op := operation(a)
		row, ok := cat.ByID(a.ID)
		if !ok {
			t.Errorf("%s is not in the tables", a.ID)
			continue
		}
		for name, s := range samplers {
			t.Run(a.ID+"/"+name, func(t *testing.T) {
				js, err := json.Marshal(s.arguments(a))
				if err != nil {
					t.Fatal(err)
				}
				req, err := request(row.Handler(), js)
				if err != nil {
					t.Fatalf("%s: %v", js, err)
				}
				if err := unfit(t, a, op, req); err != nil {
					t.Errorf("%s %s: %s", req.Method, req.URL.RequestURI(), strings.ReplaceAll(err.Error(), "\n", " "))
				}
			})
		}
	}
	t.Logf("%d actions, %d samples of each", n, len(samplers))
	if n < 1300 {
		t.Errorf("only %d actions", n)
	}
}

// What does not fit is refused, in bodies and in queries.
func TestStructureRefuses(t *testing.T) {
	bad := map[string][]string{
		"issue.create": {`{}`, `{"title":1}`, `{"title":"x","no_such":1}`, `{"title":"x","weight":"heavy"}`, `{"title":"x","issue_type":"strange"}`},
		"issue.list":   {"no_such=1", "labels[]=bug", "iids=1", "page=first", "state=strange", "not[no_such]=1"},
	}
	for _, a := range repaired(t).Actions {
		cases := bad[a.ID]
		delete(bad, a.ID)
		for _, what := range cases {
			target, body := "/api/v4/projects/7/issues", what
			if a.Method == "GET" {
				target, body = target+"?"+what, ""
			}
			req, err := http.NewRequest(a.Method, target, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			if unfit(t, a, operation(a), req) == nil {
				t.Errorf("%s: %s is accepted", a.ID, what)
			}
		}
	}
	for id := range bad {
		t.Errorf("there is no %s", id)
	}
}

// request is what a handler makes of arguments.
func request(h catalog.Handler, js []byte) (*http.Request, error) {
	var r arg.Reader
	if err := r.Reset(js); err != nil {
		return nil, err
	}
	var q call.Request
	if err := h(&r, &q); err != nil {
		return nil, err
	}
	var body bytes.Buffer
	switch {
	case q.Raw() != nil:
		body.Write(q.Raw().Content)
	case q.Parts() != nil:
		noPath := func(path string) (io.ReadCloser, error) { return nil, fmt.Errorf("no file %s", path) }
		if err := q.WriteForm(&body, noPath); err != nil {
			return nil, err
		}
	default:
		body.Write(q.JSON())
	}
	target := q.Path()
	if query := q.RawQuery(); query != "" {
		target += "?" + query
	}
	req, err := http.NewRequest(q.Method(), target, &body)
	if err != nil {
		return nil, err
	}
	if ct := q.ContentType(); ct != "" {
		req.Header.Set("Content-Type", ct)
	}
	return req, nil
}

// unfit is why the request does not fit the structure, nil if it does.
func unfit(t *testing.T, a *ir.Action, op *openapi3.Operation, req *http.Request) error {
	t.Helper()
	path, ok := pathArguments(a, req.URL.EscapedPath())
	if !ok {
		return fmt.Errorf("the path is none of %s", a.WirePath)
	}
	for _, p := range pairs(t, req.URL.RawQuery) {
		if op.Parameters.GetByInAndName("query", p.name) == nil && !freeKey(a, p.name) {
			return fmt.Errorf("the query has %s, which is not declared so", p.name)
		}
	}
	return openapi3filter.ValidateRequest(t.Context(), &openapi3filter.RequestValidationInput{
		Request: req, PathParams: path,
		Route:   &routers.Route{Spec: &openapi3.T{}, Path: a.WirePath, PathItem: &openapi3.PathItem{}, Method: a.Method, Operation: op},
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, MultiError: true},
	})
}

// freeKey reports whether a name is a key of the caller's own: name[key].
func freeKey(a *ir.Action, name string) bool {
	p := argument(a.Params, base(name))
	return p != nil && p.In == ir.Query && p.Encoding == ir.Hash && len(p.Type.Fields) == 0 && base(name) != name
}

// operation is an action in OpenAPI's words. What OpenAPI cannot say of queries
// is taken apart: each member of a hash is a parameter of its own.
func operation(a *ir.Action) *openapi3.Operation {
	op := openapi3.NewOperation()
	add := func(p *openapi3.Parameter, s *openapi3.Schema, required bool) {
		p.Schema = openapi3.NewSchemaRef("", s)
		p.Required = required
		op.AddParameter(p)
	}
	body := openapi3.NewObjectSchema()
	body.Properties = openapi3.Schemas{}
	hasFile := false
	for _, p := range a.Params {
		switch p.In {
		case ir.Path:
			add(openapi3.NewPathParameter(p.Name), scalar(p.Type), p.Required)
		case ir.Query:
			queryParameters(p, p.Wire, p.Required, add)
		case ir.BodyIn, ir.File:
			property(body, p)
			hasFile = hasFile || p.In == ir.File && p.Required
		}
	}
	closed(body)
	switch {
	case a.RawBody != "":
		op.RequestBody = content("application/octet-stream", openapi3.NewStringSchema().WithFormat("binary"), true)
	case len(body.Properties) > 0:
		form := openapi3.NewObjectSchema()
		form.Properties = openapi3.Schemas{}
		for _, p := range a.Params {
			if p.In == ir.BodyIn || p.In == ir.File {
				formProperties(form, p, p.Wire, p.Required)
			}
		}
		closed(form)
		op.RequestBody = content("multipart/form-data", form, len(body.Required) > 0)
		if !hasFile {
			op.RequestBody.Value.Content["application/json"] = openapi3.NewMediaType().WithSchema(body)
		}
	}
	return op
}

func content(media string, s *openapi3.Schema, required bool) *openapi3.RequestBodyRef {
	body := openapi3.NewRequestBody().WithContent(openapi3.Content{media: openapi3.NewMediaType().WithSchema(s)})
	body.Required = required
	return &openapi3.RequestBodyRef{Value: body}
}

func closed(s *openapi3.Schema) {
	no := false
	s.AdditionalProperties = openapi3.AdditionalProperties{Has: &no}
}

// queryParameters adds the parameters that p travels as, under the name so far.
func queryParameters(p *ir.Param, name string, required bool, add func(*openapi3.Parameter, *openapi3.Schema, bool)) {
	t := p.Type
	switch {
	case t != nil && t.Kind == ir.Array && p.Encoding == ir.Comma:
		q := openapi3.NewQueryParameter(name)
		explode := false
		q.Style, q.Explode = "form", &explode
		add(q, openapi3.NewArraySchema().WithItems(scalar(t.Items)), required)
	case t != nil && t.Kind == ir.Array && t.Items != nil && len(t.Items.Fields) > 0:
		for _, f := range t.Items.Fields {
			queryParameters(f, name+"[]["+f.Wire+"]", required && f.Required, add)
		}
	case t != nil && t.Kind == ir.Array:
		if !strings.HasSuffix(name, "[]") {
			name += "[]"
		}
		add(openapi3.NewQueryParameter(name), openapi3.NewArraySchema().WithItems(scalar(t.Items)), required)
	case t != nil && len(t.Fields) > 0:
		for _, f := range t.Fields {
			inner := name + "[" + f.Wire + "]"
			if base(f.Wire) != f.Wire {
				inner = f.Wire
			}
			queryParameters(f, inner, required && f.Required, add)
		}
	case p.Encoding == ir.Hash: // keys of the caller's own
	default:
		add(openapi3.NewQueryParameter(name), scalar(t), required)
	}
}

// scalar is the schema of a value in a path, a query or a form.
func scalar(t *ir.Type) *openapi3.Schema {
	if t == nil {
		return openapi3.NewSchema()
	}
	s := openapi3.NewStringSchema()
	switch t.Kind {
	case ir.Integer:
		s = openapi3.NewIntegerSchema()
	case ir.Number:
		s = openapi3.NewFloat64Schema()
		s.Format = ""
	case ir.Boolean:
		return openapi3.NewBoolSchema()
	}
	for _, v := range choices(t) {
		if t.Kind == ir.Integer || t.Kind == ir.Number {
			n, err := strconv.ParseFloat(v, 64)
			if err != nil {
				panic(fmt.Sprintf("enum of numbers with %q", v))
			}
			s.Enum = append(s.Enum, n)
			continue
		}
		s.Enum = append(s.Enum, v)
	}
	if t.Kind == ir.Integer || t.Kind == ir.Number {
		s.Min, s.Max = limit(t.Min), limit(t.Max)
	}
	return s
}

func limit(text *string) *float64 {
	if text == nil {
		return nil
	}
	n, err := strconv.ParseFloat(*text, 64)
	if err != nil {
		panic(err) // limits are numbers
	}
	return &n
}

// property adds p to the schema of a JSON object.
func property(to *openapi3.Schema, p *ir.Param) {
	s := value(p.Type)
	if p.Encoding == ir.Comma {
		s = openapi3.NewStringSchema()
	}
	s.Nullable = s.Nullable || p.Clearable
	to.Properties[p.Wire] = openapi3.NewSchemaRef("", s)
	if p.Required {
		to.Required = append(to.Required, p.Wire)
	}
}

// value is the schema of a value in JSON.
func value(t *ir.Type) *openapi3.Schema {
	if t == nil {
		return openapi3.NewSchema()
	}
	switch t.Kind {
	case ir.ID:
		return openapi3.NewAnyOfSchema(openapi3.NewStringSchema(), openapi3.NewIntegerSchema())
	case ir.Array:
		return openapi3.NewArraySchema().WithItems(value(t.Items))
	case ir.Object, ir.Map:
		s := openapi3.NewObjectSchema()
		s.Properties = openapi3.Schemas{}
		for _, f := range t.Fields {
			property(s, f)
		}
		switch {
		case len(t.Fields) > 0:
			closed(s)
		case t.Values != nil:
			s.AdditionalProperties = openapi3.AdditionalProperties{Schema: openapi3.NewSchemaRef("", value(t.Values))}
		}
		return s
	case ir.FileVal, ir.Any, "":
		return openapi3.NewSchema().WithAnyAdditionalProperties()
	}
	return scalar(t)
}

// formProperties adds the names that p travels under in a form; all values but
// files are texts there.
func formProperties(to *openapi3.Schema, p *ir.Param, name string, required bool) {
	t := cmp.Or(p.Type, &ir.Type{})
	switch {
	case t.Kind == ir.Array && t.Items != nil && len(t.Items.Fields) > 0:
		for _, f := range t.Items.Fields {
			formProperties(to, f, name+"[]["+f.Wire+"]", false)
		}
		return
	case t.Kind == ir.Array && p.Encoding != ir.Comma:
		name += "[]"
	case len(t.Fields) > 0:
		for _, f := range t.Fields {
			formProperties(to, f, name+"["+f.Wire+"]", required && f.Required)
		}
		return
	}
	s := openapi3.NewStringSchema()
	if t.Kind == ir.FileVal {
		s = s.WithFormat("binary")
	}
	if t.Kind == ir.Array && p.Encoding != ir.Comma {
		s = openapi3.NewArraySchema().WithItems(s)
	}
	to.Properties[name] = openapi3.NewSchemaRef("", s)
	if required {
		to.Required = append(to.Required, name)
	}
}

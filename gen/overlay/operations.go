package overlay

import (
	"strings"

	"gitlab-mcp-server/gen/ir"
)

// addedOperations decodes _operations.yaml: operations that GitLab has and
// the document lacks. One that the document has by now is an error.
func (b *builder) addedOperations(upstream []*ir.Operation) []*ir.Operation {
	known := map[string]bool{}
	for _, op := range upstream {
		known[op.Method+" "+placeholder.ReplaceAllString(normalise(op.Path), "{}")] = true
	}
	var ops []*ir.Operation
	d := b.dec
	d.object(b.src.open(&b.problems, "_operations.yaml"), map[string]func(*node){
		"operations": func(v *node) {
			d.list(v, func(item *node) {
				op := b.addedOperation(item)
				if op == nil {
					return
				}
				key := op.Method + " " + placeholder.ReplaceAllString(normalise(op.Path), "{}")
				if known[key] {
					d.addf(item.pos, "stale: %s stands in the document, or here, already", op.Key())
					return
				}
				known[key] = true
				ops = append(ops, op)
			})
		},
	})
	return ops
}

func (b *builder) addedOperation(item *node) *ir.Operation {
	d := b.dec
	op := &ir.Operation{Pos: item.pos, Added: true}
	var why, source string
	kind := ir.KindObject
	d.object(item, map[string]func(*node){
		"method": func(v *node) { op.Method = d.oneOf(v, "GET", "PUT", "POST", "DELETE", "PATCH", "HEAD") },
		"path":   func(v *node) { op.Path = d.word(v) },
		"params": func(v *node) { op.Params = readFields(d, v, ir.Query) },
		"body":   func(v *node) { op.Body = readBody(d, v) },
		"kind":   func(v *node) { kind = readKind(d, v) },
		"why":    func(v *node) { why = d.word(v) },
		"source": func(v *node) { source = d.word(v) },
	})
	switch {
	case op.Method == "" || op.Path == "" || why == "" || source == "":
		d.addf(item.pos, "an added operation needs method, path, why and source")
		return nil
	case !strings.HasPrefix(op.Path, apiRoot+"/"):
		d.addf(item.pos, "path %q does not begin with %s/", op.Path, apiRoot)
		return nil
	}
	for _, p := range op.Params {
		if strings.Contains(op.Path, "{"+p.Wire+"}") {
			p.In = ir.Path
		}
		p.Required = p.Required || p.In == ir.Path
	}
	op.Responses = []ir.Response{declared(kind)}
	return op
}

// declared is an answer of the given kind, as upstream would declare it.
func declared(kind ir.ResultKind) ir.Response {
	const code = "200"
	switch kind {
	case ir.KindList:
		return ir.Response{Code: code, ContentType: "application/json", Type: &ir.Type{Kind: ir.Array, Items: &ir.Type{Kind: ir.Object}}}
	case ir.KindObject:
		return ir.Response{Code: code, ContentType: "application/json", Type: &ir.Type{Kind: ir.Object}}
	case ir.KindText:
		return ir.Response{Code: code, ContentType: "text/plain"}
	case ir.KindBinary:
		return ir.Response{Code: code, ContentType: "application/octet-stream"}
	case ir.KindNone:
		return ir.Response{Code: "204"}
	}
	return ir.Response{Code: code}
}

func readKind(d decoder, v *node) ir.ResultKind {
	return ir.ResultKind(d.oneOf(v, string(ir.KindObject), string(ir.KindList), string(ir.KindText), string(ir.KindBinary), string(ir.KindNone), string(ir.KindHead)))
}

var contentTypes = []string{"application/json", "multipart/form-data", "application/x-www-form-urlencoded", "application/octet-stream"}

// readBody decodes a request body; the content type is JSON unless said.
func readBody(d decoder, n *node) *ir.Body {
	body := &ir.Body{ContentType: "application/json"}
	raw := ""
	d.object(n, map[string]func(*node){
		"content_type": func(v *node) { body.ContentType = d.oneOf(v, contentTypes...) },
		"required":     func(v *node) { body.Required = d.bool(v) },
		"fields":       func(v *node) { body.Fields = readFields(d, v, ir.BodyIn) },
		"raw":          func(v *node) { raw = d.word(v) },
	})
	if raw != "" {
		body.ContentType = "application/octet-stream"
		body.Fields = append(body.Fields, &ir.Param{
			Pos: n.pos, Name: raw, Wire: raw, In: ir.File, Required: body.Required, Type: &ir.Type{Kind: ir.FileVal},
		})
	}
	return body
}

package overlay

import (
	"slices"

	"gitlab-mcp-server/gen/ir"
)

// cloneOperation copies what repairs and rules change: parameters and body.
// Answers are shared with the spec; nothing here writes to them.
func cloneOperation(op *ir.Operation) *ir.Operation {
	c := *op
	c.Params = cloneParams(op.Params)
	if op.Body != nil {
		body := *op.Body
		body.Fields = cloneParams(op.Body.Fields)
		c.Body = &body
	}
	return &c
}

func cloneParams(ps []*ir.Param) []*ir.Param {
	if ps == nil {
		return nil
	}
	out := make([]*ir.Param, len(ps))
	for i, p := range ps {
		out[i] = cloneParam(p)
	}
	return out
}

func cloneParam(p *ir.Param) *ir.Param {
	c := *p
	c.Type = cloneType(p.Type)
	return &c
}

func cloneType(t *ir.Type) *ir.Type {
	if t == nil {
		return nil
	}
	c := *t
	c.Enum = slices.Clone(t.Enum)
	c.Items, c.Values = cloneType(t.Items), cloneType(t.Values)
	c.Fields = cloneParams(t.Fields)
	c.OneOf = slices.Clone(t.OneOf)
	for i, alt := range c.OneOf {
		c.OneOf[i] = cloneType(alt)
	}
	return &c
}

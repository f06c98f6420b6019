package schema

import (
	"strings"

	"gitlab-mcp-server/gen/ir"
)

// Bounds of output schemas: objects deeper than maxOutputDepth are named as
// objects only, and no object lists more than maxOutputFields.
const (
	maxOutputDepth  = 3
	maxOutputFields = 100
)

const (
	noneOutput = `{"type":"object","properties":{"status":{"type":"string"}}}`
	headOutput = `{"type":"object","properties":{"status":{"type":"string"},"headers":{"type":"object"}}}`
	textOutput = `{"type":"object","properties":{"content":{"type":"string"},"encoding":{"type":"string","enum":["text","base64"]},` +
		`"content_type":{"type":"string"},"size":{"type":"integer"}}}`
	pagination = `{"type":"object","properties":{"page":{"type":"integer"},"per_page":{"type":"integer"},"next_page":{"type":"integer"},` +
		`"next_cursor":{"type":"string"},"total":{"type":"integer"},"has_more":{"type":"boolean"}}}`
)

// Output is the shape of the structured content of a successful call, compact
// JSON; best effort, since upstream's response types are unreliable. It is
// empty where upstream declares nothing for an object.
func Output(a *ir.Action) string {
	switch a.Kind {
	case ir.KindNone:
		return noneOutput
	case ir.KindHead:
		return headOutput
	case ir.KindText, ir.KindBinary:
		return textOutput
	}
	var w writer
	if a.Kind == ir.KindList {
		item := a.Output
		if item != nil && item.Kind == ir.Array {
			item = item.Items
		}
		w.raw(`{"type":"object","properties":{"items":{"type":"array","items":`)
		w.output(item, 1)
		w.raw(`},"pagination":`)
		w.raw(pagination)
		w.raw(`}}`)
		return w.String()
	}
	if a.Output == nil {
		return ""
	}
	w.output(a.Output, 1)
	return w.String()
}

func (w *writer) output(t *ir.Type, depth int) {
	switch {
	case t == nil || t.Kind == ir.Any || t.Kind == ir.ID || t.Kind == "":
		w.raw("{}")
	case t.Kind == ir.Array:
		w.raw(`{"type":"array","items":`)
		w.output(t.Items, depth)
		w.raw("}")
	case t.Kind == ir.Map, t.Kind == ir.Object && (len(t.Fields) == 0 || depth > maxOutputDepth):
		w.raw(`{"type":"object"}`)
	case t.Kind == ir.Object:
		w.raw(`{"type":"object","properties":{`)
		first := true
		for i, f := range t.Fields {
			if i == maxOutputFields {
				break
			}
			w.key(&first, f.Wire)
			if doubtful(f) {
				w.raw("{}")
				continue
			}
			w.output(f.Type, depth+1)
		}
		w.raw("}}")
	default:
		w.raw(`{"type":`)
		w.str(jsonType(t.Kind))
		w.raw("}")
	}
}

// doubtful is true for fields that upstream calls strings though their names
// say numbers; most of them are.
func doubtful(f *ir.Param) bool {
	if f.Type == nil || f.Type.Kind != ir.String || len(f.Type.Enum) > 0 {
		return false
	}
	name := f.Wire
	return name == "id" || name == "iid" || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "_iid") ||
		strings.HasSuffix(name, "_count") || strings.HasSuffix(name, "_level")
}

package overlay

import (
	"slices"
	"strings"

	"gitlab-mcp-server/gen/ir"
)

// declaredKind is the kind of a successful answer as the document declares
// it; none where it declares no content.
func declaredKind(op *ir.Operation) ir.ResultKind {
	kind := ir.KindNone
	for _, r := range op.Responses {
		if !strings.HasPrefix(r.Code, "2") {
			continue
		}
		if k := answerKind(r); kind == ir.KindNone {
			kind = k
		}
	}
	return kind
}

// kindOf is the kind of a successful answer where the document is right about
// it, and the likely one where it says nothing.
func kindOf(op *ir.Operation) ir.ResultKind {
	if op.Method == "HEAD" {
		return ir.KindHead
	}
	var kind ir.ResultKind
	for _, r := range op.Responses {
		if !strings.HasPrefix(r.Code, "2") || r.Code == "204" {
			continue
		}
		if k := answerKind(r); kind == "" || kind == ir.KindNone {
			kind = k
		}
	}
	switch {
	case kind == ir.KindNone && op.Method == "GET":
		return ir.KindObject // it answers with something that upstream forgot to declare
	case kind != "":
		return kind
	case op.Method == "GET" && !slices.ContainsFunc(op.Responses, func(r ir.Response) bool { return r.Code == "204" }):
		return ir.KindBinary // redirects only: a download
	}
	return ir.KindNone
}

// answerKind is the kind of one declared answer.
func answerKind(r ir.Response) ir.ResultKind {
	media, _, _ := strings.Cut(r.ContentType, ";")
	isJSON := media == "" || strings.HasSuffix(media, "json")
	switch {
	case r.Type == nil && media == "":
		return ir.KindNone
	case isJSON && r.Type != nil && r.Type.Kind == ir.Array:
		return ir.KindList
	case isJSON && (r.Type == nil || r.Type.Kind != ir.FileVal && r.Type.Format != "binary"):
		return ir.KindObject
	case strings.HasPrefix(media, "text/"), strings.HasSuffix(media, "yaml"), strings.HasSuffix(media, "xml"):
		return ir.KindText
	}
	return ir.KindBinary
}

// kindByRules is the kind of the action's answers where no repair says
// otherwise. Upstream types many lists as one object, so the name of the
// action and its paging parameters go before the declared schema.
func (d *draft) kindByRules() ir.ResultKind {
	if d.Method == "GET" && d.kindIsJSON() && (d.Name == "list" || strings.HasPrefix(d.Name, "list_") || pages(d.Op)) {
		return ir.KindList
	}
	return kindOf(d.Op)
}

func (d *draft) kindIsJSON() bool {
	k := kindOf(d.Op)
	return k == ir.KindObject || k == ir.KindList || k == ir.KindNone
}

// pages reports whether op takes a page of a list.
func pages(op *ir.Operation) bool {
	return slices.ContainsFunc(op.Params, func(p *ir.Param) bool {
		return p.In == ir.Query && (p.Wire == "page" || p.Wire == "per_page")
	})
}

// keysetParams are the wire names that carry a cursor, first choice first.
var keysetParams = []string{"cursor", "page_token", "id_after"}

// keysetOf is the wire name of the parameter that carries the next page's
// cursor, or "".
func keysetOf(op *ir.Operation) string {
	has := func(name string) bool {
		return slices.ContainsFunc(op.Params, func(p *ir.Param) bool { return p.In == ir.Query && p.Wire == name })
	}
	for _, name := range keysetParams {
		if has(name) {
			return name
		}
	}
	if has("pagination") {
		return "cursor"
	}
	return ""
}

// output is the type of the success answer: the item's where it is a list.
// Upstream's type of a list that it took for one object is the item's.
func output(op *ir.Operation, kind ir.ResultKind) *ir.Type {
	if kind != ir.KindObject && kind != ir.KindList {
		return nil
	}
	for _, r := range op.Responses {
		if !strings.HasPrefix(r.Code, "2") || r.Type == nil {
			continue
		}
		if kind == ir.KindList && r.Type.Kind == ir.Array {
			return r.Type.Items
		}
		return r.Type
	}
	return nil
}

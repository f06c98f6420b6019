package overlay

import (
	"maps"
	"slices"
	"strings"

	"gitlab-mcp-server/gen/ir"
)

// entity is what people call an object that GitLab answers with, and which of
// its fields they look at.
type entity struct {
	pos    ir.Pos
	name   string
	fields []string // dotted paths; may be none
	used   bool
}

// readEntities reads _entities.yaml, by the name of upstream's schema.
func (b *builder) readEntities() map[string]*entity {
	dec := b.dec
	out := map[string]*entity{}
	dec.object(b.src.open(&b.problems, "_entities.yaml"), map[string]func(*node){
		"entities": func(v *node) {
			dec.each(v, func(schema string, pos ir.Pos, v *node) {
				e := &entity{pos: pos}
				dec.object(v, map[string]func(*node){
					"name":   func(v *node) { e.name = dec.word(v) },
					"fields": func(v *node) { e.fields = dec.texts(v) },
				})
				if e.name == "" {
					b.addf(pos, "entity %s needs a name", schema)
				}
				out[schema] = e
			})
		},
	})
	return out
}

// answers says what comes back where no domain file does: the entity and its
// fields, or that there is nothing. The fields of a list's items are also the
// columns of its table.
func (b *builder) answers() {
	known := b.readEntities()
	for _, d := range b.drafts {
		var e *entity
		if d.Output != nil {
			e = known[d.Output.Entity]
		}
		if e != nil {
			b.answerOf(d, e)
		}
		switch {
		case d.Returns != "":
		case d.Kind == ir.KindNone:
			d.Returns = "nothing"
		case e != nil:
			d.Returns = e.returns(d.Kind)
		}
	}
	for _, schema := range slices.Sorted(maps.Keys(known)) {
		if e := known[schema]; !e.used {
			b.addf(e.pos, "no action answers with %s", schema)
		}
	}
}

func (b *builder) answerOf(d *draft, e *entity) {
	for _, f := range e.fields {
		if !e.used && !hasField(d.Output, f) {
			b.addf(e.pos, "%s has no field %q", d.Output.Entity, f)
		}
	}
	e.used = true
	if d.Kind == ir.KindList && d.Columns == nil && d.Returns == "" {
		d.Columns = e.fields
	}
}

// returns is the text for an answer of kind: "list of issue: iid, title".
func (e *entity) returns(kind ir.ResultKind) string {
	s := e.name
	if kind == ir.KindList {
		s = "list of " + s
	}
	var heads []string
	for _, f := range e.fields {
		head, _, _ := strings.Cut(f, ".")
		if !slices.Contains(heads, head) {
			heads = append(heads, head)
		}
	}
	if len(heads) > 0 {
		s += ": " + strings.Join(heads, ", ")
	}
	return s
}

// hasField reports whether t has the dotted path of fields. Lists are passed
// through to their items; a free-form object has every field.
func hasField(t *ir.Type, path string) bool {
	for part := range strings.SplitSeq(path, ".") {
		for t != nil && t.Kind == ir.Array {
			t = t.Items
		}
		if t == nil {
			return false
		}
		if t.Kind == ir.Map || t.Kind == ir.Any || t.Kind == "" {
			return true
		}
		p := pick(t.Fields, part)
		if p == nil {
			return false
		}
		t = p.Type
	}
	return true
}

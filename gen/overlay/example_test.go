package overlay

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab-mcp-server/gen/ir"
)

// Numbers become strings where the schema says string, at any depth, and nowhere
// else; what is given stays as it is, since examples share their samples.
func TestConformed(t *testing.T) {
	id, integer := &ir.Type{Kind: ir.ID}, &ir.Type{Kind: ir.Integer}
	params := []*ir.Param{
		{Name: "user_id", Type: id},
		{Name: "iid", Type: integer},
		{Name: "version", Type: &ir.Type{Kind: ir.String}},
		{Name: "child_ids", Type: &ir.Type{Kind: ir.Array, Items: id}},
		{Name: "list", Type: &ir.Type{Kind: ir.Array}},
		{Name: "rule", Type: &ir.Type{Kind: ir.Object, Fields: []*ir.Param{{Name: "group_id", Type: id}, {Name: "level", Type: integer}}}},
		{Name: "map", Type: &ir.Type{Kind: ir.Map}},
		{Name: "value", Type: &ir.Type{Kind: ir.Any}},
		{Name: "open"},
	}
	given := func() map[string]any {
		return map[string]any{
			"user_id": int64(7), "iid": int64(12), "version": int64(2),
			"child_ids": []any{int64(43), "a/b"}, "list": []any{int64(1)},
			"rule": map[string]any{"group_id": int64(9), "level": int64(30)},
			"map":  map[string]any{"group_id": int64(9)}, "value": int64(25), "open": int64(1), "stray": int64(1),
		}
	}
	example := given()
	want := given()
	want["user_id"], want["version"], want["child_ids"] = "7", "2", []any{"43", "a/b"}
	want["rule"] = map[string]any{"group_id": "9", "level": int64(30)}
	if diff := cmp.Diff(want, conformed(example, params)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(given(), example); diff != "" {
		t.Errorf("the example given was changed (-before +after):\n%s", diff)
	}
}

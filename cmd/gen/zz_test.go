package main

import (
	"testing"

	"gitlab-mcp-server/gen"
	"gitlab-mcp-server/gen/index"
)

func BenchmarkBuild(b *testing.B) {
	c, err := gen.Build("../../specs")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := index.Build(c, "../../specs/overlays"); err != nil {
			b.Fatal(err)
		}
	}
}

package search_test

import (
	"context"
	"strings"
	"testing"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/mapping"

	phrases "gitlab-mcp-server/gen/index"
	"gitlab-mcp-server/generated"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/search"
)

// The queries of the benchmarks: what people ask, with and without typing
// mistakes, and the worst that fits the limit.
var (
	ordinary = []string{
		"open merge requests of a project", "retry job 7781", "who approved merge request 64",
		"create an issue titled 'Login broken' in project 5", "list group members", "delete the branch feature/x",
	}
	mistyped = []string{"pipelnes of the projcet", "discusions merge reqest", "acces tokens group", "comit history"}
	worst    = strings.Repeat("zqxjk wvbnm ", 30)[:256]
)

func BenchmarkSearch(b *testing.B) {
	c := catalog.New(generated.Tables())
	s := search.New(c)
	run := func(name string, queries ...string) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := s.Search(context.Background(), queries[i%len(queries)], search.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	run("ordinary", ordinary...)
	run("mistyped", mistyped...)
	run("worst", worst)
	b.Run("parallel", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			for i := 0; pb.Next(); i++ {
				if _, err := s.Search(context.Background(), ordinary[i%len(ordinary)], search.Options{}); err != nil {
					b.Error(err)
					return
				}
			}
		})
	})
}

// BenchmarkBleve is the baseline: bleve's index in memory over the same text,
// asked for as many results.
func BenchmarkBleve(b *testing.B) {
	c := catalog.New(generated.Tables())
	index, err := bleve.NewMemOnly(bleveMapping())
	if err != nil {
		b.Fatal(err)
	}
	defer index.Close()
	said, err := phrases.Phrases("../../specs/overlays")
	if err != nil {
		b.Fatal(err)
	}
	batch := index.NewBatch()
	for a := range c.All() {
		phrases := said[a.ID()]
		for p := range a.Phrases() {
			phrases = append(phrases, p)
		}
		var params []string
		for p := range a.Params() {
			params = append(params, p.Name())
		}
		err := batch.Index(a.ID(), map[string]string{
			"name": strings.NewReplacer("_", " ", ".", " ").Replace(a.ID()), "title": a.Title(), "usage": a.Usage(),
			"phrases": strings.Join(phrases, " "), "params": strings.Join(params, " "), "path": a.Path(),
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	if err := index.Batch(batch); err != nil {
		b.Fatal(err)
	}
	run := func(name string, fuzziness int, queries ...string) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				q := bleve.NewMatchQuery(queries[i%len(queries)])
				q.SetFuzziness(fuzziness)
				if _, err := index.Search(bleve.NewSearchRequestOptions(q, search.DefaultLimit, 0, false)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	run("ordinary", 0, ordinary...)
	run("mistyped", 2, mistyped...)
}

func bleveMapping() mapping.IndexMapping {
	m := bleve.NewIndexMapping()
	m.DefaultAnalyzer = "en"
	return m
}

// Package emit renders the catalog: the Go tables and handlers of package
// generated, and the reference pages for people.
//
// Its output is a pure function of the catalog and the index: no time, no map
// order, no path of the machine. It names the packages of the run time as
// strings only, and it is the only place that knows jennifer.
//
// It is not for judging the catalog (gen/check) nor for writing files (gen).
package emit

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"gitlab-mcp-server/gen/ir"
	"gitlab-mcp-server/internal/token"
)

// File is one file of the output.
type File struct {
	Name string // slash-separated, relative to the output folder
	Data []byte
}

// Go gives the files of package generated, sorted by name. The error joins all
// actions that cannot be rendered.
func Go(c *ir.Catalog, ix *token.Index) ([]File, error) {
	m, err := newModel(c)
	if err != nil {
		return nil, err
	}
	jobs := make([]func() (File, error), 0, len(m.domains)+16)
	for _, d := range m.domains {
		jobs = append(jobs, func() (File, error) { return d.render() })
	}
	t, err := newTables(c, m)
	if err != nil {
		return nil, err
	}
	index, err := newIndexTable(ix)
	if err != nil {
		return nil, err
	}
	jobs = append(jobs, t.files(index)...)
	files, err := run(jobs)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return files, nil
}

// run does the jobs on all processors and keeps their order.
func run(jobs []func() (File, error)) ([]File, error) {
	files := make([]File, len(jobs))
	errs := make([]error, len(jobs))
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(jobs)) {
		wg.Go(func() {
			for i := range next {
				files[i], errs[i] = jobs[i]()
			}
		})
	}
	for i := range jobs {
		next <- i
	}
	close(next)
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("render: %w", err)
	}
	return files, nil
}

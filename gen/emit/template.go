package emit

import (
	"fmt"
	"strings"

	"gitlab-mcp-server/gen/ir"
)

// piece is a part of a wire path: a literal, then the parameter behind it. Only
// the last piece may lack the parameter.
type piece struct {
	literal string
	param   string
	mark    string // "/" or ".": what stands before the value, and goes with it
}

// pieces takes a wire path apart. A parameter is {name}, or {/name} or {.name}
// where the mark belongs to an optional one.
func pieces(path string) ([]piece, error) {
	var ps []piece
	for rest := path; rest != ""; {
		literal, after, found := strings.Cut(rest, "{")
		if strings.Contains(literal, "}") {
			return nil, fmt.Errorf("wire path %s: %q is no literal", path, literal)
		}
		p := piece{literal: literal}
		rest = ""
		if found {
			name, tail, closed := strings.Cut(after, "}")
			if !closed || name == "" {
				return nil, fmt.Errorf("wire path %s: a parameter is not closed or has no name", path)
			}
			p.param = strings.TrimLeft(name, "/.")
			p.mark = name[:len(name)-len(p.param)]
			rest = tail
		}
		ps = append(ps, p)
	}
	return ps, nil
}

// pathFits holds the wire path against the path parameters: each name of the
// template has its parameter and each parameter its one place.
func pathFits(a *ir.Action) error {
	open := map[string]*ir.Param{}
	for _, p := range a.Params {
		if p.In == ir.Path {
			open[p.Name] = p
		}
	}
	ps, err := pieces(a.WirePath)
	if err != nil {
		return err
	}
	for _, p := range ps {
		if p.param == "" {
			continue
		}
		if open[p.param] == nil {
			return fmt.Errorf("wire path %s: no path parameter fills {%s}", a.WirePath, p.param)
		}
		delete(open, p.param)
	}
	for _, p := range a.Params {
		if open[p.Name] != nil {
			return fmt.Errorf("wire path %s: no place for path parameter %s", a.WirePath, p.Name)
		}
	}
	return nil
}

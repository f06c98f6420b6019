package surface

import (
	"iter"

	"gitlab-mcp-server/internal/catalog"
)

// uriPrefix starts the manifest's address of an action.
const (
	manifestURI = "gitlab://tools"
	uriPrefix   = manifestURI + "/"
)

// requiredParams yields the arguments without which nothing is sent.
func requiredParams(a catalog.Action) iter.Seq[string] {
	return func(yield func(string) bool) {
		for p := range a.Params() {
			if p.Required() && !yield(p.Name()) {
				return
			}
		}
	}
}

// related yields the actions beside a that exist for the caller, who cannot run
// the others.
func (e *Engine) related(a catalog.Action, allowed func(i int) bool) iter.Seq[string] {
	return func(yield func(string) bool) {
		for id := range a.Related() {
			if r, ok := e.Catalog.ByID(id); ok && allowed(r.Index()) && !yield(id) {
				return
			}
		}
	}
}

// appendExample appends a call of execute that is ready to be sent. It never
// holds confirm.
func appendExample(b []byte, a catalog.Action) []byte {
	args := object{B: append(b, `{"tool":"`+executeTool+`","arguments":`...)}
	args.text("action", a.ID())
	params := a.Example()
	if params == "" {
		params = "{}"
	}
	args.raw("params", params)
	return append(args.end(), '}')
}

func (o *object) example(a catalog.Action) {
	o.key("example")
	o.B = appendExample(o.B, a)
}

// Package exec is the one path from "action and params" to a result: resolve
// the name, judge it, read the arguments, ask for confirmation, send exactly one
// request, shape the answer. Every surface of the server is a face of it.
//
// It does not rank (package search), does not speak MCP (package surface) and
// holds no knowledge of single actions: what is particular about one stands in
// the catalog, or in an Own action or a Helper that it is given.
package exec

import (
	"cmp"
	"context"
	"encoding/json"
	"sync"

	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/call"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/gitlab"
	"gitlab-mcp-server/internal/policy"
)

// Config are the operator's settings and the actions that are no operation.
type Config struct {
	SkipConfirmation  bool   // destructive actions run without a question
	GuardQuickActions bool   // refuse notes and descriptions with quick actions
	Budget            int    // characters of JSON in a result; 0 means 40,000
	Files             *Files // where files may be read and written; nil: nowhere
	MaxPages          int    // pages that all_pages follows; 0 means 20
	// Own is the code of an action of our own by id, and Helpers is what completes
	// the arguments of an action; both give nil where there is none, and may be nil.
	Own     func(id string) Own
	Helpers func(id string) Helper
}

// Executor executes calls. It is safe for concurrent use.
type Executor struct {
	cat     *catalog.Catalog
	policy  *policy.Policy
	client  *gitlab.Client
	cfg     Config
	readers *sync.Pool
}

// New makes an Executor. It does no work.
func New(c *catalog.Catalog, p *policy.Policy, g *gitlab.Client, cfg Config) *Executor {
	cfg.Budget = cmp.Or(cfg.Budget, 40_000)
	cfg.MaxPages = cmp.Or(cfg.MaxPages, 20)
	if cfg.Files == nil {
		cfg.Files = &Files{}
	}
	return &Executor{cat: c, policy: p, client: g, cfg: cfg, readers: &sync.Pool{New: func() any { return &arg.Reader{CheckPath: call.PathFault} }}}
}

// For is the same executor for another caller.
func (e *Executor) For(p *policy.Policy) *Executor {
	other := *e
	other.policy = p
	return &other
}

// Catalog is the catalog of all actions, withheld ones included.
func (e *Executor) Catalog() *catalog.Catalog { return e.cat }

// Policy says which actions the caller has.
func (e *Executor) Policy() *policy.Policy { return e.policy }

// Call is one call.
type Call struct {
	Action  string
	Params  json.RawMessage // an object, null or nothing
	Confirm bool
	DryRun  bool
	Fields  []string
	// Confirmer asks the user; nil where the client cannot.
	Confirmer Confirmer
	// Elicit asks the user for values, for guided actions; nil where the client cannot.
	Elicit Elicit
	// Progress is told of work done in several steps; total is 0 if unknown. May be nil.
	Progress func(done, total int)
}

// Confirmer asks the user whether a destructive call may go on. Only true
// without an error lets it. [ErrPending] as error means that the answer comes
// with a later call.
type Confirmer func(ctx context.Context, q Question) (bool, error)

// Elicit asks the user to fill in a form described by a JSON schema and gives the
// content as a JSON object, or false if the user declined. [ErrPending] as error
// means that the answer comes with a later call.
type Elicit func(ctx context.Context, message string, schema json.RawMessage) (json.RawMessage, bool, error)

// Question is what a user is asked before a destructive call.
type Question struct {
	Action string
	Prompt string // names the target and the effect, one line
	// Binding is the same for two calls exactly if they would send the same request.
	Binding string
}

// Result is what a call gives. Structured is always a JSON object.
type Result struct {
	Text       string // Markdown
	Structured json.RawMessage
	IsError    bool
	Meta       map[string]any // for _meta; nil if there is nothing to say
	Images     []Image
	// Action is the canonical id, empty if the name meant none.
	Action string
	// Request is the line of the request that was sent or would be, "GET /api/v4/…".
	Request string
	// Pending is true where the Confirmer answered ErrPending.
	Pending bool
}

// Image is a picture that the answer consists of.
type Image struct {
	Data     []byte
	MIMEType string
}

// Keys of Result.Meta.
const (
	MetaTruncated = "gitlab-mcp-server/truncated" // array of {path, kept, total, continue}
	MetaNotes     = "gitlab-mcp-server/notes"     // array of strings
)

// Execute executes one call. It never fails: what goes wrong is a Result with
// IsError.
func (e *Executor) Execute(ctx context.Context, c Call) Result {
	r := e.readers.Get().(*arg.Reader)
	if len(c.Params) < 64<<10 { // a reader keeps what it has read
		defer e.readers.Put(r)
	}
	x := &execution{Executor: e, call: c, r: r}
	res, err := x.run(ctx)
	if err != nil {
		res = x.failed(err)
	}
	if x.action.Valid() {
		res.Action = x.action.ID()
	}
	res.Request = x.line()
	res.Text = e.client.Redact(ctx, res.Text)
	// Notes and cuts name what stands in the answer.
	for key, value := range res.Meta {
		switch v := value.(type) {
		case []string:
			for i, note := range v {
				v[i] = e.client.Redact(ctx, note)
			}
		case json.RawMessage:
			res.Meta[key] = json.RawMessage(e.client.Redact(ctx, string(v)))
		}
	}
	if s := string(res.Structured); s != "" {
		res.Structured = json.RawMessage(e.client.Redact(ctx, s))
	}
	return res
}

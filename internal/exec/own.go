package exec

import (
	"context"
	"encoding/json"

	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/call"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/gitlab"
	"gitlab-mcp-server/internal/policy"
)

// Own is an action of our own: its method in the catalog is LOCAL, and it does
// what no single operation of GitLab does.
type Own interface {
	// Plan reads the arguments, the r.Err() at the end included, and says what Run
	// would do. It sends nothing.
	Plan(env *Env, r *arg.Reader) (Plan, error)
	// Run does what the plan says. It sends requests only through env.
	Run(ctx context.Context, env *Env, p Plan) (Answer, error)
}

// Plan is what a call of an Own action would do.
type Plan struct {
	// Risk is the risk of this very call; a plan of lower risk than the catalog's
	// counts as the catalog's.
	Risk catalog.Risk
	// Requests are those that Run may send, in order; placeholders in braces stand for what it
	// reads first. They are shown by dry_run.
	Requests []*call.Request
	// Target names what the call acts on, for the question before a destructive one.
	Target string
	// Args is what Plan has read, for Run.
	Args any
}

// Answer is the outcome of an Own action, shaped like an answer of GitLab.
type Answer struct {
	Body json.RawMessage
	Text string // Markdown in place of the derived one; may be empty
	// GraphQL, if not nil, is an answer of GitLab's GraphQL API that is shaped like
	// that of a GraphQL action; the other fields are empty then.
	GraphQL *gitlab.Response
}

// Helper completes the arguments of a REST action before its handler reads them,
// perhaps after reading something from GitLab. In a dry run env.Get gives
// ErrDryRun, and the helper puts placeholders.
type Helper func(ctx context.Context, env *Env, r *arg.Reader) error

// Env is what an Own action and a Helper may use.
type Env struct {
	Action catalog.Action
	Call   Call
	x      *execution
}

// Catalog is the catalog of all actions.
func (v *Env) Catalog() *catalog.Catalog { return v.x.cat }

// Allowed reports whether the caller has an action.
func (v *Env) Allowed(a catalog.Action) bool { return v.x.policy.Allowed(a) }

// Policy says what the caller may do.
func (v *Env) Policy() *policy.Policy { return v.x.policy }

// Note adds a note to the result.
func (v *Env) Note(s string) { v.x.note(s) }

// GuardsQuickActions reports whether the operator forbids quick actions in texts.
func (v *Env) GuardsQuickActions() bool { return v.x.cfg.GuardQuickActions }

// BaseURL is GitLab's address.
func (v *Env) BaseURL() string { return v.x.client.BaseURL() }

// Get sends a request that changes nothing.
func (v *Env) Get(ctx context.Context, q *call.Request) (*gitlab.Response, error) {
	if v.Call.DryRun {
		return nil, ErrDryRun
	}
	return v.x.client.Do(ctx, q, gitlab.Options{Read: true, Facts: v.x.facts()})
}

// Send sends a request that may change something. The plan must have said so by
// its risk.
func (v *Env) Send(ctx context.Context, q *call.Request) (*gitlab.Response, error) {
	if v.Call.DryRun || v.x.policy.Preview(catalog.Write) {
		return nil, ErrDryRun
	}
	if v.x.policy.ReadOnly() || v.x.risk == catalog.Read {
		return nil, &Failure{Code: CodeReadOnly, Message: v.Action.ID() + " was to change something, and may only read"}
	}
	return v.x.client.Do(ctx, q, gitlab.Options{Facts: v.x.facts()})
}

// Execute calls another action on behalf of this one: the same caller, the same
// policy, no question asked twice. The error says why it failed.
func (v *Env) Execute(ctx context.Context, action string, params json.RawMessage) (Result, error) {
	c := v.Call
	c.Action, c.Params, c.Fields = action, params, nil
	r := v.x.readers.Get().(*arg.Reader)
	defer v.x.readers.Put(r)
	x := &execution{Executor: v.x.Executor, call: c, r: r}
	return x.run(ctx)
}

// Progress tells the client how far the work has come.
func (v *Env) Progress(done, total int) {
	if v.Call.Progress != nil {
		v.Call.Progress(done, total)
	}
}

package exec

import (
	"context"
	"errors"

	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/call"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/gitlab"
	"gitlab-mcp-server/internal/policy"
)

// execution is one call on its way.
type execution struct {
	*Executor
	call   Call
	action catalog.Action
	alias  catalog.Alias
	r      *arg.Reader
	q      call.Request
	local  locals
	risk   catalog.Risk // of this very call
	why    string       // the argument that makes it destructive, if one does
	notes  []string
	sent   bool // q holds a request
}

func (x *execution) run(ctx context.Context) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, canceled()
	}
	var err error
	if x.action, x.alias, err = x.resolve(x.call.Action, x.call.Params); err != nil {
		// A withheld action is not named as the result's.
		x.action = catalog.Action{}
		return Result{}, err
	}
	x.risk = x.action.Risk()
	if d := x.action.Deprecated(); d != "" {
		x.note(x.action.ID() + " is deprecated: " + d)
	}
	if err := x.r.Reset(x.call.Params); err != nil {
		return Result{}, err
	}
	x.r.DropNulls()
	x.takeConfirm()
	x.applyAlias()
	x.takeQuery()
	if x.action.Handler() == nil {
		return x.runOwn(ctx)
	}
	return x.runRequest(ctx)
}

// runRequest executes an action that is one request.
func (x *execution) runRequest(ctx context.Context) (Result, error) {
	x.rename()
	x.takePath()
	x.readLocals()
	if err := x.help(ctx); err != nil {
		return Result{}, err
	}
	err := x.action.Handler()(x.r, &x.q)
	for _, n := range x.r.Notes() {
		x.note(n.String())
	}
	if err != nil {
		return Result{}, err
	}
	x.sent = true
	x.page()
	if err := x.checkBody(); err != nil {
		return Result{}, err
	}
	x.judgeArguments()
	if done, res, err := x.gate(ctx); done {
		return res, err
	}
	return x.send(ctx)
}

// help lets others complete the arguments before the handler reads them.
func (x *execution) help(ctx context.Context) error {
	env := &Env{Action: x.action, Call: x.call, x: x}
	if x.action.Method() == methodGraphQL {
		if err := x.fullPaths(ctx, env); err != nil {
			return err
		}
	}
	if x.cfg.Helpers == nil {
		return nil
	}
	if h := x.cfg.Helpers(x.action.ID()); h != nil {
		return h(ctx, env, x.r)
	}
	return nil
}

// gate stands between a valid request and the network: preview or confirmation.
// It reports whether the call ends here.
func (x *execution) gate(ctx context.Context) (bool, Result, error) {
	switch {
	case x.call.DryRun:
		return true, x.preview("dry run: nothing was sent"), nil
	case x.policy.Preview(x.risk):
		return true, x.preview("safe mode: nothing was sent; the operator lets this server show requests that change something, not send them"), nil
	}
	if err := x.confirm(ctx); err != nil {
		return true, Result{}, err
	}
	return false, Result{}, nil
}

func (x *execution) note(s string) { x.notes = append(x.notes, s) }

// facts are what the hint of an error may say of the action.
func (x *execution) facts() gitlab.Facts {
	a := x.action
	return gitlab.Facts{Scope: policy.ScopeOf(a), Tier: a.Tier(), Role: a.Role(), Admin: a.Has(catalog.Admin)}
}

// line is the request in one line, empty if there is none.
func (x *execution) line() string {
	if !x.sent {
		return ""
	}
	s := x.q.Method() + " " + x.q.Path()
	if query := x.q.RawQuery(); query != "" {
		s += "?" + query
	}
	return s
}

func canceled() *Failure {
	return &Failure{Code: Code(gitlab.Canceled), Message: "the call was canceled before anything was sent"}
}

// runOwn executes an action of our own.
func (x *execution) runOwn(ctx context.Context) (Result, error) {
	var own Own
	if x.cfg.Own != nil {
		own = x.cfg.Own(x.action.ID())
	}
	if own == nil {
		return Result{}, &Failure{Code: CodeWithheld, Message: x.action.ID() + " is not in this build"}
	}
	x.rename()
	env := &Env{Action: x.action, Call: x.call, x: x}
	plan, err := own.Plan(env, x.r)
	for _, n := range x.r.Notes() {
		x.note(n.String())
	}
	if err != nil {
		return Result{}, err
	}
	x.risk = max(x.risk, plan.Risk)
	if x.risk != catalog.Read && x.policy.ReadOnly() {
		return Result{}, &Failure{Code: CodeReadOnly, Message: "this call of " + x.action.ID() + " would change something, and the operator runs this server in read-only mode"}
	}
	if x.call.DryRun || x.policy.Preview(x.risk) {
		return x.previewPlan(plan), nil
	}
	if err := x.confirmTarget(ctx, plan.Target, planBinding(x.action.ID(), plan)); err != nil {
		return Result{}, err
	}
	answer, err := own.Run(ctx, env, plan)
	if err != nil {
		if ctx.Err() != nil && errors.Is(err, context.Canceled) {
			return Result{}, canceled()
		}
		return Result{}, err
	}
	if answer.GraphQL != nil {
		return x.shapeGraphQL(answer.GraphQL)
	}
	return x.shapeOwn(answer), nil
}

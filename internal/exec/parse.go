package exec

import (
	"strings"

	"gitlab-mcp-server/internal/arg"
)

// ParseCall reads the arguments of the execute tool: action, params, confirm,
// fields and dry_run. Any other name is an error that says to put it under
// params. Hooks of the Call are left to the caller.
func ParseCall(arguments []byte) (Call, error) {
	var r arg.Reader
	if err := r.Reset(arguments); err != nil {
		return Call{}, topLevel(err)
	}
	var c Call
	c.Action = r.String("action", arg.Required).V
	if raw, ok := r.Raw("params"); ok {
		r.Any("params", 0)
		c.Params = raw
	}
	c.Confirm = r.Bool("confirm", 0).V
	c.DryRun = r.Bool("dry_run", 0).V
	c.Fields = r.Strings("fields", 0).V
	if err := r.Err(); err != nil {
		return Call{}, topLevel(err)
	}
	return c, nil
}

// topLevel words the problems of the arguments beside params.
func topLevel(err error) error {
	invalid, ok := err.(*arg.Error)
	if !ok {
		return err
	}
	f := &Failure{Code: CodeInvalidParams, Problems: invalid.Problems}
	var outside []string
	for _, p := range invalid.Problems {
		if p.Code == arg.Unknown {
			outside = append(outside, p.Path)
		}
	}
	f.Message = "the arguments of the call are not right"
	f.Hint = "beside action and params only confirm, fields and dry_run are known"
	if len(outside) > 0 {
		f.Hint = "put " + strings.Join(outside, ", ") + " under params: beside it only action, confirm, fields and dry_run are known"
	}
	return f
}

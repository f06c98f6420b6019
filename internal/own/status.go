package own

import (
	"context"

	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/exec"
)

// status is server.status: what this server is and how it is set. It needs no
// network.
type status struct{ *Actions }

func (status) Plan(_ *exec.Env, r *arg.Reader) (exec.Plan, error) {
	return exec.Plan{Target: "this server"}, r.Err()
}

func (s status) Run(_ context.Context, env *exec.Env, _ exec.Plan) (exec.Answer, error) {
	type searches struct {
		All        int64 `json:"searches"`
		Zero       int64 `json:"without_result"`
		Fuzzy      int64 `json:"with_corrected_words"`
		Low        int64 `json:"with_low_confidence"`
		Ambiguous  int64 `json:"ambiguous"`
		Suppressed int64 `json:"destructive_held_back"`
	}
	out := struct {
		Version  string    `json:"version"`
		GitLab   string    `json:"gitlab"`
		Surface  string    `json:"surface"`
		ReadOnly bool      `json:"read_only"`
		SafeMode bool      `json:"safe_mode"`
		Scopes   []string  `json:"token_scopes"`
		Actions  int       `json:"actions"`
		Usable   int       `json:"actions_usable"`
		Spec     string    `json:"gitlab_spec"`
		Searches *searches `json:"search,omitempty"`
	}{
		Version: s.Version, GitLab: env.BaseURL(), Surface: s.Surface,
		ReadOnly: env.Policy().ReadOnly(), SafeMode: env.Policy().Preview(catalog.Write), Scopes: env.Policy().Scopes(),
		Actions: env.Catalog().Len(), Spec: env.Catalog().GitLabVersion(),
	}
	for a := range env.Catalog().All() {
		if env.Allowed(a) {
			out.Usable++
		}
	}
	if c := s.Searches; c != nil {
		out.Searches = &searches{c.Searches.Load(), c.Zero.Load(), c.Fuzzy.Load(), c.Low.Load(), c.Ambiguous.Load(), c.Suppressed.Load()}
	}
	return exec.Answer{Body: object(out)}, nil
}

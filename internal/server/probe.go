package server

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gitlab-mcp-server/internal/call"
	"gitlab-mcp-server/internal/gitlab"
)

// doer is the part of a client that the probe needs.
type doer interface {
	Do(ctx context.Context, q *call.Request, o gitlab.Options) (*gitlab.Response, error)
}

// probe asks GitLab once what the token may do, in the background. No call
// waits for it, and its failure changes nothing.
type probe struct {
	client doer
	tell   func(scopes []string)
	log    *slog.Logger
	once   sync.Once
	done   chan struct{} // closed when the answer has been told or given up
}

func newProbe(client doer, tell func([]string), log *slog.Logger) *probe {
	return &probe{client: client, tell: tell, log: log, done: make(chan struct{})}
}

// after starts the probe behind the first handshake that succeeds. ctx bounds it.
func (p *probe) after(ctx context.Context) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(reqCtx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(reqCtx, method, req)
			if err == nil && (method == initialize || method == "server/discover") {
				p.once.Do(func() { go p.run(ctx) })
			}
			return res, err
		}
	}
}

func (p *probe) run(ctx context.Context) {
	defer close(p.done)
	var q call.Request
	q.Start("GET")
	q.Literal("/api/v4/personal_access_tokens/self")
	res, err := p.client.Do(ctx, &q, gitlab.Options{Read: true})
	if err != nil {
		p.log.Debug("scopes of the token are unknown", "error", err)
		return
	}
	var token struct {
		Scopes []string `json:"scopes"`
	}
	if err := json.Unmarshal(res.Body, &token); err != nil || token.Scopes == nil {
		p.log.Debug("scopes of the token are unknown", "error", "the answer names none")
		return
	}
	slices.Sort(token.Scopes)
	p.log.Info("token", "scopes", token.Scopes)
	p.tell(token.Scopes)
}

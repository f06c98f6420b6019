package server

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The last protocol version with sessions, and the first one without.
const (
	lastWithSessions     = "2025-11-25"
	firstWithoutSessions = "2026-07-28"
)

// lowerOffer makes the version that a client offers in initialize one that
// initialize can agree on. The SDK answers with an older version to an offer
// without sessions, but goes on to treat the session as one of the version offered:
// it would not ask the user within a call, as the client expects by the answer.
func lowerOffer(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if p, ok := req.GetParams().(*mcp.InitializeParams); ok && p != nil && p.ProtocolVersion >= firstWithoutSessions {
			p.ProtocolVersion = lastWithSessions
		}
		return next(ctx, method, req)
	}
}

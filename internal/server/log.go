package server

import (
	"bytes"
	"context"
	"io"
	"log/slog"
)

// NewLogger writes JSON, one object a line. No line holds a secret: what GitLab
// sends back, such as an address to go on to or the id of a request, is logged too.
func NewLogger(w io.Writer, level slog.Level, secrets ...string) *slog.Logger {
	for _, s := range secrets {
		if len(s) >= shortestSecret {
			w = masking{w, []byte(s)}
		}
	}
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level}))
}

// shortestSecret is the length below which a text is no token of GitLab's, and
// would hit ordinary words.
const shortestSecret = 8

// masking writes a mark in place of a secret. A handler writes a record at once,
// so that no secret is torn apart.
type masking struct {
	w      io.Writer
	secret []byte
}

func (m masking) Write(p []byte) (int, error) {
	if _, err := m.w.Write(bytes.ReplaceAll(p, m.secret, []byte("[MASKED]"))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// quiet lowers the SDK's messages by one step: what it finds worth telling of
// each session is detail to an operator.
type quiet struct{ slog.Handler }

const step = slog.LevelWarn - slog.LevelInfo

func (q quiet) Enabled(ctx context.Context, l slog.Level) bool { return q.Handler.Enabled(ctx, l-step) }

func (q quiet) Handle(ctx context.Context, r slog.Record) error {
	r.Level -= step
	return q.Handler.Handle(ctx, r)
}

func (q quiet) WithAttrs(a []slog.Attr) slog.Handler { return quiet{q.Handler.WithAttrs(a)} }

func (q quiet) WithGroup(name string) slog.Handler { return quiet{q.Handler.WithGroup(name)} }

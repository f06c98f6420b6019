package server

import (
	"context"
	"io"
	"log/slog"
)

// NewLogger writes JSON, one object a line.
func NewLogger(w io.Writer, level slog.Level) *slog.Logger {
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level}))
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

package server

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"strings"
	"testing"

	"gitlab-mcp-server/generated"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/config"
)

// BenchmarkStdio measures requests over pipes: what a find costs beside a ping.
func BenchmarkStdio(b *testing.B) {
	cfg, err := new(config.Flags).Parse([]string{"GITLAB_URL=http://127.0.0.1:1"})
	if err != nil {
		b.Fatal(err)
	}
	s, err := New(cfg, catalog.New(generated.Tables()), "1.0.0", slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	find := func(query string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"gitlab_find_action","arguments":{"query":"` + query + `"}}}`
	}
	for _, bm := range []struct{ name, request string }{
		{"ping", `{"jsonrpc":"2.0","id":1,"method":"ping"}`},
		{"find", find("retry the failed job of a pipeline")},
		{"find-create-issue", find("create issue")},
		{"find-worst", find(strings.Repeat("xqzzy ", 42))},
		{"dry-run", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"gitlab_execute_action","arguments":{"action":"issue.get","params":{"project_id":1,"issue_iid":1},"dry_run":true}}}`},
		{"tools-list", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`},
	} {
		b.Run(bm.name, func(b *testing.B) {
			inR, inW := io.Pipe()
			outR, outW := io.Pipe()
			done := make(chan error, 1)
			go func() { done <- s.ServeStdio(context.Background(), inR, outW) }()
			out := bufio.NewReaderSize(outR, 1<<20)
			ask := func(line string) {
				if _, err := io.WriteString(inW, line+"\n"); err != nil {
					b.Fatal(err)
				}
				if _, err := out.ReadSlice('\n'); err != nil {
					b.Fatal(err)
				}
			}
			ask(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
			b.ReportAllocs()
			for b.Loop() {
				ask(bm.request)
			}
			inW.Close()
			if err := <-done; err != nil {
				b.Fatal(err)
			}
		})
	}
}

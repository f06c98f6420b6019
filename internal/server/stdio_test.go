package server

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestLines(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "a\nb\n", "a|b"},
		{"no end", "a\nb", "a|b"},
		{"CRLF and blanks", "\r\n a \r\n\n\tb\r\n", "a|b"},
		{"byte order mark", "\uFEFF{}\n", "{}"},
		{"too long", strings.Repeat("x", 200) + "\nb\n", "!|b"},
		{"too long at the end", "a\n" + strings.Repeat("x", 200), "a|!"},
		{"just right", strings.Repeat("x", 99) + "\n", strings.Repeat("x", 99)},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLines(strings.NewReader(tt.in), 100)
			var got []string
			for {
				ln, err := l.next()
				if errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				if ln.tooLong {
					ln.text = []byte("!")
				}
				got = append(got, string(ln.text))
			}
			if s := strings.Join(got, "|"); s != tt.want {
				t.Errorf("lines %q, want %q", s, tt.want)
			}
		})
	}
}

// A line far longer than the limit must not be kept.
func TestLongLineIsNotKept(t *testing.T) {
	l := newLines(io.LimitReader(repeat('x'), 1<<20), 1<<16)
	ln, err := l.next()
	if err != nil || !ln.tooLong || len(ln.text) > keep || cap(ln.text) > 2*keep {
		t.Errorf("line of %d bytes (capacity %d), too long %v, %v", len(ln.text), cap(ln.text), ln.tooLong, err)
	}
}

// repeat is an endless reader of one byte.
type repeat byte

func (r repeat) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(r)
	}
	return len(p), nil
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("disk on fire") }

func TestReadError(t *testing.T) {
	s := newFixture(t, newFakeGitLab(t), io.Discard, nil)
	err := s.ServeStdio(context.Background(), broken{}, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "disk on fire") {
		t.Errorf("error %v, want one about the disk", err)
	}
}

// A signal ends the session although a call is in flight, and that call is cancelled.
func TestAbort(t *testing.T) {
	g := newFakeGitLab(t)
	s := newFixture(t, g, io.Discard, nil)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	in, client := io.Pipe()
	defer client.Close()
	done := make(chan error, 1)
	go func() { done <- s.ServeStdio(ctx, in, io.Discard) }()
	io.WriteString(client, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"gitlab_execute_action","arguments":{"action":"issue.get","params":{"project_id":"slow","issue_iid":1}}}}
`)
	g.wait(1)
	cancel()
	if err := <-done; err != nil {
		t.Errorf("the session ended with %v", err)
	}
}

// The transport serves the SDK's own client.
func TestSDKClient(t *testing.T) {
	s := newFixture(t, newFakeGitLab(t), io.Discard, nil)
	c := newClient(t, s)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).
		Connect(context.Background(), &mcp.IOTransport{Reader: io.NopCloser(c.out), Writer: c.in}, nil)
	if err != nil {
		t.Fatal(err)
	}
	tools, err := session.ListTools(context.Background(), nil)
	if err != nil || len(tools.Tools) != 2 {
		t.Errorf("tools %v, %v", tools, err)
	}
	res, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "gitlab_find_action", Arguments: map[string]any{"query": "issue"}})
	if err != nil || res.IsError {
		t.Errorf("find: %v, %v", res, err)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
}

// Both forms of the protocol ask the user; here the one where the client calls again.
func TestConfirmOverRounds(t *testing.T) {
	for _, answer := range []string{"accept", "decline"} {
		t.Run(answer, func(t *testing.T) {
			g := newFakeGitLab(t)
			s := newFixture(t, g, io.Discard, nil)
			c := newClient(t, s)
			asked := 0
			client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
				ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					asked++
					return &mcp.ElicitResult{Action: answer}, nil
				},
			})
			session, err := client.Connect(context.Background(), &mcp.IOTransport{Reader: io.NopCloser(c.out), Writer: c.in}, nil)
			if err != nil {
				t.Fatal(err)
			}
			res, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "gitlab_execute_action", Arguments: map[string]any{
				"action": "issue.delete", "params": map[string]any{"project_id": 1, "issue_iid": 7},
			}})
			if err != nil {
				t.Fatal(err)
			}
			if got := session.InitializeResult().ProtocolVersion; got < "2026-07-28" {
				t.Fatalf("protocol %s has no rounds", got)
			}
			wantSent := 0
			if answer == "accept" {
				wantSent = 1
			}
			if asked != 1 || res.IsError == (wantSent == 1) || len(g.asked()) != wantSent {
				t.Errorf("asked %d times, error %v, sent %v", asked, res.IsError, g.asked())
			}
			session.Close()
		})
	}
}

func TestDecode(t *testing.T) {
	m := decode([]byte(`{"jsonrpc":"2.0","id":7,"error":{"code":-1,"message":"no"}}`))
	res, ok := m.msg.(*jsonrpc.Response)
	if !ok || res.Error == nil || !strings.Contains(res.Error.Error(), "no") {
		t.Errorf("an error response was read as %+v", m)
	}
	if m := decode([]byte(`{"jsonrpc":"2.0","id":7,"error":7}`)); m.fault == nil {
		t.Error("a number was taken for an error")
	}
	m = decode([]byte(`{"jsonrpc":"2.0","\u006dethod":"ping","id":1}`))
	if req, ok := m.msg.(*jsonrpc.Request); !ok || req.Method != "ping" {
		t.Errorf("an escaped key was not understood: %+v", m)
	}
}

// Whatever a client sends, every answer is a message, and the next ping is answered.
func FuzzStdio(f *testing.F) {
	for _, s := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{`, `[]`, `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `{"jsonrpc":"2.0","id":1e400,"method":"ping"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1.5}}`, "\xff", `{"jsonrpc":"2.0","id":1,"result":null}`,
		`{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"gitlab_find_action","arguments":{"query":"issue"}}}`,
	} {
		f.Add([]byte(s))
	}
	s := newFixture(f, newFakeGitLab(f), io.Discard, nil)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := append([]byte(`{"jsonrpc":"2.0","id":"first","method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`+"\n"), data...)
		in = append(in, "\n"+`{"jsonrpc":"2.0","id":"last","method":"ping"}`+"\n"...)
		var out bytes.Buffer
		if err := s.ServeStdio(context.Background(), bytes.NewReader(in), &out); err != nil {
			t.Fatal(err)
		}
		last := false
		for line := range bytes.Lines(out.Bytes()) {
			if m := check(line); m != nil {
				t.Fatalf("stdout has %q: %v", line, m.fault.Message)
			}
			last = last || bytes.HasPrefix(line, []byte(`{"jsonrpc":"2.0","id":"last","result":`))
		}
		if !last {
			t.Errorf("the last ping was not answered:\n%s", out.Bytes())
		}
	})
}

// A request that lasts until it is cancelled does not keep the server when the
// client leaves.
func TestListenEndsWithInput(t *testing.T) {
	m := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: true}},
	})
	in, client := io.Pipe()
	out, server := io.Pipe()
	transport := &Stdio{In: in, Out: server, Log: NewLogger(io.Discard, 0)}
	session, err := m.Connect(context.Background(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewReader(out)
	io.WriteString(client, `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},`+
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`+"\n")
	if line, err := answers.ReadString('\n'); err != nil || !strings.Contains(line, "acknowledged") {
		t.Fatalf("first message %q, %v", line, err)
	}
	client.Close()
	if line, err := answers.ReadString('\n'); err != nil || !strings.HasPrefix(line, `{"jsonrpc":"2.0","id":1,"result":`) {
		t.Errorf("answer %q, %v", line, err)
	}
	if err := session.Wait(); err != nil && !errors.Is(err, io.EOF) {
		t.Errorf("the session ended with %v", err)
	}
}

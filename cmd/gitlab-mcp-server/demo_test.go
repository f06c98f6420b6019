package main

import (
	"bytes"
	"context"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"gitlab-mcp-server/internal/sim"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The demo shows the same every time but for the port, and what the search and
// the size of the catalog decide.
func TestDemo(t *testing.T) {
	got := run(t, nil, "", "demo")
	if got.code != exitOK || got.stderr != "" {
		t.Fatalf("code %d, stderr %q", got.code, got.stderr)
	}
	for line := range strings.Lines(got.stdout) {
		if n := utf8.RuneCountInString(line); n > 97 { // the line's end included
			t.Errorf("%d characters: %s", n, line)
		}
	}
	if strings.Contains(got.stdout, "\x1b") {
		t.Error("colours without a terminal")
	}
	text := got.stdout
	for _, mask := range [...][2]string{{`127\.0\.0\.1:\d+`, "127.0.0.1:PORT"}, {`\(score \d+\)`, "(score N)"}, {`^\d+ actions`, "N actions"}} {
		text = regexp.MustCompile(mask[0]).ReplaceAllString(text, mask[1])
	}
	golden := filepath.Join("testdata", "demo.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text); diff != "" {
		t.Errorf("the output differs; if it is right, run: go test ./cmd/gitlab-mcp-server -run TestDemo -update\n%s", diff)
	}
}

func TestDemoUsage(t *testing.T) {
	for _, tt := range [...]struct {
		args []string
		want string
	}{
		{[]string{"demo", "now"}, "takes no words"},
		{[]string{"demo", "--addr", "0.0.0.0:0"}, "loopback only"},
		{[]string{"demo", "--addr", "nowhere"}, "loopback only"},
		{[]string{"demo", "--gitlab-url", "https://gitlab.com"}, "leave out --gitlab-url"},
	} {
		if got := run(t, nil, "", tt.args...); got.code != exitUsage || !strings.Contains(got.stderr, tt.want) {
			t.Errorf("%q: code %d, stderr %q; want %q", tt.args, got.code, got.stderr, tt.want)
		}
	}
}

// lockedBuffer can be read while a program writes.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
	ch  chan struct{} // closed when the last line has come
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n, err := b.buf.Write(p)
	if bytes.Contains(b.buf.Bytes(), []byte("Ctrl-C ends it.\n")) {
		close(b.ch)
	}
	return n, err
}

// demo --serve prints an address that answers to the token that it prints, and
// ends when it is told to.
func TestDemoServe(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out := &lockedBuffer{ch: make(chan struct{})}
	var stderr bytes.Buffer
	a := &app{stdin: strings.NewReader(""), stdout: out, stderr: &stderr}
	code := make(chan int)
	go func() { code <- a.run(ctx, []string{"demo", "--serve"}) }()
	<-out.ch
	out.mu.Lock()
	text := out.buf.String()
	out.mu.Unlock()
	url := regexp.MustCompile(`export GITLAB_URL=(\S+)`).FindStringSubmatch(text)
	if url == nil || !strings.Contains(text, "export GITLAB_TOKEN="+sim.Token+"\n") || !strings.Contains(text, `"mcpServers"`) {
		t.Fatalf("printed %q", text)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url[1]+"/api/v4/user", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("PRIVATE-TOKEN", sim.Token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Errorf("status %d", resp.StatusCode)
	}
	http.DefaultClient.CloseIdleConnections()
	cancel()
	if got := <-code; got != exitOK {
		t.Errorf("code %d, stderr %q", got, stderr.String())
	}
}

func TestWrap(t *testing.T) {
	for _, tt := range [...]struct {
		line string
		want []string
	}{
		{"short", []string{"short"}},
		{"one two three four", []string{"one two", "three four"}},
		{"averyveryverylongword two", []string{"averyveryverylongword", "two"}},
		{"", []string{""}},
	} {
		if diff := cmp.Diff(tt.want, wrap(tt.line, 10)); diff != "" {
			t.Errorf("%q: %s", tt.line, diff)
		}
	}
}

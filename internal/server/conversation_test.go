package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"gitlab-mcp-server/internal/config"
)

var update = flag.Bool("update", false, "write what the server answers into testdata")

// TestConversations plays the files of testdata. The section "talk" has a
// command a line:
//
//	> TEXT      send a line; {{x*1000}} in it stands for 1,000 times x
//	>" TEXT     send a line written as the inside of a Go string
//	< JSON      the server answers so; several in a row may come in any order
//	asked N     wait until GitLab was asked N times
//	release     let GitLab answer the slow requests
//	close       the client closes its end; the server must end by itself
//
// The section "settings" has variables, "gitlab" what GitLab was asked.
func TestConversations(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no conversations: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			converse(t, file)
		})
	}
}

func converse(t *testing.T, file string) {
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	gitlab := newFakeGitLab(t)
	var log syncBuffer
	s := newFixture(t, gitlab, &log, func(cfg *config.Config) {
		parsed, err := new(config.Flags).Parse(append(strings.Split(section(ar, "settings"), "\n"), "GITLAB_URL="+gitlab.URL, "LOG_LEVEL=debug"))
		if err != nil {
			t.Fatal(err)
		}
		*cfg = *parsed
	})
	c := newClient(t, s)
	var talk strings.Builder
	lines := strings.Split(strings.TrimSpace(section(ar, "talk")), "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.HasPrefix(line, "> "):
			c.send(expand(line[2:]))
		case strings.HasPrefix(line, `>" `):
			text, err := strconv.Unquote(`"` + line[3:] + `"`)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			c.send(text)
		case strings.HasPrefix(line, "<"):
			n := 1
			for i+n < len(lines) && strings.HasPrefix(lines[i+n], "<") {
				n++
			}
			got := make([]string, n)
			for j := range got {
				got[j] = c.receive()
			}
			slices.Sort(got)
			for _, g := range got {
				fmt.Fprintf(&talk, "< %s\n", g)
			}
			i += n - 1
			continue
		case strings.HasPrefix(line, "asked "):
			n, err := strconv.Atoi(line[len("asked "):])
			if err != nil {
				t.Fatal(err)
			}
			gitlab.wait(n)
		case line == "release":
			close(gitlab.released)
		case line == "close":
			c.closeInput()
		case line == "" || strings.HasPrefix(line, "#"):
		default:
			t.Fatalf("unknown command %q", line)
		}
		talk.WriteString(line + "\n")
	}
	c.closeInput()
	if rest := c.rest(); rest != "" {
		t.Errorf("the server said more:\n%s", rest)
	}
	if strings.Contains(log.String(), "glpat-") {
		t.Errorf("a token stands in the log:\n%s", log.String())
	}
	checkLog(t, log.String())
	got := &txtar.Archive{Comment: ar.Comment}
	for _, f := range ar.Files {
		switch f.Name {
		case "talk":
			f.Data = []byte(strings.ReplaceAll(talk.String(), gitlab.URL, "http://gitlab.test"))
		case "gitlab":
			asked := gitlab.asked()
			slices.Sort(asked) // requests of calls in flight have no order
			f.Data = []byte(strings.Join(append(asked, ""), "\n"))
		}
		got.Files = append(got.Files, f)
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(txtar.Format(ar)), string(txtar.Format(got))); diff != "" {
		t.Errorf("conversation differs (-want +got; run with -update to accept):\n%s\nlog:\n%s", diff, log.String())
	}
}

// checkLog wants one JSON object a line.
func checkLog(t *testing.T, log string) {
	t.Helper()
	for line := range strings.Lines(log) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Errorf("log line is no JSON object: %q", line)
		}
	}
}

func section(ar *txtar.Archive, name string) string {
	for _, f := range ar.Files {
		if f.Name == name {
			return strings.TrimSpace(string(f.Data))
		}
	}
	return ""
}

var repeated = regexp.MustCompile(`\{\{(.)\*(\d+)\}\}`)

func expand(s string) string {
	return repeated.ReplaceAllStringFunc(s, func(m string) string {
		p := repeated.FindStringSubmatch(m)
		n, err := strconv.Atoi(p[2])
		if err != nil {
			panic(err) // the pattern has digits only
		}
		return strings.Repeat(p[1], n)
	})
}

// client is the other end of a session over pipes.
type client struct {
	t    testing.TB
	in   *io.PipeWriter
	out  *bufio.Reader
	done chan error
}

func newClient(t testing.TB, s *Server) *client {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &client{t: t, in: inW, out: bufio.NewReader(outR), done: make(chan error, 1)}
	go func() {
		err := s.ServeStdio(context.Background(), inR, outW)
		outW.Close()
		c.done <- err
	}()
	t.Cleanup(func() { inW.Close(); outR.Close() })
	return c
}

func (c *client) send(line string) {
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) closeInput() { c.in.Close() }

// receive gives the next message. Every line must be a JSON-RPC message.
func (c *client) receive() string {
	c.t.Helper()
	line, err := c.out.ReadString('\n')
	if err != nil {
		c.t.Fatalf("receive: %v", err)
	}
	line = strings.TrimSuffix(line, "\n")
	if !json.Valid([]byte(line)) {
		c.t.Fatalf("stdout has %q, which is no JSON", line)
	}
	return line
}

// rest is what the server still says until it ends; it must end without an error.
func (c *client) rest() string {
	rest, err := io.ReadAll(c.out)
	if err != nil {
		c.t.Error(err)
	}
	if err := <-c.done; err != nil && !errors.Is(err, io.EOF) {
		c.t.Errorf("the session ended with %v", err)
	}
	return string(rest)
}

// syncBuffer is a buffer for a logger that several goroutines use.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

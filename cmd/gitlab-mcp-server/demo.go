package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"gitlab-mcp-server/generated"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/config"
	"gitlab-mcp-server/internal/exec"
	"gitlab-mcp-server/internal/server"
	"gitlab-mcp-server/internal/sim"
	"gitlab-mcp-server/internal/surface"
)

// demo shows the main job on a simulated GitLab: a sentence, the action that is
// found for it, the request that it becomes, the answer. Settings of a real
// GitLab do not concern it.
func (a *app) demo(ctx context.Context, flags *config.Flags, args []string) int {
	fs := newFlagSet(flags)
	serve := fs.Bool("serve", false, "")
	addr := fs.String("addr", "127.0.0.1:0", "")
	words, code, ok := a.parse(fs, args)
	switch {
	case !ok:
		return code
	case len(words) > 0:
		return a.usage("demo takes no words, got %q", words[0])
	case !loopback(*addr):
		return a.usage("--addr %s: the simulated GitLab listens on loopback only, for example 127.0.0.1:8929", *addr)
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", *addr)
	if err != nil {
		return a.usage("--addr %s: %v", *addr, err)
	}
	cat := catalog.New(generated.Tables())
	if *serve {
		return a.serveSim(ctx, l, cat)
	}
	d := &demo{out: newPainter(a.stdout)}
	stop := listen(l, d.watch(sim.New(cat, sim.Options{})))
	defer stop()
	if err := d.start(flags, cat, "http://"+l.Addr().String()); err != nil {
		return a.usage("%v", err)
	}
	if err := d.play(ctx); err != nil {
		fmt.Fprintf(a.stderr, "%s: demo: %v\n", server.Name, err)
		return exitFail
	}
	return exitOK
}

// loopback reports whether an address can be reached from this machine only.
func loopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	ip := net.ParseIP(host)
	return err == nil && (host == "localhost" || ip != nil && ip.IsLoopback())
}

// listen serves until the function that it returns is called, which waits a
// little for what is under way.
func listen(l net.Listener, h http.Handler) (stop func()) {
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = srv.Serve(l) // ends with ErrServerClosed
	}()
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		if srv.Shutdown(ctx) != nil {
			_ = srv.Close()
		}
		<-done
	}
}

// demo is one performance.
type demo struct {
	out    *painter
	engine *surface.Engine
	last   atomic.Pointer[string] // what GitLab saw last, and its answer's status
}

// start puts the same server together that clients get.
func (d *demo) start(flags *config.Flags, cat *catalog.Catalog, url string) error {
	cfg, err := flags.Parse([]string{"GITLAB_URL=" + url, "GITLAB_TOKEN=" + sim.Token})
	if err != nil {
		return err
	}
	if cfg.BaseURL != url {
		return errors.New("the demo brings its own GitLab: leave out --gitlab-url")
	}
	s, err := server.New(cfg, cat, version(), slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	d.engine = s.Engine
	d.out.title("%d actions of GitLab's REST API, two tools, a simulated GitLab at %s", cat.Len(), url)
	return nil
}

// watch keeps the line and the status of the last request.
func (d *demo) watch(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		h.ServeHTTP(&statusWriter{w, func(status int) {
			line := fmt.Sprintf("%s %s → %d %s", req.Method, req.RequestURI, status, http.StatusText(status))
			d.last.Store(&line)
		}}, req)
	})
}

// statusWriter tells of the status before the client can know it.
type statusWriter struct {
	http.ResponseWriter
	tell func(status int)
}

func (w *statusWriter) WriteHeader(status int) {
	w.tell(status)
	w.ResponseWriter.WriteHeader(status)
}

// scene is one sentence and the arguments that a model would give to what is
// found for it.
type scene struct {
	query  string
	params string
	fields []string
}

func scenes() []scene {
	return []scene{
		{"open merge requests of a project", `{"project_id":"acme/webshop","state":"opened"}`, []string{"iid", "title", "author.username", "labels"}},
		{"show the log of a failed job", `{"project_id":"acme/webshop","job_id":128,"tail":7}`, nil},
		{"comment on an issue", `{"project_id":"acme/webshop","issue_iid":12,"body":"The fix is in !34."}`, []string{"id", "body", "author.username"}},
		{"delete a branch", `{"project_id":"acme/webshop","branch":"docs/returns"}`, nil},
	}
}

func (d *demo) play(ctx context.Context) error {
	for i, s := range scenes() {
		d.out.heading(i+1, s.query)
		id, err := d.find(ctx, s.query)
		if err != nil {
			return err
		}
		call := exec.Call{Action: id, Params: json.RawMessage(s.params), Fields: s.fields}
		if res := d.execute(ctx, call); res.IsError {
			if !needsConfirmation(res) {
				return fmt.Errorf("%s: %s", id, res.Text)
			}
			d.out.note("A person says yes; the call comes again with confirm: true.")
			call.Confirm = true
			if res := d.execute(ctx, call); res.IsError {
				return fmt.Errorf("%s: %s", id, res.Text)
			}
		}
	}
	d.out.footer("Try it yourself: %s demo --serve", server.Name)
	return ctx.Err()
}

// needsConfirmation is true where nothing is wrong but a missing yes.
func needsConfirmation(res exec.Result) bool {
	var s struct {
		Error struct {
			Code string `json:"code"`
		} `json:"error"`
	}
	return json.Unmarshal(res.Structured, &s) == nil && s.Error.Code == "needs_confirmation"
}

// find shows the first result for a sentence and gives its id.
func (d *demo) find(ctx context.Context, query string) (string, error) {
	reply, err := d.engine.Find(ctx, surface.FindInput{Query: query, Limit: 1})
	if err != nil {
		return "", err
	}
	var f found
	if err := json.Unmarshal(reply.Structured, &f); err != nil {
		return "", fmt.Errorf("read the reply: %w", err)
	}
	if len(f.Results) == 0 {
		return "", fmt.Errorf("nothing found for %q: %s", query, reply.Text)
	}
	r := f.Results[0]
	d.out.label("find", "%s  (score %d)  %s", d.out.bold(r.ID), r.Score, riskWord(r.ReadOnly, r.Destructive))
	for line := range strings.Lines(reply.Text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "required:") || strings.HasPrefix(line, "optional:") {
			d.out.detail(line)
		}
	}
	return r.ID, nil
}

// execute runs a call and shows what went over the wire and what came of it.
func (d *demo) execute(ctx context.Context, c exec.Call) exec.Result {
	d.last.Store(nil)
	res := d.engine.Exec.Execute(ctx, c)
	d.out.label("execute", "%s", d.out.bold(c.Action))
	d.out.detail("params: " + string(c.Params))
	if len(c.Fields) > 0 {
		d.out.detail("fields: " + strings.Join(c.Fields, ", "))
	}
	if c.Confirm {
		d.out.detail("confirm: true")
	}
	sent := "nothing was sent"
	if line := d.last.Load(); line != nil {
		sent = *line
	}
	d.out.label("http", "%s", sent)
	d.out.markdown(res.Text)
	return res
}

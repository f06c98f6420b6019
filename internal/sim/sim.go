package sim

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"gitlab-mcp-server/internal/catalog"
)

// Options change what New makes. The zero value is a seeded company and one
// token for everything, Token.
type Options struct {
	// Tokens are the tokens that are accepted; nil means Token alone.
	Tokens []Grant
	// BaseURL is where the web pages of what is stored seem to be, without a
	// trailing slash; https://gitlab.example.com if empty.
	BaseURL string
	// Now tells the time; nil stands still at the beginning and moves on by one
	// second with every write, so that all runs give the same answers.
	Now func() time.Time
	// Empty starts without the company: only the token's user exists.
	Empty bool
	// Invent makes up an item that is asked for and was never created, in place of
	// a 404. What was deleted stays deleted.
	Invent bool
	// Record keeps every request, for Requests.
	Record bool
	// Faults go wrong from the start; see AddFault.
	Faults []Fault
}

// Sim is a simulated GitLab. It is safe for concurrent use.
type Sim struct {
	opts   Options
	faults faults
	record recorder

	mu     sync.Mutex // guards all that follows
	cat    *catalog.Catalog
	root   *routeNode // nil until the first request
	hooks  map[string]hook
	data   *node
	ids    map[string]int64
	ticks  int64
	past   time.Duration // how long ago it is while the company is being founded
	number uint64        // of requests
}

// New makes a simulated GitLab with the routes of cat. It builds nothing until
// the first request.
func New(cat *catalog.Catalog, opts Options) *Sim {
	s := &Sim{opts: opts, cat: cat, data: &node{}, ids: map[string]int64{}}
	if s.opts.Tokens == nil {
		s.opts.Tokens = []Grant{{Token: Token}}
	}
	if s.opts.BaseURL == "" {
		s.opts.BaseURL = "https://gitlab.example.com"
	}
	s.record.on = opts.Record
	for _, f := range opts.Faults {
		s.AddFault(f)
	}
	return s
}

// start is when the company's clock stands still.
func start() time.Time { return time.Date(2026, time.March, 16, 9, 30, 0, 0, time.UTC) }

// now is the time of the current request.
func (s *Sim) now() time.Time {
	if s.past > 0 {
		return start().Add(-s.past)
	}
	if s.opts.Now != nil {
		return s.opts.Now()
	}
	return start().Add(time.Duration(s.ticks) * time.Second)
}

// prepare builds the routes and the company, under the lock.
func (s *Sim) prepare() {
	if s.root == nil {
		s.root = buildRoutes(s.cat)
	}
	if s.hooks == nil {
		s.hooks = hooks()
		s.seed()
	}
}

// ServeHTTP answers one request.
func (s *Sim) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxBody))
	raw, query := rawTarget(req)
	if strings.HasPrefix(raw, adminPrefix) && err == nil {
		write(w, req, encoded(s.admin(req, body)))
		return
	}
	s.record.add(Request{Method: req.Method, Path: raw, Query: query, Header: req.Header.Clone(), Body: body})
	if err != nil {
		write(w, req, refuse(&refusal{status: http.StatusRequestEntityTooLarge, text: "413 Request Entity Too Large"}))
		return
	}
	if f := s.faults.take(req.Method, raw); f != nil {
		if f.Late {
			s.answer(req, raw, query, body)
		}
		if f.serve(w, req) {
			return
		}
	}
	write(w, req, s.answer(req, raw, query, body))
}

// rawTarget is the path and the query exactly as they came over the wire.
func rawTarget(req *http.Request) (path, query string) {
	target := req.RequestURI
	if target == "" || target[0] != '/' { // not from a server
		target = req.URL.EscapedPath()
		if req.URL.RawQuery != "" {
			target += "?" + req.URL.RawQuery
		}
	}
	path, query, _ = strings.Cut(target, "?")
	return path, query
}

// answer makes the whole answer under the lock, so that nothing that is being
// changed is being written out.
func (s *Sim) answer(req *http.Request, raw, query string, body []byte) (rep reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prepare()
	s.number++
	id := "sim-" + strconv.FormatUint(s.number, 10)
	rep = encoded(s.route(req, raw, query, body))
	if rep.header == nil {
		rep.header = http.Header{}
	}
	rep.header.Set("X-Request-Id", id)
	return rep
}

// route checks a request step by step, in GitLab's order, and runs it.
func (s *Sim) route(req *http.Request, raw, query string, body []byte) (reply, error) {
	if raw == graphqlPath {
		return s.graphql(req, body)
	}
	segs, err := splitPath(raw)
	if err != nil {
		return reply{}, err
	}
	candidates := s.root.lookup(segs)
	if len(candidates) == 0 {
		if err := s.root.rejoin(segs); err != nil {
			return reply{}, err
		}
		return reply{}, &refusal{status: http.StatusNotFound, key: "error", text: "404 Not Found"}
	}
	r, at := choose(candidates, req.Method)
	if r == nil {
		return reply{}, notAllowed(candidates)
	}
	grant, err := s.authenticate(req)
	if err != nil {
		return reply{}, err
	}
	if err := grant.permit(req.Method); err != nil {
		return reply{}, err
	}
	c := &call{Sim: s, req: req, route: r, at: at, grant: grant, path: r.read(at)}
	if err := c.check(query, body); err != nil {
		return reply{}, err
	}
	if moved, ok, err := c.resolve(); ok || err != nil {
		return moved, err
	}
	if req.Method != http.MethodGet && req.Method != http.MethodHead {
		s.ticks++
	}
	return c.run()
}

// choose is the most literal route with the method. A HEAD without a route of
// its own is a GET without its body.
func choose(candidates []found, method string) (*route, []string) {
	for _, f := range candidates {
		if r := f.node.method(method); r != nil {
			return r, f.segs
		}
	}
	if method == http.MethodHead {
		return choose(candidates, http.MethodGet)
	}
	return nil, nil
}

func notAllowed(candidates []found) error {
	allow := http.Header{}
	var methods []string
	for _, f := range candidates {
		for _, r := range f.node.routes {
			methods = append(methods, r.method)
		}
	}
	allow.Set("Allow", strings.Join(sortedSet(methods), ", "))
	return &refusal{status: http.StatusMethodNotAllowed, key: "error", text: "405 Not Allowed", header: allow}
}

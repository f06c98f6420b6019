package sim

import (
	"net/http"
	"slices"
	"sync"
)

// Request is a request as it came over the wire.
type Request struct {
	Method string
	Path   string // still encoded
	Query  string // still encoded
	Header http.Header
	Body   []byte
}

// String is the request's line without the protocol.
func (r Request) String() string {
	if r.Query == "" {
		return r.Method + " " + r.Path
	}
	return r.Method + " " + r.Path + "?" + r.Query
}

// recorder keeps requests in the order in which they came.
type recorder struct {
	on   bool
	mu   sync.Mutex
	list []Request
}

func (r *recorder) add(req Request) {
	if !r.on {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, req)
}

// Requests are all requests since the start or the last Forget, refused and
// failed ones included. Options.Record turns it on.
func (s *Sim) Requests() []Request {
	s.record.mu.Lock()
	defer s.record.mu.Unlock()
	return slices.Clone(s.record.list)
}

// Forget empties the list of requests.
func (s *Sim) Forget() {
	s.record.mu.Lock()
	defer s.record.mu.Unlock()
	s.record.list = nil
}

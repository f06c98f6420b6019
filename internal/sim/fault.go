package sim

import (
	"net/http"
	"path"
	"strconv"
	"sync"
	"time"
)

// Fault makes matching requests go wrong. A request that goes wrong changes
// nothing, unless Late is set.
type Fault struct {
	Method string // empty: every method
	// Path is a pattern of package path on the encoded path, such as
	// /api/v4/projects/*/issues; empty: every path.
	Path string
	// Skip matching requests go well first.
	Skip int
	// Times is how many requests go wrong; 0: all.
	Times int

	// Delay holds the answer back. A client that gives up ends it.
	Delay time.Duration
	// Status, if not 0, is answered in place of GitLab.
	Status int
	// RetryAfter, in seconds, is sent with Status if it is positive.
	RetryAfter int
	// Header is added to the answer that replaces GitLab's.
	Header http.Header
	// Body is the answer's text; a JSON message if empty.
	Body string
	// Cut closes the connection: without any answer, or in the middle of one if
	// Status is set.
	Cut bool
	// Late lets GitLab do what it is asked for before the answer is lost.
	Late bool
}

// RateLimited is the fault of a GitLab that has had enough requests.
func RateLimited(seconds, times int) Fault {
	return Fault{Status: http.StatusTooManyRequests, RetryAfter: seconds, Times: times, Body: `{"message":"429 Too Many Requests"}`}
}

// Page is the fault of a proxy that answers with a page for browsers.
func Page(status int) Fault {
	return Fault{
		Status: status, Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}, "Server": {"proxy"}},
		Body: "<!DOCTYPE html>\n<html><head><title>Waiting room</title></head><body><h1>Back in a minute</h1></body></html>\n",
	}
}

// RedirectTo is the fault of an answer that is elsewhere.
func RedirectTo(status int, location string) Fault {
	return Fault{Status: status, Header: http.Header{"Location": {location}}, Body: "{}"}
}

// SignIn is the fault of a GitLab that sends strangers to its sign-in page.
func SignIn() Fault { return RedirectTo(http.StatusFound, "/users/sign_in") }

// faults are the switches.
type faults struct {
	mu   sync.Mutex
	list []*armed
}

type armed struct {
	Fault
	seen, used int
}

// AddFault arms a fault. The first armed fault that matches a request is its fault.
func (s *Sim) AddFault(f Fault) {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.list = append(s.faults.list, &armed{Fault: f})
}

// ClearFaults disarms all faults.
func (s *Sim) ClearFaults() {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.list = nil
}

// take is the fault of a request, nil if it goes well.
func (f *faults) take(method, rawPath string) *Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, a := range f.list {
		if !a.matches(method, rawPath) || a.Times > 0 && a.used == a.Times {
			continue
		}
		if a.seen++; a.seen <= a.Skip {
			continue
		}
		a.used++
		return &a.Fault
	}
	return nil
}

func (f *Fault) matches(method, rawPath string) bool {
	if f.Method != "" && f.Method != method {
		return false
	}
	if f.Path == "" {
		return true
	}
	ok, err := path.Match(f.Path, rawPath)
	return ok && err == nil
}

// serve lets a request go wrong. It reports false if only the time was lost and
// GitLab is to answer.
func (f *Fault) serve(w http.ResponseWriter, req *http.Request) bool {
	if f.Delay > 0 {
		t := time.NewTimer(f.Delay)
		defer t.Stop()
		select {
		case <-t.C:
		case <-req.Context().Done():
			return true
		}
	}
	if f.Status == 0 && !f.Cut {
		return false
	}
	if f.Status == 0 {
		panic(http.ErrAbortHandler)
	}
	body := f.Body
	if body == "" {
		body = `{"message":"` + strconv.Itoa(f.Status) + " " + http.StatusText(f.Status) + `"}`
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	for name, values := range f.Header {
		h[http.CanonicalHeaderKey(name)] = values
	}
	if f.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(f.RetryAfter))
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(f.Status)
	if f.Cut {
		_, _ = w.Write([]byte(body[:len(body)/2]))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write([]byte(body))
	return true
}

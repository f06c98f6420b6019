package sim

import (
	"net/http"
	"strings"
	"time"

	"gitlab-mcp-server/internal/scan"
)

// adminPrefix is below which the simulation itself is spoken to, for those who
// run it in another process:
//
//	POST   /-/sim/faults    arms a fault: {"method","path","skip","times","delay_ms","status","retry_after","body","content_type","location","cut","late"}
//	DELETE /-/sim/faults    disarms all
//	GET    /-/sim/requests  the requests so far, if they are recorded
//	DELETE /-/sim/requests  forgets them
const adminPrefix = "/-/sim/"

// admin answers a request to the simulation itself. It needs a token like others.
func (s *Sim) admin(req *http.Request, body []byte) (reply, error) {
	s.mu.Lock()
	_, err := s.authenticate(req)
	s.mu.Unlock()
	if err != nil {
		return reply{}, err
	}
	switch req.Method + " " + strings.TrimPrefix(req.URL.Path, adminPrefix) {
	case "POST faults":
		f, err := readFault(body)
		if err != nil {
			return reply{}, err
		}
		s.AddFault(f)
		return noContent()
	case "DELETE faults":
		s.ClearFaults()
		return noContent()
	case "GET requests":
		list := []any{}
		for _, r := range s.Requests() {
			list = append(list, obj("method", r.Method, "path", r.Path, "query", r.Query, "body", string(r.Body)))
		}
		return ok(list)
	case "DELETE requests":
		s.Forget()
		return noContent()
	}
	return reply{}, notFound("Switch")
}

// readFault reads a fault from JSON.
func readFault(body []byte) (Fault, error) {
	var f Fault
	if err := scan.Valid(body); err != nil {
		return f, badRequest("the body is no JSON: %v", err)
	}
	o, isObject := decode(string(body)).(*object)
	if !isObject {
		return f, badRequest("the body must be a JSON object")
	}
	f.Header = http.Header{}
	for _, m := range o.members {
		switch n := int(o.num(m.name)); m.name {
		case "method":
			f.Method = o.str(m.name)
		case "path":
			f.Path = o.str(m.name)
		case "skip":
			f.Skip = n
		case "times":
			f.Times = n
		case "delay_ms":
			f.Delay = time.Duration(n) * time.Millisecond
		case "status":
			f.Status = n
		case "retry_after":
			f.RetryAfter = n
		case "body":
			f.Body = o.str(m.name)
		case "content_type":
			f.Header.Set("Content-Type", o.str(m.name))
		case "location":
			f.Header.Set("Location", o.str(m.name))
		case "cut":
			f.Cut = o.is(m.name)
		case "late":
			f.Late = o.is(m.name)
		default:
			return f, badRequest("%s is no part of a fault", m.name)
		}
	}
	if f.Status != 0 && (f.Status < 200 || f.Status > 599) {
		return f, badRequest("status is invalid: %d is none from 200 to 599", f.Status)
	}
	return f, nil
}

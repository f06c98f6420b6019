package surface

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gitlab-mcp-server/internal/exec"
)

// firstMultiRound is the protocol version from which on a server may not ask
// within a call: the result says what to ask, and the client calls again.
const firstMultiRound = "2026-07-28"

// Names of our questions in a result that asks: for a yes, and for values.
const (
	inputKey = "confirm"
	formKey  = "form"
)

// asked is what one call asks the user, and where the answer comes from.
type asked struct {
	states  *states
	key     string // of the question; empty: nothing is asked
	form    *mcp.ElicitParams
	binding string
}

// attach gives a call what the client can do: progress, and an answer to the
// question before a destructive call. It returns nil if the client can ask
// within the call, or not at all.
func (d *Dynamic) attach(c *exec.Call, req *mcp.CallToolRequest) *asked {
	if token := req.Params.GetProgressToken(); token != nil {
		c.Progress = progress(req, token)
	}
	if !canAsk(req.ClientCapabilities()) {
		return nil
	}
	if req.ProtocolVersion() < firstMultiRound {
		c.Confirmer = func(ctx context.Context, q exec.Question) (bool, error) {
			answer, err := req.Session.Elicit(ctx, form(q))
			if err != nil {
				return false, fmt.Errorf("ask the user: %w", err)
			}
			return accepted(answer), nil
		}
		c.Elicit = func(ctx context.Context, message string, schema json.RawMessage) (json.RawMessage, bool, error) {
			return fillIn(ctx, req.Session, message, schema)
		}
		return nil
	}
	a := &asked{states: d.states}
	c.Confirmer = func(_ context.Context, q exec.Question) (bool, error) {
		if answer, ok := req.Params.InputResponses[inputKey].(*mcp.ElicitResult); ok {
			// An answer counts for the very request that the user was shown.
			return accepted(answer) && d.states.take(req.Params.RequestState, q.Binding), nil
		}
		a.ask(inputKey, form(q), q.Binding)
		return false, exec.ErrPending
	}
	c.Elicit = func(_ context.Context, message string, schema json.RawMessage) (json.RawMessage, bool, error) {
		bound := c.Action + "\x00" + message + "\x00" + string(schema)
		answer, ok := req.Params.InputResponses[formKey].(*mcp.ElicitResult)
		if !ok {
			a.ask(formKey, &mcp.ElicitParams{Mode: "form", Message: message, RequestedSchema: schema}, bound)
			return nil, false, exec.ErrPending
		}
		if !d.states.take(req.Params.RequestState, bound) {
			return nil, false, nil // an answer to another form
		}
		return content(answer)
	}
	return a
}

func (a *asked) ask(key string, f *mcp.ElicitParams, binding string) {
	a.key, a.form, a.binding = key, f, binding
}

// pending is the result that makes the client ask and call again.
func (a *asked) pending() *mcp.CallToolResult {
	if a.key == "" {
		return nil
	}
	return &mcp.CallToolResult{
		InputRequests: mcp.InputRequestMap{a.key: a.form},
		RequestState:  a.states.give(a.binding),
	}
}

// canAsk tells whether the client shows forms. One that names no mode does.
func canAsk(caps *mcp.ClientCapabilities) bool {
	return caps != nil && caps.Elicitation != nil && (caps.Elicitation.Form != nil || caps.Elicitation.URL == nil)
}

// form asks for nothing but a yes or no, which the protocol's accept and
// decline are.
func form(q exec.Question) *mcp.ElicitParams {
	return &mcp.ElicitParams{
		Mode:            "form",
		Message:         q.Prompt,
		RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`),
	}
}

// fillIn asks for values; false means that the user declined.
func fillIn(ctx context.Context, session *mcp.ServerSession, message string, schema json.RawMessage) (json.RawMessage, bool, error) {
	answer, err := session.Elicit(ctx, &mcp.ElicitParams{Mode: "form", Message: message, RequestedSchema: schema})
	if err != nil {
		return nil, false, fmt.Errorf("ask the user: %w", err)
	}
	return content(answer)
}

// content is what the user has filled in, or false if they declined.
func content(answer *mcp.ElicitResult) (json.RawMessage, bool, error) {
	if answer.Action != "accept" {
		return nil, false, nil
	}
	values, err := json.Marshal(answer.Content)
	if err != nil {
		return nil, false, fmt.Errorf("read the user's answer: %w", err)
	}
	return values, true, nil
}

// accepted is a plain accept; a client that adds a field set to false means no.
func accepted(r *mcp.ElicitResult) bool {
	if r == nil || r.Action != "accept" {
		return false
	}
	for _, v := range r.Content {
		if no, ok := v.(bool); ok && !no {
			return false
		}
	}
	return true
}

// progress tells the client how far a call has come. A notification that cannot
// be sent is no reason to fail the call.
func progress(req *mcp.CallToolRequest, token any) func(done, total int) {
	return func(done, total int) {
		_ = req.Session.NotifyProgress(context.Background(), &mcp.ProgressNotificationParams{
			ProgressToken: token, Progress: float64(done), Total: float64(total),
		})
	}
}

// states are tickets for answers that come with a later call. A ticket holds
// until when it is good and is sealed by this process for what the user was
// asked about, so that a client can neither make one up, nor use it for another
// request, nor use it twice.
type states struct {
	key [32]byte
	now func() time.Time

	mu   sync.Mutex
	used map[string]time.Time // until when a used ticket would be good
}

// stateLife is how long a user may think.
const stateLife = 15 * time.Minute

// The parts of a ticket, in bytes.
const (
	timeSize  = 8
	nonceSize = 16
)

func newStates() *states {
	s := &states{now: time.Now, used: map[string]time.Time{}}
	rand.Read(s.key[:]) // never fails; it ends the process where it would
	return s
}

// seal appends the seal of a ticket's open part.
func (s *states) seal(open []byte, binding string) []byte {
	mac := hmac.New(sha256.New, s.key[:])
	mac.Write(open)
	mac.Write([]byte(binding))
	return mac.Sum(open[:len(open):len(open)])
}

// give makes a ticket for a question about binding.
func (s *states) give(binding string) string {
	open := binary.BigEndian.AppendUint64(nil, uint64(s.now().Add(stateLife).Unix()))
	open = append(open, make([]byte, nonceSize)...)
	rand.Read(open[timeSize:])
	return base64.RawURLEncoding.EncodeToString(s.seal(open, binding))
}

// take tells whether a ticket is of this process, for binding, in time, and
// not used before.
func (s *states) take(ticket, binding string) bool {
	raw, err := base64.RawURLEncoding.DecodeString(ticket)
	if err != nil || len(raw) != timeSize+nonceSize+sha256.Size {
		return false
	}
	if !hmac.Equal(raw, s.seal(raw[:timeSize+nonceSize], binding)) {
		return false
	}
	now, until := s.now(), time.Unix(int64(binary.BigEndian.Uint64(raw)), 0)
	if now.After(until) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.used, func(_ string, t time.Time) bool { return now.After(t) })
	if _, again := s.used[string(raw)]; again {
		return false
	}
	s.used[string(raw)] = until
	return true
}

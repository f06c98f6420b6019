package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gitlab-mcp-server/internal/scan"
)

// Stdio is an mcp.Transport of newline-delimited messages for one session. It
// differs from the SDK's in three points: a line that is no message is answered
// with an error and the session goes on; when the input ends, what has been
// read is still answered; ids go back as the client wrote them.
type Stdio struct {
	In  io.Reader
	Out io.Writer
	Log *slog.Logger

	conn *stdioConn
}

// Connect starts reading. It is called once, by the SDK.
func (t *Stdio) Connect(context.Context) (mcp.Connection, error) {
	c := &stdioConn{
		out:      t.Out,
		log:      t.Log,
		lines:    make(chan line),
		wake:     make(chan struct{}, 1),
		closed:   make(chan struct{}),
		pending:  map[jsonrpc.ID]*pendingCall{},
		outgoing: map[jsonrpc.ID]struct{}{},
	}
	t.conn = c
	go c.readLines(newLines(t.In, maxLine))
	return c, nil
}

// Abort ends the session at once: calls in flight are cancelled and go
// unanswered. It is for signals, after Connect.
func (t *Stdio) Abort() { t.conn.end() }

// stdioConn is the connection of one session.
type stdioConn struct {
	log    *slog.Logger
	lines  chan line     // closed at the end of input
	wake   chan struct{} // the state changed, Read looks again
	closed chan struct{}
	once   sync.Once

	writing sync.Mutex // guards out: one message after another
	out     io.Writer

	mu       sync.Mutex
	queue    []jsonrpc.Message           // read, not yet handed to the SDK
	pending  map[jsonrpc.ID]*pendingCall // requests without an answer
	outgoing map[jsonrpc.ID]struct{}     // requests of ours without an answer
	version  string                      // negotiated by initialize, or empty
	ended    bool                        // no more input
	readErr  error                       // why input ended, nil for its plain end
}

// pendingCall is one request of the client that is still to be answered.
type pendingCall struct {
	rawID  []byte
	method string
	batch  *batch // nil for most
	slot   int
}

// SessionID is empty: stdio has one session.
func (c *stdioConn) SessionID() string { return "" }

// Close ends the session. Reading of stdin cannot be interrupted portably; the
// goroutine ends with its next line or with the process.
func (c *stdioConn) Close() error {
	c.end()
	return nil
}

func (c *stdioConn) end() { c.once.Do(func() { close(c.closed) }) }

func (c *stdioConn) readLines(l *lines) {
	defer close(c.lines)
	for {
		ln, err := l.next()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				c.mu.Lock()
				c.readErr = fmt.Errorf("read stdin: %w", err)
				c.mu.Unlock()
			}
			return
		}
		select {
		case c.lines <- ln:
		case <-c.closed:
			return
		}
	}
}

// Read gives the next message. It gives io.EOF only when the input has ended
// and every request in it has been answered.
func (c *stdioConn) Read(context.Context) (jsonrpc.Message, error) {
	lines := c.lines
	for {
		if msg, done, err := c.next(); msg != nil || done {
			return msg, err
		}
		select {
		case <-c.closed:
			return nil, io.EOF
		case <-c.wake:
		case ln, ok := <-lines:
			if !ok {
				lines = nil
				c.inputEnded()
				continue
			}
			if err := c.accept(ln); err != nil {
				return nil, err
			}
		}
	}
}

// next takes a message off the queue, or tells that none will ever come.
func (c *stdioConn) next() (msg jsonrpc.Message, done bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.queue) > 0 {
		msg, c.queue = c.queue[0], c.queue[1:]
		return msg, false, nil
	}
	if c.ended && len(c.pending) == 0 {
		if c.readErr != nil {
			return nil, true, c.readErr
		}
		return nil, true, io.EOF
	}
	return nil, false, nil
}

// listen is the method of requests that last until they are cancelled.
const listen = "subscriptions/listen"

// errInputEnded answers our own requests when the client can no longer.
var errInputEnded = errors.New("the client has closed its end")

// inputEnded lets go of whatever waits for more input: our own requests fail,
// and requests that only a cancellation ends are cancelled.
func (c *stdioConn) inputEnded() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return
	}
	c.ended = true
	for id := range c.outgoing {
		c.queue = append(c.queue, &jsonrpc.Response{ID: id, Error: errInputEnded})
	}
	clear(c.outgoing)
	for id, call := range c.pending {
		if call.method == listen {
			c.queue = append(c.queue, &jsonrpc.Request{Method: cancelled, Params: cancelParamsOf(id)})
		}
	}
}

func cancelParamsOf(id jsonrpc.ID) []byte {
	b := []byte(`{"requestId":`)
	if s, ok := id.Raw().(string); ok {
		b = scan.AppendQuoted(b, s)
	} else {
		b = fmt.Append(b, id.Raw())
	}
	return append(b, '}')
}

// accept queues the messages of a line, or answers what is wrong with it.
func (c *stdioConn) accept(ln line) error {
	if ln.tooLong {
		return c.refuse(fault(idOf(ln.text), jsonrpc.CodeInvalidRequest,
			fmt.Sprintf("invalid request: the line is longer than %d bytes", maxLine)))
	}
	if m := check(ln.text); m != nil {
		return c.refuse(*m)
	}
	if scan.KindOf(ln.text) == scan.Array {
		return c.acceptBatch(ln.text)
	}
	m := decode(ln.text)
	c.mu.Lock()
	m = c.register(m, nil, 0)
	c.mu.Unlock()
	if m.fault != nil {
		return c.refuse(m)
	}
	return nil
}

// register notes a request as pending and queues the message. A request under
// an id that is still in use becomes a fault. The caller holds mu.
func (c *stdioConn) register(m message, b *batch, slot int) message {
	switch msg := m.msg.(type) {
	case *jsonrpc.Request:
		if msg.IsCall() {
			if c.pending[msg.ID] != nil {
				// Without the id: it belongs to the answer of the other request.
				return fault(nil, jsonrpc.CodeInvalidRequest, "invalid request: id "+string(m.rawID)+" is in use by a request without an answer")
			}
			c.pending[msg.ID] = &pendingCall{rawID: m.rawID, method: msg.Method, batch: b, slot: slot}
		}
	case *jsonrpc.Response:
		delete(c.outgoing, msg.ID)
	}
	if m.fault == nil {
		c.queue = append(c.queue, m.msg)
	}
	return m
}

// refuse answers a message that is none.
func (c *stdioConn) refuse(m message) error {
	c.log.Warn("malformed message", "error", m.fault.Message)
	b, err := encodeError(m.rawID, m.fault)
	if err != nil {
		return err
	}
	return c.send(b)
}

const initialize = "initialize"

// Write sends a message.
func (c *stdioConn) Write(_ context.Context, msg jsonrpc.Message) error {
	switch msg := msg.(type) {
	case *jsonrpc.Response:
		return c.answer(msg)
	case *jsonrpc.Request:
		if msg.IsCall() && !c.ask(msg.ID) {
			return nil
		}
	}
	b, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	return c.send(b)
}

// ask notes a request of ours. When the input has ended there is no point in
// sending it: it is answered with an error instead, and ask gives false.
func (c *stdioConn) ask(id jsonrpc.ID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		c.queue = append(c.queue, &jsonrpc.Response{ID: id, Error: errInputEnded})
		c.rouse()
		return false
	}
	c.outgoing[id] = struct{}{}
	return true
}

// answer sends a response and retires its request.
func (c *stdioConn) answer(res *jsonrpc.Response) error {
	c.mu.Lock()
	call := c.pending[res.ID]
	started := c.version != ""
	c.mu.Unlock()
	if call == nil {
		// The SDK answers without an id when it could not tell whose request
		// failed; whatever it refused has been answered here already.
		c.log.Debug("response to no request")
		return nil
	}
	whenZero := int64(jsonrpc.CodeInternalError)
	if !started || call.method == initialize {
		whenZero = jsonrpc.CodeInvalidRequest // out of turn
	}
	b, err := encodeResponse(res, call.rawID, whenZero)
	if err != nil {
		c.log.Error("response cannot be encoded", "method", call.method, "error", err)
		if b, err = encodeError(call.rawID, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error"}); err != nil {
			return err
		}
	}
	// The request is retired before its answer goes out, since the client may
	// use the id again at once. The SDK ends no session while it writes.
	c.mu.Lock()
	delete(c.pending, res.ID)
	if call.method == initialize && res.Error == nil {
		c.version = protocolVersion(res.Result)
	}
	if call.batch != nil {
		call.batch.answers[call.slot] = b
		call.batch.left--
		b = nil
		if call.batch.left == 0 {
			b = call.batch.join()
		}
	}
	c.mu.Unlock()
	c.rouse()
	if b == nil {
		return nil
	}
	return c.send(b)
}

// protocolVersion is what the result of initialize says.
func protocolVersion(result []byte) string {
	for k, v := range scan.Members(result) {
		if string(k) == "protocolVersion" {
			return unquote(v)
		}
	}
	return ""
}

// rouse makes Read look at the state again. It never blocks.
func (c *stdioConn) rouse() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// send writes one line.
func (c *stdioConn) send(b []byte) error {
	b = append(slices.Clip(b), '\n')
	c.writing.Lock()
	defer c.writing.Unlock()
	if _, err := c.out.Write(b); err != nil {
		return fmt.Errorf("write stdout: %w", err)
	}
	return nil
}

package server

import (
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"gitlab-mcp-server/internal/scan"
)

// batch collects the answers to the requests of one array.
type batch struct {
	answers [][]byte
	left    int
}

// firstWithoutBatches is the protocol version that took batches back.
const firstWithoutBatches = "2025-06-18"

// acceptBatch takes an array of messages, which only older protocol versions have.
func (c *stdioConn) acceptBatch(text []byte) error {
	c.mu.Lock()
	version := c.version
	c.mu.Unlock()
	if version == "" || version >= firstWithoutBatches {
		return c.refuse(fault(nil, jsonrpc.CodeInvalidRequest, "invalid request: batches belong to a session of a protocol version before "+firstWithoutBatches))
	}
	var parts []message
	slots := 0
	for e := range scan.Elements(text) {
		m := decode(e)
		if req, ok := m.msg.(*jsonrpc.Request); ok && req.IsCall() && req.Method == initialize {
			m = fault(m.rawID, jsonrpc.CodeInvalidRequest, "invalid request: initialize cannot be part of a batch")
		}
		parts = append(parts, m)
	}
	if len(parts) == 0 {
		return c.refuse(fault(nil, jsonrpc.CodeInvalidRequest, "invalid request: the batch is empty"))
	}
	b := &batch{}
	c.mu.Lock()
	for _, m := range parts {
		req, ok := m.msg.(*jsonrpc.Request)
		answered := m.fault != nil || ok && req.IsCall()
		m = c.register(m, b, slots)
		if !answered {
			continue
		}
		b.answers = append(b.answers, nil)
		if m.fault == nil {
			b.left++
		} else if answer, err := encodeError(m.rawID, m.fault); err != nil {
			c.mu.Unlock()
			return err
		} else {
			b.answers[slots] = answer
		}
		slots++
	}
	complete := b.left == 0 && slots > 0
	c.mu.Unlock()
	if complete {
		return c.send(b.join())
	}
	return nil
}

// join is the array of a batch's answers.
func (b *batch) join() []byte {
	out := []byte{'['}
	for i, a := range b.answers {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, a...)
	}
	return append(out, ']')
}

package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// encodeResponse writes a response with the id as the client wrote it. whenZero
// is the code of errors that come without one.
func encodeResponse(res *jsonrpc.Response, rawID []byte, whenZero int64) ([]byte, error) {
	if res.Error != nil {
		return encodeError(rawID, wireError(res.Error, whenZero))
	}
	if len(res.Result) == 0 {
		return nil, errors.New("response without result")
	}
	b := make([]byte, 0, len(res.Result)+len(rawID)+len(`{"jsonrpc":"2.0","id":,"result":}`)+1)
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = append(b, rawID...)
	b = append(b, `,"result":`...)
	b = append(b, res.Result...)
	return append(b, '}'), nil
}

// encodeError writes an error response; without an id it is null.
func encodeError(rawID []byte, e *jsonrpc.Error) ([]byte, error) {
	body, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("encode error response: %w", err)
	}
	b := []byte(`{"jsonrpc":"2.0","id":`)
	if rawID == nil {
		b = append(b, "null"...)
	} else {
		b = append(b, rawID...)
	}
	b = append(b, `,"error":`...)
	b = append(b, body...)
	return append(b, '}'), nil
}

// wireError keeps the code of a wrapped protocol error and the whole message.
func wireError(err error, whenZero int64) *jsonrpc.Error {
	e := &jsonrpc.Error{Message: err.Error()}
	var inner *jsonrpc.Error
	if errors.As(err, &inner) {
		e.Code, e.Data = inner.Code, inner.Data
		if error(inner) == err {
			e.Message = inner.Message
		}
	}
	if e.Code == 0 {
		e.Code = whenZero
	}
	e.Message = shorten(e.Message)
	return e
}

// longest bounds an error's message, in bytes: the SDK repeats parameters that
// it cannot read, of any size.
const longest = 1000

func shorten(s string) string {
	if len(s) <= longest {
		return s
	}
	return strings.ToValidUTF8(s[:longest], "") + "…"
}

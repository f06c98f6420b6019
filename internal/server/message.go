package server

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"gitlab-mcp-server/internal/scan"
)

// message is one incoming JSON-RPC message, or what is wrong with it.
type message struct {
	msg   jsonrpc.Message
	rawID []byte         // as the client wrote it; nil if there is none
	fault *jsonrpc.Error // msg is nil
}

func fault(rawID []byte, code int64, text string) message {
	return message{rawID: rawID, fault: &jsonrpc.Error{Code: code, Message: text}}
}

// check tells why a line is no JSON text, or gives nil.
func check(text []byte) *message {
	if !utf8.Valid(text) {
		m := fault(idOf(text), jsonrpc.CodeParseError, "parse error: the line is not valid UTF-8")
		return &m
	}
	if err := scan.Valid(text); err != nil {
		m := fault(idOf(text), jsonrpc.CodeParseError, "parse error: "+err.Error())
		return &m
	}
	return nil
}

// decode reads one message of valid JSON text.
func decode(text []byte) message {
	if scan.KindOf(text) != scan.Object {
		return fault(nil, jsonrpc.CodeInvalidRequest, "invalid request: a message is a JSON object")
	}
	var version, id, method, params, result, failure []byte
	for k, v := range scan.Members(text) {
		switch scan.Key(k) {
		case "jsonrpc":
			version = v
		case "id":
			id = v
		case "method":
			method = v
		case "params":
			params = v
		case "result":
			result = v
		case "error":
			failure = v
		}
	}
	rawID := id
	if !isID(id) {
		rawID = nil
	}
	switch {
	case string(version) != `"2.0"`:
		return fault(rawID, jsonrpc.CodeInvalidRequest, `invalid request: "jsonrpc" must be "2.0"`)
	case id != nil && rawID == nil:
		return fault(nil, jsonrpc.CodeInvalidRequest, `invalid request: "id" must be a string or a number`)
	case method != nil && scan.KindOf(method) != scan.String:
		return fault(rawID, jsonrpc.CodeInvalidRequest, `invalid request: "method" must be a string`)
	case method != nil:
		req := &jsonrpc.Request{Method: unquote(method), Params: params}
		if rawID != nil {
			req.ID = toID(rawID)
		} else if req.Method == cancelled {
			req.Params = cancelParams(params)
		}
		return message{msg: req, rawID: rawID}
	case rawID == nil || result == nil && failure == nil:
		return fault(rawID, jsonrpc.CodeInvalidRequest, `invalid request: neither a "method" nor an answer`)
	}
	res := &jsonrpc.Response{ID: toID(rawID), Result: result}
	if failure != nil && scan.KindOf(failure) != scan.Null {
		e := new(jsonrpc.Error)
		if err := json.Unmarshal(failure, e); err != nil {
			return fault(rawID, jsonrpc.CodeInvalidRequest, `invalid request: "error" has another form than code and message`)
		}
		res.Error = e
	}
	return message{msg: res, rawID: rawID}
}

// idOf finds the id of a message that is damaged behind it, or nil.
func idOf(text []byte) []byte {
	for k, v := range scan.Members(text) {
		if scan.KeyIs(k, "id") && isID(v) && utf8.Valid(v) && scan.Valid(v) == nil {
			return v
		}
	}
	return nil
}

func isID(v []byte) bool {
	return scan.KindOf(v) == scan.String || scan.IsNumber(v)
}

// oddID starts ids of ours for numbers that an int64 or float64 cannot hold as
// they are. The client's own text goes back to it in either case.
const oddID = "\x00number "

// toID gives the id under which the SDK knows a request.
func toID(raw []byte) jsonrpc.ID {
	var v any
	if scan.KindOf(raw) == scan.String {
		v = unquote(raw)
	} else if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil && -1<<53 < n && n < 1<<53 {
		v = float64(n)
	} else {
		v = oddID + string(raw)
	}
	id, err := jsonrpc.MakeID(v)
	if err != nil {
		panic("unreachable: MakeID takes strings and float64: " + err.Error())
	}
	return id
}

// cancelled is the method of a notification that names a request by its id.
const cancelled = "notifications/cancelled"

// cancelParams replaces an odd id in the parameters by the one that the SDK knows.
func cancelParams(params []byte) []byte {
	for k, v := range scan.Members(params) {
		if !scan.KeyIs(k, "requestId") || !isID(v) {
			continue
		}
		if s, ok := toID(v).Raw().(string); ok && scan.KindOf(v) != scan.String {
			return append(scan.AppendQuoted([]byte(`{"requestId":`), s), '}')
		}
	}
	return params
}

func unquote(v []byte) string { return string(scan.AppendUnquoted(nil, v)) }

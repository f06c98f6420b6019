package exec

import (
	"strconv"
	"strings"

	"gitlab-mcp-server/internal/call"
	"gitlab-mcp-server/internal/render"
	"gitlab-mcp-server/internal/scan"
)

// preview is the result of a call that sends nothing: the exact request without
// the token.
func (x *execution) preview(why string) Result {
	b := append([]byte(nil), '{')
	b = x.appendRequest(b, &x.q)
	b = append(b, '}')
	x.note(why)
	return x.previewResult(b, []*call.Request{&x.q})
}

// previewPlan is the preview of an action of our own.
func (x *execution) previewPlan(p Plan) Result {
	why := "dry run: nothing was sent"
	if !x.call.DryRun {
		why = "safe mode: nothing was sent"
	}
	b := append([]byte(nil), '{')
	if len(p.Requests) > 0 {
		b = append(x.appendRequest(b, p.Requests[0]), ',')
	} else {
		b = append(b, `"method":"LOCAL","url":"","headers":{},"body":null,`...)
	}
	b = append(b, `"requests":[`...)
	for i, q := range p.Requests {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(x.appendRequest(append(b, '{'), q), '}')
	}
	b = append(b, "]}"...)
	x.note(why)
	return x.previewResult(b, p.Requests)
}

func (x *execution) previewResult(structured []byte, qs []*call.Request) Result {
	var t strings.Builder
	t.WriteString("## " + render.Escape(x.action.Title()) + ": preview\n")
	for _, q := range qs {
		t.WriteString("\n" + render.Fence("http", x.requestText(q)) + "\n")
	}
	t.WriteString(render.Footer(nil, x.notes))
	return Result{Text: t.String(), Structured: structured, Meta: meta(nil, x.notes)}
}

// appendRequest appends the members method, url, headers and body.
func (x *execution) appendRequest(b []byte, q *call.Request) []byte {
	b = scan.AppendQuoted(append(b, `"method":`...), q.Method())
	b = scan.AppendQuoted(append(b, `,"url":`...), x.urlOf(q))
	b = append(b, `,"headers":{`...)
	for i, h := range x.headers(q) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(scan.AppendQuoted(b, h[0]), ':')
		b = scan.AppendQuoted(b, h[1])
	}
	b = append(b, `},"body":`...)
	return appendBody(b, q)
}

func (x *execution) urlOf(q *call.Request) string {
	s := x.client.BaseURL() + q.Path()
	if query := q.RawQuery(); query != "" {
		s += "?" + query
	}
	return s
}

// headers are those that a request goes out with, the credential left out.
func (x *execution) headers(q *call.Request) [][2]string {
	h := [][2]string{{"Accept", x.answers().Accept()}, {"User-Agent", x.client.UserAgent()}}
	if ct := q.ContentType(); ct != "" {
		h = append(h, [2]string{"Content-Type", ct})
	}
	return h
}

// appendBody appends the body: its JSON, the parts of a form, a file, or null.
// Of a file's content only the size is shown.
func appendBody(b []byte, q *call.Request) []byte {
	if body := q.JSON(); body != nil {
		return append(b, body...)
	}
	if raw := q.Raw(); raw != nil {
		return appendPart(b, *raw)
	}
	parts := q.Parts()
	if len(parts) == 0 {
		return append(b, "null"...)
	}
	b = append(b, '[')
	for i, p := range parts {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendPart(b, p)
	}
	return append(b, ']')
}

func appendPart(b []byte, p call.Part) []byte {
	b = append(b, '{')
	member := func(key, value string) {
		if value == "" {
			return
		}
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = scan.AppendQuoted(append(b, `"`+key+`":`...), value)
	}
	member("name", p.Name)
	if !p.File {
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		return append(scan.AppendQuoted(append(b, `"value":`...), p.Content), '}')
	}
	member("filename", p.FormName())
	member("content_type", p.ContentType)
	member("path", p.Path)
	if p.Path == "" {
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = strconv.AppendInt(append(b, `"size":`...), int64(len(p.Content)), 10)
	}
	return append(b, '}')
}

// requestText is the request as it goes over the wire, for people.
func (x *execution) requestText(q *call.Request) string {
	var t strings.Builder
	t.WriteString(q.Method() + " " + x.urlOf(q) + "\n")
	for _, h := range x.headers(q) {
		t.WriteString(h[0] + ": " + h[1] + "\n")
	}
	if body := appendBody(nil, q); string(body) != "null" {
		t.WriteString("\n" + string(body))
	}
	return strings.TrimRight(t.String(), "\n")
}

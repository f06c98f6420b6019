// Package call builds one HTTP request from an action's arguments. It is the one
// place that encodes: path segments, query strings, JSON bodies and forms.
//
// It sends nothing, opens no files and knows no action.
package call

// Request is one request to GitLab. The zero value is ready; Reset makes it
// ready again and keeps its buffers. It is not for concurrent use.
type Request struct {
	method string
	path   []byte
	params []param
	err    *PathError // the first
	body   Body
	raw    *Part

	boundary string // of a form, made when first asked for
}

// Reset empties the request.
func (q *Request) Reset() {
	clear(q.params)
	*q = Request{path: q.path[:0], params: q.params[:0], body: q.body.reset()}
}

// Start begins a request, an empty one.
func (q *Request) Start(method string) {
	q.Reset()
	q.method = method
}

// Method is the HTTP method.
func (q *Request) Method() string { return q.method }

// Path is the encoded path.
func (q *Request) Path() string { return string(q.path) }

// Err is nil, or the first [*PathError].
func (q *Request) Err() error {
	if q.err == nil {
		return nil
	}
	return q.err
}

// RawBody makes a file the whole body: its content, or the path that the
// sender opens. Without a content type it is application/octet-stream.
func (q *Request) RawBody(filename, contentType string, content []byte, path string) {
	if contentType == "" {
		contentType = octetStream
	}
	q.raw = &Part{File: true, Filename: filename, ContentType: contentType, Content: content, Path: path}
}

// Raw is the file that is the whole body, or nil.
func (q *Request) Raw() *Part { return q.raw }

// HasBody reports whether there is a body to send. A body nothing was written
// to is none, unless the operation demands one.
func (q *Request) HasBody() bool { return q.raw != nil || q.body.written || q.body.required }

// JSON is the body as JSON text, nil if there is none or it is no JSON. It is
// valid until the next Reset or Start.
func (q *Request) JSON() []byte {
	if !q.HasBody() || q.raw != nil || q.body.form {
		return nil
	}
	return q.body.text()
}

// Parts are the parts of a form; nil if the body is none.
func (q *Request) Parts() []Part {
	if !q.body.form {
		return nil
	}
	return q.body.parts
}

// ContentType is the media type of the body, empty without one. That of a form
// holds the boundary that WriteForm uses.
func (q *Request) ContentType() string {
	switch {
	case !q.HasBody():
		return ""
	case q.raw != nil:
		return q.raw.ContentType
	case q.body.form:
		return "multipart/form-data; boundary=" + q.formBoundary()
	}
	return "application/json"
}

package gitlab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/hashicorp/go-retryablehttp"

	"gitlab-mcp-server/internal/call"
)

// Answers is the kind of answer that a request is expected to have.
type Answers uint8

// Kinds of answers.
const (
	JSON   Answers = iota // or nothing
	Text                  // any text, HTML included
	Binary                // a file
)

// Options say what Do must know of a request beside the request itself.
type Options struct {
	// Read is true for requests that may be repeated because they change nothing.
	Read    bool
	Answers Answers
	// Facts help to word the hint of an error.
	Facts Facts
	// Save, if not nil, is asked with the header of a 2xx answer where its body goes to;
	// a nil Writer keeps it in memory. A repeated attempt asks again. The size limit
	// holds for bodies in memory only.
	Save func(http.Header) (io.Writer, error)
}

// Response is an answer with a 2xx status.
type Response struct {
	Status int
	Header http.Header
	Body   []byte // nil if it was saved
	Size   int64  // of the body
	Saved  bool
	// Cut is true where the body ends before its end: the answer to a write, which
	// stays a success, or a text above the size limit.
	Cut bool
}

type credentialKey struct{}

// WithCredential makes requests under ctx carry cr in place of the client's
// own credential, even if cr is none.
func WithCredential(ctx context.Context, cr Credential) context.Context {
	return context.WithValue(ctx, credentialKey{}, cr)
}

func (c *Client) credentialOf(ctx context.Context) Credential {
	if cr, ok := ctx.Value(credentialKey{}).(Credential); ok {
		return cr
	}
	return c.credential
}

// errTooLarge is a body above the limit.
var errTooLarge = errors.New("the answer is too large")

// localError is a failure on our side, before or beside the network: a file
// that cannot be read or written.
type localError struct{ err error }

func (e *localError) Error() string { return e.err.Error() }
func (e *localError) Unwrap() error { return e.err }

// Do sends q and gives the answer. It takes at most the client's timeout, and
// less if ctx says so. Every error is an [*Error], and so is every status but
// 2xx.
func (c *Client) Do(ctx context.Context, q *call.Request, opts Options) (*Response, error) {
	parent := ctx
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	e := exchange{c: c, q: q, opts: opts, parent: parent, credential: c.credentialOf(ctx)}
	return e.run(ctx)
}

// exchange is one Do.
type exchange struct {
	c          *Client
	q          *call.Request
	opts       Options
	parent     context.Context
	credential Credential

	method  string
	target  *url.URL
	left    bool // another host answers: no credentials from here on
	attempt *attempt
	sent    bool // by any hop
}

func (e *exchange) run(ctx context.Context) (*Response, error) {
	target, err := e.c.resolve(e.q)
	if err != nil {
		return nil, e.failed(err)
	}
	e.method, e.target = e.q.Method(), target
	for hop := 0; ; hop++ {
		resp, body, err := e.send(ctx)
		if err != nil {
			return nil, e.failed(err)
		}
		if !isRedirect(resp) {
			return e.answer(resp, body)
		}
		if err := e.follow(resp, hop); err != nil {
			return nil, err
		}
	}
}

// resolve is where q goes to. The path is taken as it is encoded.
func (c *Client) resolve(q *call.Request) (*url.URL, error) {
	s := c.BaseURL() + q.Path()
	if query := q.RawQuery(); query != "" {
		s += "?" + query
	}
	u, err := url.Parse(s)
	if err != nil {
		return nil, &localError{fmt.Errorf("build the address: %w", errors.Unwrap(err))}
	}
	return u, nil
}

// bodyRead is what became of an answer's body.
type bodyRead struct {
	bytes []byte
	size  int64
	saved bool
	cut   bool
}

// send sends one hop, retries included. The body of the answer is read and closed.
func (e *exchange) send(ctx context.Context) (*http.Response, *bodyRead, error) {
	e.attempt = &attempt{read: e.opts.Read}
	ctx = withAttempt(ctx, e.attempt)
	req, err := retryablehttp.NewRequestWithContext(ctx, e.method, e.target.String(), nil)
	if err != nil {
		return nil, nil, &localError{fmt.Errorf("build the request: %w", err)}
	}
	// A redirect that turned the request into a GET has dropped the body too.
	if e.method == e.q.Method() {
		if err := e.c.setBody(req, e.q); err != nil {
			return nil, nil, &localError{err}
		}
	}
	e.setHeader(req.Header)
	var read *bodyRead
	req.SetResponseHandler(func(resp *http.Response) error {
		var err error
		read, err = e.readBody(resp)
		return err
	})
	resp, err := e.pick().Do(req)
	e.sent = e.sent || e.attempt.sent.Load()
	// An answer that was read to its end stands, even if the caller has given
	// up in the meantime.
	if err != nil && (read == nil || resp == nil) {
		if resp != nil {
			resp.Body.Close()
		}
		return nil, nil, err
	}
	if read == nil { // retries ran out, nobody has read the last answer
		if read, err = e.readBody(resp); err != nil {
			return nil, nil, err
		}
	}
	return resp, read, nil
}

// pick is the client whose connections suit the request.
func (e *exchange) pick() *retryablehttp.Client {
	safe := e.method == http.MethodGet || e.method == http.MethodHead
	if safe && !e.opts.Read {
		return e.c.fresh
	}
	return e.c.pooled
}

func (e *exchange) setHeader(h http.Header) {
	h.Set("User-Agent", e.c.userAgent)
	if e.left {
		return
	}
	e.credential.set(h)
	h.Set("Accept", e.opts.Answers.Accept())
}

// Accept is the Accept header of a request for such an answer.
func (a Answers) Accept() string {
	if a == JSON {
		return "application/json"
	}
	return "*/*"
}

// readBody reads the body of resp within the limits and closes it. An error
// means that the answer is of no use; a write that succeeded has none.
func (e *exchange) readBody(resp *http.Response) (*bodyRead, error) {
	defer resp.Body.Close()
	success := resp.StatusCode >= 200 && resp.StatusCode < 300
	if !success {
		const enough = 1 << 20 // no message is longer
		b, _ := io.ReadAll(io.LimitReader(resp.Body, enough))
		// The status has come, which says more than the rest of the text.
		return &bodyRead{bytes: b, size: int64(len(b))}, nil
	}
	if e.opts.Save != nil && !e.isPage(resp.Header, nil) {
		w, err := e.opts.Save(resp.Header)
		if err != nil {
			return nil, &localError{err}
		}
		if w != nil {
			n, err := io.Copy(w, resp.Body)
			if err != nil {
				return nil, fmt.Errorf("read the answer: %w", err)
			}
			return &bodyRead{size: n, saved: true}, nil
		}
	}
	b, err := io.ReadAll(io.LimitReader(resp.Body, e.c.maxBytes+1))
	if int64(len(b)) > e.c.maxBytes {
		b = b[:e.c.maxBytes]
		if e.opts.Read && e.opts.Answers != Text {
			return nil, errTooLarge
		}
		return &bodyRead{bytes: b, size: int64(len(b)), cut: true}, nil
	}
	if err != nil {
		if e.opts.Read {
			return nil, fmt.Errorf("read the answer: %w", err)
		}
		return &bodyRead{bytes: b, size: int64(len(b)), cut: true}, nil
	}
	return &bodyRead{bytes: b, size: int64(len(b))}, nil
}

// answer is the outcome of an exchange that ended with resp.
func (e *exchange) answer(resp *http.Response, body *bodyRead) (*Response, error) {
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return nil, e.refused(resp, body.bytes)
	}
	if page := e.unexpectedHTML(resp, body); page != nil {
		return nil, page
	}
	return &Response{Status: resp.StatusCode, Header: resp.Header, Body: body.bytes, Size: body.size, Saved: body.saved, Cut: body.cut}, nil
}

// isHTML is true for a page for browsers. Without a content type that says
// otherwise the beginning of the body decides, and so it does where JSON is
// promised: some proxies keep the type of the answer that they replace.
func isHTML(h http.Header, body []byte) bool {
	media, _, _ := strings.Cut(strings.ToLower(h.Get("Content-Type")), ";")
	switch strings.TrimSpace(media) {
	case "text/html", "application/xhtml+xml":
		return true
	case "", "text/plain", "application/json":
	default:
		return false
	}
	start := strings.ToLower(strings.TrimSpace(string(body[:min(len(body), 256)])))
	return strings.HasPrefix(start, "<!doctype html") || strings.HasPrefix(start, "<html")
}

package gitlab

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// maxBackoff bounds the waits that nobody asked for.
const maxBackoff = 5 * time.Second

// attempt is what CheckRetry must know and cannot see: go-retryablehttp gives
// it no request when the network failed.
type attempt struct {
	read bool // repeating it changes nothing
	sent atomic.Bool
	n    int
}

type attemptKey struct{}

// withAttempt puts a into the context and notes when a connection was had,
// which is the last moment at which certainly no byte of the request was sent.
func withAttempt(ctx context.Context, a *attempt) context.Context {
	ctx = context.WithValue(ctx, attemptKey{}, a)
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		// net/http looks for a second connection by itself only where the
		// first one took nothing, so the note starts afresh.
		GetConn: func(string) { a.sent.Store(false) },
		GotConn: func(httptrace.GotConnInfo) { a.sent.Store(true) },
	})
}

func attemptOf(ctx context.Context) *attempt {
	a, ok := ctx.Value(attemptKey{}).(*attempt)
	if !ok {
		a = &attempt{}
		a.sent.Store(true)
	}
	return a
}

// retrying makes a client that repeats what may be repeated: reads on network
// errors and 5xx, everything that failed before a byte was sent, and everything
// that was answered with 429.
//
// Requests that change something with a method that net/http takes for safe go
// through a client without kept connections: the transport repeats a GET by
// itself when a kept connection breaks.
func (c *Client) retrying(t *http.Transport, retries int, wait time.Duration) *retryablehttp.Client {
	return &retryablehttp.Client{
		HTTPClient: &http.Client{
			Transport: pool{t},
			// Redirects are followed by Do, which knows the rules.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		RetryMax:     retries,
		RetryWaitMin: wait,
		RetryWaitMax: maxBackoff,
		CheckRetry:   c.checkRetry,
		Backoff:      c.backoff,
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
		RequestLogHook: func(_ retryablehttp.Logger, r *http.Request, n int) {
			a := attemptOf(r.Context())
			a.n = n + 1
			a.sent.Store(false)
			c.log.DebugContext(r.Context(), "request", "method", r.Method, "host", r.URL.Host, "path", r.URL.EscapedPath(), "attempt", n+1)
		},
		ResponseLogHook: func(_ retryablehttp.Logger, r *http.Response) {
			if r.StatusCode == http.StatusTooManyRequests {
				// Turned away at the door: the same as never sent.
				attemptOf(r.Request.Context()).sent.Store(false)
			}
			c.log.DebugContext(r.Request.Context(), "response", "method", r.Request.Method, "path", r.Request.URL.EscapedPath(), "status", r.StatusCode, "request_id", r.Header.Get("X-Request-Id"))
		},
	}
}

func (c *Client) checkRetry(ctx context.Context, resp *http.Response, err error) (bool, error) {
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	a := attemptOf(ctx)
	if err != nil {
		if permanent(err) {
			return false, nil
		}
		return a.read || !a.sent.Load() || closedBefore(err), nil
	}
	switch {
	case resp.StatusCode == http.StatusTooManyRequests:
	case resp.StatusCode >= 500 && resp.StatusCode != http.StatusNotImplemented && a.read:
	default:
		return false, nil
	}
	// A wait that is not worth it ends the call now, with the answer at hand.
	wait, _ := retryAfter(resp)
	deadline, ok := ctx.Deadline()
	return wait <= c.maxWait && (!ok || time.Until(deadline) > wait), nil
}

// backoff is how long to wait: what GitLab asks for, else twice the last wait,
// scattered so that parallel calls do not come back together.
func (c *Client) backoff(least, most time.Duration, n int, resp *http.Response) time.Duration {
	wait := min(least<<min(n, 10), most)
	wait = wait/2 + rand.N(wait/2+1)
	if resp != nil {
		if asked, ok := retryAfter(resp); ok {
			return max(asked, min(wait, time.Second))
		}
	}
	return wait
}

// retryAfter is the wait that a 429 or 503 asks for: Retry-After in seconds or as
// a date, else RateLimit-Reset, which GitLab gives as Unix time.
func retryAfter(resp *http.Response) (time.Duration, bool) {
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode != http.StatusServiceUnavailable {
		return 0, false
	}
	if h := strings.TrimSpace(resp.Header.Get("Retry-After")); h != "" {
		if s, err := strconv.ParseInt(h, 10, 64); err == nil {
			return seconds(s), true
		}
		if t, err := http.ParseTime(h); err == nil {
			return max(time.Until(t), 0), true
		}
	}
	if resp.StatusCode != http.StatusTooManyRequests {
		return 0, false
	}
	if s, err := strconv.ParseInt(strings.TrimSpace(resp.Header.Get("RateLimit-Reset")), 10, 64); err == nil {
		// Small numbers are the seconds of the draft standard, not a time.
		if s < 1_000_000_000 {
			return seconds(s), true
		}
		return max(time.Until(time.Unix(s, 0)), 0), true
	}
	return 0, false
}

func seconds(n int64) time.Duration {
	const most = 1 << 32 // keeps the product from overflowing
	return time.Duration(min(max(n, 0), most)) * time.Second
}

// permanent is true for failures that come again however often one asks.
func permanent(err error) bool {
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	var record tls.RecordHeaderError
	var local *localError
	return errors.As(err, &certificate) || errors.As(err, &authority) || errors.As(err, &host) ||
		errors.As(err, &invalid) || errors.As(err, &record) || errors.As(err, &local) || errors.Is(err, errTooLarge) ||
		strings.Contains(err.Error(), "server gave HTTP response to HTTPS client")
}

// closedBefore is true where the other side had closed a kept connection before
// the request was begun; net/http tells it by this text only.
func closedBefore(err error) bool {
	return strings.HasSuffix(err.Error(), "http: server closed idle connection")
}

package gitlab

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"time"
)

// Code is the kind of a failure, as results name it.
type Code string

// Kinds of failures of a request.
const (
	Refused        Code = "gitlab"          // GitLab answered with an error; Status says which
	Network        Code = "network"         // no answer came
	Timeout        Code = "timeout"         // no answer came in time
	RateLimited    Code = "rate_limited"    // the wait that GitLab asks for is too long
	OutcomeUnknown Code = "outcome_unknown" // a write was sent and its effect is not known
	Canceled       Code = "canceled"        // the caller gave up
)

// Error is a request that failed. Its texts are one line each, safe to show and
// free of credentials.
type Error struct {
	Code       Code
	Status     int    // of the answer; 0 if none came
	Message    string // GitLab's own, or what went wrong
	RequestID  string // for GitLab's administrators
	Hint       string // what to do
	RetryAfter int    // seconds; 0 if nobody said
	Err        error  // the cause, where there is one on our side
}

func (e *Error) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("%s (status %d): %s", e.Code, e.Status, e.Message)
	}
	return string(e.Code) + ": " + e.Message
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

const checkFirst = "it may have taken effect: read the current state before repeating it"

// failed words an error of the network, the deadline or our own side.
func (e *exchange) failed(err error) error {
	var done *Error
	if errors.As(err, &done) {
		return done
	}
	out := &Error{Code: Network, Err: err}
	unknown := !e.opts.Read && (e.sent || e.attempt != nil && e.attempt.sent.Load()) && !closedBefore(err)
	var local *localError
	switch {
	case errors.As(err, &local):
		// Files of our own are read while the request is under way.
		out.Message = oneLine(local.Error())
		if unknown {
			out.Code, out.Hint = OutcomeUnknown, "the request broke off; "+checkFirst
		}
		return e.clean(out)
	case errors.Is(err, errTooLarge):
		out.Code, out.Message = Refused, fmt.Sprintf("the answer is larger than %d bytes", e.c.maxBytes)
		out.Hint = "ask for less (a page, a filter, a narrower path), or raise GITLAB_MAX_RESPONSE_BYTES"
		return e.clean(out)
	case e.parent.Err() != nil && errors.Is(e.parent.Err(), context.Canceled):
		out.Code, out.Message = Canceled, "the call was canceled"
		if unknown {
			out.Hint = "the request had been sent; " + checkFirst
		}
		return e.clean(out)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		out.Code, out.Message = Timeout, fmt.Sprintf("no complete answer from %s within the time limit", e.target.Host)
		out.Hint = "ask for less, or raise GITLAB_TIMEOUT (" + e.c.timeout.Round(time.Millisecond).String() + ")"
	default:
		out.Message, out.Hint = describe(err, e.host())
		if e.left {
			out.Hint = "GitLab lets " + e.host() + " hand out this file: that host has to be reachable from here too"
		}
	}
	if unknown {
		out.Code = OutcomeUnknown
		out.Message = "the request was sent, but no answer came: " + out.Message
		out.Hint = checkFirst
	}
	return e.clean(out)
}

func (e *exchange) host() string {
	if e.target != nil {
		return e.target.Host
	}
	return e.c.base.Host
}

// clean takes the credential out of the texts, whoever put it there.
func (e *exchange) clean(err *Error) *Error {
	ctx := WithCredential(context.Background(), e.credential)
	for _, s := range []*string{&err.Message, &err.Hint, &err.RequestID} {
		*s = e.c.Redact(ctx, *s)
	}
	return err
}

// describe words a failure of the network and what to do about it.
func describe(err error, host string) (message, hint string) {
	const certificates = "if it belongs to a private authority, name its bundle in GITLAB_CA_FILE"
	var (
		authority x509.UnknownAuthorityError
		hostname  x509.HostnameError
		invalid   x509.CertificateInvalidError
		record    tls.RecordHeaderError
		dns       *net.DNSError
		op        *net.OpError
	)
	text := errorText(err)
	switch {
	case errors.As(err, &authority):
		return "TLS: the certificate of " + host + " is signed by an unknown authority", certificates
	case errors.As(err, &hostname):
		return "TLS: the certificate of " + host + " is for another host", "check the host in GITLAB_URL"
	case errors.As(err, &invalid):
		return "TLS: the certificate of " + host + " is not valid: " + oneLine(invalid.Error()), "check the clock of this machine and the certificate's dates"
	case errors.As(err, &record), strings.Contains(text, "server gave HTTP response to HTTPS client"):
		return "TLS: " + host + " answers without TLS", "check the scheme and port in GITLAB_URL"
	case strings.Contains(text, "tls:"), strings.Contains(text, "x509:"):
		return "TLS: " + text, certificates
	case errors.As(err, &dns) && dns.IsNotFound:
		return "unknown host: " + dns.Name + " has no address", "check the host in GITLAB_URL, and whether a VPN or proxy is needed"
	case errors.As(err, &dns):
		return "the name " + dns.Name + " could not be looked up: " + oneLine(dns.Err), "check the network and its name server"
	case strings.Contains(text, "proxyconnect"):
		return "the proxy does not connect to " + host + ": " + text, "check HTTPS_PROXY, HTTP_PROXY and NO_PROXY"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection to " + host + " refused", "check the host and port in GITLAB_URL and whether GitLab runs"
	case errors.As(err, &op) && op.Timeout():
		return "connection to " + host + " timed out", "check the network, and whether a VPN or proxy is needed"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), strings.HasSuffix(text, "EOF"):
		return "the connection to " + host + " broke off before the answer was complete", "try again; if it lasts, a proxy before GitLab may be cutting connections"
	}
	return "no connection to " + host + ": " + text, ""
}

// errorText is err in one line, without the address that net/http puts before
// it: its query may hold a secret.
func errorText(err error) string {
	var u *url.Error
	for errors.As(err, &u) {
		err = u.Err
	}
	return oneLine(err.Error())
}

// refused is the error of an answer that is no success.
func (e *exchange) refused(resp *http.Response, body []byte) error {
	out := &Error{Code: Refused, Status: resp.StatusCode, RequestID: requestID(resp.Header)}
	if isHTML(resp.Header, body) {
		out.Message = htmlMessage(resp, body)
	} else {
		out.Message = Message(body)
	}
	if out.Message == "" {
		out.Message = fmt.Sprintf("%d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	}
	if e.left {
		out.Message = e.target.Host + " answered: " + out.Message
	}
	if wait, ok := retryAfter(resp); ok {
		out.RetryAfter = int((wait + time.Second - 1) / time.Second)
	}
	if resp.StatusCode == http.StatusTooManyRequests {
		out.Code = RateLimited
	}
	out.Hint = e.hint(resp, out, body)
	return e.clean(out)
}

// isPage reports whether a success is a page for browsers that nobody asked for.
// A text may be HTML, and so may a stored file; GitLab then names the file.
func (e *exchange) isPage(h http.Header, body []byte) bool {
	switch {
	case e.opts.Answers == Text, e.opts.Answers == Binary && h.Get("Content-Disposition") != "":
		return false
	}
	return isHTML(h, body)
}

// unexpectedHTML is the error of a success that is a page for browsers where
// none was asked for; nil if the answer is in order.
func (e *exchange) unexpectedHTML(resp *http.Response, body *bodyRead) error {
	if body.saved || !e.isPage(resp.Header, body.bytes) {
		return nil
	}
	out := &Error{Code: Refused, Status: resp.StatusCode, Message: htmlMessage(resp, body.bytes), RequestID: requestID(resp.Header)}
	out.Hint = "a proxy or a sign-in page answers in GitLab's place: check GITLAB_URL and the proxy"
	if e.left {
		out.Hint = e.elsewhere(resp.StatusCode)
	}
	if !e.opts.Read {
		out.Code = OutcomeUnknown
		out.Hint = "whether GitLab saw the request is not known; " + checkFirst
	}
	return e.clean(out)
}

func (e *exchange) redirectError(resp *http.Response, message, hint string) error {
	return e.clean(&Error{Code: Refused, Status: resp.StatusCode, Message: message, Hint: hint, RequestID: requestID(resp.Header)})
}

func (e *exchange) signIn(resp *http.Response) error {
	hint := "no token was sent: set GITLAB_TOKEN"
	if e.credential.Token != "" {
		hint = "the token was not accepted: check that it is valid for " + e.c.base.Host + " and not expired; a proxy that strips Authorization needs GITLAB_AUTH_HEADER=private-token"
	}
	return e.redirectError(resp, "authentication failed: "+e.c.base.Host+" redirects to its sign-in page", hint)
}

func requestID(h http.Header) string {
	return oneLine(h.Get("X-Request-Id"))
}

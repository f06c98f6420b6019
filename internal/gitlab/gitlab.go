// Package gitlab sends requests to one GitLab: credentials, retries, rate
// limits, redirects, deadlines, size limits, and errors that say what happened.
//
// It knows nothing of actions: what a request means, whether it may be sent
// and how its answer is shown is package exec's. It never decodes an answer
// that is no error, and nothing that it logs or returns holds a credential.
package gitlab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// Config is what a Client needs. Only BaseURL has no default.
type Config struct {
	// BaseURL is the normalised address, scheme and host and perhaps the path
	// of a sub-path install, without /api/v4 and without a trailing slash.
	BaseURL    string
	Credential Credential

	Timeout          time.Duration // of one Do, retries and redirects included; 60 s
	MaxRetryWait     time.Duration // the longest wait that a 429 may ask for; 30 s
	MaxResponseBytes int64         // after decompression; 64 MiB
	Retries          int           // attempts behind the first; 0 means 3, below 0 none
	RetryWait        time.Duration // before the first retry, then doubled; 250 ms

	CAFiles       []string // PEM bundles beside the system's
	SkipTLSVerify bool
	UserAgent     string
	Logger        *slog.Logger // nil: no logs
	// Open opens a file that an argument named by its path; nil: no file can be sent.
	Open func(path string) (File, error)
}

// File is an opened file of known size.
type File interface {
	io.ReadCloser
	Size() int64
}

// Credential is a token and the header that carries it. The zero value is no
// credential: requests go out anonymously.
type Credential struct {
	Kind  Kind
	Token string
}

// Kind is the header that carries a token.
type Kind uint8

// Kinds of credentials.
const (
	Bearer       Kind = iota // Authorization: Bearer, which takes every kind of access token
	PrivateToken             // PRIVATE-TOKEN
	JobToken                 // JOB-TOKEN
)

// String keeps a token from being printed by accident.
func (c Credential) String() string {
	if c.Token == "" {
		return "anonymous"
	}
	return masked
}

// GoString is String.
func (c Credential) GoString() string { return c.String() }

// LogValue is String.
func (c Credential) LogValue() slog.Value { return slog.StringValue(c.String()) }

func (c Credential) set(h http.Header) {
	if c.Token == "" {
		return
	}
	switch c.Kind {
	case PrivateToken:
		h.Set("PRIVATE-TOKEN", c.Token)
	case JobToken:
		h.Set("JOB-TOKEN", c.Token)
	default:
		h.Set("Authorization", "Bearer "+c.Token)
	}
}

// Client sends requests. It is safe for concurrent use.
type Client struct {
	base       *url.URL
	credential Credential
	timeout    time.Duration
	maxWait    time.Duration
	maxBytes   int64
	userAgent  string
	log        *slog.Logger
	open       func(string) (File, error)
	pooled     *retryablehttp.Client
	fresh      *retryablehttp.Client // one connection per request; see retry.go
}

// New makes a Client. It opens no connection; the error tells of a base URL or
// CA bundle that cannot be used.
func New(cfg Config) (*Client, error) {
	base, err := url.Parse(cfg.BaseURL)
	if err != nil || (base.Scheme != "http" && base.Scheme != "https") || base.Host == "" {
		return nil, fmt.Errorf("base URL %q: not an http or https address", redact(cfg.BaseURL))
	}
	base.User, base.RawQuery, base.Fragment = nil, "", ""
	transport, err := newTransport(cfg)
	if err != nil {
		return nil, err
	}
	c := &Client{
		base:       base,
		credential: cfg.Credential,
		timeout:    cmp.Or(cfg.Timeout, time.Minute),
		maxWait:    cmp.Or(cfg.MaxRetryWait, 30*time.Second),
		maxBytes:   cmp.Or(cfg.MaxResponseBytes, 64<<20),
		userAgent:  cmp.Or(cfg.UserAgent, "gitlab-mcp-server"),
		log:        cfg.Logger,
		open:       cfg.Open,
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	if c.open == nil {
		c.open = func(string) (File, error) { return nil, errors.New("no directory to read files from is allowed") }
	}
	retries := cmp.Or(max(cfg.Retries, -1), 3)
	wait := cmp.Or(cfg.RetryWait, 250*time.Millisecond)
	c.pooled = c.retrying(transport, max(retries, 0), wait)
	once := transport.Clone()
	once.DisableKeepAlives = true
	c.fresh = c.retrying(once, max(retries, 0), wait)
	return c, nil
}

// BaseURL is the address that the client was made with, free of credentials.
func (c *Client) BaseURL() string { return strings.TrimRight(c.base.String(), "/") }

// Host is GitLab's host, with its port if it has one.
func (c *Client) Host() string { return c.base.Host }

// Timeout is the longest that one Do takes.
func (c *Client) Timeout() time.Duration { return c.timeout }

// UserAgent is the User-Agent of every request.
func (c *Client) UserAgent() string { return c.userAgent }

// Redact is text without the credential that requests under ctx carry, in case that
// somebody sends it back.
func (c *Client) Redact(ctx context.Context, text string) string {
	for _, cr := range [...]Credential{c.credentialOf(ctx), c.credential} {
		if len(cr.Token) >= shortestToken {
			text = strings.ReplaceAll(text, cr.Token, masked)
		}
	}
	return text
}

// masked stands in place of a credential. A credential that is shorter than
// shortestToken is none that GitLab gave out, and would hit ordinary words.
const (
	masked        = "[MASKED]"
	shortestToken = 8
)

// Close drops idle connections.
func (c *Client) Close() {
	for _, r := range []*retryablehttp.Client{c.pooled, c.fresh} {
		if p, ok := r.HTTPClient.Transport.(pool); ok {
			p.Transport.CloseIdleConnections()
		}
	}
}

// redact is s without credentials before the host.
func redact(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return "…"
	}
	u.User = nil
	return u.String()
}

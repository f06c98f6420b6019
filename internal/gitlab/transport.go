package gitlab

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"time"
)

// newTransport is net/http's default transport, proxies and NO_PROXY included,
// with room for parallel calls and the trust that cfg asks for.
func newTransport(cfg Config) (*http.Transport, error) {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConns = 64
	t.MaxIdleConnsPerHost = 32
	// Below the idle timeouts of common proxies: a connection that the other
	// side is about to close turns a write into one of unknown outcome.
	t.IdleConnTimeout = 45 * time.Second
	t.ForceAttemptHTTP2 = true
	if len(cfg.CAFiles) == 0 && !cfg.SkipTLSVerify {
		return t, nil
	}
	t.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: cfg.SkipTLSVerify}
	if len(cfg.CAFiles) == 0 {
		return t, nil
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool() // no system store: the bundles stand alone
	}
	for _, name := range cfg.CAFiles {
		pem, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read CA bundle: %w", err)
		}
		if !roots.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("CA bundle %s: no certificate in PEM form", name)
		}
	}
	t.TLSClientConfig.RootCAs = roots
	return t, nil
}

// pool hides CloseIdleConnections from go-retryablehttp, which calls it after
// every failed request and so would close the connections of other calls.
type pool struct{ Transport *http.Transport }

// RoundTrip sends one request. An address in Location that cannot be read is
// moved to unreadable: http.Client would make an error of the network out of
// it, to be sent again, where GitLab has answered.
func (p pool) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := p.Transport.RoundTrip(r)
	if err != nil || !isRedirect(resp) {
		return resp, err
	}
	if to := resp.Header.Get("Location"); to != "" {
		if _, err := url.Parse(to); err != nil {
			resp.Header.Del("Location")
			resp.Header[unreadable] = []string{to}
		}
	}
	return resp, nil
}

// unreadable is no name that a header from the network can have.
const unreadable = "location that cannot be read"

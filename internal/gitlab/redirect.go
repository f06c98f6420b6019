package gitlab

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// maxRedirects is how many redirects one Do follows.
const maxRedirects = 5

func isRedirect(resp *http.Response) bool {
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// follow makes the next hop out of a redirect, or says why it is not followed.
//
// On GitLab's own host the method and the body stay, since a renamed project
// answers every method so. Another host, such as the object storage that holds
// an artifact, is asked only for a file or text, by GET, over https and without
// credentials.
func (e *exchange) follow(resp *http.Response, hop int) error {
	if to := resp.Header[unreadable]; len(to) > 0 {
		// Without the query, which may be a signature.
		place, _, _ := strings.Cut(to[0], "?")
		return e.redirectError(resp, "a redirect to an address that cannot be read, "+quoted(place), "GitLab or a proxy before it names a wrong address; tell its administrators")
	}
	location := resp.Header.Get("Location")
	next, err := e.target.Parse(location)
	if location == "" || err != nil {
		return e.redirectError(resp, "a redirect without a usable address", "")
	}
	next.User = nil
	if isSignIn(next) {
		return e.signIn(resp)
	}
	if hop >= maxRedirects {
		return e.redirectError(resp, "more redirects than 5", "check the address in GITLAB_URL")
	}
	if (next.Scheme != "http" && next.Scheme != "https") || next.Host == "" {
		return e.redirectError(resp, "a redirect to an address that is not http or https", "")
	}
	if !sameHost(e.c.base, next) {
		switch {
		case e.opts.Answers == JSON || e.method != http.MethodGet:
			return e.redirectError(resp, "a redirect to another host, "+next.Host+", was not followed", "only downloads may come from another host; check the address in GITLAB_URL")
		case next.Scheme != "https":
			return e.redirectError(resp, "a redirect to another host, "+next.Host+", without https was not followed", "")
		}
		e.left = true
	} else if e.target.Scheme == "https" && next.Scheme == "http" {
		return e.redirectError(resp, "a redirect from https to http on "+next.Host+" was not followed", "set GITLAB_URL to the https address and check the proxy before GitLab")
	}
	// 303 says that the request has had its effect and the result is elsewhere:
	// sending it again would do it twice.
	if resp.StatusCode == http.StatusSeeOther && e.method != http.MethodHead {
		e.method = http.MethodGet
	}
	e.target = next
	return nil
}

// quoted is s in quotes, in one line and cut to a sensible length.
func quoted(s string) string {
	const most = 200
	if len(s) > most {
		s = s[:most] + "…"
	}
	return strconv.Quote(strings.ToValidUTF8(s, "\uFFFD"))
}

// sameHost compares host and port; the default port of the scheme may be left
// out, and http may become https.
func sameHost(a, b *url.URL) bool {
	if !strings.EqualFold(a.Hostname(), b.Hostname()) {
		return false
	}
	return port(a) == port(b) || (a.Scheme == "http" && a.Port() == "" && b.Scheme == "https" && port(b) == "443")
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	if u.Scheme == "http" {
		return "80"
	}
	return "443"
}

// isSignIn is true for the pages that GitLab and its usual identity providers
// send people to who are not signed in.
func isSignIn(u *url.URL) bool {
	return strings.HasSuffix(strings.TrimRight(u.Path, "/"), "/users/sign_in") || strings.Contains(u.Path, "/users/auth/")
}

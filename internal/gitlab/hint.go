package gitlab

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"

	"gitlab-mcp-server/internal/scan"
)

// Facts are what is known of the operation that a request belongs to; empty
// fields are unknown.
type Facts struct {
	Scope string // the least token scope that works
	Tier  string // free, premium or ultimate
	Role  string // the lowest role that may call it
	Admin bool   // for administrators only
}

// hint words what to do about an answer that is no success.
func (e *exchange) hint(resp *http.Response, err *Error, body []byte) string {
	if e.left {
		return e.elsewhere(resp.StatusCode)
	}
	f := e.opts.Facts
	switch status := resp.StatusCode; {
	case status == http.StatusUnauthorized:
		return e.unauthorized(resp, body)
	case status == http.StatusPaymentRequired:
		return "this needs a higher tier of GitLab" + tierOf(f)
	case status == http.StatusForbidden:
		return e.forbidden(resp, body)
	case status == http.StatusNotFound:
		s := "it does not exist, or this token may not see it: check ids and paths, and that the token's user has access"
		if e.credential.Token == "" {
			s = "it does not exist, or is not public: no token was sent, set GITLAB_TOKEN to see private resources"
		}
		if paid(f) {
			s += "; on a lower tier than " + f.Tier + " it does not exist either"
		}
		return s
	case status == http.StatusMethodNotAllowed:
		return "the present state of the resource, or this version of GitLab, does not allow it: read the resource first"
	case status == http.StatusConflict:
		return "it exists already, or changed in between: read the current state and decide anew"
	case status == http.StatusPreconditionFailed:
		return "the resource changed since it was read: read it again and repeat with the new state"
	case status == http.StatusRequestEntityTooLarge:
		return "the body is larger than GitLab or a proxy before it accepts"
	case status == http.StatusUnsupportedMediaType:
		return "GitLab or a proxy before it did not accept the content type " + cmp.Or(e.q.ContentType(), "of an empty body")
	case status == http.StatusBadRequest, status == http.StatusUnprocessableEntity:
		return "GitLab did not accept the values: correct what the message names"
	case status == http.StatusTooManyRequests:
		if err.RetryAfter > 0 {
			return fmt.Sprintf("wait %d seconds before the next call", err.RetryAfter)
		}
		return "wait a minute before the next call, and ask for less at a time"
	case status >= 500 && !e.opts.Read:
		return "whether the request took effect is not known: read the current state before repeating it"
	case status >= 500:
		if n := e.attempt.n; n > 1 {
			return fmt.Sprintf("GitLab failed %d times in a row: try again later", n)
		}
		return "GitLab failed: try again later"
	}
	return ""
}

// elsewhere is the hint where another host than GitLab's answers, which knows
// nothing of tokens and permissions: it was given a signed address or none.
func (e *exchange) elsewhere(status int) string {
	from := "GitLab lets " + e.target.Host + " hand out this file: "
	if status == http.StatusTooManyRequests || status >= 500 {
		return from + "try again later"
	}
	return from + "call again for a fresh address; if it lasts, GitLab's administrators have to check that storage"
}

// unauthorized tells an unusable token from a missing permission: GitLab uses
// 401 for both.
func (e *exchange) unauthorized(resp *http.Response, body []byte) string {
	if e.credential.Token == "" {
		return "no token was sent: set GITLAB_TOKEN (or GITLAB_TOKEN_FILE)"
	}
	said := strings.ToLower(string(body[:min(len(body), 4096)]) + resp.Header.Get("Www-Authenticate"))
	switch {
	case strings.Contains(said, "expired"):
		return "the token has expired: set a new one in GITLAB_TOKEN"
	case strings.Contains(said, "revoked"):
		return "the token was revoked: set a new one in GITLAB_TOKEN"
	case strings.Contains(said, "invalid_token"):
		return "GitLab does not know the token: check GITLAB_TOKEN and that it belongs to " + e.c.base.Host
	case e.credential.Kind == JobToken:
		return "a job token is accepted by few operations, and only while its job runs; a project access token reaches more"
	}
	return "GitLab says 401 both for a token that it does not accept and for a missing permission: if other calls work, the token is good and the user lacks the right" + needs(e.opts.Facts)
}

func (e *exchange) forbidden(resp *http.Response, body []byte) string {
	f := e.opts.Facts
	said := string(body[:min(len(body), 4096)])
	if strings.Contains(said, "insufficient_scope") || strings.Contains(resp.Header.Get("Www-Authenticate"), "insufficient_scope") {
		scope := f.Scope
		if v, ok := scan.Get(said, "scope"); ok && scan.Valid(said) == nil && scan.KindOf(v) == scan.String {
			scope = strings.Join(strings.Fields(oneLine(scan.Unquoted(v))), " or ")
		}
		return "the token's scope does not suffice: it needs " + cmp.Or(scope, "a wider scope")
	}
	lower := strings.ToLower(said)
	if strings.Contains(lower, "license") || strings.Contains(lower, "premium") || strings.Contains(lower, "ultimate") {
		return "this needs a higher tier of GitLab" + tierOf(f)
	}
	return "the token's user may not do this" + needs(f)
}

// needs lists what an operation asks of its caller, as far as it is known.
func needs(f Facts) string {
	var parts []string
	if f.Admin {
		parts = append(parts, "an administrator")
	}
	if f.Role != "" {
		parts = append(parts, "the role "+f.Role+" or higher")
	}
	if f.Scope != "" {
		parts = append(parts, "the token scope "+f.Scope)
	}
	if paid(f) {
		parts = append(parts, "GitLab "+f.Tier)
	}
	if len(parts) == 0 {
		return ""
	}
	return "; it needs " + strings.Join(parts, ", ")
}

func paid(f Facts) bool { return f.Tier != "" && f.Tier != "free" }

func tierOf(f Facts) string {
	if !paid(f) {
		return ""
	}
	return ": it belongs to " + f.Tier
}

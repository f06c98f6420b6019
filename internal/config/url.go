package config

import (
	"errors"
	"net/netip"
	"net/url"
	"path"
	"strings"
)

const defaultURL = "https://gitlab.com"

func (r *reading) url(_ *setting, source, value string)      { r.baseURL, r.baseSource = value, source }
func (r *reading) ciServer(_ *setting, source, value string) { r.ciURL, r.ciSource = value, source }

// finishURL settles the address, after the token: a job token is only good for
// the GitLab that runs the job.
func (r *reading) finishURL() {
	text, source := r.baseURL, r.baseSource
	if text == "" && r.cfg.AuthHeader == JobToken {
		if r.ciURL == "" {
			r.add(r.jobFrom, "a job token is only good for the GitLab that runs the job: set CI_SERVER_URL or GITLAB_URL")
			return
		}
		text, source = r.ciURL, r.ciSource
	}
	if text == "" {
		text, source = defaultURL, "GITLAB_URL"
	}
	base, err := NormalURL(text)
	if err != nil {
		r.add(source, "%v", err)
		return
	}
	r.cfg.BaseURL = base
	if !r.cfg.Token.IsZero() && strings.HasPrefix(base, "http://") && !loopback(base) {
		r.warn("the token travels unencrypted: GITLAB_URL starts with http://")
	}
}

// NormalURL gives the address of a GitLab without trailing slash and without
// /api/v4: "https://host/gitlab/api/v4/" and "https://host/gitlab" are one. The
// errors say what to write instead and never repeat credentials.
func NormalURL(text string) (string, error) {
	text = strings.TrimSpace(text)
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok {
		host := strings.TrimLeft(text, "/")
		if strings.ContainsAny(host, "@ \t") || host == "" {
			return "", errors.New("has no scheme; write something like https://gitlab.example.com")
		}
		return "", errors.New("has no scheme; write https://" + host)
	}
	switch strings.ToLower(scheme) {
	case "https", "http":
	default:
		return "", errors.New("the scheme must be https or http; write something like https://gitlab.example.com")
	}
	if rest == "" || rest[0] == '/' {
		return "", errors.New("has no host; write something like https://gitlab.example.com")
	}
	u, err := url.Parse(text)
	if err != nil {
		return "", errors.New("is no address; write something like https://gitlab.example.com")
	}
	switch {
	case u.User != nil:
		return "", errors.New("holds a user or password; put a token into GITLAB_TOKEN")
	case u.RawQuery != "" || u.ForceQuery:
		return "", errors.New("has a query (?…); give the address alone")
	case u.Fragment != "" || strings.Contains(text, "#"):
		return "", errors.New("has a fragment (#…); give the address alone")
	case u.Hostname() == "" || strings.ContainsAny(u.Hostname(), " %,"):
		return "", errors.New("has no valid host; write something like https://gitlab.example.com")
	}
	p := strings.TrimRight(path.Clean("/"+u.EscapedPath()), "/")
	p = strings.TrimSuffix(p, "/api/v4")
	if strings.Contains(p+"/", "/api/v4/") || strings.Contains(p+"/", "/-/") {
		return "", errors.New("points below the address of GitLab; leave out what follows /api/v4 or /-/")
	}
	return strings.ToLower(u.Scheme) + "://" + strings.ToLower(u.Host) + p, nil
}

// loopback tells whether the address stays on this machine.
func loopback(base string) bool {
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	if u.Hostname() == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return err == nil && ip.IsLoopback()
}

package own

import (
	"context"
	"net/url"
	"strings"

	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/call"
	"gitlab-mcp-server/internal/exec"
)

// discover is discover_project.resolve: the project behind a git remote.
type discover struct{}

func (discover) Plan(env *exec.Env, r *arg.Reader) (exec.Plan, error) {
	remote := r.String("remote_url", arg.Required)
	if err := r.Err(); err != nil {
		return exec.Plan{}, err
	}
	path, err := projectPath(remote.V, env.BaseURL())
	if err != nil {
		return exec.Plan{}, err
	}
	return exec.Plan{Requests: []*call.Request{get("/api/v4/projects/{remote_url}", path)}, Target: path}, nil
}

func (discover) Run(ctx context.Context, env *exec.Env, p exec.Plan) (exec.Answer, error) {
	resp, err := env.Get(ctx, p.Requests[0])
	if err != nil {
		return exec.Answer{}, err
	}
	return exec.Answer{Body: resp.Body}, nil
}

// projectPath is the path of the project that a git remote or a web address of
// the GitLab at base means. Credentials in it are left out.
func projectPath(remote, base string) (string, error) {
	const expected = "a git remote or web address, such as git@gitlab.example.com:group/project.git"
	host, path, web, ok := splitRemote(strings.TrimSpace(remote))
	if !ok {
		return "", invalid("remote_url", expected)
	}
	home, err := url.Parse(base)
	if err != nil {
		return "", invalid("remote_url", expected)
	}
	if host != "" && !sameHost(home, host, web) {
		return "", invalid("remote_url", "a remote of "+home.Host+", the GitLab of this server; nothing is sent to other hosts")
	}
	if prefix := strings.Trim(home.Path, "/"); prefix != "" {
		// The address of a sub-path install begins with it; an ssh remote does not.
		if rest, inside := strings.CutPrefix(path, prefix+"/"); inside {
			path = rest
		} else if web {
			return "", invalid("remote_url", "an address under "+base)
		}
	}
	path, _, _ = strings.Cut(path, "/-/")
	path = strings.TrimSuffix(strings.TrimSuffix(strings.Trim(path, "/"), ".git"), ".wiki")
	if !strings.Contains(path, "/") {
		return "", invalid("remote_url", "an address with a group or user and a project")
	}
	return path, nil
}

// splitRemote takes a remote apart; web says that a browser would open it too. A
// path alone has no host.
func splitRemote(s string) (host, path string, web, ok bool) {
	if strings.Contains(s, "://") {
		u, err := url.Parse(s)
		if err != nil || u.Host == "" {
			return "", "", false, false
		}
		switch strings.TrimPrefix(u.Scheme, "git+") {
		case "http", "https":
			return u.Host, strings.Trim(u.Path, "/"), true, true
		case "ssh", "git":
			return u.Hostname(), strings.Trim(u.Path, "/"), false, true
		}
		return "", "", false, false
	}
	// The scp form user@host:path, in which the path may begin with a slash. A
	// slash before the colon is a local path.
	before, after, found := strings.Cut(s, ":")
	if _, name, at := strings.Cut(before, "@"); at {
		before = name
	}
	if found && !strings.Contains(before, "/") && before != "" && after != "" {
		return before, strings.Trim(after, "/"), false, true
	}
	// A web address without its scheme, or a path alone.
	before, after, found = strings.Cut(s, "/")
	switch {
	case !found || before == "" || before[0] == '.' || after == "":
		return "", "", false, false
	case strings.Contains(before, "."):
		return before, strings.Trim(after, "/"), true, true
	}
	return "", s, false, true
}

// sameHost reports whether the host of a remote is that of home. Git over ssh may
// have a host of its own in the same domain.
func sameHost(home *url.URL, host string, web bool) bool {
	if strings.EqualFold(host, home.Host) || strings.EqualFold(withoutPort(host), home.Hostname()) {
		return true
	}
	if web {
		return false
	}
	for _, prefix := range [...]string{"ssh.", "altssh.", "git."} {
		if strings.EqualFold(host, prefix+home.Hostname()) {
			return true
		}
	}
	return false
}

func withoutPort(host string) string {
	if h, port, ok := strings.Cut(host, ":"); ok && (port == "443" || port == "80") {
		return h
	}
	return host
}

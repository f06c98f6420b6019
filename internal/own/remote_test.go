package own_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDiscover(t *testing.T) {
	const project = "g%2Fsub%2Fp"
	tests := []struct{ name, remote, base, want string }{
		{"scp form", "git@HOST:g/sub/p.git", "", project},
		{"scp form with a slash", "git@HOST:/g/sub/p.git", "", project},
		{"no user", "HOST:g/sub/p", "", project},
		{"ssh", "ssh://git@HOST:2222/g/sub/p.git", "", project},
		{"git+ssh", "git+ssh://git@HOST/g/sub/p.git", "", project},
		{"ssh host of its own", "git@ssh.HOST:g/sub/p.git", "", project},
		{"https", "http://HOSTPORT/g/sub/p.git", "", project},
		{"credentials", "http://oauth2:glpat-secret@HOSTPORT/g/sub/p.git", "", project},
		{"slash behind", "http://HOSTPORT/g/sub/p/", "", project},
		{"web address", "http://HOSTPORT/g/sub/p/-/merge_requests/1?x=y#note_1", "", project},
		{"wiki", "git@HOST:g/sub/p.wiki.git", "", project},
		{"path alone", "g/sub/p.git", "", project},
		{"relative path", "../g/sub/p.git", "", ""},
		{"spaces", "  git@HOST:g/sub/p.git\n", "", project},
		{"sub-path install", "http://HOSTPORT/gitlab/g/sub/p.git", "/gitlab", project},
		{"sub-path install by ssh", "git@HOST:g/sub/p.git", "/gitlab", project},
		{"sub-path install by ssh with its path", "ssh://git@HOST/gitlab/g/sub/p.git", "/gitlab", project},
		{"outside of a sub-path install", "http://HOSTPORT/g/p.git", "/gitlab", ""},
		{"another host", "git@evil.example:g/p.git", "", ""},
		{"another host by web", "https://evil.example/g/p", "", ""},
		{"ssh host by web", "http://ssh.HOST/g/p", "", ""},
		{"a path", "/home/me/p.git", "", ""},
		{"a file", "file:///home/me/p.git", "", ""},
		{"no project", "git@HOST:p.git", "", ""},
		{"nothing", "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"GET " + tt.base + "/api/v4/projects/" + project: `{"id":7}`}, func(o *options) { o.base = tt.base })
			hostPort := strings.TrimPrefix(strings.TrimSuffix(w.url, tt.base), "http://")
			host, _, _ := strings.Cut(hostPort, ":")
			remote := strings.NewReplacer("HOSTPORT", hostPort, "HOST", host, "\n", `\n`).Replace(tt.remote)
			res := w.do(t, "discover_project.resolve", `{"remote_url":"`+remote+`"}`)
			if strings.Contains(res.Text+string(res.Structured), "secret") {
				t.Errorf("the credential is in the result: %s", res.Structured)
			}
			if tt.want == "" {
				if f := failure(t, res); f.Code != "invalid_params" || len(w.sent()) != 0 {
					t.Errorf("%+v, sent %v", f, w.sent())
				}
				return
			}
			if diff := cmp.Diff([]string{"GET " + tt.base + "/api/v4/projects/" + tt.want}, w.sent()); diff != "" || string(res.Structured) != `{"id":7}` {
				t.Errorf("sent (-want +got):\n%s\n%s", diff, res.Structured)
			}
		})
	}
}

func FuzzDiscover(f *testing.F) {
	for _, s := range []string{"git@h:g/p.git", "ssh://h:22/g/p", "https://u:p@h/g/p/-/x", "::", "@:/", "a:b:c", "http://[::1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, remote string) {
		if strings.ContainsAny(remote, "\\\"") || strings.ContainsFunc(remote, func(r rune) bool { return r < ' ' || r == 0xFFFD }) {
			return
		}
		w := newWorld(t, nil)
		w.do(t, "discover_project.resolve", `{"remote_url":"`+remote+`"}`, dryRun)
		if len(w.sent()) != 0 {
			t.Errorf("a dry run sent %v", w.sent())
		}
	})
}

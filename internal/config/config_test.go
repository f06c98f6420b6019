package config

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// parse reads arguments (those that start with a dash) and variables.
func parse(t *testing.T, in ...string) (*Config, error) {
	t.Helper()
	var f Flags
	fs := flag.NewFlagSet("test", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	f.Register(fs)
	var args, env []string
	for _, s := range in {
		if strings.HasPrefix(s, "-") {
			args = append(args, s)
		} else {
			env = append(env, s)
		}
	}
	if err := fs.Parse(args); err != nil {
		t.Fatal(err)
	}
	return f.Parse(env)
}

func defaults() Config {
	return Config{
		BaseURL: "https://gitlab.com", Surface: Dynamic, CapabilitySurface: "full",
		Timeout: time.Minute, MaxRetryWait: 30 * time.Second, MaxResponseBytes: 64 << 20, ResultBudget: 40000,
	}
}

func TestParse(t *testing.T) {
	dir := t.TempDir()
	tokenFile := filepath.Join(dir, "token")
	write(t, tokenFile, "glpat-file\r\n")
	ca := filepath.Join(dir, "ca.pem")
	write(t, ca, "-----BEGIN CERTIFICATE-----\n")
	sub := filepath.Join(dir, "sub")
	if err := os.Mkdir(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		in   []string
		want func(*Config)
	}{
		{"nothing", nil, func(c *Config) {}},
		{"other programs' variables", []string{
			"PATH=/bin", "READLINE_LINE=x", "SAFE_DIRECTORY=1", "GITLAB_CI=true", "GITLAB_FEATURES=a,b", "GITLAB_USER_LOGIN=x",
			"MODE=1", "TOOLS=x", "GITLAB_READ_ONLY_TOKEN=x", "SKIP_TLS_VERIFY=1", "DRY_RUN=1", "EXCLUDE=x", "CI_COMMIT_SHA=1", "=C:=C:\\",
		}, func(c *Config) {}},
		{"token", []string{"GITLAB_TOKEN=glpat-x"}, func(c *Config) { c.Token, c.TokenSource = NewSecret("glpat-x"), "GITLAB_TOKEN" }},
		{"token is trimmed", []string{"GITLAB_TOKEN= glpat-x\n"}, func(c *Config) { c.Token, c.TokenSource = NewSecret("glpat-x"), "GITLAB_TOKEN" }},
		{"prefixed token", []string{"GITLAB_MCP_TOKEN=glpat-x"}, func(c *Config) { c.Token, c.TokenSource = NewSecret("glpat-x"), "GITLAB_MCP_TOKEN" }},
		{"token file", []string{"GITLAB_TOKEN_FILE=" + tokenFile}, func(c *Config) { c.Token, c.TokenSource = NewSecret("glpat-file"), "GITLAB_TOKEN_FILE" }},
		{"token and the same in a file", []string{"GITLAB_TOKEN=glpat-file", "GITLAB_TOKEN_FILE=" + tokenFile}, func(c *Config) {
			c.Token, c.TokenSource = NewSecret("glpat-file"), "GITLAB_TOKEN_FILE"
		}},
		{"private-token", []string{"GITLAB_TOKEN=x", "GITLAB_AUTH_HEADER=Private-Token"}, func(c *Config) {
			c.Token, c.TokenSource, c.AuthHeader = NewSecret("x"), "GITLAB_TOKEN", PrivateToken
		}},
		{"job token", []string{"CI_JOB_TOKEN=j", "CI_SERVER_URL=https://ci.example"}, func(c *Config) {
			c.Token, c.TokenSource, c.AuthHeader, c.BaseURL = NewSecret("j"), "CI_JOB_TOKEN", JobToken, "https://ci.example"
		}},
		{"job token and GITLAB_URL", []string{"CI_JOB_TOKEN=j", "CI_SERVER_URL=https://ci.example", "GITLAB_URL=https://gl.example"}, func(c *Config) {
			c.Token, c.TokenSource, c.AuthHeader, c.BaseURL = NewSecret("j"), "CI_JOB_TOKEN", JobToken, "https://gl.example"
		}},
		{"job token is not the only one", []string{"GITLAB_TOKEN=x", "CI_JOB_TOKEN=j", "CI_SERVER_URL=https://ci.example"}, func(c *Config) {
			c.Token, c.TokenSource = NewSecret("x"), "GITLAB_TOKEN"
		}},
		{"CI without a job token", []string{"CI_SERVER_URL=https://ci.example"}, func(c *Config) {}},
		{"url", []string{"GITLAB_URL=https://GL.example/gitlab/api/v4/"}, func(c *Config) { c.BaseURL = "https://gl.example/gitlab" }},
		{"flag wins", []string{"GITLAB_URL=https://a.example", "--gitlab-url=https://b.example"}, func(c *Config) { c.BaseURL = "https://b.example" }},
		{"safety", []string{"GITLAB_READ_ONLY=Yes", "GITLAB_MCP_SAFE_MODE=1", "EXCLUDE_TOOLS= a.b, ,*.delete ,gitlab_issue", "GITLAB_GUARD_QUICK_ACTIONS=on"}, func(c *Config) {
			c.ReadOnly, c.SafeMode, c.GuardQuickActions, c.Exclude = true, true, true, []string{"a.b", "*.delete", "gitlab_issue"}
		}},
		{"switch flags", []string{"--read-only", "--safe-mode=false", "--yolo-mode"}, func(c *Config) { c.ReadOnly, c.SkipConfirmation = true, true }},
		{"both spellings agree", []string{"GITLAB_READ_ONLY=true", "GITLAB_MCP_READ_ONLY=1", "EXCLUDE_TOOLS=a", "GITLAB_MCP_EXCLUDE_TOOLS=a"}, func(c *Config) {
			c.ReadOnly, c.Exclude = true, []string{"a"}
		}},
		{"autopilot", []string{"AUTOPILOT=true"}, func(c *Config) { c.SkipConfirmation = true }},
		{"both names agree", []string{"AUTOPILOT=true", "YOLO_MODE=yes"}, func(c *Config) { c.SkipConfirmation = true }},
		{"the flag decides over both", []string{"AUTOPILOT=true", "--yolo-mode=false"}, func(c *Config) {}},
		{"surface", []string{"TOOL_SURFACE=Dynamic", "CAPABILITY_SURFACE=minimal", "META_PARAM_SCHEMA=opaque"}, func(c *Config) { c.CapabilitySurface = "minimal" }},
		{"the new spelling wins", []string{"GITLAB_MCP_TOOL_SURFACE=dynamic", "META_TOOLS=true"}, func(c *Config) {}},
		{"legacy surface", []string{"META_TOOLS=dynamic"}, func(c *Config) {}},
		{"tier", []string{"GITLAB_TIER=Premium"}, func(c *Config) { c.Tier = "premium" }},
		{"log level", []string{"LOG_LEVEL=WARNING"}, func(c *Config) { c.LogLevel = slog.LevelWarn }},
		{"numbers", []string{"GITLAB_TIMEOUT=90", "GITLAB_MAX_RETRY_WAIT=1m30s", "GITLAB_MAX_RESPONSE_BYTES=2MiB", "GITLAB_RESULT_BUDGET=12,000"}, func(c *Config) {
			c.Timeout, c.MaxRetryWait, c.MaxResponseBytes, c.ResultBudget = 90*time.Second, 90*time.Second, 2<<20, 12000
		}},
		{"no waiting", []string{"GITLAB_MAX_RETRY_WAIT=0", "GITLAB_MAX_RESPONSE_BYTES=5kB"}, func(c *Config) { c.MaxRetryWait, c.MaxResponseBytes = 0, 5000 }},
		{"empty is unset", []string{"GITLAB_URL=", "GITLAB_TIER= ", "EXCLUDE_TOOLS=", "GITLAB_TIMEOUT="}, func(c *Config) {}},
		{"files", []string{"GITLAB_CA_FILE=" + ca, "GITLAB_UPLOAD_DIRS=" + dir + "," + sub + string(filepath.ListSeparator) + sub, "GITLAB_DOWNLOAD_DIR=" + sub}, func(c *Config) {
			c.CAFile, c.UploadDirs, c.DownloadDir = ca, []string{dir, sub, sub}, sub
		}},
		{"no HTTP asked for", []string{"--http=false"}, func(c *Config) {}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parse(t, tt.in...)
			if err != nil {
				t.Fatal(err)
			}
			want := defaults()
			tt.want(&want)
			if diff := cmp.Diff(&want, got, cmp.AllowUnexported(Secret{}), cmpopts.IgnoreFields(Config{}, "Warnings")); diff != "" {
				t.Errorf("settings differ (-want +got):\n%s", diff)
			}
			if len(got.Warnings) != 0 {
				t.Errorf("warnings %q, want none", got.Warnings)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "token")
	write(t, file, "glpat-other\n")
	empty := filepath.Join(dir, "empty")
	write(t, empty, "\n")
	tests := []struct {
		name string
		in   []string
		want []string // setting, and a part of the message, in turn
	}{
		{"unknown prefixed", []string{"GITLAB_MCP_COLOUR=1"}, []string{"GITLAB_MCP_COLOUR", "nearest is GITLAB_MCP_"}},
		{"unknown prefixed, near", []string{"GITLAB_MCP_TIMOUT=1"}, []string{"GITLAB_MCP_TIMOUT", "GITLAB_MCP_TIMEOUT"}},
		{"prefixed twice", []string{"GITLAB_MCP_GITLAB_TOKEN=x"}, []string{"GITLAB_MCP_GITLAB_TOKEN", "GITLAB_MCP_TOKEN"}},
		{"two spellings", []string{"GITLAB_READ_ONLY=true", "GITLAB_MCP_READ_ONLY=false"}, []string{"GITLAB_MCP_READ_ONLY", "two spellings"}},
		{"two spellings of a word", []string{"TOOL_SURFACE=dynamic", "GITLAB_MCP_TOOL_SURFACE=meta"}, []string{"GITLAB_MCP_TOOL_SURFACE", "two spellings"}},
		{"two tokens", []string{"GITLAB_TOKEN=glpat-a", "GITLAB_MCP_TOKEN=glpat-b"}, []string{"GITLAB_MCP_TOKEN", "two spellings"}},
		{"two names", []string{"YOLO_MODE=true", "AUTOPILOT=false"}, []string{"AUTOPILOT", "contradicts YOLO_MODE"}},
		{"no boolean", []string{"GITLAB_READ_ONLY=ture"}, []string{"GITLAB_READ_ONLY", "nearest: true"}},
		{"empty switch", []string{"GITLAB_SAFE_MODE="}, []string{"GITLAB_SAFE_MODE", "no boolean"}},
		{"no boolean flag", []string{"--read-only=maybe"}, []string{"--read-only", "no boolean"}},
		{"no boolean elsewhere", []string{"AUTOPILOT=2", "GITLAB_SKIP_TLS_VERIFY=si", "GITLAB_GUARD_QUICK_ACTIONS=x"}, []string{
			"AUTOPILOT", "no boolean", "GITLAB_GUARD_QUICK_ACTIONS", "no boolean", "GITLAB_SKIP_TLS_VERIFY", "no boolean"}},
		{"http", []string{"--http"}, []string{"--http", "not in this build"}},
		{"http address", []string{"--http-addr=:8080"}, []string{"--http-addr", "not in this build"}},
		{"meta surface", []string{"TOOL_SURFACE=meta"}, []string{"TOOL_SURFACE", "not in this build"}},
		{"individual surface", []string{"--tool-surface=individual"}, []string{"--tool-surface", "not in this build"}},
		{"unknown surface", []string{"TOOL_SURFACE=dynamik"}, []string{"TOOL_SURFACE", "nearest: dynamic"}},
		{"legacy meta", []string{"META_TOOLS=true"}, []string{"META_TOOLS", "not in this build"}},
		{"legacy individual", []string{"META_TOOLS=false"}, []string{"META_TOOLS", "not in this build"}},
		{"legacy nonsense", []string{"META_TOOLS=some", "TOOL_SURFACE=dynamic"}, []string{"META_TOOLS", "unknown"}},
		{"capability surface", []string{"CAPABILITY_SURFACE=none"}, []string{"CAPABILITY_SURFACE", "full, minimal"}},
		{"meta schema", []string{"META_PARAM_SCHEMA=full"}, []string{"META_PARAM_SCHEMA", "not in this build"}},
		{"tier", []string{"GITLAB_TIER=gold"}, []string{"GITLAB_TIER", "free, premium, ultimate"}},
		{"log level", []string{"LOG_LEVEL=loud"}, []string{"LOG_LEVEL", "debug, info, warn, error"}},
		{"durations", []string{"GITLAB_TIMEOUT=0", "GITLAB_MAX_RETRY_WAIT=-1s"}, []string{"GITLAB_TIMEOUT", "out of range", "GITLAB_MAX_RETRY_WAIT", "out of range"}},
		{"no duration", []string{"GITLAB_TIMEOUT=soon"}, []string{"GITLAB_TIMEOUT", "no duration"}},
		{"huge duration", []string{"GITLAB_TIMEOUT=60000000000000000000"}, []string{"GITLAB_TIMEOUT", "no duration"}},
		{"sizes", []string{"GITLAB_MAX_RESPONSE_BYTES=lots", "GITLAB_RESULT_BUDGET=1"}, []string{"GITLAB_MAX_RESPONSE_BYTES", "no size", "GITLAB_RESULT_BUDGET", "out of range"}},
		{"size overflow", []string{"GITLAB_MAX_RESPONSE_BYTES=9999999999999GiB"}, []string{"GITLAB_MAX_RESPONSE_BYTES", "no size"}},
		{"missing token file", []string{"GITLAB_TOKEN_FILE=" + dir + "/none"}, []string{"GITLAB_TOKEN_FILE", "none: no such file"}},
		{"empty token file", []string{"GITLAB_TOKEN_FILE=" + empty}, []string{"GITLAB_TOKEN_FILE", "is empty"}},
		{"directory as token file", []string{"GITLAB_TOKEN_FILE=" + dir}, []string{"GITLAB_TOKEN_FILE", "directory"}},
		{"token and another in a file", []string{"GITLAB_TOKEN=glpat-a", "GITLAB_TOKEN_FILE=" + file}, []string{"GITLAB_TOKEN_FILE", "another token than GITLAB_TOKEN"}},
		{"token with a word before", []string{"GITLAB_TOKEN=Bearer glpat-a"}, []string{"GITLAB_TOKEN", "bare token"}},
		{"auth header", []string{"GITLAB_AUTH_HEADER=cookie"}, []string{"GITLAB_AUTH_HEADER", "bearer, private-token"}},
		{"homeless job token", []string{"CI_JOB_TOKEN=j"}, []string{"CI_JOB_TOKEN", "CI_SERVER_URL"}},
		{"url", []string{"GITLAB_URL=gitlab.example.com"}, []string{"GITLAB_URL", "write https://gitlab.example.com"}},
		{"url of CI", []string{"CI_JOB_TOKEN=j", "CI_SERVER_URL=gitlab.example.com"}, []string{"CI_SERVER_URL", "write https://gitlab.example.com"}},
		{"missing CA file", []string{"GITLAB_CA_FILE=" + dir + "/none"}, []string{"GITLAB_CA_FILE", "none: no such file"}},
		{"missing directories", []string{"GITLAB_UPLOAD_DIRS=" + dir + "/none", "GITLAB_DOWNLOAD_DIR=" + file}, []string{
			"GITLAB_UPLOAD_DIRS", "none: no such file", "GITLAB_DOWNLOAD_DIR", "no directory"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parse(t, tt.in...)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("error is %v, want an *Error", err)
			}
			if len(e.Problems) != len(tt.want)/2 {
				t.Fatalf("problems:\n%v\nwant %d", err, len(tt.want)/2)
			}
			for i, p := range e.Problems {
				if p.Setting != tt.want[2*i] || !strings.Contains(p.Message, tt.want[2*i+1]) {
					t.Errorf("problem %q: %q, want %q: …%q…", p.Setting, p.Message, tt.want[2*i], tt.want[2*i+1])
				}
			}
			if strings.Contains(err.Error(), "glpat-") {
				t.Errorf("the error shows a token: %v", err)
			}
		})
	}
}

// A name that was meant to restrict and was mistyped must stop the start.
func TestResembled(t *testing.T) {
	names := map[string]string{
		"GITLAB_READONLY": "GITLAB_READ_ONLY", "GITLAB_READ_ONLY_MODE": "GITLAB_READ_ONLY", "READ_ONLY_MODE": "GITLAB_READ_ONLY",
		"READ_ONLY": "GITLAB_READ_ONLY", "READONLY": "GITLAB_READ_ONLY", "GITLAB_REDONLY": "GITLAB_READ_ONLY", "gitlab_read_only": "GITLAB_READ_ONLY",
		"GITLAB_MCP_READONLY": "GITLAB_READ_ONLY", "MCP_READ_ONLY": "GITLAB_READ_ONLY", "GITLAB_ONLY_READ": "GITLAB_READ_ONLY",
		"GITLAB-READ-ONLY": "GITLAB_READ_ONLY", "GITLAB_ENABLE_READ_ONLY": "GITLAB_READ_ONLY", "GITLAB_RAED_OLNY": "GITLAB_READ_ONLY",
		"SAFE_MODE": "GITLAB_SAFE_MODE", "GITLAB_SAFEMODE": "GITLAB_SAFE_MODE", "GITLAB_SAFE": "GITLAB_SAFE_MODE", "SAFEMODE": "GITLAB_SAFE_MODE",
		"GITLAB_SAVE_MODE": "GITLAB_SAFE_MODE", "GITLAB_DRY_RUN": "GITLAB_SAFE_MODE", "GITLAB_MODE_SAFE": "GITLAB_SAFE_MODE",
		"GITLAB_EXCLUDE_TOOLS": "EXCLUDE_TOOLS", "EXCLUDE_TOOL": "EXCLUDE_TOOLS", "EXCLUDED_TOOLS": "EXCLUDE_TOOLS", "EXCLUDETOOLS": "EXCLUDE_TOOLS",
		"DISABLE_TOOLS": "EXCLUDE_TOOLS", "DISABLED_TOOLS": "EXCLUDE_TOOLS", "DENY_TOOLS": "EXCLUDE_TOOLS", "BLOCKED_TOOLS": "EXCLUDE_TOOLS",
		"TOOLS_EXCLUDE": "EXCLUDE_TOOLS", "GITLAB_DENIED_TOOLS_REGEX": "EXCLUDE_TOOLS", "GITLAB_MCP_EXCLUDED_TOOLS": "EXCLUDE_TOOLS",
		"GITLAB_YOLO_MODE": "YOLO_MODE", "GITLAB_YOLO": "YOLO_MODE", "GITLAB_AUTOPILOT": "AUTOPILOT", "YOLOMODE": "YOLO_MODE", "YOLO_MOD": "YOLO_MODE", "YOLO_MODES": "YOLO_MODE", "AUTOPLIOT": "AUTOPILOT", "AUTO_PILOT": "AUTOPILOT",
		"GITLAB_SKIP_TLS_VERIFICATION": "", "GITLAB_SKIP_TLS": "", "GITLAB_TLS_SKIP_VERIFY": "GITLAB_SKIP_TLS_VERIFY",
		"GITLAB_GUARD_QUICKACTIONS": "GITLAB_GUARD_QUICK_ACTIONS", "GITLAB_QUICK_ACTIONS_GUARD": "GITLAB_GUARD_QUICK_ACTIONS",
		"GITLAB_UPLOAD_DIR": "GITLAB_UPLOAD_DIRS", "GITLAB_DOWNLOAD_DIRS": "GITLAB_DOWNLOAD_DIR",
		"GITLAB_MODE": "", "GITLAB_USER": "", "MODE": "", "SAFE": "", "YOLO": "", "READ": "", "ONLY": "", "UPLOAD_DIR": "", "EXCLUDE": "", "DRY_RUN": "", "AUTOLOAD": "", "GITLAB_FEATURES": "", "MCP_TOOLS": "", "EXCLUDE_TOOLCHAINS": "",
	}
	rows := settings()
	for name, want := range names {
		got := ""
		if s := resembled(name, rows); s != nil {
			got = s.env
		}
		if got != want {
			t.Errorf("%s resembles %q, want %q", name, got, want)
		}
	}
	for i := range rows {
		if s := &rows[i]; s.safety != plain {
			if got := resembled(s.env, rows); got != s {
				t.Errorf("%s does not resemble itself", s.env)
			}
		}
	}
}

func TestNormalURL(t *testing.T) {
	same := map[string][]string{
		"https://gitlab.example.com": {
			"https://gitlab.example.com", "https://gitlab.example.com/", "https://gitlab.example.com/api/v4", "https://gitlab.example.com/api/v4/",
			" HTTPS://GitLab.example.com// ", "https://gitlab.example.com//api//v4",
		},
		"https://host/gitlab":           {"https://host/gitlab", "https://host/gitlab/", "https://host/gitlab/api/v4", "https://host/gitlab/api/v4/"},
		"http://127.0.0.1:3000":         {"http://127.0.0.1:3000/api/v4"},
		"http://[::1]:3000/a/b":         {"http://[::1]:3000/a/b/"},
		"https://gitlab_ce:8443":        {"https://gitlab_ce:8443"},
		"https://host/api":              {"https://host/api"},
		"https://host/with%20space":     {"https://host/with%20space/"},
		"https://xn--bcher-kva.example": {"https://xn--bcher-kva.example/"},
	}
	for want, ins := range same {
		for _, in := range ins {
			if got, err := NormalURL(in); got != want || err != nil {
				t.Errorf("NormalURL(%q) = %q, %v, want %q", in, got, err, want)
			}
			if got, err := NormalURL(want); got != want || err != nil {
				t.Errorf("NormalURL(%q) = %q, %v: not stable", want, got, err)
			}
		}
	}
	refused := map[string]string{
		"gitlab.example.com":            "https://gitlab.example.com",
		"gitlab.example.com:8443/x":     "https://gitlab.example.com:8443/x",
		"//gitlab.example.com":          "https://gitlab.example.com",
		"user:secret@host":              "no scheme",
		"ftp://host":                    "https or http",
		"https://":                      "no host",
		"https:///x":                    "no host",
		"https://user:secret@host":      "GITLAB_TOKEN",
		"https://host?private_token=s":  "query",
		"https://host/?":                "query",
		"https://host/#x":               "fragment",
		"https://host/#":                "fragment",
		"https://host:port":             "no address",
		"https://host/%zz":              "no address",
		"https://host/api/v4/projects":  "below",
		"https://host/group/x/-/issues": "below",
		"https://a,b":                   "valid host",
	}
	for in, want := range refused {
		got, err := NormalURL(in)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("NormalURL(%q) = %q, %v, want an error with %q", in, got, err, want)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("NormalURL(%q) shows the password: %v", in, err)
		}
	}
}

func TestWarnings(t *testing.T) {
	tests := []struct{ in, want string }{
		{"GITLAB_SKIP_TLS_VERIFY=true", "certificate"},
		{"GITLAB_TIMEOUTS=5", "GITLAB_TIMEOUT?"},
	}
	for _, tt := range tests {
		c, err := parse(t, tt.in)
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], tt.want) {
			t.Errorf("%s: warnings %q, want one with %q", tt.in, c.Warnings, tt.want)
		}
	}
	c, err := parse(t, "GITLAB_TOKEN=x", "GITLAB_URL=http://gl.example")
	if err != nil || len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "unencrypted") {
		t.Errorf("http with a token: %q, %v", c.Warnings, err)
	}
	if c, err = parse(t, "GITLAB_TOKEN=x", "GITLAB_URL=http://127.0.0.1:1"); err != nil || len(c.Warnings) != 0 {
		t.Errorf("loopback: %q, %v", c.Warnings, err)
	}
}

func TestSecretNeverPrints(t *testing.T) {
	c := Config{Token: NewSecret("glpat-x")}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "token", c.Token, "config", c)
	for _, text := range []string{fmt.Sprint(c), fmt.Sprintf("%+v %#v %s %q", c, c.Token, c.Token, c.Token), log.String()} {
		if strings.Contains(text, "glpat") {
			t.Errorf("a token shows in %s", text)
		}
	}
	if c.Token.Reveal() != "glpat-x" {
		t.Error("Reveal lost the token")
	}
}

// A .env file beside the process must not redirect a token.
func TestDotEnvIsNotRead(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, ".env"), "GITLAB_URL=https://evil.example\nGITLAB_TOKEN=x\n")
	t.Chdir(dir)
	c, err := parse(t)
	if err != nil || c.BaseURL != "https://gitlab.com" || !c.Token.IsZero() {
		t.Errorf("config %+v, %v", c, err)
	}
}

func TestHelpNamesEverySetting(t *testing.T) {
	var b bytes.Buffer
	Help(&b)
	for _, n := range Names() {
		if !strings.Contains(b.String(), n) {
			t.Errorf("the help lacks %s", n)
		}
	}
}

// The document for operators names every setting that exists.
func TestDocumentNamesEverySetting(t *testing.T) {
	data, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range Names() {
		if !bytes.Contains(data, []byte("`"+n+"`")) {
			t.Errorf("docs/configuration.md lacks `%s`", n)
		}
	}
}

func FuzzNormalURL(f *testing.F) {
	for _, s := range []string{"https://host/gitlab/api/v4/", "host", "http://[::1]:1/", "https://a@b", "://", "https://h/%2f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := NormalURL(s)
		if err != nil {
			return
		}
		again, err := NormalURL(got)
		if err != nil || again != got {
			t.Errorf("NormalURL(%q) = %q, and of that %q, %v", s, got, again, err)
		}
	})
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

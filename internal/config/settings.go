package config

import "strings"

// setting is one row of the contract's table.
type setting struct {
	env    string // the variable
	flag   string // without dashes, empty if there is none
	value  string // placeholder in the help text, empty for a switch
	def    string // default as the help text prints it
	help   string // one line
	safety safety
	apply  func(r *reading, s *setting, source, value string)
}

// safety says what it would mean to overlook a mistyped spelling.
type safety uint8

const (
	plain     safety = iota
	restricts        // overlooking it would allow what the operator forbade
	loosens          // overlooking it keeps a protection
)

// The prefix of the second spelling: it stands for GITLAB_, and for nothing
// before names that do not start so.
const (
	prefix  = "GITLAB_MCP_"
	replace = "GITLAB_"
)

// second is the prefixed spelling of the variable.
func (s *setting) second() string { return prefix + strings.TrimPrefix(s.env, replace) }

// isSwitch is true for settings that are a yes or a no.
func (s *setting) isSwitch() bool { return s.value == "" }

// settings is the table, in the order of the help text. It is a function, so
// that nothing is built before main runs.
func settings() []setting {
	return []setting{
		{env: "GITLAB_URL", flag: "gitlab-url", value: "URL", def: defaultURL,
			help:  "address of GitLab: host root or sub-path, with scheme",
			apply: (*reading).url},
		{env: "GITLAB_TOKEN", value: "TOKEN",
			help:  "personal, project, group or OAuth access token",
			apply: (*reading).token},
		{env: "GITLAB_TOKEN_FILE", value: "FILE",
			help:  "file that holds the token",
			apply: (*reading).tokenFile},
		{env: "GITLAB_AUTH_HEADER", value: "HEADER", def: "bearer",
			help:  "header that carries the token: bearer, or private-token for proxies that strip Authorization",
			apply: (*reading).authHeader},
		{env: "CI_JOB_TOKEN", value: "TOKEN",
			help:  "CI job token, used when it is the only token",
			apply: (*reading).jobToken},
		{env: "CI_SERVER_URL", value: "URL",
			help:  "address of GitLab beside CI_JOB_TOKEN, unless GITLAB_URL is set",
			apply: (*reading).ciServer},
		{env: "TOOL_SURFACE", flag: "tool-surface", value: "SURFACE", def: string(Dynamic),
			help:  "tools that clients see: dynamic (find and execute), meta, individual",
			apply: (*reading).surface},
		{env: "META_TOOLS", value: "dynamic|true|false",
			help:  "old spelling of TOOL_SURFACE, which wins",
			apply: (*reading).metaTools},
		{env: "CAPABILITY_SURFACE", flag: "capability-surface", value: "SURFACE", def: "full",
			help:  "full, or minimal: the two manifest resources only",
			apply: (*reading).capabilities},
		{env: "META_PARAM_SCHEMA", flag: "meta-param-schema", value: "FORM", def: "opaque",
			help:  "schemas of the meta surface: opaque, compact, full",
			apply: (*reading).metaSchema},
		{env: "GITLAB_READ_ONLY", flag: "read-only", safety: restricts,
			help:  "only actions that read exist",
			apply: toggle(func(c *Config) *bool { return &c.ReadOnly })},
		{env: "GITLAB_SAFE_MODE", flag: "safe-mode", safety: restricts,
			help:  "actions that change something answer with a preview of the request",
			apply: toggle(func(c *Config) *bool { return &c.SafeMode })},
		{env: "EXCLUDE_TOOLS", flag: "exclude-tools", value: "LIST", safety: restricts,
			help:  "comma-separated action ids, domains, globs (*.delete) or groups (gitlab_<group>) that do not exist",
			apply: (*reading).exclude},
		{env: "GITLAB_TIER", flag: "tier", value: "TIER",
			help:  "free, premium or ultimate; unset: nothing is hidden by tier",
			apply: (*reading).tier},
		{env: "YOLO_MODE", flag: "yolo-mode", safety: loosens,
			help:  "no confirmation for destructive actions",
			apply: (*reading).yolo},
		{env: "AUTOPILOT", safety: loosens,
			help:  "other name of YOLO_MODE",
			apply: (*reading).yolo},
		{env: "GITLAB_GUARD_QUICK_ACTIONS", safety: restricts,
			help:  "refuse texts whose lines start with a quick action (/merge)",
			apply: toggle(func(c *Config) *bool { return &c.GuardQuickActions })},
		{env: "LOG_LEVEL", flag: "log-level", value: "LEVEL", def: "info",
			help:  "debug, info, warn or error",
			apply: (*reading).logLevel},
		{env: "GITLAB_TIMEOUT", value: "DURATION", def: "60s",
			help:  "whole call, retries included",
			apply: (*reading).timeout},
		{env: "GITLAB_MAX_RETRY_WAIT", value: "DURATION", def: "30s",
			help:  "longest wait that GitLab's rate limit may ask for",
			apply: (*reading).retryWait},
		{env: "GITLAB_MAX_RESPONSE_BYTES", value: "SIZE", def: "64MiB",
			help:  "largest answer of GitLab that is read",
			apply: (*reading).responseBytes},
		{env: "GITLAB_RESULT_BUDGET", value: "CHARACTERS", def: "40000",
			help:  "characters of JSON in one result",
			apply: (*reading).resultBudget},
		{env: "GITLAB_CA_FILE", value: "FILE",
			help:  "certificates of a private authority, beside SSL_CERT_FILE",
			apply: (*reading).caFile},
		{env: "GITLAB_SKIP_TLS_VERIFY", safety: loosens,
			help:  "accept any certificate; warns at every start",
			apply: toggle(func(c *Config) *bool { return &c.SkipTLSVerify })},
		{env: "GITLAB_UPLOAD_DIRS", value: "DIRS", safety: loosens,
			help:  "directories that file arguments may name; unset: inline only",
			apply: (*reading).uploadDirs},
		{env: "GITLAB_DOWNLOAD_DIR", value: "DIR", safety: loosens,
			help:  "directory that downloads may be written to; unset: inline only",
			apply: (*reading).downloadDir},
	}
}

// absent are flags of what this build lacks: recognised, and refused.
func absent() []setting {
	return []setting{
		{flag: "http", help: "MCP over streamable HTTP (" + notInThisBuild + ")"},
		{flag: "http-addr", value: "ADDRESS", help: "address of --http (" + notInThisBuild + ")"},
	}
}

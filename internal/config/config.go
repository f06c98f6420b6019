// Package config turns flags and environment into one validated Config.
//
// Every setting is a row of one table (settings.go), which also gives the help
// text. Nothing is ignored: a value that cannot be read, a variable that looks
// like a mistyped safety setting and a setting of something that this build
// lacks all stop the start with an Error, which is a matter of exit code 2.
//
// It is not for reading files in the working directory (a .env there could
// redirect a token), nor for judging names of actions: package policy matches
// Config.Exclude against the catalog.
package config

import (
	"log/slog"
	"time"
)

// AuthHeader is the header that carries the token.
type AuthHeader uint8

// Headers that GitLab reads a token from.
const (
	Bearer       AuthHeader = iota // Authorization: Bearer, takes all kinds of access tokens
	PrivateToken                   // PRIVATE-TOKEN, for proxies that strip Authorization
	JobToken                       // JOB-TOKEN, for CI_JOB_TOKEN
)

// String is the header's name on the wire.
func (a AuthHeader) String() string {
	switch a {
	case PrivateToken:
		return "PRIVATE-TOKEN"
	case JobToken:
		return "JOB-TOKEN"
	}
	return "Authorization"
}

// Surface is the set of tools that clients see.
type Surface string

// Surfaces. This build has Dynamic only.
const (
	Dynamic    Surface = "dynamic"    // two tools: find, execute
	Meta       Surface = "meta"       // one tool per group
	Individual Surface = "individual" // one tool per action
)

// Config is the whole of what can be set. It is complete and consistent when
// Parse returned it; nobody changes it afterwards.
type Config struct {
	// BaseURL is GitLab's address without trailing slash and without /api/v4.
	BaseURL string
	// Token is empty for anonymous calls.
	Token      Secret
	AuthHeader AuthHeader

	Surface           Surface
	CapabilitySurface string // full or minimal, which are the same while there are no other resources

	ReadOnly          bool
	SafeMode          bool
	Exclude           []string // entries of EXCLUDE_TOOLS, trimmed, not yet matched
	Tier              string   // free, premium, ultimate, or empty: unknown
	SkipConfirmation  bool     // YOLO_MODE
	GuardQuickActions bool
	SkipTLSVerify     bool
	CAFile            string
	UploadDirs        []string // absolute
	DownloadDir       string   // absolute, or empty
	Timeout           time.Duration
	MaxRetryWait      time.Duration
	MaxResponseBytes  int64
	ResultBudget      int // characters of JSON
	LogLevel          slog.Level
	Warnings          []string // to be logged at the start, free of secrets
	TokenSource       string   // name of the variable that gave the token, or empty
}

// Secret is a text that prints as a mark wherever it is formatted, logged or
// marshalled. Reveal gives the text itself.
type Secret struct{ text string }

// NewSecret hides text.
func NewSecret(text string) Secret { return Secret{text} }

const mask = "[masked]"

// Reveal gives the text, for the one place that sends it.
func (s Secret) Reveal() string { return s.text }

// IsZero is true for the empty secret.
func (s Secret) IsZero() bool { return s.text == "" }

// String never gives the text.
func (s Secret) String() string {
	if s.text == "" {
		return ""
	}
	return mask
}

// GoString keeps %#v from printing the text.
func (s Secret) GoString() string { return `"` + s.String() + `"` }

// LogValue keeps slog from printing the text.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText keeps encoders from writing the text.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

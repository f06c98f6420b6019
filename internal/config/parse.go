package config

import (
	"flag"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"
)

// Flags are the command-line spellings of the settings. The zero value is ready.
type Flags struct {
	given map[string]string // by flag name, without dashes
}

// Register adds a flag to fs for every setting that has one. Values are judged
// by Parse, together with the environment. Registered with several sets, the
// flag read last counts.
func (f *Flags) Register(fs *flag.FlagSet) {
	if f.given == nil {
		f.given = map[string]string{}
	}
	for _, s := range append(settings(), absent()...) {
		if s.flag == "" {
			continue
		}
		keep := func(v string) error { f.given[s.flag] = v; return nil }
		if s.isSwitch() {
			fs.BoolFunc(s.flag, s.help, keep)
		} else {
			fs.Func(s.flag, s.help, keep)
		}
	}
}

// Help writes the settings for --help.
func Help(w io.Writer) {
	for _, s := range settings() {
		name := s.env
		if s.flag != "" {
			name += ", --" + s.flag
		}
		if s.value != "" {
			name += " " + s.value
		}
		fmt.Fprintf(w, "  %s\n        %s", name, s.help)
		if s.def != "" {
			fmt.Fprintf(w, " (default %s)", s.def)
		}
		fmt.Fprintln(w)
	}
	for _, s := range absent() {
		fmt.Fprintf(w, "  --%s\n        %s\n", strings.TrimSpace(s.flag+" "+s.value), s.help)
	}
}

// Names gives variable and flag of every setting, for documents and their tests.
func Names() (names []string) {
	for _, s := range settings() {
		names = append(names, s.env)
		if s.flag != "" {
			names = append(names, "--"+s.flag)
		}
	}
	return names
}

// reading is the state of one Parse.
type reading struct {
	cfg Config
	problems

	baseURL, baseSource  string
	ciURL, ciSource      string
	tokenText, tokenFrom string
	fileText, fileFrom   string
	jobText, jobFrom     string
	surfaceSet           bool
	yoloSource           string
}

// Parse reads flags and environment (as os.Environ gives it). A flag wins over
// the environment. The error is an *Error that lists every problem.
func (f *Flags) Parse(environ []string) (*Config, error) {
	r := &reading{cfg: Config{
		Surface:           Dynamic,
		CapabilitySurface: "full",
		Timeout:           60 * time.Second,
		MaxRetryWait:      30 * time.Second,
		MaxResponseBytes:  64 << 20,
		ResultBudget:      40_000,
		LogLevel:          slog.LevelInfo,
	}}
	rows := settings()
	env := newEnvironment(environ)
	env.refuseUnknown(rows, r)
	for i := range rows {
		s := &rows[i]
		source, value, ok := env.get(s, r)
		if v, given := f.given[s.flag]; s.flag != "" && given {
			source, value, ok = "--"+s.flag, v, true
		}
		if !ok {
			continue
		}
		value = strings.TrimSpace(value)
		if value == "" && !s.isSwitch() {
			continue // empty is unset; a switch must say yes or no
		}
		s.apply(r, s, source, value)
	}
	for _, s := range absent() {
		v, given := f.given[s.flag]
		if on, ok := truth(v); given && !(s.isSwitch() && ok && !on) {
			r.add("--"+s.flag, "MCP over HTTP is %s", notInThisBuild)
		}
	}
	r.finishToken()
	r.finishURL()
	if r.cfg.SkipTLSVerify {
		r.warn("GITLAB_SKIP_TLS_VERIFY is on: any certificate is accepted, and whoever answers can read the token")
	}
	if err := r.err(); err != nil {
		return nil, err
	}
	return &r.cfg, nil
}

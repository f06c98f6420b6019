package config

import (
	"runtime"
	"slices"
	"strings"
)

// environment is the variables by name.
type environment map[string]string

func newEnvironment(environ []string) environment {
	env := make(environment, len(environ))
	for _, kv := range environ {
		name, value, ok := strings.Cut(kv, "=")
		if !ok || name == "" {
			continue // Windows keeps entries such as "=C:=C:\dir"
		}
		if runtime.GOOS == "windows" {
			name = strings.ToUpper(name) // names are case-insensitive there
		}
		env[name] = value
	}
	return env
}

// get gives a setting's value and the spelling that it was found under.
func (env environment) get(s *setting, r *reading) (source, value string, ok bool) {
	first, hasFirst := env[s.env]
	second, hasSecond := env[s.second()]
	switch {
	case hasFirst && hasSecond:
		if !same(s, first, second) {
			r.add(s.second(), "set to another value than %s; they are two spellings of one setting, keep one", s.env)
		}
		return s.env, first, true
	case hasFirst:
		return s.env, first, true
	case hasSecond:
		return s.second(), second, true
	}
	return "", "", false
}

// same compares two spellings of one setting by what they mean.
func same(s *setting, a, b string) bool {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	if a == b {
		return true
	}
	x, okX := truth(a)
	y, okY := truth(b)
	return s.isSwitch() && okX && okY && x == y
}

// refuseUnknown finds variables that were meant for this server and are none
// of its settings.
func (env environment) refuseUnknown(rows []setting, r *reading) {
	known := make(map[string]bool, 2*len(rows))
	for i := range rows {
		known[rows[i].env], known[rows[i].second()] = true, true
	}
	names := make([]string, 0, len(env))
	for name := range env {
		if !known[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names) // the same complaint at every start
	for _, name := range names {
		if s := resembled(name, rows); s != nil {
			r.add(name, "is no setting of this server but resembles a safety setting; did you mean %s?", s.env)
		} else if strings.HasPrefix(strings.ToUpper(name), prefix) {
			r.add(name, "is no setting of this server; the nearest is %s", nearestSecond(name, rows))
		} else if s := misspelt(name, rows); s != nil {
			r.warn("the variable " + name + " is no setting of this server and is ignored; did you mean " + s.env + "?")
		}
	}
}

// nearestSecond is the prefixed spelling of the setting nearest to name,
// prefixes apart.
func nearestSecond(name string, rows []setting) string {
	n := normalise(name)
	best, least := "", -1
	for i := range rows {
		if d := distance(n.joined, normalise(rows[i].env).joined); least < 0 || d < least {
			best, least = rows[i].second(), d
		}
	}
	return best
}

// vendor prefixes that people put before a setting's name.
func vendors() []string { return []string{prefix, replace, "MCP_", "GLAB_", "GL_"} }

// decoration are words that carry no meaning in the name of a switch.
func decoration(word string) bool {
	switch word {
	case "ENABLE", "ENABLED", "USE", "IS", "SET", "MODE", "FLAG", "OPTION":
		return true
	}
	return false
}

// normal is a variable's name without vendor, case, separators and decoration.
type normal struct {
	vendor bool     // it started with a vendor's prefix
	words  []string // all words, in order
	bare   string   // joined words without decoration
	joined string   // all words joined
}

func normalise(name string) normal {
	var n normal
	name = strings.NewReplacer("-", "_", ".", "_").Replace(strings.ToUpper(name))
	for again := true; again; {
		again = false
		for _, v := range vendors() {
			if strings.HasPrefix(name, v) {
				name, n.vendor, again = name[len(v):], true, true
			}
		}
	}
	for w := range strings.SplitSeq(name, "_") {
		if w == "" {
			continue
		}
		n.words = append(n.words, w)
		n.joined += w
		if !decoration(w) {
			n.bare += w
		}
	}
	return n
}

// synonyms are names for what a safety setting does: of other servers, and
// plain inventions. They count with a vendor's prefix, or if they speak of tools.
func synonyms(bare string) string {
	switch bare {
	case "DENIEDTOOLSREGEX", "DENIEDTOOLS", "DENYTOOLS", "DISABLEDTOOLS", "DISABLETOOLS", "BLOCKEDTOOLS",
		"EXCLUDEACTIONS", "EXCLUDEDACTIONS", "TOOLSDENYLIST", "EXCLUDE":
		return "EXCLUDE_TOOLS"
	case "NOWRITE", "NOWRITES", "DISABLEWRITE", "DISABLEWRITES", "WRITEDISABLED":
		return "GITLAB_READ_ONLY"
	case "DRYRUN", "PREVIEW":
		return "GITLAB_SAFE_MODE"
	case "SKIPCONFIRM", "SKIPCONFIRMATION", "AUTOAPPROVE":
		return "YOLO_MODE"
	}
	return ""
}

// resembled is the safety setting that name looks like a mistyped spelling of,
// or nil. Without a vendor's prefix a name must be nearer, since it may belong
// to another program.
func resembled(name string, rows []setting) *setting {
	n := normalise(name)
	if n.bare == "" {
		return nil
	}
	for i := range rows {
		s := &rows[i]
		if s.safety == plain {
			continue
		}
		if (n.vendor || strings.Contains(n.bare, "TOOLS")) && synonyms(n.bare) == s.env {
			return s
		}
		want := normalise(s.env)
		if n.looksLike(want, s.safety) {
			return s
		}
	}
	return nil
}

func (n normal) looksLike(want normal, kind safety) bool {
	if sameWords(n.words, want.words) && (n.vendor || kind == restricts) {
		return true
	}
	slack := 0
	switch {
	case n.vendor && len(want.joined) >= 6:
		slack = 2
	case len(want.joined) >= 8 && (kind == restricts || !want.vendor):
		slack = 1
	}
	if !n.vendor && kind == loosens && strings.Contains(want.joined, "TLS") {
		return false // a name that other programs use
	}
	if distance(n.joined, want.joined) <= slack {
		return true
	}
	// Decoration apart: GITLAB_READ_ONLY_MODE, ENABLE_READ_ONLY, GITLAB_SAFE.
	if n.bare == want.bare {
		return n.vendor || len(want.bare) >= 8
	}
	return n.vendor && len(want.bare) >= 8 && distance(n.bare, want.bare) <= slack
}

// sameWords compares regardless of order.
func sameWords(a, b []string) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}

// misspelt is the setting that a GITLAB_ variable is one letter away from.
func misspelt(name string, rows []setting) *setting {
	if !strings.HasPrefix(name, replace) {
		return nil
	}
	for i := range rows {
		if strings.HasPrefix(rows[i].env, replace) && distance(name, rows[i].env) == 1 {
			return &rows[i]
		}
	}
	return nil
}

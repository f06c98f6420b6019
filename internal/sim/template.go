package sim

import (
	"slices"
	"strings"
)

// apiPrefix stands before every path of the REST API.
const apiPrefix = "/api/v4"

// piece is one segment of a path template: literal text and placeholders in
// turn, as in "{file_name}.tgz".
type piece struct {
	lits   []string // one more than params
	params []string
	splat  bool // the one placeholder takes several segments
}

func (p piece) static() bool { return len(p.params) == 0 }

// bare is true for a segment that is one placeholder and nothing else.
func (p piece) bare() bool {
	return len(p.params) == 1 && p.lits[0] == "" && p.lits[1] == ""
}

func (p piece) String() string {
	var b strings.Builder
	for i, lit := range p.lits {
		b.WriteString(lit)
		if i < len(p.params) {
			b.WriteString("{" + p.params[i] + "}")
		}
	}
	return b.String()
}

// match reads the placeholders' values out of a decoded segment. A value ends
// where the text behind it begins for the first time; the last takes the rest.
func (p piece) match(seg string, into map[string]string) bool {
	rest, ok := strings.CutPrefix(seg, p.lits[0])
	if !ok {
		return false
	}
	for i, name := range p.params {
		lit := p.lits[i+1]
		var value string
		switch {
		case i == len(p.params)-1:
			if value, ok = strings.CutSuffix(rest, lit); !ok {
				return false
			}
			rest = ""
		default:
			if value, rest, ok = strings.Cut(rest, lit); !ok {
				return false
			}
		}
		if value == "" {
			return false
		}
		into[name] = value
	}
	return rest == ""
}

// variants are the paths that a template of GitLab's document stands for,
// without /api/v4: with and without each optional part. Optional are groups,
// "(-/)" and "(/{hash})", and marked placeholders, "{/path}" and "{.format}".
func variants(template string) []string {
	t := strings.TrimPrefix(template, apiPrefix)
	t = strings.NewReplacer(`\(`, "\x01", `\)`, "\x02").Replace(t)
	out := []string{t}
	for changed := true; changed; {
		changed = false
		for i, v := range out {
			with, without, ok := openOptional(v)
			if !ok {
				continue
			}
			out[i] = without
			out = append(out, with)
			changed = true
			break
		}
	}
	for i, v := range out {
		out[i] = strings.NewReplacer("\x01", "(", "\x02", ")").Replace(v)
	}
	return out
}

// openOptional opens the first optional part of a template.
func openOptional(t string) (with, without string, ok bool) {
	group := strings.IndexByte(t, '(')
	mark := max(strings.Index(t, "{/"), strings.Index(t, "{."))
	switch {
	case group >= 0:
		end := strings.IndexByte(t[group:], ')')
		if end < 0 {
			return "", "", false
		}
		end += group
		return t[:group] + t[group+1:end] + t[end+1:], t[:group] + t[end+1:], true
	case mark >= 0:
		end := strings.IndexByte(t[mark:], '}')
		if end < 0 {
			return "", "", false
		}
		end += mark
		return t[:mark] + t[mark+1:mark+2] + "{" + t[mark+2:end+1] + t[end+1:], t[:mark] + t[end+1:], true
	}
	return "", "", false
}

// pieces parses a variant. splats are the placeholders that take several segments.
func pieces(variant string, splats []string) []piece {
	var out []piece
	for seg := range strings.SplitSeq(strings.TrimPrefix(variant, "/"), "/") {
		p := piece{}
		for {
			lit, rest, ok := strings.Cut(seg, "{")
			p.lits = append(p.lits, lit)
			if !ok {
				break
			}
			name, behind, _ := strings.Cut(rest, "}")
			p.params = append(p.params, name)
			seg = behind
		}
		p.splat = p.bare() && slices.Contains(splats, p.params[0])
		out = append(out, p)
	}
	return out
}

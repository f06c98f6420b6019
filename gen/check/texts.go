package check

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"gitlab-mcp-server/gen/ir"
)

// Limits of texts, in characters.
const (
	maxTitle       = 60
	maxDescription = 90
)

// mention is what looks like an action id in a text.
var mention = regexp.MustCompile(`\b[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*\b`)

// texts reports texts that are too long or that name what is not there.
func (c *checker) texts(a *ir.Action) {
	switch n := utf8.RuneCountInString(a.Title); {
	case n == 0:
		c.add(Error, a, "give it a title", "has no title")
	case n > maxTitle:
		c.add(Error, a, "shorten it", "the title has %d characters, over %d", n, maxTitle)
	case strings.HasSuffix(a.Title, "."):
		c.add(Warning, a, "drop it", "the title ends in a full stop")
	}
	for _, t := range []struct{ what, text, fix string }{
		{"what it answers with", a.Returns, "name its entity in _entities.yaml, or say returns in a domain file"},
		{"a tier", a.Tier, "add it to _facts.yaml"},
		{"an offering", a.Offering, "add it to _facts.yaml"},
		{"a scope", a.Scope, "add it to _facts.yaml"},
		{"a page of GitLab's documentation", a.Source, "add source to _facts.yaml"},
	} {
		if t.text == "" {
			c.add(Error, a, t.fix, "lacks %s", t.what)
		}
	}
	for _, t := range []struct{ what, text string }{{"usage", a.Usage}, {"deprecated", a.Deprecated}, {"returns", a.Returns}} {
		c.mentions(a, t.what, t.text)
	}
	for name, text := range a.Guidance {
		c.mentions(a, "guidance of "+name, text)
	}
	eachParam(a.Params, "", func(path string, p *ir.Param) {
		if n := utf8.RuneCountInString(p.Description); n > maxDescription {
			c.add(Warning, a, "shorten it", "the description of %s has %d characters, over %d", path, n, maxDescription)
		}
	})
}

// mentions reports ids in a text that no action has: its domain exists, so it
// was meant as one.
func (c *checker) mentions(a *ir.Action, what, text string) {
	for _, word := range mention.FindAllString(text, -1) {
		domain, _, _ := strings.Cut(word, ".")
		if c.domains[domain] && c.ids[word] == nil && !fileEnding(word) && param(a.Params, word) == nil {
			c.add(Error, a, "name an action that exists", "%s speaks of %s, which is no action", what, word)
		}
	}
}

func fileEnding(word string) bool {
	for _, e := range []string{".md", ".yml", ".yaml", ".json", ".com", ".rb", ".zip"} {
		if strings.HasSuffix(word, e) {
			return true
		}
	}
	return false
}

// eachParam calls f for every parameter and every field inside one, with its
// dotted path.
func eachParam(params []*ir.Param, prefix string, f func(path string, p *ir.Param)) {
	for _, p := range params {
		f(prefix+p.Name, p)
		for t := p.Type; t != nil; t = t.Items {
			eachParam(t.Fields, prefix+p.Name+".", f)
		}
	}
}

// param resolves a dotted path.
func param(params []*ir.Param, path string) *ir.Param {
	var found *ir.Param
	eachParam(params, "", func(at string, p *ir.Param) {
		if at == path {
			found = p
		}
	})
	return found
}

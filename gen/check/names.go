package check

import (
	"regexp"

	"gitlab-mcp-server/gen/ir"
)

// Limits of names. MCP clients refuse or cut longer tool names.
const (
	maxToolName = 60
	toolPrefix  = "gitlab_"
)

var (
	idShape = regexp.MustCompile(`^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$`)
	// paramShape is what every client takes as the name of a property.
	paramShape = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)
	groupShape = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
)

func (c *checker) names(a *ir.Action) {
	const fix = "name it in overrides of _naming.yaml"
	if !idShape.MatchString(a.ID) {
		c.add(Error, a, fix, "an id is domain.action in lower case")
	}
	if a.ID != a.Domain+"."+a.Name {
		c.add(Error, a, "a fault of gen/overlay", "id is not %s.%s", a.Domain, a.Name)
	}
	if n := len(toolPrefix) + len(a.ID); n > maxToolName {
		c.add(Warning, a, "a surface with one tool for each action must shorten it", "the tool name %s%s would have %d characters, over %d", toolPrefix, a.ID, n, maxToolName)
	}
}

func (c *checker) groups() {
	const fix = "correct _domains.yaml"
	of := map[string]string{}
	for _, g := range c.cat.Groups {
		if !groupShape.MatchString(g.Name) || len(toolPrefix)+len(g.Name) > maxToolName {
			c.add(Error, nil, fix, "group %q is no name of a tool", g.Name)
		}
		for _, d := range g.Domains {
			if !c.domains[d] {
				c.add(Error, nil, fix, "group %q has domain %q, which has no action", g.Name, d)
			}
			if of[d] != "" {
				c.add(Error, nil, fix, "domain %q is in groups %q and %q", d, of[d], g.Name)
			}
			of[d] = g.Name
		}
	}
	for _, a := range c.cat.Actions {
		if a.Group == "" || of[a.Domain] != a.Group {
			c.add(Error, a, fix, "is in group %q, its domain in %q", a.Group, of[a.Domain])
		}
	}
}

func (c *checker) aliases() {
	seen := map[string]bool{}
	for _, al := range c.cat.Aliases {
		switch {
		case c.ids[al.Name] != nil:
			c.add(Error, nil, "drop the alias", "alias %q shadows an action", al.Name)
		case seen[al.Name]:
			c.add(Error, nil, "join the two entries", "alias %q stands twice", al.Name)
		case len(al.Targets) == 0 && al.Note == "":
			c.add(Error, nil, "say in note what to use instead", "alias %q leads nowhere", al.Name)
		}
		seen[al.Name] = true
		for _, t := range al.Targets {
			if c.ids[t] == nil {
				c.add(Error, nil, "correct its target", "alias %q leads to %q, which is no action", al.Name, t)
			}
		}
	}
}

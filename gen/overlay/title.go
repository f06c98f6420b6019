package overlay

import "strings"

// acronyms are words that titles write in their own way.
var acronyms = map[string]string{
	"ai": "AI", "api": "API", "ci": "CI", "cd": "CD", "dora": "DORA", "gpg": "GPG", "id": "ID", "iid": "IID", "ldap": "LDAP", "ml": "ML",
	"saml": "SAML", "scim": "SCIM", "sha": "SHA", "ssh": "SSH", "url": "URL", "yml": "YAML", "oauth": "OAuth", "gitlab": "GitLab",
	"github": "GitHub", "bitbucket": "Bitbucket", "google": "Google", "kubernetes": "Kubernetes", "sidekiq": "Sidekiq", "glql": "GLQL",
}

// scopes are ends of action names that say where, not what.
var scopes = map[string]string{
	"all": "everywhere", "group": "of a group", "project": "of a project", "instance": "of the instance", "user": "of a user",
	"by_id": "by ID", "by_name": "by name", "for_user": "of a user",
}

// title is the title of an action that nobody has given one.
func (n *naming) title(domain, action string) string {
	verb, rest, _ := strings.Cut(action, "_")
	scope := ""
	for end, words := range scopes {
		if rest == end {
			rest, scope = "", " "+words
		} else if head, ok := strings.CutSuffix(rest, "_"+end); ok && len(words) > len(scope) {
			rest, scope = head, " "+words
		}
	}
	verb = strings.ToUpper(verb[:1]) + verb[1:]
	thing := words(domain)
	switch {
	case rest != "":
		return verb + " " + words(rest) + " of " + article(thing) + scope
	case verb == "List":
		return verb + " " + plural(thing) + scope
	}
	return verb + " " + article(thing) + scope
}

func words(name string) string {
	parts := strings.Split(name, "_")
	for i, p := range parts {
		if a := acronyms[p]; a != "" {
			parts[i] = a
		}
	}
	return strings.Join(parts, " ")
}

func plural(thing string) string {
	switch {
	case strings.HasSuffix(thing, "s"), strings.HasSuffix(thing, "data"):
		return thing
	case strings.HasSuffix(thing, "y") && !hasAnySuffix(thing, "ay", "ey", "oy"):
		return thing[:len(thing)-1] + "ies"
	case hasAnySuffix(thing, "ch", "sh", "x"):
		return thing + "es"
	}
	return thing + "s"
}

func article(thing string) string {
	switch {
	case strings.HasSuffix(thing, "s") && !strings.HasSuffix(thing, "ss") && !strings.HasSuffix(thing, "us"):
		return thing
	case strings.ContainsRune("aeiou", rune(thing[0])) && !strings.HasPrefix(thing, "user"):
		return "an " + thing
	}
	return "a " + thing
}

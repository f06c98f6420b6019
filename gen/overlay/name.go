package overlay

import (
	"regexp"
	"slices"
	"strings"
)

var (
	// optionalParam is a parameter that may be left out with what leads to it:
	// upstream's "(/{settings_context_hash})", and our own "{/path}".
	optionalParam = regexp.MustCompile(`\(/\{[^}]*\}\)|\{[./][^}]*\}`)
	placeholder   = regexp.MustCompile(`\{[^}]*\}`)
	// optionalText drops the literal groups that Grape leaves in templates,
	// and the /-/ that GitLab takes with and without.
	optionalText = strings.NewReplacer("(-/)", "", "(ref/{ref}/)", "", "/-/", "/")
)

const apiRoot = "/api/v4"

// normalise brings a template to the form in which the naming tables write
// paths: no root, no optional parts, parameters still named.
func normalise(path string) string {
	path = strings.TrimPrefix(path, apiRoot)
	return optionalParam.ReplaceAllString(optionalText.Replace(path), "")
}

// segments splits a normalised path; a segment that begins with a parameter
// is "{}".
func segments(path string) []string {
	segs := strings.Split(strings.Trim(path, "/"), "/")
	for i, s := range segs {
		if strings.HasPrefix(s, "{") {
			segs[i] = "{}"
		}
	}
	return segs
}

func underscored(s string) string {
	return strings.NewReplacer("-", "_", ".", "_").Replace(s)
}

// id names an operation by method and path; "" means that no prefix of the
// table fits.
func (n *naming) id(method, path string) string {
	norm := normalise(path)
	segs := segments(norm)
	pre, tail := n.longest(segs)
	if pre != nil {
		pre.used = true // also where an override says more
	}
	key := method + " " + placeholder.ReplaceAllString(norm, "{}")
	for _, table := range []map[string]*entry{n.overrides, n.newer} {
		if e := table[key]; e != nil {
			return e.use()
		}
	}
	if pre == nil {
		return ""
	}
	domain, qualifier := pre.use(), pre.qualifier
	domain, qualifier, tail, item := n.descend(domain, qualifier, tail)
	action := n.action(method, segs, tail, domain, item)
	action = n.rename(domain, action)
	if qualifier != "" && !strings.HasSuffix(action, qualifier) {
		action += "_" + qualifier
	}
	return domain + "." + action
}

// longest finds the longest prefix of segs in the table and what is behind it.
func (n *naming) longest(segs []string) (*prefix, []string) {
	for i := len(segs); i > 0; i-- {
		if p := n.prefixes["/"+strings.Join(segs[:i], "/")]; p != nil {
			return p, segs[i:]
		}
	}
	return nil, nil
}

// descend walks over item parameters and sub-resources, which extend the
// domain. item says that the path ends in, or goes on behind, one item.
func (n *naming) descend(domain, qualifier string, tail []string) (string, string, []string, bool) {
	item := false
	for {
		if len(tail) > 0 && tail[0] == "{}" {
			item, tail = true, tail[1:]
		}
		if len(tail) == 0 {
			return domain, qualifier, tail, item
		}
		sub := n.subs[tail[0]]
		if sub == nil || len(sub.parents) > 0 && !slices.Contains(sub.parents, domain) {
			return domain, qualifier, tail, item
		}
		domain, qualifier, tail, item = domain+"_"+sub.use(), "", tail[1:], false
	}
}

// action names what is done, from the segments behind the domain.
func (n *naming) action(method string, segs, tail []string, domain string, item bool) string {
	var words []string
	for _, s := range tail {
		if s != "{}" {
			words = append(words, underscored(s))
		}
	}
	if len(words) == 0 {
		return n.plainAction(method, segs, item)
	}
	last := words[len(words)-1]
	lastIsParam := tail[len(tail)-1] == "{}"
	all := strings.Join(words, "_")
	singular := func() string { return strings.Join(append(slices.Clone(words[:len(words)-1]), n.singular(last)), "_") }

	switch method {
	case "POST", "PUT", "PATCH":
		raw := tail[len(tail)-1]
		if lastIsParam {
			raw = tail[len(tail)-2]
		}
		if v := n.verbs[raw]; v != nil {
			return strings.Join(append(slices.Clone(words[:len(words)-1]), v.use()), "_")
		}
		if method == "PUT" && n.isSetter(domain) {
			return "set_" + all
		}
		if method == "POST" {
			return "create_" + singular()
		}
		return "update_" + singular()
	case "GET":
		if g := n.getters[last]; g != nil && len(words) == 1 {
			return g.use()
		}
		if lastIsParam {
			return "get_" + singular()
		}
		if n.isPlural(last) {
			return "list_" + all
		}
		return "get_" + all
	case "DELETE":
		if lastIsParam || !n.isPlural(last) {
			return "delete_" + singular()
		}
		return "delete_all_" + all
	}
	return strings.ToLower(method) + "_" + all
}

// plainAction names the plain methods on a collection or an item.
func (n *naming) plainAction(method string, segs []string, item bool) string {
	last := segs[len(segs)-1]
	if last == "{}" && len(segs) > 1 {
		last = segs[len(segs)-2]
	}
	one := item
	if !one && !n.isPlural(last) {
		e := n.collections[last]
		if e != nil {
			e.used = true
		}
		one = e == nil
	}
	switch method {
	case "GET":
		if one {
			return "get"
		}
		return "list"
	case "POST":
		if item {
			return "create_item"
		}
		return "create"
	case "DELETE":
		if one {
			return "delete"
		}
		return "delete_all"
	case "HEAD":
		return "exists"
	}
	return "update"
}

func (n *naming) rename(domain, action string) string {
	for _, r := range n.renames {
		if r.from != action {
			continue
		}
		for _, e := range r.domains {
			if match(e.text, domain) {
				e.used = true
				return r.to
			}
		}
	}
	return action
}

func (n *naming) isSetter(domain string) bool {
	for _, e := range n.setters {
		if e.text == domain {
			e.used = true
			return true
		}
	}
	return false
}

func (n *naming) isPlural(word string) bool {
	if !strings.HasSuffix(word, "s") || strings.HasSuffix(word, "ss") || strings.HasSuffix(word, "_status") {
		return false
	}
	if e := n.uncountable[word]; e != nil {
		e.used = true
		return false
	}
	return true
}

// singular is the singular of a plural segment; the table goes before the
// English rules.
func (n *naming) singular(word string) string {
	if e := n.singulars[word]; e != nil {
		return e.use()
	}
	head, last := "", word
	if i := strings.LastIndexByte(word, '_'); i >= 0 {
		head, last = word[:i+1], word[i+1:]
	}
	if e := n.singulars[last]; e != nil {
		return head + e.use()
	}
	return head + singularOf(last)
}

func singularOf(word string) string {
	switch {
	case strings.HasSuffix(word, "ies"):
		return strings.TrimSuffix(word, "ies") + "y"
	case hasAnySuffix(word, "sses", "ches", "shes", "xes"):
		return strings.TrimSuffix(word, "es")
	case hasAnySuffix(word, "ss", "us", "is"):
		return word
	}
	return strings.TrimSuffix(word, "s")
}

func hasAnySuffix(s string, suffixes ...string) bool {
	return slices.ContainsFunc(suffixes, func(x string) bool { return strings.HasSuffix(s, x) })
}

func trimRoot(path string) string { return strings.TrimPrefix(path, apiRoot) }

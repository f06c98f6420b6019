package search

import (
	"cmp"
	"slices"
	"strings"

	"gitlab-mcp-server/internal/catalog"
)

// exactScore is the score of a name that is exactly the query.
const exactScore = 2000

// exact finds the actions that the query names outright: by id, alias,
// operation id, or method and path. Case, and what stands around a name, do not
// matter: quotes, a full stop, other words.
func (s *Searcher) exact(query string, o Options) []Hit {
	var hits []Hit
	add := func(a catalog.Action, name string) {
		i := a.Index()
		if !s.allowed(i, &o) || slices.ContainsFunc(hits, func(h Hit) bool { return h.Index == i }) {
			return
		}
		h := Hit{Index: i, Score: exactScore}
		if o.Explain {
			h.Explanation = []Reason{{Term: name, Match: a.ID(), Field: "name", Factor: "exact name", Points: exactScore}}
		}
		hits = append(hits, h)
	}
	query = strings.Trim(query, around)
	method, path, spaced := strings.Cut(query, " ")
	if !spaced {
		method, path = "", query
	}
	if path, ok := apiPath(strings.TrimSpace(path)); ok && !strings.ContainsAny(path, " \t") {
		s.byPath(strings.ToUpper(method), path, func(a catalog.Action) { add(a, query) })
		return hits
	}
	if !spaced {
		s.byName(query, add)
		return hits
	}
	for word := range strings.FieldsSeq(query) {
		// of aliases only those that nobody writes by chance
		if word = strings.Trim(word, around); strings.Contains(word, ".") || strings.HasPrefix(word, "gitlab_") {
			s.byName(word, add)
		}
	}
	return hits
}

// around is what may stand around a name.
const around = "`\"'“”‘’«»()[]{}<>.,;:!?"

// apiPath is the path in an address of the API, or a path itself.
func apiPath(text string) (string, bool) {
	if i := strings.Index(text, "://"); i >= 0 {
		if i = strings.Index(text, "/api/v4/"); i < 0 {
			return "", false
		}
		text = text[i:]
	}
	return text, strings.HasPrefix(text, "/")
}

// domain is the domain that the query names as an identifier: wiki_page, WikiPage.
func (s *Searcher) domain(query string) (string, bool) {
	if strings.ContainsAny(query, " \t") || !strings.Contains(query, "_") && strings.ToLower(query) == query {
		return "", false
	}
	for a := range s.c.All() {
		if d := a.Domain(); sameLetters(d, query) {
			return d, true
		}
	}
	return "", false
}

// sameLetters reports whether two identifiers differ in underscores and case only.
func sameLetters(a, b string) bool {
	for {
		a, b = strings.TrimLeft(a, "_"), strings.TrimLeft(b, "_")
		if a == "" || b == "" {
			return a == b
		}
		if !strings.EqualFold(a[:1], b[:1]) {
			return false
		}
		a, b = a[1:], b[1:]
	}
}

// byName finds the action of an id or operation id, or the actions of an alias.
func (s *Searcher) byName(name string, add func(a catalog.Action, name string)) {
	name = strings.TrimPrefix(name, "gitlab://tools/")
	for _, spelling := range [...]string{name, strings.ToLower(name)} {
		if a, ok := s.c.ByID(spelling); ok {
			add(a, name)
			return
		}
		if alias, ok := s.c.ByAlias(spelling); ok {
			for id := range alias.Targets() {
				if a, ok := s.c.ByID(id); ok {
					add(a, name)
				}
			}
			return
		}
	}
	if strings.Contains(strings.ToLower(name), "apiv4") {
		for a := range s.c.All() {
			if id := a.OperationID(); id != "" && strings.EqualFold(id, name) {
				add(a, name)
			}
		}
	}
}

// byPath finds the actions of a path, whatever its parameters are called or
// filled with: those first whose template says more of the path, and of one path
// those that read. An empty method is any.
func (s *Searcher) byPath(method, path string, add func(catalog.Action)) {
	path, _, _ = strings.Cut(path, "?")
	var found []catalog.Action
	for a := range s.c.All() {
		if (method == "" || a.Method() == method) && a.Path() != "" && samePath(a.Path(), path) {
			found = append(found, a)
		}
	}
	open := func(a catalog.Action) int { return strings.Count(a.Path(), "{") }
	slices.SortStableFunc(found, func(a, b catalog.Action) int {
		return cmp.Or(cmp.Compare(open(a), open(b)), cmp.Compare(danger(a), danger(b)))
	})
	for _, a := range found {
		add(a)
	}
}

// danger orders actions by what they may do.
func danger(a catalog.Action) int {
	switch {
	case a.ReadOnly():
		return 0
	case a.Destructive():
		return 2
	}
	return 1
}

// samePath compares a template with a path segment by segment. Any segment of
// the path fills a parameter of the template; /api/v4 and (-/) may be absent.
func samePath(template, path string) bool {
	template, path = strings.TrimPrefix(template, "/api/v4"), strings.TrimPrefix(path, "/api/v4")
	path = strings.TrimSuffix(path, "/")
	for {
		t, trest, tmore := nextSegment(template)
		p, prest, pmore := nextSegment(path)
		if !tmore || !pmore {
			return tmore == pmore
		}
		if !strings.HasPrefix(t, "{") && t != p || strings.HasPrefix(t, "{") && p == "" {
			return false
		}
		template, path = trest, prest
	}
}

// nextSegment cuts the first segment off a path, without optional parts like
// (-/) and without the separator "-".
func nextSegment(path string) (segment, rest string, ok bool) {
	for {
		path = strings.TrimPrefix(path, "/")
		if strings.HasPrefix(path, "(") {
			if i := strings.IndexByte(path, ')'); i >= 0 {
				path = path[i+1:]
				continue
			}
		}
		if path == "" {
			return "", "", false
		}
		segment, rest, _ = strings.Cut(path, "/")
		if segment == "-" {
			path = rest
			continue
		}
		return segment, rest, true
	}
}

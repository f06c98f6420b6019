package search

import (
	"strings"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/token"
)

// exactScore is the score of a name that is exactly the query.
const exactScore = 2000

// exact finds the actions that the query names outright: by id, alias,
// operation id, or method and path. Quotes around a name and its case do not matter,
// as when it is executed.
func (s *Searcher) exact(query string, o Options) []Hit {
	query = strings.Trim(query, "`\"'")
	var hits []Hit
	add := func(a catalog.Action) {
		i := a.Index()
		if o.Allow != nil && !o.Allow(i) || s.ix.DocFlags[i]&token.DocHidden != 0 {
			return
		}
		h := Hit{Index: i, Score: exactScore}
		if o.Explain {
			h.Explanation = []Reason{{Term: query, Match: a.ID(), Field: "name", Factor: "exact name", Points: exactScore}}
		}
		hits = append(hits, h)
	}
	if strings.ContainsAny(query, " \t") {
		method, path, _ := strings.Cut(query, " ")
		if path = strings.TrimSpace(path); strings.HasPrefix(path, "/") {
			s.byPath(strings.ToUpper(method), path, add)
		}
		return hits
	}
	if strings.HasPrefix(query, "/") {
		s.byPath("", query, add)
		return hits
	}
	for _, name := range [...]string{query, strings.ToLower(query)} {
		if a, ok := s.c.ByID(name); ok {
			add(a)
			return hits
		}
		if alias, ok := s.c.ByAlias(name); ok {
			for id := range alias.Targets() {
				if a, ok := s.c.ByID(id); ok {
					add(a)
				}
			}
			return hits
		}
	}
	if strings.Contains(strings.ToLower(query), "apiv4") {
		for a := range s.c.All() {
			if id := a.OperationID(); id != "" && strings.EqualFold(id, query) {
				add(a)
			}
		}
	}
	return hits
}

// byPath finds the actions of a path, whatever its parameters are called or
// filled with. An empty method is any.
func (s *Searcher) byPath(method, path string, add func(catalog.Action)) {
	path, _, _ = strings.Cut(path, "?")
	for a := range s.c.All() {
		if (method == "" || a.Method() == method) && a.Path() != "" && samePath(a.Path(), path) {
			add(a)
		}
	}
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

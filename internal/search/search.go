// Package search ranks the actions of a catalog for a query in everyday words.
//
// All tables are precomputed by the generator; a query reads them, takes no
// lock and allocates nothing but its reply. How ranking works stands in
// docs/search.md.
//
// It is not for deciding who may see an action (package policy hands in a
// filter), nor for rendering results.
package search

import (
	"context"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/token"
)

// Limits of a search, in the units of the public schema.
const (
	MaxQuery     = 256 // characters of a query
	MaxLimit     = 50  // results that a caller may ask for
	DefaultLimit = 20  // ranked without a limit
)

// Errors of a search that has no answer. A query without a match is none.
var (
	ErrEmpty   = errors.New("the query is empty")
	ErrTooLong = errors.New("the query is longer than 256 characters")
)

// Options change what a search gives back, never the order.
type Options struct {
	// Limit asks for exactly so many hits if that many match. 0 leaves the
	// relevance cut to the search.
	Limit int
	// Explain fills Hit.Explanation.
	Explain bool
	// Allow says by index whether an action exists for this caller; nil allows
	// all. It must not retain anything and is called for every candidate.
	Allow func(index int) bool
}

// Hit is one ranked action.
type Hit struct {
	Index         int   // of the action in the catalog
	Score         int   // points; comparable within one reply only
	LowConfidence bool  // the query says too little or too much else
	AmbiguousWith []int // actions that fit about as well, on the first hit only
	Explanation   []Reason
}

// Reason is one summand of a score.
type Reason struct {
	Term   string // words of the query, empty for factors of the whole action
	Match  string // what they met in the index
	Field  string // where: name, title, noun, phrase, param, …
	Factor string // why it counts: match, synonym, typo, verb, scope, …
	Points int    // the reasons of a hit add up to its score
}

// Reply is the answer to a query.
type Reply struct {
	Hits        []Hit
	More        []int    // some further matches, best first, below the relevance cut
	Suggestions []string // near terms, when nothing matched
}

// Searcher searches one catalog. It is safe for concurrent use.
type Searcher struct {
	c        *catalog.Catalog
	ix       *catalog.Index
	counters Counters
}

// New gives a searcher over c without any work.
func New(c *catalog.Catalog) *Searcher {
	return &Searcher{c: c, ix: &c.Tables().Index}
}

// Over gives a searcher over c with another index of the same actions: for
// tuning and for judging an index before it is generated.
func Over(c *catalog.Catalog, ix *catalog.Index) *Searcher {
	return &Searcher{c: c, ix: ix}
}

// allowed reports whether the caller may see a document.
func (s *Searcher) allowed(doc int, o *Options) bool {
	return s.ix.DocFlags[doc]&token.DocHidden == 0 && (o.Allow == nil || o.Allow(doc))
}

// Counters tells what has been searched so far.
func (s *Searcher) Counters() *Counters { return &s.counters }

// Examples are queries that show what can be asked.
func Examples() []string {
	return []string{
		"list open merge requests of project group/app",
		"retry the failed job 7781",
		"create an issue with labels",
		"who can push to protected branches",
	}
}

// bare is the query without what is not seen, space around it, and quotes around
// all of it.
func bare(query string) string {
	query = strings.TrimSpace(query)
	if strings.ContainsFunc(query, unseen) {
		query = strings.TrimSpace(strings.Map(func(r rune) rune {
			if unseen(r) {
				return -1
			}
			return r
		}, query))
	}
	for _, q := range [...]struct{ open, end string }{{"\"", "\""}, {"'", "'"}, {"`", "`"}, {"“", "”"}, {"‘", "’"}, {"«", "»"}, {"„", "“"}} {
		if rest, ok := strings.CutPrefix(query, q.open); ok {
			if inner, ok := strings.CutSuffix(rest, q.end); ok && !strings.Contains(inner, q.open) && !strings.Contains(inner, q.end) {
				return strings.TrimSpace(inner)
			}
		}
	}
	return query
}

// unseen is true for characters that take no room: soft hyphens, joiners and
// marks of order, NUL.
func unseen(r rune) bool { return r == 0 || unicode.Is(unicode.Cf, r) }

// Search ranks the actions for a query. The error is ErrEmpty, ErrTooLong or
// the context's.
func (s *Searcher) Search(ctx context.Context, query string, o Options) (Reply, error) {
	if err := ctx.Err(); err != nil {
		return Reply{}, err
	}
	if utf8.RuneCountInString(query) > MaxQuery {
		return Reply{}, ErrTooLong
	}
	query = bare(query)
	if query == "" {
		return Reply{}, ErrEmpty
	}
	s.counters.Searches.Add(1)
	if hits := s.exact(query, o); len(hits) > 0 {
		if o.Limit > 0 {
			hits = hits[:min(o.Limit, len(hits))]
		}
		return Reply{Hits: hits}, nil
	}
	if domain, ok := s.domain(query); ok {
		query = strings.ReplaceAll(domain, "_", " ") // registry_tag is a thing, no parameter
	}
	w := getWork(s.ix)
	defer w.put()
	w.s, w.o = s, o
	w.read(query)
	if err := ctx.Err(); err != nil {
		return Reply{}, err
	}
	w.rank()
	return w.reply(), nil
}

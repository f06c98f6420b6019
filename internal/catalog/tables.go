package catalog

import (
	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/call"
)

// Handler reads an action's arguments and builds its request; it sends nothing.
type Handler func(r *arg.Reader, q *call.Request) error

// Span is a string of Tables.Text: text[Off : Off+Len].
type Span struct {
	Off uint32
	Len uint32
}

// Range is a run of elements of one of the arrays of Tables.
type Range struct {
	Off uint32
	Len uint16
}

// Tables is what the generator makes and package generated holds. All of it is
// read-only and nothing of it is built at start.
type Tables struct {
	Text          string
	Rows          []Row     // sorted by ID
	Handlers      []Handler // same order; nil for local and GraphQL actions
	Params        []ParamRow
	Strings       []Span // lists of strings, by Range
	Pairs         []Pair // lists of pairs, by Range
	Rules         []RuleRow
	Schemas       string // one JSON schema a line, without the newline
	Ends          []uint32
	Outputs       string
	OutputEnds    []uint32
	Aliases       []AliasRow // sorted by name
	ParamAliases  []ParamAliasRow
	Groups        []GroupRow // sorted by name
	Index         Index
	GitLabVersion string
}

// Pair is two strings that belong together.
type Pair struct{ Key, Value Span }

// Row is one action.
type Row struct {
	ID, Domain, Name, Title                    Span
	Method, Path, OperationID                  Span // Path is upstream's template, empty where Method is GRAPHQL or LOCAL
	Usage, Returns, Scope, Tier                Span
	Offering, Since, Source, Role              Span
	Deprecated, Lifecycle                      Span
	Example                                    Span // JSON object: example params
	Keyset, ContentType                        Span
	Group                                      uint16 // index into Groups
	Number                                     uint32
	Schema, FindSchema, Output                 uint32 // indices of lines: whole, folded (often the same line), output
	Params                                     Range  // of Params
	Related, Phrases, Columns, Folded, Aliases Range  // of Strings
	Guidance, DestroyWhen                      Range  // of Pairs
	Rules                                      Range
	Risk                                       Risk
	Kind                                       Kind
	Flags                                      Flags
}

// ParamRow is one argument of an action.
type ParamRow struct {
	Name, Wire Span
	In         In
	Type       Type
	Encoding   Encoding
	Flags      ParamFlags
}

// RuleRow is a rule over several parameters: Rule is one_of, exactly_one, at_most_one, all_or_none.
type RuleRow struct {
	Rule   Span
	Params Range // of Strings
}

// AliasRow is another name of one or several actions.
type AliasRow struct {
	Name       Span
	Targets    Range // of Strings: ids
	Fixed      Span  // JSON object, or empty
	Rename     Range // of Pairs
	Only       Range // of Strings
	Note, From Span
}

// ParamAliasRow is another name of a parameter. Action is an id, a glob, or empty for everywhere.
type ParamAliasRow struct {
	From, To, Action Span
	Values           Range // of Pairs
}

// GroupRow is a group of domains.
type GroupRow struct {
	Name, Title Span
	Domains     Range // of Strings
}

// Risk is what a call can do to data.
type Risk uint8

// Risks, in rising order.
const (
	Read Risk = iota
	Write
	Destroy
)

// Kind is what a successful call answers with.
type Kind uint8

// Kinds of answers.
const (
	Object Kind = iota
	List
	Text
	Binary
	None
	Head
)

// In says where an argument travels.
type In uint8

// Places of arguments. Local arguments never reach GitLab.
const (
	InPath In = iota
	InQuery
	InBody
	InFile
	InVariable
	InLocal
)

// Type is the type of an argument.
type Type uint8

// Types of arguments. ID is a string that also takes integers; Map is an object with free keys.
const (
	TypeString Type = iota
	TypeInteger
	TypeNumber
	TypeBoolean
	TypeID
	TypeArray
	TypeObject
	TypeMap
	TypeAny
	TypeFile
)

// Encoding is how an array or object travels in a query.
type Encoding uint8

// Encodings in a query.
const (
	Plain Encoding = iota
	Comma
	Brackets
	Hash
)

// Flags are facts of an action.
type Flags uint16

// Facts of an action.
const (
	Admin   Flags = 1 << iota // only for administrators
	Paged                     // takes page and per_page
	Reveals                   // its purpose is to reveal a secret
	Hidden                    // never returned by find (deprecated name or operation)
	Added                     // from an overlay, absent upstream
)

// ParamFlags are facts of an argument.
type ParamFlags uint8

// Facts of an argument.
const (
	Required ParamFlags = 1 << iota
	Clearable
	Splat
	ParamDeprecated
	FoldedParam
)

// Index is the precomputed search index; package search gives it meaning.
type Index struct {
	Terms     string // sorted terms, concatenated
	TermEnds  []uint32
	Postings  string // per term: uvarint document deltas, each followed by a weight byte
	PostEnds  []uint32
	DocLens   []uint16
	Extra     string // vocabulary and ranking data, in the form that package search reads
	ExtraEnds []uint32
}

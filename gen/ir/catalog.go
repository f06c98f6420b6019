package ir

// Catalog is the repaired, named and curated whole: what emit renders.
type Catalog struct {
	GitLabVersion string
	Actions       []*Action // sorted by ID
	Excluded      []Excluded
	Groups        []Group // sorted by name
	Aliases       []Alias // sorted by name; parameter aliases are in ParamAliases
	ParamAliases  []ParamAlias
}

// Excluded is an operation that a named rule refuses.
type Excluded struct {
	Op   *Operation
	Rule string
	Why  string
}

// Group is what people look for: the later meta tool, gitlab_<Name>.
type Group struct {
	Name    string
	Title   string
	Domains []string // sorted
}

// Risk is what a call can do to data.
type Risk string

// Risks, in rising order.
const (
	Read    Risk = "read"
	Write   Risk = "write"
	Destroy Risk = "destroy"
)

// ResultKind is what a successful call answers with.
type ResultKind string

// Kinds of results.
const (
	KindObject ResultKind = "object"
	KindList   ResultKind = "list"
	KindText   ResultKind = "text"
	KindBinary ResultKind = "binary"
	KindNone   ResultKind = "none"
	KindHead   ResultKind = "head"
)

// Action is one callable thing. Op holds the repaired operation; Op is nil for
// GraphQL and local actions.
type Action struct {
	ID     string // domain.action
	Domain string
	Name   string // the part behind the dot
	Group  string
	Number int // from names.lock, stable

	Op           *Operation // repaired; Op.Path is still upstream's template
	Document     *Document  // of a GraphQL action
	UpstreamPath string     // template verbatim
	WirePath     string     // repaired template, without (-/) and the like; /api/v4/… with {public_name}
	Method       string     // or GRAPHQL, LOCAL
	Params       []*Param   // path, query, body, file, local; public names; required first, then source order
	ContentType  string     // of the request; "" without body
	RawBody      string     // public name of the parameter that is the whole body (octet-stream uploads)
	Kind         ResultKind
	Output       *Type // of the success answer; the item type for lists
	// Keyset names the wire parameter that carries the next page's cursor
	// (cursor, page_token, id_after); "" for offset-only lists.
	Keyset string

	Risk        Risk
	DestroyWhen []DestroyWhen
	Groups      []ParamGroup

	Title      string
	Usage      string
	Returns    string
	Phrases    []string
	SearchTags []string
	Related    []string
	Guidance   map[string]string // parameter → advice
	Tier       string            // free, premium, ultimate
	Offering   string            // all, or a comma list of gitlab.com, self-managed, dedicated
	Admin      bool
	Scope      string // least token scope
	Since      string
	Source     string // documentation page
	Role       string // lowest role
	Deprecated string // note with the successor; "" if current
	Lifecycle  string
	Example    map[string]any // example params
	Columns    []string       // of the Markdown table
	Reveals    bool           // the action's purpose is to reveal a secret (create token): no masking
	NameState  string         // active, deprecated (from the ledger)
}

// Document is what a GraphQL action sends: one operation with the fragments that
// it uses.
type Document struct {
	Pos      Pos
	Name     string // of the operation
	Mutation bool
	Text     string  // compact, without comments
	Fixed    []Fixed // variables that are the same in every call, sorted by Path
	// Result is where the answer stands inside data, by dots; "" where following
	// the only member leads there. Lists are entered by name[], which means the
	// first element that has what follows.
	Result string
}

// Fixed is a variable, or a field inside one, with a value of its own.
type Fixed struct {
	Path string // dotted
	JSON string
}

// DestroyWhen makes a call destructive by argument.
type DestroyWhen struct{ Param, Value string }

// ParamGroup is a rule over several parameters.
type ParamGroup struct {
	Rule   string // one_of (at least one), exactly_one, at_most_one, all_or_none
	Params []string
}

// Alias is another name of an action.
type Alias struct {
	Name    string
	Targets []string          // one: unique; several: ambiguous; none: no counterpart
	By      []AliasCase       // which of the targets is meant, by argument; the first that fits
	Fixed   map[string]any    // arguments that the alias sets
	Rename  map[string]string // argument of the old name → ours
	Only    []string          // argument names accepted, if the old tool was narrower
	Note    string            // what to use instead, for no counterpart
	From    string            // provenance: peer, official, operation_id, ours
}

// AliasCase chooses a target of an alias by what is given.
type AliasCase struct {
	When string // "argument", "argument=value", or "" for whatever is left
	To   string // an id
}

// ParamAlias is another name of a parameter, applied where To exists and From is no
// parameter itself. Where From is To, it only gives other words for values of
// the parameter, at any depth: developer for 30.
type ParamAlias struct {
	Actions []string // ids or globs; empty: everywhere
	From    string
	To      string
	Values  map[string]string // value → value, e.g. close → close
}

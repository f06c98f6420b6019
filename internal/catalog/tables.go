package catalog

import (
	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/call"
)

// Handler reads an action's arguments and builds its request; it sends nothing.
type Handler func(r *arg.Reader, q *call.Request) error

// Str is a string of the tables: the number of a line of Tables.Text. Line 0 is
// the empty string, so the zero value reads as "".
type Str uint32

// Strs is a list of strings of the tables: Lists[ListEnds[l-1]:ListEnds[l]].
// List 0 is empty. A list of pairs holds keys and values in turn.
type Strs uint32

// Line is the number of a line of one of the other texts of Tables.
type Line uint32

// Run is a part of Tables.Params or Tables.Rules.
type Run struct {
	Off uint32
	Len uint32
}

// Tables is what the generator makes and package generated holds. All of it is
// read-only and nothing of it is built at start: every field is a constant or
// an array that the linker lays out.
//
// A text of many lines is one string with an array of ends: Ends[i] is the
// offset behind line i, a newline follows each line. Equal lines are one line.
type Tables struct {
	Text     string
	TextEnds []uint32
	Lists    []Str
	ListEnds []uint32

	Rows     []Row     // sorted by ID
	Handlers []Handler // in the order of Rows; nil for LOCAL
	Params   []ParamRow
	Rules    []RuleRow

	Schemas    string // JSON schemas of arguments, one a line
	SchemaEnds []uint32
	Outputs    string // JSON schemas of answers, one a line; line 0 is empty
	OutputEnds []uint32

	Aliases      []AliasRow      // sorted by Name
	ParamAliases []ParamAliasRow // in the order in which they apply
	Groups       []GroupRow      // sorted by Name

	Index         Index
	GitLabVersion string
}

// Row is one action.
type Row struct {
	ID     Str
	Domain Str
	Name   Str // the part of ID behind the dot
	Group  uint32
	Number uint32 // in the ledger of names

	Method      Str
	Path        Str // upstream's template, empty where Method is GRAPHQL or LOCAL
	OperationID Str
	ContentType Str // of the request body
	Keyset      Str // wire parameter of the next page's cursor
	Result      Str // of GRAPHQL: where the answer stands inside data

	Title      Str
	Usage      Str
	Returns    Str
	Example    Str // a JSON object: arguments
	Tier       Str
	Offering   Str
	Role       Str
	Scope      Str
	Since      Str
	Source     Str
	Deprecated Str
	Lifecycle  Str

	Schema     Line // whole
	FindSchema Line // folded; often the same line
	Output     Line

	Params Run // of Tables.Params
	Rules  Run // of Tables.Rules

	Related     Strs
	Phrases     Strs
	Columns     Strs
	Folded      Strs
	Aliases     Strs
	Guidance    Strs // pairs
	DestroyWhen Strs // pairs

	Risk  Risk
	Kind  Kind
	Flags Flags
}

// ParamRow is one argument of an action.
type ParamRow struct {
	Name     Str
	Wire     Str
	In       In
	Type     Type
	Encoding Encoding
	Flags    ParamFlags
}

// RuleRow is a rule over several arguments of an action.
type RuleRow struct {
	Rule   Str // one_of, exactly_one, at_most_one, all_or_none
	Params Strs
}

// AliasRow is another name of one or several actions, or a known name of none.
type AliasRow struct {
	Name    Str
	Targets Strs // ids
	By      Strs // pairs: a condition, an id; see Alias.By
	Fixed   Str  // a JSON object of arguments, or empty
	Rename  Strs // pairs: the old tool's name, ours
	Only    Strs // names that the old tool took; empty: all
	Note    Str
	From    Str
}

// ParamAliasRow is another name of an argument.
type ParamAliasRow struct {
	From    Str
	To      Str
	Actions Strs // ids or globs; empty: everywhere
	Values  Strs // pairs: the value under the old name, ours
}

// GroupRow is a group of domains.
type GroupRow struct {
	Name    Str
	Title   Str
	Domains Strs
}

func (t *Tables) str(s Str) string { return line(t.Text, t.TextEnds, uint32(s)) }

func (t *Tables) list(l Strs) []Str {
	if l == 0 {
		return nil
	}
	return t.Lists[t.ListEnds[l-1]:t.ListEnds[l]]
}

// line is line i of text, where ends[i] is the offset behind it.
func line(text string, ends []uint32, i uint32) string {
	start := uint32(0)
	if i > 0 {
		start = ends[i-1] + 1
	}
	return text[start:ends[i]]
}

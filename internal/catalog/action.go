package catalog

import "iter"

// Action is one callable thing: a small value that reads from the tables.
// Two Actions of one catalog are equal if they are the same action.
type Action struct {
	t *Tables
	i int32
}

func (a Action) row() *Row       { return &a.t.Rows[a.i] }
func (a Action) s(s Span) string { return a.t.str(s) }

// Valid is false for the zero Action.
func (a Action) Valid() bool { return a.t != nil }

// Index is the action's place in the order of ids.
func (a Action) Index() int { return int(a.i) }

// ID is the canonical id, domain.action.
func (a Action) ID() string { return a.s(a.row().ID) }

// Domain is the id's part before the dot.
func (a Action) Domain() string { return a.s(a.row().Domain) }

// Name is the id's part behind the dot.
func (a Action) Name() string { return a.s(a.row().Name) }

// Title is the action in a few words, imperative.
func (a Action) Title() string { return a.s(a.row().Title) }

// Method is the HTTP method, or GRAPHQL or LOCAL.
func (a Action) Method() string { return a.s(a.row().Method) }

// Path is upstream's path template verbatim, empty for GRAPHQL and LOCAL.
func (a Action) Path() string { return a.s(a.row().Path) }

// OperationID is upstream's operation id, empty for added operations.
func (a Action) OperationID() string { return a.s(a.row().OperationID) }

// Group is the name of the group of the action's domain, without gitlab_.
func (a Action) Group() string { return a.s(a.t.Groups[a.row().Group].Name) }

// Tool is the result's tool, gitlab_<group>.
func (a Action) Tool() string { return "gitlab_" + a.Group() }

// Usage says when to take this action and when another.
func (a Action) Usage() string { return a.s(a.row().Usage) }

// Returns names what comes back: the entity and the fields people look at.
func (a Action) Returns() string { return a.s(a.row().Returns) }

// Scope is the least token scope that works; empty for the default of the method.
func (a Action) Scope() string { return a.s(a.row().Scope) }

// Tier is free, premium or ultimate.
func (a Action) Tier() string { return a.s(a.row().Tier) }

// Offering is "all" or a comma list of gitlab.com, self-managed, dedicated.
func (a Action) Offering() string { return a.s(a.row().Offering) }

// Since is the GitLab version that brought the operation, where known.
func (a Action) Since() string { return a.s(a.row().Since) }

// Source is the page of GitLab's documentation.
func (a Action) Source() string { return a.s(a.row().Source) }

// Role is the lowest role that may call it, where known.
func (a Action) Role() string { return a.s(a.row().Role) }

// Deprecated is a note that names the successor, empty if current.
func (a Action) Deprecated() string { return a.s(a.row().Deprecated) }

// Lifecycle is empty, experiment or beta.
func (a Action) Lifecycle() string { return a.s(a.row().Lifecycle) }

// Example is a JSON object of example arguments.
func (a Action) Example() string { return a.s(a.row().Example) }

// Keyset is the wire parameter of the next page's cursor, empty for lists that
// page by number only.
func (a Action) Keyset() string { return a.s(a.row().Keyset) }

// ContentType is the media type of the request body, empty without one.
func (a Action) ContentType() string { return a.s(a.row().ContentType) }

// Number is the action's stable number in the ledger of names.
func (a Action) Number() int { return int(a.row().Number) }

// Risk is what a call can do to data.
func (a Action) Risk() Risk { return a.row().Risk }

// ReadOnly is true for actions that change nothing.
func (a Action) ReadOnly() bool { return a.row().Risk == Read }

// Destructive is true for actions that need confirmation.
func (a Action) Destructive() bool { return a.row().Risk == Destroy }

// Kind is what a successful call answers with.
func (a Action) Kind() Kind { return a.row().Kind }

// Has reports whether all of f hold.
func (a Action) Has(f Flags) bool { return a.row().Flags&f == f }

// Handler builds the action's request; nil for GRAPHQL and LOCAL.
func (a Action) Handler() Handler { return a.t.Handlers[a.i] }

// Schema is the whole input schema, JSON.
func (a Action) Schema() string { return line(a.t.Schemas, a.t.Ends, a.row().Schema) }

// FindSchema is the input schema of find results, with rarely used parameters folded.
func (a Action) FindSchema() string { return line(a.t.Schemas, a.t.Ends, a.row().FindSchema) }

// OutputSchema is the shape of a successful answer, JSON, best effort.
func (a Action) OutputSchema() string { return line(a.t.Outputs, a.t.OutputEnds, a.row().Output) }

// Related yields ids of related actions.
func (a Action) Related() iter.Seq[string] { return a.t.strings(a.row().Related) }

// Phrases yields what a person would say to want this.
func (a Action) Phrases() iter.Seq[string] { return a.t.strings(a.row().Phrases) }

// Columns yields the columns of the action's Markdown table.
func (a Action) Columns() iter.Seq[string] { return a.t.strings(a.row().Columns) }

// Folded yields the parameters that FindSchema leaves out.
func (a Action) Folded() iter.Seq[string] { return a.t.strings(a.row().Folded) }

// Aliases yields other names that mean this action.
func (a Action) Aliases() iter.Seq[string] { return a.t.strings(a.row().Aliases) }

// Guidance yields advice by parameter.
func (a Action) Guidance() iter.Seq2[string, string] { return a.t.pairs(a.row().Guidance) }

// DestroyWhen yields arguments (name, JSON value) that make the call destructive.
func (a Action) DestroyWhen() iter.Seq2[string, string] { return a.t.pairs(a.row().DestroyWhen) }

// NumParams is the number of top-level arguments.
func (a Action) NumParams() int { return int(a.row().Params.Len) }

// Param is the i-th argument.
func (a Action) Param(i int) Param {
	return Param{a.t, a.row().Params.Off + uint32(i)}
}

// Params yields the arguments: required ones first, then in upstream's order.
func (a Action) Params() iter.Seq[Param] {
	return func(yield func(Param) bool) {
		for i := range a.NumParams() {
			if !yield(a.Param(i)) {
				return
			}
		}
	}
}

// ParamNamed finds an argument by its public name.
func (a Action) ParamNamed(name string) (Param, bool) {
	for p := range a.Params() {
		if p.Name() == name {
			return p, true
		}
	}
	return Param{}, false
}

// Rules yields the rules over several parameters: rule and names.
func (a Action) Rules() iter.Seq2[string, iter.Seq[string]] {
	return func(yield func(string, iter.Seq[string]) bool) {
		r := a.row().Rules
		for _, rule := range a.t.Rules[r.Off : r.Off+uint32(r.Len)] {
			if !yield(a.s(rule.Rule), a.t.strings(rule.Params)) {
				return
			}
		}
	}
}

func (t *Tables) strings(r Range) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, s := range t.Strings[r.Off : r.Off+uint32(r.Len)] {
			if !yield(t.str(s)) {
				return
			}
		}
	}
}

func (t *Tables) pairs(r Range) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, p := range t.Pairs[r.Off : r.Off+uint32(r.Len)] {
			if !yield(t.str(p.Key), t.str(p.Value)) {
				return
			}
		}
	}
}

// line is the i-th line of s, where ends holds the end of each line without its newline.
func line(s string, ends []uint32, i uint32) string {
	start := uint32(0)
	if i > 0 {
		start = ends[i-1] + 1
	}
	return s[start:ends[i]]
}

package catalog

import "iter"

// Action is one callable thing: a small value that reads from the tables.
// Actions of one catalog are equal if they are the same action. All methods but
// Valid need a valid Action.
type Action struct {
	t *Tables
	i int32
}

func (a Action) row() *Row { return &a.t.Rows[a.i] }

func (a Action) s(s Str) string { return a.t.str(s) }

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

// Number is the action's stable number in the ledger of names.
func (a Action) Number() int { return int(a.row().Number) }

// Method is the HTTP method, or GRAPHQL or LOCAL.
func (a Action) Method() string { return a.s(a.row().Method) }

// Path is upstream's path template verbatim, empty for GRAPHQL and LOCAL.
func (a Action) Path() string { return a.s(a.row().Path) }

// OperationID is upstream's operation id, empty for added operations.
func (a Action) OperationID() string { return a.s(a.row().OperationID) }

// ContentType is the media type of the request body, empty without one.
func (a Action) ContentType() string { return a.s(a.row().ContentType) }

// Keyset is the wire parameter of the next page's cursor (cursor, page_token,
// id_after), empty for lists that page by number only.
func (a Action) Keyset() string { return a.s(a.row().Keyset) }

// Result is where the answer of a GRAPHQL action stands inside data, by dots;
// name[] enters a list at the first element that has what follows. Empty: follow
// the only member.
func (a Action) Result() string { return a.s(a.row().Result) }

// Handler builds the action's request; nil for LOCAL.
func (a Action) Handler() Handler { return a.t.Handlers[a.i] }

// Group is the name of the group of the action's domain, without gitlab_.
func (a Action) Group() string { return a.s(a.t.Groups[a.row().Group].Name) }

// Tool is the contract's tool, gitlab_<group>.
func (a Action) Tool() string { return "gitlab_" + a.Group() }

// Title is the action in a few words, imperative.
func (a Action) Title() string { return a.s(a.row().Title) }

// Usage says when to take this action and when another.
func (a Action) Usage() string { return a.s(a.row().Usage) }

// Returns names what comes back: the entity and the fields people look at.
func (a Action) Returns() string { return a.s(a.row().Returns) }

// Example is a JSON object of arguments.
func (a Action) Example() string { return a.s(a.row().Example) }

// Tier is free, premium or ultimate.
func (a Action) Tier() string { return a.s(a.row().Tier) }

// Offering is "all" or a comma list of gitlab.com, self-managed, dedicated.
func (a Action) Offering() string { return a.s(a.row().Offering) }

// Role is the lowest role that may call it, where known.
func (a Action) Role() string { return a.s(a.row().Role) }

// Scope is the least token scope that works; empty for the default of the method.
func (a Action) Scope() string { return a.s(a.row().Scope) }

// Since is the GitLab version that brought the operation, where known.
func (a Action) Since() string { return a.s(a.row().Since) }

// Source is the page of GitLab's documentation.
func (a Action) Source() string { return a.s(a.row().Source) }

// Deprecated is a note that names the successor, empty if current.
func (a Action) Deprecated() string { return a.s(a.row().Deprecated) }

// Lifecycle is empty, experiment or beta.
func (a Action) Lifecycle() string { return a.s(a.row().Lifecycle) }

// Risk is what a call can do to data.
func (a Action) Risk() Risk { return a.row().Risk }

// ReadOnly is true for actions that change nothing.
func (a Action) ReadOnly() bool { return a.row().Risk == Read }

// Destructive is true for actions that always need confirmation; see DestroyWhen
// for those that need it by argument.
func (a Action) Destructive() bool { return a.row().Risk == Destroy }

// Kind is what a successful call answers with.
func (a Action) Kind() Kind { return a.row().Kind }

// Has reports whether all of f hold.
func (a Action) Has(f Flags) bool { return a.row().Flags&f == f }

// Schema is the whole input schema, JSON.
func (a Action) Schema() string { return a.t.schema(a.row().Schema) }

// FindSchema is the input schema of find results, JSON. It lacks the arguments
// that Folded names.
func (a Action) FindSchema() string { return a.t.schema(a.row().FindSchema) }

// OutputSchema is the shape of a successful answer's structured content, JSON;
// best effort, and empty where upstream says nothing.
func (a Action) OutputSchema() string {
	return line(a.t.Outputs, a.t.OutputEnds, uint32(a.row().Output))
}

// Related yields ids of related actions.
func (a Action) Related() iter.Seq[string] { return a.t.strings(a.row().Related) }

// Phrases yields what a person would say to want this.
func (a Action) Phrases() iter.Seq[string] { return a.t.strings(a.row().Phrases) }

// Columns yields the columns of the action's Markdown table.
func (a Action) Columns() iter.Seq[string] { return a.t.strings(a.row().Columns) }

// Folded yields the arguments that FindSchema leaves out.
func (a Action) Folded() iter.Seq[string] { return a.t.strings(a.row().Folded) }

// Aliases yields the names whose only target is this action.
func (a Action) Aliases() iter.Seq[string] { return a.t.strings(a.row().Aliases) }

// Guidance yields advice by argument.
func (a Action) Guidance() iter.Seq2[string, string] { return a.t.pairs(a.row().Guidance) }

// DestroyWhen yields arguments and the values (plain text: true, not "true")
// that make the call destructive.
func (a Action) DestroyWhen() iter.Seq2[string, string] { return a.t.pairs(a.row().DestroyWhen) }

// Param is the i-th argument.
func (a Action) Param(i int) Param { return Param{a.t, a.row().Params.Off + uint32(i)} }

// Params yields the arguments: required ones first, then in upstream's order.
func (a Action) Params() iter.Seq[Param] {
	return func(yield func(Param) bool) {
		for i := range int(a.row().Params.Len) {
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

// Rules yields the rules over several arguments: the rule's name and theirs.
func (a Action) Rules() iter.Seq2[string, iter.Seq[string]] {
	return func(yield func(string, iter.Seq[string]) bool) {
		run := a.row().Rules
		for _, r := range a.t.Rules[run.Off : run.Off+run.Len] {
			if !yield(a.s(r.Rule), a.t.strings(r.Params)) {
				return
			}
		}
	}
}

func (t *Tables) schema(l Line) string { return line(t.Schemas, t.SchemaEnds, uint32(l)) }

func (t *Tables) strings(l Strs) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, s := range t.list(l) {
			if !yield(t.str(s)) {
				return
			}
		}
	}
}

func (t *Tables) pairs(l Strs) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for s := t.list(l); len(s) > 1; s = s[2:] {
			if !yield(t.str(s[0]), t.str(s[1])) {
				return
			}
		}
	}
}

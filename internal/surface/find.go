package surface

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/scan"
	"gitlab-mcp-server/internal/search"
)

// FindInput are the arguments of gitlab_find_action. Limit 0 is none given.
type FindInput struct {
	Query   string
	Limit   int
	Explain bool
}

// Reply is an answer of find, for any face: Structured is a JSON object, Text
// says the same to a reader of text.
type Reply struct {
	Structured []byte
	Text       string
	IsError    bool
}

// Bounds of a reply without a limit, in characters of JSON. The first result
// comes whole whatever its size.
const (
	resultsBudget = 5_600
	maxMore       = 20
	maxSuggest    = 6
)

// Find ranks the actions that exist for the caller. Its only error is the
// context's.
func (e *Engine) Find(ctx context.Context, in FindInput) (Reply, error) {
	if in.Limit < 0 || in.Limit > search.MaxLimit {
		return e.findError(fmt.Sprintf("limit: %d is out of range; it goes from 1 to %d", in.Limit, search.MaxLimit)), nil
	}
	allowed := e.Policy.Filter() // one for the whole reply
	found, err := e.Finder.Search(ctx, in.Query, search.Options{Limit: in.Limit, Explain: in.Explain, Allow: allowed})
	switch {
	case errors.Is(err, search.ErrEmpty), errors.Is(err, search.ErrTooLong):
		return e.findError(fmt.Sprintf("query: %v; write 1 to %d characters", err, search.MaxQuery)), nil
	case err != nil:
		return Reply{}, fmt.Errorf("search: %w", err)
	}
	return e.findReply(in, found, allowed), nil
}

// findReply renders hits until the budget is used up; the ids of the others
// stand in more. A limit is a wish for so many whole ones.
func (e *Engine) findReply(in FindInput, found search.Reply, allowed func(int) bool) Reply {
	results := make([]byte, 1, resultsBudget+2048)
	results[0] = '['
	shown, explained := 0, 0
	for i, h := range found.Hits {
		mark := len(results)
		if i > 0 {
			results = append(results, ',')
		}
		results = e.appendHit(results, h, i == 0, allowed)
		if h.Explanation != nil { // beside the budget: it is not to change what is shown
			explained += len(`,"explanation":`) + len(appendReasons(nil, h.Explanation))
		}
		if i > 0 && in.Limit == 0 && len(results)-explained > resultsBudget {
			results = results[:mark]
			break
		}
		shown++
	}
	results = append(results, ']')

	var more []string
	for _, h := range found.Hits[shown:] {
		more = append(more, e.Catalog.At(h.Index).ID())
	}
	for _, i := range found.More {
		more = append(more, e.Catalog.At(i).ID())
	}
	more = more[:min(len(more), maxMore)]
	suggestions := found.Suggestions[:min(len(found.Suggestions), maxSuggest)]
	hits := found.Hits[:shown]

	next := e.nextStep(hits)
	o := object{B: make([]byte, 0, len(results)+1024)}
	o.text("query", in.Query)
	o.number("count", shown)
	o.key("results")
	o.B = append(o.B, results...)
	o.texts("more", slices.Values(more))
	o.texts("suggestions", slices.Values(suggestions))
	o.text("next_step", next)
	return Reply{Structured: o.end(), Text: e.findText(in.Query, hits, more, suggestions, next)}
}

// appendHit appends one result. Advice beside the schema comes with the first
// only: it is the one that is mostly taken.
func (e *Engine) appendHit(b []byte, h search.Hit, first bool, allowed func(int) bool) []byte {
	a := e.Catalog.At(h.Index)
	o := object{B: b}
	o.text("id", a.ID())
	o.text("tool", a.Tool())
	o.text("domain", a.Domain())
	o.text("action", a.Name())
	o.text("title", a.Title())
	o.text("schema_uri", uriPrefix+a.ID())
	o.boolean("destructive", a.Destructive())
	o.boolean("read_only", a.ReadOnly())
	o.texts("required_params", requiredParams(a))
	o.raw("input_schema", a.FindSchema())
	o.example(a)
	o.text("returns", a.Returns())
	o.number("score", h.Score)
	if a.Usage() != "" {
		o.text("usage", a.Usage())
	}
	if first {
		if related := e.related(a, allowed); some(related) {
			o.texts("related_actions", related)
		}
		for range a.Guidance() {
			o.pairs("parameter_guidance", a.Guidance())
			break
		}
	}
	if h.LowConfidence {
		o.boolean("low_confidence", true)
	}
	if len(h.AmbiguousWith) > 0 {
		o.texts("ambiguous_with", e.ids(h.AmbiguousWith))
	}
	if a.Deprecated() != "" {
		o.text("deprecated", a.Deprecated())
	}
	if t := a.Tier(); t != "" && t != "free" {
		o.text("tier", t)
	}
	if some(a.Folded()) {
		o.texts("folded_params", a.Folded())
	}
	if h.Explanation != nil {
		o.key("explanation")
		o.B = appendReasons(o.B, h.Explanation)
	}
	return o.end()
}

func (e *Engine) ids(indices []int) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, i := range indices {
			if !yield(e.Catalog.At(i).ID()) {
				return
			}
		}
	}
}

func appendReasons(b []byte, reasons []search.Reason) []byte {
	b = append(b, '[')
	for i, r := range reasons {
		if i > 0 {
			b = append(b, ',')
		}
		o := object{B: b}
		o.text("term", r.Term)
		o.text("match", r.Match)
		o.text("field", r.Field)
		o.text("factor", r.Factor)
		o.number("points", r.Points)
		b = o.end()
	}
	return append(b, ']')
}

// nextStep says in one sentence what to do with the results.
func (e *Engine) nextStep(hits []search.Hit) string {
	if len(hits) == 0 {
		return "Nothing matches. Say what to do with which thing, for example: " + quoteAll(search.Examples()) + "."
	}
	first := e.Catalog.At(hits[0].Index)
	step := "Call " + executeTool + " with action " + first.ID() + " and its params, or with another result that fits better."
	switch {
	case len(hits[0].AmbiguousWith) > 0:
		step = "Several actions fit about as well: choose by title and usage, then call " + executeTool + " with its id as action, and params."
	case hits[0].LowConfidence:
		step = "The match is weak: check the titles, or ask again with other words; then call " + executeTool + " with the id as action, and params."
	}
	if first.Destructive() {
		step += " It is destructive: ask the user, then add confirm: true."
	}
	return step
}

// findText is the reply for clients that show the model text only: what it
// takes to execute each result.
func (e *Engine) findText(query string, hits []search.Hit, more, suggestions []string, next string) string {
	b := make([]byte, 0, 512*(len(hits)+1))
	if len(hits) == 0 {
		b = fmt.Appendf(b, "No action matches %q.\n", query)
	}
	for i, h := range hits {
		a := e.Catalog.At(h.Index)
		b = strconv.AppendInt(b, int64(i+1), 10)
		b = append(b, ". "...)
		b = append(b, a.ID()...)
		b = append(b, ": "...)
		b = append(b, a.Title()...)
		b = appendMarks(b, a, h)
		b = append(b, '\n')
		b = appendSignature(b, a)
		if i == 0 {
			b = append(b, "   example: "...)
			b = append(b, exampleArguments(a)...)
			b = append(b, '\n')
		}
	}
	b = appendList(b, "Also: ", more)
	b = appendList(b, "Near terms: ", suggestions)
	return string(append(b, next...))
}

func appendList(b []byte, title string, words []string) []byte {
	for i, w := range words {
		if i == 0 {
			b = append(b, title...)
		} else {
			b = append(b, ", "...)
		}
		b = append(b, w...)
	}
	if len(words) > 0 {
		b = append(b, '\n')
	}
	return b
}

func appendMarks(b []byte, a catalog.Action, h search.Hit) []byte {
	if a.Destructive() {
		b = append(b, " [DESTRUCTIVE: needs confirm: true]"...)
	} else if a.ReadOnly() {
		b = append(b, " [read-only]"...)
	}
	if t := a.Tier(); t != "" && t != "free" {
		b = append(b, " ["+t+"]"...)
	}
	if h.LowConfidence {
		b = append(b, " [weak match]"...)
	}
	if a.Deprecated() != "" {
		b = append(b, " [deprecated: "+a.Deprecated()+"]"...)
	}
	if a.Usage() != "" {
		b = append(b, "\n   use: "+a.Usage()...)
	}
	return b
}

// appendSignature names the parameters of an action with their types and values.
func appendSignature(b []byte, a catalog.Action) []byte {
	s := signatureOf(a.FindSchema())
	if len(s.required) > 0 {
		b = append(b, "   required: "...)
		b = append(b, s.required...)
		b = append(b, '\n')
	}
	for range a.Folded() {
		s.hidden++
	}
	if len(s.optional) > 0 {
		b = append(b, "   optional: "...)
		b = append(b, s.optional...)
		if s.hidden > 0 {
			b = fmt.Appendf(b, ", and %d more in %s%s", s.hidden, uriPrefix, a.ID())
		}
		b = append(b, '\n')
	}
	if len(s.required) == 0 && len(s.optional) == 0 {
		b = append(b, "   no parameters\n"...)
	}
	return b
}

// exampleArguments is the example without the tool around it.
func exampleArguments(a catalog.Action) string {
	example := string(appendExample(nil, a))
	args, _ := scan.Get(example, "arguments")
	return args
}

func quoteAll(ss []string) string {
	var b strings.Builder
	for i, s := range ss {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Quote(s))
	}
	return b.String()
}

// findError is a reply to arguments that cannot be used.
func (e *Engine) findError(message string) Reply {
	hint := "for example: " + quoteAll(search.Examples())
	o := object{}
	o.key("error")
	inner := object{B: o.B}
	inner.text("code", "invalid_params")
	inner.text("message", message)
	inner.text("hint", hint)
	o.B = inner.end()
	o.texts("examples", slices.Values(search.Examples()))
	return Reply{Structured: o.end(), Text: message + "; " + hint, IsError: true}
}

// findInput reads the arguments of the tool. The message is empty if they can
// be used.
func findInput(args []byte) (in FindInput, message string) {
	if len(args) == 0 {
		return in, ""
	}
	if scan.KindOf(args) != scan.Object {
		return in, "the arguments must be an object with query"
	}
	for k, v := range scan.Members(args) {
		if scan.KindOf(v) == scan.Null {
			continue
		}
		switch name := scan.Key(k); name {
		case "query":
			if scan.KindOf(v) != scan.String {
				return in, "query: expected a string, got " + scan.KindOf(v).String()
			}
			in.Query = string(scan.AppendUnquoted(nil, v))
		case "limit":
			n, err := strconv.ParseFloat(string(unquoted(v)), 64)
			if err != nil || n != float64(int(n)) || n < 1 || n > search.MaxLimit {
				return in, fmt.Sprintf("limit: expected an integer from 1 to %d", search.MaxLimit)
			}
			in.Limit = int(n)
		case "explain":
			on, err := strconv.ParseBool(string(unquoted(v)))
			if err != nil {
				return in, "explain: expected true or false"
			}
			in.Explain = on
		default:
			return in, fmt.Sprintf("%s: unknown argument; known are query, limit, explain", cmp.Or(name, `""`))
		}
	}
	return in, ""
}

// unquoted is a string's text, or any other value as it stands.
func unquoted(v []byte) []byte {
	if scan.KindOf(v) == scan.String {
		return scan.AppendUnquoted(nil, v)
	}
	return v
}

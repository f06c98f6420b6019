// Package render turns an answer of GitLab into a tool result: the structured
// object, which is GitLab's own JSON projected, masked and cut to a budget, and
// the Markdown that a person reads.
//
// It works on the text of the answer and never decodes it into Go values, so
// that unknown fields, key order, nulls and numbers of any size stay as they
// are. It sends nothing, knows no single action, and does not judge whether an
// answer is a success; package exec does.
package render

import (
	"net/http"

	"gitlab-mcp-server/internal/catalog"
)

// Options say how one answer is shaped.
type Options struct {
	// Kind is what the action answers with. The actual answer decides where it
	// differs: a JSON array becomes items whatever the kind.
	Kind catalog.Kind
	// Title is the heading of the Markdown, the action's title; may be empty.
	Title string
	// Columns are the dotted fields of the Markdown table; empty: derived.
	Columns []string
	// Fields project the answer: dotted paths, with [] or without over lists
	// ("labels", "author.name", "items[].iid", "notes[].body"). Empty: all.
	Fields []string
	// Budget is the number of characters of JSON that Structured may have; 0: no limit.
	Budget int
	// Reveal leaves secrets unmasked: revealing one is the action's purpose.
	Reveal bool
	// Pagination stands beside the items of a list; nil: taken from the headers.
	Pagination *Pagination
	// Lines selects lines of a text.
	Lines Lines
	// Trace strips what terminals and GitLab's runner put into a job's log.
	Trace bool
	// Continue words how to get what a cut left out; nil or an empty answer: a
	// general advice.
	Continue func(Cut) string
}

// Answer is what GitLab sent.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Shaped is a result ready for the client.
type Shaped struct {
	// Structured is always a JSON object in valid UTF-8.
	Structured []byte
	// Text is Markdown, without the notes and cuts: [Footer] words those.
	Text string
	// Truncated are the cuts, which for lists stand in Structured too.
	Truncated []Cut
	// Notes are one line each: fields that do not exist, masked secrets,
	// replaced bytes.
	Notes []string
}

// Cut is a statement about something left out for size.
type Cut struct {
	// Path is where: "items", "description", "items[0].description".
	Path string
	// Kept and Total count in Unit: items, elements, members, characters, lines
	// or bytes.
	Kept, Total int
	Unit        string
	// Continue says how to get the rest.
	Continue string
}

// Shape makes the result of a successful call.
func Shape(opts Options, answer Answer) Shaped {
	s := shaper{opts: opts, answer: answer}
	switch {
	case opts.Kind == catalog.Head:
		s.head()
	case answer.Status == http.StatusNoContent || answer.Status == http.StatusResetContent:
		s.success()
	case opts.Kind == catalog.Text || opts.Kind == catalog.Binary:
		s.content(answer.Body)
	default:
		s.json()
	}
	return s.finish()
}

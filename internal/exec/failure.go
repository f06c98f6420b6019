package exec

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/call"
	"gitlab-mcp-server/internal/gitlab"
	"gitlab-mcp-server/internal/render"
	"gitlab-mcp-server/internal/scan"
)

// Code is the kind of a failure, as results name it.
type Code string

// Kinds of failures that need no answer of GitLab; package gitlab has the others.
const (
	CodeUnknownAction Code = "unknown_action"
	CodeAmbiguous     Code = "ambiguous_action"
	CodeNoCounterpart Code = "no_counterpart"
	CodeWithheld      Code = "withheld"
	CodeInvalidParams Code = "invalid_params"
	CodeConfirmation  Code = "needs_confirmation"
	CodeReadOnly      Code = "read_only"
)

// Errors between the executor and those who call it or are called by it.
var (
	// ErrPending is a Confirmer's error where the user's answer comes with a later call.
	ErrPending = errors.New("the answer is pending")
	// ErrDryRun is what a request of a Helper or Own action gives in a dry run.
	ErrDryRun = errors.New("dry run: nothing is sent")
)

// Failure is a call that failed. Texts of GitLab stand in Message only.
type Failure struct {
	Code       Code
	Status     int
	Message    string
	RequestID  string
	Hint       string
	RetryAfter int             // seconds
	Problems   []arg.Problem   // of the arguments
	Candidates []string        // ids that were perhaps meant
	Example    json.RawMessage // {"action":…,"params":…}, corrected
	Data       json.RawMessage // what came beside the error
	pending    bool
}

func (f *Failure) Error() string { return string(f.Code) + ": " + f.Message }

// failureOf turns any error of a call into a Failure.
func (x *execution) failureOf(err error) *Failure {
	var (
		f       *Failure
		answer  *gitlab.Error
		invalid *arg.Error
		path    *call.PathError
	)
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, ErrPending):
		return &Failure{Code: CodeConfirmation, Message: "the user has been asked", Hint: "the answer comes with a later call", pending: true}
	case errors.As(err, &answer):
		return &Failure{Code: Code(answer.Code), Status: answer.Status, Message: answer.Message, RequestID: answer.RequestID, Hint: answer.Hint, RetryAfter: answer.RetryAfter}
	case errors.As(err, &invalid):
		return x.invalid(invalid.Problems)
	case errors.As(err, &path):
		return x.invalid([]arg.Problem{{Path: path.Param, Code: arg.Invalid, Expected: path.Message}})
	}
	return &Failure{Code: Code(gitlab.Network), Message: err.Error()}
}

// failed is the result of a call that failed.
func (x *execution) failed(err error) Result {
	f := x.failureOf(err)
	return Result{
		IsError: true, Structured: f.JSON(), Text: f.Markdown() + render.Footer(nil, x.notes),
		Meta: meta(nil, x.notes), Pending: f.pending,
	}
}

// Failed is the result for an error that occurred before a call could be made,
// such as one of ParseCall.
func Failed(err error) Result { return (&execution{}).failed(err) }

// JSON is the structured form, {"error":{…}}. Facts that are unknown are left out.
func (f *Failure) JSON() json.RawMessage {
	b := scan.AppendQuoted([]byte(`{"error":{"code":`), string(f.Code))
	text := func(key, s string) {
		if s != "" {
			b = append(b, `,"`+key+`":`...)
			b = scan.AppendQuoted(b, s)
		}
	}
	number := func(key string, n int) {
		if n != 0 {
			b = strconv.AppendInt(append(b, `,"`+key+`":`...), int64(n), 10)
		}
	}
	number("status", f.Status)
	text("message", f.Message)
	text("request_id", f.RequestID)
	text("hint", f.Hint)
	number("retry_after", f.RetryAfter)
	if len(f.Problems) > 0 {
		b = append(b, `,"problems":[`...)
		for i, p := range f.Problems {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendProblem(b, p)
		}
		b = append(b, ']')
	}
	if len(f.Candidates) > 0 {
		b = append(b, `,"candidates":[`...)
		for i, c := range f.Candidates {
			if i > 0 {
				b = append(b, ',')
			}
			b = scan.AppendQuoted(b, c)
		}
		b = append(b, ']')
	}
	if f.Example != nil {
		b = append(append(b, `,"example":`...), f.Example...)
	}
	b = append(b, '}')
	if f.Data != nil {
		b = append(append(b, `,"data":`...), f.Data...)
	}
	return append(b, '}')
}

func appendProblem(b []byte, p arg.Problem) []byte {
	b = scan.AppendQuoted(append(b, `{"path":`...), p.Path)
	for _, kv := range [...][2]string{{"code", string(p.Code)}, {"expected", p.Expected}, {"got", p.Got}, {"near", p.Near}} {
		if kv[1] != "" {
			b = append(b, `,"`+kv[0]+`":`...)
			b = scan.AppendQuoted(b, kv[1])
		}
	}
	return append(b, '}')
}

// Markdown is the failure for a reader of text alone.
func (f *Failure) Markdown() string {
	var b strings.Builder
	b.WriteString("**Error " + string(f.Code))
	if f.Status != 0 {
		b.WriteString(" (" + strconv.Itoa(f.Status) + ")")
	}
	b.WriteString(":** ")
	switch n := len(f.Problems); {
	case n == 1:
		b.WriteString("a problem with the arguments, nothing was sent\n")
	case n > 1:
		b.WriteString(strconv.Itoa(n) + " problems with the arguments, nothing was sent\n")
	case f.ours():
		b.WriteString(oneLine(f.Message) + "\n")
	default:
		b.WriteString(render.Escape(f.Message) + "\n")
	}
	for _, p := range f.Problems {
		b.WriteString("- " + oneLine(p.String()) + "\n")
	}
	if len(f.Candidates) > 0 {
		b.WriteString("\nPerhaps: `" + strings.Join(f.Candidates, "`, `") + "`\n")
	}
	if f.Hint != "" {
		b.WriteString("\nHint: " + f.Hint + "\n")
	}
	if f.RequestID != "" {
		b.WriteString("\nRequest id: " + render.Escape(f.RequestID) + "\n")
	}
	if f.Example != nil {
		b.WriteString("\nCorrected example:\n" + render.Fence("json", string(f.Example)) + "\n")
	}
	if f.Data != nil {
		b.WriteString("\nWhat came beside the error:\n" + render.Fence("json", string(f.Data)) + "\n")
	}
	return b.String()
}

// ours reports whether the message is worded by us from names of the catalog and
// of the caller; all others may hold text of GitLab.
func (f *Failure) ours() bool {
	switch f.Code {
	case CodeUnknownAction, CodeAmbiguous, CodeNoCounterpart, CodeWithheld, CodeReadOnly, CodeConfirmation, CodeInvalidParams:
		return true
	}
	return false
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

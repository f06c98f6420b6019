package exec

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/url"
	"strings"

	"gitlab-mcp-server/internal/call"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/render"
	"gitlab-mcp-server/internal/scan"
)

// judgeArguments raises the risk of a call whose arguments destroy. It looks at the
// finished request, since that is what takes effect, however it was written.
func (x *execution) judgeArguments() {
	if x.risk == catalog.Destroy {
		return
	}
	for name, value := range x.action.DestroyWhen() {
		if x.carries(x.wirePath(name), value) {
			x.risk, x.why = catalog.Destroy, name
			return
		}
	}
}

// wirePath is a dotted path of arguments with the first name as it travels.
func (x *execution) wirePath(name string) string {
	end := strings.IndexAny(name, ".[")
	if end < 0 {
		end = len(name)
	}
	if p, ok := x.action.ParamNamed(name[:end]); ok && p.In() == catalog.InVariable {
		return "variables." + p.Wire() + name[end:]
	} else if ok {
		return p.Wire() + name[end:]
	}
	return name
}

// carries reports whether the request has value under path, anywhere it can
// travel. No value means any.
func (x *execution) carries(path, value string) bool {
	if body := x.q.JSON(); body != nil && jsonCarries(string(body), path, value) {
		return true
	}
	if v, ok := x.q.Query(path); ok && sameValue(scan.AppendQuoted(nil, v), value) {
		return true
	}
	field := formName(path)
	for _, p := range x.q.Parts() {
		if p.Name == field && sameValue(scan.AppendQuoted(nil, p.Content), value) {
			return true
		}
	}
	return false
}

// jsonCarries follows a path such as actions[].action into v.
func jsonCarries(v, path, value string) bool {
	if path == "" {
		return sameValue([]byte(v), value)
	}
	path = strings.TrimPrefix(path, ".")
	if rest, ok := strings.CutPrefix(path, "[]"); ok {
		for e := range scan.Elements(v) {
			if jsonCarries(e, rest, value) {
				return true
			}
		}
		return false
	}
	end := strings.IndexAny(path, ".[")
	if end < 0 {
		end = len(path)
	}
	inner, ok := scan.Get(v, path[:end])
	return ok && jsonCarries(inner, path[end:], value)
}

// formName is a dotted path as the name of a form's field.
func formName(path string) string {
	first, rest, nested := strings.Cut(strings.ReplaceAll(path, "[]", ".[]"), ".")
	if !nested {
		return first
	}
	for part := range strings.SplitSeq(rest, ".") {
		first += "[" + strings.Trim(part, "[]") + "]"
	}
	return first
}

// sameValue compares the text of two scalars without regard to case. Truth is also
// what Rails takes for it.
func sameValue(given []byte, want string) bool {
	if scan.KindOf(given) == scan.Null {
		return want == "null"
	}
	if want == "" {
		return true
	}
	g, w := text(given), scan.Unquoted(want)
	if strings.EqualFold(g, w) {
		return true
	}
	switch strings.ToLower(g) {
	case "1", "t", "yes", "on":
		return w == "true"
	}
	return false
}

// confirm lets a destructive call go on only if it was confirmed or the user
// says so now.
func (x *execution) confirm(ctx context.Context) error {
	if x.risk != catalog.Destroy {
		return nil
	}
	return x.confirmTarget(ctx, requestLine(&x.q), binding(x.action.ID(), &x.q))
}

func (x *execution) confirmTarget(ctx context.Context, target, bound string) error {
	if x.risk != catalog.Destroy || x.call.Confirm || x.cfg.SkipConfirmation {
		return nil
	}
	prompt := x.prompt(target)
	f := &Failure{Code: CodeConfirmation, Message: prompt, Hint: "nothing was sent; ask the user, and if they agree repeat the call with confirm: true beside action and params"}
	if x.call.Confirmer == nil {
		return f
	}
	yes, err := x.call.Confirmer(ctx, Question{Action: x.action.ID(), Prompt: prompt, Binding: bound})
	switch {
	case errors.Is(err, ErrPending):
		f.pending = true
		return f
	case ctx.Err() != nil:
		return canceled()
	case err != nil:
		f.Message = "the user could not be asked: " + prompt
		return f
	case !yes:
		f.Message, f.Hint = "the user did not agree: "+prompt, "nothing was sent; do not repeat the call unless the user asks for it"
		return f
	}
	return nil
}

// prompt names the effect and the target of a destructive call.
func (x *execution) prompt(target string) string {
	s := x.action.Title() + " (" + x.action.ID() + ")"
	if x.why != "" {
		s += ", destructive through " + x.why
	}
	return s + ": " + target
}

// requestLine is a request for people: method, path with its identifiers decoded, and
// the arguments besides, masked and cut.
func requestLine(q *call.Request) string {
	path := strings.TrimPrefix(q.Path(), "/api/v4")
	if d, err := url.PathUnescape(path); err == nil {
		path = d
	}
	s := q.Method() + " " + path
	if query := q.RawQuery(); query != "" {
		if d, err := url.QueryUnescape(query); err == nil {
			query = d
		}
		s += "?" + query
	}
	body := q.JSON()
	if variables, ok := scan.Get(body, "variables"); ok && q.Path() == graphQLPath {
		body = variables // the document is the same in every call
	}
	if len(body) > 2 {
		s += " with " + string(body)
	}
	masked, _ := render.Mask([]byte(s))
	s = string(masked)
	const longest = 500
	if r := []rune(s); len(r) > longest {
		s = string(r[:longest]) + "…"
	}
	return strings.Join(strings.Fields(s), " ")
}

// binding is a digest of everything that a request would send.
func binding(action string, q *call.Request) string {
	h := sha256.New()
	write := func(s string) { h.Write([]byte(s)); h.Write([]byte{0}) }
	write(action)
	write(q.Method())
	write(q.Path())
	write(q.RawQuery())
	write(string(q.JSON()))
	for _, p := range q.Parts() {
		write(p.Name)
		write(p.Path)
		write(string(p.Content))
	}
	if raw := q.Raw(); raw != nil {
		write(raw.Path)
		write(string(raw.Content))
	}
	return hex.EncodeToString(h.Sum(nil))
}

func planBinding(action string, p Plan) string {
	var all strings.Builder
	all.WriteString(p.Target)
	for _, q := range p.Requests {
		all.WriteString(binding(action, q))
	}
	sum := sha256.Sum256([]byte(action + "\x00" + all.String()))
	return hex.EncodeToString(sum[:])
}

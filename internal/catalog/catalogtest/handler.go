package catalogtest

import (
	"cmp"
	"strings"

	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/call"
	"gitlab-mcp-server/internal/catalog"
)

// Generic is a handler that reads the action's parameters by their declared
// types and builds the request that the table describes, as a generated
// handler would. Path parameters fill {wire} of the template; arrays are
// arrays of strings, objects are passed as they are.
func Generic(a Action) catalog.Handler {
	return func(r *arg.Reader, q *call.Request) error {
		vals := make([]value, len(a.Params))
		for i, p := range a.Params {
			if p.In != catalog.InLocal {
				vals[i] = read(r, p, a.Risk)
			}
		}
		for _, rule := range a.Rules {
			r.Rule(rule.Rule, rule.Params...)
		}
		if err := r.Err(); err != nil {
			return err
		}
		q.Start(a.Method)
		path(a, vals, q)
		write(a, vals, q)
		return q.Err()
	}
}

// value is a parameter's value: the text of a path parameter and how it writes itself.
type value struct {
	text  string
	query func(arg.Query, string)
	body  func(arg.Body, string)
	file  bool
}

func read(r *arg.Reader, p Param, risk catalog.Risk) value {
	var f arg.Flags
	if p.Flags&catalog.Required != 0 {
		f |= arg.Required
	}
	if p.Flags&catalog.Clearable != 0 {
		f |= arg.Clearable
	}
	if risk == catalog.Read && p.In == catalog.InQuery {
		f |= arg.Filter
	}
	switch p.Type {
	case catalog.TypeInteger:
		v := r.Int(p.Name, f)
		return value{text: v.V, query: v.Query, body: v.Body}
	case catalog.TypeNumber:
		v := r.Number(p.Name, f)
		return value{text: v.V, query: v.Query, body: v.Body}
	case catalog.TypeBoolean:
		v := r.Bool(p.Name, f)
		return value{query: v.Query, body: v.Body}
	case catalog.TypeID:
		v := r.ID(p.Name, f)
		return value{text: v.V, query: v.Query, body: v.Body}
	case catalog.TypeArray:
		v := r.Strings(p.Name, f)
		query := v.QueryComma
		if p.Encoding == catalog.Brackets {
			query = v.QueryBrackets
		}
		body := v.Body
		if p.Encoding == catalog.Comma {
			body = v.BodyComma
		}
		return value{query: query, body: body}
	case catalog.TypeObject, catalog.TypeMap:
		v := r.Map(p.Name, f)
		return value{query: v.Query, body: v.Body}
	case catalog.TypeAny:
		v := r.Any(p.Name, f)
		return value{query: v.Query, body: v.Body}
	case catalog.TypeFile:
		v := r.File(p.Name, f)
		return value{body: v.Body, file: v.State == arg.Set}
	}
	if len(p.Enum) > 0 {
		v := r.Enum(p.Name, f, arg.Enum(strings.Join(p.Enum, "\n")))
		return value{text: v.V, query: v.Query, body: v.Body}
	}
	v := r.String(p.Name, f)
	return value{text: v.V, query: v.Query, body: v.Body}
}

func path(a Action, vals []value, q *call.Request) {
	rest := a.Path
	for {
		before, after, ok := strings.Cut(rest, "{")
		if before != "" {
			q.Literal(before)
		}
		if !ok {
			return
		}
		var name string
		name, rest, _ = strings.Cut(after, "}")
		for i, p := range a.Params {
			if p.In != catalog.InPath || cmp.Or(p.Wire, p.Name) != name {
				continue
			}
			if p.Flags&catalog.Splat != 0 {
				q.Splat(p.Name, vals[i].text)
			} else {
				q.Segment(p.Name, vals[i].text)
			}
		}
	}
}

func write(a Action, vals []value, q *call.Request) {
	multipart, hasBody := false, false
	for i, p := range a.Params {
		multipart = multipart || vals[i].file
		hasBody = hasBody || p.In == catalog.InBody || p.In == catalog.InFile
	}
	var b *call.Body
	if hasBody {
		b = q.Body(multipart)
	}
	for i, p := range a.Params {
		wire := cmp.Or(p.Wire, p.Name)
		switch p.In {
		case catalog.InQuery:
			vals[i].query(q, wire)
		case catalog.InBody, catalog.InFile:
			vals[i].body(b, wire)
		}
	}
}

package exec

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/gitlab"
	"gitlab-mcp-server/internal/render"
	"gitlab-mcp-server/internal/scan"
)

// shapeGraphQL makes the result of a GraphQL answer: the selected node as
// an object, a connection as items. Errors make it a failure, with what came
// beside them.
func (x *execution) shapeGraphQL(resp *gitlab.Response) (Result, error) {
	if scan.Valid(resp.Body) != nil {
		return x.shape(resp, nil), nil
	}
	data, hasData := scan.Get(resp.Body, "data")
	if errs, ok := scan.Get(resp.Body, "errors"); ok && scan.Len(errs) > 0 {
		return Result{}, x.graphQLFailure(resp, errs, data)
	}
	if !hasData {
		return x.shape(resp, nil), nil
	}
	node, errs := x.selected(data)
	if scan.Len(errs) > 0 {
		return Result{}, x.graphQLFailure(resp, errs, data)
	}
	if x.action.Kind() == catalog.None {
		return x.finish(x.options(), render.Answer{Status: http.StatusNoContent, Header: resp.Header}), nil
	}
	if scan.KindOf(node) == scan.Null {
		return Result{}, &Failure{Code: Code(gitlab.Refused), Status: http.StatusNotFound, Message: "GitLab has no such object", Hint: "it does not exist, or this token may not see it"}
	}
	opts := x.options()
	answer := render.Answer{Status: resp.Status, Header: resp.Header, Body: node}
	if nodes, ok := scan.Get(node, "nodes"); ok && scan.KindOf(nodes) == scan.Array {
		answer.Body = nodes
		p := connectionPage(node)
		opts.Pagination = &p
	}
	return x.finish(opts, answer), nil
}

func (x *execution) graphQLFailure(resp *gitlab.Response, errs, data []byte) error {
	f := &Failure{Code: Code(gitlab.Refused), Status: resp.Status, Message: gitlab.Message(errs), RequestID: resp.Header.Get("X-Request-Id")}
	f.Hint = graphQLHint(f.Message, x.action.Method() == methodGraphQL)
	if scan.KindOf(data) == scan.Object {
		opts := x.options()
		opts.Fields = nil
		f.Data = render.Shape(opts, render.Answer{Status: resp.Status, Header: resp.Header, Body: data}).Structured
	}
	return f
}

// graphQLHint says what to make of the errors of a GraphQL answer; ours is true
// for a document of ours.
func graphQLHint(message string, ours bool) string {
	switch {
	case strings.Contains(message, "you don't have permission"):
		return "it does not exist, or this token may not do this: GraphQL does not tell them apart"
	case ours && (strings.Contains(message, "doesn't exist on type") || strings.Contains(message, "doesn't accept argument") || strings.Contains(message, "isn't a defined input type")):
		return "this GitLab is older than the action, or of another edition: graphql.query can ask for what it has"
	}
	return "GitLab did not do all that was asked: correct what the message names"
}

// selected is the node that a document of ours selects: where the catalog says,
// or else by following the only member.
func (x *execution) selected(data []byte) (node, errs []byte) {
	if path := x.action.Result(); path != "" {
		return at(data, path), nil
	}
	return descend(data)
}

// at is the value under a dotted path, null if there is none. name[] enters a
// list at the first element that has what follows.
func at(v []byte, path string) []byte {
	for path != "" {
		key, rest, _ := strings.Cut(path, ".")
		name, list := strings.CutSuffix(key, "[]")
		inner, ok := scan.Get(v, name)
		if !ok {
			return []byte("null")
		}
		if !list {
			v, path = inner, rest
			continue
		}
		for e := range scan.Elements(inner) {
			if found := at(e, rest); scan.KindOf(found) != scan.Null {
				return found
			}
		}
		return []byte("null")
	}
	return v
}

// descend goes down from data as long as there is one member and that is an object.
// errs are the errors of a mutation's payload.
func descend(data []byte) (node, errs []byte) {
	node = data
	for scan.KindOf(node) == scan.Object {
		var only []byte
		n := 0
		for key, value := range scan.Members(node) {
			switch scan.Key(key) {
			case "__typename", "clientMutationId":
				continue
			case "errors":
				if scan.KindOf(value) == scan.Array {
					errs = value
					continue
				}
			case "nodes":
				if scan.KindOf(value) == scan.Array {
					return node, errs
				}
			}
			only = value
			n++
		}
		if n != 1 {
			return node, errs
		}
		switch scan.KindOf(only) {
		case scan.Object, scan.Null:
			node = only
		default:
			return node, errs
		}
	}
	return node, errs
}

// sendAllGraphQL follows the cursor of a connection up to the cap and gives the
// nodes as one list, like sendAll.
func (x *execution) sendAllGraphQL(ctx context.Context, opts gitlab.Options) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, x.client.Timeout())
	defer cancel()
	var all pages
	for page := 1; ; page++ {
		resp, err := x.client.Do(ctx, &x.q, opts)
		if err != nil && all.last == nil {
			return Result{}, err
		}
		if err != nil {
			x.note("page " + strconv.Itoa(page) + " could not be read, the items before it follow: " + x.failureOf(err).Message)
			break
		}
		data, _ := scan.Get(resp.Body, "data")
		connection, _ := x.selected(data)
		nodes, ok := scan.Get(connection, "nodes")
		_, failed := scan.Get(resp.Body, "errors")
		if scan.Valid(resp.Body) != nil || failed || !ok {
			if all.last == nil {
				return x.shapeGraphQL(resp)
			}
			x.note("page " + strconv.Itoa(page) + " was no list, the items before it follow")
			break
		}
		all.add(resp, nodes)
		all.page = connectionPage(connection)
		if x.call.Progress != nil {
			x.call.Progress(all.count, all.page.Total)
		}
		if all.page.NextCursor == "" {
			break
		}
		if full := all.full(page, x.cfg.MaxPages); full != "" {
			x.note(full)
			break
		}
		if err := x.turnCursor(all.page.NextCursor); err != nil {
			return Result{}, err
		}
	}
	shown := x.options()
	shown.Pagination = &all.page
	return x.finish(shown, render.Answer{Status: all.last.Status, Header: all.last.Header, Body: all.list()}), nil
}

// turnCursor makes the request one for the page behind the cursor. The variables are
// the handler's to write, so it runs again.
func (x *execution) turnCursor(cursor string) error {
	x.r.Put("cursor", scan.AppendQuoted(nil, cursor))
	return x.action.Handler()(x.r, &x.q)
}

// connectionPage is where a connection stands among its pages.
func connectionPage(connection []byte) render.Pagination {
	var p render.Pagination
	if info, ok := scan.Get(connection, "pageInfo"); ok {
		next, _ := scan.Get(info, "hasNextPage")
		cursor, _ := scan.Get(info, "endCursor")
		if p.HasMore = string(next) == "true"; p.HasMore && scan.KindOf(cursor) == scan.String {
			p.NextCursor = text(cursor)
		}
	}
	if count, ok := scan.Get(connection, "count"); ok && isDigits(string(count)) && len(count) < 10 {
		p.HasTotal = true
		for _, c := range count {
			p.Total = p.Total*10 + int(c-'0')
		}
	}
	return p
}

package exec

import (
	"net/http"

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
	node, errs := selected(data)
	if scan.Len(errs) > 0 {
		return Result{}, x.graphQLFailure(resp, errs, data)
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
	f := &Failure{Code: Code(gitlab.Refused), Status: resp.Status, Message: gitlab.Message(errs), RequestID: resp.Header.Get("X-Request-Id"), Hint: "GitLab did not do all that was asked: correct what the message names"}
	if scan.KindOf(data) == scan.Object {
		opts := x.options()
		opts.Fields = nil
		f.Data = render.Shape(opts, render.Answer{Status: resp.Status, Header: resp.Header, Body: data}).Structured
	}
	return f
}

// selected goes down from data to the node that a document of ours selects: as
// long as there is one member and that is an object. errs are the errors of a
// mutation's payload.
func selected(data []byte) (node, errs []byte) {
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

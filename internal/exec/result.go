package exec

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/gitlab"
	"gitlab-mcp-server/internal/render"
	"gitlab-mcp-server/internal/scan"
)

// shape makes the result of a success. The pagination, if not nil, takes the place
// of what the headers say.
func (x *execution) shape(resp *gitlab.Response, p *render.Pagination) Result {
	opts := x.options()
	if p == nil {
		p = x.cursorOf(resp.Header)
	}
	opts.Pagination = p
	return x.finish(opts, render.Answer{Status: resp.Status, Header: resp.Header, Body: resp.Body})
}

// cursorOf is the pagination of a list whose cursor has a name of its own; nil
// where the headers say all.
func (x *execution) cursorOf(h http.Header) *render.Pagination {
	if x.action.Keyset() == "" {
		return nil
	}
	p := render.PaginationOf(h)
	next := render.NextQuery(h).Get(x.action.Keyset())
	if next == "" || p.NextCursor != "" {
		return nil
	}
	p.NextCursor = next
	return &p
}

func (x *execution) options() render.Options {
	a := x.action
	return render.Options{
		Kind: a.Kind(), Title: a.Title(), Columns: slices.Collect(a.Columns()), Fields: x.call.Fields,
		Budget: x.cfg.Budget, Reveal: a.Has(catalog.Reveals),
		Lines: x.local.lines, Trace: strings.HasSuffix(a.Path(), "/trace"), Continue: x.goOn,
	}
}

// finish renders an answer and puts notes and cuts where the contract wants them.
func (x *execution) finish(opts render.Options, answer render.Answer) Result {
	s := render.Shape(opts, answer)
	x.notes = append(x.notes, s.Notes...)
	res := Result{Text: s.Text + render.Footer(s.Truncated, x.notes), Structured: s.Structured, Meta: meta(s.Truncated, x.notes)}
	if mime := imageType(answer.Header); mime != "" && len(answer.Body) > 0 && len(answer.Body) <= maxImage {
		res.Images = []Image{{Data: answer.Body, MIMEType: mime}}
	}
	return res
}

// maxImage is the size up to which a picture is given as one.
const maxImage = 4 << 20

// imageType is the media type of a picture that models take, or "".
func imageType(h http.Header) string {
	media, _, _ := strings.Cut(strings.ToLower(h.Get("Content-Type")), ";")
	switch media = strings.TrimSpace(media); media {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return media
	}
	return ""
}

func meta(cuts []render.Cut, notes []string) map[string]any {
	m := map[string]any{}
	if len(cuts) > 0 {
		m[MetaTruncated] = json.RawMessage(render.AppendCuts(nil, cuts))
	}
	if len(notes) > 0 {
		m[MetaNotes] = notes
	}
	if len(m) == 0 {
		return nil
	}
	return m
}

// goOn words how to get what a cut left out.
func (x *execution) goOn(c render.Cut) string {
	switch {
	case c.Path == "items" && x.takes("per_page") && !x.takes("page"):
		return "repeat with params.per_page: " + strconv.Itoa(max(c.Kept, 1)) + " and go on by params.cursor, or ask for less per item with fields"
	case c.Path == "items" && x.takes("per_page"):
		if page, ok := x.q.Query("page"); ok && page != "1" || x.local.allPages {
			return "ask for less per item with fields, or set params.per_page to " + strconv.Itoa(max(c.Kept, 1)) + " or less and go through the pages from the first"
		}
		return "repeat with params.per_page: " + strconv.Itoa(max(c.Kept, 1)) + " and params.page: 2, or ask for less per item with fields"
	case c.Path == "items":
		return "ask for less per item with fields, or narrow the list"
	case c.Path == "content" && c.Unit == "lines" && x.selects("offset"):
		return "repeat with params.offset: " + strconv.Itoa(x.local.lines.Offset+c.Kept) + ", or select lines with grep or tail"
	}
	return ""
}

// takes reports whether the action has an argument of that name.
func (x *execution) takes(name string) bool {
	_, ok := x.action.ParamNamed(name)
	return ok
}

// shapeSaved is the result of a download that stands in a file. What fits is
// given inline as well, so that the result reads the same with and without a
// directory for downloads.
func (x *execution) shapeSaved(resp *gitlab.Response, file *download) (Result, error) {
	path, err := file.keep(resp.Header)
	if err != nil {
		return Result{}, &Failure{Code: Code(gitlab.Network), Message: "the download could not be saved: " + err.Error()}
	}
	x.note("saved as " + path)
	inline := int64(x.cfg.Budget) * 3 / 5 // base64 makes four characters of three bytes
	if imageType(resp.Header) != "" {
		inline = maxImage
	}
	if resp.Size <= inline {
		if resp.Body, err = file.content(path, resp.Size); err != nil {
			return Result{}, &Failure{Code: Code(gitlab.Network), Message: "the download could not be read back: " + err.Error()}
		}
		res := x.shape(resp, nil)
		if base, ok := strings.CutSuffix(string(res.Structured), "}"); ok && len(base) > 1 {
			res.Structured = append(scan.AppendQuoted([]byte(base+`,"path":`), path), '}')
		}
		return res, nil
	}
	b := scan.AppendQuoted([]byte(`{"path":`), path)
	b = scan.AppendQuoted(append(b, `,"encoding":"file","content_type":`...), orOctets(resp.Header.Get("Content-Type")))
	b = append(strconv.AppendInt(append(b, `,"size":`...), resp.Size, 10), '}')
	text := "## " + render.Escape(x.action.Title()) + "\n\nSaved as `" + render.Escape(path) + "`, " + strconv.FormatInt(resp.Size, 10) + " bytes.\n"
	return Result{Text: text + render.Footer(nil, x.notes), Structured: b, Meta: meta(nil, x.notes)}, nil
}

func orOctets(mediaType string) string {
	if mediaType == "" {
		return "application/octet-stream"
	}
	return mediaType
}

// shapeOwn is the result of an action of our own.
func (x *execution) shapeOwn(a Answer) Result {
	res := x.finish(x.options(), render.Answer{Status: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: a.Body})
	if a.Text != "" {
		res.Text = a.Text + render.Footer(nil, x.notes)
	}
	return res
}

package sim

import (
	"bytes"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/scan"
)

// maxBody bounds a request's body, in bytes.
const maxBody = 64 << 20

// upload is a file of a request.
type upload struct {
	name, contentType string
	content           []byte
}

// payload is what a request carries in its body.
type payload struct {
	fields *object
	files  map[string]upload
	raw    []byte // a body that is a file itself
}

// checkBody judges a body against the catalog and reads it.
func (r *route) checkBody(req *http.Request, body []byte) (payload, error) {
	p := payload{fields: obj(), files: map[string]upload{}}
	if !r.action.Valid() {
		if scan.Valid(body) == nil {
			if o, ok := decode(string(body)).(*object); ok {
				p.fields = o
			}
		}
		return p, nil
	}
	s := r.contract()
	raw := r.action.Has(catalog.RawBody)
	if len(s.body) == 0 && !raw {
		if len(body) > 0 && !(r.method != http.MethodGet && r.method != http.MethodHead && isEmptyObject(body)) {
			return p, badRequest("the body is not declared: %s takes none", r.key)
		}
		return p, nil
	}
	media, params, err := mime.ParseMediaType(req.Header.Get("Content-Type"))
	switch {
	case len(body) == 0:
		return p, s.checkFields(p)
	case raw:
		p.raw = body
		return p, nil
	case err != nil:
		return p, unsupported(r, req.Header.Get("Content-Type"))
	case media == "application/json" && !s.hasFile:
		if err := scan.Valid(body); err != nil {
			return p, badRequest("the body is no JSON: %v", err)
		}
		o, ok := decode(string(body)).(*object)
		if !ok {
			return p, badRequest("the body must be a JSON object, it is %s", scan.KindOf(body))
		}
		p.fields = o
		return p, s.checkDeclared(r, p, false)
	case media == "multipart/form-data" && strings.HasPrefix(r.action.ContentType(), "multipart/"):
		if err := p.readForm(body, params["boundary"]); err != nil {
			return p, err
		}
		return p, s.checkDeclared(r, p, true)
	case media == "application/x-www-form-urlencoded" && r.action.ContentType() == media:
		pairs, err := parsePairs(string(body))
		if err != nil {
			return p, err
		}
		for _, kv := range pairs {
			if err := putForm(p.fields, kv); err != nil {
				return p, err
			}
		}
		return p, s.checkDeclared(r, p, true)
	}
	return p, unsupported(r, media)
}

func isEmptyObject(body []byte) bool { return string(scan.AppendCompact(nil, body)) == "{}" }

func unsupported(r *route, media string) error {
	if media == "" {
		media = "no content type"
	}
	return &refusal{
		status: http.StatusUnsupportedMediaType, key: "error",
		text: "The provided content-type '" + media + "' is not supported: " + r.key + " takes " + r.action.ContentType(),
	}
}

// checkDeclared holds every field against the catalog. Values of a form are text.
func (s *spec) checkDeclared(r *route, p payload, isForm bool) error {
	for _, m := range p.fields.members {
		q := s.body[m.name]
		switch {
		case q == nil && s.query[m.name] != nil:
			return badRequest("%s is not a body parameter: %s takes it in the query", m.name, r.key)
		case q == nil:
			return badRequest("%s is not declared: the body of %s has %s", m.name, r.key, names(s.body))
		}
		if _, isText := m.value.(string); isText && (q.Encoding() == catalog.Comma || q.In() == catalog.InFile) {
			continue
		}
		if isForm {
			if t, ok := m.value.(string); ok {
				if err := checkText(m.name, q.schema, t); err != nil {
					return err
				}
			}
			continue
		}
		if err := checkJSON(m.name, q.schema, m.value); err != nil {
			return err
		}
	}
	for name := range p.files {
		if base, _, _ := brackets(name); s.body[base] == nil {
			return badRequest("%s is not declared: the body of %s has %s", name, r.key, names(s.body))
		}
	}
	return s.checkFields(p)
}

// checkFields looks for what is required, and for rules over several fields.
func (s *spec) checkFields(p payload) error {
	for _, name := range sortedNames(s.body) {
		_, isFile := p.files[name]
		if s.body[name].Required() && !p.fields.has(name) && !isFile {
			return badRequest("%s is missing", name)
		}
	}
	return nil
}

// checkRules holds the rules over several arguments, wherever they travel.
func (s *spec) checkRules(query *object, p payload) error {
	for _, ru := range s.rules {
		var given []string
		for _, n := range ru.names {
			if _, isFile := p.files[n]; isFile || query.has(n) || p.fields.has(n) {
				given = append(given, n)
			}
		}
		all := strings.Join(ru.names, ", ")
		switch {
		case ru.name == "one_of" && len(given) == 0:
			return badRequest("%s are missing, at least one parameter must be provided", all)
		case ru.name == "exactly_one" && len(given) == 0:
			return badRequest("%s are missing, exactly one parameter must be provided", all)
		case (ru.name == "exactly_one" || ru.name == "at_most_one") && len(given) > 1:
			return badRequest("%s are mutually exclusive", strings.Join(given, ", "))
		case ru.name == "all_or_none" && len(given) != 0 && len(given) != len(ru.names):
			return badRequest("%s provide all or none of parameters", all)
		}
	}
	return nil
}

func (p *payload) readForm(body []byte, boundary string) error {
	if boundary == "" {
		return badRequest("the multipart body has no boundary in its content type")
	}
	mr := multipart.NewReader(bytes.NewReader(body), boundary)
	for {
		part, err := mr.NextRawPart()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return badRequest("the multipart body is broken: %v", err)
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return badRequest("the multipart body is broken: %v", err)
		}
		if part.FileName() != "" {
			p.files[part.FormName()] = upload{part.FileName(), part.Header.Get("Content-Type"), content}
		} else if err := putForm(p.fields, pair{part.FormName(), string(content)}); err != nil {
			return err
		}
	}
}

// putForm stores a[b]=v as an object and a[]=v as a list.
func putForm(into *object, kv pair) error {
	base, keys, ok := brackets(kv.name)
	if !ok {
		return badRequest("the name %q of the form is not written as a[b] or a[]", kv.name)
	}
	for len(keys) > 0 && keys[0] != "" {
		if into.sub(base) == nil {
			into.set(base, obj())
		}
		into, base, keys = into.sub(base), keys[0], keys[1:]
	}
	if len(keys) == 0 {
		into.set(base, kv.value)
		return nil
	}
	into.set(base, append(into.list(base), kv.value)) // a[] or a[][b]: order is kept, keys are not
	return nil
}

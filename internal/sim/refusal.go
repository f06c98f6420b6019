package sim

import "net/http"

// refusal is an answer that is no success.
type refusal struct {
	status int
	key    string // of the text in the answer: message, or error
	text   string
	more   *object // further members
	header http.Header
}

func (r *refusal) Error() string { return r.text }

func (r *refusal) body() *object {
	key := r.key
	if key == "" {
		key = "message"
	}
	o := obj(key, r.text)
	if r.more != nil {
		o.members = append(o.members, r.more.members...)
	}
	return o
}

func notFound(what string) *refusal {
	return &refusal{status: http.StatusNotFound, text: "404 " + what + " Not Found"}
}

func conflict(text string) *refusal { return &refusal{status: http.StatusConflict, text: text} }

func forbidden(text string) *refusal {
	return &refusal{status: http.StatusForbidden, text: "403 Forbidden - " + text}
}

// invalid is a value that GitLab's models refuse: a map of messages by attribute.
type invalid struct{ attribute, text string }

func (e *invalid) Error() string { return e.attribute + " " + e.text }

package config

import "strings"

func (r *reading) token(_ *setting, source, value string) {
	r.tokenText, r.tokenFrom = value, source
}

func (r *reading) tokenFile(_ *setting, source, value string) {
	data, ok := r.readFile(source, value)
	if !ok {
		return
	}
	r.fileText, r.fileFrom = strings.TrimSpace(string(data)), source
	if r.fileText == "" {
		r.add(source, "%s is empty", value)
	}
}

func (r *reading) jobToken(_ *setting, source, value string) {
	r.jobText, r.jobFrom = value, source
}

func (r *reading) authHeader(_ *setting, source, value string) {
	switch v, ok := r.choice(source, value, "bearer", "private-token"); {
	case ok && v == "private-token":
		r.cfg.AuthHeader = PrivateToken
	case ok:
		r.cfg.AuthHeader = Bearer
	}
}

// finishToken picks the one token that is sent.
func (r *reading) finishToken() {
	text, from := r.tokenText, r.tokenFrom
	if r.fileText != "" {
		if text != "" && text != r.fileText {
			r.add(r.fileFrom, "holds another token than %s; keep one", from)
		}
		text, from = r.fileText, r.fileFrom
	}
	if text == "" && r.jobText != "" {
		text, from = r.jobText, r.jobFrom
		r.cfg.AuthHeader = JobToken
	}
	if text == "" {
		return
	}
	if !sendable(text) {
		r.add(from, "holds characters that no header can carry (space, line break or beyond ASCII); give the bare token")
		return
	}
	r.cfg.Token, r.cfg.TokenSource = NewSecret(text), from
}

// sendable tells whether a token can be the value of a header as it is.
func sendable(token string) bool {
	for i := range len(token) {
		if token[i] <= ' ' || token[i] > '~' {
			return false
		}
	}
	return true
}

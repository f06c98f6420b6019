package sim

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
)

// reply is an answer before it is written.
type reply struct {
	status      int
	value       any // JSON; nil for none
	raw         []byte
	contentType string
	header      http.Header
}

func ok(v any) (reply, error) { return reply{status: http.StatusOK, value: v}, nil }

func created(v any) (reply, error) { return reply{status: http.StatusCreated, value: v}, nil }

func noContent() (reply, error) { return reply{status: http.StatusNoContent}, nil }

func accepted(v any) (reply, error) { return reply{status: http.StatusAccepted, value: v}, nil }

// rawText is an answer in plain text.
func rawText(b []byte) (reply, error) {
	return reply{status: http.StatusOK, raw: b, contentType: "text/plain; charset=utf-8"}, nil
}

// download is an answer that is a file.
func download(name, contentType string, b []byte) (reply, error) {
	h := http.Header{}
	h.Set("Content-Disposition", "attachment; filename="+strconv.Quote(name))
	return reply{status: http.StatusOK, raw: b, contentType: contentType, header: h}, nil
}

// refuse is the answer to what cannot be done.
func refuse(err error) reply {
	var r *refusal
	var v *invalid
	switch {
	case errors.As(err, &v):
		return reply{status: http.StatusBadRequest, value: obj("message", obj(v.attribute, []any{v.text}))}
	case errors.As(err, &r):
		return reply{status: r.status, value: r.body(), header: r.header.Clone()}
	}
	return reply{status: http.StatusInternalServerError, value: obj("message", "500 Internal Server Error")}
}

// encoded is an answer, or the refusal in its place, with its JSON written out.
func encoded(rep reply, err error) reply {
	if err != nil {
		rep = refuse(err)
	}
	if rep.value != nil {
		rep.raw = appendJSON(nil, rep.value)
		rep.contentType = "application/json"
	}
	return rep
}

// write sends an answer. Its errors are the client's going away.
func write(w http.ResponseWriter, req *http.Request, rep reply) {
	for name, values := range rep.header {
		w.Header()[name] = values
	}
	if rep.contentType != "" {
		w.Header().Set("Content-Type", rep.contentType)
	}
	if rep.status != http.StatusNoContent && rep.status != http.StatusNotModified {
		w.Header().Set("Content-Length", strconv.Itoa(len(rep.raw)))
	}
	w.WriteHeader(rep.status)
	if req.Method != http.MethodHead {
		_, _ = w.Write(rep.raw)
	}
}

func sortedSet(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

package exec

import (
	"net/http"
	"net/url"
	"strings"
)

// nextQuery is the query string of the page after this one, from the Link header.
func nextQuery(h http.Header) (string, bool) {
	for _, line := range h.Values("Link") {
		for part := range strings.SplitSeq(line, ",") {
			target, attributes, ok := strings.Cut(strings.TrimSpace(part), ">")
			if !ok || !strings.HasPrefix(target, "<") || !isNext(attributes) {
				continue
			}
			_, query, ok := strings.Cut(target[1:], "?")
			query, _, _ = strings.Cut(query, "#")
			if ok && query != "" {
				return query, true
			}
		}
	}
	return "", false
}

func isNext(attributes string) bool {
	for a := range strings.SplitSeq(attributes, ";") {
		key, value, _ := strings.Cut(strings.TrimSpace(a), "=")
		if strings.EqualFold(key, "rel") && strings.EqualFold(strings.Trim(value, `"`), "next") {
			return true
		}
	}
	return false
}

func unquery(s string) string {
	if d, err := url.QueryUnescape(s); err == nil {
		return d
	}
	return s
}

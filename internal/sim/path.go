package sim

import (
	"fmt"
	"net/url"
	"strings"
)

// splitPath cuts a path as it came over the wire into decoded segments. What a
// correct client never sends is refused: empty segments, dots, bytes that need
// an encoding, and values that were encoded twice.
func splitPath(raw string) ([]string, error) {
	rest, ok := strings.CutPrefix(raw, apiPrefix+"/")
	if !ok {
		return nil, &refusal{status: 404, text: "404 Not Found"}
	}
	for i := range len(rest) {
		if c := rest[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(`"<>\^{|}`+"`", c) >= 0 {
			return nil, badRequest("the path holds the byte 0x%02X, which must be percent-encoded", c)
		}
	}
	var out []string
	for i, seg := range strings.Split(rest, "/") {
		value, err := url.PathUnescape(seg)
		switch {
		case err != nil:
			return nil, badRequest("path segment %d is not percent-encoded correctly: %s", i+1, seg)
		case value == "":
			return nil, badRequest("path segment %d is empty", i+1)
		case value == "." || value == "..":
			return nil, badRequest("path segment %d is a relative one: %s", i+1, seg)
		case encodedTwice(seg, value):
			return nil, badRequest("path segment %d is encoded twice: %s", i+1, seg)
		}
		out = append(out, value)
	}
	return out, nil
}

// encodedTwice is true where decoding a segment leaves an escape of a character
// that a client would have had to encode, %2F or %20 or the like.
func encodedTwice(raw, value string) bool {
	if !strings.Contains(raw, "%25") {
		return false
	}
	again, err := url.PathUnescape(value)
	return err == nil && again != value && url.PathEscape(again) == value
}

// rejoin looks for the route that a path would match if some of its slashes had
// been encoded, and words what is wrong with it. Very long paths are not tried.
func (n *routeNode) rejoin(segs []string) error {
	const most = 30
	if len(segs) > most {
		return nil
	}
	for width := 2; width <= len(segs); width++ {
		for at := 0; at+width <= len(segs); at++ {
			joined := strings.Join(segs[at:at+width], "/")
			tried := append(append(append([]string{}, segs[:at]...), joined), segs[at+width:]...)
			for _, f := range n.lookup(tried) {
				p := f.node.routes[0].pieces
				if at < len(p) && p[at].bare() && !p[at].splat {
					return badRequest("path parameter %s: the slashes of %q must be encoded as %%2F", p[at].params[0], joined)
				}
			}
		}
	}
	return nil
}

// badRequest is a refusal of a request that contradicts the catalog.
func badRequest(format string, args ...any) *refusal {
	return &refusal{status: 400, key: "error", text: fmt.Sprintf(format, args...)}
}

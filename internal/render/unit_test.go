package render_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab-mcp-server/internal/render"
)

func TestPaginationOf(t *testing.T) {
	const api = "<https://gitlab.example.com/api/v4/x?"
	for name, c := range map[string]struct {
		h    map[string]string
		want string
	}{
		"nothing": {nil, `{"page":null,"per_page":null,"next_page":null,"next_cursor":null,"total":null,"has_more":false}`},
		"offset": {map[string]string{"X-Page": "2", "X-Per-Page": "20", "X-Next-Page": "3", "X-Total": "57"},
			`{"page":2,"per_page":20,"next_page":3,"next_cursor":null,"total":57,"has_more":true}`},
		"last page": {map[string]string{"X-Page": "3", "X-Per-Page": "20", "X-Next-Page": "", "X-Total": "57"},
			`{"page":3,"per_page":20,"next_page":null,"next_cursor":null,"total":57,"has_more":false}`},
		"no totals above 10,000": {map[string]string{"X-Page": "1", "X-Per-Page": "20", "X-Next-Page": "2"},
			`{"page":1,"per_page":20,"next_page":2,"next_cursor":null,"total":null,"has_more":true}`},
		"none at all": {map[string]string{"X-Page": "1", "X-Per-Page": "20", "X-Total": "0"},
			`{"page":1,"per_page":20,"next_page":null,"next_cursor":null,"total":0,"has_more":false}`},
		"link by page": {map[string]string{"Link": api + `page=4&per_page=10>; rel="next", ` + api + `page=1&per_page=10>; rel="first"`},
			`{"page":null,"per_page":10,"next_page":4,"next_cursor":null,"total":null,"has_more":true}`},
		"link by cursor": {map[string]string{"Link": api + `page=1>; rel="first", ` + api + `cursor=eyJp%3D%3D&per_page=5>; rel="next"`},
			`{"page":null,"per_page":5,"next_page":null,"next_cursor":"eyJp==","total":null,"has_more":true}`},
		"link by page_token": {map[string]string{"Link": api + `page_token=a%2Cb&pagination=keyset>; rel=next`},
			`{"page":null,"per_page":null,"next_page":null,"next_cursor":"a,b","total":null,"has_more":true}`},
		"link by id_after": {map[string]string{"Link": api + `id_after=42&pagination=keyset>; rel="next"`},
			`{"page":null,"per_page":null,"next_page":null,"next_cursor":"42","total":null,"has_more":true}`},
		"id_after as a filter": {map[string]string{"Link": api + `id_after=42&page=2>; rel="next"`},
			`{"page":null,"per_page":null,"next_page":2,"next_cursor":null,"total":null,"has_more":true}`},
		"header cursor": {map[string]string{"X-Next-Cursor": "abc"},
			`{"page":null,"per_page":null,"next_page":null,"next_cursor":"abc","total":null,"has_more":true}`},
		"only other links": {map[string]string{"Link": api + `page=1>; rel="prev", ` + api + `page=9>; rel="last"`},
			`{"page":null,"per_page":null,"next_page":null,"next_cursor":null,"total":null,"has_more":false}`},
		"nonsense": {map[string]string{"X-Page": "x", "X-Total": "-3", "Link": `<::>; rel="next", <`},
			`{"page":null,"per_page":null,"next_page":null,"next_cursor":null,"total":null,"has_more":false}`},
	} {
		h := http.Header{}
		for k, v := range c.h {
			h.Set(k, v)
		}
		if diff := cmp.Diff(c.want, string(render.PaginationOf(h).AppendJSON(nil))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestMask(t *testing.T) {
	for text, want := range map[string]string{
		"nothing here": "",
		"see https://a.example.com/@x and x@y.com":                                            "",
		"fatal: could not read from https://ci:abc@example.com:8080/x.git, https://tok@b.com": "fatal: could not read from https://[MASKED]@example.com:8080/x.git, https://[MASKED]@b.com",
		"ssh://git@example.com/x ssh://git:pw@example.com/x":                                  "ssh://git@example.com/x ssh://[MASKED]@example.com/x",
		"https://user:p@ss@example.com":                                                       "https://[MASKED]@example.com",
		"token glpat-abcdefghij_K-1.x, prefix glpat- and myglpat-abcdefghijk":                 "token [MASKED], prefix glpat- and myglpat-abcdefghijk",
		`{"key":"A","value":"s","masked":true}`:                                               `{"key":"A","value":"[MASKED]","masked":true}`,
		`{"key":"A","value":"s","masked":"true"}`:                                             "",
		`{"masked":true,"value":null}`:                                                        "",
		`[{"token":"x","id":1.0}]`:                                                            `[{"token":"[MASKED]","id":1.0}]`,
		`{"password":"x","a":{"client_secret":"y"}}`:                                          `{"password":"[MASKED]","a":{"client_secret":"[MASKED]"}}`,
		`{"public_key":"ssh-rsa AAA","key":"x","secret_detection_enabled":"true"}`:            "",
		`{"a":"glpat-abcdefghijkl"}`:                                                          `{"a":"[MASKED]"}`,
	} {
		got, changed := render.Mask([]byte(text))
		if want == "" {
			want = text
		}
		if string(got) != want || changed != (want != text) {
			t.Errorf("Mask(%s) = %s, %t, want %s", text, got, changed, want)
		}
	}
}

func TestEscape(t *testing.T) {
	for s, want := range map[string]string{
		"snake_case and a-b": "snake_case and a-b", "_x_ *y* `z`": `\_x\_ \*y\* ` + "\\`z\\`", "a\n\n# b\tc": "a # b c", "# a": `\# a`,
		"<b>&amp; & b": `\<b>\&amp; & b`, "~~x~~": `\~~x\~~`, "a\u202eb\x1b[0m": `ab\[0m`, " a ": "a", "": "", "größe 🚀": "größe 🚀", "a\xff": "a\uFFFD",
	} {
		if got := render.Escape(s); got != want {
			t.Errorf("Escape(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestFooter(t *testing.T) {
	if got := render.Footer(nil, nil); got != "" {
		t.Errorf("nothing to say, but %q", got)
	}
	got := render.Footer([]render.Cut{{Path: "items", Kept: 1, Total: 2, Unit: "items", Continue: "go on\nhere"}, {Kept: 1, Total: 2}}, []string{"a\n## b"})
	want := "\n> Cut: items, 1 of 2 items; go on here.\n> Cut: the answer, 1 of 2; .\n> Note: a ## b\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("footer differs (-want +got):\n%s", diff)
	}
}

func TestLinks(t *testing.T) {
	for url, linked := range map[string]string{
		"https://x.example.com/a_b": "https://x.example.com/a_b", "HTTP://x": "HTTP://x", "https://x/a(b)|c": "https://x/a%28b%29%7Cc",
		"javascript:alert(1)": "", "data:text/html,x": "", "https://": "", "https:///x": "", "https://a b": "", "//x": "", "https://good.com@evil.com/": "", "https://x\u202e": "",
	} {
		body := `[{"id":1,"title":"T","web_url":"` + url + `"}]`
		text := render.Shape(render.Options{Reveal: true}, render.Answer{Status: 200, Body: []byte(body)}).Text
		want := "| T |"
		if linked != "" {
			want = "| [T](" + linked + ") |"
		}
		if !strings.Contains(text, want) {
			t.Errorf("%s: want %s in\n%s", url, want, text)
		}
	}
}

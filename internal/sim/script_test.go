package sim

import (
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// A script is a conversation with a fresh simulation. A line "> METHOD path body"
// is a request below /api/v4, "< status path=value …" what its answer must be:
// dotted paths with [n] for elements and [#] for their number, values as JSON
// without spaces, Header: for headers, body~text for a part of the text.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	cat := fullCatalog()
	root := buildRoutes(cat)
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+f.Name, func(t *testing.T) {
				s := New(cat, Options{Tokens: []Grant{
					{Token: Token}, {Token: "dana", Username: "dana"}, {Token: "reader", Scopes: []string{"read_api"}}, {Token: "narrow", Scopes: []string{"read_user"}},
				}})
				s.root = root
				play(t, s, string(f.Data))
			})
		}
	}
}

func play(t *testing.T, s *Sim, script string) {
	t.Helper()
	var w *httptest.ResponseRecorder
	token, last := Token, ""
	for line := range strings.Lines(script) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '@':
			token = strings.TrimSpace(line[1:])
		case line[0] == '>':
			last = line
			method, rest, _ := strings.Cut(strings.TrimSpace(line[1:]), " ")
			path, body, _ := strings.Cut(rest, " ")
			req := httptest.NewRequest(method, apiPrefix+path, strings.NewReader(body))
			if body != "" {
				req.Header.Set("Content-Type", "application/json")
				if kind, b, ok := strings.Cut(body, "|"); ok {
					req = httptest.NewRequest(method, apiPrefix+path, strings.NewReader(b))
					req.Header.Set("Content-Type", kind)
				}
			}
			if token != "none" {
				req.Header.Set("PRIVATE-TOKEN", token)
			}
			w = serve(s, req)
		case line[0] == '<':
			status, rest, _ := strings.Cut(strings.TrimSpace(line[1:]), " ")
			if text(w.Code) != status {
				t.Errorf("%s\n\tgot %d %s\n\twant %s", last, w.Code, w.Body, status)
				continue
			}
			for _, want := range expectations(rest) {
				if got, ok := holds(w, want); !ok {
					t.Errorf("%s\n\tgot %s\n\twant %s", last, got, want)
				}
			}
		default:
			t.Fatalf("no line of a script: %s", line)
		}
	}
}

// expectations cuts at spaces; body~ takes the rest of the line.
func expectations(s string) []string {
	before, after, found := strings.Cut(s, "body~")
	out := strings.Fields(before)
	if found {
		out = append(out, "body~"+after)
	}
	return out
}

func holds(w *httptest.ResponseRecorder, want string) (string, bool) {
	body := w.Body.String()
	if part, ok := strings.CutPrefix(want, "body~"); ok {
		return body, strings.Contains(body, strings.ReplaceAll(part, `\n`, "\n"))
	}
	i := max(strings.IndexAny(want, "=~"), 0)
	path, value := want[:i], want[i+1:]
	is := func(got string) (string, bool) {
		return got, got == value || want[i] == '~' && strings.Contains(got, value)
	}
	if header, ok := strings.CutSuffix(path, ":"); ok {
		return is(w.Header().Get(header))
	}
	got := "nothing"
	if v, ok := dig(decode(body), path); ok {
		got = string(appendJSON(nil, v))
	}
	return is(got)
}

// dig follows a dotted path.
func dig(v any, path string) (any, bool) {
	for path != "" {
		if rest, ok := strings.CutPrefix(path, "["); ok {
			index, behind, _ := strings.Cut(rest, "]")
			list, isList := v.([]any)
			if !isList {
				return nil, false
			}
			if index == "#" {
				return int64(len(list)), true
			}
			n := 0
			for _, d := range index {
				n = n*10 + int(d-'0')
			}
			if n >= len(list) {
				return nil, false
			}
			v, path = list[n], strings.TrimPrefix(behind, ".")
			continue
		}
		end := strings.IndexAny(path, ".[")
		if end < 0 {
			end = len(path)
		}
		o, isObject := v.(*object)
		if !isObject || !o.has(path[:end]) {
			return nil, false
		}
		v, path = o.get(path[:end]), strings.TrimPrefix(path[end:], ".")
	}
	return v, true
}

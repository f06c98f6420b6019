package render_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/render"
	"gitlab-mcp-server/internal/scan"
)

func seeds() []string {
	return []string{
		`{"a":1,"b":[{"c":"x"},null],"token":"t"}`, `[{"id":1,"title":"a|b\n# c","web_url":"https://x/y"}]`, `[]`, `{}`, `"x"`, `1e400`, `null`,
		`{"a":"\ud83d\u0000 ` + "\xff" + `"}`, `<html>`, `{"a":`, "", "\ufeff{}", `[{"diff":"@@","new_path":"a"}]`, `{"value":"x","masked":true,"value":"y"}`,
		`{"u":"https://a:b@c/d","` + "`" + `":"` + "````" + `"}`, `[["a"],"b",{}]`, `{"content":"IyA=","encoding":"base64"}`,
	}
}

// FuzzShape wants a well-formed result of any answer, and all of GitLab's JSON in
// it where nothing is projected, masked or cut.
func FuzzShape(f *testing.F) {
	for i, s := range seeds() {
		f.Add([]byte(s), byte(i), "a,b[].c,items[].id,x.y", uint16(i*200))
	}
	f.Fuzz(func(t *testing.T, body []byte, kind byte, fields string, budget uint16) {
		answer := render.Answer{Status: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}, "X-Total": {"3"}}, Body: body}
		opts := render.Options{Kind: catalog.Kind(kind % 6), Title: "T", Reveal: true}
		s := render.Shape(opts, answer)
		check(t, s)
		same(t, body, s, opts.Kind)

		opts.Reveal = false
		opts.Fields = strings.Split(fields, ",")
		opts.Trace = kind&8 != 0
		opts.Lines = render.Lines{From: int(kind & 3), Tail: int(budget & 15), Grep: fields}
		check(t, render.Shape(opts, answer))

		opts.Fields = nil
		opts.Budget = 1500 + int(budget)
		s = render.Shape(opts, answer)
		check(t, s)
		if n := utf8.RuneCount(s.Structured); n > opts.Budget && opts.Kind != catalog.Head {
			t.Errorf("%d characters with a budget of %d: %.200s", n, opts.Budget, s.Structured)
		}
		if masked, _ := render.Mask(body); scan.Valid(body) == nil && scan.Valid(masked) != nil {
			t.Errorf("masked %q is no JSON: %q", body, masked)
		}
	})
}

// same wants the answer, if it is valid JSON in valid UTF-8, unchanged.
func same(t *testing.T, body []byte, s render.Shaped, kind catalog.Kind) {
	t.Helper()
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	if kind == catalog.Head || kind == catalog.Text || kind == catalog.Binary || scan.Valid(body) != nil || !utf8.Valid(body) || bytes.Contains(body, []byte(`\u`)) {
		return
	}
	body = scan.Trim(body)
	got := s.Structured
	switch scan.KindOf(body) {
	case scan.Array:
		got, _ = scan.Get(got, "items")
	case scan.Object:
	default:
		got, _ = scan.Get(got, "content")
	}
	if want := bytes.TrimSuffix(body, nil); !bytes.Equal(want, got) {
		t.Errorf("the answer was changed (-want +got):\n%s", cmp.Diff(string(want), string(got)))
	}
}

// FuzzMarkdown wants text from GitLab to stay text.
func FuzzMarkdown(f *testing.F) {
	for _, s := range []string{"a|b", "`x`", "```\n# x", "[a](javascript:x)", "<img src=x>", "> Note: x", "a\u202eb", "\x1b[31m", "_a_ b_c *d*", "&lt;&#60;", "\\"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e := render.Escape(s)
		if !utf8.ValidString(e) || strings.ContainsAny(e, "\n\r\x1b\u202e") {
			t.Errorf("Escape(%q) = %q", s, e)
		}
		for i := range len(e) { // every character that begins markup is escaped
			if strings.IndexByte("`*<[]|", e[i]) < 0 {
				continue
			}
			n := 0
			for j := i - 1; j >= 0 && e[j] == '\\'; j-- {
				n++
			}
			if n%2 == 0 {
				t.Errorf("Escape(%q) = %q leaves %q", s, e, e[i])
			}
		}
		if strings.HasPrefix(e, "#") || strings.HasPrefix(e, ">") {
			t.Errorf("Escape(%q) = %q begins a block", s, e)
		}

		fenced := render.Fence("", s)
		lines := strings.Split(fenced, "\n")
		fence := lines[0]
		if strings.Trim(fence, "`") != "" || len(fence) < 3 || lines[len(lines)-1] != fence {
			t.Fatalf("Fence(%q) = %q", s, fenced)
		}
		for _, l := range lines[1 : len(lines)-1] {
			if strings.Contains(l, fence) {
				t.Errorf("Fence(%q) is closed early: %q", s, fenced)
			}
		}
		if strings.ContainsAny(fenced, "\x1b\r") {
			t.Errorf("Fence(%q) controls the terminal", s)
		}

		// In a list and a card, whatever stands in it, only our lines look like ours.
		value, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		item := `{"id":1,"title":` + string(value) + `,"web_url":` + string(value) + `,` + string(value) + `:` + string(value) + `}`
		for _, body := range []string{"[" + item + "]", item} {
			text := render.Shape(render.Options{Title: "T"}, render.Answer{Status: 200, Body: []byte(body)}).Text
			fence := ""
			for line := range strings.Lines(text) {
				line = strings.TrimSuffix(line, "\n")
				ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
				switch {
				case fence == "" && len(ticks) >= 3:
					fence = ticks
				case fence != "" && line == fence:
					fence = ""
				case fence == "":
					if line != "" && line != "## T" && !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "- **") && !strings.HasPrefix(line, "**") && !strings.HasPrefix(line, "1 item") && !strings.HasPrefix(line, "Also there") {
						t.Errorf("a line of its own: %q in\n%s", line, text)
					}
				}
			}
			if fence != "" {
				t.Errorf("an open fence in\n%s", text)
			}
			lower := strings.ToLower(text)
			for i := strings.Index(lower, "]("); i >= 0; {
				if i > 0 && lower[i-1] != '\\' && !strings.HasPrefix(lower[i+2:], "http") {
					t.Errorf("a link that is none of the web in\n%s", text)
				}
				next := strings.Index(lower[i+2:], "](")
				if next < 0 {
					break
				}
				i += 2 + next
			}
		}
	})
}

func FuzzTrace(f *testing.F) {
	for _, s := range []string{"a\r\nb", "\x1b[0Kx\x1b]0;t\x07y", "section_start:1:a\r\x1b[0Kb\n", "\x1b[", "\x1b", "1%\r2%\r"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, log []byte) {
		out := render.StripTrace(log)
		if bytes.IndexByte(out, 0x1b) >= 0 || bytes.IndexByte(out, '\r') >= 0 {
			t.Errorf("StripTrace(%q) = %q", log, out)
		}
		if len(out) > len(log) {
			t.Errorf("StripTrace(%q) grew to %q", log, out)
		}
	})
}

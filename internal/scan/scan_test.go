package scan_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"gitlab-mcp-server/internal/scan"
)

func TestValid(t *testing.T) {
	for text, want := range map[string]string{
		`{}`: "", ` [1, -2.5e+3, 0, "a\u00e4\n", true, false, null, {"a":[]}] `: "", `"x"`: "", "\"\xff\"": "",
		``:               "unexpected end of JSON at byte 0",
		`{`:              "unexpected end of JSON at byte 1",
		`{"a"`:           "unexpected end of JSON at byte 4",
		`{"a":`:          "unexpected end of JSON at byte 5",
		`[1`:             "unexpected end of JSON at byte 2",
		`"a`:             "unexpected end of JSON at byte 2",
		`"a\`:            "unexpected end of JSON at byte 3",
		`tru`:            "an unknown word at byte 0",
		`{a:1}`:          "a quoted key is missing at byte 1",
		`{"a" 1}`:        "a colon is missing at byte 5",
		`{"a":1,}`:       "a quoted key is missing at byte 7",
		`[1,]`:           "an unexpected character at byte 3",
		`[1 2]`:          "a comma is missing at byte 3",
		`01`:             "unexpected text behind the value at byte 1",
		`1.`:             "unexpected end of JSON at byte 2",
		`1.x`:            "a digit is missing at byte 2",
		`1e`:             "unexpected end of JSON at byte 2",
		`+1`:             "an unexpected character at byte 0",
		"\"a\nb\"":       "a control character in a string at byte 2",
		`"\q"`:           "an unknown escape in a string at byte 2",
		`"\u12g4"`:       "an unknown escape in a string at byte 2",
		`{} {}`:          "unexpected text behind the value at byte 3",
		"\u00a0{}":       "an unexpected character at byte 0",
		"\"12345678\x01": "a control character in a string at byte 9",
	} {
		err := scan.Valid(text)
		got := ""
		if err != nil {
			got = err.Error()
			var e *scan.SyntaxError
			if !errors.As(err, &e) {
				t.Errorf("Valid(%q): %T is no *SyntaxError", text, err)
			}
		}
		if got != want {
			t.Errorf("Valid(%q) = %q, want %q", text, got, want)
		}
		if (want == "") != (scan.Valid([]byte(text)) == nil) {
			t.Errorf("Valid(%q): text and bytes differ", text)
		}
	}
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	if err := scan.Valid(deep(scan.MaxDepth)); err != nil {
		t.Errorf("%d deep: %v", scan.MaxDepth, err)
	}
	if scan.Valid(deep(scan.MaxDepth+1)) == nil {
		t.Errorf("%d deep passed", scan.MaxDepth+1)
	}
}

func TestWalk(t *testing.T) {
	var got []string
	for k, v := range scan.Members(` { "a" : 1 , "b\u0020c":[1, {"x":"]}\""}] ,"":"" } `) {
		got = append(got, scan.Key(k)+"="+v)
	}
	if diff := cmp.Diff([]string{"a=1", `b c=[1, {"x":"]}\""}]`, `=""`}, got); diff != "" {
		t.Errorf("members differ (-want +got):\n%s", diff)
	}
	got = nil
	for v := range scan.Elements([]byte(`[1,"a,b",[],{"c":2} ,null]`)) {
		got = append(got, string(v))
	}
	if diff := cmp.Diff([]string{"1", `"a,b"`, "[]", `{"c":2}`, "null"}, got); diff != "" {
		t.Errorf("elements differ (-want +got):\n%s", diff)
	}
	if v, ok := scan.Get(`{"a":1,"b":{"a":2}}`, "b"); !ok || v != `{"a":2}` {
		t.Errorf("Get(b) = %s, %t", v, ok)
	}
	if _, ok := scan.Get(`[1]`, "b"); ok {
		t.Error("Get of an array found something")
	}
	if n := scan.Len(`{"a":1,"b":2}`); n != 2 {
		t.Errorf("Len = %d", n)
	}
}

func TestText(t *testing.T) {
	for quoted, want := range map[string]string{
		`"a"`: "a", `""`: "", `"\"\\\/\b\f\n\r\t"`: "\"\\/\b\f\n\r\t", `"\u00e4\ud83d\ude00"`: "ä😀",
		`"\ud83d"`: "\uFFFD", `"\ud83dx"`: "\uFFFDx", `"\ude00\ud83d\ude00"`: "\uFFFD😀", `"\ud83d\u0041"`: "\uFFFDA",
		"\"a\xffb\"": "a\uFFFDb", "\"a\xff\\nb\"": "a\uFFFD\nb", `12`: "12",
	} {
		if got := scan.Unquoted(quoted); got != want {
			t.Errorf("Unquoted(%s) = %q, want %q", quoted, got, want)
		}
		if got := string(scan.AppendUnquoted(nil, []byte(quoted))); got != want {
			t.Errorf("AppendUnquoted(%s) = %q, want %q", quoted, got, want)
		}
	}
	for s, want := range map[string]string{
		"<a & b>\u2028": "\"<a & b>\u2028\"", "\x00\x1f\n\t\r\"\\": `"\u0000\u001f\n\t\r\"\\"`, "a\xffb\xc3": `"a` + "\uFFFD" + `b` + "\uFFFD" + `"`, "😀\uFFFD": "\"😀\uFFFD\"",
	} {
		if got := string(scan.AppendQuoted(nil, s)); got != want {
			t.Errorf("AppendQuoted(%q) = %s, want %s", s, got, want)
		}
	}
	if got := string(scan.AppendCompact(nil, " { \"a b\" : [ 1 , \"\\\" \" ] } ")); got != `{"a b":[1,"\" "]}` {
		t.Errorf("AppendCompact = %s", got)
	}
	if got, changed := scan.AppendValidUTF8(nil, "a\xff\xc3(ä"); string(got) != "a\uFFFD\uFFFD(ä" || !changed {
		t.Errorf("AppendValidUTF8 = %q, %t", got, changed)
	}
}

// FuzzScan holds everything against encoding/json.
func FuzzScan(f *testing.F) {
	for _, s := range []string{`{"a":[1,"b\u00e4\ud800",null]}`, `[[[]]]`, `"\`, `{"a":]`, `{"a":1}x`, "\"\xff\xed\xa0\x80\"", `-0.0e-0`, `{"":{"":1},"":2}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		walk(data, 0) // must stop and not panic, whatever the bytes
		std := json.Valid(data)
		err := scan.Valid(data)
		if std != (err == nil) && !strings.Contains(err.Error(), "nested too deeply") {
			t.Fatalf("Valid(%q) = %v, encoding/json says %t", data, err, std)
		}
		for _, k := range []scan.Kind{scan.Object, scan.Array} {
			c := scan.Cursor[[]byte]{Text: data, Check: true}
			if c.Enter(k) {
				n := 0
				for c.Next() {
					n++
				}
				if e := c.Finish(); (e == nil) != (err == nil) {
					t.Fatalf("Finish(%q) = %v, Valid = %v", data, e, err)
				} else if e == nil && n != scan.Len(data) {
					t.Fatalf("%q: %d parts checked, %d unchecked", data, n, scan.Len(data))
				}
			}
		}
		q := scan.AppendQuoted(nil, data)
		if !json.Valid(q) || !utf8.Valid(q) {
			t.Fatalf("AppendQuoted(%q) = %q", data, q)
		}
		if got, want := scan.Unquoted(string(q)), string(bytes.ToValidUTF8(data, nil)); utf8.Valid(data) && got != want {
			t.Fatalf("%q quoted and unquoted is %q", data, got)
		}
		if err != nil {
			return
		}
		compact := scan.AppendCompact(nil, data)
		var want bytes.Buffer
		if err := json.Compact(&want, data); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(compact, want.Bytes()) {
			t.Fatalf("AppendCompact(%q) = %q, want %q", data, compact, want.Bytes())
		}
		var a, b any
		if err := json.Unmarshal(data, &a); err != nil {
			return // a number that float64 cannot hold
		}
		if err := json.Unmarshal(walk(data, 0), &b); err != nil {
			t.Fatalf("rebuilt %q: %v", data, err)
		}
		if !cmp.Equal(a, b) {
			t.Fatalf("rebuilt %q differs: %s", data, cmp.Diff(a, b))
		}
	})
}

// walk takes a value apart and puts it together again.
func walk(v []byte, depth int) []byte {
	var out []byte
	switch scan.KindOf(v) {
	case scan.Object:
		out = append(out, '{')
		for k, e := range scan.Members(v) {
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(scan.AppendQuoted(out, scan.Key(k)), ':')
			if depth < 50 {
				e = walk(e, depth+1)
			}
			out = append(out, e...)
		}
		return append(out, '}')
	case scan.Array:
		out = append(out, '[')
		for e := range scan.Elements(v) {
			if len(out) > 1 {
				out = append(out, ',')
			}
			if depth < 50 {
				e = walk(e, depth+1)
			}
			out = append(out, e...)
		}
		return append(out, ']')
	case scan.String:
		return scan.AppendQuoted(nil, scan.AppendUnquoted(nil, scan.Trim(v)))
	}
	return scan.Trim(v)
}

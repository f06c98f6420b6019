package render

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf8"

	"gitlab-mcp-server/internal/scan"
)

// maxFacts is how many members a card shows as facts.
const maxFacts = 40

// card renders one object: what it is, its facts, its texts.
func (d *doc) card(opts *Options, obj []byte) {
	d.title(opts.Title)
	head := pick(obj, "title", "name", "path_with_namespace", "full_path", "web_url", "content", "encoding", "file_path")
	name, used := "", ""
	for i, n := range [...]string{"title", "name", "path_with_namespace", "full_path"} {
		if scan.KindOf(head[i]) == scan.String && len(head[i]) > 2 {
			name, used = plainText(head[i], 0), n
			break
		}
	}
	if name != "" {
		url := ""
		if head[4] != nil {
			url = plainText(head[4], 0)
		}
		d.line("**" + link(short(name, maxFact), url) + "**")
	}
	var texts, diffs, unshown []string
	facts := 0
	for k, v := range scan.Members(obj) {
		key := scan.Key(k)
		switch {
		case key == used && used != "" && len(name) <= maxFact, string(v) == "null", string(v) == `""`, string(v) == "[]", string(v) == "{}":
			continue
		case isLong(v), key == "content" && isFile(head):
			texts = append(texts, key)
			continue
		case isDiffArray(v):
			diffs = append(diffs, key)
			continue
		}
		text := plainText(v, 0)
		if facts == maxFacts || text == "" || strings.HasPrefix(key, "_") {
			unshown = append(unshown, key)
			continue
		}
		facts++
		d.fact(clip(key, maxCell), fact(v, text))
	}
	if facts == 0 && len(texts)+len(diffs) == 0 && name == "" {
		d.line("The object is empty, or nothing in it has a value.")
	}
	for _, key := range texts {
		v, ok := scan.Get(obj, key)
		if !ok {
			continue // the name stands there with escapes
		}
		text := scan.Unquoted(string(v))
		lang := ""
		if key == "diff" {
			lang = "diff"
		}
		if key == "content" && isFile(head) {
			decoded, ok := decoded(text)
			if !ok {
				d.line("The content is no text; it stands in the structured result as base64.")
				continue
			}
			text = decoded
		}
		d.line("**" + Escape(clip(key, maxCell)) + "**")
		d.block(lang, text)
	}
	for _, key := range diffs {
		if v, ok := scan.Get(obj, key); ok {
			d.line("**" + Escape(clip(key, maxCell)) + "**")
			d.diffs(slices.Collect(scan.Elements(v)))
		}
	}
	if len(unshown) > 0 {
		for i, n := range unshown {
			unshown[i] = Escape(clip(n, maxCell))
		}
		d.line("Also there: " + some(unshown, maxFacts) + ".")
	}
}

// isFile reports whether an object, of which head are the members that card
// picks, is a file with its content in base64.
func isFile(head [][]byte) bool {
	return scan.KindOf(head[5]) == scan.String && string(head[6]) == `"base64"`
}

// decoded is the text that is encoded in base64, which may be cut, and false if
// it is none.
func decoded(s string) (string, bool) {
	s = strings.NewReplacer("\n", "", "\r", "").Replace(s)
	b, err := base64.StdEncoding.AppendDecode(nil, []byte(s[:len(s)/4*4]))
	if err != nil || bytes.IndexByte(b, 0) >= 0 {
		return "", false
	}
	for range utf8.UTFMax - 1 { // a character that the cut went through
		if utf8.Valid(b) || len(b) == 0 {
			break
		}
		b = b[:len(b)-1]
	}
	return string(b), utf8.Valid(b)
}

// fact is the value of a fact as Markdown.
func fact(v []byte, text string) string {
	if scan.KindOf(v) == scan.String {
		if url := webURL(text); url != "" && url == text && len(url) <= maxFact {
			return "<" + url + ">"
		}
	}
	return short(text, maxFact)
}

// isLong reports whether v is a text that wants a block of its own.
func isLong(v []byte) bool {
	return scan.KindOf(v) == scan.String && (len(v) > maxFact || bytes.Contains(v, []byte(`\n`)))
}

func isDiffArray(v []byte) bool {
	return scan.KindOf(v) == scan.Array && isDiffs(slices.Collect(scan.Elements(v)))
}

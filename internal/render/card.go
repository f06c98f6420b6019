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
		d.line("**" + link(Escape(clip(oneLine(name), maxFact)), url) + "**")
	}
	var texts, diffs, unshown []string
	facts := 0
	for k, v := range scan.Members(obj) {
		key := scan.Key(k)
		switch {
		case key == used && used != "" && len(name) <= maxFact, string(v) == "null", string(v) == `""`, string(v) == "[]", string(v) == "{}":
			continue
		case isLong(v):
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
		if key == "content" && string(head[6]) == `"base64"` {
			if decoded, err := base64.StdEncoding.AppendDecode(nil, []byte(text)); err == nil && utf8.Valid(decoded) && bytes.IndexByte(decoded, 0) < 0 {
				text = string(decoded)
			}
		}
		if key == "diff" {
			lang = "diff"
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

// fact is the value of a fact as Markdown.
func fact(v []byte, text string) string {
	if scan.KindOf(v) == scan.String {
		if url := webURL(text); url != "" && url == text && len(url) <= maxFact {
			return "<" + url + ">"
		}
	}
	return Escape(clip(oneLine(text), maxFact))
}

// isLong reports whether v is a text that wants a block of its own.
func isLong(v []byte) bool {
	return scan.KindOf(v) == scan.String && (len(v) > maxFact || bytes.Contains(v, []byte(`\n`)))
}

func isDiffArray(v []byte) bool {
	return scan.KindOf(v) == scan.Array && isDiffs(slices.Collect(scan.Elements(v)))
}

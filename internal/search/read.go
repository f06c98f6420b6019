package search

import (
	"gitlab-mcp-server/internal/token"
)

// read scans the query, corrects the spelling of unknown words, and finds what
// the words say.
func (w *work) read(query string) {
	w.text = query
	w.typos, w.suppressed = 0, 0
	w.q.Scan(query)
	w.words = 0
	surrounded := false
	w.mostAround = 0
	for i := 0; i < len(w.q.Tokens); i++ {
		t := w.q.Tokens[i]
		switch t.Kind {
		case token.Ident, token.Dotted:
			w.words++
			if w.ix.Known(&w.q, i) {
				i += int(t.Parts) // its parts are not read
			}
			continue
		case token.Word:
			w.words++
		case token.Key:
		default:
			continue
		}
		if w.ix.Known(&w.q, i) {
			w.stemmed(i)
			continue
		}
		if !surrounded {
			w.surround()
			surrounded = true
		}
		if word, edits := w.correct(t.Text(w.q.Buf)); edits > 0 {
			w.q.Respell(i, w.spelling(word), uint8(edits))
			w.typos++
		}
	}
	w.ix.Match(&w.q)
	w.names()
	w.called()
}

// Package token turns text into words: one scanner, one way to fold letters,
// one stemmer and one lexicon, shared by the generator's index and by the
// query, so that both always agree on what a word is.
//
// It knows nothing of actions and ranks nothing: that is package search.
package token

// Kind says what a token is.
type Kind uint8

// Kinds of tokens.
const (
	Word   Kind = iota // letters, perhaps with digits
	Ident              // words joined by underscores
	CJK                // a run of Chinese, Japanese or Korean without spaces
	Dotted             // words joined by dots or slashes: a file, a path, a host
	Number             // digits, perhaps with a unit: 12, 2am, 10.5, v1.2, 50%
	Issue              // #12
	Merge              // !34
	SHA                // a commit id
	URL                // with a scheme
	Email              // kim@example.com
	User               // @kim
	Date               // 2026-01-01
	Quoted             // text in quotes, one token
	Key                // the name before = in key=value; the value is a Value
	Value              // the text behind =
	Break              // a comma, semicolon, full stop or line end between words
)

// Token is a piece of a text.
type Token struct {
	Kind       Kind
	Glued      bool   // follows the token before it with only a hyphen between
	Parts      uint8  // so many of the next tokens are parts of this one
	Typo       uint8  // edits that a reader made to the spelling, 0 from Scan
	Start, End uint16 // bytes in the text
	Off, Len   uint16 // folded spelling in the buffer of Scan
}

// Text is the token's folded spelling in the buffer of Scan.
func (t Token) Text(buf []byte) []byte { return buf[t.Off : t.Off+t.Len] }

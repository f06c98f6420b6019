package token

import (
	"math"
	"strings"
	"unicode/utf8"
)

// MaxText is the number of bytes that Scan reads at most.
const MaxText = 4096

// Scan appends the tokens of text to dst and their folded spelling to buf. It
// allocates only if these are too small.
func Scan(dst []Token, buf []byte, text string) ([]Token, []byte) {
	if len(text) > MaxText {
		text = text[:MaxText]
	}
	s := scanner{text: text, tokens: dst, buf: buf}
	for s.pos < len(text) {
		s.next()
	}
	return s.tokens, s.buf
}

type scanner struct {
	text   string
	pos    int
	tokens []Token
	buf    []byte
	glue   bool
}

func (s *scanner) peek(at int) rune {
	if at >= len(s.text) {
		return -1
	}
	r, _ := utf8.DecodeRuneInString(s.text[at:])
	return r
}

func (s *scanner) next() {
	r, size := utf8.DecodeRuneInString(s.text[s.pos:])
	glue := s.glue
	s.glue = false
	switch {
	case isCJK(r):
		s.cjk()
	case isWordRune(r):
		s.word(glue)
	case (r == '#' || r == '!') && isDigit(s.peek(s.pos+1)):
		end := s.pos + 1
		for isDigit(s.peek(end)) {
			end++
		}
		kind := Issue
		if r == '!' {
			kind = Merge
		}
		s.add(kind, s.pos, end)
	case r == '@' && isWordRune(s.peek(s.pos+1)):
		s.add(User, s.pos, s.run(s.pos+1, isNameRune))
	case isQuote(r):
		s.quoted(r, size)
	case r == '/' || r == '~' || r == '.':
		s.path(size)
	case r == ',' || r == ';' || r == '\n' || r == '?' || r == '!' || r == ':' || r == '、' || r == '。' || r == '，' || r == '；':
		s.add(Break, s.pos, s.pos+size)
	case r == '-' && len(s.tokens) > 0 && int(s.tokens[len(s.tokens)-1].End) == s.pos && isWordRune(s.peek(s.pos+1)):
		s.glue = true
		s.pos++
	default:
		s.pos += size
	}
}

func (s *scanner) add(kind Kind, start, end int) {
	off := len(s.buf)
	for _, r := range s.text[start:end] {
		if r == '\'' || r == '’' {
			continue
		}
		s.buf = AppendFold(s.buf, r)
	}
	s.tokens = append(s.tokens, Token{Kind: kind, Start: uint16(start), End: uint16(end), Off: uint16(off), Len: uint16(len(s.buf) - off)})
	s.pos = end
}

func (s *scanner) run(at int, ok func(rune) bool) int {
	for at < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[at:])
		if !ok(r) {
			break
		}
		at += size
	}
	return at
}

func (s *scanner) cjk() { s.add(CJK, s.pos, s.run(s.pos, isCJK)) }

// quoted reads to the closing quote; without one the quote means nothing.
func (s *scanner) quoted(open rune, size int) {
	var end rune
	switch open {
	case '“', '„':
		end = '”'
	case '«':
		end = '»'
	case '「':
		end = '」'
	case '『':
		end = '』'
	case '‘':
		end = '’'
	default:
		end = open
	}
	for i, r := range s.text[s.pos+size:] {
		// „so“ ends like “so” begins
		if r != end && !(open == '„' && r == '“') {
			continue
		}
		stop := s.pos + size + i
		next := s.peek(stop + utf8.RuneLen(r))
		if end == '\'' && isWordRune(next) {
			continue // an apostrophe
		}
		if i == 0 {
			break
		}
		start := s.pos + size
		s.add(Quoted, start, stop)
		s.pos = stop + utf8.RuneLen(r)
		return
	}
	s.pos += size
}

// path reads a path that starts with a slash or dots: a file's, which says
// nothing, if it is none of GitLab's API. Anything else is a full stop or nothing.
func (s *scanner) path(size int) {
	start := s.pos
	end := s.run(start, func(r rune) bool { return r == '.' || r == '~' || r == '/' })
	lead := s.text[start:end]
	free := start == 0 || isSpace(rune(s.text[start-1]))
	if free && lead[len(lead)-1] == '/' && isWordRune(s.peek(end)) {
		for _, root := range [...]string{"projects", "groups", "users", "user", "api"} {
			if strings.HasPrefix(s.text[end:], root) {
				s.pos = end
				return
			}
		}
		s.add(Quoted, start, s.run(end, isPathRune))
		return
	}
	if lead[0] == '.' {
		s.add(Break, start, start+size)
		return
	}
	s.pos += size
}

// word reads everything that starts with a letter or a digit, and decides by
// its form what it is.
func (s *scanner) word(glue bool) {
	start := s.pos
	end := s.run(start, isWordRune)
	kind := Word
	if r := s.peek(end); r == ':' && strings.HasPrefix(s.text[end:], "://") {
		s.add(URL, start, s.run(end, notSpace))
		s.trimEnd(start)
		s.route()
		return
	}
	if strings.HasPrefix(s.text[end:], "..") && isWordRune(s.peek(end+2)) {
		s.add(Value, start, s.run(end, isPathRune)) // a range of commits
		return
	}
	// a@b, a.b, a/b, a=b, and dates and versions, where letters follow directly
	dots, at := false, false
	for {
		r := s.peek(end)
		next := s.peek(end + 1)
		switch {
		case r == '\'' || r == '’':
			after := end + utf8.RuneLen(r)
			if isLetter(s.peek(after)) {
				n := s.run(after, isLetter)
				if n-after == 1 && (s.text[after] == 's' || s.text[after] == 'S') {
					s.add(kind, start, end) // kim's is kim
					s.tokens[len(s.tokens)-1].Glued = glue
					s.pos = n
					return
				}
				if end-start <= 2 && n-after >= 3 {
					break // l'utilisateur, d'accès: two words
				}
				end = n // don't is dont
				continue
			}
		case (r == '.' || r == '/') && isWordRune(next) && !isCJK(next), r == '@' && isLetter(next),
			r == '-' && (dots || at) && isWordRune(next), r == '/' && next == '*':
			at = at || r == '@'
			dots = true
			end = s.run(end+1, isWordRune)
			continue
		}
		break
	}
	if r := s.peek(end); r == '=' && s.peek(end+1) != '=' && !isSpace(s.peek(end+1)) && s.peek(end+1) >= 0 {
		s.add(Key, start, end)
		s.value(end + 1)
		return
	}
	text := s.text[start:end]
	switch {
	case at:
		kind = Email
	case isDigit(rune(text[0])) && s.date(start) > 0:
		end = s.date(start)
		kind = Date
	case isSHA(text):
		kind = SHA
	case isNumber(text):
		kind = Number
	case dots:
		kind = Dotted
		end = s.run(end, isPathRune)
		for end > start && (s.text[end-1] == '.' || s.text[end-1] == '-') {
			end--
		}
	case strings.IndexByte(text, '_') > 0:
		kind = Ident
		if !hasLower(text) && hasLower(s.text) {
			kind = Quoted // DEPLOY_TOKEN, the name of a variable
		}
	case isCamel(text):
		kind = Ident
	}
	s.add(kind, start, end)
	s.tokens[len(s.tokens)-1].Glued = glue
	if kind == Ident || kind == Dotted {
		s.parts(len(s.tokens)-1, start, end)
	}
}

// parts adds the words inside an identifier or a path behind it.
func (s *scanner) parts(whole, start, end int) {
	for i := start; i < end; {
		n := s.run(i, func(r rune) bool { return isWordRune(r) && r != '_' })
		n = i + hump(s.text[i:n])
		if n == i {
			i++
			continue
		}
		kind := Word
		if isDigit(rune(s.text[i])) {
			kind = Number
		}
		if s.tokens[whole].Parts == math.MaxUint8 {
			break // no identifier has so many
		}
		s.add(kind, i, n)
		s.tokens[whole].Parts++
		i = n
	}
	s.pos = end
}

// route adds the words of the piece behind /-/ of the URL just read: GitLab's
// pages say there what they show.
func (s *scanner) route() {
	t := s.tokens[len(s.tokens)-1]
	end := int(t.End)
	for i := int(t.Start); i+3 < end; i++ {
		if s.text[i:i+3] == "/-/" {
			stop := s.run(i+3, isWordRune)
			if stop = min(stop, end); stop > i+3 {
				url := len(s.tokens) - 1
				s.parts(url, i+3, stop)
				s.tokens[url].Parts = 0 // they are read as words of the text
			}
			break
		}
	}
	s.pos = end
}

// trimEnd takes the punctuation of the sentence off the last token.
func (s *scanner) trimEnd(start int) {
	t := &s.tokens[len(s.tokens)-1]
	for int(t.End) > start && strings.IndexByte(".,;:!?)'\"", s.text[t.End-1]) >= 0 {
		t.End--
		t.Len--
	}
	s.pos = int(t.End)
}

func (s *scanner) value(start int) {
	if r := s.peek(start); isQuote(r) {
		s.pos = start
		n := len(s.tokens)
		s.quoted(r, utf8.RuneLen(r))
		if len(s.tokens) > n {
			s.tokens[n].Kind = Value
		}
		return
	}
	end := s.run(start, notSpace)
	for end > start && strings.IndexByte(",;)", s.text[end-1]) >= 0 {
		end--
	}
	s.add(Value, start, end)
	if end == start {
		s.tokens = s.tokens[:len(s.tokens)-1]
	}
}

// date gives the end of a date at start, 0 if there is none: 2026-01-01, with
// a time behind it or not.
func (s *scanner) date(start int) int {
	t := s.text[start:]
	if len(t) < 7 || !digits(t[:4]) || t[4] != '-' && t[4] != '/' || !digits(t[5:7]) {
		return 0
	}
	return s.run(start, func(r rune) bool {
		return isWordRune(r) || r == '-' || r == ':' || r == '/' || r == '.'
	})
}

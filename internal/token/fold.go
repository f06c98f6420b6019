package token

import "unicode/utf8"

// latin holds the plain spelling of the letters U+00C0 to U+017F, two bytes a
// letter; a space means none.
const latin = "" +
	"a a a a a a aec e e e e i i i i d n o o o o o   o u u u u y thss" +
	"a a a a a a aec e e e e i i i i d n o o o o o   o u u u u y thy " +
	"a a a a a a c c c c c c c c d d d d e e e e e e e e e e g g g g " +
	"g g g g h h h h i i i i i i i i i i ijijj j k k k l l l l l l l " +
	"l l l n n n n n n n n n o o o o o o oeoer r r r r r s s s s s s " +
	"s s t t t t t t u u u u u u u u u u u u w w y y y z z z z z z s "

// AppendFold appends r in lower case and without accents. Letters of other
// scripts stay as they are; full-width forms become ASCII.
func AppendFold(dst []byte, r rune) []byte {
	switch {
	case r < utf8.RuneSelf:
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return append(dst, byte(r))
	case 0xC0 <= r && r <= 0x17F:
		i := 2 * (int(r) - 0xC0)
		if latin[i] == ' ' {
			return dst
		}
		dst = append(dst, latin[i])
		if latin[i+1] != ' ' {
			dst = append(dst, latin[i+1])
		}
		return dst
	case 0xFF01 <= r && r <= 0xFF5E:
		return AppendFold(dst, r-0xFF01+'!')
	case 0x300 <= r && r <= 0x36F: // combining accents of decomposed text
		return dst
	}
	return utf8.AppendRune(dst, r)
}

// Fold is text in lower case and without accents.
func Fold(text string) string {
	dst := make([]byte, 0, len(text))
	for _, r := range text {
		dst = AppendFold(dst, r)
	}
	return string(dst)
}

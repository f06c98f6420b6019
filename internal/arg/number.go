package arg

import "strings"

// maxDigits bounds the whole numbers that an exponent may spell out; longer
// ones written digit by digit are fine.
const maxDigits = 64

// canonInt is the whole number that text writes (42, +42, 042, 42.0, 4.2e1) as
// canonical decimal text, or "" and what the text is instead.
func canonInt(text string) (n, got string) {
	if isCanonInt(text) {
		return text, ""
	}
	s := text
	negative := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		negative = s[0] == '-'
		s = s[1:]
	}
	whole, s := leadingDigits(s)
	if whole == "" {
		return "", "text that is no number"
	}
	var fraction string
	if strings.HasPrefix(s, ".") {
		if fraction, s = leadingDigits(s[1:]); fraction == "" {
			return "", "text that is no number"
		}
	}
	shift, ok := exponent(s)
	if !ok {
		return "", "text that is no number"
	}
	shift -= len(fraction)
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0", ""
	}
	for shift < 0 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
		shift++
	}
	if shift < 0 {
		return "", "a number with a fraction"
	}
	if shift > 0 && len(digits)+shift > maxDigits {
		return "", "a number that is too large"
	}
	digits += strings.Repeat("0", shift)
	if negative {
		digits = "-" + digits
	}
	return digits, ""
}

// isCanonInt is the quick way out for what nearly all integers look like.
func isCanonInt(s string) bool {
	if s != "" && s[0] == '-' {
		s = s[1:]
		if s == "0" {
			return false
		}
	}
	if s == "" || s[0] == '0' && len(s) > 1 {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

func leadingDigits(s string) (digits, rest string) {
	i := 0
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	return s[:i], s[i:]
}

// exponent reads e5, E+5, e-5 or nothing; sizes out of reason come back as a
// very large one of the same sign.
func exponent(s string) (int, bool) {
	if s == "" {
		return 0, true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return 0, false
	}
	s = s[1:]
	sign := 1
	if s != "" && (s[0] == '+' || s[0] == '-') {
		if s[0] == '-' {
			sign = -1
		}
		s = s[1:]
	}
	digits, rest := leadingDigits(s)
	if digits == "" || rest != "" {
		return 0, false
	}
	n := 0
	for _, c := range []byte(digits) {
		if n < 1<<40 {
			n = n*10 + int(c-'0')
		}
	}
	return sign * n, true
}

// compareInts compares two canonical whole numbers of any size.
func compareInts(a, b string) int {
	an, bn := strings.HasPrefix(a, "-"), strings.HasPrefix(b, "-")
	switch {
	case an && !bn:
		return -1
	case bn && !an:
		return 1
	case an: // both negative: the other way round
		a, b = b[1:], a[1:]
	}
	if len(a) != len(b) {
		if len(a) < len(b) {
			return -1
		}
		return 1
	}
	return strings.Compare(a, b)
}

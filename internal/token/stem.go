package token

// Stem gives the stem of a folded word, a prefix of w or w with its last
// letters changed in place. It strips plurals, -ing and -ed and a final e:
// little enough that two words of one stem are one word to a reader.
// Words of three letters and fewer, and words with anything but a–z in them,
// stay as they are. Irregular forms are vocabulary, not rules.
func Stem(w []byte) []byte {
	for _, c := range w {
		if c < 'a' || c > 'z' {
			return w
		}
	}
	w = plural(w)
	if len(w) <= 3 {
		return w
	}
	w = participle(w)
	// note is not not
	if n := len(w); n > 4 && w[n-1] == 'e' && vowel(w[:n-1]) {
		w = w[:n-1]
	}
	if n := len(w); n > 3 && w[n-1] == 'y' && !isVowel(w[n-2]) {
		w[n-1] = 'i'
	}
	return w
}

func plural(w []byte) []byte {
	n := len(w)
	switch {
	case n <= 3 || w[n-1] != 's':
		return w
	case has(w, "sses"), has(w, "ches"), has(w, "shes"), has(w, "xes"), has(w, "zes"):
		return w[:n-2]
	case has(w, "ies"):
		if n == 4 {
			return w[:n-1]
		}
		w[n-3] = 'y'
		return w[:n-2]
	case has(w, "ss"), has(w, "us"), has(w, "is"):
		return w
	}
	return w[:n-1]
}

func participle(w []byte) []byte {
	switch string(w) { // nouns of their own, far from their verbs
	case "setting", "billing", "training", "morning", "evening":
		return w
	}
	var stem []byte
	switch n := len(w); {
	case has(w, "ing") && n > 5:
		stem = w[:n-3]
	case has(w, "ied") && n > 4:
		w[n-3] = 'y'
		return w[:n-2]
	case has(w, "eed"):
		return w
	case has(w, "ed") && n > 4:
		stem = w[:n-2]
	default:
		return w
	}
	if !vowel(stem) {
		return w
	}
	// moving → move, but fixing → fix
	if n := len(stem); n == 3 && !isVowel(stem[0]) && isVowel(stem[1]) && !isVowel(stem[2]) &&
		stem[2] != 'x' && stem[2] != 'w' && stem[2] != 'y' {
		return append(stem, 'e')
	}
	// running → run, but not adding → ad, calling → cal, passing → pas
	if n := len(stem); n > 3 && stem[n-1] == stem[n-2] && !isVowel(stem[n-1]) {
		switch stem[n-1] {
		case 'l', 's', 'z', 'd', 'f':
			if n > 5 && string(stem[n-3:]) == "ell" { // labelled → label, but spelled → spell
				return stem[:n-1]
			}
		default:
			return stem[:n-1]
		}
	}
	return stem
}

func has(w []byte, suffix string) bool {
	return len(w) > len(suffix) && string(w[len(w)-len(suffix):]) == suffix
}

func vowel(w []byte) bool {
	for _, c := range w {
		if isVowel(c) || c == 'y' {
			return true
		}
	}
	return false
}

func isVowel(c byte) bool {
	return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u'
}

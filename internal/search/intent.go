package search

import (
	"gitlab-mcp-server/internal/token"
)

// verb takes in a slot with classes. A word that may be a noun as well counts
// less if it looks like one or follows one, a verb in a question less than in
// a request, a second verb less than the first.
func (w *work) verb(p *pass, s *token.Slot, share int32, follows bool) {
	sure := share * 10
	if s.Verb != token.NoTerm && share == 100 && s.Typo == 0 && !s.Past && !s.Plural && !s.Nominal && p.nverbs < len(p.verbs) {
		p.verbs[p.nverbs] = s.Verb
		p.nverbs++
	}
	if s.Typo == 0 && s.Deletes() {
		p.del = p.del || !s.Nominal
		p.deletion = true
	}
	p.ordered = p.ordered || !s.Nominal && !s.Past && !s.Plural && (s.NAlts == 0 || !p.things)
	if s.NAlts > 0 && (s.Plural || s.Nominal) || s.Past && !w.passive(s) {
		sure = sure * w.weight(token.WNounForm) / 1000
		if s.NAlts > 0 && p.formed < 0 {
			p.formed = int(s.Alts[0].Term)
		}
	}
	if s.NAlts > 0 && follows && w.plain(s) {
		sure = sure * w.weight(token.WNounPlace) / 1000
	}
	if p.led {
		sure = sure * w.weight(token.WNextVerb) / 1000
	}
	for _, c := range s.Class[:s.NClass] {
		sure := sure
		if p.how && c.Term >= token.ClassCreate {
			sure = sure * w.weight(token.WAskedHow) / 1000
		}
		p.asked = max(p.asked, sure*min(100, int32(c.Weight)+20)/100)
		p.led = p.led || share == 100 && sure >= 500
		for d := range p.verb {
			p.verb[d] = max(p.verb[d], int32(c.Weight)*w.ix.Similar[int(c.Term)*token.NumClasses+d]/100*sure/1000)
		}
	}
}

// plain reports whether the slot is the English word itself: other languages
// put their verbs behind the nouns.
func (w *work) plain(s *token.Slot) bool {
	stem := w.ix.Stem(int(s.Alts[0].Term))
	text := w.q.Tokens[s.Token].Text(w.q.Buf)
	n := min(3, len(stem), len(text))
	return string(text[:n]) == stem[:n]
}

// passive reports whether the slot follows "be": should be deleted.
func (w *work) passive(s *token.Slot) bool {
	if s.Token == 0 {
		return false
	}
	t := w.q.Tokens[s.Token-1].Text(w.q.Buf)
	return string(t) == "be" || string(t) == "get"
}

// noun takes in a slot without classes. The thing asked for is the last word
// of the first run of nouns, or its first plural.
func (w *work) noun(p *pass, slot int, follows bool) {
	switch {
	case p.head < 0:
		p.head = slot
	case follows && p.run && !w.q.Slots[p.head].Plural:
		p.head = slot
	default:
		p.run = false
		return
	}
	p.run = true
}

package search

import (
	"slices"

	"gitlab-mcp-server/internal/token"
)

// factors are the points of a document beside those of its words.
func (w *work) factors(p *pass, doc, unit int) int32 {
	total := int32(0)
	for _, f := range w.facts(p, doc, unit) {
		total += f
	}
	return total
}

// bonus is the most that factors can give to a document.
func (w *work) bonus() int32 {
	sum := max(w.weight(token.WScopeMatch), w.weight(token.WScopeProject), w.weight(token.WScopeGroup), w.weight(token.WScopeUser), w.weight(token.WScopeMe), w.weight(token.WScopeInstance))
	sum += max(w.weight(token.WHead), w.weight(token.WHeadOther))
	sum += max(w.weight(token.WImpliedList), w.weight(token.WImpliedGet)) + w.weight(token.WQuestion) + max(w.weight(token.WPluralList), w.weight(token.WValueGet))
	return sum + w.weight(token.WUse) + w.weight(token.WOwnVerb)
}

// factNames are what explanations call the factors of facts, in their order.
var factNames = [...]string{"verb", "thing asked for", "scope", "daily use", "deprecated", "administrators only", "destructive, not asked for", "the very verb", "verb alone", "named values", "signs of another kind"}

// facts are the points that depend on what the action is, not on its words.
func (w *work) facts(p *pass, doc, unit int) (f [len(factNames)]int32) {
	ix := w.ix
	flags := ix.DocFlags[doc]
	f[0] = w.verbPoints(p, int(ix.DocClass[doc]), unit)
	if p.formed == int(ix.DocVerb[doc]) && ix.DocClass[doc] == token.ClassAct {
		f[0] -= w.weight(token.WFormed)
	}
	f[1] = w.headPoints(p, doc)
	f[2] = w.scopePoints(p, int(ix.DocScope[doc]), int(ix.DocClass[doc]), unit)
	f[3] = w.weight(token.WUse) * int32(ix.DocUse[doc]) / 100
	if flags&token.DocDeprecated != 0 {
		f[4] = -w.weight(token.WDeprecated)
	}
	if flags&token.DocAdmin != 0 && p.scopes&(1<<token.ScopeInstance) == 0 {
		f[5] = -w.weight(token.WAdmin)
	}
	if flags&token.DocDestructive != 0 && !w.wanted(p, doc) {
		f[6] = -w.unasked(p, doc)
	}
	if slices.Contains(p.verbs[:p.nverbs], ix.DocVerb[doc]) && ix.DocClass[doc] != token.ClassList {
		f[7] = w.weight(token.WOwnVerb)
	}
	if p.things && !w.named[doc] && p.many&(1<<ix.DocScope[doc]) == 0 {
		f[8] = -w.weight(token.WVerbOnly)
	}
	f[9] = -w.weight(token.WKeyMissed) * int32(max(0, p.keys-int(w.keys[doc])))
	f[10] = -w.weight(token.WSigns) * (p.askedMost - p.asks[ix.DocClass[doc]]) / 1000
	return f
}

func (w *work) bagPoints(p *pass, doc int) int32 {
	if p.mass == 0 {
		return 0
	}
	return int32(int64(w.bags[doc]) * int64(w.weight(token.WBag)) / int64(p.mass))
}

// verbPoints reward the class of action that was asked for, or, as far as no
// verb was, the classes that people leave unsaid.
func (w *work) verbPoints(p *pass, class, unit int) int32 {
	verb := p.verb[class]
	if unit >= 0 && class >= token.ClassCreate && w.units[unit] >= w.unitOf(unit).Mass()*10 {
		verb = max(verb, p.verb[w.unitOf(unit).Class()]) // a phrase that is there as a whole has its own
	}
	pts := int32(0)
	if class != token.ClassAct || verb == 0 {
		pts = -w.weight(token.WConflict) * max(0, p.asked-verb) / 1000
	}
	implied := int32(0)
	switch class {
	case token.ClassList:
		implied = w.weight(token.WImpliedList)
		if p.how {
			implied += w.weight(token.WQuestion)
		}
		if p.plural && (p.asked < 500 || p.verb[class] > 0) {
			pts += w.weight(token.WPluralList)
		}
		if p.value && !p.plural {
			pts -= w.weight(token.WValueList)
		}
	case token.ClassGet:
		implied = w.weight(token.WImpliedGet)
		if p.how {
			implied += w.weight(token.WQuestion)
		}
		if p.head >= 0 && w.q.Slots[p.head].Plural {
			pts -= w.weight(token.WPluralGet)
		}
		if p.value && !p.plural && (p.asked < 500 || p.verb[class] > 0) {
			pts += w.weight(token.WValueGet)
		}
	}
	return pts + implied*(1000-min(1000, p.asked))/1000
}

// headPoints reward an action about the very thing that is asked for.
func (w *work) headPoints(p *pass, doc int) int32 {
	if p.head < 0 {
		return 0
	}
	s := &w.q.Slots[p.head]
	for _, a := range s.Alts[:s.NAlts] {
		if a.Term == w.ix.DocHead[doc] {
			if w.ix.DocFlags[doc]&token.DocOwn == 0 {
				return w.weight(token.WHeadOther) * int32(a.Weight) / 100
			}
			return w.weight(token.WHead) * int32(a.Weight) / 100
		}
	}
	return 0
}

func (w *work) scopePoints(p *pass, scope, class, unit int) int32 {
	if p.scopes == 0 || p.scopes&(1<<scope) == 0 && unit >= 0 && w.unitOf(unit).Scopes()&p.scopes != 0 {
		if p.scopes != 0 && class == token.ClassCreate && p.verb[class] > 0 {
			return w.weight(token.WScopeMatch) // the scope is what is made: create a project
		}
		// the scope is not said, or is the thing itself
		return w.weight(token.WScopeProject + token.Weight(scope))
	}
	strong := p.scopes & (1<<token.ScopeProject | 1<<token.ScopeGroup)
	if strong == 0 && p.asked >= 500 && p.verb[token.ClassList] == 0 {
		// my hours, my key: whose it is goes without saying
		return w.weight(token.WScopeProject+token.Weight(scope)) / 2
	}
	if p.scopes&(1<<scope) != 0 {
		if strong != 0 && strong&(1<<scope) == 0 {
			return 0 // a user of a project
		}
		return w.weight(token.WScopeMatch)
	}
	if strong == 0 {
		return -w.weight(token.WScopeWeak) // my, user and instance say less
	}
	return -w.weight(token.WScopeConflict)
}

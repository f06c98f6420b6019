package search

import (
	"slices"

	"gitlab-mcp-server/internal/token"
)

// pass is what the slots of one intent say together.
type pass struct {
	mass     int32                   // of the whole query
	verb     [token.NumClasses]int32 // share of the verb's mass that a class of action gets
	asked    int32                   // how sure a verb is there, in thousandths
	head     int                     // slot of the thing that is asked for, -1
	verbMass int32
	scopes   uint8 // named
	scopeOf  [token.NumScopes]int32
	known    int32 // things spelt right, verbs aside
	things   bool  // a thing, not a verb, is there
	verbs    [4]uint16
	nverbs   int   // of verbs: terms of plain verbs, spelt right
	keys     int   // names in name=value that some action knows
	unknown  int32 // words that mean nothing
	formed   int   // term of a verb that looks like a noun or participle, -1
	run      bool  // the head's run of nouns goes on
	plural   bool
	value    bool // a value stands behind a thing
	how      bool // a question
	led      bool // a verb was there already
	del      bool // an exact verb of destruction
}

// rank ranks the whole query, and its parts if it has several intents.
func (w *work) rank() {
	w.all()
	w.top.max = max(DefaultLimit, w.o.Limit)
	w.score(&w.top)
	w.segments()
}

// all makes every slot take part. Where a clause asks for something, what
// stands outside of it is context.
func (w *work) all() {
	from, to := w.asking()
	if from == 0 && to == w.q.N {
		from, to = w.ordering()
	}
	w.nlist = 0
	for i := range w.q.N {
		if i >= from && i < to {
			w.use(i, 100)
		} else {
			w.use(i, w.weight(token.WContext)/10)
		}
	}
}

// asking gives the slots of the last clause that asks for a thing, all slots if
// there is none.
func (w *work) asking() (from, to int) {
	from, to = 0, w.q.N
	for i := range w.q.N {
		if w.q.Slots[i].Mark != token.MarkAsk {
			continue
		}
		end := i + 1
		verb, noun := false, false
		start := i
		for start > 0 && w.q.Slots[start-1].Source != token.Break {
			start--
			s := &w.q.Slots[start] // vulnerability 9 should be dismissed
			noun = noun || s.Kind == token.Thing && s.NAlts > 0 && s.NClass == 0
		}
		for ; end < w.q.N && w.q.Slots[end].Source != token.Break; end++ {
			s := &w.q.Slots[end]
			verb = verb || s.NClass > 0
			noun = noun || s.Kind == token.Thing && s.NAlts > 0 && s.NClass == 0 || s.Mark == token.MarkPronoun
		}
		if verb && noun {
			from, to = start, end
		}
	}
	return from, to
}

// longQuery is the number of words from which a query tells a story, of which
// one clause is the request.
const longQuery = 12

// ordering gives the slots of the last clause that starts with a plain verb, in
// a long query that starts otherwise: the estimate is nonsense, clear it. If
// the clause has no thing of its own, what stands before it counts fully.
func (w *work) ordering() (from, to int) {
	from, to = 0, w.q.N
	if len(w.q.Tokens) < longQuery || w.orders(0) {
		return from, to
	}
	for i := range w.q.N {
		if w.q.Slots[i].Source != token.Break && w.q.Slots[i].Mark != token.MarkAnd || !w.orders(i+1) {
			continue
		}
		noun := false
		end := i + 1
		for ; end < w.q.N && w.q.Slots[end].Source != token.Break; end++ {
			s := &w.q.Slots[end]
			noun = noun || s.Kind == token.Thing && s.NAlts > 0 && s.NClass == 0 && s.Scope == 0
		}
		if noun {
			from, to = i+1, end
		}
	}
	return from, to
}

// orders reports whether slot i is a verb as a request has it, at the start of
// a clause.
func (w *work) orders(i int) bool {
	if i >= w.q.N {
		return false
	}
	s := &w.q.Slots[i]
	return s.Kind == token.Thing && s.NClass > 0 && !s.Past && !s.Plural && s.Typo == 0
}

func (w *work) use(slot int, share int32) {
	if w.nlist < len(w.list) {
		w.list[w.nlist] = ref{slot, share}
		w.nlist++
	}
}

// pruneShare cuts off documents that meet less than so many hundredths of the
// words that another document meets: they could not come near, and they are many.
const pruneShare = 36

// score ranks all documents for the slots in w.list.
func (w *work) score(out *ranked) {
	p := w.gather()
	out.n, out.mass = 0, p.mass
	out.min = w.weight(token.WMinBase)
	if p.unknown > 0 {
		out.min += w.weight(token.WDoubt) * p.unknown / (p.unknown + p.known)
	}
	floor := int32(1)
	for _, bag := range w.bags {
		floor = max(floor, bag*pruneShare/100)
	}
	for doc, bag := range w.bags {
		if bag < floor {
			continue
		}
		c := w.document(&p, doc)
		if c.score <= 0 || w.o.Allow != nil && !w.o.Allow(doc) {
			continue
		}
		out.insert(w.ix, c)
	}
}

// gather adds up what the slots give to units and documents.
func (w *work) gather() pass {
	clear(w.units)
	clear(w.unitAt)
	clear(w.bags)
	clear(w.bagAt)
	clear(w.named)
	clear(w.keys)
	p := pass{head: -1, formed: -1}
	unknown := int32(0)
	thing := false
	last := -2 // token of the noun before
	for n, r := range w.list[:w.nlist] {
		s := &w.q.Slots[r.slot]
		switch s.Kind {
		case token.Unknown:
			if r.share == 100 {
				unknown += w.weight(token.WUnknown)
				p.unknown++
			}
			thing = false
			continue
		case token.Literal:
			p.value = p.value || thing && s.Source != token.Value
			continue
		case token.Connection:
			p.how = p.how || s.Mark == token.MarkHow && p.asked == 0
			continue
		}
		if w.seen(n) {
			continue
		}
		later := p.head >= 0 && !(p.run && int(s.Token) == last+1) && s.NClass == 0 && s.Scope == 0
		mass := w.slot(n, r, later)
		if r.share == 100 {
			p.mass += mass
			if s.NAlts > 0 && s.Scope == 0 && s.NClass == 0 {
				p.things = true
				if s.Typo == 0 {
					p.known++
				}
			}
		}
		if s.Scope != 0 {
			p.scopes |= s.Scope
			for i := range p.scopeOf {
				if s.Scope&(1<<i) != 0 {
					p.scopeOf[i] = max(p.scopeOf[i], mass)
				}
			}
		}
		if s.Source == token.Key {
			if s.NAlts > 0 {
				if docs, _ := w.bag(int(s.Alts[0].Term)); len(docs) > 0 {
					p.keys++
				}
			}
			continue
		}
		if s.NClass > 0 {
			w.verb(&p, s, r.share, int(s.Token) == last+1)
		}
		if s.NAlts > 0 && (s.NClass == 0 || s.Plural) {
			w.noun(&p, r.slot, int(s.Token) == last+1)
		}
		if s.NAlts > 0 && (s.NClass == 0 || s.Plural || s.Past) {
			last = int(s.Last)
		}
		if s.NAlts > 0 {
			thing = s.Scope == 0
			p.plural = p.plural || s.Plural
			p.value = p.value || s.Source == token.Issue || s.Source == token.Merge || s.Source == token.SHA
		}
	}
	p.mass += min(unknown, w.weight(token.WUnknownLong))
	p.verbMass = w.weight(token.WVerb) * p.asked / 1000
	p.mass += p.verbMass
	return p
}

// verb takes in a slot with classes. A word that may be a noun as well counts
// less if it looks like one or follows one, a verb in a question less than in
// a request, a second verb less than the first.
func (w *work) verb(p *pass, s *token.Slot, share int32, follows bool) {
	sure := share * 10
	if share == 100 && s.Typo == 0 && !s.Past && !s.Plural && p.nverbs < len(p.verbs) {
		p.verbs[p.nverbs] = w.ix.TermOf(&w.q, int(s.Token))
		p.nverbs++
	}
	if s.NAlts > 0 && s.Plural || s.Past && !w.passive(s) {
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
		if c.Term == token.ClassDelete && s.Typo == 0 {
			p.del = true
		}
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

// seen reports whether an earlier slot of the pass means the same term.
func (w *work) seen(n int) bool {
	s := &w.q.Slots[w.list[n].slot]
	if s.NAlts == 0 {
		return false
	}
	for _, r := range w.list[:n] {
		o := &w.q.Slots[r.slot]
		if o.Kind == token.Thing && o.NAlts > 0 && o.Alts[0].Term == s.Alts[0].Term {
			return true
		}
	}
	return false
}

// slot gives the documents with a term of the slot their points. A document
// gets the best alternative only. The result is the slot's mass, in thousandths.
func (w *work) slot(n int, r ref, later bool) int32 {
	s := &w.q.Slots[r.slot]
	at := uint8(n + 1)
	share := w.share(s, r)
	whole := int32(1000)
	switch {
	case s.Source == token.Key:
		whole = w.weight(token.WKey)
	case later:
		whole = w.weight(token.WLater)
	}
	share = share * whole / 1000
	noun := r.share == 100 && s.NClass == 0 && s.Scope == 0
	var most int32
	for _, a := range s.Alts[:s.NAlts] {
		points := int32(w.ix.TermMass[a.Term]) * 10 * int32(a.Weight) / 100
		if a.Weight == 100 || most == 0 {
			most = max(most, points)
		}
		points = points * share / 1000
		posts := w.posts(int(a.Term))
		if s.Source == token.Key {
			posts = nil // the name of a parameter, not a thing
		}
		for _, u := range posts {
			if w.unitAt[u] != at {
				w.unitAt[u], w.unitIn[u] = at, 0
			}
			if noun {
				w.named[w.ix.UnitDoc[u]] = true
			}
			if more := points - w.unitIn[u]; more > 0 {
				w.units[u] += more
				w.unitIn[u] = points
			}
		}
		docs, fields := w.bag(int(a.Term))
		for i, d := range docs {
			if s.Source == token.Key {
				w.keys[d]++
			}
			if w.bagAt[d] != at {
				w.bagAt[d], w.bagIn[d] = at, 0
			}
			p := points * w.ix.Weights[int(token.WBagName)+int(fields[i])] / 1000
			if more := p - w.bagIn[d]; more > 0 {
				w.bags[d] += more
				w.bagIn[d] = p
			}
		}
	}
	return most * whole / 1000
}

// share is how much of a slot's mass counts, in thousandths.
func (w *work) share(s *token.Slot, r ref) int32 {
	share := r.share * 10
	switch s.Typo {
	case 0:
		return share
	case 1:
		share = share * w.weight(token.WTypo1) / 1000
	default:
		share = share * w.weight(token.WTypo2) / 1000
	}
	if s.End-s.Start < 6 { // little is left of a short word
		share = share * w.weight(token.WShort) / 1000
	}
	return share
}

func (w *work) posts(term int) []uint16 {
	start := uint32(0)
	if term > 0 {
		start = w.ix.PostEnds[term-1]
	}
	return w.ix.Posts[start:w.ix.PostEnds[term]]
}

func (w *work) bag(term int) ([]uint16, []uint8) {
	start := uint32(0)
	if term > 0 {
		start = w.ix.BagEnds[term-1]
	}
	end := w.ix.BagEnds[term]
	return w.ix.BagDocs[start:end], w.ix.BagField[start:end]
}

// document gives the points of a document: those of its best unit, and what
// the action is and where it is.
func (w *work) document(p *pass, doc int) cand {
	ix := w.ix
	flags := ix.DocFlags[doc]
	if flags&token.DocHidden != 0 {
		return cand{}
	}
	if flags&token.DocDestructive != 0 && w.typos > 0 && !w.exactVerb(p, doc) {
		w.suppressed++
		return cand{}
	}
	class := int(ix.DocClass[doc])
	scope := int(ix.DocScope[doc])
	c := cand{doc: doc, unit: -1}
	first := uint32(0)
	if doc > 0 {
		first = ix.DocUnits[doc-1]
	}
	best := int32(-1)
	for u := first; u < ix.DocUnits[doc]; u++ {
		if w.units[u] == 0 {
			continue
		}
		if pts := w.unit(p, u, class, scope); pts > best {
			best, c.unit = pts, int(u)
			c.mass = w.units[u]
		}
	}
	if best < 0 {
		best = 0
	}
	c.base = best
	c.sure = p.keys > 1 && int(w.keys[doc]) >= p.keys
	c.score = best + w.factors(p, doc, c.unit)
	return c
}

// unit is how much of the query and of the unit meet, in thousandths.
func (w *work) unit(p *pass, u uint32, class, scope int) int32 {
	ix := w.ix
	verb, named := w.extras(p, u, class, scope)
	own := w.units[u]
	matched := own + verb + named
	missedUnit := max(0, int32(ix.UnitMass[u])*10-own)
	unsaid := 1000 - min(1000, w.verbOf(p, u, class))
	switch class {
	case token.ClassCreate, token.ClassUpdate, token.ClassDelete:
		missedUnit += w.weight(token.WMissedVerb) * unsaid / 1000
	case token.ClassAct:
		missedUnit += w.weight(token.WMissedAct) * unsaid / 1000
	}
	missed := max(0, p.mass-matched)
	all := int64(matched) + (int64(missed)*int64(w.weight(token.WMissedQuery))+int64(missedUnit)*int64(w.weight(token.WMissedUnit)))/1000
	if all <= 0 {
		return 0
	}
	pts := int64(matched) * 1000 / all
	return int32(pts * int64(w.weight(token.WFieldName+token.Weight(ix.UnitField[u]))) / 1000)
}

// verbOf is how well the query's verb fits a unit of an action of class.
func (w *work) verbOf(p *pass, u uint32, class int) int32 {
	own := p.verb[w.ix.UnitClass[u]]
	if class <= token.ClassGet && w.ix.UnitClass[u] > token.ClassGet {
		own = own * 3 / 4 // dismissed vulnerabilities are for reading
	}
	return max(p.verb[class], own)
}

// extras are the masses that a unit matches beside its own terms: the verb, and
// the scope that goes without saying.
func (w *work) extras(p *pass, u uint32, class, scope int) (verb, named int32) {
	if p.asked > 0 {
		verb = p.verbMass * min(1000, w.verbOf(p, u, class)*1000/p.asked) / 1000
	}
	if p.scopes&(1<<scope) != 0 && w.ix.UnitScope[u]&(1<<scope) == 0 {
		named = p.scopeOf[scope]
	}
	return verb, named
}

// factors are the points of a document beside those of its best unit.
func (w *work) factors(p *pass, doc, unit int) int32 {
	total := w.bagPoints(p, doc)
	for _, f := range w.facts(p, doc, unit) {
		total += f
	}
	return total
}

// factNames are what explanations call the factors of facts, in their order.
var factNames = [...]string{"verb", "thing asked for", "scope", "daily use", "deprecated", "administrators only", "destructive, not asked for", "the very verb", "verb alone", "named values"}

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
	if flags&token.DocDestructive != 0 && !w.exactVerb(p, doc) {
		f[6] = -w.weight(token.WUnasked)
	}
	if slices.Contains(p.verbs[:p.nverbs], ix.DocVerb[doc]) && ix.DocClass[doc] != token.ClassList {
		f[7] = w.weight(token.WOwnVerb)
	}
	if p.things && !w.named[doc] {
		f[8] = -w.weight(token.WVerbOnly)
	}
	f[9] = -w.weight(token.WKeyMissed) * int32(max(0, p.keys-int(w.keys[doc])))
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
	if unit >= 0 && class >= token.ClassCreate && w.units[unit] >= int32(w.ix.UnitMass[unit])*10 {
		verb = max(verb, p.verb[w.ix.UnitClass[unit]]) // a phrase that is there as a whole has its own
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
	if p.scopes == 0 || p.scopes&(1<<scope) == 0 && unit >= 0 && w.ix.UnitScope[unit]&p.scopes != 0 {
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

// exactVerb reports whether the query has, spelt right, a verb of destruction
// or the very verb of the action.
func (w *work) exactVerb(p *pass, doc int) bool {
	if p.del || slices.Contains(p.verbs[:p.nverbs], w.ix.DocVerb[doc]) {
		return true
	}
	verb := w.ix.DocVerb[doc]
	for _, r := range w.list[:w.nlist] {
		s := &w.q.Slots[r.slot]
		if s.Kind != token.Thing || s.Typo != 0 {
			continue
		}
		for _, a := range s.Alts[:s.NAlts] {
			if a.Term == verb && a.Weight >= 80 {
				return true
			}
		}
	}
	return false
}

package search

import (
	"gitlab-mcp-server/internal/token"
)

// rank ranks the whole query, and its parts if it has several intents.
func (w *work) rank() {
	w.all()
	w.top.max, w.top.need = max(DefaultLimit, w.o.Limit)+spare, few
	if w.o.Limit > 0 {
		w.top.need = w.o.Limit + spare
	}
	w.score(&w.top)
	w.segments()
}

// few is so many candidates that are enough where no number is asked for: what
// neither meets the words nor lies near seldom is what somebody wants.
const few = 10

// Shares of the words that another document meets, in hundredths, that a document
// must meet to be considered at first. The rest is most of the work and stands
// behind, if it is needed at all.
const (
	nearShare = 40
	farShare  = 70 // of one that the words hardly ask for, as learned
)

// score ranks all documents for the slots in w.list: first those that may well
// be meant, and behind them, if they are few, all others that meet a word.
func (w *work) score(out *ranked) {
	p := w.gather()
	out.n, out.firm, out.held, out.mass = 0, 0, 0, p.mass
	out.min = w.enough(&p)
	most := int32(0)
	for doc, bag := range w.bags {
		if bag > most && w.s.allowed(doc, &w.o) {
			most = bag
		}
	}
	near, far := max(1, most*nearShare/100), max(1, most*farShare/100)
	w.compare(&p, near)
	out.idle, out.odd = p.idle, p.strange*2 > p.known
	out.typed = p.typed
	likely := func(doc int, bag int32) bool { return bag >= far || bag >= near && w.meets[doc] > p.farthest }
	for doc, bag := range w.bags {
		if likely(doc, bag) {
			w.consider(&p, doc, out)
		}
	}
	if out.n < out.need {
		out.firm = out.n
		for doc, bag := range w.bags {
			if bag > 0 && !likely(doc, bag) {
				w.consider(&p, doc, out)
			}
		}
		for i := max(1, out.firm); i < out.n; i++ {
			out.list[i].behind(out.list[i-1].score)
		}
	}
	w.succeed(out, &p)
}

// enough is so many base points that the first needs to be believed: the more,
// the more of the query means nothing.
func (w *work) enough(p *pass) int32 {
	least := w.weight(token.WMinBase)
	switch {
	case p.unknown > 0 && p.known == 0 && p.keys == 0:
		return 1001 // none: the query names nothing
	case p.unknown > 0:
		least += w.weight(token.WDoubt) * p.unknown / (p.unknown + p.known)
	}
	if w.words >= longQuery {
		least /= 2 // no unit says half of a story
	}
	return least
}

// consider puts a document into the list if it is good enough.
func (w *work) consider(p *pass, doc int, out *ranked) {
	if !w.s.allowed(doc, &w.o) {
		return
	}
	c := w.document(p, doc, out.least())
	switch {
	case c.score <= 0:
	case c.held:
		out.held = max(out.held, c.score)
	default:
		out.insert(w.ix, c)
	}
}

// document gives the points of a document: those of its best unit, and what
// the action is and where it is. A document that cannot reach least points has none.
func (w *work) document(p *pass, doc int, least int32) (c cand) {
	if w.ix.DocFlags[doc]&token.DocDestructive != 0 && (w.typos > 0 && !w.wanted(p, doc) || w.refused(p, doc)) {
		w.suppressed++
		c.held = true
	}
	c.doc, c.unlike = doc, w.unlike(p, doc)
	rest := w.bagPoints(p, doc) - c.unlike
	if p.most+rest < least {
		return c
	}
	w.best(p, &c)
	if c.base+rest+p.bonus < least {
		return c
	}
	c.sure = int(w.keys[doc]) >= p.keys && (p.keys > 1 || p.keys == 1 && (w.named[doc] || w.q.N == 1))
	c.score = c.base + rest + w.factors(p, doc, c.unit)
	return c
}

// best finds the unit of a document that goes best with the query: how much of
// both meet, in thousandths.
func (w *work) best(p *pass, c *cand) {
	ix := w.ix
	scope, fits := ix.DocScope[c.doc], &p.fits[ix.DocClass[c.doc]]
	first, end := token.Span(ix.DocUnits, c.doc)
	units := ix.Units[first:end]
	c.unit = -1
	// a fraction is compared with others without dividing
	part, whole := int64(0), int64(1)
	for i, own := range w.units[first:end] {
		if own == 0 {
			continue
		}
		unit := token.Unit(units[i])
		fit := &fits[unit.Class()]
		matched := own + fit.verb + p.unsaidScope(unit, scope)
		missed, missedUnit := max(0, p.mass-matched), max(0, unit.Mass()*10-own)+fit.lack
		all := max(1, int64(matched)+(int64(missed)*p.missedQuery+int64(missedUnit)*p.missedUnit)/1000)
		if points := int64(matched) * p.field[unit.Field()]; c.unit < 0 || points*whole > part*all {
			part, whole, c.unit = points, all, int(first)+i
		}
	}
	if c.unit >= 0 {
		c.mass, c.base = w.units[c.unit], int32(part/whole)
	}
}

func (w *work) unitOf(u int) token.Unit { return token.Unit(w.ix.Units[u]) }

// unsaidScope is the mass of the query's scope that a unit meets beside its own
// terms: that of the action, which its text leaves out.
func (p *pass) unsaidScope(unit token.Unit, scope uint8) int32 {
	if p.scopes&(1<<scope)&^unit.Scopes() != 0 {
		return p.scopeOf[scope]
	}
	return 0
}

// fit is how the verb of the query goes with units of a class, of actions of a
// class.
type fit struct {
	verb int32 // mass of the verb that is met
	lack int32 // mass of the action's verb that the query lacks
}

// fit fills the tables that all documents need once the verbs of the query are
// known.
func (w *work) fit(p *pass) {
	p.bonus = w.bonus()
	p.most = p.bonus + max(w.weight(token.WFieldName), w.weight(token.WFieldTitle), w.weight(token.WFieldNoun), w.weight(token.WFieldPhrase))
	p.missedQuery, p.missedUnit = int64(w.weight(token.WMissedQuery)), int64(w.weight(token.WMissedUnit))
	for i := range p.field {
		p.field[i] = int64(w.weight(token.WFieldName + token.Weight(i)))
	}
	for class := range p.fits {
		for unit := range p.fits[class] {
			own := p.verb[unit]
			if class <= token.ClassGet && unit > token.ClassGet {
				own = own * 3 / 4 // dismissed vulnerabilities are for reading
			}
			met := max(p.verb[class], own)
			f := &p.fits[class][unit]
			if p.asked > 0 {
				f.verb = p.verbMass * min(1000, met*1000/p.asked) / 1000
			}
			unsaid := 1000 - min(1000, met)
			switch class {
			case token.ClassCreate, token.ClassUpdate, token.ClassDelete:
				f.lack = w.weight(token.WMissedVerb) * unsaid / 1000
			case token.ClassAct:
				f.lack = w.weight(token.WMissedAct) * unsaid / 1000
			}
		}
	}
}

package search

import (
	"math"

	"gitlab-mcp-server/internal/token"
)

// rank ranks the whole query, and its parts if it has several intents.
func (w *work) rank() {
	w.all()
	w.top.max = max(DefaultLimit, w.o.Limit) + spare
	w.score(&w.top)
	w.segments()
}

// pruneShare cuts off documents that meet less than so many hundredths of the
// words that another document meets, as long as enough others are left: they
// seldom come near, and they are many.
const pruneShare = 40

// score ranks all documents for the slots in w.list.
func (w *work) score(out *ranked) {
	p := w.gather()
	out.n, out.mass = 0, p.mass
	out.min = w.enough(&p)
	floor := int32(0)
	for doc, bag := range w.bags {
		if share := bag * pruneShare / 100; share > floor && w.s.allowed(doc, &w.o) {
			floor = share
		}
	}
	floor = max(1, floor)
	p.nearest = math.MinInt32
	for doc, bag := range w.bags {
		if bag >= floor && w.ix.DocFlags[doc]&token.DocHidden == 0 {
			p.nearest = max(p.nearest, w.ix.Meets(&p.sense, doc))
		}
	}
	for doc, bag := range w.bags {
		if bag >= floor {
			w.consider(&p, doc, out)
		}
	}
	if out.n < out.max {
		for doc, bag := range w.bags {
			if 0 < bag && bag < floor {
				w.consider(&p, doc, out)
			}
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
	if c := w.document(p, doc, out.least()); c.score > 0 && w.s.allowed(doc, &w.o) {
		out.insert(w.ix, c)
	}
}

// document gives the points of a document: those of its best unit, and what
// the action is and where it is. A document that cannot reach least points has none.
func (w *work) document(p *pass, doc int, least int32) (c cand) {
	ix := w.ix
	if ix.DocFlags[doc]&token.DocDestructive != 0 && w.typos > 0 && !w.exactVerb(p, doc) {
		w.suppressed++
		return c
	}
	c.doc, c.unit = doc, -1
	c.unlike = w.unlike(p, doc)
	bag := w.bagPoints(p, doc)
	if p.most+bag-c.unlike < least {
		return c
	}
	first, end := token.Span(ix.DocUnits, doc)
	best := share{0, 1}
	for i, points := range w.units[first:end] {
		if points == 0 {
			continue
		}
		u := int(first) + i
		if s := w.unit(p, u, doc); c.unit < 0 || s.part*best.whole > best.part*s.whole {
			best, c.unit = s, u
		}
	}
	if c.unit >= 0 {
		c.mass = w.units[c.unit]
		c.base = int32(best.part / best.whole)
	}
	if c.base+bag-c.unlike+p.bonus < least {
		return c
	}
	c.keyed = w.keys[doc] > 0
	c.sure = int(w.keys[doc]) >= p.keys && (p.keys > 1 || p.keys == 1 && w.named[doc])
	c.score = c.base + bag - c.unlike + w.factors(p, doc, c.unit)
	return c
}

// share is a fraction, so that units can be compared without dividing.
type share struct{ part, whole int64 }

// unit is how much of the query and of the u-th unit meet, in thousandths.
func (w *work) unit(p *pass, u int, doc int) share {
	unit := w.unitOf(u)
	fit := &p.fits[w.ix.DocClass[doc]][unit.Class()]
	own := w.units[u]
	matched := own + fit.verb + w.unsaidScope(p, unit, doc)
	missedUnit := max(0, unit.Mass()*10-own) + fit.lack
	missed := max(0, p.mass-matched)
	all := int64(matched) + (int64(missed)*p.missedQuery+int64(missedUnit)*p.missedUnit)/1000
	return share{int64(matched) * p.field[unit.Field()], max(1, all)}
}

func (w *work) unitOf(u int) token.Unit { return token.Unit(w.ix.Units[u]) }

// unsaidScope is the mass of the query's scope that a unit meets beside its own
// terms: that of the action, which its text leaves out.
func (w *work) unsaidScope(p *pass, unit token.Unit, doc int) int32 {
	scope := w.ix.DocScope[doc]
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

package search

import (
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

package search

import (
	"math"
	"sync"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/token"
)

// work is the room that one query needs. It goes back to a pool, so that a
// query allocates its reply only.
type work struct {
	s    *Searcher
	o    Options
	ix   *catalog.Index
	text string
	q    token.Query

	units      []int32 // points of each unit, in thousandths of mass
	unitIn     []int32 // what the present slot gave to the unit
	unitAt     []uint8 // the slot that unitIn is of
	bags       []int32 // the same for documents
	bagIn      []int32 //
	bagAt      []uint8 //
	named      []bool  // documents with a thing of the query, verbs aside
	keys       []uint8 // names of values that the document has
	meets      []int32 // how well the document goes with the sense of the query, 0 if it was not asked
	around     []uint8 // how many known words of the query a document is about
	mostAround uint8   // the most of around, 0 if nothing is known yet
	words      int     // of the query, values and parts of identifiers aside
	typos      int     // respelt words
	suppressed int64   // destructive actions held back
	list       [maxRefs]ref
	nlist      int
	from, to   int          // slots of the clause or part that asks
	inPart     bool         // a part is ranked, not the whole
	signs      []token.Sign // of what is asked for
	top        ranked
	seg        [maxSegments]ranked
	merged     ranked // the parts, interleaved
	nseg       int
	cuts       [maxSegments + 1]int // ends of the parts
}

const (
	maxRefs     = 96
	maxSegments = 3
)

// ref is a slot that takes part in a pass, with the share of its weight.
type ref struct {
	slot  int
	share int32 // hundredths
}

var pool = sync.Pool{New: func() any { return new(work) }}

func getWork(ix *catalog.Index) *work {
	w := pool.Get().(*work)
	w.ix = ix
	if n := len(ix.Units); len(w.units) != n {
		w.units, w.unitIn, w.unitAt = make([]int32, n), make([]int32, n), make([]uint8, n)
	}
	if n := len(ix.DocClass); len(w.bags) != n {
		w.meets, w.around = make([]int32, n), make([]uint8, n)
		w.bags, w.bagIn, w.bagAt = make([]int32, n), make([]int32, n), make([]uint8, n)
		w.named, w.keys = make([]bool, n), make([]uint8, n)
	}
	return w
}

func (w *work) put() {
	w.s, w.o, w.ix, w.text = nil, Options{}, nil, ""
	pool.Put(w)
}

// weight is a ranking weight in thousandths.
func (w *work) weight(i token.Weight) int32 { return w.ix.Weights[i] }

// cand is a document with its points.
type cand struct {
	doc    int
	unit   int // its best unit, -1: the bag alone
	score  int32
	mass   int32 // of the things that matched
	base   int32 // points of the unit
	held   bool  // it destroys, and was refused or asked for by a mistyped word only
	sure   bool  // it takes all that the query gives by name
	part   int   // of the query that it was ranked for; 0: the whole
	unlike int32 // points it lost for the words asking rather for others
	raised int32 // points it got to stand before the one it succeeds, or lost to stand behind what comes first
}

// literal is the points of a candidate by its words alone, before what was learned
// and where it stands.
func (c *cand) literal() int32 { return c.score - c.raised + c.unlike }

// behind takes points off a candidate that may have no more than so many.
func (c *cand) behind(most int32) {
	if c.score > most {
		c.raised += most - c.score
		c.score = most
	}
}

// ranked is a short list, best first.
type ranked struct {
	list  [MaxLimit + 4*spare]cand // with room for successors
	n     int
	max   int   // length wanted
	need  int   // length that is enough
	held  int32 // points of the best that is held back
	firm  int   // so many stay before those that come in now
	mass  int32 // of the query
	min   int32 // base points that the first needs to be believed
	idle  int32 // how much rather the words ask for nothing than for a document, in thousandths of an e-fold
	typed bool  // a value is there that only software has
	odd   bool  // a good part of the words means nothing
}

// least is so many points that a candidate needs to get into the list.
func (r *ranked) least() int32 {
	switch {
	case r.n < r.max:
		return 0
	case r.n <= r.firm:
		return math.MaxInt32
	}
	return r.list[r.n-1].score
}

// before is the order of results: points, then how daily the action is, then
// the order of ids.
func (r *ranked) before(ix *catalog.Index, a, b cand) bool {
	if a.score != b.score {
		return a.score > b.score
	}
	if ua, ub := ix.DocUse[a.doc], ix.DocUse[b.doc]; ua != ub {
		return ua > ub
	}
	return a.doc < b.doc
}

// insert puts a candidate where it belongs, behind those that stay.
func (r *ranked) insert(ix *catalog.Index, c cand) {
	i := r.n
	if i == r.max {
		if i <= r.firm || !r.before(ix, c, r.list[i-1]) {
			return
		}
		i--
	} else {
		r.n++
	}
	for i > r.firm && r.before(ix, c, r.list[i-1]) {
		r.list[i] = r.list[i-1]
		i--
	}
	r.list[i] = c
}

package search

import "sync/atomic"

// Counters count searches by outcome. The zero value is ready; reading is safe
// at any time, and a reader may see one search half counted.
type Counters struct {
	Searches   atomic.Int64 // all that were ranked
	Zero       atomic.Int64 // without a result
	Fuzzy      atomic.Int64 // with a word taken for a mistyped one
	Low        atomic.Int64 // first hit of low confidence
	Ambiguous  atomic.Int64 // first hit with a rival
	Suppressed atomic.Int64 // destructive actions held back for want of an exact verb
}

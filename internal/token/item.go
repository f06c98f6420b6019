package token

// Op is what an item of a lexicon entry does.
type Op uint8

// Operations of entries. A slot is one thing that the text says; alternatives
// are other words for the same thing.
const (
	OpTerm    Op = iota // a new slot with a term
	OpAlt               // an alternative term for the slot before
	OpClass             // the slot is a verb of this class; starts a slot if none is open
	OpScope             // the slot names a scope
	OpStop              // the words mean nothing
	OpForeign           // the word has nothing to do with GitLab
	OpVerb              // the slot is this verb, a term, whatever its spelling
	OpLight             // the slot is a word of little weight
	OpMark              // the words are a mark: see Mark
)

// Mark is a word that tells how clauses hang together.
type Mark uint16

// Marks.
const (
	MarkAnd     Mark = iota + 1 // and, then: a second thing may follow
	MarkPronoun                 // it, them: what the clause before spoke of
	MarkHow                     // who, which, what: a question, so something is read
	MarkAsk                     // please, could you: what follows is what is wanted
	MarkCalled                  // called, with the title: a name follows
	MarkNot                     // not, never: the verb that follows is not asked for
)

// Item is one step of an entry: Op, a weight in hundredths, and a term, class,
// scope or mark.
type Item uint32

// NewItem packs an item.
func NewItem(op Op, weight uint8, id uint16) Item {
	return Item(uint32(op)<<24 | uint32(weight)<<16 | uint32(id))
}

// Op is the item's operation.
func (i Item) Op() Op { return Op(i >> 24) }

// Weight is the item's weight in hundredths.
func (i Item) Weight() uint8 { return uint8(i >> 16) }

// ID is the item's term, class, scope or mark.
func (i Item) ID() uint16 { return uint16(i) }

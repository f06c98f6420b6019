package token

// Index is the search index as tables: gen/index writes it, package search
// reads it, and this package is what both may import.
//
// A document is an action, by its place in the order of ids. A unit is one way
// to ask for a document: its name, its title, a phrase, or another noun with
// its verb. Matching units decide; the bag, all other words of the document,
// helps.
type Index struct {
	Lexicon

	// Words are spellings to correct typing mistakes to, by length and then by text.
	Words     string
	WordEnds  []uint32
	WordMasks []uint32 // the letters of each word, a bit each
	WordStart []uint16 // first word of each length, and the end

	TermMass []uint16 // of each term: what a match counts, in hundredths; see Mass and Casual

	Units []uint32 // see Unit

	PostEnds []uint32 // of each term, in Posts
	Posts    []uint16 // units, rising

	BagEnds []uint32 // of each term, in BagDocs and BagSure
	BagDocs []uint16 // documents, rising
	BagSure []uint8  // the best field of the term in the document, shifted left by 4 bits, and how sure it is that the term is about the document, of SureUnit

	DocClass []uint8 // what the action does
	DocScope []uint8 // where: one scope bit
	DocFlags []uint8
	DocUse   []uint8  // how daily it is, 0 to 100
	DocVerb  []uint16 // term of the first word of the action's name
	DocHead  []uint16 // term of the thing that the action gives or changes
	DocUnits []uint32 // end of the document's units

	// Successors are pairs, rising: a document that GitLab's documentation
	// deprecates, shifted left by 16 bits, and one to use instead.
	Successors []uint32

	// What was learned from phrases and lessons; see Sense.
	Signs      []uint32 // names, rising
	SignSense  string   // of each sign
	DocSense   string   // of each document, and of nothing if that was taught
	ClassSense string   // of each class
	SenseUnit  int32    // so much of Meets to a logit

	Weights []int32 // by Weight, in thousandths
	Similar []int32 // class asked × class of the document, in thousandths
}

// SureUnit is certainty in BagSure, and the mask of its bits.
const SureUnit = 15

// CasualTerm marks a term in TermMass that only phrases have: a word of daily
// life, which by itself hardly tells that GitLab is meant.
const CasualTerm = 1 << 15

// Mass is what a match of a term counts, in hundredths.
func (ix *Index) Mass(term uint16) int32 { return int32(ix.TermMass[term] &^ CasualTerm) }

// Casual reports whether only phrases have the term.
func (ix *Index) Casual(term uint16) bool { return ix.TermMass[term]&CasualTerm != 0 }

// Classes of verbs.
const (
	ClassList = iota
	ClassGet
	ClassCreate
	ClassUpdate
	ClassDelete
	ClassAct
	NumClasses
)

// ClassNames are the classes as the vocabulary spells them.
var ClassNames = [NumClasses]string{"list", "get", "create", "update", "delete", "act"}

// Scopes of actions.
const (
	ScopeProject = iota
	ScopeGroup
	ScopeUser
	ScopeMe
	ScopeInstance
	NumScopes
)

// ScopeNames are the scopes as the vocabulary spells them.
var ScopeNames = [NumScopes]string{"project", "group", "user", "me", "instance"}

// Fields, where a word is from. The first ones make units, the others the bag.
const (
	FieldName = iota
	FieldTitle
	FieldNoun
	FieldPhrase
	FieldTag
	FieldAlias
	FieldParam
	FieldParamWord
	FieldEnum
	FieldPath
	FieldUsage
	NumFields
)

// FieldNames are the fields as weights and explanations spell them.
var FieldNames = [NumFields]string{"name", "title", "noun", "phrase", "tag", "alias", "param", "param_word", "enum", "path", "usage"}

// Flags of documents.
const (
	DocDestructive = 1 << iota
	DocHidden      // never found
	DocDeprecated  // ranked low, behind its successors
	DocAdmin       // for administrators
	DocOwn         // what it is about is the thing of its domain: user.list, not project.list_users
)

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

	TermMass []uint16 // of each term: what a match counts, in hundredths

	UnitDoc   []uint16 // rising
	UnitMass  []uint16 // of the terms of the unit, in hundredths
	UnitClass []uint8  // the verb of the unit
	UnitField []uint8  // where it is from
	UnitScope []uint8  // scopes that the unit names by its terms

	PostEnds []uint32 // of each term, in Posts
	Posts    []uint16 // units, rising

	BagEnds  []uint32 // of each term, in BagDocs and BagFields
	BagDocs  []uint16 // documents, rising
	BagField []uint8  // the best field of the term in the document

	DocClass []uint8 // what the action does
	DocScope []uint8 // where: one scope bit
	DocFlags []uint8
	DocUse   []uint8  // how daily it is, 0 to 100
	DocVerb  []uint16 // term of the first word of the action's name
	DocHead  []uint16 // term of the thing that the action gives or changes
	DocUnits []uint32 // end of the document's units

	Weights []int32 // by Weight, in thousandths
	Similar []int32 // class asked × class of the document, in thousandths
}

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
	DocDeprecated  // ranked low
	DocAdmin       // for administrators
	DocOwn         // what it is about is the thing of its domain: user.list, not project.list_users
)

// Weight is a number that ranking depends on. Its meaning stands in
// specs/overlays/_ranking.yaml.
type Weight int

// Weights.
const (
	WVerb Weight = iota
	WUnknown
	WUnknownLong
	WMissedQuery
	WMissedUnit
	WMissedVerb
	WMissedAct
	WFormed
	WContext
	WBag
	WConflict
	WImpliedList
	WImpliedGet
	WPluralList
	WPluralGet
	WValueGet
	WQuestion
	WScopeMatch
	WScopeConflict
	WScopeProject
	WScopeGroup
	WScopeUser
	WScopeMe
	WScopeInstance
	WUse
	WTypo1
	WTypo2
	WShort
	WNounForm
	WNounPlace
	WAskedHow
	WNextVerb
	WLater
	WKey
	WHead
	WHeadOther
	WValueList
	WScopeWeak
	WUnasked
	WDeprecated
	WAdmin
	WOwnVerb
	WVerbOnly
	WKeyMissed
	WFieldName
	WFieldTitle
	WFieldNoun
	WFieldPhrase
	WBagName
	WBagTitle
	WBagNoun
	WBagPhrase
	WBagTag
	WBagAlias
	WBagParam
	WBagParamWord
	WBagEnum
	WBagPath
	WBagUsage
	WMinScore
	WMinMass
	WMinBase
	WDoubt
	WCut
	WAmbiguous
	WLow
	NumWeights
)

// WeightNames are the weights as _ranking.yaml spells them.
var WeightNames = [NumWeights]string{
	"verb", "unknown", "unknown_long", "missed_query", "missed_unit", "missed_verb", "missed_act", "formed", "context", "bag", "conflict", "implied_list", "implied_get", "plural_list", "plural_get",
	"value_get", "question", "scope_match", "scope_conflict", "scope_project", "scope_group", "scope_user", "scope_me", "scope_instance",
	"use", "typo1", "typo2", "short", "noun_form", "noun_place", "asked_how", "next_verb", "later", "key", "head", "head_other", "value_list", "scope_weak", "unasked", "deprecated", "admin", "own_verb", "verb_only", "key_missed",
	"field_name", "field_title", "field_noun", "field_phrase",
	"bag_name", "bag_title", "bag_noun", "bag_phrase", "bag_tag", "bag_alias", "bag_param", "bag_param_word", "bag_enum", "bag_path", "bag_usage",
	"min_score", "min_mass", "min_base", "doubt", "cut", "ambiguous", "low",
}

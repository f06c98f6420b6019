package token

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
	WSigns
	WSense
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
	WEnough
	WMinMass
	WMinBase
	WDoubt
	WSucceeds
	WCut
	WAmbiguous
	WLow
	NumWeights
)

// WeightNames are the weights as _ranking.yaml spells them.
var WeightNames = [NumWeights]string{
	"verb", "unknown", "unknown_long", "missed_query", "missed_unit", "missed_verb", "missed_act", "formed", "context", "bag", "conflict", "implied_list", "implied_get", "plural_list", "plural_get",
	"value_get", "question", "scope_match", "scope_conflict", "scope_project", "scope_group", "scope_user", "scope_me", "scope_instance",
	"use", "typo1", "typo2", "short", "noun_form", "noun_place", "asked_how", "next_verb", "later", "key", "head", "head_other", "value_list", "scope_weak", "unasked", "deprecated", "admin", "own_verb", "verb_only", "key_missed", "signs", "sense",
	"field_name", "field_title", "field_noun", "field_phrase",
	"bag_name", "bag_title", "bag_noun", "bag_phrase", "bag_tag", "bag_alias", "bag_param", "bag_param_word", "bag_enum", "bag_path", "bag_usage",
	"min_score", "enough", "min_mass", "min_base", "doubt", "succeeds", "cut", "ambiguous", "low",
}

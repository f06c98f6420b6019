package catalog

// Risk is what a call can do to data.
type Risk uint8

// Risks, in rising order.
const (
	Read Risk = iota
	Write
	Destroy
)

// String is the word of overlays and documents.
func (r Risk) String() string { return word(riskWords[:], uint8(r)) }

var riskWords = [...]string{"read", "write", "destroy"}

// Kind is what a successful call answers with.
type Kind uint8

// Kinds of answers.
const (
	Object Kind = iota
	List
	Text
	Binary
	None
	Head
)

// String is the word of overlays and documents.
func (k Kind) String() string { return word(kindWords[:], uint8(k)) }

var kindWords = [...]string{"object", "list", "text", "binary", "none", "head"}

// In says where an argument travels.
type In uint8

// Places of arguments. Local arguments never reach GitLab.
const (
	InPath In = iota
	InQuery
	InBody
	InFile
	InVariable // of a GraphQL document
	InLocal
)

// String is the word of the contract.
func (i In) String() string { return word(inWords[:], uint8(i)) }

var inWords = [...]string{"path", "query", "body", "file", "variable", "local"}

// Type is the type of an argument.
type Type uint8

// Types of arguments. ID is a string that also takes integers; Map is an object
// with free keys.
const (
	TypeString Type = iota
	TypeInteger
	TypeNumber
	TypeBoolean
	TypeID
	TypeArray
	TypeObject
	TypeMap
	TypeAny
	TypeFile
)

// String is the word of overlays and documents.
func (t Type) String() string { return word(typeWords[:], uint8(t)) }

var typeWords = [...]string{
	"string", "integer", "number", "boolean", "id", "array", "object", "map", "any", "file",
}

// Encoding is how an array or object travels in a query.
type Encoding uint8

// Encodings in a query.
const (
	Plain    Encoding = iota // name=value
	Comma                    // name=a,b
	Brackets                 // name[]=a&name[]=b
	Hash                     // name[key]=value
)

// String is the word of overlays and documents; Plain is "plain".
func (e Encoding) String() string { return word(encodingWords[:], uint8(e)) }

var encodingWords = [...]string{"plain", "comma", "brackets", "hash"}

// Flags are facts of an action.
type Flags uint16

// Facts of an action.
const (
	Admin     Flags = 1 << iota // only for administrators
	Paged                       // takes page and per_page
	Reveals                     // its purpose is to reveal a secret
	Hidden                      // never returned by find: deprecated name or operation
	Added                       // from an overlay, absent upstream
	RawBody                     // one argument is the whole body
	NameIsOld                   // the ledger marks the name deprecated
)

// ParamFlags are facts of an argument.
type ParamFlags uint8

// Facts of an argument.
const (
	Required ParamFlags = 1 << iota
	Clearable
	Splat
	ParamDeprecated
	FoldedParam
)

func word(words []string, i uint8) string {
	if int(i) < len(words) {
		return words[i]
	}
	return "unknown"
}

package arg

import (
	"strings"

	"gitlab-mcp-server/internal/scan"
)

// Query takes the parameters of a query string, not yet encoded.
type Query interface {
	Add(name, value string)               // name=value
	AddComma(name string, vs []string)    // name=a,b
	AddBrackets(name string, vs []string) // name[]=a&name[]=b
}

// Body takes the members of a request body, whatever its content type.
type Body interface {
	String(key, v string)
	Number(key, text string)
	Bool(key string, v bool)
	Raw(key string, json []byte)
	Null(key string)
	Strings(key string, vs []string)
	Numbers(key string, texts []string)

	Open(key string) // an object
	Close()
	OpenArray(key string) // an array of objects
	OpenItem()
	CloseItem()
	CloseArray()

	File(key, filename, contentType string, content []byte, path string)
}

// Query writes name=value, and name= for null.
func (s String) Query(q Query, name string) { queryScalar(q, name, s.V, s.State) }

// Body writes the text, an id given as a number as that number, and null for null.
func (s String) Body(b Body, key string) {
	switch {
	case !given(b, key, s.State):
	case s.number:
		b.Number(key, s.V)
	default:
		b.String(key, s.V)
	}
}

// Query writes name=value, and name= for null.
func (n Int) Query(q Query, name string) { queryScalar(q, name, n.V, n.State) }

// Body writes the number, and null for null.
func (n Int) Body(b Body, key string) {
	if given(b, key, n.State) {
		b.Number(key, n.V)
	}
}

// Query writes name=value, and name= for null.
func (n Number) Query(q Query, name string) { queryScalar(q, name, n.V, n.State) }

// Body writes the number, and null for null.
func (n Number) Body(b Body, key string) {
	if given(b, key, n.State) {
		b.Number(key, n.V)
	}
}

// Query writes name=true or name=false, and name= for null.
func (v Bool) Query(q Query, name string) {
	text := "false"
	if v.V {
		text = "true"
	}
	queryScalar(q, name, text, v.State)
}

// Body writes true or false, and null for null.
func (v Bool) Body(b Body, key string) {
	if given(b, key, v.State) {
		b.Bool(key, v.V)
	}
}

// Query writes a scalar as name=value, an object as name[key]=value and an array
// as name[]=value, each at any depth; null is written as an empty value.
func (r Raw) Query(q Query, name string) {
	switch r.State {
	case Set:
		queryValue(q, name, r.V)
	case Null:
		q.Add(name, "")
	}
}

// Body writes the value as it is, and null for null.
func (r Raw) Body(b Body, key string) {
	if given(b, key, r.State) {
		b.Raw(key, r.V)
	}
}

// QueryComma writes name=a,b, and name= for an empty list and null. One plain
// text of a Scalar list is written as it was given.
func (s Strings) QueryComma(q Query, name string) {
	if s.text != "" {
		q.Add(name, s.text)
		return
	}
	queryComma(q, name, s.V, s.State)
}

// QueryBrackets writes name[]=a&name[]=b, and name[]= for an empty list and null.
// One plain value of a Scalar list is written as name=a.
func (s Strings) QueryBrackets(q Query, name string) { queryBrackets(q, name, s.V, s.State, s.plain) }

// Body writes an array, and null for null. The empty text given in place of a
// list is no array and so writes nothing; one plain text of a Scalar list is
// written as it was given.
func (s Strings) Body(b Body, key string) {
	switch {
	case s.blank:
	case s.text != "":
		b.String(key, s.text)
	case given(b, key, s.State):
		b.Strings(key, s.V)
	}
}

// BodyComma writes the texts as one, joined by commas, and null for null. One
// plain text of a Scalar list is written as it was given.
func (s Strings) BodyComma(b Body, key string) {
	if s.text != "" {
		b.String(key, s.text)
		return
	}
	bodyComma(b, key, s.V, s.State)
}

// QueryComma writes name=1,2, and name= for an empty list and null.
func (n Ints) QueryComma(q Query, name string) { queryComma(q, name, n.V, n.State) }

// QueryBrackets writes name[]=1&name[]=2, and name[]= for an empty list and null.
// One plain value of a Scalar list is written as name=1.
func (n Ints) QueryBrackets(q Query, name string) { queryBrackets(q, name, n.V, n.State, n.plain) }

// Body writes an array of numbers, and null for null.
func (n Ints) Body(b Body, key string) {
	if given(b, key, n.State) {
		b.Numbers(key, n.V)
	}
}

// BodyComma writes the numbers as one text, joined by commas, and null for null.
func (n Ints) BodyComma(b Body, key string) { bodyComma(b, key, n.V, n.State) }

// QueryComma writes name=1,2.5, and name= for an empty list and null.
func (n Numbers) QueryComma(q Query, name string) { queryComma(q, name, n.V, n.State) }

// QueryBrackets writes name[]=1&name[]=2.5, and name[]= for an empty list and null.
func (n Numbers) QueryBrackets(q Query, name string) { queryBrackets(q, name, n.V, n.State, false) }

// Body writes an array of numbers, and null for null.
func (n Numbers) Body(b Body, key string) {
	if given(b, key, n.State) {
		b.Numbers(key, n.V)
	}
}

// BodyComma writes the numbers as one text, joined by commas, and null for null.
func (n Numbers) BodyComma(b Body, key string) { bodyComma(b, key, n.V, n.State) }

// Body writes the file, and the empty text for null: so GitLab removes a file.
func (f File) Body(b Body, key string) {
	switch f.State {
	case Set:
		b.File(key, f.Filename, f.ContentType, f.Content, f.Path)
	case Null:
		b.String(key, "")
	}
}

// given writes null for null and reports whether there is a value to write.
func given(b Body, key string, s State) bool {
	if s == Null {
		b.Null(key)
	}
	return s == Set
}

func queryScalar(q Query, name, v string, s State) {
	switch s {
	case Set:
		q.Add(name, v)
	case Null:
		q.Add(name, "")
	}
}

func queryComma(q Query, name string, vs []string, s State) {
	if s != Absent {
		q.AddComma(name, vs)
	}
}

func queryBrackets(q Query, name string, vs []string, s State, plain bool) {
	switch {
	case s == Absent:
	case plain && len(vs) == 1:
		q.Add(name, vs[0])
	case len(vs) == 0:
		q.AddBrackets(name, []string{""})
	default:
		q.AddBrackets(name, vs)
	}
}

func bodyComma(b Body, key string, vs []string, s State) {
	if given(b, key, s) {
		b.String(key, strings.Join(vs, ","))
	}
}

func queryValue(q Query, name string, v []byte) {
	switch scan.KindOf(v) {
	case scan.Object:
		for k, e := range scan.Members(v) {
			queryValue(q, name+"["+scan.Key(k)+"]", e)
		}
	case scan.Array:
		for e := range scan.Elements(v) {
			queryValue(q, name+"[]", e)
		}
	case scan.String:
		q.Add(name, scan.Unquoted(string(v)))
	case scan.Null:
		q.Add(name, "")
	default:
		q.Add(name, string(v))
	}
}

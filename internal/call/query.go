package call

import "strings"

// param is one name and value of the query string, not encoded.
type param struct{ name, value string }

// Add adds name=value.
func (q *Request) Add(name, value string) {
	q.params = append(q.params, param{name, value})
}

// AddComma adds name=a,b. A comma inside a value is not told from one between
// two, by GitLab either.
func (q *Request) AddComma(name string, vs []string) {
	q.Add(name, strings.Join(vs, ","))
}

// AddBrackets adds name[]=a&name[]=b.
func (q *Request) AddBrackets(name string, vs []string) {
	name += "[]"
	for _, v := range vs {
		q.Add(name, v)
	}
}

// SetQuery replaces every value of name by one, in the place of the first.
func (q *Request) SetQuery(name, value string) {
	kept := q.params[:0]
	found := false
	for _, p := range q.params {
		if p.name == name {
			if found {
				continue
			}
			found = true
			p.value = value
		}
		kept = append(kept, p)
	}
	q.params = kept
	if !found {
		q.Add(name, value)
	}
}

// Query is the first value of name.
func (q *Request) Query(name string) (string, bool) {
	for _, p := range q.params {
		if p.name == name {
			return p.value, true
		}
	}
	return "", false
}

// RawQuery is the encoded query string without its question mark. Commas, and
// brackets in names, stand as they are; GitLab reads them so and people can.
func (q *Request) RawQuery() string {
	n := 0
	for _, p := range q.params {
		n += len(p.name) + len(p.value) + 8
	}
	b := make([]byte, 0, n)
	for i, p := range q.params {
		if i > 0 {
			b = append(b, '&')
		}
		b = appendQuery(b, p.name, "[]")
		b = append(b, '=')
		b = appendQuery(b, p.value, ",")
	}
	return string(b)
}

func appendQuery(dst []byte, v, also string) []byte {
	for i := range len(v) {
		c := v[i]
		if unreserved(c) || strings.IndexByte(also, c) >= 0 {
			dst = append(dst, c)
			continue
		}
		dst = append(dst, '%', upperHex[c>>4], upperHex[c&15])
	}
	return dst
}

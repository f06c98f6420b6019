package surface

import (
	"iter"
	"strconv"

	"gitlab-mcp-server/internal/scan"
)

// object appends a JSON object member by member. Its zero value, with B set to
// what stands before, is ready.
type object struct {
	B     []byte
	begun bool
}

func (o *object) key(name string) {
	if o.begun {
		o.B = append(o.B, ',')
	} else {
		o.B = append(o.B, '{')
		o.begun = true
	}
	o.B = scan.AppendQuoted(o.B, name)
	o.B = append(o.B, ':')
}

func (o *object) text(name, v string) {
	o.key(name)
	o.B = scan.AppendQuoted(o.B, v)
}

// optional is text or, for the empty string, null.
func (o *object) optional(name, v string) {
	if v == "" {
		o.raw(name, "null")
	} else {
		o.text(name, v)
	}
}

func (o *object) number(name string, n int) {
	o.key(name)
	o.B = strconv.AppendInt(o.B, int64(n), 10)
}

func (o *object) boolean(name string, v bool) {
	o.key(name)
	o.B = strconv.AppendBool(o.B, v)
}

// raw takes JSON as it is.
func (o *object) raw(name, json string) {
	o.key(name)
	o.B = append(o.B, json...)
}

// texts is an array of strings.
func (o *object) texts(name string, vs iter.Seq[string]) {
	o.key(name)
	o.B = append(o.B, '[')
	first := true
	for v := range vs {
		if !first {
			o.B = append(o.B, ',')
		}
		first = false
		o.B = scan.AppendQuoted(o.B, v)
	}
	o.B = append(o.B, ']')
}

// pairs is an object of strings.
func (o *object) pairs(name string, kvs iter.Seq2[string, string]) {
	o.key(name)
	inner := object{B: o.B}
	for k, v := range kvs {
		inner.text(k, v)
	}
	o.B = inner.end()
}

func (o *object) end() []byte {
	if !o.begun {
		o.B = append(o.B, '{')
	}
	return append(o.B, '}')
}

// some tells whether a sequence has an element.
func some[T any](seq iter.Seq[T]) bool {
	for range seq {
		return true
	}
	return false
}

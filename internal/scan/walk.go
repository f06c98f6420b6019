package scan

import "iter"

// Members walks the members of an object: the key as it stands between its
// quotes (see [Key] and [KeyIs]), and the value. Anything but an object has none.
func Members[T Text](obj T) iter.Seq2[T, T] {
	return func(yield func(T, T) bool) {
		c := Cursor[T]{Text: obj}
		if !c.Enter(Object) {
			return
		}
		for c.Next() {
			if !yield(c.Key(), c.Value()) {
				return
			}
		}
	}
}

// Elements walks the elements of an array. Anything but an array has none.
func Elements[T Text](arr T) iter.Seq[T] {
	return func(yield func(T) bool) {
		c := Cursor[T]{Text: arr}
		if !c.Enter(Array) {
			return
		}
		for c.Next() {
			if !yield(c.Value()) {
				return
			}
		}
	}
}

// Cursor walks one object or array and knows where its parts stand. Its zero
// value with Text set is ready for Enter.
type Cursor[T Text] struct {
	Text T
	// Check makes the cursor check the text that it walks, so that no Valid has
	// to come before; what it found is in Finish.
	Check bool

	at             int // where to look for the next part
	keyLo, keyHi   int
	valLo, valHi   int
	object, opened bool
	reason         string // why the text is no JSON
}

// Enter goes behind the opening bracket of an object or array and reports
// whether Text starts with one of that kind.
func (c *Cursor[T]) Enter(k Kind) bool {
	i := space(c.Text, 0)
	if i == len(c.Text) || (k != Object && k != Array) || c.Text[i] != byte(k) {
		return false
	}
	c.at, c.object, c.opened = i+1, k == Object, true
	return true
}

// Next goes to the next part and reports whether there is one.
func (c *Cursor[T]) Next() bool {
	if !c.opened {
		return false
	}
	if c.Check {
		return c.nextChecked()
	}
	v := c.Text
	i := space(v, c.at)
	if i < len(v) && v[i] == ',' {
		i = space(v, i+1)
	}
	if i == len(v) || v[i] == ']' || v[i] == '}' {
		c.opened = false
		return false
	}
	if c.object {
		j, ok := 0, false
		if v[i] == '"' {
			j, ok = quoted(v, i)
		}
		if !ok {
			c.opened = false
			return false
		}
		c.keyLo, c.keyHi = i+1, j-1
		i = space(v, j)
		if i == len(v) || v[i] != ':' {
			c.opened = false
			return false
		}
		i = space(v, i+1)
	}
	j := End(v, i)
	if j == 0 {
		c.opened = false
		return false
	}
	c.valLo, c.valHi, c.at = i, j, j
	return true
}

func (c *Cursor[T]) nextChecked() bool {
	v := c.Text
	closing := byte(']')
	if c.object {
		closing = '}'
	}
	i := space(v, c.at)
	switch first := c.valHi == 0; {
	case i < len(v) && v[i] == closing:
		c.opened, c.at = false, i+1
		return false
	case !first && (i >= len(v) || v[i] != ','):
		return c.stop(i, "a comma is missing")
	case !first:
		i = space(v, i+1)
	}
	reason := ""
	if c.object {
		if i >= len(v) || v[i] != '"' {
			return c.stop(i, "a quoted key is missing")
		}
		j := 0
		if j, reason = checkString(v, i); reason != "" {
			return c.stop(j, reason)
		}
		c.keyLo, c.keyHi = i+1, j-1
		if i = space(v, j); i >= len(v) || v[i] != ':' {
			return c.stop(i, "a colon is missing")
		}
		i = space(v, i+1)
	}
	j, reason := checkValue(v, i, MaxDepth-1)
	if reason != "" {
		return c.stop(j, reason)
	}
	c.valLo, c.valHi, c.at = i, j, j
	return true
}

func (c *Cursor[T]) stop(at int, reason string) bool {
	c.opened, c.at, c.reason = false, at, reason
	return false
}

// Finish is nil if a cursor with Check has walked to the end of exactly one
// valid object or array, else a [*SyntaxError].
func (c *Cursor[T]) Finish() error {
	if c.reason == "" && !c.opened {
		if c.at = space(c.Text, c.at); c.at < len(c.Text) {
			c.reason = "unexpected text behind the value"
		}
	}
	if c.opened {
		c.reason = "the walk is not over"
	}
	return syntaxError(len(c.Text), c.at, c.reason)
}

// Key is the current member's key as it stands between its quotes.
func (c *Cursor[T]) Key() T { return c.Text[c.keyLo:c.keyHi] }

// KeySpan is where the current member's key stands in Text.
func (c *Cursor[T]) KeySpan() (lo, hi int) { return c.keyLo, c.keyHi }

// Value is the current value.
func (c *Cursor[T]) Value() T { return c.Text[c.valLo:c.valHi] }

// Span is where the current value stands in Text.
func (c *Cursor[T]) Span() (lo, hi int) { return c.valLo, c.valHi }

// Key is the text of a key that Members yields.
func Key[T Text](raw T) string {
	if plain(raw) {
		return string(raw)
	}
	return string(unescape(nil, raw))
}

// KeyIs reports whether a key that Members yields is name.
func KeyIs[T Text](raw T, name string) bool {
	if len(raw) == len(name) && string(raw) == name {
		return true
	}
	return len(raw) > len(name) && !plain(raw) && Key(raw) == name
}

// Get is the value of the first member with that name.
func Get[T Text](obj T, name string) (v T, ok bool) {
	c := Cursor[T]{Text: obj}
	if !c.Enter(Object) {
		return v, false
	}
	for c.Next() {
		if KeyIs(c.Key(), name) {
			return c.Value(), true
		}
	}
	return v, false
}

// Len is the number of members of an object or elements of an array.
func Len[T Text](v T) int {
	n := 0
	c := Cursor[T]{Text: v}
	if c.Enter(Object) || c.Enter(Array) {
		for c.Next() {
			n++
		}
	}
	return n
}

package call

import "gitlab-mcp-server/internal/scan"

// Body writes the members of a request body, as JSON or as a form. Inside a
// form, objects are name[key], arrays name[], and null is an empty value.
//
// Every Open has its Close; what is written between OpenArray and CloseArray
// are items.
type Body struct {
	form     bool
	required bool
	written  bool
	json     []byte // without the outermost closing bracket
	comma    bool   // whether the next member of the open object needs one
	parts    []Part
	prefix   []byte // of names in a form: position[line_range]
	outer    []int  // lengths of the enclosing prefixes
}

// Body begins the body: a JSON object, or a form with files in it.
func (q *Request) Body(multipart bool) *Body {
	q.body = q.body.reset()
	q.body.form = multipart
	return &q.body
}

// reset is an empty body with the buffers of b.
func (b *Body) reset() Body {
	clear(b.parts)
	return Body{json: b.json[:0], parts: b.parts[:0], prefix: b.prefix[:0], outer: b.outer[:0]}
}

// Required makes the body one that is sent even if nothing is written to it.
func (b *Body) Required() { b.required = true }

// text is the whole JSON object.
func (b *Body) text() []byte {
	if len(b.json) == 0 {
		return []byte("{}")
	}
	return append(b.json, '}')
}

// key begins a member of a JSON object.
func (b *Body) key(key string) {
	b.written = true
	if len(b.json) == 0 {
		b.json = append(b.json, '{')
	}
	b.separate()
	b.json = scan.AppendQuoted(b.json, key)
	b.json = append(b.json, ':')
}

func (b *Body) separate() {
	if b.comma {
		b.json = append(b.json, ',')
	}
	b.comma = true
}

// name is the name of a form's field.
func (b *Body) name(key string) string {
	if len(b.prefix) == 0 {
		return key
	}
	return string(b.prefix) + "[" + key + "]"
}

// field adds a field to a form.
func (b *Body) field(name, value string) {
	b.written = true
	b.parts = append(b.parts, Part{Name: name, Content: []byte(value)})
}

// String writes a text.
func (b *Body) String(key, v string) {
	if b.form {
		b.field(b.name(key), v)
		return
	}
	b.key(key)
	b.json = scan.AppendQuoted(b.json, v)
}

// Number writes a number as its text stands.
func (b *Body) Number(key, text string) {
	if b.form {
		b.field(b.name(key), text)
		return
	}
	b.key(key)
	b.json = append(b.json, text...)
}

// Bool writes true or false.
func (b *Body) Bool(key string, v bool) {
	if v {
		b.Number(key, "true")
	} else {
		b.Number(key, "false")
	}
}

// Null writes null, in a form an empty value.
func (b *Body) Null(key string) {
	if b.form {
		b.field(b.name(key), "")
		return
	}
	b.Number(key, "null")
}

// Raw writes JSON text as it stands.
func (b *Body) Raw(key string, json []byte) {
	if b.form {
		b.flatten(b.name(key), json)
		return
	}
	b.key(key)
	b.json = append(b.json, json...)
}

// flatten writes JSON text as fields of a form.
func (b *Body) flatten(name string, v []byte) {
	switch scan.KindOf(v) {
	case scan.Object:
		for k, e := range scan.Members(v) {
			b.flatten(name+"["+scan.Key(k)+"]", e)
		}
	case scan.Array:
		for e := range scan.Elements(v) {
			b.flatten(name+"[]", e)
		}
	case scan.String:
		b.field(name, string(scan.AppendUnquoted(nil, v)))
	case scan.Null:
		b.field(name, "")
	default:
		b.field(name, string(v))
	}
}

// Strings writes an array of texts. An empty one is one empty value in a form.
func (b *Body) Strings(key string, vs []string) {
	if b.form {
		b.fields(key, vs)
		return
	}
	b.key(key)
	b.json = append(b.json, '[')
	for i, v := range vs {
		if i > 0 {
			b.json = append(b.json, ',')
		}
		b.json = scan.AppendQuoted(b.json, v)
	}
	b.json = append(b.json, ']')
}

// Numbers writes an array of numbers as their texts stand.
func (b *Body) Numbers(key string, texts []string) {
	if b.form {
		b.fields(key, texts)
		return
	}
	b.key(key)
	b.json = append(b.json, '[')
	for i, v := range texts {
		if i > 0 {
			b.json = append(b.json, ',')
		}
		b.json = append(b.json, v...)
	}
	b.json = append(b.json, ']')
}

func (b *Body) fields(key string, vs []string) {
	name := b.name(key) + "[]"
	if len(vs) == 0 {
		b.field(name, "")
	}
	for _, v := range vs {
		b.field(name, v)
	}
}

// Open begins an object.
func (b *Body) Open(key string) {
	if b.form {
		b.enter(b.name(key))
		return
	}
	b.key(key)
	b.json = append(b.json, '{')
	b.comma = false
}

// Close ends the object that Open began.
func (b *Body) Close() {
	if b.form {
		b.leave()
		return
	}
	b.json = append(b.json, '}')
	b.comma = true
}

// OpenArray begins an array of objects.
func (b *Body) OpenArray(key string) {
	if b.form {
		b.enter(b.name(key) + "[]")
		return
	}
	b.key(key)
	b.json = append(b.json, '[')
	b.comma = false
}

// OpenItem begins an object in the array that OpenArray began.
func (b *Body) OpenItem() {
	if b.form {
		return
	}
	b.separate()
	b.json = append(b.json, '{')
	b.comma = false
}

// CloseItem ends the object that OpenItem began.
func (b *Body) CloseItem() {
	if b.form {
		return
	}
	b.json = append(b.json, '}')
	b.comma = true
}

// CloseArray ends the array that OpenArray began.
func (b *Body) CloseArray() {
	if b.form {
		b.leave()
		return
	}
	b.json = append(b.json, ']')
	b.comma = true
}

func (b *Body) enter(prefix string) {
	b.outer = append(b.outer, len(b.prefix))
	b.prefix = append(b.prefix[:0], prefix...) // which begins with the old one
}

func (b *Body) leave() {
	if n := len(b.outer); n > 0 {
		b.prefix = b.prefix[:b.outer[n-1]]
		b.outer = b.outer[:n-1]
	}
}

// File writes a file. Only a form can hold one; in a JSON object it is its
// content as text, which the operations that take files as text expect.
func (b *Body) File(key, filename, contentType string, content []byte, path string) {
	if !b.form {
		b.String(key, string(content))
		return
	}
	b.written = true
	b.parts = append(b.parts, Part{
		Name: b.name(key), File: true, Filename: filename, ContentType: contentType, Content: content, Path: path,
	})
}

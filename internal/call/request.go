// Package call builds one HTTP request from an action's arguments. It is the one
// place that encodes: path segments, query strings, JSON bodies and forms.
//
// It sends nothing, opens no files and knows no action.
package call

// Request is one request to GitLab. The zero value is ready; Reset makes it
// ready again and keeps its buffers. It is not for concurrent use.
type Request struct {
	method string
	path   []byte
	params []param
	errs   []PathError

	body        Body
	hasBody     bool // Body was called
	raw         *Part
	contentType string
}

type param struct{ name, value string }

// PathError says that an argument cannot stand in the path of a URL. It holds
// no value.
type PathError struct {
	Param   string
	Message string
}

func (e *PathError) Error() string { return e.Param + " " + e.Message }

// Part is one part of a form, or the file that is the whole body.
type Part struct {
	Name        string
	File        bool
	Filename    string
	ContentType string
	Content     []byte // of the file, or the field's text
	Path        string // of the file on disk in place of Content
}

func (q *Request) Reset()                                                            {}
func (q *Request) Start(method string)                                               {}
func (q *Request) Literal(s string)                                                  {}
func (q *Request) Segment(name, v string)                                            {}
func (q *Request) Splat(name, v string)                                              {}
func (q *Request) Add(name, value string)                                            {}
func (q *Request) AddComma(name string, vs []string)                                 {}
func (q *Request) AddBrackets(name string, vs []string)                              {}
func (q *Request) SetQuery(name, value string)                                       {}
func (q *Request) Query(name string) (string, bool)                                  { return "", false }
func (q *Request) Body(multipart bool) *Body                                         { return &q.body }
func (q *Request) RawBody(filename, contentType string, content []byte, path string) {}
func (q *Request) Err() error                                                        { return nil }
func (q *Request) Method() string                                                    { return q.method }
func (q *Request) Path() string                                                      { return "" }
func (q *Request) RawQuery() string                                                  { return "" }
func (q *Request) ContentType() string                                               { return "" }
func (q *Request) HasBody() bool                                                     { return false }
func (q *Request) JSON() []byte                                                      { return nil }
func (q *Request) Parts() []Part                                                     { return nil }
func (q *Request) Files() bool                                                       { return false }

// Body writes the members of a request body, as JSON or as a form.
type Body struct{}

func (b *Body) Required()                                                           {}
func (b *Body) String(key, v string)                                                {}
func (b *Body) Number(key, text string)                                             {}
func (b *Body) Bool(key string, v bool)                                             {}
func (b *Body) Raw(key string, json []byte)                                         {}
func (b *Body) Null(key string)                                                     {}
func (b *Body) Strings(key string, vs []string)                                     {}
func (b *Body) Numbers(key string, texts []string)                                  {}
func (b *Body) Open(key string)                                                     {}
func (b *Body) Close()                                                              {}
func (b *Body) OpenArray(key string)                                                {}
func (b *Body) OpenItem()                                                           {}
func (b *Body) CloseItem()                                                          {}
func (b *Body) CloseArray()                                                         {}
func (b *Body) File(key, filename, contentType string, content []byte, path string) {}

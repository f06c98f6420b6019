package arg_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/scan"
)

// recorder writes down what values write of themselves.
type recorder struct{ strings.Builder }

func (r *recorder) Add(name, v string) { fmt.Fprintf(r, "%s=%s;", name, v) }
func (r *recorder) AddComma(name string, vs []string) {
	fmt.Fprintf(r, "%s=%s;", name, strings.Join(vs, ","))
}
func (r *recorder) AddBrackets(name string, vs []string) {
	for _, v := range vs {
		fmt.Fprintf(r, "%s[]=%s;", name, v)
	}
}
func (r *recorder) String(k, v string)           { fmt.Fprintf(r, "%s:%q;", k, v) }
func (r *recorder) Number(k, v string)           { fmt.Fprintf(r, "%s:%s;", k, v) }
func (r *recorder) Bool(k string, v bool)        { fmt.Fprintf(r, "%s:%t;", k, v) }
func (r *recorder) Raw(k string, v []byte)       { fmt.Fprintf(r, "%s:%s;", k, v) }
func (r *recorder) Null(k string)                { fmt.Fprintf(r, "%s:null;", k) }
func (r *recorder) Strings(k string, v []string) { fmt.Fprintf(r, "%s:%q;", k, v) }
func (r *recorder) Numbers(k string, v []string) { fmt.Fprintf(r, "%s:%s;", k, v) }
func (r *recorder) Open(k string)                { fmt.Fprintf(r, "%s{", k) }
func (r *recorder) Close()                       { r.WriteString("}") }
func (r *recorder) OpenArray(k string)           { fmt.Fprintf(r, "%s[", k) }
func (r *recorder) OpenItem()                    { r.WriteString("{") }
func (r *recorder) CloseItem()                   { r.WriteString("}") }
func (r *recorder) CloseArray()                  { r.WriteString("]") }
func (r *recorder) File(k, name, ct string, content []byte, path string) {
	fmt.Fprintf(r, "%s:file(%q %q %q %q);", k, name, ct, content, path)
}

const states arg.Enum = "opened\nclosed\nall"

// read reads the parameter "x" with one of the typed methods and writes it to
// a body (or, for filters, to a query).
func read(t *testing.T, method string, f arg.Flags, params string) string {
	t.Helper()
	var r arg.Reader
	if err := r.Reset([]byte(params)); err != nil {
		return "error: " + err.Error()
	}
	var b recorder
	switch method {
	case "String":
		v := r.String("x", f)
		if f&arg.Filter != 0 {
			v.Query(&b, "x")
		} else {
			v.Body(&b, "x")
		}
	case "ID":
		r.ID("x", f).Body(&b, "x")
	case "Enum":
		r.Enum("x", f, states).Body(&b, "x")
	case "EnumYes":
		r.Enum("x", f, "yes\nno").Body(&b, "x")
	case "EnumBlank":
		r.Enum("x", f, "\nweek").Body(&b, "x")
	case "Int":
		r.Int("x", f).Body(&b, "x")
	case "IntRange":
		r.IntRange("x", f, "-1", "100").Body(&b, "x")
	case "IntEnum":
		r.IntEnum("x", f, "0\n30\n40").Body(&b, "x")
	case "Number":
		r.Number("x", f).Body(&b, "x")
	case "NumberRange":
		r.NumberRange("x", f, "0", "1.5").Body(&b, "x")
	case "Bool":
		r.Bool("x", f).Body(&b, "x")
	case "Strings":
		r.Strings("x", f).Body(&b, "x")
	case "StringsComma":
		r.Strings("x", f).BodyComma(&b, "x")
	case "StringsQuery":
		v := r.Strings("x", f)
		v.QueryComma(&b, "x")
		v.QueryBrackets(&b, "x")
	case "EnumStrings":
		r.EnumStrings("x", f, states).Body(&b, "x")
	case "IDs":
		r.IDs("x", f).Body(&b, "x")
	case "Ints":
		r.Ints("x", f).Body(&b, "x")
	case "IntEnums":
		r.IntEnums("x", f, "0\n30\n40").Body(&b, "x")
	case "Numbers":
		r.Numbers("x", f).Body(&b, "x")
	case "Map":
		r.Map("x", f).Body(&b, "x")
	case "MapQuery":
		r.Map("x", f).Query(&b, "x")
	case "Any":
		r.Any("x", f).Body(&b, "x")
	case "File":
		r.File("x", f).Body(&b, "x")
	case "Object":
		if s := r.Object("x", f); s != nil {
			b.Open("x")
			s.Int("n", arg.Required).Body(&b, "n")
			b.Close()
		} else if r.State("x") == arg.Null {
			b.Null("x")
		}
	case "Objects":
		seq := r.Objects("x", f)
		if r.State("x") == arg.Set {
			b.OpenArray("x")
			for s := range seq {
				b.OpenItem()
				s.Enum("action", arg.Required, "create\ndelete").Body(&b, "action")
				s.String("file_path", arg.Required).Body(&b, "file_path")
				b.CloseItem()
			}
			b.CloseArray()
		}
	default:
		t.Fatalf("no method %s", method)
	}
	out := b.Builder.String()
	if err := r.Err(); err != nil {
		out = "error"
		for _, p := range err.(*arg.Error).Problems {
			out += " | " + p.String()
		}
	}
	for _, n := range r.Notes() {
		out += " # " + n.String()
	}
	return out
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		method string
		flags  arg.Flags
		x      string // JSON of the value
		want   string
	}{
		// Whole numbers in every writing, of every size.
		{"Int", 0, `42`, `x:42;`},
		{"Int", 0, `-7`, `x:-7;`},
		{"Int", 0, `0`, `x:0;`},
		{"Int", 0, `-0`, `x:0; # x: a number was read as an integer`},
		{"Int", 0, `"42"`, `x:42; # x: a string was read as an integer`},
		{"Int", 0, `" 042 "`, `x:42; # x: a string was read as an integer`},
		{"Int", 0, `5.0`, `x:5; # x: a number was read as an integer`},
		{"Int", 0, `"5.0"`, `x:5; # x: a string was read as an integer`},
		{"Int", 0, `1e3`, `x:1000; # x: a number was read as an integer`},
		{"Int", 0, `1.5e1`, `x:15; # x: a number was read as an integer`},
		{"Int", 0, `100e-2`, `x:1; # x: a number was read as an integer`},
		{"Int", 0, `9007199254740993`, `x:9007199254740993;`},
		{"Int", 0, `123456789012345678901234567890`, `x:123456789012345678901234567890;`},
		{"Int", 0, `"9007199254740993"`, `x:9007199254740993; # x: a string was read as an integer`},
		{"Int", 0, `42.5`, `error | x: expected an integer, got a number with a fraction`},
		{"Int", 0, `"42.5"`, `error | x: expected an integer, got a number with a fraction`},
		{"Int", 0, `1e-3`, `error | x: expected an integer, got a number with a fraction`},
		{"Int", 0, `1e999999999999999999999`, `error | x: expected an integer, got a number that is too large`},
		{"Int", 0, `"abc"`, `error | x: expected an integer, got text that is no number`},
		{"Int", 0, `"1,000"`, `error | x: expected an integer, got text that is no number`},
		{"Int", 0, `"0x10"`, `error | x: expected an integer, got text that is no number`},
		{"Int", 0, `true`, `error | x: expected an integer, got a boolean`},
		{"Int", 0, `[1]`, `error | x: expected an integer, got an array`},
		{"Int", 0, `{}`, `error | x: expected an integer, got an object`},
		{"Int", 0, `null`, ``},
		{"Int", 0, `""`, ``},
		{"Int", arg.Required, `""`, `error | x: required: an integer`},
		{"Int", arg.Required, `null`, `error | x: required: an integer`},
		{"Int", arg.Clearable, `"none"`, `x:null;`},
		{"Int", 0, `"none"`, `error | x: expected an integer, got text that is no number`},
		{"IntRange", 0, `100`, `x:100;`},
		{"IntRange", 0, `-1`, `x:-1;`},
		{"IntRange", 0, `101`, `error | x: expected an integer from -1 to 100, got one outside of it`},
		{"IntRange", 0, `-2`, `error | x: expected an integer from -1 to 100, got one outside of it`},
		{"IntEnum", 0, `"30"`, `x:30; # x: a string was read as an integer`},
		{"IntEnum", 0, `31`, `error | x: expected one of 0, 30, 40, got another integer`},

		// Numbers keep their text.
		{"Number", 0, `1.50`, `x:1.50;`},
		{"Number", 0, `"1.50"`, `x:1.50; # x: a string was read as a number`},
		{"Number", 0, `"1.5.0"`, `error | x: expected a number, got text that is no number`},
		{"Number", 0, `""`, ``},
		{"NumberRange", 0, `1.5`, `x:1.5;`},
		{"NumberRange", 0, `1.51`, `error | x: expected a number from 0 to 1.5, got one outside of it`},
		{"NumberRange", 0, `-1e400`, `error | x: expected a number from 0 to 1.5, got one outside of it`},

		// Truth values.
		{"Bool", 0, `true`, `x:true;`},
		{"Bool", 0, `false`, `x:false;`},
		{"Bool", 0, `"false"`, `x:false; # x: a string was read as a boolean`},
		{"Bool", 0, `"TRUE"`, `x:true; # x: a string was read as a boolean`},
		{"Bool", 0, `"yes"`, `x:true; # x: a string was read as a boolean`},
		{"Bool", 0, `1`, `x:true; # x: a number was read as a boolean`},
		{"Bool", 0, `2`, `error | x: expected a boolean (true or false), got a number of another kind`},
		{"Bool", 0, `"maybe"`, `error | x: expected a boolean (true or false), got a string of another kind`},
		{"Bool", 0, `""`, ``},
		{"Bool", 0, `[]`, `error | x: expected a boolean (true or false), got an array`},

		// Texts.
		{"String", 0, `"a <b> & \"c\" \u00e4 \ud83d\ude00"`, `x:"a <b> & \"c\" ä 😀";`},
		{"String", 0, `""`, `x:"";`},
		{"String", arg.Required, `""`, `x:"";`},
		{"String", arg.Filter, `""`, ``},
		{"String", arg.Filter, `"None"`, `x=None;`},
		{"String", arg.Filter | arg.Required, `""`, `error | x: required: a string`},
		{"String", arg.Path | arg.Required, `""`, `error | x: required: a string`},
		{"String", 0, `1.10`, `x:"1.10"; # x: a number was read as a string`},
		{"String", 0, `true`, `error | x: expected a string, got a boolean`},
		{"String", 0, `["a"]`, `error | x: expected a string, got an array`},
		{"String", arg.Clearable, `"none"`, `x:null;`},
		{"String", arg.Clearable, `"None"`, `x:"None";`},

		// Ids.
		{"ID", 0, `"42"`, `x:"42";`},
		{"ID", 0, `42`, `x:42;`},
		{"ID", 0, `42.0`, `x:42;`},
		{"ID", 0, `9007199254740993`, `x:9007199254740993;`},
		{"ID", 0, `"group/project"`, `x:"group/project";`},
		{"ID", 0, `42.5`, `error | x: expected an id (a number or a path), got a number with a fraction`},
		{"ID", 0, `true`, `error | x: expected an id (a number or a path), got a boolean`},
		{"ID", 0, `{"id":1}`, `error | x: expected an id (a number or a path), got an object`},
		{"ID", arg.Required, `""`, `error | x: required: an id (a number or a path)`},

		// Enums.
		{"Enum", 0, `"opened"`, `x:"opened";`},
		{"Enum", 0, `"OPENED"`, `x:"opened"; # x: read as opened`},
		{"Enum", 0, `"open"`, `error | x: expected one of opened, closed, all, got another value; did you mean opened?`},
		{"Enum", 0, `"clsoed"`, `error | x: expected one of opened, closed, all, got another value; did you mean closed?`},
		{"Enum", 0, `"zzz"`, `error | x: expected one of opened, closed, all, got another value`},
		{"Enum", 0, `true`, `error | x: expected one of opened, closed, all, got a boolean`},
		{"Enum", 0, `""`, `error | x: expected one of opened, closed, all, got another value`},
		{"Enum", arg.Filter, `""`, ``},
		{"EnumYes", 0, `true`, `x:"yes"; # x: a boolean was read as a string`},
		{"EnumBlank", 0, `""`, `x:"";`},
		{"EnumBlank", 0, `"month"`, `error | x: expected one of week, got another value`},

		// Lists.
		{"Strings", 0, `["a","b"]`, `x:["a" "b"];`},
		{"Strings", 0, `[]`, `x:[];`},
		{"Strings", 0, `"a"`, `x:["a"]; # x: a string was read as an array of one`},
		{"Strings", 0, `"a, b,,c"`, `x:["a" "b" "c"]; # x: a string was read as an array, split at its commas`},
		{"Strings", 0, `["a,b"]`, `x:["a,b"];`},
		{"Strings", 0, `"[\"a\",\"b\"]"`, `x:["a" "b"]; # x: JSON text was read as an array`},
		{"Strings", 0, `"[draft]"`, `x:["[draft]"]; # x: a string was read as an array of one`},
		{"Strings", 0, `7`, `x:["7"]; # x: a number was read as an array of one`},
		{"Strings", 0, `["a",null,1]`, `x:["a" "1"]; # x[1]: null was left out # x[2]: a number was read as a string`},
		{"Strings", 0, `["a",{},[]]`, `error | x[1]: expected a string, got an object | x[2]: expected a string, got an array`},
		{"Strings", 0, `{"a":1}`, `error | x: expected an array of strings, got an object`},
		{"Strings", 0, `""`, ``},
		{"StringsComma", 0, `""`, `x:"";`},
		{"StringsComma", 0, `[]`, `x:"";`},
		{"StringsComma", 0, `["a","b"]`, `x:"a,b";`},
		{"StringsQuery", arg.Filter, `[]`, ``},
		{"StringsQuery", arg.Filter, `""`, ``},
		{"StringsQuery", arg.Filter, `["a",""]`, `x=a;x[]=a; # x[1]: an empty text was left out`},
		{"StringsQuery", 0, `[]`, `x=;x[]=;`},
		{"EnumStrings", 0, `["opened","shut"]`, `error | x[1]: expected one of opened, closed, all, got another value`},
		{"EnumStrings", 0, `"opened,closed"`, `x:["opened" "closed"]; # x: a string was read as an array, split at its commas`},
		{"IDs", 0, `[1,"a/b",2.0]`, `x:["1" "a/b" "2"];`},
		{"Ints", 0, `[1,2]`, `x:[1 2];`},
		{"Ints", 0, `"1, 2"`, `x:[1 2]; # x: a string was read as an array, split at its commas`},
		{"Ints", 0, `3`, `x:[3]; # x: a number was read as an array of one`},
		{"Ints", 0, `["1",2.5,"x"]`, `error | x[1]: expected an integer, got a number with a fraction | x[2]: expected an integer, got text that is no number # x[0]: a string was read as an integer`},
		{"Ints", 0, `[]`, `x:[];`},
		{"Ints", 0, `""`, ``},
		{"Ints", arg.Clearable, `"none"`, `x:null;`},
		{"IntEnums", 0, `[30,31]`, `error | x[1]: expected one of 0, 30, 40, got another integer`},
		{"Numbers", 0, `[1.50,"2"]`, `x:[1.50 2]; # x[1]: a string was read as a number`},

		// Free-form values stay as they are.
		{"Map", 0, `{"b": 1.0, "a": null, "c": [1, {"d": 12345678901234567890}]}`, `x:{"b":1.0,"a":null,"c":[1,{"d":12345678901234567890}]};`},
		{"Map", 0, `"{\"a\": 1}"`, `x:{"a":1}; # x: JSON text was read as an object`},
		{"Map", 0, `{}`, `x:{};`},
		{"Map", 0, `""`, ``},
		{"Map", 0, `[]`, `error | x: expected an object, got an array`},
		{"Map", 0, `"a=b"`, `error | x: expected an object, got a string`},
		{"MapQuery", 0, `{"a":"1 2","b":{"c":[1,true]},"d":null}`, `x[a]=1 2;x[b][c][]=1;x[b][c][]=true;x[d]=;`},
		{"Any", 0, `[1, {"a": null}]`, `x:[1,{"a":null}];`},
		{"Any", 0, `""`, `x:"";`},
		{"Any", 0, `null`, ``},

		// Objects.
		{"Object", 0, `{"n":1}`, `x{n:1;}`},
		{"Object", 0, `"{\"n\":\"1\"}"`, `x{n:1;} # x: JSON text was read as an object # x.n: a string was read as an integer`},
		{"Object", 0, `{}`, `error | x.n: required: an integer`},
		{"Object", 0, `{"n":1,"nn":2}`, `error | x.nn: no such parameter`},
		{"Object", 0, `3`, `error | x: expected an object, got a number`},
		{"Object", 0, `null`, ``},
		{"Object", arg.Clearable, `"none"`, `x:null;`},
		{"Objects", 0, `[{"action":"create","file_path":"a"},{"action":"delete","file_path":"b"}]`, `x[{action:"create";file_path:"a";}{action:"delete";file_path:"b";}]`},
		{"Objects", 0, `{"action":"create","file_path":"a"}`, `x[{action:"create";file_path:"a";}] # x: an object was read as an array of one`},
		{"Objects", 0, `"[{\"action\":\"create\",\"file_path\":\"a\"}]"`, `x[{action:"create";file_path:"a";}] # x: JSON text was read as an array`},
		{"Objects", 0, `"{\"action\":\"create\",\"file_path\":\"a\"}"`, `x[{action:"create";file_path:"a";}] # x: JSON text was read as an object # x: an object was read as an array of one`},
		{"Objects", 0, `[]`, `x[]`},
		{"Objects", 0, `[{"action":"creat","filepath":"a"},7]`, `error | x[0].filepath: no such parameter; did you mean file_path? | x[0].action: expected one of create, delete, got another value; did you mean create? | x[0].file_path: required: a string | x[1]: expected an object, got a number`},
		{"Objects", 0, `"a"`, `error | x: expected an array of objects, got a string`},
		{"Objects", arg.Required, `null`, `error | x: required: an array of objects`},

		// Files.
		{"File", 0, `"hello\n"`, `x:file("" "" "hello\n" "");`},
		{"File", 0, `{"content":"aGk=","encoding":"base64","filename":"a.bin","content_type":"image/png"}`, `x:file("a.bin" "image/png" "hi" "");`},
		{"File", 0, `{"content":"data:image/png;base64,aGk=","encoding":"base64"}`, `x:file("" "" "hi" "");`},
		{"File", 0, `{"content":"_-8","encoding":"base64"}`, `x:file("" "" "\xff\xef" "");`},
		{"File", 0, `{"content":"aGk","encoding":"BASE64"}`, `x:file("" "" "hi" ""); # x.encoding: read as base64`},
		{"File", 0, `{"content":"a*k=","encoding":"base64"}`, `error | x.content: expected base64, got text that is no base64`},
		{"File", 0, `{"content":"aGk=====","encoding":"base64"}`, `error | x.content: expected base64, got text that is no base64`},
		{"File", 0, `{"content":"","filename":"empty"}`, `x:file("empty" "" "" "");`},
		{"File", 0, `{"path":"/tmp/a.txt"}`, `x:file("" "" "" "/tmp/a.txt");`},
		{"File", 0, `{"path":"/tmp/a.txt","content":"x"}`, `error | x: expected content or path, not both, got both`},
		{"File", 0, `{"filename":"a"}`, `error | x: required: a file: {content, encoding, filename} or {path}, or its text as a string`},
		{"File", 0, `{"content":"x","filename":"../../etc/pass\nwd"}`, `x:file("passwd" "" "x" "");`},
		{"File", 0, `{"content":"x","content_type":"a\r\nb: c"}`, `x:file("" "" "x" "");`},
		{"File", 0, `{"content":"x","encodng":"text"}`, `error | x.encodng: no such parameter; did you mean encoding?`},
		{"File", 0, `{"content":"x","encoding":"hex"}`, `error | x.encoding: expected one of text, base64, got another value`},
		{"File", 0, `"{\"content\":\"x\"}"`, `x:file("" "" "x" ""); # x: JSON text was read as an object`},
		{"File", 0, `"{\"name\":\"x\"}"`, `x:file("" "" "{\"name\":\"x\"}" "");`},
		{"File", 0, `""`, `x:"";`},
		{"File", arg.Filter, `""`, ``},
		{"File", arg.Required, `""`, `error | x: required: a file: {content, encoding, filename} or {path}, or its text as a string`},
		{"File", 0, `"none"`, `x:file("" "" "none" "");`},
		{"File", 0, `5`, `error | x: expected a file: {content, encoding, filename} or {path}, or its text as a string, got a number`},
		{"File", arg.Clearable, `"none"`, `x:"";`},
	} {
		if got := read(t, c.method, c.flags, `{"x":`+c.x+`}`); got != c.want {
			t.Errorf("%s(%d) of %s\n got %s\nwant %s", c.method, c.flags, c.x, got, c.want)
		}
	}
}

func TestAbsent(t *testing.T) {
	for _, m := range []string{"String", "ID", "Enum", "Int", "IntRange", "Number", "Bool", "Strings", "Ints", "Numbers", "Map", "Any", "File", "Object", "Objects"} {
		for _, params := range []string{`{}`, ``, `null`, `{"x":null}`} {
			if got := read(t, m, 0, params); got != "" {
				t.Errorf("%s of %s = %s, want nothing", m, params, got)
			}
			if got := read(t, m, arg.Required, params); !strings.HasPrefix(got, "error | x: required: ") || strings.Count(got, "|") != 1 {
				t.Errorf("required %s of %s = %s, want one problem", m, params, got)
			}
		}
	}
}

// TestAllProblems wants every problem of a call in one error.
func TestAllProblems(t *testing.T) {
	var r arg.Reader
	err := r.Reset([]byte(`{"projct_id":"a/b","issue_iid":"x","labels":{},"position":{"new_line":1.5,"oldline":3},
		"state_event":"reopened","first":1,"second":2,"weight":-1,"weight":2,"UserID":3}`))
	if err != nil {
		t.Fatal(err)
	}
	r.ID("project_id", arg.Required)
	r.Int("issue_iid", arg.Required)
	r.Strings("labels", 0)
	if p := r.Object("position", 0); p != nil {
		p.Int("new_line", 0)
		p.Int("old_line", 0)
	}
	r.Enum("state_event", 0, "close\nreopen")
	r.Int("first", 0)
	r.Int("second", 0)
	r.IntRange("weight", 0, "0", "")
	r.Int("user_id", 0)
	r.Rule("at_most_one", "first", "second")
	got := "\n"
	err = r.Err()
	for _, p := range err.(*arg.Error).Problems {
		got += p.String() + "\n"
	}
	want := `
projct_id: no such parameter; did you mean project_id?
UserID: no such parameter; did you mean user_id?
position.oldline: no such parameter; did you mean old_line?
weight: expected each name once, got the name twice
project_id: required: an id (a number or a path)
issue_iid: expected an integer, got text that is no number
labels: expected an array of strings, got an object
position.new_line: expected an integer, got a number with a fraction
state_event: expected one of close, reopen, got another value; did you mean reopen?
weight: expected an integer of at least 0, got one outside of it
expected at most one of first, second, got 2 of them
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems differ (-want +got):\n%s", diff)
	}
	if again := r.Err(); again.Error() != err.Error() {
		t.Errorf("a second Err differs: %v", again)
	}
}

func TestCheckPath(t *testing.T) {
	r := arg.Reader{CheckPath: func(name, v string) string {
		if v == ".." {
			return "something else"
		}
		return ""
	}}
	for range 2 { // Reset keeps it
		if err := r.Reset([]byte(`{"project_id":"..","name":"..","iid":"x"}`)); err != nil {
			t.Fatal(err)
		}
		r.ID("project_id", arg.Required|arg.Path)
		r.String("name", 0)
		r.Int("iid", arg.Required|arg.Path)
		err := r.Err()
		if want := "invalid arguments: project_id: expected something else; iid: expected an integer, got text that is no number"; err == nil || err.Error() != want {
			t.Errorf("Err = %v, want %s", err, want)
		}
	}
}

func TestReset(t *testing.T) {
	for params, want := range map[string]string{
		`[]`:          "params: expected an object, got an array",
		`"x"`:         "params: expected an object, got a string",
		`5`:           "params: expected an object, got a number",
		`{"a":1`:      "params: expected a JSON object, got text that is no JSON (unexpected end of JSON at byte 6)",
		`{"a":1}}`:    "params: expected a JSON object, got text that is no JSON (unexpected text behind the value at byte 7)",
		`"{\"a\":1}"`: "",
		" \n":         "",
		"\ufeff{}":    "params: expected a JSON object, got text that is no JSON (an unexpected character at byte 0)",
		`{"a":"\x"}`:  "params: expected a JSON object, got text that is no JSON (an unknown escape in a string at byte 7)",
	} {
		var r arg.Reader
		err := r.Reset([]byte(params))
		if want == "" {
			if err != nil {
				t.Errorf("Reset(%s) = %v", params, err)
			}
			continue
		}
		if err == nil || err.Error() != "invalid arguments: "+want {
			t.Errorf("Reset(%s) = %v, want %s", params, err, want)
		}
	}
}

func TestRules(t *testing.T) {
	for _, c := range []struct{ rule, params, want string }{
		{"one_of", `{}`, "expected at least one of a, b, c, got none"},
		{"one_of", `{"a":1,"b":2}`, ""},
		{"one_of", `{"a":null,"b":""}`, "expected at least one of a, b, c, got none"},
		{"exactly_one", `{}`, "expected exactly one of a, b, c, got none"},
		{"exactly_one", `{"a":1,"b":2}`, "expected exactly one of a, b, c, got 2 of them"},
		{"exactly_one", `{"a":1}`, ""},
		{"at_most_one", `{"a":1,"c":2}`, "expected at most one of a, b, c, got 2 of them"},
		{"at_most_one", `{}`, ""},
		{"all_or_none", `{"a":1}`, "expected all or none of a, b, c, got 1 of them"},
		{"all_or_none", `{}`, ""},
		{"all_or_none", `{"a":1,"b":2,"c":3}`, ""},
		{"one_of", `{"a":"x"}`, "a: expected an integer, got text that is no number"}, // given, if wrongly
	} {
		var r arg.Reader
		if err := r.Reset([]byte(c.params)); err != nil {
			t.Fatal(err)
		}
		for _, n := range []string{"a", "b", "c"} {
			r.Int(n, 0)
		}
		r.Rule(c.rule, "a", "b", "c")
		got := ""
		if err := r.Err(); err != nil {
			got = strings.TrimPrefix(err.Error(), "invalid arguments: ")
		}
		if got != c.want {
			t.Errorf("%s of %s = %q, want %q", c.rule, c.params, got, c.want)
		}
	}
}

// TestBefore covers what is done to arguments before a handler reads them.
func TestBefore(t *testing.T) {
	var r arg.Reader
	if err := r.Reset([]byte(`{"id":"a/b","per_page":"500","all_pages":true,"project_id":null,"state":"x"}`)); err != nil {
		t.Fatal(err)
	}
	r.Rename("id", "project_id") // the target stands there, even if null
	r.Delete("project_id")
	r.Rename("id", "project_id")
	r.Clamp("per_page", "100")
	if raw, ok := r.Raw("all_pages"); !ok || string(raw) != "true" {
		t.Errorf("Raw(all_pages) = %s, %t", raw, ok)
	}
	r.Delete("all_pages")
	r.Put("state", []byte(`"opened"`))
	r.Put("scope", []byte(`"all"`))
	var keys []string
	for k := range r.Keys() {
		keys = append(keys, k)
	}
	if diff := cmp.Diff([]string{"project_id", "per_page", "state", "scope"}, keys); diff != "" {
		t.Errorf("keys differ (-want +got):\n%s", diff)
	}
	var b recorder
	r.ID("project_id", arg.Required).Body(&b, "id")
	r.IntRange("per_page", arg.Filter, "1", "100").Query(&b, "per_page")
	r.Enum("state", 0, states).Query(&b, "state")
	r.String("scope", 0).Query(&b, "scope")
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	if got, want := b.Builder.String(), `id:"a/b";per_page=100;state=opened;scope=all;`; got != want {
		t.Errorf("wrote %s, want %s", got, want)
	}
	if diff := cmp.Diff([]arg.Note{
		{Path: "id", Change: "read as project_id"},
		{Path: "per_page", Change: "lowered to 100, the most that GitLab gives"},
	}, r.Notes()); diff != "" {
		t.Errorf("notes differ (-want +got):\n%s", diff)
	}
}

// TestReuse wants nothing of one call in the next, and values to stay valid.
func TestReuse(t *testing.T) {
	var r arg.Reader
	buf := []byte(`{"x":"first","o":{"y":1,"z":2}}`)
	if err := r.Reset(buf); err != nil {
		t.Fatal(err)
	}
	first := r.String("x", 0)
	r.Object("o", 0).Int("y", 0)
	if r.Err() == nil {
		t.Error("o.z went unnoticed")
	}
	copy(buf, `{"x":"other"`)
	if err := r.Reset([]byte(`{"o":{"y":3}}`)); err != nil {
		t.Fatal(err)
	}
	if y := r.Object("o", 0).Int("y", 0); y.V != "3" || first.V != "first" {
		t.Errorf("y = %v, first = %v", y, first)
	}
	if err := r.Err(); err != nil || len(r.Notes()) != 0 {
		t.Errorf("left over: %v, %v", err, r.Notes())
	}
}

// TestNoValues wants no value of the caller's in problems and notes.
func TestNoValues(t *testing.T) {
	const secret = "glpat-SECRET"
	for _, m := range []string{"ID", "Enum", "Int", "IntEnum", "IntRange", "Number", "Bool", "Strings", "EnumStrings", "Ints", "Numbers", "Map", "Object", "Objects"} {
		for _, x := range []string{`"` + secret + `"`, `["` + secret + `"]`, `{"content":"` + secret + `","encoding":"base64"}`, `"` + secret + `,` + secret + `"`} {
			got := read(t, m, 0, `{"x":`+x+`}`)
			if i := strings.Index(got, "error"); i >= 0 && strings.Contains(got[i:], secret) {
				t.Errorf("%s of %s shows the value: %s", m, x, got)
			}
			if _, notes, _ := strings.Cut(got, " # "); strings.Contains(notes, secret) {
				t.Errorf("%s of %s notes the value: %s", m, x, got)
			}
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"project_id", "issue_iid", "labels", "state_event", "assignee_ids", "milestone_id", "due_date", "per_page"}
	for name, want := range map[string]string{
		"projectId": "project_id", "project": "project_id", "PROJECT-ID": "project_id", "iid": "issue_iid", "label": "labels",
		"lables": "labels", "state": "state_event", "assignee_id": "assignee_ids", "asignee_id": "assignee_ids",
		"milestone": "milestone_id", "date": "due_date", "perpage": "per_page", "xyzzy": "", "": "", "e": "",
	} {
		if got := arg.Nearest(name, names); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{`{"a":1}`, `{"a":"1,2","o":{"a":1},"l":[{"a":1}]}`, `{"f":{"content":"aGk=","encoding":"base64"}}`, `{"\u0061":1e9}`, `"{}"`, `{"a":[[`, "{\"a\":\"\xff\"}"} {
		f.Add([]byte(s))
	}
	var r arg.Reader
	f.Fuzz(func(t *testing.T, params []byte) {
		if r.Reset(params) != nil {
			return
		}
		var b recorder
		for i, name := range []string{"a", "b", "o", "l", "f", ""} {
			fl := arg.Flags(i)
			r.String(name, fl).Body(&b, name)
			r.ID(name, fl).Body(&b, name)
			r.Enum(name, fl, states).Body(&b, name)
			n := r.IntRange(name, fl, "-5", "")
			if n.State == arg.Set && !scan.IsNumber(n.V) {
				t.Errorf("Int = %q", n.V)
			}
			r.IntEnum(name, fl, "1\n2")
			if n := r.Number(name, fl); n.State == arg.Set && !scan.IsNumber(n.V) {
				t.Errorf("Number = %q", n.V)
			}
			r.Bool(name, fl)
			r.EnumStrings(name, fl, states).BodyComma(&b, name)
			r.Strings(name, fl).QueryBrackets(&b, name)
			r.IDs(name, fl)
			r.Ints(name, fl).Body(&b, name)
			r.Numbers(name, fl)
			m := r.Map(name, fl)
			m.Query(&b, name)
			if m.State == arg.Set && scan.Valid(m.V) != nil {
				t.Errorf("Map = %q", m.V)
			}
			r.Any(name, fl).Query(&b, name)
			r.File(name, fl).Body(&b, name)
			if s := r.Object(name, fl); s != nil {
				s.Int("a", arg.Required)
			}
			for s := range r.Objects(name, fl) {
				s.Int("a", arg.Required)
				s.Object("o", 0)
			}
			r.Clamp(name, "100")
			r.Rename(name, "z")
		}
		r.Rule("all_or_none", "a", "b")
		if err := r.Err(); err != nil && err.Error() == "" {
			t.Error("an empty error")
		}
		_ = r.Notes()
	})
}

func TestDropNulls(t *testing.T) {
	var r arg.Reader
	if err := r.Reset([]byte(`{"a":null,"b":1,"c": null ,"d":{"e":null},"f":"null"}`)); err != nil {
		t.Fatal(err)
	}
	r.DropNulls()
	if got := slices.Collect(r.Keys()); !slices.Equal(got, []string{"b", "d", "f"}) {
		t.Errorf("left %v", got)
	}
	if d := r.Map("d", 0); string(d.V) != `{"e":null}` {
		t.Errorf("inner object %s", d.V)
	}
}

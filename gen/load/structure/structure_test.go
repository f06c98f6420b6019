package structure

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the wanted results in testdata")

func TestCut(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Cut(ar.Files[0].Data)
			if err != nil {
				t.Fatal(err)
			}
			if *update {
				ar.Files[1].Data = got.YAML
				if err := os.WriteFile(name, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if d := cmp.Diff(string(ar.Files[1].Data), string(got.YAML)); d != "" {
				t.Errorf("want -, got +:\n%s", d)
			}
			again, err := Cut(got.YAML)
			if err != nil {
				t.Fatalf("the result is no document: %v", err)
			}
			if d := cmp.Diff(string(got.YAML), string(again.YAML)); d != "" {
				t.Errorf("the result is not its own structure: first -, second +:\n%s", d)
			}
		})
	}
}

// TestCutIgnoresKeyOrder holds the result to what the document says: the order
// of its methods and of a schema's keys is none of it.
func TestCutIgnoresKeyOrder(t *testing.T) {
	a := "openapi: 3.0.0\npaths:\n  /a:\n    get: {responses: {}, tags: [x]}\n    put: {responses: {}}\n  /b:\n    get: {responses: {}}\n"
	b := "paths:\n  /b:\n    get: {responses: {}}\n  /a:\n    put: {responses: {}}\n    get: {tags: [x], responses: {}}\nopenapi: 3.0.0\n"
	da, err := Cut([]byte(a))
	if err != nil {
		t.Fatal(err)
	}
	db, err := Cut([]byte(b))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(da.YAML), string(db.YAML)); d != "" {
		t.Error(d)
	}
}

func TestCutFacts(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/json.txtar")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Cut(ar.Files[0].Data)
	if err != nil {
		t.Fatal(err)
	}
	want := &Document{YAML: got.YAML, Version: "19.5", Licence: "CC BY-SA 4.0", Operations: 1}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// head begins documents whose one operation or schema is the case.
const head = "openapi: 3.0.0\npaths:\n  /a:\n    get:\n      responses: {\"200\": {description: ok}}\n"

func TestCutRefuses(t *testing.T) {
	bomb := "openapi: 3.0.0\nx: &x0 [a, a]\n"
	for i := range 40 {
		bomb += fmt.Sprintf("x%d: &x%d [*x%d, *x%d]\n", i+1, i+1, i, i)
	}
	bomb += "paths: {}\n"

	tests := map[string]struct {
		input string
		is    error  // the error, or
		want  string // a part of its text
	}{
		"nothing":           {"", ErrEmpty, ""},
		"white space":       {" \n\t\n", ErrEmpty, ""},
		"comments":          {"# nothing\n", ErrEmpty, ""},
		"web page":          {"<!DOCTYPE html>\n<html><body>Sign in</body></html>", ErrMarkup, ""},
		"swagger yaml":      {"swagger: '2.0'\npaths: {}\n", ErrSwagger, ""},
		"swagger json":      {`{"swagger": "2.0", "paths": {}}`, ErrSwagger, ""},
		"another document":  {"name: x\non: push\n", ErrForeign, ""},
		"a list":            {"[1, 2]", ErrForeign, ""},
		"text":              {"404 not found", ErrForeign, ""},
		"openapi 4":         {"openapi: 4.0.0\npaths: {}\n", nil, `line 1: openapi version "4.0.0" is not supported`},
		"openapi 2":         {"openapi: 2.0\npaths: {}\n", nil, "is not supported"},
		"no paths":          {"openapi: 3.0.0\ninfo: {title: a}\n", nil, "has no paths"},
		"empty paths":       {"openapi: 3.0.0\npaths: {}\n", nil, "has no operations"},
		"null paths":        {"openapi: 3.0.0\npaths:\n", nil, `line 2: nothing stands under "paths", where an object is expected`},
		"cut-off YAML":      {head + "    put:\n      operationId: \"pu", nil, "not valid YAML or JSON"},
		"cut-off key":       {head + "    put:\n      operati", nil, "line 7: a string stands where an object is expected"},
		"cut-off operation": {head + "    put:\n      operationId: putA\n", nil, `has no "responses"; the document ends here: if it was cut off, download it again`},
		"cut-off list":      {head + "      parameters:\n", nil, `nothing stands under "parameters"`},
		"cut-off type":      {head + "      parameters:\n      - {name: a, in: query, schema: {type: strin}}\n", nil, `a type is "strin"`},
		"cut-off JSON":      {`{"openapi": "3.0.0", "paths": {"/a": {"get": {`, nil, "not valid YAML or JSON"},
		"control character": {"openapi: 3.0.0\npaths: {\"\x01\": {}}\n", nil, "not valid YAML or JSON"},
		"two documents":     {head + "---\nopenapi: 3.0.0\n", nil, "second YAML document"},
		"key twice":         {head + "    get: {}\n  /b: {}\n", nil, `line 6: "get" stands twice in one object; correct it, or take another copy`},
		"JSON key twice":    {`{"openapi": "3.0.0", "paths": {}, "paths": {}}`, nil, `"paths" stands twice`},
		"merge key":         {"openapi: 3.0.0\nx: &x {a: 1}\npaths:\n  /a: {<<: *x}\n", nil, "merge keys"},
		"alias to itself":   {"openapi: 3.0.0\npaths: &p\n  /a: *p\n", nil, "an alias contains itself"},
		"alias bomb":        {bomb, nil, "values"},
		"deep nesting":      {"openapi: 3.0.0\nx: " + strings.Repeat("[", 500) + strings.Repeat("]", 500) + "\npaths: {}\n", nil, "deeper than"},
		"path without /":    {"openapi: 3.0.0\npaths:\n  a: {}\n", nil, `line 3: the path "a" does not begin with a slash`},
		"flag":              {head + "      deprecated: maybe\n", nil, "true or false"},
		"schema":            {head + "      parameters: [{name: a, in: query, schema: string}]\n", nil, "a string stands where an object is expected"},
		"infinite default":  {head + "      parameters: [{name: a, in: query, schema: {default: .inf}}]\n", nil, "no finite number"},
		"parameter":         {head + "      parameters: [{name: a}]\n", nil, `has no "in"`},
		"id twice": {head + "      operationId: x\n  /b:\n    put: {operationId: x, responses: {}}\n", nil,
			`line 8: operationId "x" of PUT /b is that of GET /a (line 6) too; `},
		"dangling": {head + "      parameters: [{$ref: \"#/components/parameters/a\"}, {$ref: \"#/components/parameters/b\"}]\n", nil,
			`$ref leads nowhere in this document (cut off, or in need of bundling with other files?): "#/components/parameters/a" (line 6), "#/components/parameters/b" (line 6)`},
		"foreign reference": {head + "      parameters: [{$ref: \"a.yaml#/b\"}]\n", nil, `in need of bundling`},
		"dangling, unused":  {head + "components:\n  schemas:\n    A: {$ref: \"#/components/schemas/B\"}\n", nil, "leads nowhere"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Cut([]byte(test.input))
			if err == nil {
				t.Fatalf("no error; got\n%s", got.YAML)
			}
			if test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("got %q, want %q", err, test.is)
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %q, want …%s…", err, test.want)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than a line: %q", err)
			}
		})
	}
}

// FuzzCut gives any bytes: an error, or a document that is its own structure.
func FuzzCut(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(ar.Files[0].Data)
		f.Add(ar.Files[1].Data)
	}
	f.Add([]byte(head + "      deprecated: true\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		first, err := Cut(data)
		if err != nil {
			return
		}
		second, err := Cut(first.YAML)
		if err != nil {
			t.Fatalf("the result is no document: %v\n%s", err, first.YAML)
		}
		if d := cmp.Diff(string(first.YAML), string(second.YAML)); d != "" {
			t.Fatalf("the result is not its own structure: first -, second +:\n%s", d)
		}
	})
}

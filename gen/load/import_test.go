package load

import (
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab-mcp-server/gen/load/structure"
)

const small = `openapi: 3.0.0
info: {title: An API, description: Prose., version: v4, license: {name: CC BY-SA 4.0}}
paths:
  /a:
    get:
      parameters: [{name: description, in: query, description: Prose., schema: {type: string}}]
      responses: {"200": {description: Prose.}}
`

const smallCut = `openapi: "3.0.0"
info: {title: "", version: v4, license: {name: CC BY-SA 4.0}}
paths:
  /a:
    get:
      parameters:
      - {name: description, in: query, schema: {type: string}}
      responses:
        "200": {description: ""}
`

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestImport(t *testing.T) {
	in := writeFile(t, filepath.Join(t.TempDir(), "spec.yaml"), small)
	out := filepath.Join(t.TempDir(), "specs", "gitlab")
	got, err := Import(t.Context(), ImportOptions{In: in, Out: out, GitLabVersion: "19.2", Date: "2026-06"})
	if err != nil {
		t.Fatal(err)
	}
	want := Source{
		GitLabVersion: "19.2", Date: "2026-06", OpenAPIVersion: "v4", Input: "spec.yaml", Operations: 1,
		SHA256: got.Source.SHA256, Licence: "CC BY-SA 4.0",
	}
	if d := cmp.Diff(want, got.Source); d != "" || len(got.Source.SHA256) != 64 {
		t.Errorf("%s\n%s", got.Source.SHA256, d)
	}
	if d := cmp.Diff(smallCut, readFile(t, filepath.Join(out, SpecFile))); d != "" {
		t.Error(d)
	}
	page := readFile(t, filepath.Join(out, SourceFile))
	for _, part := range []string{
		"| GitLab version | 19.2 |", "| operations | 1 |", "| sha256 of the input | " + got.Source.SHA256 + " |",
		"| licence | CC BY-SA 4.0 |", "`go run ./cmd/gen import --in spec.yaml --gitlab-version 19.2 --date 2026-06`",
	} {
		if !strings.Contains(page, part) {
			t.Errorf("SOURCE.md lacks %q:\n%s", part, page)
		}
	}
	if !strings.Contains(readFile(t, filepath.Join(out, LicenceFile)), "https://creativecommons.org/licenses/by-sa/4.0/") {
		t.Error("the licence has no address")
	}
	entries, err := os.ReadDir(out)
	if err != nil || len(entries) != 3 {
		t.Errorf("%d files, want 3 (%v)", len(entries), err)
	}
	spec, err := Load(out)
	if err != nil || spec.GitLabVersion != "19.2" || len(spec.Operations) != 1 {
		t.Errorf("the result loads as %+v, %v", spec, err)
	}
}

// TestImportKeepsNotes imports over an older result on whose page somebody
// wrote.
func TestImportKeepsNotes(t *testing.T) {
	in := writeFile(t, filepath.Join(t.TempDir(), "spec.yaml"), small)
	out := t.TempDir()
	if _, err := Import(t.Context(), ImportOptions{In: in, Out: out, GitLabVersion: "19.2", Date: "2026-06"}); err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(out, SourceFile)
	writeFile(t, page, readFile(t, page)+"\nA note.\n")
	if _, err := Import(t.Context(), ImportOptions{In: in, Out: out, GitLabVersion: "19.5"}); err != nil {
		t.Fatal(err)
	}
	text := readFile(t, page)
	if !strings.HasSuffix(text, "\nA note.\n") || !strings.Contains(text, "| GitLab version | 19.5 |") ||
		!strings.Contains(text, "| date of the document | unknown |") || strings.Contains(text, "19.2") {
		t.Errorf("got:\n%s", text)
	}
}

func TestImportVersion(t *testing.T) {
	for upstream, want := range map[string]string{"'19.5'": "19.5", "19.5": "19.5", "v4": Unknown, "''": Unknown} {
		in := writeFile(t, filepath.Join(t.TempDir(), "spec.yaml"), strings.Replace(small, "v4", upstream, 1))
		got, err := Import(t.Context(), ImportOptions{In: in, Out: t.TempDir()})
		if err != nil || got.Source.GitLabVersion != want {
			t.Errorf("info.version %s: got %+v, %v; want %s", upstream, got, err, want)
		}
	}
}

// TestImportRefuses holds every error to leave what was there.
func TestImportRefuses(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/sign_in", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("\n<html>Sign in</html>")) })
	mux.HandleFunc("/private", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/sign_in", http.StatusFound) })
	mux.HandleFunc("/down", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	mux.HandleFunc("/short", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100000")
		w.Write([]byte(small))
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	local := func(text string) string { return writeFile(t, filepath.Join(t.TempDir(), "spec.yaml"), text) }

	tests := map[string]struct {
		o    ImportOptions
		is   error
		want string
	}{
		"no file":          {ImportOptions{In: filepath.Join(t.TempDir(), "none.yaml")}, fs.ErrNotExist, "none.yaml"},
		"a directory":      {ImportOptions{In: t.TempDir()}, nil, "directory"},
		"empty":            {ImportOptions{In: local("")}, structure.ErrEmpty, ""},
		"swagger":          {ImportOptions{In: local("swagger: '2.0'\n")}, structure.ErrSwagger, "import spec.yaml: "},
		"would not load":   {ImportOptions{In: local(strings.Replace(small, "type: string", "minimum: low", 1))}, nil, "the result would not load"},
		"status":           {ImportOptions{In: server.URL + "/down?private_token=s3cret"}, nil, "/down: the server answered 502 Bad Gateway"},
		"not found":        {ImportOptions{In: server.URL + "/none"}, nil, "404 Not Found"},
		"sign-in page":     {ImportOptions{In: server.URL + "/private"}, structure.ErrMarkup, ""},
		"cut-off transfer": {ImportOptions{In: server.URL + "/short"}, nil, "cut off"},
		"no server":        {ImportOptions{In: "http://127.0.0.1:1/a?private_token=s3cret"}, nil, "http://127.0.0.1:1/a: "},
		"no address":       {ImportOptions{In: "http://user:s3cret@[/"}, nil, "not valid"},
		"version":          {ImportOptions{In: local(small), GitLabVersion: "19 | 2"}, nil, "no version or date"},
		"date":             {ImportOptions{In: local(small), Date: "June\n2026"}, nil, "no version or date"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.o.Out = t.TempDir()
			page := Source{GitLabVersion: "1.0"}.table()
			writeFile(t, filepath.Join(test.o.Out, SourceFile), page)
			_, err := Import(t.Context(), test.o)
			if err == nil {
				t.Fatal("no error")
			}
			if test.is != nil && !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "s3cret") {
				t.Errorf("got %q, want …%s…", err, test.want)
			}
			if entries, err := os.ReadDir(test.o.Out); err != nil || len(entries) != 1 || readFile(t, filepath.Join(test.o.Out, SourceFile)) != page {
				t.Errorf("something was written: %v, %v", entries, err)
			}
		})
	}
}

func TestImportOverForeignPage(t *testing.T) {
	in := writeFile(t, filepath.Join(t.TempDir(), "spec.yaml"), small)
	out := t.TempDir()
	writeFile(t, filepath.Join(out, SourceFile), "# Mine\n")
	if _, err := Import(t.Context(), ImportOptions{In: in, Out: out}); !errors.Is(err, errNoMarks) {
		t.Errorf("got %v, want %v", err, errNoMarks)
	}
	if got := readFile(t, filepath.Join(out, SourceFile)); got != "# Mine\n" {
		t.Errorf("the page was changed to %q", got)
	}
}

func TestReadAllLimit(t *testing.T) {
	if got, err := readAll(strings.NewReader("abc"), "x", 3); err != nil || string(got) != "abc" {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := readAll(strings.NewReader("abcd"), "x", 3); err == nil || !strings.Contains(err.Error(), "x: larger than") {
		t.Errorf("got %v", err)
	}
}

// FuzzParse gives the loader every document that the importer lets pass: an
// error or operations, never a panic.
func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		_, doc, _ := strings.Cut(string(data), "-- openapi.yaml --\n")
		doc, _, _ = strings.Cut(doc, "-- SOURCE.md --")
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := structure.Cut(data)
		if err != nil {
			return
		}
		spec, err := parse(doc.YAML, "x.yaml")
		if err != nil {
			return
		}
		if len(spec.Operations) != doc.Operations {
			t.Errorf("%d operations were loaded, %d imported", len(spec.Operations), doc.Operations)
		}
	})
}

package render_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"net/http"
	"net/textproto"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/render"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestShape shapes every case of testdata. A case has options (one "name: value"
// a line), perhaps headers, and a body; it wants the structured result, the
// text with its footer, both written by -update.
func TestShape(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			in := map[string]string{}
			var kept []txtar.File
			for _, f := range a.Files {
				in[f.Name] = string(f.Data)
				if f.Name == "options" || f.Name == "headers" || f.Name == "body" {
					kept = append(kept, f)
				}
			}
			s := render.Shape(options(t, in["options"]), render.Answer{Status: status(in["options"]), Header: headers(t, in["headers"]), Body: body(t, in)})
			check(t, s)
			text := s.Text + render.Footer(s.Truncated, s.Notes)
			structured := string(s.Structured) + "\n"
			if *update {
				a.Files = append(kept, txtar.File{Name: "structured", Data: []byte(structured)}, txtar.File{Name: "text", Data: []byte(text)})
				if err := os.WriteFile(file, txtar.Format(a), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(in["structured"], structured); diff != "" {
				t.Errorf("structured differs (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(in["text"], text); diff != "" {
				t.Errorf("text differs (-want +got):\n%s", diff)
			}
		})
	}
}

// check holds a result against what holds for every result.
func check(t *testing.T, s render.Shaped) {
	t.Helper()
	var object map[string]json.RawMessage
	if err := json.Unmarshal(s.Structured, &object); err != nil {
		t.Errorf("structured is no object: %v\n%.300s", err, s.Structured)
	}
	if !utf8.Valid(s.Structured) || !utf8.ValidString(s.Text) {
		t.Error("invalid UTF-8 in the result")
	}
	if !json.Valid(render.AppendCuts(nil, s.Truncated)) {
		t.Errorf("cuts are no JSON: %s", render.AppendCuts(nil, s.Truncated))
	}
	for _, c := range s.Truncated {
		if c.Kept >= c.Total || c.Kept < 0 || c.Continue == "" {
			t.Errorf("cut %+v says nothing", c)
		}
	}
}

func body(t *testing.T, in map[string]string) []byte {
	b := in["body"]
	if strings.Contains(in["options"], "quoted: true") { // bytes that a text file cannot hold
		s, err := strconv.Unquote(strings.TrimSpace(b))
		if err != nil {
			t.Fatal(err)
		}
		return []byte(s)
	}
	return []byte(b)
}

func status(options string) int {
	if strings.Contains(options, "status: 204") {
		return http.StatusNoContent
	}
	return http.StatusOK
}

func headers(t *testing.T, text string) http.Header {
	h, err := textproto.NewReader(bufio.NewReader(strings.NewReader(text + "\n"))).ReadMIMEHeader()
	if err != nil {
		t.Fatal(err)
	}
	return http.Header(h)
}

func options(t *testing.T, text string) render.Options {
	t.Helper()
	var o render.Options
	kinds := map[string]catalog.Kind{"object": catalog.Object, "list": catalog.List, "text": catalog.Text, "binary": catalog.Binary, "none": catalog.None, "head": catalog.Head}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		n, _ := strconv.Atoi(value)
		switch name {
		case "kind":
			k, ok := kinds[value]
			if !ok {
				t.Fatalf("no kind %q", value)
			}
			o.Kind = k
		case "title":
			o.Title = value
		case "columns":
			o.Columns = strings.Fields(value)
		case "fields":
			o.Fields = strings.Fields(value)
		case "budget":
			o.Budget = n
		case "reveal":
			o.Reveal = value == "true"
		case "trace":
			o.Trace = value == "true"
		case "tail":
			o.Lines.Tail = n
		case "offset":
			o.Lines.Offset = n
		case "from":
			o.Lines.From = n
		case "to":
			o.Lines.To = n
		case "grep":
			o.Lines.Grep = value
		case "quoted", "status", "":
		default:
			t.Fatalf("no option %q", name)
		}
	}
	return o
}

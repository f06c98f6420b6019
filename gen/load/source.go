package load

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Source says where the spec was taken from. Its fields are the rows of a
// table in SOURCE.md, as people read them.
type Source struct {
	GitLabVersion  string // e.g. "19.2"
	Date           string // of the document, e.g. "2026-06"
	OpenAPIVersion string // info.version of the document
	Input          string // name of the file, or the address without its query
	SHA256         string // of the input, hexadecimal
	Operations     int
	Licence        string
}

// The table stands between these marks, so that an import renews the facts and
// leaves what people wrote around them.
const (
	beginFacts = "<!-- facts, written by `cmd/gen import`: begin -->"
	endFacts   = "<!-- facts: end -->"
)

const versionRow = "GitLab version"

// ReadSource reads the facts of SOURCE.md in dir; only the GitLab version is
// read back, the rest is for people.
func ReadSource(dir string) (Source, error) {
	file := filepath.Join(dir, SourceFile)
	data, err := os.ReadFile(file)
	if err != nil {
		return Source{}, fmt.Errorf("read the source of the spec: %w", err)
	}
	row := regexp.MustCompile(`(?m)^\| ` + versionRow + ` \| (.+?) \|`)
	m := row.FindSubmatch(data)
	if m == nil {
		return Source{}, fmt.Errorf("%s: no row %q; run `go run ./cmd/gen import` again", filepath.ToSlash(file), versionRow)
	}
	return Source{GitLabVersion: string(m[1])}, nil
}

// table renders the facts with the command that repeats the import.
func (s Source) table() string {
	command := "go run ./cmd/gen import --in " + s.Input + " --gitlab-version " + s.GitLabVersion + " --date " + s.Date
	var b strings.Builder
	b.WriteString(beginFacts + "\n\n| fact | value |\n|---|---|\n")
	for _, row := range [][2]string{
		{versionRow, s.GitLabVersion},
		{"date of the document", s.Date},
		{"`info.version`", s.OpenAPIVersion},
		{"input", s.Input},
		{"sha256 of the input", s.SHA256},
		{"operations", fmt.Sprint(s.Operations)},
		{"licence", s.Licence},
		{"taken by", "`" + command + "`"},
	} {
		fmt.Fprintf(&b, "| %s | %s |\n", row[0], cell(row[1]))
	}
	b.WriteString("\n" + endFacts)
	return b.String()
}

// cell keeps foreign text from breaking the table.
func cell(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.ReplaceAll(s, "|", `\|`)
}

var errNoMarks = errors.New("the marks around its facts are gone; restore them or remove the file")

// page renders SOURCE.md: old with the facts renewed, or a new page if there is
// no old one.
func (s Source) page(old []byte) ([]byte, error) {
	if old == nil {
		return []byte(newPage[0] + s.table() + newPage[1]), nil
	}
	head, rest, ok := bytes.Cut(old, []byte(beginFacts))
	if !ok {
		return nil, errNoMarks
	}
	_, tail, ok := bytes.Cut(rest, []byte(endFacts))
	if !ok {
		return nil, errNoMarks
	}
	return bytes.Join([][]byte{head, []byte(s.table()), tail}, nil), nil
}

// newPage is what stands above and below the facts of a page that is new.
var newPage = [2]string{
	`# Where the spec comes from

` + "`openapi.yaml`" + ` is the structure of GitLab's own OpenAPI document: facts only, without its prose. It is
never edited by hand; what is wrong in it is repaired in ` + "`specs/overlays`" + `.

`,
	`

## Take a newer one

1. Get ` + "`doc/api/openapi/openapi_v3.yaml`" + ` of the release's branch from GitLab's repository
   (gitlab.com/gitlab-org/gitlab).
2. ` + "`make spec SPEC=openapi_v3.yaml`" + `, or the command in the table with the new version and date.
3. Review the diff of ` + "`openapi.yaml`" + `: one parameter, property or response is one line.
`,
}

// licence is the text of specs/gitlab/LICENSE.
const licence = `The file openapi.yaml in this directory is derived from GitLab's OpenAPI document
(doc/api/openapi/openapi_v3.yaml of https://gitlab.com/gitlab-org/gitlab).

Copyright (c) GitLab B.V.
Licence: Creative Commons Attribution-ShareAlike 4.0 International (CC BY-SA 4.0)
https://creativecommons.org/licenses/by-sa/4.0/

Changes: structure only, prose removed. Descriptions, summaries, titles and examples
were left out, and the rest was sorted and written anew. SOURCE.md says which
document it was. The derived file is under the same licence.

Everything outside this directory is under the licence at the root of the repository.
`

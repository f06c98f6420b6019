package load

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"gitlab-mcp-server/gen/load/structure"
)

// ImportOptions say what to import.
type ImportOptions struct {
	In            string // a file, or an http(s) address
	Out           string // directory to write to; made if it is missing
	GitLabVersion string // e.g. "19.2"; "": the document's info.version, if that is a release
	Date          string // of the document, as people write it; "": not known
}

// Unknown stands in SOURCE.md for a version or date that nobody gave.
const Unknown = "unknown"

// Imported is what an import found.
type Imported struct {
	Source  Source
	Schemas int
	Bytes   int // size of openapi.yaml
}

var (
	release   = regexp.MustCompile(`^[0-9]+\.[0-9]+(\.[0-9]+)?$`)
	plainWord = regexp.MustCompile(`^[0-9A-Za-z._-]+$`)
)

// Import reads GitLab's OpenAPI document and writes its structure, the facts of
// its source and its licence to the directory Out. Either all files are
// written or, with an error, none: what is written was loaded before.
func Import(ctx context.Context, o ImportOptions) (*Imported, error) {
	for _, v := range []string{o.GitLabVersion, o.Date} {
		if v != "" && !plainWord.MatchString(v) {
			return nil, fmt.Errorf("%q is no version or date: letters, digits, dots and dashes only", v)
		}
	}
	data, name, err := fetch(ctx, o.In)
	if err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	doc, err := structure.Cut(data)
	if err != nil {
		return nil, fmt.Errorf("import %s: %w", name, err)
	}
	if _, err := parse(doc.YAML, SpecFile); err != nil {
		return nil, fmt.Errorf("import %s: the result would not load: %w", name, err)
	}

	sum := sha256.Sum256(data)
	source := Source{
		GitLabVersion:  o.GitLabVersion,
		Date:           o.Date,
		OpenAPIVersion: doc.Version,
		Input:          name,
		SHA256:         hex.EncodeToString(sum[:]),
		Operations:     doc.Operations,
		Licence:        doc.Licence,
	}
	if source.GitLabVersion == "" && release.MatchString(doc.Version) {
		source.GitLabVersion = doc.Version
	}
	for _, s := range []*string{&source.GitLabVersion, &source.Date, &source.OpenAPIVersion, &source.Licence} {
		if *s == "" {
			*s = Unknown
		}
	}

	old, err := os.ReadFile(filepath.Join(o.Out, SourceFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("import: %w", err)
	}
	page, err := source.page(old)
	if err != nil {
		return nil, fmt.Errorf("import: %s: %w", SourceFile, err)
	}
	err = replace(o.Out, []file{{SpecFile, doc.YAML}, {SourceFile, page}, {LicenceFile, []byte(licence)}})
	if err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	return &Imported{Source: source, Schemas: doc.Schemas, Bytes: len(doc.YAML)}, nil
}

type file struct {
	name string
	data []byte
}

// replace writes files to dir: all of them beside their places first, so that
// a full disk leaves the old ones.
func replace(dir string, files []file) (err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var temps []string
	defer func() {
		for _, t := range temps {
			if rerr := os.Remove(t); rerr != nil && !errors.Is(rerr, fs.ErrNotExist) {
				err = errors.Join(err, rerr)
			}
		}
	}()
	for _, f := range files {
		t := filepath.Join(dir, "."+f.name+".tmp")
		temps = append(temps, t)
		if err := os.WriteFile(t, f.data, 0o644); err != nil {
			return err
		}
	}
	for i, f := range files {
		if err := os.Rename(temps[i], filepath.Join(dir, f.name)); err != nil {
			return err
		}
	}
	return nil
}

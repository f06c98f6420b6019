package structure

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Limits on foreign input. GitLab's document has 200,000 values, 14 deep.
const (
	maxNodes = 1_500_000
	maxDepth = 200
)

// SyntaxError says that the input is neither YAML nor JSON.
type SyntaxError struct{ Err error }

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("the input is not valid YAML or JSON (%v); if it was cut off, download it again", e.Err)
}

func (e *SyntaxError) Unwrap() error { return e.Err }

// parse reads one YAML or JSON document whose top is a mapping.
func parse(data []byte) (*node, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	text := bytes.TrimSpace(data)
	switch {
	case len(text) == 0:
		return nil, ErrEmpty
	case text[0] == '<':
		return nil, ErrMarkup
	}
	b := builder{}
	var root *node
	var err error
	if text[0] == '{' && json.Valid(text) {
		// JSON is YAML but for its surrogate escapes and tabs.
		root, err = b.json(data)
	} else {
		root, err = b.document(data)
	}
	if err != nil {
		return nil, err
	}
	if root.kind != mapping {
		return nil, ErrForeign
	}
	return root, nil
}

// builder makes nodes and counts them.
type builder struct {
	count int
	depth int
	open  map[*yaml.Node]bool // mappings and sequences being built: a guard against aliases to themselves
	lines []int               // JSON: offsets of line breaks
}

// enter accounts for one more value; leave undoes its depth.
func (b *builder) enter(line int) error {
	b.count++
	b.depth++
	if b.count > maxNodes {
		return &Fault{Line: line, Message: fmt.Sprintf("the document has more than %d values", maxNodes)}
	}
	if b.depth > maxDepth {
		return &Fault{Line: line, Message: fmt.Sprintf("values are nested deeper than %d", maxDepth)}
	}
	return nil
}

func (b *builder) leave() { b.depth-- }

func (b *builder) document(data []byte) (*node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, next yaml.Node
	if err := dec.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, ErrEmpty // comments alone
		}
		return nil, &SyntaxError{err}
	}
	switch err := dec.Decode(&next); {
	case err == nil:
		return nil, &Fault{Line: next.Line, Message: "a second YAML document begins here"}
	case !errors.Is(err, io.EOF):
		return nil, &SyntaxError{err}
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		return nil, ErrForeign
	}
	b.open = make(map[*yaml.Node]bool)
	return b.yaml(doc.Content[0])
}

func (b *builder) yaml(y *yaml.Node) (*node, error) {
	if err := b.enter(y.Line); err != nil {
		return nil, err
	}
	defer b.leave()
	switch y.Kind {
	case yaml.AliasNode:
		return b.yaml(y.Alias)
	case yaml.ScalarNode:
		return scalarOf(y)
	}
	if b.open[y] {
		return nil, &Fault{Line: y.Line, Message: "an alias contains itself"}
	}
	b.open[y] = true
	defer delete(b.open, y)

	n := &node{line: y.Line}
	switch y.Kind {
	case yaml.SequenceNode:
		n.kind = sequence
		for _, item := range y.Content {
			v, err := b.yaml(item)
			if err != nil {
				return nil, err
			}
			n.kids = append(n.kids, v)
		}
	case yaml.MappingNode:
		n.kind = mapping
		seen := make(map[string]bool, len(y.Content)/2)
		for i := 0; i+1 < len(y.Content); i += 2 {
			k := y.Content[i]
			for k.Kind == yaml.AliasNode {
				k = k.Alias
			}
			if k.Kind != yaml.ScalarNode {
				return nil, &Fault{Line: k.Line, Message: "a key is no plain text"}
			}
			if k.Value == "<<" && k.ShortTag() == "!!merge" {
				return nil, &Fault{Line: k.Line, Message: "YAML merge keys (<<) are not read"}
			}
			if seen[k.Value] {
				return nil, &Fault{Line: k.Line, Message: fmt.Sprintf("%q stands twice in one object", k.Value)}
			}
			seen[k.Value] = true
			v, err := b.yaml(y.Content[i+1])
			if err != nil {
				return nil, err
			}
			n.add(k.Value, v)
		}
	default:
		return nil, &Fault{Line: y.Line, Message: "a value of unknown kind"}
	}
	return n, nil
}

var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// scalarOf keeps numbers as written where JSON could write them so, and
// respells YAML's other forms (0x1F, 1_000, +1, .5).
func scalarOf(y *yaml.Node) (*node, error) {
	n := &node{text: y.Value, line: y.Line}
	switch y.ShortTag() {
	case "!!null":
		n.text = "null"
	case "!!bool":
		n.text = strings.ToLower(y.Value)
		if n.text != "true" && n.text != "false" {
			n.str = true // YAML 1.1's yes and no are words in 1.2
			n.text = y.Value
		}
	case "!!int", "!!float":
		if jsonNumber.MatchString(y.Value) {
			return n, nil
		}
		plain := strings.ReplaceAll(strings.TrimPrefix(y.Value, "+"), "_", "")
		if i, ok := new(big.Int).SetString(plain, 0); ok {
			n.text = i.String()
		} else if f, err := strconv.ParseFloat(plain, 64); err == nil && f-f == 0 {
			n.text = strconv.FormatFloat(f, 'g', -1, 64)
		} else {
			return nil, &Fault{Line: y.Line, Message: fmt.Sprintf("%s is no finite number", y.Value)}
		}
	default: // strings, and dates, which are text to OpenAPI
		n.str = true
	}
	return n, nil
}

func (b *builder) json(data []byte) (*node, error) {
	for i, c := range data {
		if c == '\n' {
			b.lines = append(b.lines, i)
		}
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return b.jsonValue(dec)
}

func (b *builder) jsonValue(dec *json.Decoder) (*node, error) {
	line := b.lineAt(dec.InputOffset())
	if err := b.enter(line); err != nil {
		return nil, err
	}
	defer b.leave()
	tok, err := dec.Token()
	if err != nil {
		return nil, &SyntaxError{err}
	}
	n := &node{line: b.lineAt(dec.InputOffset())}
	switch t := tok.(type) {
	case nil:
		n.text = "null"
	case bool:
		n.text = strconv.FormatBool(t)
	case json.Number:
		n.text = t.String()
	case string:
		n.text, n.str = t, true
	case json.Delim:
		if t == '[' {
			n.kind = sequence
		} else {
			n.kind = mapping
		}
		seen := make(map[string]bool)
		for dec.More() {
			var key string
			if n.kind == mapping {
				k, err := dec.Token()
				if err != nil {
					return nil, &SyntaxError{err}
				}
				key = k.(string)
				if seen[key] {
					return nil, &Fault{Line: b.lineAt(dec.InputOffset()), Message: fmt.Sprintf("%q stands twice in one object", key)}
				}
				seen[key] = true
			}
			v, err := b.jsonValue(dec)
			if err != nil {
				return nil, err
			}
			if n.kind == mapping {
				n.keys = append(n.keys, key)
			}
			n.kids = append(n.kids, v)
		}
		if _, err := dec.Token(); err != nil { // the closing delimiter
			return nil, &SyntaxError{err}
		}
	}
	return n, nil
}

// lineAt gives the line of a byte offset, counted from 1.
func (b *builder) lineAt(offset int64) int {
	lo, hi := 0, len(b.lines)
	for lo < hi {
		mid := (lo + hi) / 2
		if int64(b.lines[mid]) < offset {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo + 1
}

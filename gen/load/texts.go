package load

import (
	"bytes"
	"encoding/json"
	"fmt"

	"go.yaml.in/yaml/v4"
)

// place is where a key stands in the file, both counted from 1.
type place struct{ line, column int }

// texts holds scalar values as they are written, by the place of their key.
// kin-openapi reads limits and defaults as float64, which loses digits.
type texts map[place]string

var textKeys = map[string]bool{
	"default": true,
	"minimum": true, "maximum": true,
	"exclusiveMinimum": true, "exclusiveMaximum": true,
}

func readTexts(data []byte) (texts, error) {
	var doc yaml.Node
	if err := yaml.NewDecoder(bytes.NewReader(data)).Decode(&doc); err != nil {
		return nil, err
	}
	t := make(texts)
	if err := t.collect(&doc); err != nil {
		return nil, err
	}
	return t, nil
}

func (t texts) collect(n *yaml.Node) error {
	if n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			k, v := n.Content[i], n.Content[i+1]
			if !textKeys[k.Value] {
				continue
			}
			if err := t.put(k, v); err != nil {
				return err
			}
		}
	}
	for _, kid := range n.Content { // not into aliases
		if err := t.collect(kid); err != nil {
			return err
		}
	}
	return nil
}

// put keeps a scalar's text, and anything larger as JSON.
func (t texts) put(k, v *yaml.Node) error {
	at := place{k.Line, k.Column}
	if v.Kind == yaml.ScalarNode {
		if v.ShortTag() != "!!null" {
			t[at] = v.Value
		}
		return nil
	}
	if v.Kind == yaml.MappingNode && k.Value != "default" {
		return nil // a property of that name
	}
	var x any
	if err := v.Decode(&x); err != nil {
		return fmt.Errorf("line %d: %w", k.Line, err)
	}
	b, err := json.Marshal(x)
	if err != nil {
		return nil // no JSON value: a property's schema at most
	}
	t[at] = string(b)
	return nil
}

// Package diff compares two catalogs as callers see them: which actions and
// arguments came, went or changed, and which of the changes break a caller.
//
// It compares dumps, JSON documents that both the generator and the server
// print, so that any two releases can be compared without building either. It
// is not for comparing OpenAPI documents, and it knows nothing of GitLab.
package diff

import (
	"encoding/json"
	"fmt"
)

// Dump is a catalog as JSON: what the resource gitlab://tools lists, and for
// each action its number, its risk and its whole input schema. Fields that a
// document lacks are not compared.
type Dump struct {
	GitLab  string   `json:"gitlab_spec"`
	Actions []Action `json:"actions"`
}

// Action is one action of a dump.
type Action struct {
	ID          string   `json:"id"`
	Number      int      `json:"number,omitempty"` // in the ledger of names
	Title       string   `json:"title,omitempty"`
	Method      string   `json:"method"`
	Path        string   `json:"path"`
	Risk        string   `json:"risk,omitempty"` // read, write, destroy
	ReadOnly    *bool    `json:"read_only,omitempty"`
	Destructive *bool    `json:"destructive,omitempty"`
	Kind        string   `json:"kind,omitempty"`
	Deprecated  string   `json:"deprecated,omitempty"`
	Aliases     []string `json:"aliases,omitempty"`
	InputSchema *Schema  `json:"input_schema,omitempty"`
}

// risk is the action's risk, also where a dump has the two booleans only; ""
// where it says nothing.
func (a *Action) risk() string {
	switch {
	case a.Risk != "":
		return a.Risk
	case a.Destructive != nil && *a.Destructive:
		return "destroy"
	case a.ReadOnly != nil && *a.ReadOnly:
		return "read"
	case a.ReadOnly != nil && a.Destructive != nil:
		return "write"
	}
	return ""
}

// Schema is the part of a JSON schema that callers depend on.
type Schema struct {
	Type       string             `json:"type,omitempty"` // "" for any value
	Properties map[string]*Schema `json:"properties,omitempty"`
	Required   []string           `json:"required,omitempty"`
	Items      *Schema            `json:"items,omitempty"`
	Enum       []json.RawMessage  `json:"enum,omitempty"`
	Minimum    *json.Number       `json:"minimum,omitempty"`
	Maximum    *json.Number       `json:"maximum,omitempty"`
}

// Parse reads a dump.
func Parse(data []byte) (*Dump, error) {
	var d Dump
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, fmt.Errorf("read catalog: %w", err)
	}
	if len(d.Actions) == 0 {
		return nil, fmt.Errorf("read catalog: no actions; is this the output of catalog list --json?")
	}
	seen := map[string]bool{}
	for _, a := range d.Actions {
		if a.ID == "" || seen[a.ID] {
			return nil, fmt.Errorf("read catalog: action %q is empty or stands there twice", a.ID)
		}
		seen[a.ID] = true
	}
	return &d, nil
}

package own

import (
	"github.com/vektah/gqlparser/v2/ast"

	"gitlab-mcp-server/internal/exec"
	"gitlab-mcp-server/internal/scan"
)

// surveyed is what is worth knowing of an operation before it runs.
type surveyed struct {
	top         []string // names of the fields at its top, in order, whatever they are called in the answer
	quickAction bool     // a text that it hands over would run one
}

// entry is a fragment where it is spread: on the top level, or below it.
type entry struct {
	fragment string
	top      bool
}

// surveyor walks an operation through its fragments. It enters each of them once
// for a level: they may use one another in circles.
type surveyor struct {
	op        running
	variables string // JSON
	entered   map[entry]bool
	surveyed
}

// survey looks at an operation that runs with these variables.
func survey(op running, variables string) surveyed {
	s := surveyor{op: op, variables: variables, entered: map[entry]bool{}}
	s.selections(op.SelectionSet, true)
	return s.surveyed
}

// selections looks at what is selected, on the top level of the operation or
// below it.
func (s *surveyor) selections(set ast.SelectionSet, top bool) {
	for _, selection := range set {
		switch sel := selection.(type) {
		case *ast.Field:
			if top {
				s.top = append(s.top, sel.Name)
			}
			for _, a := range sel.Arguments {
				s.value(a.Name, a.Value)
			}
			s.selections(sel.SelectionSet, false)
		case *ast.InlineFragment:
			s.selections(sel.SelectionSet, top)
		case *ast.FragmentSpread:
			f := s.op.fragments.ForName(sel.Name)
			e := entry{sel.Name, top}
			if f == nil || s.entered[e] {
				continue
			}
			s.entered[e] = true
			s.selections(f.SelectionSet, top)
		}
	}
}

// value looks at what the argument or input field of that name is given. The
// elements of a list go by the name of the list.
func (s *surveyor) value(name string, v *ast.Value) {
	if v == nil {
		return
	}
	switch v.Kind {
	case ast.StringValue, ast.BlockValue:
		s.quickAction = s.quickAction || exec.QuickAction(name, v.Raw)
	case ast.Variable:
		s.variable(name, v.Raw)
	}
	for _, c := range v.Children {
		inner := c.Name
		if inner == "" {
			inner = name
		}
		s.value(inner, c.Value)
	}
}

// variable looks at everything that a variable may be where it stands for the
// argument of that name: its default and what the caller gives, each time if it
// is given twice.
func (s *surveyor) variable(name, variable string) {
	for _, d := range s.op.VariableDefinitions {
		if d.Variable == variable {
			s.value(name, d.DefaultValue)
		}
	}
	for key, given := range scan.Members(s.variables) {
		if scan.Key(key) == variable {
			s.quickAction = s.quickAction || exec.QuickActionInJSON(name, given)
		}
	}
}

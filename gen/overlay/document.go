package overlay

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"

	"gitlab-mcp-server/gen/ir"
)

// operation is one operation of a GraphQL document of ours.
type operation struct {
	pos       ir.Pos
	mutation  bool
	text      string
	variables []*ast.VariableDefinition
	used      bool
}

// documents are the operations under specs/graphql by name.
type documents map[string]*operation

// readDocuments parses every document beside the folder of overlays.
func (b *builder) readDocuments() documents {
	docs := documents{}
	dir := filepath.Join(b.src.dir, "..", "graphql")
	entries, err := os.ReadDir(dir)
	if err != nil {
		if !os.IsNotExist(err) {
			b.addf(ir.Pos{File: "specs/graphql"}, "%v", err)
		}
		return docs
	}
	for _, e := range entries {
		shown := "specs/graphql/" + e.Name()
		if filepath.Ext(e.Name()) != ".graphql" {
			b.addf(ir.Pos{File: shown}, "nobody reads a file of this name: a document is <domain>.graphql")
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			b.addf(ir.Pos{File: shown}, "%v", err)
			continue
		}
		b.document(docs, shown, string(text))
	}
	return docs
}

// document adds the operations of one file.
func (b *builder) document(docs documents, file, text string) {
	doc, err := parser.ParseQuery(&ast.Source{Name: file, Input: text})
	if err != nil {
		pos, message := ir.Pos{File: file}, err.Error()
		var syntax *gqlerror.Error
		if errors.As(err, &syntax) && len(syntax.Locations) > 0 {
			pos.Line, message = syntax.Locations[0].Line, syntax.Message
		}
		b.addf(pos, "not GraphQL: %s", message)
		return
	}
	at := func(p *ast.Position) ir.Pos { return ir.Pos{File: file, Line: p.Line} }
	parts := definitions(doc, text)
	usedFragments := map[string]bool{}
	for _, op := range doc.Operations {
		pos := at(op.Position)
		switch {
		case op.Name == "":
			b.addf(pos, "the operation has no name")
			continue
		case op.Operation == ast.Subscription:
			b.addf(pos, "%s is a subscription: its answer never ends", op.Name)
			continue
		case docs[op.Name] != nil:
			b.addf(pos, "operation %s stands in %v already", op.Name, docs[op.Name].pos)
			continue
		}
		u := usage{doc: doc, variables: map[string]bool{}, fragments: map[string]bool{}}
		u.selections(op.SelectionSet)
		for _, missing := range u.missing {
			b.addf(pos, "%s uses the fragment %s, which this file lacks", op.Name, missing)
		}
		declared := map[string]bool{}
		for _, v := range op.VariableDefinitions {
			declared[v.Variable] = true
			if !u.variables[v.Variable] {
				b.addf(at(v.Position), "%s declares the variable $%s and does not use it", op.Name, v.Variable)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(u.variables)) {
			if !declared[name] {
				b.addf(pos, "%s uses the variable $%s, which it does not declare", op.Name, name)
			}
		}
		o := &operation{pos: pos, mutation: op.Operation == ast.Mutation, variables: op.VariableDefinitions, text: compact(parts[op.Position.Start])}
		for _, name := range slices.Sorted(maps.Keys(u.fragments)) {
			usedFragments[name] = true
			if f := doc.Fragments.ForName(name); f != nil {
				o.text += " " + compact(parts[f.Position.Start])
			}
		}
		docs[op.Name] = o
	}
	for _, f := range doc.Fragments {
		if !usedFragments[f.Name] {
			b.addf(at(f.Position), "no operation uses the fragment %s", f.Name)
		}
	}
}

// definitions are the texts of the operations and fragments of a document by
// where they start. Each ends where the next one begins.
func definitions(doc *ast.QueryDocument, text string) map[int]string {
	runes := []rune(text)
	var starts []int
	for _, op := range doc.Operations {
		starts = append(starts, op.Position.Start)
	}
	for _, f := range doc.Fragments {
		starts = append(starts, f.Position.Start)
	}
	slices.Sort(starts)
	parts := map[int]string{}
	for i, start := range starts {
		end := len(runes)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		parts[start] = string(runes[start:end])
	}
	return parts
}

// usage finds the variables and fragments that an operation uses.
type usage struct {
	doc                  *ast.QueryDocument
	variables, fragments map[string]bool
	missing              []string
}

func (u *usage) selections(set ast.SelectionSet) {
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			u.arguments(s.Arguments)
			u.directives(s.Directives)
			u.selections(s.SelectionSet)
		case *ast.InlineFragment:
			u.directives(s.Directives)
			u.selections(s.SelectionSet)
		case *ast.FragmentSpread:
			u.directives(s.Directives)
			if u.fragments[s.Name] {
				continue
			}
			u.fragments[s.Name] = true
			f := u.doc.Fragments.ForName(s.Name)
			if f == nil {
				u.missing = append(u.missing, s.Name)
				continue
			}
			u.selections(f.SelectionSet)
		}
	}
}

func (u *usage) directives(list ast.DirectiveList) {
	for _, d := range list {
		u.arguments(d.Arguments)
	}
}

func (u *usage) arguments(list ast.ArgumentList) {
	for _, a := range list {
		u.value(a.Value)
	}
}

func (u *usage) value(v *ast.Value) {
	if v == nil {
		return
	}
	if v.Kind == ast.Variable {
		u.variables[v.Raw] = true
	}
	for _, c := range v.Children {
		u.value(c.Value)
	}
}

// compact is a document without comments and with the least white space. Commas
// are white space in GraphQL.
func compact(s string) string {
	var b strings.Builder
	space := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '#':
			for i < len(s) && s[i] != '\n' {
				i++
			}
			space = true
		case c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == ',':
			space = true
		default:
			if last := b.Len() - 1; space && last >= 0 && joins(b.String()[last]) && joins(c) {
				b.WriteByte(' ')
			}
			space = false
			if c != '"' {
				b.WriteByte(c)
				continue
			}
			end := i + 1
			for end < len(s) && s[end] != '"' {
				if s[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end, len(s)-1)
			b.WriteString(s[i : end+1])
			i = end
		}
	}
	return b.String()
}

// joins reports whether a token that begins or ends in c could run into its
// neighbour.
func joins(c byte) bool { return !strings.ContainsRune("{}()[]:!=|", rune(c)) }

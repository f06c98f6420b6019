package index

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gitlab-mcp-server/internal/token"
)

// lexicon turns the vocabulary into entries. The order matters: forms of other
// words and languages are read by the entries of the plain words. A word of
// another language that is an English one too, of those in names, is English.
func (v *vocabulary) lexicon(names map[string]bool) (*token.Builder, error) {
	b := token.NewBuilder()
	var errs []error
	add := func(key string, steps ...token.Step) {
		if err := b.Add(token.KeyOf(key), steps...); err != nil {
			errs = append(errs, err)
		}
	}
	// the first meaning of a key stays: others are other forms of that word
	addNew := func(form string, steps ...token.Step) {
		if !b.Has(token.KeyOf(form)) {
			add(form, steps...)
		}
	}
	plain, err := v.plain()
	if err != nil {
		return nil, err
	}
	for key, steps := range sorted(plain) {
		if err := b.Add(key, steps...); err != nil {
			errs = append(errs, err)
		}
	}
	marks := map[string]token.Mark{"and": token.MarkAnd, "pronoun": token.MarkPronoun, "how": token.MarkHow, "ask": token.MarkAsk, "called": token.MarkCalled, "not": token.MarkNot}
	addMarks := func(m map[string]forms) {
		for name, list := range sorted(m) {
			mark, ok := marks[name]
			if !ok {
				errs = append(errs, fmt.Errorf("unknown mark %q", name))
			}
			for _, w := range list {
				if key := token.ExactKey(w); mark == token.MarkCalled && key != "" {
					if !b.Has(key) {
						errs = append(errs, b.Add(key, token.Step{Op: token.OpMark, ID: uint16(mark)}))
					}
					continue
				}
				addNew(w, token.Step{Op: token.OpMark, ID: uint16(mark)})
			}
		}
	}
	addMarks(v.Marks)
	for _, w := range v.Stop {
		addNew(w, token.Step{Op: token.OpStop})
	}
	for _, w := range v.Everyday {
		if !names[token.KeyOf(w)] {
			addNew(w, token.Step{Op: token.OpForeign})
		}
	}
	for _, w := range v.Light {
		addNew(w, token.Step{Op: token.OpTerm, Weight: 100, Term: token.KeyOf(w)}, token.Step{Op: token.OpLight})
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	targets := []map[string]forms{v.Lemmas, v.Same}
	for _, lang := range sorted(v.Languages) {
		targets = append(targets, lang.Same)
	}
	for _, m := range targets {
		for target := range sorted(m) {
			for stem := range strings.FieldsSeq(token.KeyOf(target)) {
				b.Term(stem)
			}
		}
	}
	l, err := b.Lexicon()
	if err != nil {
		return nil, err
	}
	from := map[string]string{} // forms and what they are read as
	same := func(m map[string]forms, strict bool) {
		for target, list := range sorted(m) {
			steps := l.Read(target)
			if len(steps) == 0 && b.Has(token.KeyOf(target)) {
				steps = []token.Step{{Op: token.OpStop}}
			}
			if len(steps) == 0 {
				errs = append(errs, fmt.Errorf("%q means nothing by itself, nothing can be the same", target))
				continue
			}
			for _, form := range list {
				key := token.KeyOf(form)
				if key == token.KeyOf(target) || from[key] == target {
					continue // another ending
				}
				if !strict && (b.Has(key) || names[key]) {
					continue // a loanword: English has the say
				}
				from[key] = target
				add(form, steps...)
			}
		}
	}
	same(v.Lemmas, true)
	same(v.Same, true)
	for _, lang := range sorted(v.Languages) {
		same(lang.Same, false)
	}
	for _, lang := range sorted(v.Languages) {
		addMarks(lang.Marks)
		for _, w := range lang.Stop {
			addNew(w, token.Step{Op: token.OpStop})
		}
	}
	return b, errors.Join(errs...)
}

// plain gives the meaning of compounds, verbs, scopes and words with near
// words; a word may be several of them.
func (v *vocabulary) plain() (map[string][]token.Step, error) {
	type word struct {
		terms, rest []token.Step
	}
	words := map[string]*word{}
	at := func(key string) *word {
		key = token.KeyOf(key)
		if words[key] == nil {
			words[key] = &word{}
		}
		return words[key]
	}
	term := func(key string) string { return strings.ReplaceAll(token.KeyOf(key), " ", "_") }
	compound := map[string]bool{}
	for _, c := range v.Compounds {
		compound[token.KeyOf(c)] = true
		w := at(c)
		w.terms = append(w.terms, token.Step{Op: token.OpTerm, Weight: 100, Term: term(c)})
	}
	for verb, classes := range sorted(v.Verbs) {
		w := at(verb)
		if key := term(verb); !strings.Contains(key, "_") {
			w.rest = append(w.rest, token.Step{Op: token.OpVerb, Term: key})
		}
		for name, weight := range sorted(classes) {
			if name == "term" {
				if len(w.terms) == 0 {
					w.terms = append(w.terms, token.Step{Op: token.OpTerm, Weight: uint8(weight), Term: term(verb)})
				}
				continue
			}
			class := slices.Index(token.ClassNames[:], name)
			if class < 0 {
				return nil, fmt.Errorf("verb %s: unknown class %q", verb, name)
			}
			w.rest = append(w.rest, token.Step{Op: token.OpClass, Weight: uint8(weight), ID: uint16(class)})
		}
	}
	for name, list := range sorted(v.Scopes) {
		scope := slices.Index(token.ScopeNames[:], name)
		if scope < 0 {
			return nil, fmt.Errorf("unknown scope %q", name)
		}
		for _, form := range list {
			w := at(form)
			if len(w.terms) == 0 {
				w.terms = append(w.terms, token.Step{Op: token.OpTerm, Weight: 100, Term: term(form)})
			}
			w.rest = append(w.rest, token.Step{Op: token.OpScope, Weight: 100, ID: uint16(scope)})
		}
	}
	kinds := map[string]token.Kind{"issue": token.Issue, "merge": token.Merge, "sha": token.SHA, "name": token.User, "file": token.Dotted}
	for name, list := range sorted(v.Values) {
		kind, ok := kinds[name]
		if !ok {
			return nil, fmt.Errorf("unknown kind of value %q", name)
		}
		w := &word{}
		words[token.ValueKey(kind)] = w
		for to, weight := range sorted(list) {
			op := token.OpAlt
			if len(w.terms) == 0 {
				op = token.OpTerm
			}
			w.terms = append(w.terms, token.Step{Op: op, Weight: uint8(weight), Term: term(to)})
		}
	}
	for from, list := range sorted(v.Near) {
		w := at(from)
		if len(w.terms) == 0 && len(w.rest) == 0 {
			w.terms = append(w.terms, token.Step{Op: token.OpTerm, Weight: 100, Term: term(from)})
		}
		for to, weight := range sorted(list) {
			if strings.Contains(token.KeyOf(to), " ") && !compound[token.KeyOf(to)] {
				return nil, fmt.Errorf("%s: near word %q is several words and no compound", from, to)
			}
			op := token.OpAlt
			if len(w.terms) == 0 {
				op = token.OpTerm
			}
			w.terms = append(w.terms, token.Step{Op: op, Weight: uint8(weight), Term: term(to)})
		}
	}
	out := make(map[string][]token.Step, len(words))
	for key, w := range words {
		out[key] = append(w.terms, w.rest...)
	}
	return out, nil
}

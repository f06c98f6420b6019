package index

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gitlab-mcp-server/gen/check"
	"gitlab-mcp-server/gen/ir"
	"gitlab-mcp-server/internal/token"
)

// Audit judges the search data of cat: names that hide others, actions that
// cannot be told apart or found, phrases and words without effect. The order is
// stable, errors first. What only a search can tell, a phrase that brings up
// another action, is found by package search/eval with the index that comes beside.
func Audit(cat *ir.Catalog, dir string) ([]check.Finding, *token.Index, error) {
	b, err := newBuilder(cat, dir)
	if err != nil {
		return nil, nil, err
	}
	if err := b.build(); err != nil {
		return nil, nil, err
	}
	var list []check.Finding
	list = append(list, b.auditAliases()...)
	list = append(list, b.auditPhrases()...)
	list = append(list, b.auditTwins()...)
	list = append(list, b.auditWords()...)
	slices.SortStableFunc(list, func(x, y check.Finding) int {
		return cmp.Or(cmp.Compare(x.Severity, y.Severity), cmp.Compare(x.Message, y.Message))
	})
	return list, b.ix, nil
}

// found is a finding about a subject: an id, an alias or a word.
func found(s check.Severity, subject, message, fix string) check.Finding {
	return check.Finding{Severity: s, Message: subject + ": " + message, Fix: fix}
}

// auditAliases finds aliases that an id hides and targets that are no action.
func (b *builder) auditAliases() []check.Finding {
	var list []check.Finding
	known := map[string]bool{}
	for _, a := range b.cat.Actions {
		known[a.ID] = true
	}
	for _, alias := range b.cat.Aliases {
		if known[alias.Name] {
			list = append(list, found(check.Error, alias.Name, "this alias is the id of an action, which hides it", "drop the alias"))
		}
		for _, id := range alias.Targets {
			if !known[id] {
				list = append(list, found(check.Error, alias.Name, "this alias points to "+id+", which is no action", "name an action, or none and say why in note"))
			}
		}
	}
	return list
}

// auditPhrases finds phrases of no action, actions without a phrase, and
// phrases that say nothing of their action.
func (b *builder) auditPhrases() []check.Finding {
	var list []check.Finding
	known := map[string]bool{}
	for i, a := range b.cat.Actions {
		known[a.ID] = true
		d := b.docs[i]
		if len(d.phrases) == 0 {
			list = append(list, found(check.Warning, a.ID, "nothing but the words of its id leads to this action", "say in _phrases.yaml what a person would ask"))
		}
		for _, p := range d.empty {
			list = append(list, found(check.Warning, a.ID, fmt.Sprintf("the phrase %q says no more than the thing", p), "reword it so that it names what happens"))
		}
	}
	for name, file := range sorted(map[string]phrases{phrasesFile: b.phrases, lessonsFile: b.taught}) {
		for id := range sorted(file) {
			if !known[id] && (name != lessonsFile || id != nothing) {
				list = append(list, found(check.Error, id, name+" has phrases for this id, which is no action", "move them to the action's present id"))
			}
		}
	}
	return list
}

// auditTwins finds actions with the same words, verb and scope.
func (b *builder) auditTwins() []check.Finding {
	var list []check.Finding
	first := map[string]string{}
	for i, a := range b.cat.Actions {
		d := b.docs[i]
		var units []string
		for _, u := range d.units {
			units = append(units, fmt.Sprint(u.class, u.terms))
		}
		slices.Sort(units)
		key := fmt.Sprint(d.class, d.scope, units)
		if other, ok := first[key]; ok {
			list = append(list, found(check.Warning, a.ID, "no query can tell it from "+other, "give one of them a phrase of its own"))
		} else {
			first[key] = a.ID
		}
	}
	return list
}

// auditWords finds near words that no action has, and words that are the same as
// nothing that an action has: they lead nowhere.
func (b *builder) auditWords() []check.Finding {
	used := map[int]bool{}
	for _, d := range b.docs {
		for t := range d.bag {
			used[t] = true
		}
	}
	var list []check.Finding
	for from, to := range sorted(b.voc.Near) {
		for word := range sorted(to) {
			key := strings.ReplaceAll(token.KeyOf(word), " ", "_")
			if t, ok := b.lex.Find([]byte(key)); !ok || !used[t] {
				list = append(list, found(check.Warning, from, fmt.Sprintf("the near word %q is in no action", word), "name a word that actions have, or drop it"))
			}
		}
	}
	list = append(list, b.auditSame("same", b.voc.Same, used)...)
	for name, lang := range sorted(b.voc.Languages) {
		list = append(list, b.auditSame(name, lang.Same, used)...)
	}
	return list
}

// auditSame finds the words of same that no action has and that are no verb or
// scope either.
func (b *builder) auditSame(where string, same map[string]forms, used map[int]bool) []check.Finding {
	var list []check.Finding
	for target := range sorted(same) {
		var q token.Query
		q.Scan(target)
		b.lex.Match(&q)
		leads := q.N == 0 // a word without meaning, said in another way
		for i := range q.N {
			s := &q.Slots[i]
			leads = leads || s.NClass > 0 || s.Scope != 0 || s.Kind == token.Connection
			for _, a := range s.Alts[:s.NAlts] {
				leads = leads || used[int(a.Term)]
			}
		}
		if !leads {
			list = append(list, found(check.Warning, where, fmt.Sprintf("other words for %q lead to no action", target), "name a word that actions have, or drop it"))
		}
	}
	return list
}

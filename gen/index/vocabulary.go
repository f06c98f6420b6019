package index

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// vocabulary is specs/overlays/_vocabulary.yaml: what words mean. A list of
// forms may stand as one string, separated by commas.
type vocabulary struct {
	Stop      forms                     `yaml:"stop"`      // words without meaning
	Light     forms                     `yaml:"light"`     // words of little weight
	Everyday  forms                     `yaml:"everyday"`  // words that have nothing to do with GitLab
	Marks     map[string]forms          `yaml:"marks"`     // and, pronoun, how, ask, called, not
	Compounds forms                     `yaml:"compounds"` // several words that are one term
	Lemmas    map[string]forms          `yaml:"lemmas"`    // irregular forms of a word
	Verbs     map[string]map[string]int `yaml:"verbs"`     // verb: class: hundredths; term: hundredths keeps the word itself
	Scopes    map[string]forms          `yaml:"scopes"`    // scope: words that name it
	Near      map[string]map[string]int `yaml:"near"`      // word: other words that it may mean, in hundredths
	Same      map[string]forms          `yaml:"same"`      // words: other ways to say exactly that
	Languages map[string]language       `yaml:"languages"` // by ISO 639 code
	Values    map[string]map[string]int `yaml:"values"`    // issue, merge, sha, name, file: words that such a value stands for
	Nouns     map[string]forms          `yaml:"nouns"`     // domain: other names of the thing
	Scope     scopeRules                `yaml:"scope_paths"`
	Use       map[string]int            `yaml:"use"` // domain: how daily, 0 to 100; 20 if absent
}

type language struct {
	Stop  forms            `yaml:"stop"`
	Marks map[string]forms `yaml:"marks"`
	Same  map[string]forms `yaml:"same"`
}

// scopeRules tell an action's scope by the start of its path. The longest
// prefix wins.
type scopeRules map[string]forms

type forms []string

// UnmarshalYAML reads a list, or one string with commas.
func (f *forms) UnmarshalYAML(unmarshal func(any) error) error {
	var list []string
	if err := unmarshal(&list); err == nil {
		*f = list
		return nil
	}
	var one string
	if err := unmarshal(&one); err != nil {
		return err
	}
	for form := range strings.SplitSeq(one, ",") {
		if form = strings.TrimSpace(form); form != "" {
			*f = append(*f, form)
		}
	}
	return nil
}

// check refuses weights that are no hundredths.
func (v *vocabulary) check() error {
	for kind, words := range sorted(map[string]map[string]map[string]int{"verbs": v.Verbs, "near": v.Near, "values": v.Values, "use": {"domain": v.Use}}) {
		for word, weights := range sorted(words) {
			for to, w := range sorted(weights) {
				if w < 0 || w > 100 {
					return fmt.Errorf("_vocabulary.yaml: %s: %s: %s has weight %d, not 0 to 100", kind, word, to, w)
				}
			}
		}
	}
	return nil
}

// phrases is specs/overlays/_phrases.yaml: action: what a person would say. The
// file of lessons has the same form.
type phrases map[string][]string

// Files of what people say.
const (
	phrasesFile = "_phrases.yaml" // matched, and learned from
	lessonsFile = "_lessons.yaml" // learned from only
)

func read(dir, name string, v any) error {
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	if err := yaml.NewDecoder(bytes.NewReader(data), yaml.DisallowUnknownField()).Decode(v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// readPhrases reads a file of phrases or lessons. It may be absent.
func readPhrases(dir, name string) (phrases, error) {
	var p phrases
	err := read(dir, name, &p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return p, err
}

// sorted yields the pairs of m in the order of keys.
func sorted[V any](m map[string]V) func(yield func(string, V) bool) {
	return func(yield func(string, V) bool) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}

// Phrases reads _phrases.yaml in dir: by id, what a person would say.
func Phrases(dir string) (map[string][]string, error) { return readPhrases(dir, phrasesFile) }

// Lessons reads _lessons.yaml in dir, which has the same form.
func Lessons(dir string) (map[string][]string, error) { return readPhrases(dir, lessonsFile) }

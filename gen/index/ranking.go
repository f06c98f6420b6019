package index

import (
	"fmt"
	"math"
	"slices"

	"gitlab-mcp-server/internal/token"
)

// ranking is specs/overlays/_ranking.yaml.
type ranking struct {
	Weights map[string]float64            `yaml:"weights"`
	Similar map[string]map[string]float64 `yaml:"similar"` // class asked: class of the action
}

// sure is how sure a word in a field is about the action.
func (r *ranking) sure(field uint8) float64 {
	return r.Weights["bag_"+token.FieldNames[field]]
}

// weights takes the numbers of _ranking.yaml, all of which must be there.
func (b *builder) weights() error {
	ix := b.ix
	for _, name := range token.WeightNames {
		w, ok := b.ranking.Weights[name]
		if !ok {
			return fmt.Errorf("_ranking.yaml lacks the weight %s", name)
		}
		ix.Weights = append(ix.Weights, int32(math.Round(w*1000)))
	}
	if len(b.ranking.Weights) > len(ix.Weights) {
		for name := range sorted(b.ranking.Weights) {
			if !slices.Contains(token.WeightNames[:], name) {
				return fmt.Errorf("_ranking.yaml has an unknown weight %s", name)
			}
		}
	}
	ix.Similar = make([]int32, token.NumClasses*token.NumClasses)
	for asked, row := range sorted(b.ranking.Similar) {
		i := slices.Index(token.ClassNames[:], asked)
		for class, w := range sorted(row) {
			j := slices.Index(token.ClassNames[:], class)
			if i < 0 || j < 0 {
				return fmt.Errorf("_ranking.yaml: unknown class %s or %s", asked, class)
			}
			ix.Similar[i*token.NumClasses+j] = int32(math.Round(w * 1000))
		}
	}
	return nil
}

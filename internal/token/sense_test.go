package token_test

import (
	"slices"
	"strings"
	"testing"

	"gitlab-mcp-server/internal/token"
)

// row is a stored sense with so many levels in each of the first dimensions.
func row(levels ...int) string {
	s := []byte(strings.Repeat(string(rune(token.SenseZero)), token.SenseDims))
	for i, n := range levels {
		s[i] = byte(token.SenseZero + n)
	}
	return string(s)
}

func senses() *token.Index {
	return &token.Index{
		Signs:      []uint32{3, 7, 9},
		SignSense:  row(20) + row(0, 20) + row(-45, 45),
		DocSense:   row(10) + row(0, 10) + row(-10, -10) + row(0, 0, 10),
		DocClass:   make([]uint8, 3),
		ClassSense: row() + row() + row() + row() + row(0, 30) + row(),
		SenseUnit:  token.SenseScale * 100,
	}
}

func TestSense(t *testing.T) {
	ix := senses()
	meets := func(signs ...token.Sign) (m []int32) {
		s := ix.Sense(signs)
		zero := ix.Meets(&s, 0)
		for doc := range 3 {
			m = append(m, ix.Meets(&s, doc)-zero)
		}
		return m
	}
	for name, tt := range map[string]struct {
		signs []token.Sign
		want  []int32
	}{
		"none":            {nil, []int32{0, 0, 0}},
		"an unknown one":  {[]token.Sign{{8, 100}}, []int32{0, 0, 0}},
		"one":             {[]token.Sign{{3, 100}}, []int32{0, -3200, -6400}},
		"half as weighty": {[]token.Sign{{3, 50}}, []int32{0, -3200, -6400}}, // by itself, as much
		"beside another":  {[]token.Sign{{3, 100}, {8, 100}}, []int32{0, -3200, -6400}},
		"another":         {[]token.Sign{{7, 100}}, []int32{0, 3200, -3200}},
		"two":             {[]token.Sign{{3, 100}, {7, 100}}, []int32{0, 0, -6780}},
		"the outermost":   {[]token.Sign{{9, 100}}, []int32{0, 14400, 7200}},
	} {
		if got := meets(tt.signs...); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

func TestAsks(t *testing.T) {
	ix := senses()
	s := ix.Sense(nil)
	even := ix.Asks(&s)
	for k, p := range even {
		if p != 1000/token.NumClasses {
			t.Errorf("without a sign, %s is asked for with %d of 1000", token.ClassNames[k], p)
		}
	}
	s = ix.Sense([]token.Sign{{7, 100}})
	asks := ix.Asks(&s)
	if asks[token.ClassDelete] < 950 || asks[token.ClassList] != asks[token.ClassAct] {
		t.Errorf("with a sign of deleting: %v", asks)
	}
	if got := (&token.Index{}).Asks(&s); got != even {
		t.Errorf("nothing learned: %v", got)
	}
}

func TestNothing(t *testing.T) {
	ix := senses()
	s := ix.Sense([]token.Sign{{7, 100}})
	if _, ok := ix.Nothing(&s); !ok {
		t.Error("nothing was taught and is not known")
	}
	ix.DocSense = ix.DocSense[:3*token.SenseDims]
	if _, ok := ix.Nothing(&s); ok {
		t.Error("nothing is known and was not taught")
	}
}

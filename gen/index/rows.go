package index

import (
	"math"
	"math/rand/v2"

	"gitlab-mcp-server/internal/token"
)

// rows are vectors that are being learned, by Adagrad with one rate for a row.
type rows struct {
	rows    []vector
	squares []float32 // of all slopes of a row so far: their mean over the dimensions, added up
	slopes  slopes    // of the batch
	sums    []vector  // of the rows at the end of some epochs
}

func newRows(n int, random *rand.Rand) *rows {
	r := &rows{rows: make([]vector, n), squares: make([]float32, n), slopes: newSlopes(n), sums: make([]vector, n)}
	for i := range r.rows {
		for d := range r.rows[i] {
			r.rows[i][d] = (float32(random.Float32()) - 0.5) / 3
		}
		r.squares[i] = 1e-3
	}
	return r
}

// step moves the rows against their slopes.
func (r *rows) step(rate float32) {
	for _, i := range r.slopes.touched {
		slope := &r.slopes.of[i]
		r.squares[i] += float32(slope.dot(slope) / token.SenseDims)
		r.rows[i].add(-rate/float32(math.Sqrt(float64(r.squares[i]))), slope)
	}
	r.slopes.clear()
}

// mean is where the rows lay on average.
func (r *rows) mean() []vector {
	list := make([]vector, len(r.sums))
	for i := range list {
		list[i].add(1/float32(settled), &r.sums[i])
	}
	return list
}

// slopes are what moves rows, those of all that have any.
type slopes struct {
	of      []vector
	touched []int
	marked  []bool
}

func newSlopes(n int) slopes { return slopes{of: make([]vector, n), marked: make([]bool, n)} }

// add adds a multiple of v to the slope of row i.
func (s *slopes) add(i int, by float32, v *vector) {
	if !s.marked[i] {
		s.marked[i] = true
		s.touched = append(s.touched, i)
	}
	s.of[i].add(by, v)
}

// moveTo adds all slopes to others and clears them.
func (s *slopes) moveTo(to *slopes) {
	for _, i := range s.touched {
		to.add(i, 1, &s.of[i])
	}
	s.clear()
}

func (s *slopes) clear() {
	for _, i := range s.touched {
		s.of[i], s.marked[i] = vector{}, false
	}
	s.touched = s.touched[:0]
}

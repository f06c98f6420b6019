//go:build race

package search_test

// race is whether the race detector runs: it makes a pool forget at random.
const race = true

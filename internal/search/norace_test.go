//go:build !race

package search_test

const race = false

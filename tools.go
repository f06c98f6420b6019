//go:build generate

// The generate build tag marks this file as no part of any program: it holds
// the one go:generate line. Tools are pinned by the tool lines of go.mod.
package main

//go:generate go run ./cmd/gen generate

package catalog

import "gitlab-mcp-server/internal/token"

// Index is the precomputed search index; package search gives it meaning. The
// generator writes it too, so its struct stands in a package that both import.
type Index = token.Index

// Lexicon is the vocabulary inside an Index.
type Lexicon = token.Lexicon

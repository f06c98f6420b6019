package config

import (
	"fmt"
	"strings"
)

// Problem is one thing that keeps the server from starting.
type Problem struct {
	Setting string // as the user wrote it: a variable or a --flag
	Message string // what is wrong and what to write instead; never a secret
}

// Error is all problems of one reading of the settings, at least one.
type Error struct{ Problems []Problem }

// Error lists the problems, one a line.
func (e *Error) Error() string {
	var b strings.Builder
	for i, p := range e.Problems {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(p.Setting)
		b.WriteString(": ")
		b.WriteString(p.Message)
	}
	return b.String()
}

// problems collects what is wrong.
type problems []Problem

func (p *problems) add(setting, format string, args ...any) {
	*p = append(*p, Problem{setting, fmt.Sprintf(format, args...)})
}

func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return &Error{p}
}

const notInThisBuild = "not in this build"

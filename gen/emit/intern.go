package emit

import (
	"strings"
)

// interner numbers lines of text: equal lines are one line, in the order in
// which they are first asked for.
type interner struct {
	text strings.Builder
	ends []uint32
	at   map[string]uint32
}

func (in *interner) line(s string) uint32 {
	if n, ok := in.at[s]; ok {
		return n
	}
	if in.at == nil {
		in.at = map[string]uint32{}
	}
	n := uint32(len(in.ends))
	in.at[s] = n
	in.text.WriteString(s)
	in.ends = append(in.ends, uint32(in.text.Len()))
	in.text.WriteByte('\n')
	return n
}

// lists numbers lists of interned strings; list 0 is empty.
type lists struct {
	flat []uint32
	ends []uint32
	at   map[string]uint32
}

func newLists() *lists {
	return &lists{ends: []uint32{0}, at: map[string]uint32{"": 0}}
}

func (l *lists) list(in *interner, ss []string) uint32 {
	if len(ss) == 0 {
		return 0
	}
	key := strings.Join(ss, "\x00") + "\x00"
	if n, ok := l.at[key]; ok {
		return n
	}
	for _, s := range ss {
		l.flat = append(l.flat, in.line(s))
	}
	n := uint32(len(l.ends))
	l.ends = append(l.ends, uint32(len(l.flat)))
	l.at[key] = n
	return n
}

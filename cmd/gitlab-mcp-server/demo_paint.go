package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"
)

// paintWidth is how wide the demo's output is at most, in characters.
const paintWidth = 96

// painter writes for a person: wrapped, indented, and with colours where the
// output is a terminal and NO_COLOR is not set.
type painter struct {
	w      io.Writer
	colour bool
}

func newPainter(w io.Writer) *painter {
	f, isFile := w.(*os.File)
	if !isFile || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return &painter{w: w}
	}
	info, err := f.Stat()
	return &painter{w: w, colour: err == nil && info.Mode()&os.ModeCharDevice != 0}
}

func (p *painter) paint(code, s string) string {
	if !p.colour {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (p *painter) bold(s string) string { return p.paint("1", s) }

func (p *painter) title(format string, args ...any) {
	fmt.Fprintln(p.w, p.paint("2", fmt.Sprintf(format, args...)))
}

func (p *painter) heading(n int, sentence string) {
	fmt.Fprintf(p.w, "\n%s\n", p.paint("1;36", fmt.Sprintf("%d. %q", n, sentence)))
}

// label writes a text with a word before it.
func (p *painter) label(word, format string, args ...any) {
	for i, part := range wrap(fmt.Sprintf(format, args...), paintWidth-12) {
		if i > 0 {
			word = ""
		}
		fmt.Fprintf(p.w, "   %s %s\n", p.paint("32", fmt.Sprintf("%-8s", word)), part)
	}
}

// detail writes a line below a label, cut to the width.
func (p *painter) detail(s string) {
	const indent = 12
	if n := paintWidth - indent; utf8.RuneCountInString(s) > n {
		cut := string([]rune(s)[:n-1])
		if i := strings.LastIndex(cut, ", "); i > 0 {
			cut = cut[:i+1] + " "
		}
		s = cut + "…"
	}
	fmt.Fprintln(p.w, strings.Repeat(" ", indent)+p.paint("2", s))
}

func (p *painter) note(s string) { fmt.Fprintf(p.w, "   %s\n", p.paint("33", s)) }

func (p *painter) footer(format string, args ...any) {
	fmt.Fprintln(p.w)
	p.title(format, args...)
}

// markdown writes a result behind a bar, long lines wrapped between words.
func (p *painter) markdown(text string) {
	for line := range strings.Lines(strings.TrimSpace(text)) {
		for _, part := range wrap(strings.TrimRight(line, "\n"), paintWidth-5) {
			fmt.Fprintln(p.w, strings.TrimRight("   "+p.paint("2", "│")+" "+part, " "))
		}
	}
}

// wrap cuts a line between words so that no part is wider than width, as far as
// the words allow.
func wrap(line string, width int) []string {
	if utf8.RuneCountInString(line) <= width {
		return []string{line}
	}
	var out []string
	current := ""
	for word := range strings.SplitSeq(line, " ") {
		if current != "" && utf8.RuneCountInString(current)+1+utf8.RuneCountInString(word) > width {
			out = append(out, current)
			current = word
			continue
		}
		if current != "" {
			current += " "
		}
		current += word
	}
	return append(out, current)
}

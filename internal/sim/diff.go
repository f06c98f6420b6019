package sim

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// change is one file that differs between two trees.
type change struct {
	oldPath, newPath     string
	before, after        file
	added, deleted, mode bool
	renamed              bool
}

// changes compares two trees. A deleted file whose content appears under another
// path counts as renamed.
func changes(a, b tree) []change {
	var gone, out []change
	for _, p := range slices.Sorted(maps.Keys(a)) {
		if _, still := b[p]; !still {
			gone = append(gone, change{oldPath: p, newPath: p, before: a[p], deleted: true})
		}
	}
	for _, p := range slices.Sorted(maps.Keys(b)) {
		old, was := a[p]
		switch {
		case !was:
			c := change{oldPath: p, newPath: p, after: b[p], added: true}
			if i := slices.IndexFunc(gone, func(g change) bool { return g.before.content == b[p].content }); i >= 0 {
				c.oldPath, c.before, c.added, c.renamed = gone[i].oldPath, gone[i].before, false, true
				gone = slices.Delete(gone, i, i+1)
			}
			out = append(out, c)
		case old != b[p]:
			out = append(out, change{oldPath: p, newPath: p, before: old, after: b[p], mode: old.executable != b[p].executable})
		}
	}
	out = append(out, gone...)
	slices.SortStableFunc(out, func(x, y change) int { return strings.Compare(x.newPath, y.newPath) })
	return out
}

// splitLines cuts a text behind its line ends.
func splitLines(s string) []string {
	return slices.Collect(strings.Lines(s))
}

// maxCells bounds the work of comparing two files, as lines times lines.
const maxCells = 4 << 20

// matching pairs the lines that a and b have in common, as a longest common
// subsequence: for each line of b its place in a, or -1.
func matching(a, b []string) []int {
	out := make([]int, len(b))
	for i := range out {
		out[i] = -1
	}
	if len(a)*len(b) > maxCells {
		return out
	}
	width := len(b) + 1
	best := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				best[i*width+j] = best[(i+1)*width+j+1] + 1
			} else {
				best[i*width+j] = max(best[(i+1)*width+j], best[i*width+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			out[j] = i
			i++
			j++
		case best[(i+1)*width+j] >= best[i*width+j+1]:
			i++
		default:
			j++
		}
	}
	return out
}

// around is how many equal lines a hunk has around what differs.
const around = 3

// unified is the difference of two texts as hunks, without file headers, and how
// many lines came and went.
func unified(before, after string) (text string, plus, minus int) {
	a, b := splitLines(before), splitLines(after)
	type line struct {
		mark byte
		text string
		i, j int // lines of a and b before it
	}
	var all []line
	i, j := 0, 0
	// upTo takes the lines that differ, up to a place in both: what goes before what
	// comes.
	upTo := func(ai, bj int) {
		minus += ai - i
		plus += bj - j
		for ; i < ai; i++ {
			all = append(all, line{'-', a[i], i, j})
		}
		for ; j < bj; j++ {
			all = append(all, line{'+', b[j], i, j})
		}
	}
	for bj, ai := range matching(a, b) {
		if ai >= 0 {
			upTo(ai, bj)
			all = append(all, line{' ', b[bj], i, j})
			i++
			j++
		}
	}
	upTo(len(a), len(b))
	var out strings.Builder
	for from := 0; from < len(all); {
		first := from
		for first < len(all) && all[first].mark == ' ' {
			first++
		}
		if first == len(all) {
			break
		}
		last := first
		for k := first; k < len(all) && k-last <= 2*around; k++ {
			if all[k].mark != ' ' {
				last = k
			}
		}
		start, end := max(from, first-around), min(len(all), last+around+1)
		var olds, news int
		for _, l := range all[start:end] {
			if l.mark != '+' {
				olds++
			}
			if l.mark != '-' {
				news++
			}
		}
		fmt.Fprintf(&out, "@@ -%s +%s @@\n", span(all[start].i, olds), span(all[start].j, news))
		for _, l := range all[start:end] {
			out.WriteByte(l.mark)
			out.WriteString(l.text)
			if !strings.HasSuffix(l.text, "\n") {
				out.WriteString("\n\\ No newline at end of file\n")
			}
		}
		from = end
	}
	return out.String(), plus, minus
}

func span(before, n int) string {
	if n == 0 {
		return fmt.Sprintf("%d,0", before)
	}
	return fmt.Sprintf("%d,%d", before+1, n)
}

// diffJSON is a change as the API shows it.
func (ch change) diffJSON() *object {
	text, _, _ := unified(ch.before.content, ch.after.content)
	if ch.renamed {
		text = ""
	}
	a, b := ch.before.mode(), ch.after.mode()
	if ch.added {
		a = "0"
	}
	if ch.deleted {
		b = "0"
	}
	return obj(
		"diff", text, "new_path", ch.newPath, "old_path", ch.oldPath, "a_mode", a, "b_mode", b,
		"new_file", ch.added, "renamed_file", ch.renamed, "deleted_file", ch.deleted, "generated_file", false,
		"collapsed", false, "too_large", false,
	)
}

func diffsJSON(list []change) []any {
	out := []any{}
	for _, ch := range list {
		out = append(out, ch.diffJSON())
	}
	return out
}

// patch is a list of changes as git prints them.
func patch(list []change) string {
	var b strings.Builder
	for _, ch := range list {
		fmt.Fprintf(&b, "diff --git a/%s b/%s\n", ch.oldPath, ch.newPath)
		from, to := "a/"+ch.oldPath, "b/"+ch.newPath
		switch {
		case ch.renamed:
			fmt.Fprintf(&b, "similarity index 100%%\nrename from %s\nrename to %s\n", ch.oldPath, ch.newPath)
			continue
		case ch.added:
			fmt.Fprintf(&b, "new file mode %s\n", ch.after.mode())
			from = "/dev/null"
		case ch.deleted:
			fmt.Fprintf(&b, "deleted file mode %s\n", ch.before.mode())
			to = "/dev/null"
		}
		text, _, _ := unified(ch.before.content, ch.after.content)
		fmt.Fprintf(&b, "--- %s\n+++ %s\n%s", from, to, text)
	}
	return b.String()
}

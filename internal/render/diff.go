package render

import (
	"strings"

	"gitlab-mcp-server/internal/scan"
)

// isDiffs reports whether the items are the changes of files.
func isDiffs(items [][]byte) bool {
	if len(items) == 0 {
		return false
	}
	for _, e := range items {
		d := pick(e, "diff", "new_path")
		if scan.KindOf(d[0]) != scan.String || scan.KindOf(d[1]) != scan.String {
			return false
		}
	}
	return true
}

// diffs renders changes of files, a heading and a diff each.
func (d *doc) diffs(items [][]byte) {
	for _, e := range items {
		f := pick(e, "old_path", "new_path", "diff", "new_file", "renamed_file", "deleted_file", "too_large", "collapsed")
		from, to := plainText(f[0], 0), plainText(f[1], 0)
		head := code(clip(to, maxFact))
		if from != to && from != "" {
			head = code(clip(from, maxFact)) + " → " + head
		}
		var marks []string
		for i, mark := range [...]string{"new", "renamed", "deleted", "too large to be shown", "collapsed"} {
			if string(f[3+i]) == "true" {
				marks = append(marks, mark)
			}
		}
		if len(marks) > 0 {
			head += " (" + strings.Join(marks, ", ") + ")"
		}
		d.line("**" + head + "**")
		if text := plainText(f[2], 0); text != "" {
			d.block("diff", text)
		}
	}
}

package own

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/exec"
	"gitlab-mcp-server/internal/scan"
)

// diffPosition makes the position of a comment on a diff, with its three SHAs, both
// paths and line codes, out of a file and its lines, by reading the diff.
func diffPosition(ctx context.Context, env *exec.Env, r *arg.Reader) error {
	file := r.String("file", 0)
	line := r.IntRange("line", 0, "1", "")
	last := r.IntRange("line_end", 0, "1", "")
	side := r.Enum("side", arg.Filter, "new\nold")
	if file.State != arg.Set || file.V == "" {
		for _, name := range [...]string{"line", "line_end", "side"} {
			if r.State(name) != arg.Absent {
				r.Problem(arg.Problem{Path: name, Code: arg.Invalid, Expected: "with it the file that the line stands in"})
			}
		}
		return nil
	}
	if r.State("position") != arg.Absent {
		return invalid("file", "either file and line, or position")
	}
	if line.State != arg.Set {
		return invalid("line", "the line of the file that the comment is on")
	}
	if r.State("project_id") == arg.Absent || r.State("merge_request_iid") == arg.Absent {
		return nil // the handler says that they are missing
	}
	want := target{file: file.V, old: side.V == "old"}
	var err error
	if want.first, err = strconv.Atoi(line.V); err != nil {
		return invalid("line", "a line number")
	}
	want.last = want.first
	if last.State == arg.Set {
		if want.last, err = strconv.Atoi(last.V); err != nil || want.last < want.first {
			return invalid("line_end", "a line at or after line")
		}
	}
	project, _ := r.Raw("project_id")
	iid, _ := r.Raw("merge_request_iid")
	at := mergeRequest{scan.Unquoted(string(project)), scan.Unquoted(string(iid))}
	p, err := at.position(ctx, env, want)
	if errors.Is(err, exec.ErrDryRun) {
		p, err = want.placeholder(), nil
	}
	if err != nil {
		return err
	}
	for _, name := range [...]string{"file", "line", "line_end", "side"} {
		r.Delete(name)
	}
	r.Put("position", p.json())
	return nil
}

// target is what a comment is on: lines of the new side of a file, or of the old one.
type target struct {
	file        string
	old         bool
	first, last int
}

// mergeRequest says where a merge request is.
type mergeRequest struct{ project, iid string }

// position is a position as GitLab wants it.
type position struct {
	base, start, head string
	oldPath, newPath  string
	first, last       diffLine
}

// diffLine is a line of a diff: its numbers on both sides, 0 where it is not on one,
// and the numbers that GitLab counts for its code.
type diffLine struct {
	kind     byte // '+', '-' or ' '
	old, new int
	codeOld  int
	codeNew  int
}

// position reads the merge request and the diff of the file.
func (m mergeRequest) position(ctx context.Context, env *exec.Env, t target) (position, error) {
	const path = "/api/v4/projects/{project_id}/merge_requests/{merge_request_iid}"
	q := get(path, m.project, m.iid)
	if err := q.Err(); err != nil {
		return position{}, err
	}
	resp, err := env.Get(ctx, q)
	if err != nil {
		return position{}, err
	}
	p := position{
		base: value(resp.Body, "diff_refs", "base_sha"), start: value(resp.Body, "diff_refs", "start_sha"), head: value(resp.Body, "diff_refs", "head_sha"),
	}
	if p.head == "" {
		return position{}, &exec.Failure{Code: "gitlab", Message: "the merge request has no diff yet", Hint: "GitLab prepares it in the background: try again in a few seconds"}
	}
	d, err := m.diff(ctx, env, t.file)
	if err != nil {
		return position{}, err
	}
	p.oldPath, p.newPath = value(d, "old_path"), value(d, "new_path")
	text := value(d, "diff")
	if text == "" && (value(d, "too_large") == "true" || value(d, "collapsed") == "true") {
		return position{}, invalid("file", "a file whose diff GitLab shows; this one is too large: give position instead")
	}
	lines := parseDiff(text)
	oneSided := value(d, "new_file") == "true" || value(d, "deleted_file") == "true"
	for _, end := range [...]struct {
		name string
		n    int
		line *diffLine
	}{{"line", t.first, &p.first}, {"line_end", t.last, &p.last}} {
		var ok bool
		if *end.line, ok = find(lines, end.n, t.old); !ok || oneSided && end.line.kind == ' ' {
			return position{}, notInDiff(end.name, t)
		}
	}
	return p, nil
}

func notInDiff(name string, t target) error {
	side := "new"
	if t.old {
		side = "old"
	}
	return invalid(name, "a line that the "+side+" side of "+strconv.Quote(t.file)+" has")
}

// mostPages bounds how many pages of a diff are searched for a file.
const mostPages = 30

// diff is the diff of one file, which may be named by its new or its old path.
func (m mergeRequest) diff(ctx context.Context, env *exec.Env, file string) ([]byte, error) {
	file = strings.TrimPrefix(file, "/")
	var byOldPath []byte
	var near []string
	for page := 1; page <= mostPages; page++ {
		q := get("/api/v4/projects/{project_id}/merge_requests/{merge_request_iid}/diffs", m.project, m.iid)
		q.SetQuery("per_page", "100")
		q.SetQuery("page", strconv.Itoa(page))
		resp, err := env.Get(ctx, q)
		if err != nil {
			return nil, err
		}
		n := 0
		for d := range scan.Elements(resp.Body) {
			n++
			switch file {
			case value(d, "new_path"):
				return d, nil
			case value(d, "old_path"):
				byOldPath = d
			}
			near = append(near, value(d, "new_path"))
		}
		if n < 100 {
			break
		}
	}
	if byOldPath != nil {
		return byOldPath, nil
	}
	expected := "a file that the merge request changes"
	if best := arg.Nearest(file, near); best != "" {
		expected += ", such as " + best
	}
	return nil, invalid("file", expected)
}

// hunkLine is the head of a hunk, or not.
func hunkLine(s string) (old, new int, ok bool) {
	rest, ok := strings.CutPrefix(s, "@@ -")
	if !ok {
		return 0, 0, false
	}
	before, after, ok := strings.Cut(rest, " +")
	if !ok {
		return 0, 0, false
	}
	before, _, _ = strings.Cut(before, ",")
	after, _, _ = strings.Cut(after, " ")
	after, _, _ = strings.Cut(after, ",")
	old, err1 := strconv.Atoi(before)
	new, err2 := strconv.Atoi(after)
	return old, new, err1 == nil && err2 == nil
}

// parseDiff reads the hunks of a unified diff.
func parseDiff(text string) []diffLine {
	var lines []diffLine
	old, new := 0, 0
	inside := false
	for s := range strings.Lines(text) {
		s = strings.TrimRight(s, "\r\n")
		if o, n, ok := hunkLine(s); ok {
			old, new, inside = o, n, true
			continue
		}
		if !inside {
			continue
		}
		kind := byte(' ') // an empty line is one of context whose blank was lost
		if s != "" {
			kind = s[0]
		}
		l := diffLine{kind: kind, codeOld: old, codeNew: new}
		switch kind {
		case '+':
			l.new = new
			new++
		case '-':
			l.old = old
			old++
		case ' ':
			l.old, l.new = old, new
			old++
			new++
		default:
			continue // "\ No newline at end of file"
		}
		lines = append(lines, l)
	}
	return lines
}

// find is the line with that number on one side. A line between the hunks is
// unchanged, so its other number follows from the hunk before it. Without any
// hunk the file was only moved, and both numbers are the same.
func find(lines []diffLine, number int, oldSide bool) (diffLine, bool) {
	shift := 0 // new minus old, before the first hunk
	for _, l := range lines {
		n := l.new
		if oldSide {
			n = l.old
		}
		if n == number {
			return l, true
		}
		if n > number {
			break // the number lies before this line
		}
		next := l // the numbers behind the line
		switch l.kind {
		case '+':
			shift = next.new + 1 - next.codeOld
		case '-':
			shift = next.codeNew - (next.old + 1)
		default:
			shift = next.new - next.old
		}
	}
	l := diffLine{kind: ' ', old: number - shift, new: number}
	if oldSide {
		l.old, l.new = number, number+shift
	}
	l.codeOld, l.codeNew = l.old, l.new
	return l, l.old > 0 && l.new > 0
}

// code is how GitLab names a line of a diff.
func (l diffLine) code(path string) string {
	sum := sha1.Sum([]byte(path))
	return fmt.Sprintf("%s_%d_%d", hex.EncodeToString(sum[:]), l.codeOld, l.codeNew)
}

// json is the position as an argument.
func (p position) json() []byte {
	text := func(b []byte, key, v string) []byte {
		return scan.AppendQuoted(append(b, `"`+key+`":`...), v)
	}
	b := text([]byte{'{'}, "position_type", "text")
	for _, kv := range [...][2]string{{"base_sha", p.base}, {"start_sha", p.start}, {"head_sha", p.head}, {"old_path", p.oldPath}, {"new_path", p.newPath}} {
		b = text(append(b, ','), kv[0], kv[1])
	}
	b = p.last.numbers(append(b, ','))
	if p.first != p.last {
		path := p.newPath
		if path == "" {
			path = p.oldPath
		}
		b = append(b, `,"line_range":{`...)
		for i, end := range [...]struct {
			name string
			line diffLine
		}{{"start", p.first}, {"end", p.last}} {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, `"`+end.name+`":{`...)
			b = text(b, "line_code", end.line.code(path))
			kind := "old"
			if end.line.kind == '+' {
				kind = "new"
			}
			b = text(append(b, ','), "type", kind)
			b = append(end.line.numbers(append(b, ',')), '}')
		}
		b = append(b, '}')
	}
	return append(b, '}')
}

// numbers appends the numbers that a line has: an added one only the new, a
// removed one only the old, an unchanged one both.
func (l diffLine) numbers(b []byte) []byte {
	if l.old > 0 {
		b = strconv.AppendInt(append(b, `"old_line":`...), int64(l.old), 10)
	}
	if l.new > 0 {
		if l.old > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(append(b, `"new_line":`...), int64(l.new), 10)
	}
	return b
}

// placeholder stands for a position that a dry run does not read.
func (t target) placeholder() position {
	p := position{base: "{base_sha}", start: "{start_sha}", head: "{head_sha}", oldPath: t.file, newPath: t.file}
	p.first, p.last = diffLine{new: t.first}, diffLine{new: t.last}
	if t.old {
		p.first, p.last = diffLine{old: t.first}, diffLine{old: t.last}
	}
	return p
}

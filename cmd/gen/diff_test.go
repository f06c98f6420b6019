package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"gitlab-mcp-server/gen/diff"
)

// specs writes the specs of the generator's small example below root, with
// replacements.
func specs(t *testing.T, root string, replace ...string) {
	t.Helper()
	ar, err := txtar.ParseFile(filepath.Join("..", "..", "gen", "testdata", "small.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range ar.Files {
		if !strings.HasPrefix(f.Name, "specs/") {
			continue
		}
		path := filepath.Join(root, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.NewReplacer(replace...).Replace(string(f.Data))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// runGen runs the command and gives its exit code and what it prints.
func runGen(t *testing.T, args ...string) (code int, out, complaint string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(context.Background(), args, &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

func TestDiffDirectories(t *testing.T) {
	before, after := t.TempDir(), t.TempDir()
	specs(t, before)
	specs(t, after, "[opened, closed, all]", "[opened, closed]", "default: all", "default: opened", "title: {type: string}", "title: {type: string}, due: {type: string}")

	code, out, _ := runGen(t, "diff", before, filepath.Join(after, "specs"))
	for _, want := range []string{
		"Breaking:\n  issue.list, state: no longer takes all\n",
		"Compatible:\n  issue.update, due: added (string)\n",
		"GitLab 19.2: 2 changes, 1 breaking\n",
	} {
		if code != exitOK || !strings.Contains(out, want) {
			t.Errorf("exit %d, want 0 and %q in:\n%s", code, want, out)
		}
	}
	code, _, complaint := runGen(t, "diff", "-fail-on-breaking", before, after)
	if code != exitFailed || !strings.Contains(complaint, "1 breaking changes") {
		t.Errorf("--fail-on-breaking: exit %d, %q", code, complaint)
	}
	if code, out, _ = runGen(t, "diff", "--fail-on-breaking", after, after); code != exitOK || !strings.Contains(out, "0 changes") {
		t.Errorf("no change: exit %d, %q", code, out)
	}
	code, out, _ = runGen(t, "diff", "-json", before, after)
	var report diff.Report
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != exitOK || report.Breaking != 1 || len(report.Changes) != 2 {
		t.Errorf("-json: exit %d, %v, %s", code, err, out)
	}
}

// A dump is the same catalog as the directory that it was made from.
func TestDiffDump(t *testing.T) {
	dir := t.TempDir()
	specs(t, dir)
	code, out, complaint := runGen(t, "dump", dir)
	if code != exitOK {
		t.Fatalf("dump: exit %d, %s", code, complaint)
	}
	path := filepath.Join(t.TempDir(), "catalog.json")
	if err := os.WriteFile(path, []byte(out), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, out, complaint := runGen(t, "diff", "--fail-on-breaking", path, dir); code != exitOK || !strings.Contains(out, "0 changes") {
		t.Errorf("exit %d: %s%s", code, out, complaint)
	}
}

func TestDiffRevision(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir := t.TempDir()
	specs(t, dir)
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "."},
		{"-c", "user.name=n", "-c", "user.email=e", "-c", "commit.gpgsign=false", "commit", "-q", "-m", "first"},
		{"-c", "tag.gpgsign=false", "tag", "v1"},
	} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	specs(t, dir, "title: {type: string}, weight", "weight")
	t.Chdir(dir)
	for _, rev := range []string{"v1", "git:v1", "HEAD"} {
		code, out, complaint := runGen(t, "diff", rev, ".")
		if code != exitOK || !strings.Contains(out, "issue.update, title: removed (string)") {
			t.Errorf("%s: exit %d, %s%s", rev, code, out, complaint)
		}
	}
}

func TestDiffRefuses(t *testing.T) {
	dir := t.TempDir()
	specs(t, dir)
	other := filepath.Join(dir, "other.json")
	if err := os.WriteFile(other, []byte(`{"tools":[]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"diff", dir}, exitUsage, "2 expected"},
		{[]string{"diff", "-nope", dir, dir}, exitUsage, "-nope"},
		{[]string{"diff", dir, "no-such-revision"}, exitFailed, "no-such-revision: no file, directory or revision of that name"},
		{[]string{"diff", dir, "git:--output=x"}, exitFailed, "no file, directory or revision"},
		{[]string{"diff", dir, other}, exitFailed, "no actions"},
		{[]string{"diff", t.TempDir(), dir}, exitFailed, "SOURCE.md"},
	} {
		if code, _, complaint := runGen(t, tc.args...); code != tc.code || !strings.Contains(complaint, tc.want) {
			t.Errorf("%v: exit %d, %q; want %d and %q", tc.args, code, complaint, tc.code, tc.want)
		}
	}
}

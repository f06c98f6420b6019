package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	spec := filepath.Join(t.TempDir(), "spec.yaml")
	const text = "openapi: 3.0.0\npaths:\n  /a:\n    get: {responses: {}}\n"
	if err := os.WriteFile(spec, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		args        []string
		code        int
		out, errOut string // parts
	}{
		{[]string{"help"}, exitOK, "import", ""},
		{[]string{"import", "-h"}, exitOK, "-gitlab-version version", ""},
		{[]string{"nonsense"}, exitUsage, "", `no command "nonsense"`},
		{[]string{"import"}, exitUsage, "", "-in FILE or URL is missing"},
		{[]string{"import", "--inn", "x"}, exitUsage, "", "inn"},
		{[]string{"import", "--in", spec, "extra"}, exitUsage, "", "1 arguments"},
		{[]string{"import", "--in", spec + ".none"}, exitFailed, "", "spec.yaml.none"},
		{[]string{"import", "--in", spec, "--out", t.TempDir(), "--gitlab-version", "19.2"}, exitOK, "GitLab 19.2, unknown: 1 operations", ""},
		{[]string{"import", "--in", spec, "--out", t.TempDir()}, exitOK, "pass -gitlab-version", ""},
	}
	for _, test := range tests {
		var out, errOut bytes.Buffer
		code := run(t.Context(), test.args, &out, &errOut)
		if code != test.code || !strings.Contains(out.String(), test.out) || !strings.Contains(errOut.String(), test.errOut) {
			t.Errorf("gen %v: exit %d, out %q, err %q; want exit %d, …%s…, …%s…",
				test.args, code, &out, &errOut, test.code, test.out, test.errOut)
		}
		if (code != exitOK) != (errOut.Len() > 0) {
			t.Errorf("gen %v: exit %d, but err %q", test.args, code, &errOut)
		}
	}
}

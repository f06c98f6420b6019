package main

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// extract writes the files below path of a revision to dir.
func extract(ctx context.Context, rev, path, dir string) error {
	// A revision that starts with a dash would be an option of git.
	if rev == "" || strings.HasPrefix(rev, "-") {
		return fmt.Errorf("%q is no file, directory or revision", rev)
	}
	top, err := git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return fmt.Errorf("no file, directory or revision of that name: %w", err)
	}
	data, err := git(ctx, "-C", strings.TrimSpace(string(top)), "archive", "--format=tar", rev, path)
	if err != nil {
		return fmt.Errorf("no file, directory or revision of that name: %w", err)
	}
	tr := tar.NewReader(bytes.NewReader(data))
	for {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("git archive: %w", err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if !filepath.IsLocal(h.Name) {
			return fmt.Errorf("git archive: %q leaves the folder", h.Name)
		}
		if err := writeFile(filepath.Join(dir, h.Name), tr); err != nil {
			return err
		}
	}
}

func writeFile(path string, r io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	return errors.Join(err, f.Close())
}

// git runs git and gives what it prints; its complaint is the error.
func git(ctx context.Context, args ...string) ([]byte, error) {
	var out, complaint bytes.Buffer
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		if text := strings.TrimSpace(complaint.String()); text != "" {
			return nil, fmt.Errorf("git %s: %s", args[0], text)
		}
		return nil, fmt.Errorf("git %s: %w", args[0], err)
	}
	return out.Bytes(), nil
}

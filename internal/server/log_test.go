package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
)

func TestNewLoggerMasks(t *testing.T) {
	const token = "glpat-0123456789"
	var out bytes.Buffer
	log := NewLogger(&out, slog.LevelDebug, token, "info", "")
	log.With("path", "/"+token).Debug("to "+token, "header", []string{"Bearer " + token}, "error", errors.New("no "+token))
	log.Info("info")
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2 || strings.Contains(out.String(), token) {
		t.Fatalf("got %q", lines)
	}
	for _, line := range lines {
		var record map[string]any
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		if record["msg"] != "info" && record["msg"] != "to [MASKED]" {
			t.Errorf("message %v", record["msg"])
		}
	}
}

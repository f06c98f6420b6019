package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func (r *reading) warn(text string) { r.cfg.Warnings = append(r.cfg.Warnings, text) }

// truth reads a boolean as people write it.
func truth(v string) (on, ok bool) {
	switch strings.ToLower(strings.TrimSpace(v)) {
	case "true", "1", "yes", "on", "t", "y":
		return true, true
	case "false", "0", "no", "off", "f", "n":
		return false, true
	}
	return false, false
}

func (r *reading) boolean(source, value string) (on, ok bool) {
	on, ok = truth(value)
	if !ok {
		r.add(source, "%q is no boolean; write true or false (nearest: %s)",
			value, nearest(strings.ToLower(value), []string{"true", "false", "yes", "no", "on", "off"}))
	}
	return on, ok
}

// toggle applies a switch to one field.
func toggle(field func(*Config) *bool) func(*reading, *setting, string, string) {
	return func(r *reading, _ *setting, source, value string) {
		if on, ok := r.boolean(source, value); ok {
			*field(&r.cfg) = on
		}
	}
}

// yolo serves two variables and a flag. The flag belongs to YOLO_MODE and
// decides; two variables that contradict each other are refused.
func (r *reading) yolo(s *setting, source, value string) {
	on, ok := r.boolean(source, value)
	if !ok {
		return
	}
	if r.yoloSource != "" && on != r.cfg.SkipConfirmation {
		if !strings.HasPrefix(r.yoloSource, "--") {
			r.add(source, "contradicts %s; they are two names of one setting, keep one", r.yoloSource)
		}
		return
	}
	r.cfg.SkipConfirmation, r.yoloSource = on, source
}

// choice reads one of several words, in any case.
func (r *reading) choice(source, value string, words ...string) (string, bool) {
	v := strings.ToLower(value)
	for _, w := range words {
		if v == w {
			return w, true
		}
	}
	r.add(source, "%q is unknown; known are %s (nearest: %s)", value, strings.Join(words, ", "), nearest(v, words))
	return "", false
}

func (r *reading) surface(_ *setting, source, value string) {
	r.surfaceSet = true
	if v, ok := r.choice(source, value, string(Dynamic), string(Meta), string(Individual)); ok {
		r.useSurface(source, Surface(v))
	}
}

func (r *reading) metaTools(_ *setting, source, value string) {
	v := strings.ToLower(value)
	if v != string(Dynamic) {
		on, ok := truth(v)
		switch {
		case !ok:
			r.add(source, "%q is unknown; known are dynamic, true, false (TOOL_SURFACE is the current spelling)", value)
			return
		case on:
			v = string(Meta)
		default:
			v = string(Individual)
		}
	}
	if !r.surfaceSet {
		r.useSurface(source, Surface(v))
	}
}

func (r *reading) useSurface(source string, s Surface) {
	if s != Dynamic {
		r.add(source, "the %s surface is %s; use dynamic", s, notInThisBuild)
		return
	}
	r.cfg.Surface = s
}

func (r *reading) capabilities(_ *setting, source, value string) {
	if v, ok := r.choice(source, value, "full", "minimal"); ok {
		r.cfg.CapabilitySurface = v
	}
}

// metaSchema belongs to the meta surface. Its default says nothing; any other
// value asks for what this build lacks.
func (r *reading) metaSchema(_ *setting, source, value string) {
	if v, ok := r.choice(source, value, "opaque", "compact", "full"); ok && v != "opaque" {
		r.add(source, "the meta surface is %s", notInThisBuild)
	}
}

func (r *reading) exclude(_ *setting, _, value string) {
	for e := range strings.SplitSeq(value, ",") {
		if e = strings.TrimSpace(e); e != "" {
			r.cfg.Exclude = append(r.cfg.Exclude, e)
		}
	}
}

func (r *reading) tier(_ *setting, source, value string) {
	if v, ok := r.choice(source, value, "free", "premium", "ultimate"); ok {
		r.cfg.Tier = v
	}
}

func (r *reading) logLevel(_ *setting, source, value string) {
	if strings.EqualFold(value, "warning") {
		value = "warn"
	}
	v, ok := r.choice(source, value, "debug", "info", "warn", "error")
	if !ok {
		return
	}
	switch v {
	case "debug":
		r.cfg.LogLevel = slog.LevelDebug
	case "info":
		r.cfg.LogLevel = slog.LevelInfo
	case "warn":
		r.cfg.LogLevel = slog.LevelWarn
	case "error":
		r.cfg.LogLevel = slog.LevelError
	}
}

// longest bounds durations: more is a mistake in the unit.
const longest = 24 * time.Hour

// duration reads Go's form (90s, 1m30s) or a bare number of seconds.
func (r *reading) duration(source, value string, least time.Duration) (time.Duration, bool) {
	d, err := time.ParseDuration(value)
	if err != nil {
		seconds, errNumber := strconv.ParseFloat(value, 64)
		if errNumber != nil || math.IsNaN(seconds) || math.Abs(seconds) > longest.Seconds() {
			r.add(source, "%q is no duration; write seconds or something like 90s or 2m", value)
			return 0, false
		}
		d = time.Duration(seconds * float64(time.Second))
	}
	if d < least || d > longest {
		r.add(source, "%q is out of range; it goes from %v to %v", value, least, longest)
		return 0, false
	}
	return d, true
}

func (r *reading) timeout(_ *setting, source, value string) {
	if d, ok := r.duration(source, value, time.Millisecond); ok {
		r.cfg.Timeout = d
	}
}

func (r *reading) retryWait(_ *setting, source, value string) {
	if d, ok := r.duration(source, value, 0); ok {
		r.cfg.MaxRetryWait = d
	}
}

// size reads a number of bytes with an optional unit: kB and MB count in
// thousands, KiB and MiB (and K, M, G alone) in powers of 1,024.
func size(value string) (int64, error) {
	digits := strings.TrimRight(value, "BKMGibkmgI ")
	n, err := strconv.ParseInt(strings.ReplaceAll(digits, "_", ""), 10, 64)
	if err != nil {
		return 0, errors.New("no number")
	}
	unit := int64(1)
	switch strings.ToLower(strings.TrimSpace(value[len(digits):])) {
	case "", "b":
	case "k", "kib":
		unit = 1 << 10
	case "m", "mib":
		unit = 1 << 20
	case "g", "gib":
		unit = 1 << 30
	case "kb":
		unit = 1e3
	case "mb":
		unit = 1e6
	case "gb":
		unit = 1e9
	default:
		return 0, errors.New("unknown unit")
	}
	if n < 0 || n > math.MaxInt64/unit {
		return 0, errors.New("out of range")
	}
	return n * unit, nil
}

// Bounds of sizes: under the least nothing useful comes back, over the most
// the process would be killed before the limit is met.
const (
	leastResponse = 1 << 10
	mostResponse  = 4 << 30
	leastBudget   = 200
	mostBudget    = 100_000_000
)

func (r *reading) responseBytes(_ *setting, source, value string) {
	n, err := size(value)
	switch {
	case err != nil:
		r.add(source, "%q is no size; write bytes or something like 64MiB", value)
	case n < leastResponse || n > mostResponse:
		r.add(source, "%q is out of range; it goes from 1KiB to 4GiB", value)
	default:
		r.cfg.MaxResponseBytes = n
	}
}

func (r *reading) resultBudget(_ *setting, source, value string) {
	n, err := strconv.Atoi(strings.NewReplacer(",", "", "_", "").Replace(value))
	switch {
	case err != nil:
		r.add(source, "%q is no number of characters", value)
	case n < leastBudget || n > mostBudget:
		r.add(source, "%q is out of range; it goes from %d to %d", value, leastBudget, mostBudget)
	default:
		r.cfg.ResultBudget = n
	}
}

func (r *reading) caFile(_ *setting, source, value string) {
	if _, ok := r.readFile(source, value); ok {
		r.cfg.CAFile = value
	}
}

func (r *reading) uploadDirs(_ *setting, source, value string) {
	split := func(c rune) bool { return c == ',' || c == filepath.ListSeparator }
	for _, d := range strings.FieldsFunc(value, split) {
		if d = strings.TrimSpace(d); d == "" {
			continue
		}
		if abs, ok := r.dir(source, d); ok {
			r.cfg.UploadDirs = append(r.cfg.UploadDirs, abs)
		}
	}
}

func (r *reading) downloadDir(_ *setting, source, value string) {
	if abs, ok := r.dir(source, value); ok {
		r.cfg.DownloadDir = abs
	}
}

// dir gives the absolute path of an existing directory.
func (r *reading) dir(source, value string) (string, bool) {
	abs, err := filepath.Abs(value)
	if err != nil {
		r.add(source, "%v", err)
		return "", false
	}
	switch info, err := os.Stat(abs); {
	case err != nil:
		r.add(source, "%s", reason(value, err))
	case !info.IsDir():
		r.add(source, "%s is no directory", value)
	default:
		return abs, true
	}
	return "", false
}

// mostFile bounds the files that settings name.
const mostFile = 4 << 20

func (r *reading) readFile(source, name string) ([]byte, bool) {
	f, err := os.Open(name)
	if err != nil {
		r.add(source, "%s", reason(name, err))
		return nil, false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostFile+1))
	if err == nil && len(data) > mostFile {
		err = fmt.Errorf("larger than %d bytes", mostFile)
	}
	if err == nil {
		return data, true
	}
	r.add(source, "%s", reason(name, err))
	return nil, false
}

// reason is an error of the file system without its verb.
func reason(name string, err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Sprintf("%s: %v", name, err)
}

package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// BenchmarkStart measures a process from its start to its first answer, and the
// memory it then has, beside the smallest server of the SDK. The targets: at
// most 1.6 times the time, at most twice the memory.
func BenchmarkStart(b *testing.B) {
	for name, pkg := range map[string]string{"empty": "./testdata/empty", "server": "."} {
		b.Run(name, func(b *testing.B) {
			bin := filepath.Join(b.TempDir(), name)
			if runtime.GOOS == "windows" {
				bin += ".exe"
			}
			if out, err := exec.Command("go", "build", "-ldflags", "-s -w", "-o", bin, pkg).CombinedOutput(); err != nil {
				b.Fatalf("build: %v\n%s", err, out)
			}
			memory := 0
			for b.Loop() {
				memory = max(memory, startOnce(b, bin))
			}
			b.ReportMetric(float64(memory), "KiB-resident")
		})
	}
}

// startOnce starts a server, waits for its first answer, and gives its resident
// memory in KiB, 0 where the system does not tell.
func startOnce(b *testing.B, bin string) int {
	cmd := exec.Command(bin)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "SystemRoot=" + os.Getenv("SystemRoot")}
	cmd.Stderr = io.Discard
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	if _, err := io.WriteString(in, hello); err != nil {
		b.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		b.Fatal(err)
	}
	b.StopTimer()
	defer b.StartTimer()
	memory := resident(cmd.Process.Pid)
	in.Close()
	if err := cmd.Wait(); err != nil {
		b.Fatal(err)
	}
	return memory
}

// resident reads Linux's account of a process.
func resident(pid int) int {
	data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			n := 0
			for _, c := range rest {
				if '0' <= c && c <= '9' {
					n = 10*n + int(c-'0')
				}
			}
			return n
		}
	}
	return 0
}

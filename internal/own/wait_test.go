package own_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gitlab-mcp-server/internal/exec"
)

func TestWait(t *testing.T) {
	const path = "GET /api/v4/projects/7/pipelines/46"
	tests := []struct {
		name, params, answers string
		done                  bool
		status, note          string
		slept                 int
	}{
		{"ended already", `{}`, `{"status":"success"}`, true, "success", "", 0},
		{"ends", `{}`, `{"status":"created"}` + "\n" + `{"status":"running"}` + "\n" + `{"status":"failed"}`, true, "failed", "", 2},
		{"waits for somebody", `{}`, `{"status":"manual"}`, true, "manual", "by itself", 0},
		{"time is up", `{"timeout_seconds":20,"interval_seconds":10}`, `{"status":"running"}`, false, "running", "call again", 2},
		{"unknown status", `{"timeout_seconds":5}`, `{"status":"dreaming"}`, false, "dreaming", "call again", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, map[string]string{path: tt.answers})
			var told []int
			params := strings.TrimSuffix(`{"project_id":7,"pipeline_id":46,`+strings.TrimPrefix(tt.params, "{"), ",}") + "}"
			res := w.do(t, "pipeline.wait", strings.ReplaceAll(params, "}}", "}"), func(c *exec.Call) { c.Progress = func(done, _ int) { told = append(told, done) } })
			var got struct {
				Kind, Status, Note string
				Done               bool
				State              struct{ Status string }
			}
			if err := json.Unmarshal(res.Structured, &got); err != nil || res.IsError {
				t.Fatalf("%v: %s", err, res.Text)
			}
			if got.Kind != "pipeline" || got.Done != tt.done || got.Status != tt.status || got.State.Status != tt.status || !strings.Contains(got.Note, tt.note) {
				t.Errorf("%+v", got)
			}
			if len(w.slept) != tt.slept || len(told) != tt.slept {
				t.Errorf("slept %v, told %v, want %d", w.slept, told, tt.slept)
			}
		})
	}
}

func TestWaitForJob(t *testing.T) {
	w := newWorld(t, map[string]string{"GET /api/v4/projects/g%2Fp/jobs/8": `{"status":"canceled"}`})
	w.do(t, "job.wait", `{"project_id":"g/p","job_id":8}`)
	if diff := cmp.Diff([]string{"GET /api/v4/projects/g%2Fp/jobs/8"}, w.sent()); diff != "" {
		t.Errorf("sent (-want +got):\n%s", diff)
	}
}

// A client that cancels ends the waiting; limits are held.
func TestWaitEnds(t *testing.T) {
	w := newWorld(t, map[string]string{"GET /api/v4/projects/7/jobs/8": `{"status":"running"}`})
	ctx, cancel := context.WithCancel(t.Context())
	res := w.Execute(ctx, exec.Call{Action: "job.wait", Params: json.RawMessage(`{"project_id":7,"job_id":8}`), Progress: func(int, int) { cancel() }})
	if f := failure(t, res); f.Code != "canceled" || len(w.sent()) != 1 {
		t.Errorf("%+v, sent %v", f, w.sent())
	}
	if f := failure(t, w.do(t, "job.wait", `{"project_id":7,"job_id":8,"timeout_seconds":100000,"interval_seconds":0}`)); f.Code != "invalid_params" {
		t.Errorf("%+v", f)
	}
	if f := failure(t, w.do(t, "job.wait", `{"project_id":7,"job_id":9}`)); f.Code != "gitlab" {
		t.Errorf("a job that is not there: %+v", f)
	}
	if res := w.do(t, "job.wait", `{"project_id":7,"job_id":8}`, dryRun); !strings.Contains(string(res.Structured), "/api/v4/projects/7/jobs/8") || len(w.sent()) != 2 {
		t.Errorf("dry run: %s, sent %v", res.Structured, w.sent())
	}
	if !errors.Is(ctx.Err(), context.Canceled) || len(w.slept) != 1 || w.slept[0] != 5*time.Second {
		t.Errorf("slept %v", w.slept)
	}
}

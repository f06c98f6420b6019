package own

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"gitlab-mcp-server/internal/arg"
	"gitlab-mcp-server/internal/call"
	"gitlab-mcp-server/internal/exec"
)

// sleeper waits for d or until ctx ends, which is its error.
type sleeper func(ctx context.Context, d time.Duration) error

// clock is the sleeper of the real world.
func clock(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// waiter waits until a pipeline or a job needs no more waiting.
type waiter struct {
	sleep sleeper
	of    waited
}

// waited is what is waited for.
type waited struct{ kind, id, path string }

var (
	pipelines = waited{"pipeline", "pipeline_id", "/pipelines/{pipeline_id}"}
	jobs      = waited{"job", "job_id", "/jobs/{job_id}"}
)

// Limits of waiting, in seconds. Clients give up on calls that take very long.
const (
	defaultWait     = 300
	longestWait     = 3600
	defaultInterval = 5
	longestInterval = 60
)

// wait is the plan of a waiter.
type wait struct {
	id            string
	interval, end time.Duration
}

func (w waiter) Plan(_ *exec.Env, r *arg.Reader) (exec.Plan, error) {
	project := r.ID("project_id", arg.Required)
	id := r.ID(w.of.id, arg.Required)
	end := seconds(r, "timeout_seconds", defaultWait, longestWait)
	interval := seconds(r, "interval_seconds", defaultInterval, longestInterval)
	if err := r.Err(); err != nil {
		return exec.Plan{}, err
	}
	q := get("/api/v4/projects/{project_id}"+w.of.path, project.V, id.V)
	if err := q.Err(); err != nil {
		return exec.Plan{}, err
	}
	return exec.Plan{Requests: []*call.Request{q}, Target: w.of.kind + " " + id.V, Args: wait{id.V, interval, end}}, nil
}

// seconds reads a number of seconds from 1 to most.
func seconds(r *arg.Reader, name string, otherwise, most int) time.Duration {
	n := otherwise
	if v := r.IntRange(name, 0, "1", strconv.Itoa(most)); v.State == arg.Set {
		if given, err := strconv.Atoi(v.V); err == nil {
			n = given
		}
	}
	return time.Duration(n) * time.Second
}

func (w waiter) Run(ctx context.Context, env *exec.Env, p exec.Plan) (exec.Answer, error) {
	args := p.Args.(wait)
	sleep := w.sleep
	if sleep == nil {
		sleep = clock
	}
	for spent := time.Duration(0); ; spent += args.interval {
		resp, err := env.Get(ctx, p.Requests[0])
		if err != nil {
			return exec.Answer{}, err
		}
		done, waiting := ended(value(resp.Body, "status"))
		if done || spent+args.interval > args.end {
			note := ""
			switch {
			case !done:
				note = "not finished within " + args.end.String() + ": call again to wait on"
			case waiting:
				note = "it waits for somebody to start it, so it will not go on by itself"
			}
			return exec.Answer{Body: object(struct {
				Kind    string          `json:"kind"`
				Status  string          `json:"status"`
				Done    bool            `json:"done"`
				Seconds int             `json:"waited_seconds"`
				Note    string          `json:"note,omitempty"`
				State   json.RawMessage `json:"state"`
			}{w.of.kind, value(resp.Body, "status"), done, int(spent / time.Second), note, resp.Body})}, nil
		}
		env.Progress(int(spent/time.Second), int(args.end/time.Second))
		if err := sleep(ctx, args.interval); err != nil {
			return exec.Answer{}, err
		}
	}
}

// ended reports whether a status of a pipeline or job lasts, and whether it does
// so until somebody acts. An unknown status may change.
func ended(status string) (done, waiting bool) {
	switch status {
	case "success", "failed", "canceled", "skipped":
		return true, false
	case "manual", "scheduled":
		return true, true
	}
	return false, false
}

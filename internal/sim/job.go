package sim

import (
	"fmt"
	"slices"
	"strings"
)

func jobHooks() map[string]hook {
	base := "/projects/{}/jobs"
	return map[string]hook{
		"GET " + base:                 (*call).listJobs,
		"GET " + base + "/{}/trace":   (*call).getTrace,
		"POST " + base + "/{}/retry":  (*call).retryJob,
		"POST " + base + "/{}/cancel": (*call).cancelJob,
		"POST " + base + "/{}/play":   (*call).playJob,
		"POST " + base + "/{}/erase":  (*call).eraseJob,
	}
}

// newJob makes a pending job of a pipeline.
func (s *Sim) newJob(p *node, pl *object, name, stage string) *object {
	id := s.nextID("jobs")
	at := p.repo.commits[pl.str("sha")]
	j := obj(
		"id", id, "status", "pending", "stage", stage, "name", name, "ref", pl.get("ref"), "tag", pl.get("tag"), "coverage", nil,
		"allow_failure", false, "created_at", stamp(s.now()), "started_at", nil, "finished_at", nil, "erased_at", nil,
		"duration", nil, "queued_duration", 0.8, "user", pl.get("user"),
		"commit", obj("id", at.id, "short_id", at.short(), "created_at", stamp(at.when), "title", at.title(), "message", at.message,
			"author_name", at.author.name, "author_email", at.author.email),
		"pipeline", pipelineBrief(pl), "failure_reason", nil, "web_url", p.doc.str("web_url")+"/-/jobs/"+key(id),
		"project", obj("ci_job_token_scope_enabled", false), "artifacts", []any{}, "runner", nil, "artifacts_expire_at", nil,
		"archived", false, "tag_list", []any{},
	)
	if stage == "deploy" {
		j.set("status", "manual")
	}
	p.open("jobs").put(key(id), j)
	return j
}

// ran lets a job end with a status and gives it the trace of one that did.
func (s *Sim) ran(p *node, j *object, status string, seconds int64) {
	s.setStatus(j, status)
	j.set("started_at", stamp(s.now()))
	j.set("duration", seconds)
	j.set("runner", obj("id", 12, "description", "linux-runner-1", "active", true, "paused", false, "is_shared", true,
		"runner_type", "instance_type", "name", "gitlab-runner", "online", true, "status", "online"))
	if status == "failed" {
		j.set("failure_reason", "script_failure")
	}
	p.at("jobs", j.str("id")).blob = []byte(trace(p, j, status))
}

// trace is a job's log as a runner writes one: section markers, colours, and a
// carriage return where a terminal would overwrite.
func trace(p *node, j *object, status string) string {
	const t = 1773653400
	var b strings.Builder
	section := func(name, title string, lines ...string) {
		fmt.Fprintf(&b, "section_start:%d:%s\r\x1b[0K\x1b[0K\x1b[36;1m%s\x1b[0;m\n", t, name, title)
		for _, l := range lines {
			b.WriteString(l + "\n")
		}
		fmt.Fprintf(&b, "section_end:%d:%s\r\x1b[0K", t+4, name)
	}
	b.WriteString("\x1b[0KRunning with gitlab-runner 18.9.0 (51mu1a7e)\x1b[0;m\n")
	section("prepare_executor", "Preparing the \"docker\" executor", "Using Docker executor with image golang:1.26 ...")
	section("get_sources", "Getting source from Git repository",
		"Checking out "+j.sub("commit").str("short_id")+" as detached HEAD (ref is "+j.str("ref")+")...")
	script := map[string][]string{
		"build":          {"\x1b[32;1m$ go build ./...\x1b[0;m"},
		"lint":           {"\x1b[32;1m$ go vet ./...\x1b[0;m"},
		"unit-tests":     testOutput(status),
		"deploy-staging": {"\x1b[32;1m$ ./deploy.sh staging\x1b[0;m", "uploading " + p.doc.str("path") + " ...  10%\ruploading " + p.doc.str("path") + " ... 100%", "staging is up"},
	}[j.str("name")]
	section("step_script", "Executing \"step_script\" stage of the job script", script...)
	if status == "failed" {
		b.WriteString("\x1b[31;1mERROR: Job failed: exit code 1\x1b[0;m\n")
	} else {
		b.WriteString("\x1b[32;1mJob succeeded\x1b[0;m\n")
	}
	return b.String()
}

func testOutput(status string) []string {
	out := []string{"\x1b[32;1m$ go test ./...\x1b[0;m"}
	for _, pkg := range [...]string{"cart", "catalogue", "mail", "money", "search", "session", "stock"} {
		out = append(out, "ok  \tacme.example/webshop/"+pkg+"\t0.21s")
	}
	if status != "failed" {
		return append(out, "ok  \tacme.example/webshop/checkout\t0.18s")
	}
	return append(out,
		"--- FAIL: TestEmptyBasketIsRefused (0.02s)",
		"    checkout_test.go:41: got status 500, want 422",
		"FAIL",
		"FAIL\tacme.example/webshop/checkout\t0.19s",
	)
}

// inScope keeps the jobs with one of the statuses that scope names.
func (c *call) inScope(list []*object) []*object {
	scope := texts(c.query.get("scope"))
	if scope == nil {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(j *object) bool { return !slices.Contains(scope, j.str("status")) })
}

func (c *call) listJobs() (reply, error) {
	list := c.inScope(slices.Clone(c.owner().at("jobs").docs()))
	slices.Reverse(list)
	return c.listed(list)
}

func (c *call) getTrace() (reply, error) { return rawText(c.item().blob) }

// retryOf makes a new job in place of one that ended.
func (c *call) retryOf(j *object) *object {
	j.set(".retried", true)
	pl := c.owner().at("pipelines").item(j.sub("pipeline").str("id"))
	if pl == nil {
		c.setStatus(j, "pending")
		return j
	}
	fresh := c.newJob(c.owner(), pl.doc, j.str("name"), j.str("stage"))
	fresh.set("status", "pending")
	c.setStatus(pl.doc, "running")
	return fresh
}

func (c *call) retryJob() (reply, error) {
	j := c.item().doc
	if !finished(j.str("status")) && !c.opts.Invent {
		return reply{}, forbidden("Job is not retryable")
	}
	return created(c.retryOf(j))
}

func (c *call) cancelJob() (reply, error) {
	j := c.item().doc
	if finished(j.str("status")) {
		return reply{}, forbidden("Job is not cancelable")
	}
	c.setStatus(j, "canceled")
	return created(j)
}

func (c *call) playJob() (reply, error) {
	j := c.item().doc
	if j.str("status") != "manual" && !c.opts.Invent {
		return reply{}, &refusal{status: 400, text: "Unplayable Job"}
	}
	c.setStatus(j, "pending")
	return ok(j)
}

func (c *call) eraseJob() (reply, error) {
	n := c.item()
	n.blob = nil
	if a := n.at("artifacts"); a != nil {
		a.remove()
	}
	n.doc.set("artifacts", []any{})
	n.doc.del("artifacts_file")
	n.doc.set("erased_at", stamp(c.now()))
	return created(n.doc)
}

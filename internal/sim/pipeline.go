package sim

import "slices"

func pipelineHooks() map[string]hook {
	base := "/projects/{}/pipelines"
	return map[string]hook{
		"GET " + base:                             (*call).listPipelines,
		"POST /projects/{}/pipeline":              (*call).createPipeline,
		"GET " + base + "/latest":                 (*call).getLatestPipeline,
		"POST " + base + "/{}/retry":              (*call).retryPipeline,
		"POST " + base + "/{}/cancel":             (*call).cancelPipeline,
		"DELETE " + base + "/{}":                  (*call).deletePipeline,
		"GET " + base + "/{}/jobs":                (*call).listPipelineJobs,
		"GET " + base + "/{}/bridges":             func(c *call) (reply, error) { return c.listed(nil) },
		"GET " + base + "/{}/variables":           func(c *call) (reply, error) { return ok(c.variablesOf(c.item().doc)) },
		"GET " + base + "/{}/test_report_summary": (*call).getTestSummary,
		"GET " + base + "/{}/test_report":         (*call).getTestReport,
	}
}

// stages of every pipeline of the company, and the jobs in them.
func plan() [][2]string {
	return [][2]string{{"build", "build"}, {"lint", "test"}, {"unit-tests", "test"}, {"deploy-staging", "deploy"}}
}

// newPipeline makes a pipeline with its jobs for the head of a branch or tag,
// nil if there is none. Its jobs wait for nothing that comes: it stays pending.
func (s *Sim) newPipeline(p *node, ref, source string, by *object) *object {
	at := p.repo.resolve(ref)
	if at == nil {
		return nil
	}
	in := p.open("pipelines")
	id, iid := s.nextID("pipelines"), in.nextIID()
	pl := obj(
		"id", id, "iid", iid, "project_id", p.doc.get("id"), "sha", at.id, "ref", ref, "status", "pending", "source", source,
		"created_at", stamp(s.now()), "updated_at", stamp(s.now()), "web_url", p.doc.str("web_url")+"/-/pipelines/"+key(id),
		"before_sha", "0000000000000000000000000000000000000000", "tag", p.repo.tag(ref) != nil && p.repo.branch(ref) == nil,
		"yaml_errors", nil, "user", brief(by), "started_at", nil, "finished_at", nil, "committed_at", nil, "duration", nil,
		"queued_duration", 1, "coverage", nil, "name", nil,
		"detailed_status", obj("icon", "status_pending", "text", "Pending", "label", "pending", "group", "pending"),
	)
	in.put(key(id), pl)
	for _, j := range plan() {
		s.newJob(p, pl, j[0], j[1])
	}
	return pl
}

func pipelineBrief(p *object) *object {
	return p.pick("id", "iid", "project_id", "sha", "ref", "status", "source", "created_at", "updated_at", "web_url")
}

func (c *call) listPipelines() (reply, error) {
	list := slices.Clone(c.owner().at("pipelines").docs())
	list = slices.DeleteFunc(list, func(p *object) bool {
		for _, f := range [...]string{"ref", "sha", "status", "source", "name"} {
			if want := c.query.str(f); want != "" && want != p.str(f) {
				return true
			}
		}
		want := c.query.str("username")
		scope := c.query.str("scope")
		return want != "" && want != p.sub("user").str("username") ||
			(scope == "running" || scope == "pending") && scope != p.str("status") ||
			scope == "finished" && !finished(p.str("status"))
	})
	if c.query.str("order_by") == "" || c.query.str("order_by") == "id" {
		if c.query.str("sort") != "asc" {
			slices.Reverse(list)
		}
	} else {
		c.order(list)
	}
	out := []any{}
	for _, p := range list {
		out = append(out, pipelineBrief(p))
	}
	return c.page(out)
}

func finished(status string) bool {
	return status == "success" || status == "failed" || status == "canceled" || status == "skipped"
}

func (c *call) createPipeline() (reply, error) {
	ref := c.in("ref")
	if ref == "" {
		ref = c.query.str("ref")
	}
	p := c.newPipeline(c.owner(), ref, "api", c.user())
	if p == nil {
		return reply{}, &invalid{"base", "Reference not found"}
	}
	p.set(".variables", c.body.fields.list("variables"))
	return created(p)
}

func (c *call) variablesOf(p *object) []any {
	out := []any{}
	for _, v := range p.list(".variables") {
		if o, isObject := v.(*object); isObject {
			x := obj("key", o.get("key"), "variable_type", "env_var", "value", o.get("value"), "raw", false)
			if t := o.str("variable_type"); t != "" {
				x.set("variable_type", t)
			}
			out = append(out, x)
		}
	}
	return out
}

func (c *call) getLatestPipeline() (reply, error) {
	ref := c.query.str("ref")
	if ref == "" {
		ref = c.repository().main
	}
	for _, p := range slices.Backward(c.owner().at("pipelines").docs()) {
		if p.str("ref") == ref {
			return ok(p)
		}
	}
	return reply{}, forbidden("there is no pipeline for " + ref)
}

// jobsOf are the jobs of a pipeline, in the order of their making.
func (c *call) jobsOf(pipeline *object) []*object {
	var list []*object
	for _, j := range c.owner().at("jobs").docs() {
		if j.sub("pipeline").str("id") == pipeline.str("id") {
			list = append(list, j)
		}
	}
	return list
}

func (c *call) listPipelineJobs() (reply, error) {
	list := c.jobsOf(c.item().doc)
	if c.query.str("include_retried") != "true" {
		list = slices.DeleteFunc(list, func(j *object) bool { return j.is(".retried") })
	}
	return c.listed(c.inScope(list))
}

func (c *call) retryPipeline() (reply, error) {
	pl := c.item().doc
	for _, j := range c.jobsOf(pl) {
		if s := j.str("status"); (s == "failed" || s == "canceled") && !j.is(".retried") {
			c.retryOf(j)
		}
	}
	c.setStatus(pl, "pending")
	return created(pl)
}

func (c *call) cancelPipeline() (reply, error) {
	pl := c.item().doc
	for _, j := range c.jobsOf(pl) {
		if !finished(j.str("status")) && j.str("status") != "manual" {
			c.setStatus(j, "canceled")
		}
	}
	if !finished(pl.str("status")) {
		c.setStatus(pl, "canceled")
	}
	return ok(pl)
}

// setStatus changes the status of a pipeline or job and the times that go with it.
func (s *Sim) setStatus(o *object, status string) {
	o.set("status", status)
	if o.has("updated_at") {
		o.set("updated_at", stamp(s.now()))
	}
	o.set("finished_at", nil)
	if finished(status) {
		o.set("finished_at", stamp(s.now()))
	}
	if d := o.sub("detailed_status"); d != nil {
		o.set("detailed_status", obj("icon", "status_"+status, "text", status, "label", status, "group", status))
	}
}

func (c *call) deletePipeline() (reply, error) {
	n, err := c.theItem()
	if err != nil {
		return reply{}, err
	}
	for _, j := range c.jobsOf(n.doc) {
		c.owner().at("jobs", j.str("id")).remove()
	}
	n.remove()
	return noContent()
}

// counted are how many jobs of a pipeline count as tests, and how many failed.
func (c *call) counted() (total, failed int) {
	for _, j := range c.jobsOf(c.item().doc) {
		if j.str("name") == "unit-tests" && finished(j.str("status")) {
			total += 42
			if j.str("status") == "failed" {
				failed++
			}
		}
	}
	return total, failed
}

func (c *call) getTestSummary() (reply, error) {
	total, failed := c.counted()
	suite := obj("name", "unit-tests", "total_time", 9.4, "total_count", total, "success_count", total-failed, "failed_count", failed,
		"skipped_count", 0, "error_count", 0, "suite_error", nil)
	return ok(obj(
		"total", obj("time", 9.4, "count", total, "success", total-failed, "failed", failed, "skipped", 0, "error", 0, "suite_error", nil),
		"test_suites", []any{suite},
	))
}

func (c *call) getTestReport() (reply, error) {
	total, failed := c.counted()
	cases := []any{}
	if failed > 0 {
		cases = append(cases, obj("status", "failed", "name", "TestEmptyBasketIsRefused", "classname", "checkout", "execution_time", 0.02,
			"system_output", "checkout_test.go:41: got status 500, want 422", "stack_trace", nil))
	}
	return ok(obj("total_time", 9.4, "total_count", total, "success_count", total-failed, "failed_count", failed, "skipped_count", 0,
		"error_count", 0, "test_suites", []any{obj("name", "unit-tests", "total_time", 9.4, "total_count", total,
			"success_count", total-failed, "failed_count", failed, "skipped_count", 0, "error_count", 0, "test_cases", cases)}))
}

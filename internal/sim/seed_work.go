package sim

import "time"

// exampleSHA is the commit id that the catalog's examples use.
const exampleSHA = "2f3a4b5c6d7e8f901a2b3c4d5e6f708192a3b4c5"

// seedMergeRequests makes branches, what was proposed on them, and their pipelines.
func (s *Sim) seedMergeRequests() {
	p := s.findProject("acme/webshop")
	r := p.repo
	main := r.branch("main").commit
	branch := func(name string, from *commit, st step) *commit {
		x := s.step(p, from, st)
		r.setBranch(name, x)
		return x
	}
	branch("feature/gift-cards", main, step{12, "hana", "Sell gift cards", tree{
		"src/giftcard/giftcard.go": plain("// Package giftcard sells money for later.\npackage giftcard\n\n// Card has cents left.\ntype Card struct {\n\tCode  string\n\tCents int64\n}\n"),
	}})
	branch("docs/returns", main, step{9, "jonas", "Explain returns", tree{
		"docs/returns.md": plain("# Returns\n\nCustomers have thirty days. Support books the return, the warehouse confirms it.\n"),
	}})
	fix := s.step(p, main, step{5, "dana", "Refuse an empty basket", tree{"src/checkout/checkout.go": plain(fixedCheckoutGo)}})
	delete(r.commits, fix.id)
	fix.id = exampleSHA
	r.commits[fix.id] = fix
	fix = s.step(p, fix, step{4, "dana", "Test the empty basket", tree{
		"src/checkout/checkout_test.go": plain("package checkout\n\nimport (\n\t\"testing\"\n\n\t\"acme.example/webshop/cart\"\n)\n\nfunc TestEmptyBasketIsRefused(t *testing.T) {\n\tif _, err := Place(&cart.Cart{}); err != ErrEmpty {\n\t\tt.Errorf(\"got %v, want %v\", err, ErrEmpty)\n\t}\n}\n"),
	}})
	r.setBranch("fix-checkout", fix)
	r.setBranch("release/1.4", main)

	s.ids["pipelines"] = 42
	s.seedPipeline(p, "main", 38, "emeka", "success")
	s.seedPipeline(p, "docs/returns", 9, "jonas", "success")
	s.seedPipeline(p, "feature/gift-cards", 6, "hana", "success")
	s.ids["jobs"] = 125 // so that the job that fails is the one of the examples
	s.seedPipeline(p, "fix-checkout", 4, "dana", "failed")

	s.ids["merge_requests"] = 510
	p.open("merge_requests").last = 29
	for _, m := range [...]struct {
		days                         int
		title, source, author, state string
		labels                       string
		reviewer                     string
		description                  string
	}{
		{45, "Sort the catalogue by stock", "sort-by-stock", "goran", "merged", "feature,backend", "ada", "What can be bought comes first."},
		{41, "Try another queue", "another-queue", "emeka", "closed", "backend", "bruno", "An experiment, see the numbers below."},
		{12, "Sell gift cards", "feature/gift-cards", "hana", "opened", "feature,backend", "dana", "First step of #18."},
		{9, "Draft: Explain returns", "docs/returns", "jonas", "opened", "docs", "farah", "Half of the page."},
		{5, "Refuse an empty basket", "fix-checkout", "dana", "opened", "bug,backend", "ada", "Closes #12.\n\nThe checkout read the first item without looking."},
	} {
		s.ago(m.days)
		doc := s.newMergeRequest(p, m.title, m.source, "main", s.userBy(m.author))
		doc.set("description", m.description)
		doc.set("labels", anys(texts(m.labels)))
		doc.set("reviewers", []any{brief(s.userBy(m.reviewer))})
		assigned(doc, []any{brief(s.userBy(m.author))})
		if m.state == "opened" {
			continue
		}
		s.ago(m.days - 2)
		doc.set("state", m.state)
		doc.set("detailed_merge_status", "not_open")
		doc.set("updated_at", stamp(s.now()))
		who := brief(s.userBy(m.reviewer))
		if m.state == "merged" {
			doc.set("merged_at", stamp(s.now()))
			doc.set("merged_by", who)
			doc.set("merge_user", who)
			doc.set("merge_commit_sha", main.id)
		} else {
			doc.set("closed_at", stamp(s.now()))
			doc.set("closed_by", who)
		}
	}
	mr := p.at("merge_requests", "34")
	s.ids["notes"] = 310
	s.ago(3)
	s.newNote(mr, s.userBy("ada"), "Nice and small. Why does the test job fail?", nil)
	d := s.newDiscussion(mr, 34, false)
	renameDiscussion(mr, d)
	s.newNote(mr, s.userBy("bruno"), "Could this be a constant error?", d).set("resolvable", true)
}

// seedPipeline makes a pipeline whose jobs have run, and fail in the tests if
// status says so.
func (s *Sim) seedPipeline(p *node, ref string, days int, by, status string) {
	s.ago(days)
	pl := s.newPipeline(p, ref, "push", s.userBy(by))
	s.past -= 4 * time.Minute
	for _, j := range p.at("jobs").docs() {
		if j.sub("pipeline").str("id") != pl.str("id") || j.str("status") == "manual" {
			continue
		}
		how := "success"
		if j.str("name") == "unit-tests" {
			how = status
		}
		s.ran(p, j, how, 31)
		if j.str("name") == "build" {
			s.attach(p, j, pack("bin/webshop", "\x7fELF simulated\n", "reports/size.txt", "webshop 7.2 MB\n"))
		}
	}
	s.setStatus(pl, status)
	pl.set("started_at", stamp(s.now()))
	pl.set("duration", 118)
}

// seedRest fills the corners that the catalog's examples look into.
func (s *Sim) seedRest() {
	p := s.findProject("acme/webshop")
	main := p.repo.branch("main").commit
	for _, t := range [...]struct {
		name, text string
		days       int
	}{{"v1.3.0", "Saved addresses and a faster search.", 150}, {"v1.4.0", "The catalogue is sorted by what can be bought.", 38}} {
		s.ago(t.days)
		p.repo.tags = addRef(p.repo.tags, &ref{t.name, main, "Version " + t.name[1:]})
		s.newRelease(p, t.name, "Webshop "+t.name[1:], t.text, s.userBy("ada"))
	}
	s.addReleaseLink(p, p.at("releases", "v1.4.0").doc, obj("name", "Linux binary", "url", "https://downloads.example.com/webshop-1.4.0", "link_type", "package"))
	for _, w := range [...][2]string{{"home", "# Webshop\n\nStart here: [on call](on-call), [releases](releases)."}, {"on-call", "The week starts on Monday at nine."}, {"releases", "Every second Tuesday."}} {
		page := newWikiPage(w[0], w[1])
		p.open("wikis").put(w[0], page)
	}
	for _, v := range [...]*object{newVariable("DATABASE_HOST", "db.example.com"), newVariable("DEPLOY_KEY", "sim-9f3c1d7e")} {
		if v.str("key") == "DEPLOY_KEY" {
			v.set("masked", true)
			v.set("protected", true)
		}
		p.open("variables").put(storedAs(v), v)
	}
	s.ago(100)
	s.stock(p, "environments", "3", "name", "production", "slug", "production", "state", "available", "external_url", "https://shop.example.com", "tier", "production")
	s.stock(p, "environments", "4", "name", "staging", "slug", "staging", "state", "available", "external_url", "https://staging.example.com", "tier", "staging")
	s.stock(p, "hooks", "4", "url", "https://ci.example.com/hooks", "push_events", true)
	s.stock(p, "snippets", "4", "title", "Count orders by day", "file_name", "orders.sql", "author", brief(s.userBy("dana")))
	s.stock(p, "pipeline_schedules", "13", "description", "Nightly", "ref", "main", "cron", "0 3 * * *", "cron_timezone", "UTC", "active", true)
	s.stock(p, "deploy_keys", "11", "title", "deployer", "key", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIsimulated deployer", "can_push", false)
	s.stock(p, "boards", "2", "name", "Development")
	s.stock(p, "deployments", "42", "iid", 42, "ref", "main", "sha", main.id, "status", "success")
	s.ids["environments"], s.ids["hooks"], s.ids["snippets"], s.ids["boards"] = 4, 4, 4, 2

	project := p.doc.get("id")
	for i, m := range p.at("merge_requests").docs() {
		s.ago(10 - i)
		s.noteEvent("opened", m, "MergeRequest", s.userBy(m.sub("author").str("username")), project)
	}
	s.ago(2)
	s.newTodo(p, p.at("merge_requests", "34").doc, "MergeRequest", "review_requested", s.userBy("dana"))
	s.ago(1)
	s.newTodo(p, p.at("issues", "12").doc, "Issue", "mentioned", s.userBy("chiara"))
	s.noteEvent("pushed to", nil, "fix-checkout", s.userBy("dana"), project)
}

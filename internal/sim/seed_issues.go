package sim

import "strings"

// seedIssues opens what is known to be wrong or wanted: one line for each issue,
// "title | labels", with an x in front of those that are done.
func (s *Sim) seedIssues() {
	users := s.data.at("users").docs()
	shop := s.findProject("acme/webshop")
	s.ids["milestones"] = 6
	s.ago(200)
	s.newMilestone(shop, "1.3").set("state", "closed")
	s.ago(60)
	m := s.newMilestone(shop, "1.4")
	m.set("description", "Faster checkout")
	m.set("due_date", "2026-03-31")
	n := 0
	for _, path := range [...]string{"acme/webshop", "acme/payments", "acme/platform/ledger", "acme/tools/deployer", "acme/tools/mail-templates", "community/handbook"} {
		p := s.findProject(path)
		for line := range strings.Lines(issueLines(path)) {
			done := strings.HasPrefix(line, "x ")
			title, labels, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "x ")), " | ")
			s.ago(240 - 3*n)
			i := s.newIssue(p, title, users[(n*5+2)%len(users)])
			i.set("labels", anys(texts(labels)))
			if n%3 != 2 {
				assigned(i, []any{brief(users[(n*7)%len(users)])})
			}
			if p == shop && n%4 == 0 {
				i.set("milestone", m)
			}
			if done {
				s.ago(max(240-3*n-9, 1))
				i.set("state", "closed")
				i.set("closed_at", stamp(s.now()))
				i.set("updated_at", stamp(s.now()))
				i.set("closed_by", brief(users[n%len(users)]))
			}
			n++
		}
	}
	s.seedNotes(shop)
}

// seedNotes talks about the issue that the demo looks at.
func (s *Sim) seedNotes(shop *node) {
	i := shop.at("issues", "12")
	i.doc.set("description", "Open the basket, remove everything, go back to the checkout page and press **Buy**.\n\nExpected: a message. Seen: an error page, and this in the log:\n\n```\npanic: runtime error: index out of range [0] with length 0\n```\n")
	s.ids["notes"] = 300
	s.ago(30)
	s.newNote(i, s.userBy("chiara"), "Happens on every browser. `Place` reads the first item without looking.", nil)
	s.ago(29)
	s.newNote(i, s.userBy("dana"), "I take this one, a fix is in !34.", nil)
	s.ago(28)
	d := s.newDiscussion(i, 12, false)
	renameDiscussion(i, d)
	s.newNote(i, s.userBy("hana"), "Should the button be disabled as well?", d)
	s.ago(27)
	s.newNote(i, s.userBy("dana"), "Yes, but in an issue of its own.", d)
}

// renameDiscussion gives a discussion the id that the catalog's examples use.
func renameDiscussion(on *node, d *object) {
	on.at("discussions", d.str("id")).remove()
	d.set("id", "6a9c1750b37d513a43987b574953fceb50b03ce7")
	on.open("discussions").put(d.str("id"), d)
}

func issueLines(path string) string {
	switch path {
	case "acme/webshop":
		return `x Basket forgets its items after an hour | bug,backend
x Show delivery costs before the last step | feature,frontend
x Search finds nothing for words with umlauts | bug,backend
Let customers save several addresses | feature,frontend
x Product pictures load twice | bug,frontend
Voucher codes are accepted after their end date | bug,backend,priority::high
x Write down how prices are rounded | docs
Sort search results by rating | feature
x Session test fails on slow runners | flaky,backend
Footer hides the cookie notice on phones | bug,frontend,priority::low
Offer invoices as PDF | feature,backend
Checkout fails with an empty basket | bug,backend,priority::high
Pay by bank transfer | feature,backend
x Stock counter goes below zero | bug,backend
Remember the chosen currency | feature,frontend
Explain the catalogue import in the runbook | docs
x Login link in mails is too long for some programs | bug
Gift cards | feature,backend,frontend
Tax is missing for orders to Norway | bug,backend,priority::high
x Replace the home-grown queue | backend
Show related products | feature,frontend
Dark mode for the account pages | feature,frontend,priority::low
x Orders are listed in the wrong time zone | bug,backend
Reviews can be sent twice by a double click | bug,frontend
Export orders as CSV | feature,backend
Checkout test depends on the order of a map | flaky,backend
x Remove the old newsletter form | frontend
Warn before the session ends | feature,frontend
Filter by size keeps sold-out articles | bug,backend
Measure how long the checkout takes | feature,backend
x Broken links in the help pages | docs
Do not ask for a phone number | feature,frontend
Two people can buy the last piece | bug,backend,priority::high
Compress product pictures at upload | feature,backend
x Robots file blocks the category pages | bug,frontend
Returns without printing a label | feature
Describe the order states | docs
Price alerts by mail | feature,backend,priority::low
Language switch jumps to the start page | bug,frontend
Rate limit the voucher form | backend,security`
	case "acme/payments":
		return `x Refunds are booked a day late | bug,backend
Refund a part of an order | feature,backend
Processor timeouts leave a charge pending | bug,backend,priority::high
x Rotate the keys of the test account | security
Book fees separately | feature,backend
Retry test sleeps for real | flaky,backend
Document the states of a charge | docs`
	case "acme/platform/ledger":
		return `Close a month in one transaction | feature,backend
x Reject entries from an account to itself | bug,backend
Balance endpoint is slow for old accounts | bug,backend
Archive entries after ten years | feature
Explain reversals | docs`
	case "acme/tools/deployer":
		return `Show what changed before a rollout | feature
x Rollback picks the newest tag by name | bug,priority::high
Deploy several regions at once | feature
Time out when a cluster does not answer | bug
Describe the permissions that it needs | docs`
	case "acme/tools/mail-templates":
		return `Order mail shows a broken logo | bug
Translate the reminder mail | feature
Check contrast of the buttons | bug,priority::low`
	}
	return `Say how on-call works | docs
x Fix the table of contents | docs
Add a page about incident reviews | docs`
}

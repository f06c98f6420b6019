package sim

import (
	"net/http"
	"strings"
	"time"
)

// day is the unit in which the company's past is told.
const day = 24 * time.Hour

// seed founds the company: the same people, projects and numbers every time. The
// names and numbers that the catalog's examples use exist.
func (s *Sim) seed() {
	if s.opts.Empty {
		s.newUser("ada", "Ada Quill")
		return
	}
	s.seedPeople()
	s.seedGroups()
	s.seedProjects()
	s.seedIssues()
	s.seedMergeRequests()
	s.seedRest()
	s.past = 0
}

// ago moves the clock back to n days before today.
func (s *Sim) ago(days int) { s.past = time.Duration(days)*day + time.Hour }

func (s *Sim) seedPeople() {
	for i, name := range [...]string{
		"Ada Quill", "Bruno Feld", "Chiara Monti", "Deniz Aksoy", "Emeka Obi", "Farah Nasser",
		"Dana Whitfield", "Goran Lisak", "Hana Sato", "Ines Duarte", "Jonas Berg", "Kira Volkov",
	} {
		s.ago(900 - 40*i)
		first, _, _ := strings.Cut(name, " ")
		s.newUser(strings.ToLower(first), name)
	}
	s.userBy("ada").set("is_admin", true)
	s.userBy("ada").set("job_title", "Engineering lead")
	s.userBy("dana").set("job_title", "Backend developer")
}

func (s *Sim) seedGroups() {
	s.ago(880)
	acme := s.newGroup("Acme", "acme", nil)
	acme.doc.set("description", "Everything that sells, ships and pays.")
	tools := s.newGroup("Tools", "tools", acme.doc)
	tools.doc.set("description", "What the other teams build with.")
	s.newGroup("Platform", "platform", acme.doc).doc.set("description", "Machines, networks and money.")
	community := s.newGroup("Community", "community", nil)
	community.doc.set("visibility", "public")
	for i, u := range s.data.at("users").docs() {
		level := int64(30)
		switch {
		case i == 0:
			level = 50
		case i < 4:
			level = 40
		case i > 9:
			level = 20
		}
		acme.open("members").put(u.str("id"), s.member(u, level))
	}
	s.newLabel(acme, "customer", "#1F75CB", "Reported by a customer")
	s.newLabel(acme, "security", "#B60205", "Must not be discussed in public")
}

func (s *Sim) seedProjects() {
	group := func(path string) *object { return s.findGroup(path).doc }
	for i, p := range [...]struct{ group, path, name, text, topics string }{
		{"acme", "webshop", "Webshop", "The shop itself: catalogue, basket and checkout.", "go,shop"},
		{"acme", "payments", "Payments", "Talks to card processors and books what they say.", "ruby,payments"},
		{"acme/platform", "ledger", "Ledger", "Double-entry bookkeeping behind an API.", "go,finance"},
		{"acme/tools", "deployer", "Deployer", "Brings a tag to a cluster and back again.", "go,deployment"},
		{"acme/tools", "mail-templates", "Mail templates", "Every mail that customers get.", "html"},
		{"community", "handbook", "Handbook", "How we work, for everyone to read.", "docs"},
	} {
		s.ago(800 - 90*i)
		n := s.newProject(p.name, p.path, group(p.group))
		n.doc.set("description", p.text)
		n.doc.set("topics", anys(strings.Split(p.topics, ",")))
		n.doc.set("tag_list", n.doc.get("topics"))
		n.doc.set("empty_repo", false)
		if p.group == "community" {
			n.doc.set("visibility", "public")
		}
		s.seedCode(n)
		s.seedLabels(n)
		n.open("protected_branches").put("main", s.protection("main"))
	}
	webshop := s.findProject("acme/webshop")
	webshop.doc.set(".old_paths", []any{"acme/old-shop"})
	webshop.doc.set("star_count", 4)
	webshop.open("members").put("7", s.member(s.userBy("dana"), 40))
}

func (s *Sim) seedLabels(p *node) {
	for _, l := range [...][3]string{
		{"backend", "#5843AD", "Go and Ruby"}, {"frontend", "#D1D100", "What customers see"}, {"bug", "#D9534F", "Something does not work"},
		{"feature", "#5CB85C", "Something new"}, {"docs", "#428BCA", "Words"}, {"priority::high", "#FF0000", "Before everything else"},
		{"priority::low", "#A8D695", "When there is time"}, {"flaky", "#F0AD4E", "Fails now and then"},
	} {
		s.newLabel(p, l[0], l[1], l[2])
	}
}

// stock puts an item into a collection that has no hook, with the fields of its
// schema where the catalog knows the collection.
func (s *Sim) stock(p *node, kind string, id string, pairs ...any) *object {
	c := &call{Sim: s, keys: []string{p.parent.key, p.key, kind, id}, at: []string{p.parent.key, p.key, kind, id}}
	doc := obj()
	for _, f := range s.root.lookup([]string{p.parent.key, p.key, kind}) {
		if f.node.method(http.MethodGet) != nil {
			doc = c.fill(c.itemSchema(f.node), p.open(kind))
		}
	}
	if doc.has("id") || len(doc.members) == 0 {
		doc.set("id", numeric(id))
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		doc.set(pairs[i].(string), pairs[i+1])
	}
	p.open(kind).put(id, doc)
	return doc
}

package sim

import (
	"crypto/sha1"
	"encoding/hex"
	"slices"
)

// noteHooks are the notes and discussions of issues or merge requests. Every
// note belongs to a discussion, if only to one of its own.
func noteHooks(of string) map[string]hook {
	base := "/projects/{}/" + of + "/{}"
	return map[string]hook{
		"GET " + base + "/notes":                      (*call).listNotes,
		"POST " + base + "/notes":                     (*call).createNote,
		"PUT " + base + "/notes/{}":                   (*call).updateNote,
		"DELETE " + base + "/notes/{}":                (*call).deleteNote,
		"GET " + base + "/discussions":                (*call).listDiscussions,
		"POST " + base + "/discussions":               (*call).createDiscussion,
		"GET " + base + "/discussions/{}":             (*call).getDiscussion,
		"PUT " + base + "/discussions/{}":             (*call).resolveDiscussion,
		"POST " + base + "/discussions/{}/notes":      (*call).replyToDiscussion,
		"PUT " + base + "/discussions/{}/notes/{}":    (*call).updateDiscussionNote,
		"DELETE " + base + "/discussions/{}/notes/{}": (*call).deleteDiscussionNote,
		"GET " + base + "/discussions/{}/notes/{}":    (*call).getDiscussionNote,
	}
}

// newNote writes a note on an issue or merge request, in a discussion or alone.
func (s *Sim) newNote(on *node, author *object, body string, d *object) *object {
	kind := map[string]string{"issues": "Issue", "merge_requests": "MergeRequest"}[on.parent.key]
	id := s.nextID("notes")
	alone := d == nil
	if alone {
		d = s.newDiscussion(on, id, true)
	}
	n := obj(
		"id", id, "type", nil, "body", body, "author", brief(author), "created_at", stamp(s.now()), "updated_at", stamp(s.now()),
		"system", false, "noteable_id", on.doc.get("id"), "noteable_type", kind, "project_id", on.doc.get("project_id"),
		"resolvable", false, "confidential", false, "internal", false, "imported", false,
		"noteable_iid", on.doc.get("iid"), "commands_changes", obj(), ".discussion", d,
	)
	if !alone {
		n.set("type", "DiscussionNote")
		n.set("resolvable", kind == "MergeRequest")
		if kind == "MergeRequest" {
			n.set("resolved", false)
			n.set("resolved_by", nil)
		}
	}
	d.set("notes", append(d.list("notes"), n))
	on.open("notes").put(key(id), n)
	on.doc.set("user_notes_count", on.doc.num("user_notes_count")+1)
	return n
}

func (s *Sim) newDiscussion(on *node, seed int64, individual bool) *object {
	sum := sha1.Sum([]byte("discussion " + key(seed)))
	d := obj("id", hex.EncodeToString(sum[:]), "individual_note", individual, "notes", []any{})
	on.open("discussions").put(d.str("id"), d)
	return d
}

func (c *call) listNotes() (reply, error) {
	list := c.item().at("notes").docs()
	by, direction := c.query.str("order_by"), c.query.str("sort")
	if by == "" {
		by = "created_at"
	}
	if direction == "" {
		direction = "desc"
	}
	if direction == "desc" {
		slices.Reverse(list)
	}
	c.sort(list, by, direction)
	return c.listed(list)
}

func (c *call) createNote() (reply, error) {
	if c.in("body") == "" {
		return reply{}, &refusal{status: 400, text: "400 Bad request - Note can't be blank"}
	}
	n := c.newNote(c.item(), c.user(), c.in("body"), nil)
	if c.in("internal") == "true" || c.in("confidential") == "true" {
		n.set("internal", true)
		n.set("confidential", true)
	}
	c.event("commented on", n, "Note")
	return created(n)
}

func (c *call) noteNode(id string) (*node, error) {
	if n := c.item().at("notes").item(id); n != nil {
		return n, nil
	}
	if !c.opts.Invent {
		return nil, notFound("Note")
	}
	n := c.newNote(c.item(), c.user(), "An invented note.", nil)
	n.set("id", numeric(id))
	return c.item().open("notes").put(id, n), nil
}

func (c *call) updateNote() (reply, error) { return c.editNote(c.keys[5]) }

func (c *call) editNote(id string) (reply, error) {
	n, err := c.noteNode(id)
	if err != nil {
		return reply{}, err
	}
	if c.body.fields.has("body") {
		n.doc.set("body", c.in("body"))
	}
	if c.body.fields.has("resolved") && n.doc.is("resolvable") {
		c.setResolved(n.doc, c.in("resolved") == "true")
	}
	n.doc.set("updated_at", stamp(c.now()))
	return ok(n.doc)
}

func (c *call) setResolved(n *object, resolved bool) {
	n.set("resolved", resolved)
	n.set("resolved_by", nil)
	if resolved {
		n.set("resolved_by", c.me())
	}
}

func (c *call) deleteNote() (reply, error) { return c.dropNote(c.keys[5]) }

func (c *call) dropNote(id string) (reply, error) {
	n, err := c.noteNode(id)
	if err != nil {
		return reply{}, err
	}
	d := n.doc.sub(".discussion")
	d.set("notes", slices.DeleteFunc(slices.Clone(d.list("notes")), func(v any) bool { return v == any(n.doc) }))
	if len(d.list("notes")) == 0 {
		if dn := c.item().at("discussions", d.str("id")); dn != nil {
			dn.remove()
		}
	}
	n.remove()
	c.item().doc.set("user_notes_count", c.item().doc.num("user_notes_count")-1)
	return noContent()
}

func (c *call) listDiscussions() (reply, error) { return c.listed(c.item().at("discussions").docs()) }

func (c *call) createDiscussion() (reply, error) {
	on := c.item()
	d := c.newDiscussion(on, c.nextID("discussions")+1<<20, false)
	n := c.newNote(on, c.user(), c.in("body"), d)
	if pos := c.body.fields.sub("position"); pos != nil {
		n.set("type", "DiffNote")
		n.set("position", pos)
	}
	return created(d)
}

func (c *call) discussion() (*object, error) {
	n := c.item().at("discussions").item(c.keys[5])
	if n != nil {
		return n.doc, nil
	}
	if !c.opts.Invent {
		return nil, notFound("Discussion")
	}
	d := obj("id", c.keys[5], "individual_note", false, "notes", []any{})
	c.item().open("discussions").put(c.keys[5], d)
	c.newNote(c.item(), c.user(), "An invented note.", d)
	return d, nil
}

func (c *call) getDiscussion() (reply, error) {
	d, err := c.discussion()
	if err != nil {
		return reply{}, err
	}
	return ok(d)
}

func (c *call) resolveDiscussion() (reply, error) {
	d, err := c.discussion()
	if err != nil {
		return reply{}, err
	}
	for _, v := range d.list("notes") {
		if n := v.(*object); n.is("resolvable") {
			c.setResolved(n, c.in("resolved") == "true")
		}
	}
	return ok(d)
}

func (c *call) replyToDiscussion() (reply, error) {
	d, err := c.discussion()
	if err != nil {
		return reply{}, err
	}
	d.set("individual_note", false)
	return created(c.newNote(c.item(), c.user(), c.in("body"), d))
}

func (c *call) updateDiscussionNote() (reply, error) { return c.editNote(c.keys[7]) }

func (c *call) deleteDiscussionNote() (reply, error) { return c.dropNote(c.keys[7]) }

func (c *call) getDiscussionNote() (reply, error) {
	n, err := c.noteNode(c.keys[7])
	if err != nil {
		return reply{}, err
	}
	return ok(n.doc)
}

package render_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/render"
)

// manyIssues is a page of 100 issues as GitLab gives them, a quarter of a
// megabyte, with something to mask in each.
func manyIssues() []byte {
	var b bytes.Buffer
	b.WriteByte('[')
	for i := range 100 {
		if i > 0 {
			b.WriteByte(',')
		}
		person := fmt.Sprintf(`{"id":%d,"username":"user%d","public_email":"","name":"User Number %d","state":"active","locked":false,"avatar_url":"https://gitlab.example.com/uploads/-/system/user/avatar/%d/avatar.png","web_url":"https://gitlab.example.com/user%d"}`, i, i, i, i, i)
		fmt.Fprintf(&b, `{"id":%d,"iid":%d,"project_id":42,"title":"Issue number %d with a \"quoted\" title","description":%q,"state":"opened","created_at":"2026-10-01T08:00:00.000Z","updated_at":"2026-10-02T08:00:00.000Z","closed_at":null,"closed_by":null,"labels":["bug","priority::1","team::payments"],"milestone":{"id":7,"iid":3,"project_id":42,"title":"1.%d","description":"","state":"active","created_at":"2026-01-01T00:00:00.000Z","web_url":"https://gitlab.example.com/g/p/-/milestones/3"},"assignees":[%s],"author":%s,"type":"ISSUE","assignee":%s,"user_notes_count":%d,"merge_requests_count":0,"upvotes":0,"downvotes":0,"due_date":null,"confidential":false,"discussion_locked":null,"issue_type":"issue","web_url":"https://gitlab.example.com/g/p/-/issues/%d","time_stats":{"time_estimate":0,"total_time_spent":0,"human_time_estimate":null,"human_total_time_spent":null},"task_completion_status":{"count":0,"completed_count":0},"blocking_issues_count":0,"has_tasks":true,"_links":{"self":"https://gitlab.example.com/api/v4/projects/42/issues/%d","notes":"https://gitlab.example.com/api/v4/projects/42/issues/%d/notes"},"references":{"short":"#%d","relative":"#%d","full":"g/p#%d"},"severity":"UNKNOWN","runners_token":"GR1348941%d","moved_to_id":null}`,
			1<<53+i, i, i, strings.Repeat("Steps to reproduce:\n\n1. open\n2. click \"save\"\n", 8), i, person, person, person, i, i, i, i, i, i, i, i)
	}
	b.WriteByte(']')
	return b.Bytes()
}

// BenchmarkShape compares shaping a page of 100 items with decoding it into any
// and encoding it again. The aim is half of its time at most.
func BenchmarkShape(b *testing.B) {
	body := manyIssues()
	answer := render.Answer{Status: 200, Body: body}
	opts := render.Options{Kind: catalog.List, Title: "List issues", Columns: []string{"iid", "title", "state", "author.username", "labels", "milestone.title"}}
	run := func(name string, opts render.Options) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if s := render.Shape(opts, answer); len(s.Structured) == 0 {
					b.Fatal("nothing")
				}
			}
		})
	}
	run("mask", opts)
	cut := opts
	cut.Budget = 40_000
	run("mask+budget", cut)
	fields := cut
	fields.Fields = []string{"iid", "title", "author.username", "assignees[].name", "milestone.title", "description", "runners_token"}
	run("fields+mask+budget", fields)
	b.Run("encodingjson", func(b *testing.B) {
		b.SetBytes(int64(len(body)))
		b.ReportAllocs()
		for b.Loop() {
			var v any
			if err := json.Unmarshal(body, &v); err != nil {
				b.Fatal(err)
			}
			if _, err := json.Marshal(v); err != nil {
				b.Fatal(err)
			}
		}
	})
}

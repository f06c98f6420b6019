package arg_test

import (
	"encoding/json"
	"testing"

	"gitlab-mcp-server/internal/arg"
)

var benchParams = []byte(`{"project_id":"my-group/sub/my.project","issue_iid":1234,"title":"Login fails with a second factor",
"description":"Steps:\n\n1. Sign in\n2. Enter the code\n\nExpected: the dashboard. Actual: an error page with \"500\".",
"assignee_ids":[17,4223],"milestone_id":9007199254740993,"add_labels":["bug","priority::1"],"confidential":false,
"due_date":"2026-11-02","weight":3,"state_event":"reopen"}`)

// BenchmarkRead compares reading a typical update with encoding/json into an
// equivalent struct. The aim is a third of its time at most.
func BenchmarkRead(b *testing.B) {
	b.Run("arg", func(b *testing.B) {
		var r arg.Reader
		b.ReportAllocs()
		b.SetBytes(int64(len(benchParams)))
		for b.Loop() {
			if err := r.Reset(benchParams); err != nil {
				b.Fatal(err)
			}
			r.ID("project_id", arg.Required)
			r.Int("issue_iid", arg.Required)
			r.String("title", 0)
			r.String("description", 0)
			r.Ints("assignee_ids", 0)
			r.Int("milestone_id", 0)
			r.Strings("add_labels", 0)
			r.Bool("confidential", 0)
			r.String("due_date", 0)
			r.IntRange("weight", 0, "0", "")
			r.Enum("state_event", 0, "close\nreopen")
			r.Bool("discussion_locked", 0)
			r.Strings("remove_labels", 0)
			if err := r.Err(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encodingjson", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(benchParams)))
		for b.Loop() {
			var p struct {
				ProjectID        *string  `json:"project_id"`
				IssueIID         *int64   `json:"issue_iid"`
				Title            *string  `json:"title"`
				Description      *string  `json:"description"`
				AssigneeIDs      []int64  `json:"assignee_ids"`
				MilestoneID      *int64   `json:"milestone_id"`
				AddLabels        []string `json:"add_labels"`
				Confidential     *bool    `json:"confidential"`
				DueDate          *string  `json:"due_date"`
				Weight           *int64   `json:"weight"`
				StateEvent       *string  `json:"state_event"`
				DiscussionLocked *bool    `json:"discussion_locked"`
				RemoveLabels     []string `json:"remove_labels"`
			}
			if err := json.Unmarshal(benchParams, &p); err != nil {
				b.Fatal(err)
			}
		}
	})
}

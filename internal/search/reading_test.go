package search_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/search"
	"gitlab-mcp-server/internal/search/eval"
)

// What a query says besides its words: the first action that it finds, and one
// that it must not find first or at all.
func TestReading(t *testing.T) {
	s, c := open()
	for _, tt := range []struct {
		query, first, never string
	}{
		// the examples that the server gives
		{"list open merge requests of project group/app", "merge_request.list", ""},
		{"retry the failed job 7781", "job.retry", ""},
		{"create an issue with labels", "issue.create", ""},
		{"who can push to protected branches", "protected_branch.list", ""},
		// a person is no thing of the project
		{"remove alice from the project", "project_member.delete", "project.delete"},
		{"kick bob out of the group", "group_member.delete", "group.delete"},
		{"take zork off the project", "project_member.delete", "project.delete"},
		{"add kim to project 5", "project_member.create", "project.create"},
		// what is not wanted is not asked for
		{"don't delete the group, list it", "", "group.delete"},
		{"don't delete the group, show it", "group.get", "group.delete"},
		{"don't merge the MR yet", "", "merge_request.merge"},
		{"do not block the user", "", "user.block"},
		{"never rotate the token", "", "personal_access_token.rotate"},
		{"without deactivating the user, show it", "user.get", "user.deactivate"},
		{"I do not want to delete the branch", "", "branch.delete"},
		{"nobody should delete tags", "", "tag.delete"},
		{"protect branch from deletion", "protected_branch.create", "branch.delete"},
		{"main must not be pushed to", "protected_branch.create", "branch.delete"},
		// a participle tells which things
		{"deleted branches", "branch.list", "branch.delete"},
		{"banned users", "user.list", "user.ban"},
		{"cancelled pipelines", "pipeline.list", "pipeline.cancel"},
		{"cancel the pipeline", "pipeline.cancel", ""},
		// a thing by itself asks for no destruction
		{"requirement", "", "project_approval_rule.delete"},
		{"two factor", "", "user.disable_two_factor"},
		// other languages negate before and behind the verb
		{"sin eliminar la rama", "", "branch.delete"},
		{"lösche den Branch nicht", "", "branch.delete"},
		{"ne supprime pas la branche", "", "branch.delete"},
		{"não excluir projeto", "", "project.delete"},
		{"不要删除分支", "", "branch.delete"},
		{"ブランチを削除しないで", "", "branch.delete"},
		{"lösche den Branch x", "branch.delete", ""},
		{"what is the difference between v1.0 and v1.1", "repository.compare", ""},
		// a domain as an identifier is the thing, a setting the action that has it
		{"WikiPage", "wiki_page.list", ""},
		{"maintenance_mode", "application_settings.update", ""},
		{"enable maintenance mode", "application_settings.update", ""},
		// a spelling goes with the rest
		{"reoder issue", "issue.reorder", ""},
		{"add labl to project", "label.create", ""},
		{"never delete a project", "project.get", "project.delete"},
		// a name is no word
		{"create a label called delete", "label.create", "label.delete_by_name"},
		{"create a label titled \"delete group\"", "label.create", "group.delete"},
		{"create a label name=“delete group”", "label.create", "group.delete"},
		{"set variable DELETE_GROUP of the project to pipelines", "", "group.delete"},
		{"list branches in acme/delete-users", "branch.list", "user.delete"},
		{"who changed main.go", "commit.list", ""},
		{"show app.rb", "file.get", ""},
		// a verb goes with its particle
		{"take that email address off his account", "user_email.delete", ""},
		// a pronoun is what was spoken of
		{"open an issue and close it", "issue.update", ""},
		// words without spaces, with much around, or not seen
		{"listMergeRequests", "merge_request.list", ""},
		{"\"list open merge requests\"", "merge_request.list", ""},
		{"list\u200b open\u00ad merge requests", "merge_request.list", ""},
		{"issue.create.", "issue.create", ""},
		{"(issue.create)", "issue.create", ""},
		{"use issue.create please", "issue.create", ""},
		{"gitlab://tools/issue.create", "issue.create", ""},
		// a path says most by its fixed parts, and reading is the least
		{"/projects/:id", "project.get", ""},
		{"DELETE /personal_access_tokens/self", "personal_access_token.revoke_self", ""},
		{"GET /projects/7/members/all", "project_member.list_all", ""},
		{"GET https://gitlab.example.com/api/v4/projects/42/issues?state=opened", "issue.list", ""},
		// one clause of a story asks
		{"Somebody wrote a rude comment with the id 5512 below issue 31 in project 7, please delete that comment.", "issue_note.delete", ""},
	} {
		got := ids(c, find(t, s, tt.query, search.Options{}))
		if tt.first != "" && (len(got) == 0 || got[0] != tt.first) {
			t.Errorf("%q finds %v, want %s first", tt.query, got[:min(3, len(got))], tt.first)
		}
		if tt.never != "" && slices.Index(got, tt.never) == 0 {
			t.Errorf("%q finds %s first", tt.query, tt.never)
		}
	}
}

// Words of daily life find nothing, whatever the verb.
func TestDailyLife(t *testing.T) {
	s, c := open()
	for _, query := range []string{
		"delete my shoes", "my cat is ill", "transfer the pizza", "rotate the tyres", "feed my cat please", "what should I cook tonight", "set an alarm for seven",
		"where is my umbrella", "water the plants", "how many calories has a banana", "play some jazz music", "paint the fence green",
	} {
		if got := ids(c, find(t, s, query, search.Options{})); len(got) > 0 {
			t.Errorf("%q finds %v", query, got[:min(3, len(got))])
		}
	}
}

// A verb misspelt, or in a form that no rule makes, does not bring up what
// destroys.
func TestFormsOfVerbs(t *testing.T) {
	s, c := open()
	for _, query := range []string{"removs the member", "deletae the branch", "scrape the project", "cancle the pipeline", "revok the token"} {
		for _, h := range find(t, s, query, search.Options{}).Hits {
			if a := c.At(h.Index); a.Destructive() {
				t.Errorf("%q brings up %s", query, a.ID())
			}
		}
	}
	for query, want := range map[string]string{"removing a branch": "branch.delete", "deletes the branch": "branch.delete", "cancelled the pipeline": "pipeline.cancel"} {
		if got := ids(c, find(t, s, query, search.Options{})); !slices.Contains(got[:min(3, len(got))], want) {
			t.Errorf("%q finds %v, want %s among the first", query, got[:min(3, len(got))], want)
		}
	}
}

// Who mistypes a verb that destroys gets the verb, not the opposite.
func TestOpposite(t *testing.T) {
	s, _ := open()
	for query, want := range map[string]string{"blok user": "block", "cancle pipeline": "cancel", "deativate user": "deactivate", "delet tag": "delete"} {
		r := find(t, s, query, search.Options{})
		if len(r.Hits) > 0 || !slices.Contains(r.Suggestions, want) {
			t.Errorf("%q finds %d actions and suggests %q, want %s", query, len(r.Hits), r.Suggestions, want)
		}
	}
}

// Nothing of a query is left for the next one.
func TestQueriesAreAlone(t *testing.T) {
	s, _ := open()
	queries := []string{"merge request aprovl zork", "weather in paris", "pipelnes list", "hello frobnitz isue", "delte brnch", "list issues"}
	alone := map[string]search.Reply{}
	for _, q := range queries {
		fresh, _ := open()
		alone[q] = find(t, fresh, q, search.Options{})
	}
	for _, before := range queries {
		for _, q := range queries {
			find(t, s, before, search.Options{Limit: search.MaxLimit})
			if diff := cmp.Diff(alone[q], find(t, s, q, search.Options{})); diff != "" {
				t.Errorf("%q after %q: %s", q, before, diff)
			}
		}
	}
}

// The limit never changes the order, points fall, and so many hits come as are
// asked for.
func TestOrderIsOne(t *testing.T) {
	s, c := open()
	queries, err := eval.Load("testdata/queries_report.jsonl", c)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range queries {
		all := ids(c, find(t, s, q.Text, search.Options{Limit: search.MaxLimit}))
		for _, limit := range []int{0, 1, 5, 20} {
			r := find(t, s, q.Text, search.Options{Limit: limit})
			got := ids(c, r)
			if n := min(len(got), len(all)); !slices.Equal(got[:n], all[:n]) {
				t.Errorf("%q: limit %d gives %s, limit %d %s", q.Text, limit, strings.Join(got, " "), search.MaxLimit, strings.Join(all[:n], " "))
			}
			if want := min(limit, len(all)); len(got) < want {
				t.Errorf("%q: %d hits for limit %d, %d match", q.Text, len(got), limit, len(all))
			}
			if limit > 0 && len(r.Hits) > limit {
				t.Errorf("%q: %d hits for limit %d", q.Text, len(r.Hits), limit)
			}
			for i := 1; i < len(r.Hits); i++ {
				if r.Hits[i].Score > r.Hits[i-1].Score {
					t.Errorf("%q: the %d. hit has more points than the one before", q.Text, i+1)
				}
			}
		}
	}
}

// What the caller may not see does not hide what it may.
func TestReadersFind(t *testing.T) {
	s, c := open()
	for _, query := range []string{
		"look through the issues", "rebase mr", "delete label", "list open merge requests", "unarchive project 71", "pipelnes list", "create a project and add a webhook to it",
		"which tickets have no owner", "all epics of the group",
	} {
		readOnly := func(i int) bool { return c.At(i).ReadOnly() }
		if got := find(t, s, query, search.Options{Allow: readOnly}); len(got.Hits) == 0 {
			t.Errorf("%q finds nothing for a caller who may only read", query)
		}
	}
}

// Whatever an action is called finds it.
func TestOwnWords(t *testing.T) {
	s, c := open()
	lists := map[string]bool{} // things that are lists: the lists of a board
	for a := range c.All() {
		if of, ok := strings.CutSuffix(a.Domain(), "_list"); ok {
			lists[strings.TrimPrefix(of, "feature_flag_")] = true
		}
	}
	for a := range c.All() {
		if a.Has(catalog.Hidden) || a.Deprecated() != "" {
			continue
		}
		for _, query := range []string{a.Title(), strings.ToLower(a.Title()), strings.ReplaceAll(a.Domain()+" "+a.Name(), "_", " "), strings.ReplaceAll(a.Name()+" "+a.Domain(), "_", " ")} {
			got := ids(c, find(t, s, query, search.Options{Limit: 5}))
			if !slices.Contains(got, a.ID()) && !(a.Name() == "list" && lists[a.Domain()]) {
				t.Errorf("%q does not find %s but %v", query, a.ID(), got)
			}
		}
	}
}

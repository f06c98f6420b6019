package overlay_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gitlab-mcp-server/gen/ir"
	"gitlab-mcp-server/gen/overlay"
)

func TestUpdateLock(t *testing.T) {
	lock := filepath.Join(t.TempDir(), "names.lock")
	cat := &ir.Catalog{
		Actions: []*ir.Action{{ID: "issue.get"}, {ID: "issue.list"}},
		Aliases: []ir.Alias{{Name: "tickets", From: "ours"}, {Name: "getApiV4Issues", From: "operation_id"}},
	}
	write := func(want bool) string {
		t.Helper()
		changed, err := overlay.UpdateLock(cat, lock)
		if err != nil || changed != want {
			t.Fatalf("changed %v, %v; want %v", changed, err, want)
		}
		text, err := os.ReadFile(lock)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}

	first := write(true)
	if want := "1 issue.get id active\n2 issue.list id active\n3 tickets alias active\n"; !strings.HasSuffix(first, want) {
		t.Errorf("new ledger is\n%s\nwant its end to be\n%s", first, want)
	}
	if strings.Contains(first, "getApiV4Issues") {
		t.Error("an operation id, which is not ours to promise, is in the ledger")
	}
	if again := write(false); again != first {
		t.Error("a second run changed the ledger")
	}

	cat.Actions = append([]*ir.Action{{ID: "board.list"}}, cat.Actions...)
	if grown := write(true); grown != first+"4 board.list id active\n" {
		t.Errorf("the ledger is not only added to:\n%s", grown)
	}
}

func TestUpdateLockRefusesBrokenLedger(t *testing.T) {
	lock := filepath.Join(t.TempDir(), "names.lock")
	const broken = "2 issue.get id active\n1 issue.list id active\n"
	if err := os.WriteFile(lock, []byte(broken), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := overlay.UpdateLock(&ir.Catalog{Actions: []*ir.Action{{ID: "board.list"}}}, lock); err == nil {
		t.Error("a ledger with falling numbers was added to")
	}
	if text, err := os.ReadFile(lock); err != nil || string(text) != broken {
		t.Errorf("the broken ledger was changed: %q, %v", text, err)
	}
}

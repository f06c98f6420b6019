package own_test

import (
	"strings"
	"testing"

	"gitlab-mcp-server/generated"
	"gitlab-mcp-server/internal/catalog"
	"gitlab-mcp-server/internal/exec"
	"gitlab-mcp-server/internal/own"
)

// Every action of ours in the catalog has code, and a dry run of its example
// sends nothing.
func TestEveryActionHasCode(t *testing.T) {
	w := newWorld(t, nil)
	n := 0
	for a := range catalog.New(generated.Tables()).All() {
		code := new(own.Actions).Action(a.ID())
		if (a.Method() == "LOCAL") != (code != nil) {
			t.Errorf("%s has method %s and code %v", a.ID(), a.Method(), code)
		}
		if code == nil {
			continue
		}
		n++
		if res := w.do(t, a.ID(), a.Example(), dryRun); res.IsError || res.Action != a.ID() {
			t.Errorf("%s: %s", a.ID(), res.Text)
		}
		if f := failure(t, w.do(t, a.ID(), `{"no_such_parameter":1}`, dryRun)); f.Code != "invalid_params" || !strings.Contains(f.Message, "no_such_parameter") {
			t.Errorf("%s with an unknown argument: %+v", a.ID(), f)
		}
	}
	if n < 8 || len(w.sent()) != 0 {
		t.Errorf("%d actions, sent %v", n, w.sent())
	}
}

// An action has arguments that only a helper understands exactly if it has one.
func TestHelpersReadWhatIsLocal(t *testing.T) {
	common := map[string]bool{}
	for _, name := range exec.Locals {
		common[name] = true
	}
	n := 0
	for a := range catalog.New(generated.Tables()).All() {
		local := false
		for p := range a.Params() {
			local = local || p.In() == catalog.InLocal && !common[p.Name()]
		}
		if helped := own.Helper(a.ID()) != nil; helped != (local && a.Method() != "LOCAL") {
			t.Errorf("%s: helper %v, arguments of its own %v", a.ID(), helped, local)
		} else if helped {
			n++
		}
	}
	if n < 10 {
		t.Errorf("%d helpers", n)
	}
}

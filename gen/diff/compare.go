package diff

import (
	"cmp"
	"slices"
	"strconv"
)

// Kind says what changed.
type Kind string

// Kinds of changes.
const (
	ActionAdded    Kind = "action_added"
	ActionRemoved  Kind = "action_removed"
	ActionRenamed  Kind = "action_renamed"
	RequestChanged Kind = "request_changed" // another method or path under the same id
	KindChanged    Kind = "answer_changed"  // list instead of object, …
	RiskRaised     Kind = "risk_raised"
	RiskLowered    Kind = "risk_lowered"
	Deprecated     Kind = "deprecated"
	ParamAdded     Kind = "param_added"
	ParamRemoved   Kind = "param_removed"
	ParamRetyped   Kind = "param_retyped"
	ParamRequired  Kind = "param_required" // newly required
	ParamOptional  Kind = "param_optional" // no longer required
	ParamLimited   Kind = "param_limited"  // values that were allowed no longer are
	ParamWidened   Kind = "param_widened"  // more values are allowed
)

// Change is one difference. From and To are texts for people.
type Change struct {
	Kind     Kind   `json:"kind"`
	Action   string `json:"action"` // the new id, the old one where there is no new one
	Param    string `json:"param,omitempty"`
	From     string `json:"from,omitempty"`
	To       string `json:"to,omitempty"`
	Breaking bool   `json:"breaking"`
}

// Report is the difference of two catalogs: breaking changes first, then by
// action and parameter.
type Report struct {
	Old      string   `json:"old"` // GitLab versions
	New      string   `json:"new"`
	Breaking int      `json:"breaking"`
	Changes  []Change `json:"changes"`
}

// Compare gives the changes from before to after. An action is the same if its id
// is; failing that, if its number in the ledger is; failing that, if method and
// path are and belong to no other action.
func Compare(before, after *Dump) *Report {
	c := comparison{report: &Report{Old: before.GitLab, New: after.GitLab, Changes: []Change{}}}
	matched := match(before, after)
	taken := map[string]bool{}
	for i := range before.Actions {
		old := &before.Actions[i]
		now := matched[old.ID]
		if now == nil {
			c.add(Change{Kind: ActionRemoved, Action: old.ID, From: request(old), Breaking: true})
			continue
		}
		taken[now.ID] = true
		c.action(old, now)
	}
	for i := range after.Actions {
		if now := &after.Actions[i]; !taken[now.ID] {
			c.add(Change{Kind: ActionAdded, Action: now.ID, To: request(now)})
		}
	}
	slices.SortStableFunc(c.report.Changes, func(x, y Change) int {
		if x.Breaking != y.Breaking {
			if x.Breaking {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(x.Action, y.Action), cmp.Compare(x.Param, y.Param), cmp.Compare(x.Kind, y.Kind))
	})
	for _, ch := range c.report.Changes {
		if ch.Breaking {
			c.report.Breaking++
		}
	}
	return c.report
}

// match finds for each old id the action of after that it is now.
func match(before, after *Dump) map[string]*Action {
	byID := map[string]*Action{}
	for i := range after.Actions {
		byID[after.Actions[i].ID] = &after.Actions[i]
	}
	found := map[string]*Action{}
	taken := map[string]bool{}
	for _, old := range before.Actions {
		if now := byID[old.ID]; now != nil {
			found[old.ID] = now
			taken[now.ID] = true
		}
	}
	keys := []func(*Action) string{numberOf, request}
	for _, key := range keys {
		free := map[string]*Action{}
		for i := range after.Actions {
			now := &after.Actions[i]
			if k := key(now); k != "" && !taken[now.ID] {
				free[k] = now
			}
		}
		for i := range before.Actions {
			old := &before.Actions[i]
			now := free[key(old)]
			if found[old.ID] == nil && now != nil && !taken[now.ID] {
				found[old.ID] = now
				taken[now.ID] = true
			}
		}
	}
	return found
}

func numberOf(a *Action) string {
	if a.Number == 0 {
		return ""
	}
	return "#" + strconv.Itoa(a.Number)
}

// request is METHOD path; "" for actions that are no REST operation.
func request(a *Action) string {
	if a.Path == "" {
		return ""
	}
	return a.Method + " " + a.Path
}

type comparison struct{ report *Report }

func (c *comparison) add(ch Change) { c.report.Changes = append(c.report.Changes, ch) }

// rank orders risks; 0 is an unknown one.
func rank(risk string) int {
	return 1 + slices.Index([]string{"read", "write", "destroy"}, risk)
}

func (c *comparison) action(old, now *Action) {
	if old.ID != now.ID {
		// The old name still works if it is an alias now.
		c.add(Change{Kind: ActionRenamed, Action: now.ID, From: old.ID, To: now.ID, Breaking: !slices.Contains(now.Aliases, old.ID)})
	}
	if request(old) != request(now) || old.Method != now.Method {
		c.add(Change{Kind: RequestChanged, Action: now.ID, From: cmp.Or(request(old), old.Method), To: cmp.Or(request(now), now.Method)})
	}
	if old.Kind != now.Kind && old.Kind != "" && now.Kind != "" {
		c.add(Change{Kind: KindChanged, Action: now.ID, From: old.Kind, To: now.Kind, Breaking: true})
	}
	switch before, after := rank(old.risk()), rank(now.risk()); {
	case before == 0 || after == 0 || before == after:
	case before < after:
		c.add(Change{Kind: RiskRaised, Action: now.ID, From: old.risk(), To: now.risk(), Breaking: true})
	default:
		c.add(Change{Kind: RiskLowered, Action: now.ID, From: old.risk(), To: now.risk()})
	}
	if old.Deprecated == "" && now.Deprecated != "" {
		c.add(Change{Kind: Deprecated, Action: now.ID, To: now.Deprecated})
	}
	if old.InputSchema != nil && now.InputSchema != nil {
		c.properties(now.ID, "", old.InputSchema, now.InputSchema)
	}
}

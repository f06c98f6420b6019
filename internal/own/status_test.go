package own_test

import (
	"encoding/json"
	"testing"
)

func TestStatus(t *testing.T) {
	w := newWorld(t, nil, func(o *options) { o.policy.ReadOnly = true })
	res := w.do(t, "server.status", `{}`)
	var got struct {
		Version, GitLab, Surface string
		ReadOnly                 bool   `json:"read_only"`
		SafeMode                 bool   `json:"safe_mode"`
		Spec                     string `json:"gitlab_spec"`
		Actions                  int
		Usable                   int `json:"actions_usable"`
	}
	if err := json.Unmarshal(res.Structured, &got); err != nil || res.IsError {
		t.Fatalf("%v: %s", err, res.Text)
	}
	if got.Version != "1.2.3" || got.GitLab != w.url || got.Surface != "dynamic" || !got.ReadOnly || got.SafeMode || got.Spec == "" || got.Actions < 1000 || got.Usable >= got.Actions || got.Usable == 0 {
		t.Errorf("%+v", got)
	}
	if len(w.sent()) != 0 {
		t.Errorf("sent %v", w.sent())
	}
	if f := failure(t, w.do(t, "server.status", `{"verbose":true}`)); f.Code != "invalid_params" {
		t.Errorf("%+v", f)
	}
}

package main

import "testing"

func TestSetWeight(t *testing.T) {
	const file = "weights:\n  verb: 2.0 # of the verb\n  verb_x: 1\nsimilar:\n  get: {list: 0.5, get: 1}\n"
	for _, tt := range []struct{ name, want string }{
		{"verb", "weights:\n  verb: 7 # of the verb\n  verb_x: 1\nsimilar:\n  get: {list: 0.5, get: 1}\n"},
		{"similar get list", "weights:\n  verb: 2.0 # of the verb\n  verb_x: 1\nsimilar:\n  get: {list: 7, get: 1}\n"},
		{"similar get act", "weights:\n  verb: 2.0 # of the verb\n  verb_x: 1\nsimilar:\n  get: {act: 7, list: 0.5, get: 1}\n"},
	} {
		got, err := setWeight([]byte(file), tt.name, "7")
		if err != nil || string(got) != tt.want {
			t.Errorf("setWeight(%q) = %q, %v; want %q", tt.name, got, err, tt.want)
		}
	}
	if _, err := setWeight([]byte(file), "nothing", "7"); err == nil {
		t.Error("a weight without a line was set")
	}
}

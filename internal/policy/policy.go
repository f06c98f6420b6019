// Package policy decides which actions exist for this server and this caller,
// and says why the others are withheld: read-only mode, excluded names, tier,
// token scopes.
//
// It never looks at arguments and never asks anybody: whether a call needs a
// confirmation is package exec's, and what a token may do is told to it by
// whoever has found out.
package policy

import (
	"fmt"
	"slices"
	"sync/atomic"

	"gitlab-mcp-server/internal/catalog"
)

// Config is the operator's part of the policy.
type Config struct {
	ReadOnly bool     // mutating actions do not exist
	SafeMode bool     // mutating actions are previewed, not sent
	Exclude  []string // ids, domains, globs over ids, gitlab_<group>
	Tier     string   // free, premium, ultimate; empty: unknown, nothing is hidden
}

// Policy is safe for concurrent use.
type Policy struct {
	base   *base
	scopes atomic.Pointer[scopes]
}

// base is what does not change after the start, shared by all callers.
type base struct {
	cat      *catalog.Catalog
	cfg      Config
	allowed  bits
	excluded bits
}

// New judges every action of the catalog once. An entry of Exclude that
// matches nothing is an error that names the nearest name.
func New(c *catalog.Catalog, cfg Config) (*Policy, error) {
	b := &base{cat: c, cfg: cfg, allowed: newBits(c.Len())}
	if len(cfg.Exclude) > 0 {
		b.excluded = newBits(c.Len())
		for _, entry := range cfg.Exclude {
			if err := b.exclude(entry); err != nil {
				return nil, err
			}
		}
	}
	for a := range c.All() {
		if b.reason(a).Code == Allowed {
			b.allowed.set(a.Index())
		}
	}
	return &Policy{base: b}, nil
}

// ForCaller is the same policy for another caller, whose scopes are unknown yet.
func (p *Policy) ForCaller() *Policy { return &Policy{base: p.base} }

// SetScopes tells what the caller's token may do. Nil is unknown and hides
// nothing; an empty list is a token without any scope.
func (p *Policy) SetScopes(granted []string) {
	if granted == nil {
		p.scopes.Store(nil)
		return
	}
	p.scopes.Store(p.base.scopesOf(granted))
}

// Scopes are the caller's scopes, nil if unknown.
func (p *Policy) Scopes() []string {
	if s := p.scopes.Load(); s != nil {
		return s.granted
	}
	return nil
}

// Allowed reports whether the action exists for this caller.
func (p *Policy) Allowed(a catalog.Action) bool {
	if !p.base.allowed.has(a.Index()) {
		return false
	}
	s := p.scopes.Load()
	return s == nil || s.allowed.has(a.Index())
}

// Filter gives Allowed as of now, by the index of an action in the catalog:
// scopes that become known later do not change its answers, so that one reply
// is consistent.
func (p *Policy) Filter() func(i int) bool {
	s := p.scopes.Load()
	if s == nil {
		return p.base.allowed.has
	}
	return func(i int) bool { return p.base.allowed.has(i) && s.allowed.has(i) }
}

// Preview reports whether safe mode asks for a preview in place of the request.
func (p *Policy) Preview(r catalog.Risk) bool { return p.base.cfg.SafeMode && r != catalog.Read }

// ReadOnly reports whether the server is in read-only mode.
func (p *Policy) ReadOnly() bool { return p.base.cfg.ReadOnly }

// Code is the kind of a reason.
type Code uint8

// Kinds of reasons.
const (
	Allowed  Code = iota
	ReadOnly      // the server is in read-only mode
	Excluded      // by the operator
	Tier          // above the tier that the operator has set
	Scope         // the token's scopes do not suffice
)

// Reason is why an action is withheld, or Allowed. Text is one sentence
// without an end mark.
type Reason struct {
	Code Code
	Text string
}

// Why is the first reason why the action is withheld, or Allowed.
func (p *Policy) Why(a catalog.Action) Reason {
	if r := p.base.reason(a); r.Code != Allowed {
		return r
	}
	s := p.scopes.Load()
	if s == nil || s.allowed.has(a.Index()) {
		return Reason{}
	}
	text := fmt.Sprintf("the token lacks the scope %s (it has %s)", ScopeOf(a), s)
	if slices.Contains(s.granted, "mcp") {
		// What GitLab's dynamic registration of OAuth clients grants.
		text += "; GitLab's REST API takes no token with the scope mcp alone"
	}
	return Reason{Scope, text}
}

func (b *base) reason(a catalog.Action) Reason {
	switch {
	case b.cfg.ReadOnly && !a.ReadOnly():
		return Reason{ReadOnly, "the operator runs this server in read-only mode"}
	case b.excluded != nil && b.excluded.has(a.Index()):
		return Reason{Excluded, "the operator has excluded it on this server"}
	case b.cfg.Tier != "" && rank(a.Tier()) > rank(b.cfg.Tier):
		return Reason{Tier, fmt.Sprintf("it belongs to GitLab %s, and the operator has set the tier %s", a.Tier(), b.cfg.Tier)}
	}
	return Reason{}
}

func rank(tier string) int {
	switch tier {
	case "premium":
		return 1
	case "ultimate":
		return 2
	}
	return 0
}

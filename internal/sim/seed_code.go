package sim

import (
	"maps"
	"time"
)

// step is one commit of a project's past.
type step struct {
	days    int
	who     string
	message string
	files   tree // what it writes; empty content deletes
}

// seedCode gives a project its files and its past.
func (s *Sim) seedCode(p *node) {
	steps := map[string][]step{
		"webshop": webshopCode(), "payments": paymentsCode(), "ledger": ledgerCode(),
		"deployer": deployerCode(), "mail-templates": templateCode(), "handbook": handbookCode(),
	}[p.doc.str("path")]
	var head *commit
	for _, st := range steps {
		head = s.step(p, head, st)
	}
	p.repo.setBranch("main", head)
}

func (s *Sim) step(p *node, parent *commit, st step) *commit {
	t := tree{}
	var parents []*commit
	if parent != nil {
		t = maps.Clone(parent.tree)
		parents = []*commit{parent}
	}
	for name, f := range st.files {
		if f.content == "" {
			delete(t, name)
		} else {
			t[name] = f
		}
	}
	u := s.userBy(st.who)
	when := start().Add(-time.Duration(st.days) * day)
	return p.repo.commit(t, st.message, person{u.str("name"), st.who + "@example.com"}, when, parents...)
}

const appGo = `package main

import (
	"log"
	"net/http"

	"acme.example/webshop/cart"
	"acme.example/webshop/checkout"
)

func main() {
	mux := http.NewServeMux()
	mux.Handle("/cart/", cart.Handler())
	mux.Handle("/checkout", checkout.Handler())
	log.Fatal(http.ListenAndServe(":8080", mux))
}
`

const cartGo = `// Package cart keeps what a customer is about to buy.
package cart

// Item is a number of pieces of one article.
type Item struct {
	Article string
	Pieces  int
	Cents   int64
}

// Cart is what lies in one customer's basket.
type Cart struct{ Items []Item }

// Total is the price of everything, in cents.
func (c *Cart) Total() int64 {
	var sum int64
	for _, i := range c.Items {
		sum += int64(i.Pieces) * i.Cents
	}
	return sum
}
`

const checkoutGo = `// Package checkout turns a basket into an order.
package checkout

import (
	"net/http"

	"acme.example/webshop/cart"
)

// Place orders everything in a basket.
func Place(c *cart.Cart) (Order, error) {
	first := c.Items[0]
	return Order{First: first.Article, Cents: c.Total()}, nil
}

// Order is a basket that was paid for.
type Order struct {
	First string
	Cents int64
}

// Handler answers the last page of the shop.
func Handler() http.Handler { return http.HandlerFunc(place) }
`

// fixedCheckoutGo refuses an empty basket.
const fixedCheckoutGo = `// Package checkout turns a basket into an order.
package checkout

import (
	"errors"
	"net/http"

	"acme.example/webshop/cart"
)

// ErrEmpty is an order of nothing.
var ErrEmpty = errors.New("the basket is empty")

// Place orders everything in a basket.
func Place(c *cart.Cart) (Order, error) {
	if len(c.Items) == 0 {
		return Order{}, ErrEmpty
	}
	first := c.Items[0]
	return Order{First: first.Article, Cents: c.Total()}, nil
}

// Order is a basket that was paid for.
type Order struct {
	First string
	Cents int64
}

// Handler answers the last page of the shop.
func Handler() http.Handler { return http.HandlerFunc(place) }
`

const pipelineYML = `stages: [build, test, deploy]

default:
  image: golang:1.26

build:
  stage: build
  script: go build ./...

lint:
  stage: test
  script: go vet ./...

unit-tests:
  stage: test
  script: go test ./...

deploy-staging:
  stage: deploy
  script: ./deploy.sh staging
  when: manual
`

func plain(s string) file { return file{content: s} }

func webshopCode() []step {
	return []step{
		{420, "ada", "Start the shop", tree{
			"README.md":  plain("# Webshop\n\nThe shop itself: catalogue, basket and checkout.\n\nRun `go run ./src` and open http://localhost:8080.\n"),
			"go.mod":     plain("module acme.example/webshop\n\ngo 1.26\n"),
			"src/app.go": plain(appGo), ".gitlab-ci.yml": plain(pipelineYML),
		}},
		{390, "bruno", "Add the basket", tree{"src/cart/cart.go": plain(cartGo)}},
		{350, "chiara", "Add the checkout\n\nOne page, one button.", tree{"src/checkout/checkout.go": plain(checkoutGo)}},
		{300, "dana", "Keep orders in a table", tree{"migrations/0001_orders.sql": plain("CREATE TABLE orders (\n  id bigserial PRIMARY KEY,\n  customer bigint NOT NULL,\n  cents bigint NOT NULL\n);\n")}},
		{260, "emeka", "Deploy by script", tree{"deploy.sh": {content: "#!/bin/sh\nset -eu\necho \"uploading webshop to $1\"\n", executable: true}}},
		{120, "farah", "Say what to do when the checkout is down", tree{"docs/runbook.md": plain("# Runbook\n\n## The checkout is down\n\n1. Look at the error rate per instance.\n2. Roll back to the last tag with `deploy.sh`.\n3. Tell support.\n")}},
		{40, "goran", "Sort the catalogue by stock", tree{"src/catalogue/sort.go": plain("package catalogue\n\nimport \"slices\"\n\n// Sort puts what is in stock first.\nfunc Sort(list []Article) {\n\tslices.SortStableFunc(list, func(a, b Article) int { return b.Stock - a.Stock })\n}\n")}},
	}
}

func paymentsCode() []step {
	return []step{
		{380, "deniz", "Take cards", tree{
			"README.md":           plain("# Payments\n\nTalks to card processors and books what they say.\n"),
			"lib/refund.rb":       plain("# A refund gives money back, whole cents only.\nclass Refund\n  def initialize(cents)\n    raise ArgumentError, \"no cents\" unless cents.positive?\n    @cents = cents\n  end\nend\n"),
			"spec/refund_spec.rb": plain("RSpec.describe Refund do\n  it \"refuses nothing\" do\n    expect { Refund.new(0) }.to raise_error(ArgumentError)\n  end\nend\n"),
		}},
		{200, "hana", "Retry when the processor is busy", tree{"lib/processor.rb": plain("# Sends one charge, and again while the processor says that it is busy.\nclass Processor\n  TRIES = 3\nend\n")}},
	}
}

func ledgerCode() []step {
	return []step{
		{340, "ines", "Book both sides", tree{
			"README.md": plain("# Ledger\n\nDouble-entry bookkeeping behind an API.\n"),
			"entry.go":  plain("// Package ledger books amounts twice.\npackage ledger\n\n// Entry moves cents from one account to another.\ntype Entry struct {\n\tFrom, To string\n\tCents    int64\n}\n"),
		}},
	}
}

func deployerCode() []step {
	return []step{
		{310, "emeka", "Roll out, roll back", tree{
			"README.md": plain("# Deployer\n\nBrings a tag to a cluster and back again.\n"),
			"main.go":   plain("package main\n\nfunc main() { rollout() }\n"),
		}},
	}
}

func templateCode() []step {
	return []step{
		{280, "kira", "Confirm an order", tree{"order.html": plain("<h1>Thank you!</h1>\n<p>Your order {{number}} is on its way.</p>\n")}},
	}
}

func handbookCode() []step {
	return []step{
		{260, "jonas", "How we review", tree{"README.md": plain("# Handbook\n\n## Review\n\nAnswer within a day. Ask before you assume.\n")}},
	}
}

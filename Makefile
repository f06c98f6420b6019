# Every target works in a fresh clone with Go alone.

GO       ?= go
VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null)
FUZZTIME ?= 20s
BENCH    ?= .

# What race detection is for: everything that serves calls, and what learns side
# by side. The generated tables are constants.
RACE = ./internal/... ./cmd/gitlab-mcp-server ./gen/index

.PHONY: help demo build generate check test race fuzz bench eval lint spec

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## see it work: no token, no network, no server
	$(GO) run ./cmd/gitlab-mcp-server demo

build: ## build bin/gitlab-mcp-server
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w -X main.release=$(VERSION)' -o bin/gitlab-mcp-server ./cmd/gitlab-mcp-server

generate: ## compile specs into generated and docs/reference
	$(GO) run ./cmd/gen generate

check: ## fail if the generated files are not what specs say
	$(GO) run ./cmd/gen -check
	$(GO) run ./cmd/gen audit -q

test: ## run all tests
	$(GO) test ./...

race: ## run the server's tests with the race detector
	$(GO) test -race $(RACE)

fuzz: ## run every fuzz target for FUZZTIME
	@set -e; for pkg in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
			echo "$$pkg $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$pkg; \
		done; \
	done

bench: ## run the benchmarks; compare two outputs with: go tool benchstat OLD NEW
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem ./internal/... ./cmd/gitlab-mcp-server

eval: ## measure the search by the reporting half of the labelled queries
	$(GO) run ./cmd/gitlab-mcp-server find --eval internal/search/testdata/queries_report.jsonl

lint: ## gofmt, vet, staticcheck
	@files=$$(gofmt -l cmd gen generated internal); test -z "$$files" || { echo "not gofmt'ed:"; echo "$$files"; exit 1; }
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

spec: ## take a new OpenAPI document: make spec SPEC=FILE|URL [GITLAB_VERSION=19.5] [DATE=2026-09]
	@test -n '$(SPEC)' || { echo 'usage: make spec SPEC=FILE|URL [GITLAB_VERSION=19.5] [DATE=2026-09]'; exit 2; }
	$(GO) run ./cmd/gen import -in '$(SPEC)' $(if $(GITLAB_VERSION),-gitlab-version '$(GITLAB_VERSION)') $(if $(DATE),-date '$(DATE)')
	$(GO) run ./cmd/gen generate
	$(GO) run ./cmd/gen diff HEAD .

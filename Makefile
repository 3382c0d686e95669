# The two commands of the README are `make run` and `make test`.
GO ?= go

.PHONY: run test race soak fuzz bench bench-all generate cases build lint console console-test

run: console ## start the service with a demo world in ./data
	$(GO) run ./cmd/gamedata serve --demo

test: console-test ## every test
	$(GO) test -parallel 4 ./...

race: ## every test with the race detector, the longest in short
	$(GO) test -race -short -parallel 4 -timeout 20m ./...

soak: ## a mixed load on a played world that loses its store on the way; SOAK=5m, up to 24h
	SOAK=$${SOAK:-5m} $(GO) test -run '^TestSoak$$' -v -count 1 -timeout 25h ./internal/app

# package:target of every fuzz test
FUZZ := internal/httpapi:FuzzGraphQL internal/httpapi:FuzzReadJSON graph:FuzzParse rest:FuzzRequest rest/transform:FuzzParse rest/transform:FuzzTransform rest/transform:FuzzReverse \
	rest/transform:FuzzRoundTrip mongo/embedded:FuzzProtocol internal/auth/oauth:FuzzParseTokenRequest internal/web/account:FuzzAuthorizationRequest resolvers:FuzzSearch
FUZZTIME ?= 60s

fuzz: ## each fuzz target for FUZZTIME=60s; what one finds is kept in its testdata/fuzz
	@set -e; for f in $(FUZZ); do echo "== $$f"; $(GO) test -run '^$$' -fuzz "^$${f#*:}$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 5s ./$${f%:*}; done

bench: ## the service against handlers written by hand: ends with a table of ratios; about 5 minutes
	BENCH_PLAYERS=1000000 $(GO) test -run '^$$' -bench 'Kept|Cold|Room|Idle|Grown|Overload|Credential' -benchtime 4s -timeout 1h ./internal/app

bench-all: ## every other benchmark too; compare the lines of one run with each other
	BENCH_NAMES=1000000 $(GO) test -run '^$$' -bench . -benchmem -timeout 1h ./...

generate: ## executable schema and models from schema.graphqls
	$(GO) tool gqlgen generate

cases: ## pack rest/testdata into rest/cases.tar.gz, which the binary contains
	$(GO) test ./rest -run '^TestCasesArchive$$' -count 1 -update

build: console ## the binary, in bin/
	$(GO) build -trimpath -o bin/gamedata ./cmd/gamedata

lint: ## what CI checks besides tests
	$(GO) vet ./...
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "not formatted"; exit 1; }

# The console is built when npm is there and a source is newer; without it everything else
# works and /playground says how to build it.
CONSOLE := $(shell find internal/web/console -type f -not -path '*/node_modules/*' -not -path '*/.test/*')
MODULES := internal/web/console/node_modules/.installed

ifneq ($(shell command -v npm),)
console: internal/web/dist/console.html

console-test: console
	cd internal/web/console && npm test --silent
else
console console-test:
	@echo "npm is not installed: the console at /playground is left out"
endif

$(MODULES): internal/web/console/package.json internal/web/console/package-lock.json internal/web/console/.npmrc
	cd internal/web/console && npm ci --silent
	@touch $@

internal/web/dist/console.html: $(CONSOLE) $(MODULES)
	cd internal/web/console && npm run --silent build

# The two commands of the README are `make run` and `make test`.
GO ?= go
# One way to compile, so that run, build, test and release share it.
export CGO_ENABLED ?= 0
export GOFLAGS += -trimpath
GOLANGCI_LINT_VERSION := 2.15.0
GOLANGCI_LINT := $(shell $(GO) env GOPATH)/bin/golangci-lint

.PHONY: run compile build release generate cases demo-content console screenshots clients lint test test-slow test-mongo console-test audit race soak soak-streams rolling fuzz bench bench-all outdated

run: export GAMEDATA_ACCESS_LOG ?= sampled
run: ## start the service with a demo world in ./data
	@$(MAKE) --no-print-directory -j 2 console compile
	@echo "starting the service"
	@$(GO) run -ldflags="-s -w" ./cmd/gamedata serve --demo --dumps-dir $${GAMEDATA_DATA_DIR:-data}/dumps

# What does not contain the console compiles while npm builds it.
compile:
	@echo "compiling: minutes the first time, seconds later"
	@packages=$$($(GO) list -deps -f '{{if not .Standard}}{{.ImportPath}} {{.Deps}}{{end}}' ./cmd/gamedata) && \
		$(GO) build $$(echo "$$packages" | grep -v 'gamedata/internal/web[] ]' | cut -d ' ' -f 1)

build: console ## the binary, in bin/
	$(GO) build -ldflags="-s -w" -o bin/gamedata ./cmd/gamedata

release: console ## archives for each platform, an OCI image, a list of what is in them and checksums, in dist/
	$(GO) run ./internal/release

generate: ## schema.graphqls, generated code and the types of fixed operations, from graph/schema
	$(GO) run ./graph/internal/generate
	$(GO) run ./graph/internal/generate/operations

cases: ## pack rest/testdata into rest/cases.tar.gz, which the binary contains
	$(GO) test ./rest -run '^TestCasesArchive$$' -count 1 -update

DEMO_CONTENT ?= data/demo-content
CONTENT := $(CURDIR)/internal/demo/content/content.zip

demo-content: ## unpack the content of the demo world into data/demo-content; with PACK=1 pack the directory again
	$(if $(PACK),rm $(CONTENT); cd $(DEMO_CONTENT) && zip -q -9 -X -D -r $(CONTENT) .,mkdir -p $(DEMO_CONTENT) && unzip -q $(CONTENT) -d $(DEMO_CONTENT))

lint: ## golangci-lint with .golangci.yml, installed when missing
	@test "$$($(GOLANGCI_LINT) version --short 2>/dev/null)" = $(GOLANGCI_LINT_VERSION) || \
		$(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v$(GOLANGCI_LINT_VERSION)
	$(GOLANGCI_LINT) run ./...

# The tests run for seconds and the machine has memory: less frequent collection saves a tenth of the time. Nobody debugs
# the test binaries: without symbols they are linked in half the time. Some tests wait, so one package more than there are
# processors runs at a time.
TEST = GOGC=400 $(GO) test -vet=off -ldflags='-s -w' -p $$(($$(getconf _NPROCESSORS_ONLN) + 1)) -parallel 4

test: ## every test but the slow ones; 'make lint' vets
	@$(MAKE) --no-print-directory -j 2 console-test compile
	$(TEST) ./...

empty :=
space := $(empty) $(empty)
# TestMakefile compares these lists with the sources.
# Tests that call slowtest.Only first, and their packages.
SLOW := TestArchives TestConsentInBrowser TestConsoleByKeyboard TestConsoleCompletion TestConsoleDigits \
	TestConsoleDownloads TestConsoleExampleCharts TestConsoleInBrowser TestConsoleWithSession TestDay \
	TestFeedSurvivesKills TestGeneratedFilesAreCurrent TestImportDemoWorld TestImportMemory TestLivePages \
	TestLongNames TestManyTabs TestMapInBrowser TestOwnerSignsInDuringAttack TestPagesInBrowser \
	TestPrintingInDarkTheme TestReferenceInBrowser TestRelease TestRollingRestart TestSoak TestStoppedSeed \
	TestStreamsSurviveKills TestWalkedExamples TestWebhooksSurviveKill TestWrongClocks
SLOW_PACKAGES := ./cmd/gamedata ./docs/contributing ./graph ./internal/app/account ./internal/app/faults \
	./internal/app/pages ./internal/demo/simulator ./internal/release
# Packages whose code starts goroutines or shares data between them: nothing can race in the others.
RACE := ./cmd/gamedata ./graph ./graph/generated ./graph/internal/generate ./internal/app ./internal/auth \
	./internal/cache ./internal/demo ./internal/demo/seed ./internal/events ./internal/feed ./internal/feed/feedhttp \
	./internal/graphqlhttp ./internal/httpapi ./internal/loadshed ./internal/mcp ./internal/ratelimit \
	./internal/ratelimit/redis ./internal/telemetry ./internal/terminal ./internal/web ./internal/web/apidocs \
	./internal/web/card ./internal/web/site ./internal/webhook ./loaders ./mongo ./mongo/conn ./mongo/embedded \
	./resolvers ./rest
# All fuzz targets as package:target.
FUZZ := graph/model:FuzzMarkup graph:FuzzParse internal/auth/oauth:FuzzParseTokenRequest \
	internal/feed/feedhttp:FuzzLines internal/graphqlhttp:FuzzGraphQL internal/httpapi:FuzzReadJSON \
	internal/web/account:FuzzAuthorizationRequest mongo/embedded:FuzzMessage mongo/embedded:FuzzProtocol \
	mongo:FuzzDecode resolvers:FuzzMapOfAnyTree resolvers:FuzzNewsHTML resolvers:FuzzSearch rest/transform:FuzzParse \
	rest/transform:FuzzReverse rest:FuzzRequest

test-slow: console ## browsers, kills, rolling restarts, load, releases, walked examples
	SLOW_TESTS=1 $(TEST) -timeout 20m -run '^($(subst $(space),|,$(SLOW)))$$' $(SLOW_PACKAGES)

test-mongo: ## every Go test, with stores on the MongoDB of MONGO_TEST_URI instead of the embedded server
	@test -n "$$MONGO_TEST_URI" || { echo "make test-mongo MONGO_TEST_URI='mongodb://127.0.0.1:27017/?replicaSet=game'" >&2; exit 2; }
	$(GO) test -count 1 -parallel 4 -timeout 30m ./...

race: ## tests with the race detector, without the longest
	CGO_ENABLED=1 GOGC=400 $(GO) test -race -short -parallel 4 -timeout 20m $(RACE)

soak: ## mixed load while the store fails; SOAK=5m, up to 24h
	SLOW_TESTS=1 SOAK=$${SOAK:-5m} $(GO) test -run '^TestSoak$$' -v -count 1 -timeout 25h ./internal/app/faults

soak-streams: ## STREAMS="1000 clients" of a simulated world for SOAK=5m, with kills of service and store; ", no kills" without
	SLOW_TESTS=1 STREAMS="$${STREAMS:-1000 clients}" SOAK=$${SOAK:-5m} $(GO) test -run '^TestStreamsSurviveKills$$' -v -count 1 -timeout 25h ./cmd/gamedata

rolling: ## three instances behind HAProxy are restarted and killed under load, ten times each; SOAK=5m
	SLOW_TESTS=1 HAPROXY_TESTS=required REDIS_TESTS=required SOAK=$${SOAK:-5m} $(GO) test -run '^TestRollingRestart$$' -v -count 1 -timeout 25h ./cmd/gamedata

FUZZTIME ?= 60s

# Inputs are not minimized: it can take longer than a short run, which then fails with "context deadline exceeded".
fuzz: ## every fuzz target for FUZZTIME=60s; failing inputs are stored in testdata/fuzz
	@set -e; for f in $(FUZZ); do echo "== $$f"; $(GO) test -run '^$$' -fuzz "^$${f#*:}$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 0x ./$${f%:*}; done

bench: ## one table of figures with their targets, in at most ten minutes on two cores; BENCH_PLAYERS=1000000 for a larger world
	BENCH_STREAMS=2000 $(GO) test -run '^$$' -bench 'Cached$$|Cold|CacheMemory|Idle|GuestMemory|Feed|Scale|Overload|Credential|Streams' -benchtime 2s -timeout 1h ./internal/app/bench

bench-all: ## every other benchmark too; compare only lines of the same run
	$(GO) test -run '^$$' -bench . -benchmem -timeout 1h ./...

outdated: ## direct dependencies with a newer version
	$(GO) list -m -u -f '{{if and (not .Indirect) .Update}}{{.Path}} {{.Version}} -> {{.Update.Version}}{{end}}' all
	@for d in internal/web/console client/ts client/testdata/js $(AUDIT); do echo "$$d:"; (cd $$d && npm outdated || true); done

screenshots: console ## the pictures of the documentation, in docs/screenshots; needs Chromium
	DOCS_SCREENSHOTS=$(CURDIR)/docs/screenshots BROWSER_TESTS=required $(GO) test -count 1 -run '^TestDocumentationScreenshots$$' ./internal/app/pages

AUDIT := internal/graphqlhttp/testdata/audit

audit: $(AUDIT)/node_modules/.installed ## the audits of graphql-http against the service
	AUDIT_TESTS=required $(GO) test -count 1 -run '^TestGraphQLOverHTTPAudits$$' ./internal/app/api

$(AUDIT)/node_modules/.installed: $(AUDIT)/package.json $(AUDIT)/package-lock.json $(AUDIT)/.npmrc
	cd $(AUDIT) && npm ci --silent
	@touch $@

clients: client/testdata/js/node_modules/.installed client/ts/node_modules/.installed ## our client in TypeScript, and other clients, against a demo world
	GO="$(GO)" client/testdata/run

client/%/node_modules/.installed: client/%/package.json client/%/package-lock.json
	cd client/$* && npm ci --silent
	@touch $@

# The scripts and style sheets of all pages are built when npm is installed and a source is newer. Without them pages are
# plainer, and /playground says how to build it.
CONSOLE := docs/discord.md internal/web/shell.css internal/web/page.css $(shell find internal/web/console -type f -not -path '*/node_modules/*' -not -path '*/.test/*')
MODULES := internal/web/console/node_modules/.installed

ifneq ($(shell command -v npm),)
console: internal/web/dist/manifest.json

console-test: console
	cd internal/web/console && npm test --silent
else
console console-test:
	@echo "npm is not installed: the console at /playground is left out"
endif

$(MODULES): internal/web/console/package.json internal/web/console/package-lock.json internal/web/console/.npmrc
	@echo "installing the packages of the console"
	@cd internal/web/console && npm ci --silent
	@touch $@

internal/web/dist/manifest.json: $(CONSOLE) $(MODULES)
	@echo "bundling the console"
	@cd internal/web/console && npm run --silent build

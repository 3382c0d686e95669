# The two commands of the README are `make run` and `make test`.
GO ?= go

.PHONY: run test race bench generate build lint

run: ## start the service with a demo world in ./data
	$(GO) run ./cmd/gamedata serve --demo

test: ## every test
	$(GO) test ./...

race: ## every test with the race detector
	$(GO) test -race -timeout 20m ./...

bench: ## benchmarks; compare the lines of one run with each other
	GAMEDATA_BENCH_NAMES=1000000 $(GO) test -run '^$$' -bench . -benchmem -timeout 1h ./...

generate: ## executable schema and models from schema.graphqls
	$(GO) tool gqlgen generate

build: ## the binary, in bin/
	$(GO) build -trimpath -o bin/gamedata ./cmd/gamedata

lint: ## what CI checks besides tests
	$(GO) vet ./...
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "not formatted"; exit 1; }

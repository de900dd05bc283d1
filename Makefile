# The commands that a person types. `make help` lists them.

# What `make demo` runs after the build. Another market: make demo DEMO='up --profile demo --watch bitmex:XBTUSD'
DEMO ?= up --profile demo --watch kraken:BTC/USD
# debug builds soonest; release (make demo DEMO_CONFIGURATION=release) takes longer once and runs leaner.
DEMO_CONFIGURATION ?= debug
# What `make bench` builds and runs, and where its figures go.
BENCH ?= bitpal-bench
BENCH_RESULT ?= .build/bench/latest.json
# Real sessions; not part of the project.
RECORDINGS ?= $(or $(BITPAL_RECORDINGS),../shared/recordings)
# Seconds that `make fuzz` gives to each target.
FUZZ_SECONDS ?= 300
# What installs missing Debian packages; `make test INSTALL=:` leaves that out.
INSTALL ?= scripts/install-dependencies.sh

# One folder for each way of compiling: switching a folder over compiles everything again.
SCRATCH_debug := .build
SCRATCH_release := .build-release

.DEFAULT_GOAL := help
.PHONY: help demo web-vendor test check test-times sanitize soak fuzz fuzz-seeds mutate bench bench-compare bench-peers portfolio-peers lint format proto proto-check openapi landed compose-check sbom images clean

help: ## Lists these commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1	\2/p' $(MAKEFILE_LIST) | expand -t 20

demo: ## Installs what is missing, builds, shows a live order book and serves the page; Ctrl-C stops it
	@$(INSTALL) demo
	@scripts/web-vendor.sh >/dev/null 2>&1 || echo 'The page is without charts until make web-vendor has worked.'
	@echo 'Building; the first time takes some minutes.'
	@scripts/build.sh -c $(DEMO_CONFIGURATION) --scratch-path $(SCRATCH_$(DEMO_CONFIGURATION)) --product bitpal
	@exec $(SCRATCH_$(DEMO_CONFIGURATION))/$(DEMO_CONFIGURATION)/bitpal $(DEMO)

web-vendor: ## Fetches the chart library of the web page
	@scripts/web-vendor.sh

test: ## Runs every test; ONLY="Alerting StoreTests" runs subjects: targets, suites, tests
	@$(INSTALL) test
	@ONLY="$(ONLY)" scripts/test.sh

check: ## Checks the form and runs every test that starts no process and no browser
	@scripts/format.sh lint
	@ONLY="$(ONLY)" scripts/test.sh --pure

test-times: ## Runs every test and writes Tests/Runner/times.json, by which they are spread, anew
	@$(INSTALL) test
	@scripts/test.sh --times

sanitize: ## Runs the tests of single modules under the address and the thread sanitizer
	@scripts/sanitize.sh planted
	@scripts/sanitize.sh corpus
	@scripts/sanitize.sh corpus gateway
	@scripts/sanitize.sh address
	@scripts/sanitize.sh thread

soak: ## Runs the property and crash tests at full size; SEED=n goes on from a seed
	@$(INSTALL) test
	@SOAK=1 $(if $(SEED),SEED=$(SEED)) ONLY="$(ONLY)" scripts/test.sh --lanes 2

fuzz: ## Feeds arbitrary bytes to every parser, FUZZ_SECONDS each
	@RECORDINGS=$(RECORDINGS) scripts/fuzz.sh $(FUZZ_SECONDS)

fuzz-seeds: ## Writes what fuzzing starts from for each venue and provider anew, after a change of their words
	@WRITE_FUZZ_SEEDS=1 ONLY="FuzzSeedTests HistoryFuzzTests ProviderFuzzTests/seeds" scripts/test.sh

mutate: ## Turns comparisons of the venues' books around, one by one, and tells which no test notices; ONLY=word
	@$(INSTALL) test
	@scripts/mutate.py $(addprefix --only ,$(ONLY))

bench: ## Measures, prints a table and writes .build/bench/latest.json; ONLY="web up" measures parts
	@$(INSTALL) bench
	@mkdir -p $(dir $(BENCH_RESULT))
	@if [ -x Benchmarks/bus/run ]; then Benchmarks/bus/run; fi
	@scripts/build.sh -c release --scratch-path $(SCRATCH_release) --product bitpal
	@scripts/build.sh -c release --scratch-path $(SCRATCH_release) --product $(BENCH)
	@$(SCRATCH_release)/release/$(BENCH) --output $(BENCH_RESULT) --recordings $(RECORDINGS) \
		$(if $(ONLY),--only $(ONLY))

bench-compare: ## Measures REV=revision beside this tree, part by part, and prints the ratios; ONLY=part RUNS=3
	@$(INSTALL) bench
	@Benchmarks/compare.py $(or $(REV),$(error REV=revision is missing)) --recordings $(RECORDINGS) \
		$(addprefix --only ,$(ONLY)) $(if $(RUNS),--runs $(RUNS))

bench-peers: ## Measures cryptofeed on the same recordings
	@Benchmarks/peers/run

portfolio-peers: ## Compares lots and figures with rp2, pyxirr, empyrical and quantstats
	@scripts/build.sh --product bitpal
	@Tests/Tools/portfolio-peers/run .build/debug/bitpal

lint: ## Checks the form of the code
	@scripts/format.sh lint

format: ## Puts the code into that form
	@scripts/format.sh format

proto: ## Generates the Swift code of proto/
	@scripts/proto.sh

proto-check: ## Fails when that code is not up to date
	@scripts/proto.sh --check

openapi: ## Writes services/gateway/openapi.yaml, what the API says of itself, anew
	@WRITE_OPENAPI=1 ONLY=OpenAPITests/committed scripts/test.sh

landed: ## Notes what lands, for the drill of upgrades: NAME=2026-12; once a release is what people have
	@test -n "$(NAME)" || { echo 'error: name the release with NAME=…' >&2; exit 1; }
	@WRITE_LANDED=$(NAME) ONLY=LandedReleaseTests/noted scripts/test.sh

compose-check: ## Fails when docker-compose.yml is not valid for Debian's docker-compose
	@docker-compose --profile demo --profile tools --profile observability config --quiet
	@docker-compose --env-file services/demo.env config --quiet

sbom: ## Writes .build/sbom.cdx.json, what Bitpal is made of; fails when that is not what dependencies.txt says
	@scripts/sbom.py

images: ## Asks the registry for the digests of the base images and writes them into services/images.txt
	@scripts/images.py

clean: ## Removes everything that was built
	rm -rf .build .build-*

# `make` alone lists what there is. Everything runs in .venv, which the targets create.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN_INSTALLED := $(VENV)/.installed
TEST_INSTALLED := $(VENV)/.installed-test
PYTEST_WORKERS ?= auto

.DEFAULT_GOAL := help
.PHONY: help demo test servers check format spec nightly bench chase-figures clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(RUN_INSTALLED): $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(TEST_INSTALLED): $(RUN_INSTALLED)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@

demo: $(RUN_INSTALLED)  ## install and answer questions on the bundled graph (no key, no server)
	$(BIN)/uniqgen demo

test: $(TEST_INSTALLED)  ## install the test extra and run the suite that CI runs
	$(BIN)/python -m pytest -n $(PYTEST_WORKERS) --dist loadgroup

servers: $(TEST_INSTALLED)  ## bring the servers that integration tests start: Neo4j, ArcadeDB, Virtuoso, and Chromium (each only where it can be had)
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[servers]'
	-$(BIN)/python -m tests.servers.neo4j
	-@command -v virtuoso-t >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && \
	  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends virtuoso-opensource-7-bin virtuoso-opensource-7; } || \
	  echo "Virtuoso is not installed (needs root and Debian packages): its tests will skip"
	-@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; } || \
	  echo "Chromium is not installed (needs root and Debian packages): the tests of the playground will skip"

check: $(TEST_INSTALLED)  ## linters, formatting, both type checkers, layer contract
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pyright
	$(BIN)/lint-imports

format: $(TEST_INSTALLED)  ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

spec: $(TEST_INSTALLED)  ## write the generated pages of spec/: diagnostics, passes, grammar
	$(BIN)/python -m tools.make_spec
	$(BIN)/python -m tools.w3c_table
	$(BIN)/python -m tools.tck_table
	$(BIN)/python -m tools.cypher_read_table

nightly: $(TEST_INSTALLED)  ## the heavy suites: slow tests and ten times the random examples (run every night)
	HYPOTHESIS_PROFILE=nightly $(BIN)/python -m pytest -n $(PYTEST_WORKERS) --dist loadgroup -m "slow or not slow"

bench: $(TEST_INSTALLED)  ## the benchmarks; each prints ratios within one run
	@for one in benchmarks/bench_*.py; do echo "== $$one"; $(BIN)/python $$one || exit 1; done

chase-figures: $(TEST_INSTALLED)  ## chase and backchase measured: random tables, growth curves (docs/chase-growth.svg); an hour
	$(BIN)/python benchmarks/bench_chase.py
	$(BIN)/python benchmarks/bench_chase_random.py
	$(BIN)/python benchmarks/bench_chase_growth.py

clean:  ## remove the environment and caches
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

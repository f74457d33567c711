# `make play` and `make test` work on a fresh machine with Python (3.11 or newer) and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
BENCH_STAMP := $(VENV)/.installed-bench
SERVER_STAMP := $(VENV)/.installed-server
MEMBERS ?= 4
PORT ?= 8000
# Tests keep their files in memory if there is room: every test waits for what its store flushes to a disk.
FREE_MEMORY := $(shell df -Pm /dev/shm 2>/dev/null | awk 'NR == 2 { print $$4 + 0 }')
# Many processes of the tests load the same modules: each after the first takes them compiled.
export PYTHONDONTWRITEBYTECODE :=
TESTS_TMP := $(if $(shell test "$(FREE_MEMORY)" -gt 2000 2>/dev/null && echo yes),TMPDIR=/dev/shm)
ON_POSTGRES ?= tests/db tests/matches tests/cogs tests/wire tests/test_bot.py \
	tests/test_benchmarks.py::test_a_tiny_round_of_the_benchmark_of_a_server_prints_its_rows

# Programs with which some tests try the bot, as Debian packages them.
DEBIAN := pgbouncer postgresql prometheus prometheus-alertmanager

.PHONY: play test seconds test-postgres debian lint types check soak bench game feature gallery requirements sbom clean

$(STAMP): requirements-dev.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Ambit needs Python 3.11 or newer.")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	touch $@

$(BENCH_STAMP): $(STAMP) requirements-bench.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-bench.txt
	touch $@

$(SERVER_STAMP): $(STAMP) requirements-server.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-server.txt || \
		{ echo "There's no PostgreSQL server for this machine among the packages, so these tests can't run here."; exit 1; }
	touch $@

play: $(STAMP)  ## serve the bot in a local browser page, no token and no network
	$(BIN)/python bot.py --preview --members $(MEMBERS) --port $(PORT)

test: $(STAMP)  ## the tests that aren't slow, with a whole match of every game
	$(TESTS_TMP) $(BIN)/python -m pytest -n 2 --dist worksteal -m "not soak and not slow"

seconds: $(STAMP)  ## measure which tests are slow (tests/seconds.json); on a quiet machine
	$(TESTS_TMP) $(BIN)/python -m pytest -n 2 --dist worksteal --seconds

test-postgres: $(SERVER_STAMP)  ## the tests of the store, host and bot on a PostgreSQL server that it starts and stops
	$(TESTS_TMP) $(BIN)/python -m tests.server $(BIN)/python -m pytest -n 2 --dist worksteal $(ON_POSTGRES)

debian:  ## install Debian's packages with which some tests try the bot, as root; without them these are skipped
	apt-get update --quiet=2
	DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet=2 --no-install-recommends $(DEBIAN)

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

check: lint types  ## what CI runs: all tests except the long runs
	$(TESTS_TMP) $(BIN)/python -m pytest -n 2 --dist worksteal

soak: $(SERVER_STAMP)  ## the long runs
	$(TESTS_TMP) $(BIN)/python -m pytest -n 2 --dist worksteal -m soak --timeout 0
	$(TESTS_TMP) $(BIN)/python -m tests.server $(BIN)/python -m pytest -m "soak and server" --timeout 0

bench: $(BENCH_STAMP)  ## BENCH=rules by default
	$(BIN)/python -m benchmarks $(or $(BENCH),rules)

game: $(STAMP)  ## KEY=four begins a new game of that name: a working copy of the sixth game (tests/sixth)
	$(BIN)/python -m tests.sixth "$(KEY)"
	$(BIN)/python -m tests.render.test_golden
	$(BIN)/python -m render.gallery

feature: $(STAMP)  ## KEY=league begins a new feature of that name: a working copy of a small one (tests/sample)
	$(BIN)/python -m tests.sample "$(KEY)"

gallery: $(STAMP)  ## draw docs/gallery.md again
	$(BIN)/python -m render.gallery

requirements: $(STAMP)  ## pin the requirements again, with hashes
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --universal --quiet --generate-hashes --no-emit-index-url --no-header pyproject.toml -o requirements.txt
	$(BIN)/uv pip compile --universal --quiet --generate-hashes --no-emit-index-url --no-header --extra postgresql pyproject.toml -o requirements-postgresql.txt
	$(BIN)/uv pip compile --universal --quiet --generate-hashes --no-emit-index-url --no-header --extra postgresql --extra uvloop pyproject.toml -o requirements-full.txt
	$(BIN)/uv pip compile --universal --quiet --generate-hashes --no-emit-index-url --no-header --extra dev --extra server pyproject.toml -o requirements-server.txt
	$(BIN)/uv pip compile --universal --quiet --generate-hashes --no-emit-index-url --no-header --extra dev pyproject.toml -o requirements-dev.txt
	$(BIN)/uv pip compile --universal --quiet --generate-hashes --no-emit-index-url --no-header --extra dev --extra bench pyproject.toml -o requirements-bench.txt

sbom:  ## print the bill of materials (CycloneDX) of what the bot needs
	$(PYTHON) docs/sbom.py

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis

# Each target sets up what it needs: a virtual environment in .venv with the exact packages of requirements-run.lock, which playing
# and reports need, or of requirements.lock, with those of tests, documentation and workbench. With uv where it is installed.
# Python writes bytecode when a module is first imported: for all modules at once it takes as long as all else.

PYTHON ?= python3
BIN := .venv/bin
RUNS := .venv/.runs
READY := .venv/.ready
INSTALL := $(if $(shell command -v uv),uv pip install --python $(BIN)/python,$(BIN)/python -m pip install --no-compile) --quiet
unexport PYTHONDONTWRITEBYTECODE
CHECKED := fairfight sim analysis tests notebooks docs

.PHONY: venv report test quick soak oldest newest faults lint bench trace docs lock clean

venv: $(READY)

$(RUNS): requirements-run.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed, this is " + sys.version.split()[0] + "; name another with: make PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
	$(INSTALL) --require-hashes --requirement requirements-run.lock
	$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $(RUNS)

$(READY): requirements.lock $(RUNS)
	$(INSTALL) --require-hashes --requirement requirements.lock
	@touch $(READY)

# The first page appears within a minute and grows. SCALE=10 plays ten times as many games.
SCALE ?= 1
report: $(RUNS)
	$(BIN)/fairfight report all --out reports --scale $(SCALE)

# Tests of single kernels as plain Python, then all others with the kernels that `warmup` compiles; see tests/README.md.
PLAIN := tests/games tests/kernels
PYTEST := $(BIN)/python -m pytest --numprocesses auto --dist worksteal
test: $(READY)
	$(PYTEST) $(PLAIN)
	$(BIN)/fairfight warmup
	$(PYTEST)

# Before each commit: the same without the tests marked slow.
quick: $(READY)
	$(PYTEST) -m 'not soak and not slow' $(PLAIN)
	$(BIN)/fairfight warmup
	$(PYTEST) -m 'not soak and not slow'

# Measure every interval over many seeds (hours) and write the table of docs/statistics.md; then all tests, with all
# their random cases, and those that take minutes each.
SEEDS ?= 100
soak: $(READY)
	$(BIN)/fairfight warmup
	$(BIN)/python -m tests.soak.soak --seeds $(SEEDS)
	FAIRFIGHT_SOAK=1 $(PYTEST) -m 'soak or not soak' $(PLAIN)
	FAIRFIGHT_SOAK=1 $(PYTEST) -m 'soak or not soak'

# A few tests with the oldest direct dependencies that pyproject.toml allows, or with the newest. VERSION=3.13 for another Python.
VERSION ?= $(PYTHON)
BOUNDS := tests/test_golden_results.py tests/engine/test_jit.py tests/store/test_run.py tests/analysis/stats/test_chains.py \
	tests/analysis/stats/test_estimates.py tests/analysis/charts/test_chart_parts.py tests/analysis/output/test_spreadsheets.py
oldest: RESOLUTION := lowest-direct
newest: RESOLUTION := highest
oldest newest: $(READY)
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv venv --quiet --clear --python $(VERSION) .venv-$@
	$(BIN)/uv pip install --quiet --python .venv-$@ --only-binary :all: --resolution $(RESOLUTION) --requirements pyproject.toml
	$(BIN)/uv pip install --quiet --python .venv-$@ --no-deps --editable .
	$(BIN)/uv pip install --quiet --python .venv-$@ pytest pytest-benchmark hypothesis
	.venv-$@/bin/python -m pytest -W default -k "not (cardrogue or riftborn or rookling or runeslingers)" $(BOUNDS)

# Plant 20 faults in the rules of each game, and others in the engine, the statistics, the store and the texts, one at a time;
# the tests must catch each. WHERE=arena or WHERE=store for one list.
faults: $(READY)
	$(BIN)/python -m tests.soak.faults $(WHERE)

lint: $(READY)
	$(BIN)/ruff check $(CHECKED)
	$(BIN)/ruff format --check $(CHECKED)
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.house

bench: $(READY)
	$(BIN)/fairfight warmup
	$(BIN)/python -m pytest tests/benchmarks --benchmark-only -o addopts="--import-mode=importlib"

# The number of functions and files that a question runs through. ARGS=--names names them.
trace: $(READY)
	$(BIN)/python -m tests.benchmarks.trace $(ARGS)

# The documentation site in site/. LINKS=1 checks the links to other sites too.
docs: $(READY)
	$(BIN)/sphinx-build -q -W --keep-going docs site
	@[ -z "$(LINKS)" ] || $(BIN)/sphinx-build -q -b linkcheck docs site/links
	@echo "site/index.html"

# Renew the pins after a change of the dependencies in pyproject.toml.
COMPILE = $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
	--custom-compile-command "make lock" --quiet pyproject.toml
lock: $(READY)
	$(BIN)/python -m pip install --quiet uv
	$(COMPILE) --extra dev --output-file requirements.lock
	$(COMPILE) --extra build --constraint requirements.lock --no-annotate --output-file requirements-run.lock

clean:
	rm -rf .venv .venv-oldest .venv-newest site *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks .import_linter_cache
	rm -rf reports/index.html $(patsubst sim/games/%/cards.toml,reports/%,$(wildcard sim/games/*/cards.toml))
	find sim analysis tests -name __pycache__ -type d -prune -exec rm -rf {} +

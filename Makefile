# Commands on a machine with Python 3.11 or newer, make and git:
#   make run    makes the environment and opens the dashboard on the sample comparison
#   make test   installs what the tests need and runs every check and test
#   make mecab  installs what cuts Japanese and Korean into words; the dashboard does so with the first such texts
#   make quick  runs the tests of the engine and of content alone, in a minute or so
#   make test-deep  tries every property on thirty times as many examples as make test, every code point, and an older
#               Streamlit, which it fetches
#   make test-versions  tries the engine with the oldest packages allowed, on each Python of this machine, and whether
#               it can be installed next to packages of its users
# And one for the documentation, which needs no network once that is installed:
#   make docs   builds it in build/docs; a warning is an error
# And one for who hands it to others, which docs/contributing/releases.md explains:
#   make release

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run mecab test test-deep test-versions quick check pytest coverage format docs pictures lock benchmark calibration paper release clean

run: $(VENV)/run.installed
	$(BIN)/bleuscope demo

test: check pytest

check: $(VENV)/test.installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/mypy

# Each process begins with neighbours, which share servers and builds, and then takes from whoever has most left.
# One process more than there are cores: tests in a browser wait for it. Of two more each waits for the others.
SPREAD = --numprocesses=$(shell $(BIN)/python -c 'import os; print(min(8, 1 + (os.cpu_count() or 1)))') --dist=worksteal

# What is compiled is kept, whatever the environment says: what is imported, and the asserts of all tests, which take
# ten seconds in every process.
run pytest test-deep quick coverage: export PYTHONDONTWRITEBYTECODE =

# In a fresh clone one process compiles for all: each would do it for itself, and make check goes on beside it.
pytest: $(VENV)/test.installed
	$(BIN)/python tests/journey/browser.py --install
	test -d tests/__pycache__ || $(BIN)/pytest --collect-only -qq >/dev/null || true
	$(BIN)/pytest $(SPREAD)

quick: $(VENV)/test.installed
	$(BIN)/pytest --numprocesses=auto --maxprocesses=8 --dist=worksteal -m quick --hypothesis-profile=quick tests/bleucore tests/oracle tests/dashboard

# What tries more here than in make test, and nothing else.
test-deep: $(VENV)/test.installed
	$(BIN)/pytest $(SPREAD) -m "hypothesis or deep" --hypothesis-profile=deep

test-versions: $(VENV)/test.installed $(VENV)/release.installed
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python tests/try_versions.py $(OPTIONS)

# Which lines and branches no test reaches. Apart from `make test`, because counting them doubles its time.
coverage: $(VENV)/test.installed
	$(BIN)/pytest $(SPREAD) --cov --cov-report=term

format: $(VENV)/test.installed
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(VENV)/test.installed
	$(BIN)/sphinx-build -W --keep-going -n -q -b html docs build/docs
	@echo 'The documentation is in build/docs/index.html'

# Pictures of the pages as they are now, for the documentation and the README.
pictures: $(VENV)/test.installed
	$(BIN)/python docs/pictures.py $(OPTIONS)

benchmark: $(VENV)/test.installed
	$(BIN)/python tests/benchmarks/benchmark.py $(OPTIONS)

# On a folder of texts: make calibration FOLDER=path; further options in OPTIONS, those for units and families in
# UNITS, those for histories in HISTORY, for many test sets in CAMPAIGNS, for model judges in JUDGES,
# for runs of recipes in RUNS and for factors in FACTORS.
calibration: $(VENV)/test.installed
	$(BIN)/python tests/benchmarks/calibration_units.py $(if $(FOLDER),"$(FOLDER)") $(UNITS)
	$(BIN)/python tests/benchmarks/calibration.py $(if $(FOLDER),"$(FOLDER)") $(OPTIONS)
	$(BIN)/python tests/benchmarks/calibration_history.py $(if $(FOLDER),"$(FOLDER)") $(HISTORY)
	$(BIN)/python tests/benchmarks/calibration_campaign.py $(if $(FOLDER),"$(FOLDER)") $(CAMPAIGNS)
	$(BIN)/python tests/benchmarks/calibration_judges.py $(JUDGES)
	$(BIN)/python tests/benchmarks/runs.py $(if $(FOLDER),"$(FOLDER)") $(RUNS)
	$(BIN)/python tests/benchmarks/factors.py $(if $(FOLDER),"$(FOLDER)") $(FACTORS)

# The tables of Calibration and Speed anew, as CSV in build/paper, and which cells moved. It takes hours. Texts come from
# sacreBLEU or from FOLDER=path. OPTIONS=--quick rehearses it; OPTIONS="--only speed" makes one table.
paper: $(VENV)/test.installed
	$(BIN)/python tests/benchmarks/paper.py $(if $(FOLDER),"$(FOLDER)") $(OPTIONS)

# Source distribution, wheel and list of parts in dist/, tried in new environments. OPTIONS=--rehearse for any commit.
release: $(VENV)/release.installed
	PATH="$(CURDIR)/$(BIN):$$PATH" deploy/release.sh $(OPTIONS)

# The lock files hold the hash of every file that pip may install, for all platforms, and of what builds those that
# come as sources: this project, and MeCab's dictionaries.
BUILDERS := 'hatchling==1.33.0\neditables\nsetuptools\n'
COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	--no-emit-index-url

lock: $(VENV)/test.installed
	test -x $(BIN)/uv || $(BIN)/python -m pip install --quiet uv
	printf $(BUILDERS) | $(COMPILE) --extra dashboard pyproject.toml - -o requirements.lock
	$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["release"], sep="\n")' | \
		$(COMPILE) - -o requirements-release.lock
	printf $(BUILDERS) | $(COMPILE) --extra test pyproject.toml - -o requirements-test.lock
	$(BIN)/python -c 'import tomllib; extras = tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]; \
		print(*extras["ja"], *extras["ko"], sep="\n")' | $(COMPILE) - -o requirements-mecab.lock
	$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["team"], sep="\n")' | \
		$(COMPILE) --constraint requirements.lock - -o deploy/requirements-team.lock

# Nothing is compiled ahead: that would take two fifths of the time, and most of it is never imported.
# A lock names all that is installed. Without --no-deps, pip looks at newer versions for a name with an extra, such as
# coverage[toml], and refuses the lock on the day that one appears.
INSTALL = deploy/install.py $(VENV)

$(VENV)/run.installed: requirements.lock pyproject.toml
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo 'bleuscope needs Python 3.11 or newer. Name one: make PYTHON=python3.12 run'; exit 1; }
	"$(PYTHON)" $(INSTALL) requirements.lock .
	touch $@

mecab: $(VENV)/run.installed
	"$(PYTHON)" $(INSTALL) requirements-mecab.lock

# Where MeCab has no wheel, all else works: nothing is compiled for it.
$(VENV)/mecab.installed: requirements-mecab.lock $(VENV)/run.installed
	@"$(PYTHON)" $(INSTALL) requirements-mecab.lock 2>/dev/null || \
		echo 'MeCab is missing, so Japanese and Korean are scored by characters. To get it: make mecab'
	touch $@

# Some tests install with pip, which uv leaves out.
$(VENV)/test.installed: requirements-test.lock $(VENV)/mecab.installed
	"$(PYTHON)" $(INSTALL) requirements-test.lock
	$(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip >/dev/null
	touch $@

$(VENV)/release.installed: requirements-release.lock $(VENV)/run.installed
	"$(PYTHON)" $(INSTALL) requirements-release.lock
	touch $@

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .coverage

# The doors of the house. On a fresh machine with Python 3.11 or newer and make, `make play` and `make test`
# build what they need in .venv; later runs start at once. PYTHON=... names the interpreter, ARGS=... is handed
# to the command.

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

# Compiled bytecode makes the game start quickly, wherever the environment forbids it by default.
unexport PYTHONDONTWRITEBYTECODE
# Keeps pyright from asking the network whether it is the newest.
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

# A named interpreter has a stamp of its own, so that naming another one rebuilds the environment.
empty :=
space := $(empty) $(empty)
STAMP := $(VENV)/.installed$(if $(PYTHON),-with-$(subst $(space),_,$(subst /,_,$(PYTHON))))
CANDIDATES := $(if $(PYTHON),"$(PYTHON)",python3.14 python3.13 python3.12 python3.11 python3)

SUITABLE := import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))
IDENTITY := import sys; print(sys.version, sys.base_prefix)
VERSION := import platform; print(platform.python_version())

# Tests wait for processes and screens as much as they compute, so two more of them run than there are processors.
WORKERS ?= $(shell n=$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2); echo $$((n + 2)))
PARALLEL := -n $(WORKERS) --dist worksteal

.PHONY: help play check test tier test-all fuzz conformance format bench pictures screenshots docs man locked lock clean

help:
	@echo 'make play     the game                    (ARGS="--motion none" hands options on)'
	@echo 'make check    format, lint, layers and types, side by side'
	@echo 'make test     these and the fast tests    (ARGS="-k scoring" is for pytest)'
	@echo 'make tier TIER=attack    one tier of tests: fast judging process sandbox attack screen picture exemplar browser terminal blind'
	@echo 'make test-all every test there is, with coverage; half an hour'
	@echo 'make fuzz     ten thousand model replies through the reader; a minute'
	@echo 'make conformance ARGS="--base-url URL --model NAME"     what must hold with a real model; see docs/how-to/models.md'
	@echo 'make format   format the code and mend what can be mended'
	@echo 'make bench    the benchmarks'
	@echo 'make pictures accept what the screens look like now; then look at what changed in tests/app/pictures'
	@echo 'make screenshots  take the pictures of the README anew'
	@echo 'make docs     the documentation as a site, every link checked: build/site/index.html'
	@echo 'make locked   the development environment by the hashes in requirements/dev.txt; make lock resolves them anew'
	@echo 'make man      the manual page anew, after a change of the command line'
	@echo 'make clean    remove everything that make and Python made, .venv included'

play: $(STAMP)
	@$(BIN)/evalforge $(ARGS)

check: $(STAMP)
	@$(checks)

test: check
	@$(BIN)/pytest -m fast $(PARALLEL) --durations=10 $(ARGS)

# A terminal wants the machine to itself.
tier: $(STAMP)
	@$(BIN)/pytest -m $(TIER) $(if $(filter terminal,$(TIER)),,$(PARALLEL)) --durations=10 $(ARGS)

test-all: export EVALFORGE_PICTURES := all
test-all: export EVALFORGE_EXEMPLARS := all
test-all: check
	@status=0; \
	$(BIN)/pytest -m 'not terminal' $(PARALLEL) --hypothesis-profile=thorough --durations=10 --cov --cov-report= $(ARGS) || status=1; \
	$(BIN)/pytest -m terminal --cov --cov-append --cov-report=term:skip-covered $(ARGS) || status=1; \
	exit $$status

fuzz: $(STAMP)
	@EVALFORGE_FUZZ=10000 $(BIN)/pytest tests/judges/test_fuzz.py $(ARGS)

conformance: $(STAMP)
	@$(BIN)/python -m tests.conformance.run $(ARGS)

format: $(STAMP)
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

bench: $(STAMP)
	@$(BIN)/python -m benchmarks $(ARGS)

pictures: $(STAMP)
	@EVALFORGE_PICTURES=all $(BIN)/pytest -n 2 tests/app/test_pictures.py --snapshot-update $(ARGS)

screenshots: $(STAMP)
	@$(BIN)/python -m tests.app.screenshots $(ARGS)

locked:
	@$(environment)
	@$(PIP) install -qq 'pip>=25.1'
	@$(PIP) install -qq --require-hashes --requirement requirements/dev.txt
	@$(PIP) install -qq --no-deps --no-build-isolation --editable .
	@touch $(VENV)/.installed $(STAMP)

lock: $(STAMP)
	@$(BIN)/python -c 'import uv' 2>/dev/null || $(PIP) install -qq uv
	@header=$$(head -n 1 requirements/dev.txt); $(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-header --upgrade --group dev pyproject.toml -o requirements/dev.txt \
		&& sed -i.old "1i $$header" requirements/dev.txt && rm requirements/dev.txt.old

man: $(STAMP)
	@$(BIN)/python -m docsite.man_page

docs: $(STAMP)
	@$(BIN)/python -c 'import zensical' 2>/dev/null || $(PIP) install -qq --group docs
	@$(BIN)/python -m docsite $(ARGS)

clean:
	rm -rf $(VENV) dist build .pytest_cache .ruff_cache .hypothesis .import_linter_cache .coverage .coverage.*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# All at once; one line for a check that passes, everything it said for one that doesn't.
define checks
logs=$$(mktemp -d) && trap 'rm -rf "$$logs"' EXIT; \
check() { \
	name=$$1; shift; \
	if "$$@" >"$$logs/$$name" 2>&1; then printf '%-14s ok\n' "$$name"; \
	else printf '%-14s failed\n%s\n' "$$name" "$$(cat "$$logs/$$name")"; : >"$$logs/failed"; fi; \
}; \
check 'ruff format' $(BIN)/ruff format --check --output-format concise . & \
check 'ruff check' $(BIN)/ruff check --output-format concise . & \
check 'lint-imports' $(BIN)/lint-imports & \
check 'pyright' $(BIN)/pyright & \
wait; test ! -e "$$logs/failed"
endef

$(STAMP): pyproject.toml
	@$(environment)
	@$(PIP) install -qq 'pip>=25.1'
	@$(PIP) uninstall -qq --yes evalforge 2>/dev/null || true  # its name before it had one of its own
	@$(PIP) install -qq --editable . --group dev
	@$(BIN)/python -m compileall -qq $(VENV)/lib evalforge || true
	@touch $(VENV)/.installed $@

# Keeps an environment that works, unless another interpreter is named; else builds one with the first that
# will do.
define environment
if [ -z '$(PYTHON)' ] && $(BIN)/python -c 'import pip; $(SUITABLE)' >/dev/null 2>&1; then exit 0; fi; \
python=; \
for candidate in $(CANDIDATES); do \
	if "$$candidate" -c '$(SUITABLE)' >/dev/null 2>&1; then python=$$candidate; break; fi; \
done; \
if [ -z "$$python" ]; then \
	echo '$(if $(PYTHON),"$(PYTHON)" is not,There is no) Python 3.11 or newer with the venv module.' >&2; \
	echo 'Install one (Debian, Ubuntu: apt install python3-venv) or name it: make play PYTHON=/path/to/python3' >&2; \
	exit 1; \
fi; \
if ! $(BIN)/python -c 'import pip' >/dev/null 2>&1 || \
	[ "$$($(BIN)/python -c '$(IDENTITY)')" != "$$("$$python" -c '$(IDENTITY)')" ]; then \
	echo "Building $(VENV) with Python $$("$$python" -c '$(VERSION)'); the first time takes a minute." >&2; \
	"$$python" -m venv --clear $(VENV); \
fi
endef

# The doors of the house. On a fresh machine with Python 3.11 or newer and make, `make play` and `make test`
# build what they need in .venv; later runs start at once. PYTHON=... names the interpreter, ARGS=... is handed
# to the command.

VENV := .venv
TIMED := .ci/timed
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

# Compiled bytecode makes the game start quickly, wherever the environment forbids it by default.
unexport PYTHONDONTWRITEBYTECODE
# Keeps pyright from asking the network whether it is the newest.
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

# Versions of everything installed: `pinned` by .ci/requirements/pinned.txt, the `lowest` that pyproject.toml allows
# (.ci/requirements/lowest.txt), or the `newest`, with no constraint.
DEPENDENCIES ?= pinned
CONSTRAINTS := $(if $(filter-out newest,$(DEPENDENCIES)),.ci/requirements/$(DEPENDENCIES).txt)
CONSTRAINED := $(if $(CONSTRAINTS),--constraint $(CONSTRAINTS),--upgrade --upgrade-strategy eager)
EXTRAS := serve,mcp,picture

# A named interpreter has a stamp of its own, and so has each choice of versions: another one rebuilds the environment.
empty :=
space := $(empty) $(empty)
INSTALLED := $(VENV)/.installed-$(DEPENDENCIES)
STAMP := $(INSTALLED)$(if $(PYTHON),-with-$(subst $(space),_,$(subst /,_,$(PYTHON))))
# The game alone, without the tools of its development: a third of the time and space. All of it contains the game.
PLAYABLE := $(subst .installed,.playable,$(STAMP))
CANDIDATES := $(if $(PYTHON),"$(PYTHON)",python3.14 python3.13 python3.12 python3.11 python3)

SUITABLE := import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))
IDENTITY := import sys; print(sys.version, sys.base_prefix)
VERSION := import platform; print(platform.python_version())

# Tests wait for processes and screens as much as they compute, so two more of them run than there are processors.
WORKERS ?= $(shell n=$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2); echo $$((n + 2)))
# A test that hangs is ended by faulthandler_timeout and counts as failed, so that the others go on.
PARALLEL := -n $(WORKERS) --dist worksteal -o faulthandler_exit_on_timeout=true

.PHONY: help play check test tier test-all record times fuzz conformance format bench pictures screenshots recording docs reference man lock clean

help:
	@echo 'make play     the game                    (ARGS="--motion none" hands options on)'
	@echo 'make check    format, lint, layers and types, side by side'
	@echo 'make test     these and the fast tests    (ARGS="-k scoring" is for pytest)'
	@echo 'make tier TIER=attack    one tier of tests: fast judging process sandbox attack screen picture exemplar browser terminal blind'
	@echo 'make tier TIER=attack ALL=1    all its cases, also those that take turns (tests/rotation.py)'
	@echo 'make test-all every test there is, with coverage; half an hour'
	@echo 'make record   run anew what tests/measured holds and has changed, and name every difference'
	@echo 'make times    write what each tier took in the last .ci/run into CONTRIBUTING.md'
	@echo 'make fuzz     ten thousand model replies through the reader; a minute'
	@echo 'make conformance ARGS="--base-url URL --model NAME"     what must hold with a real model; see docs/how-to/models.md'
	@echo 'make format   format the code and mend what can be mended'
	@echo 'make bench    the benchmarks'
	@echo 'make pictures accept what the screens look like now; then look at what changed in tests/app/pictures'
	@echo 'make screenshots  take the pictures of the README anew'
	@echo 'make recording    judge a fight and record it for the README'
	@echo 'make docs     the documentation as a site, every link checked: build/site/index.html'
	@echo 'make reference  write the pages of docs/reference that are made from the code, after a change of it'
	@echo 'make lock     write the exact versions in .ci/requirements/ anew (DEPENDENCIES=newest or =lowest tries others)'
	@echo 'make man      the manual page anew, after a change of the command line'
	@echo 'make clean    remove everything that make and Python made, .venv included'

play: $(if $(wildcard $(STAMP)),$(STAMP),$(PLAYABLE))
	@$(BIN)/evalforge $(ARGS)

check: $(STAMP)
	@$(checks)

test: check
	@$(TIMED) fast $(BIN)/pytest -m fast $(PARALLEL) --durations=10 $(ARGS)

# A terminal wants the machine to itself. ALL=1 takes all cases of the families that take turns (tests/rotation.py).
tier: export EVALFORGE_SHARE := $(if $(ALL),all,$(EVALFORGE_SHARE))
tier: $(STAMP)
	@$(TIMED) $(TIER) $(BIN)/pytest -m $(TIER) $(if $(filter terminal,$(TIER)),,$(PARALLEL)) --durations=10 $(ARGS)

test-all: export EVALFORGE_PICTURES := all
test-all: export EVALFORGE_SHARE := all
test-all: export EVALFORGE_SIZES := all
test-all: check
	@status=0; \
	$(BIN)/pytest -m 'not terminal' $(PARALLEL) --hypothesis-profile=thorough --durations=10 --cov --cov-report= $(ARGS) || status=1; \
	$(BIN)/pytest -m terminal --cov --cov-append --cov-report=term:skip-covered $(ARGS) || status=1; \
	exit $$status

record: $(STAMP)
	@$(BIN)/python -m tests.measured $(ARGS)

times: $(STAMP)
	@$(BIN)/python -m tests.tier_times build/tier-times

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

# A fight is judged for it; it lies in a home of its own.
recording: $(STAMP)
	@home=$$(mktemp -d) && trap 'rm -rf "$$home"' EXIT && export EVALFORGE_HOME="$$home" && \
	$(BIN)/evalforge judge furnace-controller bosses/furnace-controller/exemplars/solid --plain >/dev/null && \
	$(BIN)/evalforge replay "$$($(BIN)/evalforge attempts | cut -d' ' -f1)" -o assets/screenshots/fight-replay.svg

# Names and versions alone; what is written is read and tried before it is committed: make test, then
# make tier TIER=fast DEPENDENCIES=lowest in a checkout of its own.
RESOLVE = $(BIN)/uv pip compile -q --universal --python-version 3.11 --no-header --no-annotate --no-emit-index-url \
	--upgrade --all-extras pyproject.toml

lock:
	@$(environment)
	@mkdir -p .ci/requirements
	@$(BIN)/python -c 'import uv' 2>/dev/null || $(PIP) install -qq uv
	@$(RESOLVE) --group dev --group docs -o .ci/requirements/pinned.txt
	@$(RESOLVE) --resolution lowest-direct -o .ci/requirements/lowest.txt

reference: $(STAMP)
	@$(BIN)/python -m docs.builder.reference

man: $(STAMP)
	@$(BIN)/python -m docs.builder.man_page

docs: $(STAMP)
	@$(BIN)/python -c 'import zensical' 2>/dev/null || $(PIP) install -qq $(CONSTRAINED) --group docs
	@$(BIN)/python -m docs.builder $(ARGS)

clean:
	rm -rf $(VENV) dist build .pytest_cache .ruff_cache .hypothesis .import_linter_cache .coverage .coverage.*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# All at once; one line for a check that passes, everything it said for one that doesn't. Names that may say too little
# are only counted: `python -m tests.candidate_names` lists them.
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
printf '%-14s %s\n' 'names' "$$($(BIN)/python -m tests.candidate_names | tail -1)" & \
wait; test ! -e "$$logs/failed"
endef

# The build backend is one of the tools, so that its version is pinned as well.
$(STAMP): pyproject.toml $(CONSTRAINTS)
	@$(environment)
	@rm -f $(VENV)/.installed* $(VENV)/.playable*
	@$(PIP) install -qq $(CONSTRAINED) 'pip>=25.1'
	@$(PIP) uninstall -qq --yes evalforge 2>/dev/null || true  # its name before it had one of its own
	@$(PIP) install -qq $(CONSTRAINED) --group dev
	@$(PIP) install -qq $(CONSTRAINED) --no-build-isolation --editable '.[$(EXTRAS)]'
	@$(BIN)/python -m compileall -qq $(VENV)/lib evalforge || true
	@touch $(INSTALLED) $@

$(PLAYABLE): pyproject.toml $(CONSTRAINTS)
	@$(environment)
	@rm -f $(VENV)/.installed* $(VENV)/.playable*
	@$(PIP) install -qq $(CONSTRAINED) 'pip>=25.1' hatchling editables
	@$(PIP) install -qq $(CONSTRAINED) --no-build-isolation --editable .
	@touch $@

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

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

.PHONY: help play test fuzz conformance format bench pictures screenshots clean

help:
	@echo 'make play     the game                    (ARGS="--motion none" hands options on)'
	@echo 'make test     every check, as CI runs them (ARGS="-k scoring" is for pytest)'
	@echo 'make fuzz     ten thousand model replies through the reader; a minute'
	@echo 'make conformance ARGS="--base-url URL --model NAME"     what must hold with a real model; see docs/judging.md'
	@echo 'make format   format the code and mend what can be mended'
	@echo 'make bench    the benchmarks'
	@echo 'make pictures accept what the screens look like now; then look at what changed in tests/app/pictures'
	@echo 'make screenshots  take the pictures of the README anew'
	@echo 'make clean    remove everything that make and Python made, .venv included'

play: $(STAMP)
	@$(BIN)/evalforge $(ARGS)

test: $(STAMP)
	@$(call check,ruff format --check,--output-format concise .)
	@$(call check,ruff check,--output-format concise .)
	@$(call check,pyright)
	@$(call check,lint-imports)
	@echo 'pytest -n 3'
	@$(BIN)/pytest -n 3 --dist worksteal $(ARGS)
	@$(BIN)/pytest tests/app/test_terminal.py

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

clean:
	rm -rf $(VENV) dist build .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# One line for a check that passes, everything it said for one that doesn't.
define check
printf '%-22s' '$(1)'; \
if said=$$($(BIN)/$(1) $(2) 2>&1); then echo ok; else echo failed; printf '%s\n' "$$said"; exit 1; fi
endef

$(STAMP): pyproject.toml
	@$(environment)
	@$(PIP) install -qq 'pip>=25.1'
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

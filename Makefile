# Needs Python 3.11+, make and a package registry; brings everything else itself, Redis and PostgreSQL included.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

.PHONY: help demo test chaos check format lock clean

help:
	@echo "make demo    run the main job on sample sessions"
	@echo "make test    run the tests"
	@echo "make chaos   kill what can be killed under SESSIONS=5000 sessions; SEED= replays a run"
	@echo "make check   lint, types, import contracts"
	@echo "make format  format the code"
	@echo "make lock    resolve requirements.lock anew"
	@echo "make clean   remove the virtual environment"

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("habitus needs Python 3.11 or later: make PYTHON=python3.11 ...") if sys.version_info < (3, 11) else None'
	@echo "Installing into $(VENV), with the tools of the tests (1.2 GB; a minute or two, once)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

demo: $(READY)
	@$(BIN)/habitus demo

test: $(READY)
	@$(BIN)/pytest -n 2 --dist worksteal

SESSIONS ?= 5000
chaos: $(READY)
	@PYTHONPATH=tests/flow OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python tests/chaos --sessions $(SESSIONS) $(if $(SEED),--seed $(SEED))

check: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

lock:
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet uv==0.13.9
	$(BIN)/uv pip compile pyproject.toml --all-extras --group dev --universal --generate-hashes \
		--no-emit-index-url --python-version 3.11 --quiet --output-file requirements.lock

clean:
	rm -rf $(VENV)

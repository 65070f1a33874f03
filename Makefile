# Two commands do everything on a fresh machine: `make grade` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
# Which torch `make colab` tries; tests/colab/constraints.txt says why it is not pinned there.
TORCH ?= $(shell sed -n 's/^torch==//p' requirements.txt)
COLAB := .venv-colab/bin
# Named after what the environment was made with, so that another PYTHON or TORCH makes another.
COLAB_READY := .venv-colab/ready-$(subst /,-,$(PYTHON))-torch-$(TORCH)

# nbgrader starts `alembic` and the kernels by name.
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: grade test colab hostile fuzz release audit bench compare lint clean

grade: $(READY) ## release every lesson, grade everything in submitted/, write feedback, print the scores
	$(BIN)/gradebox release
	$(BIN)/gradebox autograde; status=$$?; $(BIN)/gradebox feedback && exit $$status

test: $(READY) ## everything that must hold
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m pytest

colab: $(COLAB_READY) ## every notebook with its reference answers, at the versions that Colab has (TORCH= leaves torch out)
	TORCH=$(TORCH) $(COLAB)/python -m pytest tests/colab

hostile: $(READY) ## all attack notebooks, of which `make test` takes a third (takes six minutes)
	ATTACKS=$(or $(ATTACKS),all) $(BIN)/python -m pytest tests/test_hostile.py

fuzz: $(READY) ## a minute of bytes that no student's process sends, for what the judge reads (not on Windows)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check atheris==3.0.0
	$(BIN)/python tests/fuzz_wire.py -max_total_time=60 -max_len=2000 -verbosity=0 -print_final_stats=1

audit: $(READY) ## do the tests tell right from wrong? (takes fifteen minutes); see docs/authoring.md
	$(BIN)/gradebox audit
	$(BIN)/gradebox audit --judge --no-mutants --output audit/judge

release: $(READY) ## write source/, release/ and the example students from lessons/ and answers/
	$(BIN)/gradebox release
	$(BIN)/gradebox examples

compare: $(READY) ## the grades of every written answer, against those of stock nbgrader (takes half an hour)
	$(BIN)/python benchmarks/compare.py

bench: $(READY) ## how fast a class is graded, against stock nbgrader (takes half an hour); see benchmarks/README.md
	$(BIN)/python benchmarks/bench.py

lint: $(READY)
	$(BIN)/ruff check .

$(READY): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name one with: make PYTHON=python3.11" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	touch $(READY)

$(COLAB_READY): tests/colab/constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || \
	  { echo "Colab's versions need Python 3.11 to 3.13; name one with: make colab PYTHON=python3.13" >&2; exit 1; }
	$(PYTHON) -m venv --clear .venv-colab
	$(COLAB)/python -m pip install --quiet --disable-pip-version-check -c tests/colab/constraints.txt \
	  numpy matplotlib ipython ipykernel nbclient pytest $(if $(TORCH),torch==$(TORCH))
	touch $(COLAB_READY)

clean: ## forget graded copies, feedback, the audit and the environments; the gradebook is kept as gradebook.db.bak
	rm -rf .venv .venv-colab feedback audit
	[ ! -e gradebook.db ] || mv gradebook.db gradebook.db.bak
	find autograded -mindepth 1 -maxdepth 1 -type d -exec rm -rf {} +

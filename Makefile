# Two commands do everything on a fresh machine: `make grade` and `make test`.
# They work with GNU Make 3.81, which macOS has, any POSIX shell, and the tools of Linux, macOS and BSD.

# Where Python's environment is. A container has its own, outside of the course's folder, which may be yours.
VENV ?= .venv
BIN := $(VENV)/bin
# Signs that everything is installed: what grading needs, and what tests and audits need besides.
READY := $(VENV)/ready-for-grading
READY_FOR_TESTS := $(VENV)/ready-for-tests

# The grader's package.
GRADEBOX := packages/gradebox
ON_MACHINE := $(BIN)/python $(GRADEBOX)/tests/simulated.py
RUNG := $(BIN)/python -m pytest $(GRADEBOX)/tests/sandbox/test_sandbox.py
# Which torch `make colab` tries; tests/colab/constraints.txt says why it is not pinned there.
TORCH ?= $(shell sed -n 's/^torch==//p' requirements.txt)
COLAB := .venv-colab/bin
# Named after what the environment was made with, so that another PYTHON or TORCH makes another.
COLAB_READY := .venv-colab/ready-$(subst /,-,$(PYTHON))-torch-$(TORCH)

# Here, Jupyter only writes a site; students' Python runs in their browsers.
LITE := .venv-lite/bin
LITE_READY := .venv-lite/ready

# Python writes byte code beside what it imports, even if you set this for all else: without, each start takes seconds longer.
unexport PYTHONDONTWRITEBYTECODE
# nbgrader starts `alembic` and the kernels by name.
export PATH := $(if $(filter /%,$(VENV)),,$(CURDIR)/)$(BIN):$(PATH)
# What environment/make.sh reads, besides what you may name: `make PYTHON=python3.13 UV_TORCH_BACKEND=cu130`
export VENV
# A container's user may have no home, or one that can't be written; pip, Jupyter and Matplotlib want one.
ifneq ($(shell [ -d "$$HOME" ] && [ -w "$$HOME" ] && echo home),home)
export HOME := $(CURDIR)/.home
$(shell mkdir -p .home)
endif

# The example students' notebooks are not in git. They go with their plan when a class of your own begins.
EXAMPLES = [ ! -e submitted/examples.toml ] || $(BIN)/python environment/example_students.py

.PHONY: help grade test slow rungs colab lite site pictures hostile honest fuzz release audit bench profile compare lint coverage dist bounds clean

# `make` alone grades, as it is the first target.
grade: $(READY) ## release the lessons, grade submitted/, write feedback, print scores
	@$(BIN)/gradebox release
	@$(EXAMPLES)
	@$(BIN)/gradebox autograde --feedback
	@echo "To run gradebox and nbgrader yourself: source $(BIN)/activate"

test: $(READY_FOR_TESTS) ## everything that must hold
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m mypy
	$(BIN)/python -m pytest

# Every lesson, stock nbgrader, other Pythons, the environment. SLOW="not 02_two_head" leaves some out.
slow: $(READY_FOR_TESTS) ## the tests of which `make test` takes a sample (40 minutes)
	$(BIN)/python -m pytest -m slow $(if $(SLOW),-k "$(SLOW)")

rungs: $(READY_FOR_TESTS) ## the sandbox, on each rung of the ladder that this machine can show
	$(ON_MACHINE) --landlock 1 --without user-namespaces $(RUNG)
	$(ON_MACHINE) --landlock 1 --without namespaces $(RUNG)
	$(ON_MACHINE) --landlock 5 --says 6 $(RUNG)

# TORCH= leaves torch out.
colab: $(COLAB_READY) ## every notebook with its reference answers, at Colab's versions
	TORCH=$(TORCH) $(COLAB)/python -m pytest tests/colab

lite: $(LITE_READY) ## lessons without torch in JupyterLite (npm, chromium, chromedriver)
	$(BIN)/python -m pytest tests/lite

# gradebox writes the sources of the website, and Sphinx builds the pages with docs/site/conf.py.
PAGES := docs/site/build
# WITHOUT_LITE=1 leaves JupyterLite out, which needs npm. The grader's documentation is in site/gradebox.
site: $(READY_FOR_TESTS) $(if $(WITHOUT_LITE),,$(LITE_READY)) ## the course's website, in site/ (10 minutes the first time)
	$(BIN)/gradebox publish --site $(if $(WITHOUT_LITE),,--lite) $(PAGES)/sources
	rm -rf $(PAGES)/html
	$(BIN)/python -m sphinx -q -W --keep-going -E -d $(PAGES)/doctrees -c docs/site $(PAGES)/sources $(PAGES)/html
	SITE=$(PAGES)/html $(BIN)/python -m pytest -q -n 0 tests/test_website.py -k whole
	rm -rf site
	mv $(PAGES)/html site
	$(BIN)/python -m sphinx -q -W -d $(VENV)/doctrees -c $(GRADEBOX)/docs $(GRADEBOX) site/gradebox
	$(if $(WITHOUT_LITE),,sh environment/build_lite.sh $(CURDIR)/$(LITE)/jupyter release site/lite)

pictures: $(READY_FOR_TESTS) ## the pictures of the documentation, from today's lessons (chromium, chromedriver)
	PYTHONPATH=$(GRADEBOX)/tests $(BIN)/python environment/write_pictures.py

hostile: $(READY_FOR_TESTS) ## all attacks, of which `make test` takes a thirtieth
	ATTACKS=$(or $(ATTACKS),all) $(BIN)/python -m pytest tests/course/test_hostile.py

honest: $(READY_FOR_TESTS) ## all odd but honest notebooks, of which `make test` takes a sixteenth
	HONEST=$(or $(HONEST),all) $(BIN)/python -m pytest -n 0 -s tests/course/test_honest.py

FUZZ := -max_total_time=60 -max_len=2000 -verbosity=0 -print_final_stats=1
fuzz: $(READY_FOR_TESTS) ## a minute of random bytes, for what judge and driver read
	$(BIN)/python -m pip install --quiet --disable-pip-version-check atheris==3.0.0
	$(BIN)/python $(GRADEBOX)/tests/judge/fuzz_protocol.py $(FUZZ) & other=$$!; \
	  $(BIN)/python $(GRADEBOX)/tests/execute/fuzz_frames.py $(FUZZ) && wait $$other

# MUTATED=LESSON audits one lesson only; see packages/gradebox/docs/authoring.md.
audit: $(READY_FOR_TESTS) ## do the tests tell right from wrong? (an hour)
	$(BIN)/gradebox audit $(MUTATED)

release: $(READY) ## write source/ and release/ from lessons/ and answers/
	$(BIN)/gradebox release

compare: $(READY_FOR_TESTS) ## the grades of all answers, against stock nbgrader's (half an hour)
	$(BIN)/python $(GRADEBOX)/benchmarks/compare.py

# See packages/gradebox/benchmarks/README.md.
bench: $(READY_FOR_TESTS) ## speed, against stock nbgrader, and of a class of 10,000 (40 minutes)
	$(EXAMPLES)
	$(BIN)/python $(GRADEBOX)/benchmarks/bench.py
	$(BIN)/python $(GRADEBOX)/benchmarks/many.py $(or $(LESSON),04_causal_multi_head)

profile: $(READY_FOR_TESTS) ## where the time of one submission goes (LESSON=..., STUDENT=...)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check py-spy==0.4.3
	$(EXAMPLES)
	$(BIN)/python $(GRADEBOX)/benchmarks/phases.py $(or $(LESSON),04_causal_multi_head) $(if $(STUDENT),--student $(STUDENT))

lint: $(READY_FOR_TESTS) ## the style of the code
	$(BIN)/ruff check .

# Which tests: COVERED=packages/gradebox/tests/lms
coverage: $(READY_FOR_TESTS) ## which lines of gradebox its tests run, as a table and in coverage/ (20 minutes)
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest $(or $(COVERED),$(GRADEBOX)/tests); status=$$?; \
	  $(BIN)/coverage combine --quiet && $(BIN)/coverage html --quiet && $(BIN)/coverage report && exit $$status

# See packages/gradebox/docs/releasing.md.
dist: $(READY_FOR_TESTS) ## the wheel and the sdist of gradebox, checked for the package index
	rm -rf dist
	$(BIN)/uv build --quiet --out-dir dist $(GRADEBOX)
	$(BIN)/uv tool run --quiet twine==7.0.0 check --strict dist/*

# BOUNDS="lowest highest" leaves the third environment out.
bounds: dist ## the wheel with the lowest and the highest versions of its dependencies, and with a JupyterHub image's
	sh environment/bounds.sh $(or $(BOUNDS),lowest highest jupyterhub)

# Made again if these files are not what it was made from. Dates don't say: a clone's or a mounted folder's are new.
.PHONY: $(shell for ready in $(READY) $(READY_FOR_TESTS); do \
  cat requirements.txt $(GRADEBOX)/pyproject.toml | cmp -s - $$ready || echo $$ready; done)
$(READY):
	@sh environment/make.sh grading

$(READY_FOR_TESTS): $(READY)
	@sh environment/make.sh tests

$(COLAB_READY): tests/colab/constraints.txt $(READY)
	$(or $(PYTHON),$(BIN)/python) -m venv --clear .venv-colab
	$(if $(TORCH),sh environment/install_torch.sh $(COLAB)/python $(TORCH))
	$(COLAB)/python -m pip install --quiet --disable-pip-version-check -c tests/colab/constraints.txt \
	  numpy matplotlib ipython ipykernel nbclient pytest $(if $(TORCH),torch==$(TORCH))
	touch $(COLAB_READY)

# What comes from registries (0.1 GB) is kept with the environment.
$(LITE_READY): tests/lite/constraints.txt tests/lite/parts.py $(READY_FOR_TESTS)
	$(or $(PYTHON),$(BIN)/python) -m venv --clear .venv-lite
	$(LITE)/python -m pip install --quiet --disable-pip-version-check -c tests/lite/constraints.txt \
	  jupyterlite-core jupyterlite-pyodide-kernel jupyter-server
	$(LITE)/python tests/lite/parts.py .venv-lite/parts
	touch $(LITE_READY)

help: ## this list
	@sed -n 's/^\([a-z]*\):.* ## /\1 /p' Makefile | while read -r target text; do printf '%-8s %s\n' "$$target" "$$text"; done

# The gradebook is kept, as gradebook.db.bak.
clean: ## remove graded copies, feedback, audit and environments
	rm -rf .venv .venv-colab .venv-lite .venv-bounds .home dist coverage feedback audit site $(PAGES) .gradebox_site
	[ ! -e gradebook.db ] || mv gradebook.db gradebook.db.bak
	find autograded -mindepth 1 -maxdepth 1 -type d -exec rm -rf {} +

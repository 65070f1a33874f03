# Two commands do everything on a fresh machine: `make grade` and `make test`.
# They work with GNU Make 3.81, which macOS has, any POSIX shell, and the tools of Linux, macOS and BSD.

# Where Python's environment is. A container has its own, outside of the course's folder, which may be yours.
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

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

# nbgrader starts `alembic` and the kernels by name.
export PATH := $(if $(filter /%,$(VENV)),,$(CURDIR)/)$(BIN):$(PATH)
# What environment/make.sh reads, besides what you may name: `make PYTHON=python3.13 TORCH_INDEX=https://...`
export VENV
# torch without CUDA, for Linux; see docs/instructors.md.
export PYTORCH_INDEX := https://download.pytorch.org/whl/cpu
# A container's user may have no home, or one that can't be written; pip, Jupyter and Matplotlib want one.
ifneq ($(shell [ -d "$$HOME" ] && [ -w "$$HOME" ] && echo home),home)
export HOME := $(CURDIR)/.home
$(shell mkdir -p .home)
endif

# The example students' notebooks are not in git. They go with their plan when a class of your own begins.
EXAMPLES = [ ! -e submitted/examples.toml ] || $(BIN)/gradebox examples

.PHONY: grade test slow rungs colab lite hostile honest fuzz release audit bench profile compare lint clean

grade: $(READY) ## release every lesson, grade everything in submitted/, write feedback, print the scores
	$(BIN)/gradebox release
	$(EXAMPLES)
	$(BIN)/gradebox autograde; status=$$?; $(BIN)/gradebox feedback && exit $$status

test: $(READY) ## everything that must hold
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m mypy
	$(BIN)/python -m pytest

slow: $(READY) ## the tests of which `make test` takes a sample: every lesson, stock nbgrader, the environment (takes half an hour; SLOW="not 02_two_head" leaves some out)
	$(BIN)/python -m pytest -m slow $(if $(SLOW),-k "$(SLOW)")

rungs: $(READY) ## what a sandbox promises, on each rung of the ladder that this machine can show (takes four minutes)
	$(ON_MACHINE) --landlock 0 $(RUNG)
	$(ON_MACHINE) --landlock 1 --without user-namespaces $(RUNG)
	$(ON_MACHINE) --landlock 1 --without namespaces,users $(RUNG)
	$(ON_MACHINE) --landlock 5 --says 6 $(RUNG)

colab: $(COLAB_READY) ## every notebook with its reference answers, at the versions that Colab has (TORCH= leaves torch out)
	TORCH=$(TORCH) $(COLAB)/python -m pytest tests/colab

lite: $(LITE_READY) ## the lessons that need no torch, run and handed in from JupyterLite (needs npm, chromium and chromedriver)
	$(BIN)/python -m pytest tests/lite

hostile: $(READY) ## all attacks, of which `make test` takes a thirtieth (takes four minutes)
	ATTACKS=$(or $(ATTACKS),all) $(BIN)/python -m pytest tests/course/test_hostile.py

honest: $(READY) ## all odd but honest notebooks, of which `make test` takes a sixteenth, and their points (takes three minutes)
	HONEST=$(or $(HONEST),all) $(BIN)/python -m pytest -n 0 -s tests/course/test_honest.py

FUZZ := -max_total_time=60 -max_len=2000 -verbosity=0 -print_final_stats=1
fuzz: $(READY) ## a minute each of bytes that no student's process sends, for what judge and driver read
	$(BIN)/python -m pip install --quiet --disable-pip-version-check atheris==3.0.0
	$(BIN)/python $(GRADEBOX)/tests/judge/fuzz_protocol.py $(FUZZ)
	$(BIN)/python $(GRADEBOX)/tests/execute/fuzz_frames.py $(FUZZ)

audit: $(READY) ## do the tests tell right from wrong? (takes an hour; MUTATED=LESSON audits one only, JUDGED=LESSON compares with the judge in one only); see packages/gradebox/docs/authoring.md
	$(BIN)/gradebox audit $(MUTATED)
	$(BIN)/gradebox audit $(JUDGED) --judge --no-mutants --output audit/judge

release: $(READY) ## write source/ and release/ from lessons/ and answers/
	$(BIN)/gradebox release

compare: $(READY) ## the grades of every written answer, against those of stock nbgrader (takes half an hour)
	$(BIN)/python $(GRADEBOX)/benchmarks/compare.py

bench: $(READY) ## how fast a class is graded, against stock nbgrader, and a class of 10,000 (takes forty minutes); see packages/gradebox/benchmarks/README.md
	$(EXAMPLES)
	$(BIN)/python $(GRADEBOX)/benchmarks/bench.py
	$(BIN)/python $(GRADEBOX)/benchmarks/many.py $(or $(LESSON),04_causal_multi_head)

profile: $(READY) ## where the time of one submission goes: a table, and profile.svg (LESSON=..., STUDENT=...)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check py-spy==0.4.3
	$(EXAMPLES)
	$(BIN)/python $(GRADEBOX)/benchmarks/phases.py $(or $(LESSON),04_causal_multi_head) $(if $(STUDENT),--student $(STUDENT))

lint: $(READY)
	$(BIN)/ruff check .

# Made again if these files are not what it was made from. Dates don't say: a clone's or a mounted folder's are new.
ifneq ($(shell cat requirements.txt $(GRADEBOX)/pyproject.toml | cmp - $(READY) 2>&1),)
.PHONY: $(READY)
endif
$(READY):
	sh environment/make.sh

$(COLAB_READY): tests/colab/constraints.txt $(READY)
	$(or $(PYTHON),$(BIN)/python) -m venv --clear .venv-colab
	$(if $(TORCH),$(COLAB)/python environment/install_torch.py $(TORCH))
	$(COLAB)/python -m pip install --quiet --disable-pip-version-check -c tests/colab/constraints.txt \
	  numpy matplotlib ipython ipykernel nbclient pytest $(if $(TORCH),torch==$(TORCH))
	touch $(COLAB_READY)

# What comes from registries (0.1 GB) is kept with the environment.
$(LITE_READY): tests/lite/constraints.txt tests/lite/parts.py $(READY)
	$(or $(PYTHON),$(BIN)/python) -m venv --clear .venv-lite
	$(LITE)/python -m pip install --quiet --disable-pip-version-check -c tests/lite/constraints.txt \
	  jupyterlite-core jupyterlite-pyodide-kernel jupyter-server
	$(LITE)/python tests/lite/parts.py .venv-lite/parts
	touch $(LITE_READY)

clean: ## forget graded copies, feedback, the audit and the environments; the gradebook is kept as gradebook.db.bak
	rm -rf .venv .venv-colab .venv-lite .home feedback audit
	[ ! -e gradebook.db ] || mv gradebook.db gradebook.db.bak
	find autograded -mindepth 1 -maxdepth 1 -type d -exec rm -rf {} +

"""A command imports what it needs, and starts what something will be done with."""

import subprocess
import sys

import pytest
from conftest import LESSONS, REPOSITORY

# What grading needs before anything is run, and all of it if nothing is.
GRADING = "import gradebox.own_process, gradebox.app, gradebox.grade.grade, gradebox.report.tables"
ELSEWHERE = (
    *("torch", "numpy", "matplotlib", "dask", "distributed", "cosmic_ray", "jupytext"),
    *("nbgrader.server_extensions.formgrader.handlers", "nbgrader.apps.nbgraderapp"),
    *(
        "gradebox.audit",
        "gradebox.grade.cluster",
        "gradebox.report.doctor",
        "gradebox.report.feedback",
        "gradebox.release.publish",
    ),
)


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=REPOSITORY)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_grading_does_not_need_is_not_imported():
    loaded = set(run(f"import sys\n{GRADING}\nprint(*sys.modules)").split())
    assert "nbgrader.api" in loaded
    assert not [name for name in ELSEWHERE if name in loaded]


@pytest.mark.parametrize(
    "use",
    [
        "from nbgrader.apps import NbGraderApp; assert NbGraderApp.name",
        "import nbgrader.apps; assert nbgrader.apps.FormgradeApp",
        "from nbgrader.server_extensions.formgrader.formgrader import FormgradeExtension",
        "from nbgrader.server_extensions.formgrader import handlers, load_jupyter_server_extension",
        "import nbgrader; nbgrader._jupyter_server_extension_points()",
        "from nbgrader.server_extensions.validate_assignment import handlers",
        "from nbgrader.exchange import ExchangeFactory",
        "from nbgrader.converters import GenerateFeedback, GenerateAssignment, Autograde",
    ],
)
def test_what_is_put_off_comes_when_it_is_asked_for(use):
    run(f"{GRADING}\n{use}")
    run(f"import gradebox.own_process\n{use}")


def test_a_lesson_without_torch_is_graded_without_it():
    """By the texts of its cells, which is how the process is started that kernels are forked from."""
    from gradebox.judge import MODULES
    from gradebox.run.ahead import needed
    from gradebox.run.lesson import lesson_of

    (config,) = [line for line in (REPOSITORY / "nbgrader_config.py").open() if "Execute.preload" in line]
    preload = eval(config.partition("=")[2])
    modules = {}
    for name in LESSONS:
        (path,) = (REPOSITORY / "source" / name).glob("*.ipynb")
        modules[name[:2]] = needed(preload, lesson_of(path.read_text(encoding="utf-8")).texts)
    plots = ("numpy", "matplotlib.pyplot")
    assert modules["01"] == modules["03"] == (*plots, *MODULES)
    assert modules["02"] == modules["05"] == (*plots, "torch", *MODULES)
    assert modules["04"] == (*plots, "torch", "torch._dynamo", *MODULES)

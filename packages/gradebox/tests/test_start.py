"""A command imports what it needs, and starts what something will be done with."""

import subprocess
import sys

import pytest
from helpers import PROJECT

# What grading needs before anything is run, and all of it if nothing is.
GRADING = (
    "import gradebox.stub_heavy_packages, gradebox.app, "
    "gradebox.autograde.grade_submissions, gradebox.reports.terminal_score_tables"
)
ELSEWHERE = (
    *("torch", "numpy", "matplotlib", "dask", "distributed", "cosmic_ray", "jupytext"),
    *("nbgrader.server_extensions.formgrader.handlers", "nbgrader.apps.nbgraderapp"),
    *(
        "gradebox.audit",
        "gradebox.answer_runner",
        "gradebox.autograde.dask_executor",
        "gradebox.reports.doctor",
        "gradebox.reports.feedback_preprocessor",
        "gradebox.release.publish_course",
    ),
)


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=PROJECT)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_grading_does_not_need_is_not_imported():
    loaded = set(run(f"import sys\n{GRADING}\nprint(*sys.modules)").split())
    assert "nbgrader.api" in loaded
    assert not [name for name in ELSEWHERE if name in loaded]


USES = (
    "from nbgrader.apps import NbGraderApp; assert NbGraderApp.name",
    "import nbgrader.apps; assert nbgrader.apps.FormgradeApp",
    "from nbgrader.server_extensions.formgrader.formgrader import FormgradeExtension",
    "from nbgrader.server_extensions.formgrader import handlers, load_jupyter_server_extension",
    "import nbgrader; nbgrader._jupyter_server_extension_points()",
    "from nbgrader.server_extensions.validate_assignment import handlers",
    "from nbgrader.exchange import ExchangeFactory",
    "from nbgrader.converters import GenerateFeedback, GenerateAssignment, Autograde",
)
# Each in a fork, so that none finds what another has imported.
EACH = f"""
import os, traceback
failed = []
for use in {USES!r}:
    child = os.fork()
    if not child:
        try:
            exec(use, {{}})
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    if os.waitpid(child, 0)[1]:
        failed.append(use)
assert not failed, failed
"""


@pytest.mark.parametrize("before", [GRADING, "import gradebox.stub_heavy_packages"])
def test_what_is_put_off_comes_when_it_is_asked_for(before):
    run(f"{before}\n{EACH}")

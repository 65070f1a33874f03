"""A command imports what it needs, and starts what something will be done with."""

import json
import os
import pty
import shutil
import subprocess
import sys

import pytest
from helpers import PROJECT, solves

from gradebox.__main__ import find_new_notebooks, load_course_settings
from gradebox.kernel.zygote_client import can_fork_kernels

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


# Runs a command, and prints which of these modules it has imported, and whether it has started a zygote.
LIBRARIES = ("torch", "numpy", "nbgrader", "nbformat", "sqlalchemy")
WATCHED = """
import json, sys
zygotes = []
def watch(event, arguments):
    if event == "subprocess.Popen" and "gradebox.kernel.zygote" in arguments[1]:
        zygotes.append(arguments[1])
sys.addaudithook(watch)
libraries, sys.argv = json.loads(sys.argv[1]), ["gradebox", *sys.argv[2:]]
from gradebox.__main__ import main
try:
    main()
except SystemExit as end:
    status = end.code
print(json.dumps([status, [name for name in libraries if name in sys.modules], len(zygotes)]))
"""


def watched(folder, *command: str) -> tuple[int, list[str], int]:
    run = [sys.executable, "-c", WATCHED, json.dumps(LIBRARIES), *command]
    done = subprocess.run(run, capture_output=True, text=True, cwd=folder)
    return tuple(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_import_no_library_and_start_nothing(option):
    assert watched(PROJECT, option) == (0, [], 0)


def test_the_settings_are_read_without_nbgrader(small):
    load = f"from gradebox.__main__ import load_course_settings\nload_course_settings({str(small.root)!r})"
    assert run(f"import sys\n{load}\nprint('nbgrader' in sys.modules)").split() == ["False"]


@pytest.mark.skipif(not can_fork_kernels(), reason="this system forks no kernels")
@pytest.mark.slow
def test_a_zygote_is_started_only_for_something_to_grade(small):
    solves(small, "ann")
    light = ["nbgrader", "nbformat", "sqlalchemy"]
    assert watched(small.root, "autograde") == (0, light, 1)
    assert watched(small.root, "autograde") == (0, light, 0)
    # Its source is changed.
    settings, source = load_course_settings(small.root), small.root / "source" / "hw" / "hw.ipynb"
    before = source.stat()
    source.touch()
    assert find_new_notebooks(small.root, settings) == [source]
    os.utime(source, ns=(before.st_atime_ns, before.st_mtime_ns))
    # An ignored folder, another lesson or another student is not graded.
    shutil.copytree(small.root / "source" / "hw", small.root / "source" / "later")
    shutil.copytree(small.root / "submitted" / "ann" / "hw", small.root / "submitted" / "ann" / "later")
    assert watched(small.root, "autograde", "hw") == (0, light, 0)
    # A lesson that is not released, named or not.
    assert watched(small.root, "autograde", "later") == (2, light, 0)
    solves(small, "bea")
    assert watched(small.root, "autograde") == (2, light, 0)
    assert watched(small.root, "autograde", "hw", "--student", "ann") == (0, light, 0)
    with (small.root / "nbgrader_config.py").open("a") as settings:
        settings.write('\nc.CourseDirectory.ignore.extend(["lat*"])\n')
    assert watched(small.root, "autograde", "--student", "bea") == (0, light, 1)


# Ends where the slow imports would begin.
WITHOUT_IMPORTS = """
import sys
sys.modules["gradebox.stub_heavy_packages"] = None
sys.argv = ["gradebox", "release"]
from gradebox.__main__ import main
try:
    main()
except ImportError:
    pass
"""


def test_a_terminal_shows_a_line_before_the_slow_imports():
    screen, terminal = pty.openpty()
    subprocess.run([sys.executable, "-c", WITHOUT_IMPORTS], stderr=terminal, check=True)
    os.close(terminal)
    assert os.read(screen, 1000).decode() == "gradebox release: reading the course\r\n"
    os.close(screen)

"""Kernels of other environments: a notebook runs in the Python that its kernel spec names."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from environments import copy_environment, install_kernel, ipykernel_of, other_pythons
from helpers import (
    ACTIVATED,
    KINDS,
    PROGRAMS,
    SAMPLE,
    cell,
    contained,
    gradebox,
    notebook,
    score_cells,
    with_settings,
)
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_notebook

from gradebox.course import Course
from gradebox.execute import session_pair
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.kernel_specs import find_interpreter_of
from gradebox.execute.lesson import ExecutionInputs, Lesson
from gradebox.release.release_lessons import write_student_version

ANSWER = """### BEGIN SOLUTION
from importlib.util import find_spec
def numbers(n):
    return [float(k) for k in range(n)]
def facts():
    return {"version": coursepkg.VERSION, "pandas": find_spec("pandas"), "data": os.environ["COURSE_DATA"]}
def refuse(why):
    raise KeyError(why)
def apply(function, values):
    return [function(value) for value in values]
### END SOLUTION"""
TESTS = {
    "numbers-test": "assert numbers(3) == [0, 1, 2]\nassert sum(numbers(300)) == 44850",
    "facts-test": "assert facts() == {'version': 3, 'pandas': None, 'data': 'here'}, facts()",
    "refuse-test": "try:\n    refuse('no')\nexcept KeyError as error:\n    assert error.args == ('no',)\n"
    "else:\n    assert False",
    "apply-test": "assert apply(lambda x: x + 1, [1, 2]) == [2, 3]",
    "version-test": "assert tuple(sys.version_info[:2]) == python_version",
}
RIGHT = dict.fromkeys(TESTS, 2.0)


def lesson(kernel: str, answer: str = ANSWER, **tests: str) -> NotebookNode:
    """The instructor's notebook for a kernel."""
    imports = f"import os, sys, coursepkg\npython_version = {tuple(sys.version_info[:2])}"
    tested = [cell("test", name, source) for name, source in (tests or TESTS).items()]
    nb = new_notebook(cells=[cell("given", "imports", imports), cell("solution", "all", answer), *tested])
    nb.metadata["kernelspec"] = {"name": kernel, "display_name": kernel, "language": "python"}
    return nb


def write(course: Path, step: str, assignment: str, nb: NotebookNode) -> None:
    path = course / step / assignment / "hw.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(nb, path)


@pytest.fixture(scope="module")
def environment(tmp_path_factory) -> Path:
    """An environment with ipykernel and a package of the course, without pandas. Returns its Python."""
    python = copy_environment(tmp_path_factory.mktemp("other") / "env", "ipykernel", "numpy")
    (packages,) = python.parents[1].glob("lib/python*/site-packages")
    (packages / "coursepkg.py").write_text("VERSION = 3\n")
    return python


@pytest.fixture
def kernels(environment, tmp_path, monkeypatch) -> Path:
    """A folder of kernel specs, with the environment's kernel `mycourse`."""
    folder = tmp_path / "jupyter"
    install_kernel(folder, "mycourse", ipykernel_of(environment), env={"COURSE_DATA": "here"})
    monkeypatch.setenv("JUPYTER_PATH", str(folder))
    find_interpreter_of.cache_clear()
    yield folder
    find_interpreter_of.cache_clear()


def scores(course: Course, assignment: str, student: str) -> dict[str, float]:
    with course.gradebook() as gradebook:
        grades = gradebook.find_submission_notebook("hw", assignment, student).grades
        return {grade.name: grade.auto_score for grade in grades}


def run_here(folder: Path, *command: str) -> str:
    """What a command says, with the kernels of this test."""
    program = [PROGRAMS / command[0], *command[1:]]
    environment = {**os.environ, "PATH": ACTIVATED["PATH"]}
    run = subprocess.run(program, cwd=folder, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout + run.stderr


def error_of(course: Course, student: str, test: str) -> str:
    """The error of a test in a student's graded copy."""
    outputs = score_cells(notebook("autograded", "hw", course.root, student))[test].outputs
    return next(f"{o.ename}: {o.evalue}" for o in outputs if o.output_type == "error")


def add_package(environment: Path, name: str, version: str) -> None:
    """Add the metadata of an installed package, without its modules."""
    (packages,) = environment.glob("lib/python*/site-packages")
    folder = packages / f"{name}-{version}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")


def make_course(root: Path, **lessons: NotebookNode) -> Course:
    root.mkdir()
    shutil.copy(SAMPLE / "nbgrader_config.py", root)
    for name, nb in lessons.items():
        write(root, "source", name, nb)
    with_settings(Course(root), 'c.Execute.preload = ["numpy"]', "c.Execute.second_chances = False")
    return Course(root)


@contained
@pytest.mark.slow
def test_a_course_runs_in_the_python_of_its_kernel(kernels, environment, tmp_path):
    course = make_course(tmp_path / "course", hw=lesson("mycourse"))
    spying = f"open({str(course.root / 'source' / 'hw' / 'hw.ipynb')!r}).read()"
    assert gradebox(course, "release", "--no-check").returncode == 0
    answers = {
        "right": ANSWER,
        "wrong": ANSWER.replace("float(k)", "float(k + 1)").replace("raise KeyError(why)", "pass"),
        "spy": ANSWER.replace("return [float(k)", f"{spying}\n    return [float(k)"),
    }
    for student, answer in answers.items():
        # Students' kernels have names of their own machines.
        write(course.root / "submitted" / student, ".", "hw", lesson("conda-env-mine-py", answer))
    run = gradebox(course, "autograde")
    assert run.returncode == 0, run.stdout + run.stderr
    version = ".".join(map(str, sys.version_info[:3]))
    assert f"ran in Python {version} ({environment})" in " ".join(run.stdout.split())
    assert scores(course, "hw", "right") == RIGHT
    assert scores(course, "hw", "wrong") == RIGHT | {"numbers-test": 0.0, "refuse-test": 0.0}
    assert scores(course, "hw", "spy") == RIGHT | {"numbers-test": 0.0}
    assert error_of(course, "spy", "numbers-test").startswith(("FileNotFoundError", "PermissionError"))
    copy = notebook("autograded", "hw", course.root, "right")
    assert copy.metadata.language_info.version == version

    # Nothing is graded again, until the environment has other packages.
    assert "0 graded, 3 unchanged" in gradebox(course, "autograde").stdout
    add_package(environment.parents[1], "another", "1.0")
    assert "3 graded, 0 unchanged" in gradebox(course, "autograde").stdout

    # nbgrader's own command, the check and the diagnosis use and name the same Python.
    said = run_here(course.root, "nbgrader", "autograde", "hw", "--student", "right", "--force")
    assert f"runs in Python {version} ({environment})" in said
    assert scores(course, "hw", "right") == RIGHT
    said = " ".join(run_here(course.root, "gradebox", "check").split())
    assert "5 tests checked: the source's own solutions get all points" in said
    assert f"ran in Python {version} ({environment})" in said
    said = " ".join(gradebox(course, "doctor").stdout.split())
    assert f"mycourse: Python {version} ({environment})" in said


def test_the_judge_runs_in_that_python_without_forks_too(kernels, monkeypatch):
    """As on macOS, where nbclient starts the kernels."""
    monkeypatch.setattr(session_pair, "can_fork_kernels", lambda: False)
    execute = Execute(isolation="judge", kernel_name="mycourse")
    nb = lesson("mycourse")
    execute.execute_in_place(nb, ExecutionInputs(Lesson(lesson("mycourse"))))
    failed = [
        one.outputs for one in nb.cells if any(o.output_type == "error" for o in one.get("outputs", []))
    ]
    assert not failed


def test_a_kernel_that_can_not_be_used_refuses_its_lessons_in_one_sentence(kernels, tmp_path):
    bare, plain = tmp_path / "bare", tmp_path / "plain"
    for environment in (bare, plain):
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    add_package(plain, "ipykernel", "6.29")
    root = tmp_path / "course"
    mine = ipykernel_of(sys.executable)
    install_kernel(kernels, "gone", ipykernel_of(tmp_path / "gone" / "bin" / "python"))
    install_kernel(kernels, "bare", ipykernel_of(bare / "bin" / "python"))
    install_kernel(kernels, "plain", ipykernel_of(plain / "bin" / "python"))
    install_kernel(kernels, "ir", ["R", "--slave", "-e", "IRkernel::main()"], language="R")
    install_kernel(kernels, "wrapped", ["bash", "-c", "exec python -m ipykernel_launcher -f x"])
    install_kernel(kernels, "open", mine, env={"PYTHONPATH": str(root)})
    tests = {"plain-test": "assert numbers(2) == [0, 1]"}
    names = ("missing", "gone", "bare", "plain", "ir", "wrapped", "open", "python3", "python")
    answer = "### BEGIN SOLUTION\ndef numbers(n):\n    return list(range(n))\n### END SOLUTION"
    lessons = {name: lesson(name, answer, **tests) for name in names}
    for nb in lessons.values():
        nb.cells[0].source = "import os"
    course = make_course(root, **lessons)
    for name, nb in lessons.items():
        write_student_version(course, name)
        write(root / "submitted" / "ann", ".", name, nb)
    run = gradebox(course, "autograde")
    assert run.returncode == 1 and "2 graded" in run.stdout, run.stdout + run.stderr
    assert "Traceback" not in run.stdout + run.stderr
    incidents = json.loads((root / "incidents.json").read_text())
    said = {one["assignment"]: one["what"] for one in incidents}
    assert {one["kind"] for one in incidents} == {"not graded"} and len(incidents) == len(said) == 7
    own = 'or set c.Execute.kernel_name = "python3" to grade in gradebox\'s own Python'
    assert said["missing"].startswith("the kernel 'missing' is not installed here (installed: bare, ")
    assert said["gone"].startswith(
        f"the kernel 'gone' starts {tmp_path}/gone/bin/python, which can't be used"
    )
    assert f"{bare}/bin/python, which has no ipykernel: run `{bare}/bin/python -m pip install" in said["bare"]
    assert (
        f"{plain}/bin/python, which has no NumPy: run `{plain}/bin/python -m pip install numpy`"
        in said["plain"]
    )
    assert all(said[name].endswith(own) for name in ("missing", "gone", "bare", "plain"))
    assert said["ir"].startswith("the kernel 'ir' runs R, and the sandbox can run only Python's ipykernel: ")
    assert said["wrapped"].startswith("the kernel 'wrapped' starts bash, and the sandbox can run only")
    assert said["open"].startswith(f"a kernel sets PYTHONPATH to {root}, which contains {root}: ")
    # The setting's advice is true.
    with_settings(course, 'c.Execute.kernel_name = "python3"')
    assert gradebox(course, "autograde").returncode == 0
    assert scores(course, "missing", "ann") == {"plain-test": 2.0}


@pytest.mark.slow
@pytest.mark.parametrize("python", [*other_pythons()], ids=lambda path: path.name)
def test_other_pythons_give_the_points_of_stock_nbgrader(python, kernels, tmp_path):
    """With pandas 1.5 and NumPy 1.26 where there are wheels, as in a course of 2023."""
    environment = tmp_path / "env"
    subprocess.run([python, "-m", "venv", environment], check=True)
    old = python.name in ("python3.9", "python3.10")
    packages = ["numpy==1.26.4", "pandas==1.5.3"] if old else ["numpy", "pandas"]
    pip = [environment / "bin" / "python", "-m", "pip", "install", "--quiet", "ipykernel", *packages]
    subprocess.run(pip, check=True)
    install_kernel(kernels, "old", ipykernel_of(environment / "bin" / "python"))
    answer = (
        "### BEGIN SOLUTION\ndef table(n):\n    return pd.DataFrame({'a': range(n), 'b': np.arange(n) / 2})\n"
        "def moment():\n    return pd.Timestamp('2020-01-02')\ndef fill(x):\n    x[:] = 1\n### END SOLUTION"
    )
    tests = {
        "table-test": "t = table(3)\nassert t.b.sum() == 1.5 and list(t.a) == [0, 1, 2]",
        "moment-test": "assert moment() == pd.Timestamp('2020-01-02') and moment().year == 2020",
        "fill-test": "x = np.zeros(200)\nfill(x)\nassert x.sum() == 200",
        "version-test": f"assert pd.__version__ >= '1.5' and sys.version_info[1] == {python.name[8:]}",
    }
    nb = lesson("old", answer, **tests)
    nb.cells[0].source = "import sys\nimport numpy as np\nimport pandas as pd"
    course = make_course(tmp_path / "course", hw=nb)
    assert gradebox(course, "release", "--no-check").returncode == 0
    for student, text in {"right": answer, "wrong": answer.replace("x[:] = 1", "x = x + 1")}.items():
        other = nbformat.from_dict(nb)
        other.cells[1].source = text
        write(course.root / "submitted" / student, ".", "hw", other)
    stock = Course(shutil.copytree(course.root, tmp_path / "stock"))
    (stock.root / "nbgrader_config.py").write_text("c = get_config()\n")
    run = gradebox(course, "autograde")
    assert run.returncode == 0, run.stdout + run.stderr
    subprocess.run(
        [PROGRAMS / "nbgrader", "autograde", "hw"],
        cwd=stock.root,
        env={**ACTIVATED, **os.environ},
        check=True,
    )
    for student in ("right", "wrong"):
        assert scores(course, "hw", student) == scores(stock, "hw", student)
    assert scores(course, "hw", "right") == dict.fromkeys(tests, KINDS["test"]["points"])
    assert scores(course, "hw", "wrong")["fill-test"] == 0

"""What students open holds everything that they need, and nothing that gives an answer away."""

import ast
import re
import subprocess
import sys
from importlib import metadata

import pytest
from helpers import grade_id, score_cells
from nbgrader import utils
from packaging.requirements import Requirement
from repository import LESSONS, REPOSITORY, notebook

from gradebox.course import Course
from gradebox.notebook_exercises import find_graded_cells
from gradebox.release import notebook_requirements
from gradebox.release.publish_course import write_public_folder
from gradebox.release.release_lessons import write_student_version

# Each kernel has IPython.
ALLOWED = {"numpy", "matplotlib", "torch", "IPython"}
FORBIDDEN = {"urllib", "http", "socket", "subprocess", "os", "pathlib"}
# Students who ask for it download GPT-2 in lesson 11.
DOWNLOADS = {"11_your_code_runs_gpt2": {"urllib", "pathlib"}}


def regions(cell, kind):
    """The texts between the markers of one kind in a cell."""
    return re.findall(rf"### BEGIN {kind}\n(.*?)### END {kind}", cell.source, re.DOTALL)


@pytest.mark.parametrize("lesson", LESSONS)
def test_no_solution_hidden_test_mark_scheme_or_output_is_left(lesson):
    released = notebook("release", lesson)
    public = {grade_id(cell): cell.source for cell in released.cells if grade_id(cell)}
    secrets = 0
    for cell in notebook("source", lesson).cells:
        for kind in ("SOLUTION", "HIDDEN TESTS", "MARK SCHEME"):
            for region in regions(cell, kind):
                secrets += 1
                shown = set(public[grade_id(cell)].splitlines())
                visible = cell.source.replace(region, "").splitlines()
                leaked = [s for s in region.splitlines() if s.strip() and s in shown and s not in visible]
                assert not leaked, f"{grade_id(cell)} shows {leaked}"
    assert secrets
    for cell in released.cells:
        assert "### BEGIN" not in cell.source and "### END" not in cell.source
        if cell.cell_type == "code":
            assert not cell.outputs and cell.execution_count is None
        if utils.is_solution(cell):
            assert "raise NotImplementedError()" in cell.source


@pytest.mark.parametrize("lesson", LESSONS)
def test_nothing_is_needed_but_numpy_matplotlib_and_torch(lesson):
    for cell in notebook("release", lesson).cells:
        if cell.cell_type != "code":
            continue
        assert not re.search(r"^\s*[!%]", cell.source, re.MULTILINE), "a shell command or a magic"
        for node in ast.walk(ast.parse(cell.source)):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module]
            for name in names:
                assert name.split(".")[0] in ALLOWED | set(sys.stdlib_module_names), name
                assert name.split(".")[0] not in FORBIDDEN - DOWNLOADS.get(lesson, set()), name
            called = node.func if isinstance(node, ast.Call) else None
            assert getattr(called, "id", None) != "open", "a file beside the notebook"
            assert getattr(called, "attr", None) not in {"load", "loadtxt", "genfromtxt", "savefig"}


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_test_cell_is_locked(lesson):
    cells = score_cells(notebook("release", lesson))
    assert cells
    for name, cell in cells.items():
        assert utils.is_locked(cell), name
        assert cell.metadata.editable is False and cell.metadata.deletable is False, name


@pytest.mark.parametrize("lesson", LESSONS)
def test_points_are_what_the_lesson_and_the_readme_say(lesson):
    source = notebook("source", lesson)
    cells = find_graded_cells(source, lesson)
    total = sum(cell.points for cell in cells)
    title = re.search(r"· (\d+) points\*", notebook("release", lesson).cells[0].source).group(1)
    assert int(title) == total
    readme = (REPOSITORY / "README.md").read_text()
    row = next(
        line for line in readme.splitlines() if f"({'lessons/' + lesson}" in line or f"`{lesson}`" in line
    )
    assert f"| {total:g} |" in row, f"README says {row}"
    said = {}
    for cell in notebook("release", lesson).cells:
        line = r"^## (\d+\.\d+) .*?^\*\*(?:★ core|more) · (\d+) points? ·"
        found = re.search(line, cell.source, re.MULTILINE | re.DOTALL)
        if cell.cell_type == "markdown" and found:
            said[found.group(1)] = int(found.group(2))
    earned = {}
    for cell in cells:
        earned[cell.number] = earned.get(cell.number, 0) + cell.points
        assert cell.points == int(cell.points), "nbgrader's partial credit is not for whole numbers only"
    assert said == earned


@pytest.mark.parametrize("lesson", LESSONS)
def test_hidden_asserts_come_last_so_the_released_test_is_the_beginning_of_the_real_one(lesson):
    public = score_cells(notebook("release", lesson))
    for name, cell in score_cells(notebook("source", lesson)).items():
        assert cell.source.count("### BEGIN HIDDEN TESTS") == 1, name
        head, _, tail = cell.source.partition("### BEGIN HIDDEN TESTS")
        assert tail.rstrip().endswith("### END HIDDEN TESTS"), name
        assert public[name].source.rstrip() == head.rstrip(), name
        assert re.search(r"\bassert\b|\bcheck\w*\(", head), f"{name} shows students nothing"


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_notebook_says_how_long_it_takes_and_how_it_is_handed_in(lesson):
    cells = notebook("release", lesson).cells
    (minutes,) = re.findall(r"about (\d+) minutes of exercises", cells[0].source)
    each = [int(found) for cell in cells[1:] for found in re.findall(r"· about (\d+) minutes", cell.source)]
    assert each and sum(each) == int(minutes)
    assert cells[-1].source.startswith("## Hand it in")
    assert "What the file is called doesn't matter" in cells[-1].source


def first_cell(course: Course, lesson: str):
    write_student_version(course, lesson)
    return notebook("release", lesson, course.root).cells[0]


@pytest.mark.parametrize("lesson", LESSONS)
def test_without_a_public_repository_there_is_no_badge(course, lesson):
    assert "colab" not in first_cell(course, lesson).source.lower()


@pytest.mark.parametrize("lesson", LESSONS)
def test_with_a_public_repository_each_notebook_opens_itself_in_colab(course, lesson):
    config = course.root / "nbgrader_config.py"
    config.write_text(config.read_text() + '\nc.Links.repository = "someone/attention"\n')
    (name,) = course.notebooks(lesson)
    link = (
        f"https://colab.research.google.com/github/someone/attention/blob/main/release/{lesson}/{name}.ipynb"
    )
    badge = first_cell(course, lesson)
    assert badge.cell_type == "markdown" and f"({link})" in badge.source
    assert (course.root / "release" / lesson / f"{name}.ipynb").is_file()


def test_this_course_can_be_published(tmp_path):
    written = write_public_folder(Course(REPOSITORY), tmp_path / "public")
    assert {path.split("/")[0] for path in written} == {"LICENSE", "README.md", "release", "requirements.txt"}
    own = (REPOSITORY / "requirements-student.txt").read_text()
    assert (tmp_path / "public" / "requirements.txt").read_text() == own
    wanted = {one.name: one for one in map(Requirement, re.findall(r"^[a-z].*$", own, re.MULTILINE))}
    lessons = (notebook("release", lesson) for lesson in LESSONS)
    assert wanted.keys() == notebook_requirements.find_libraries(lessons) | {"jupyterlab"}
    # What the lessons are tested with is among what students may get.
    assert all(wanted[name].specifier.contains(metadata.version(name)) for name in wanted)


@pytest.mark.parametrize(
    "name",
    [
        "downloaded/01_single_head/archive/all.zip",
        "grades.csv",
        "removed_points.csv",
        "gradebook.db",
        "incidents.json",
        "submitted/ann/01_single_head/single_head.ipynb",
        "autograded/ann/01_single_head/single_head.ipynb",
        "feedback/ann/01_single_head/single_head.html",
    ],
)
def test_students_work_stays_out_of_git(name):
    run = subprocess.run(["git", "check-ignore", "--quiet", "--no-index", name], cwd=REPOSITORY)
    assert run.returncode == 0

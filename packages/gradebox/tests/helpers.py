"""What many tests do with real courses in scratch folders: hand in, grade, look at what came of it."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import jupytext
import nbformat
import pytest
from command_server import get_command_server
from nbconvert.filters import strip_ansi
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader import utils
from nbgrader.converters import Autograde

from gradebox.autograde.steps_around_execution import lock_folder
from gradebox.course import Course, CourseError
from gradebox.execute.detect_test_modes import TestModeRecorder
from gradebox.execute.test_modes import TestMode, build_record, put_record
from gradebox.notebook_exercises import extract_reference_solutions, insert_answers, serialize_notebook
from gradebox.release import read_answers_folder
from gradebox.release.release_lessons import pair_notebooks, write_student_version
from gradebox.release.store_test_modes import record_tests as record
from gradebox.sandbox.probe_results import ProbeResult

# What this machine can contain student code with.
PROBED = ProbeResult.anew()
WHOLE = PROBED.best is not None and PROBED.best.whole
# For tests of what a sandbox promises; all others run on any machine.
contained = pytest.mark.skipif(
    not WHOLE,
    reason="no rung of the ladder holds here: "
    f"{PROBED.best.missing_guarantees if PROBED.best else PROBED.problem}",
)
TESTS = Path(__file__).resolve().parent
# The folder with pyproject.toml, src/ and docs/.
PROJECT = TESTS.parent
SIMULATED = [sys.executable, str(TESTS / "simulated.py")]
# A machine that is simulated itself has no room for another simulation.
simulations = pytest.mark.skipif(
    not PROBED.findings
    or subprocess.run([*SIMULATED, "--landlock", "1", "true"], stderr=subprocess.DEVNULL).returncode,
    reason="no other machine can be simulated on this one",
)
# The programs of this environment, and what is set where it is activated.
PROGRAMS = Path(sys.executable).parent
# nbgrader's programs start in half the time without grammars.
QUICK = {"PYTHONPATH": str(TESTS / "without_grammars")}
ACTIVATED = {**os.environ, **QUICK, "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}"}
# The lesson that gradebox's own tests grade, of a course in a folder of theirs.
SAMPLE = TESTS / "sample"
LESSON = "01_shares"
# The folder for what all test processes of a run share. The first of them sets the variable and removes it.
SHARED = "GRADEBOX_TESTS_SHARED"
if SHARED not in os.environ:
    _shared = TemporaryDirectory(prefix="gradebox-tests-")
    os.environ[SHARED] = _shared.name


def notebook(step: str, lesson: str, root: Path, student: str = ".") -> NotebookNode:
    """The one notebook of a lesson in `source`, `release`, `submitted` or `autograded`."""
    (path,) = (root / step / student / lesson).glob("*.ipynb")
    return nbformat.read(path, as_version=4)


def grade_id(cell: NotebookNode) -> str | None:
    return cell.metadata.get("nbgrader", {}).get("grade_id")


def score_cells(nb: NotebookNode) -> dict[str, NotebookNode]:
    """The test cells of a notebook, by grade_id."""
    return {grade_id(cell): cell for cell in nb.cells if utils.is_grade(cell) and cell.cell_type == "code"}


def points_of(nb: NotebookNode) -> dict[str, float]:
    """The points of every test cell, by grade_id."""
    return {name: float(cell.metadata.nbgrader.points) for name, cell in score_cells(nb).items()}


def position(nb: NotebookNode, name: str) -> int:
    """Where the cell with this grade_id stands."""
    return next(n for n, cell in enumerate(nb.cells) if grade_id(cell) == name)


def pair_lessons(course: Course) -> list[str]:
    """Write every source notebook from its text. Returns those that were written. Raises CourseError."""
    written, stale = pair_notebooks(course, course.lesson_texts)
    for problem in stale.values():
        raise CourseError(problem)
    return written


def build_once(name: str, build: Callable[[Path], None]) -> Path:
    """The folder that the first process of this run which needs it has built; the others wait.

    Tests copy it, and never change it.
    """
    folder = Path(os.environ[SHARED]) / name
    folder.mkdir(exist_ok=True)
    built = folder.with_suffix(".built")
    with lock_folder(folder):
        if not built.exists():
            build(folder)
            built.touch()
    return folder


def sample_released() -> Path:
    """The small lesson's course, released."""

    def build(root: Path) -> None:
        course = Course(shutil.copytree(SAMPLE, root, dirs_exist_ok=True))
        pair_lessons(course)
        write_student_version(course, LESSON)
        record(course, LESSON)
        (course.root / "submitted").mkdir()

    return build_once("sample", build)


def sample(step: str) -> NotebookNode:
    """The small lesson's notebook in `source` or `release`."""
    if step == "source":
        return jupytext.read(SAMPLE / "lessons" / f"{LESSON}.py")
    return notebook(step, LESSON, sample_released())


def sample_solved(**wrong: str) -> NotebookNode:
    """The small lesson, solved: its graded and given cells only.

    wrong: titles of wrong answers, by exercise, with _ in place of -.
    """
    source = sample("source")
    nb = insert_answers(sample("release"), extract_reference_solutions(source))
    nb.cells = [cell for cell in nb.cells if grade_id(cell)]
    known = {
        (one.exercise, one.title): one
        for one in read_answers_folder.read_answers(SAMPLE / "answers" / LESSON, source)
    }
    chosen = [known[name.replace("_", "-"), title] for name, title in wrong.items()]
    assert not any(answer.right for answer in chosen)
    return insert_answers(nb, {answer.exercise: answer.source for answer in chosen})


def hidden_from(source: str) -> int:
    """The number of the line that begins the hidden asserts."""
    return next(n for n, line in enumerate(source.splitlines(), 1) if "### BEGIN HIDDEN TESTS" in line)


@dataclass(frozen=True)
class Failure:
    """Why a test cell failed: the last line of its message, and whether a visible assert said it."""

    message: str
    visible: bool


@dataclass(frozen=True)
class Graded:
    """What nbgrader made of one submission: scores, what waits for a person, and failures, by grade_id."""

    scores: dict[str, float | None]
    manual: set[str]
    failures: dict[str, Failure]


def hand_in(course: Course, lesson: str, student: str, nb: NotebookNode) -> Path:
    """Put a notebook into submitted/."""
    (name,) = course.notebooks(lesson)
    path = course.path("submitted", lesson, student) / f"{name}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(serialize_notebook(nb), encoding="utf-8")
    return path


def grade(course: Course, lesson: str, student: str, nb: NotebookNode) -> Graded:
    """Hand a notebook in and have nbgrader grade it."""
    hand_in(course, lesson, student, nb)
    problem = course.convert(Autograde, lesson, student)
    assert problem is None, problem
    return graded(course, lesson, student)


def graded(course: Course, lesson: str, student: str) -> Graded:
    """What the gradebook and the graded copy say."""
    (name,) = course.notebooks(lesson)
    with course.gradebook() as gradebook:
        grades = gradebook.find_submission_notebook(name, lesson, student).grades
        scores = {grade.name: grade.auto_score for grade in grades}
        manual = {grade.name for grade in grades if grade.needs_manual_grade}
    failures = {}
    for test, cell in score_cells(notebook("autograded", lesson, course.root, student)).items():
        for output in cell.outputs:
            if output.output_type == "error":
                trace = strip_ansi("\n".join(output.traceback))
                line = re.search(r"Cell In\[\d+\], line (\d+)", trace)
                message = f"{output.ename}: {output.evalue}"
                visible = line is not None and int(line.group(1)) < hidden_from(cell.source)
                failures[test] = Failure(message, visible)
            elif output.get("name") == "stderr":
                failures.setdefault(test, Failure(output.text, False))
    return Graded(scores, manual, failures)


EXERCISE = "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION"
KINDS = {
    "solution": {"solution": True, "locked": False},
    "test": {"grade": True, "points": 2},
    "question": {"task": True, "points": 3},
    "essay": {"grade": True, "solution": True, "locked": False, "points": 1},
    "given": {},
}


def cell(kind: str, name: str, source: str) -> NotebookNode:
    """A cell of the instructor's: a code cell, but for questions and essays, which are text."""
    new = (new_markdown_cell if kind in ("question", "essay") else new_code_cell)(source)
    plain = {"grade": False, "solution": False, "task": False, "locked": True, "schema_version": 3}
    new.metadata["nbgrader"] = {**plain, "grade_id": name, **KINDS[kind]}
    return new


def small_lesson() -> list[NotebookNode]:
    """The cells of a lesson with a function, its test, a question, and an essay."""
    return [
        cell("solution", "double", EXERCISE),
        cell("test", "double-test", "assert double(2) == 4, 'twice two is four'\nassert double(3) == 6"),
        cell("question", "why", "Why?"),
        new_markdown_cell("*Your answer*"),
        cell("essay", "essay", "My thoughts"),
    ]


def record_tests(source: NotebookNode) -> dict[str, TestMode]:
    """Record what the tests of an instructor's notebook need, as a release does. Returns their modes."""
    modes = TestModeRecorder(source, {}, {}).record()
    put_record(source, build_record(source, modes))
    return modes


def write_notebook(path: Path, cells: list[NotebookNode]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(serialize_notebook(new_notebook(cells=cells)), encoding="utf-8")
    return path


def solves(course: Course, student: str, *more: NotebookNode, name: str = "hw.ipynb", **answers: str) -> Path:
    """Hand in the small lesson, as released but for these answers by grade_id; `why` is the question's."""
    (path,) = course.path("release", "hw").glob("*.ipynb")
    cells = nbformat.read(path, as_version=4).cells
    for now, following in zip(cells, [*cells[1:], None], strict=True):
        if grade_id(now) in answers:
            (following if utils.is_task(now) else now).source = answers[grade_id(now)]
    return write_notebook(course.path("submitted", "hw", student) / name, [*cells, *more])


def gradebox(course: Course | Path, *arguments: str) -> subprocess.CompletedProcess:
    """Run the command as an instructor does, in the folder of a course."""
    folder = course.root if isinstance(course, Course) else course
    return get_command_server(os.getpid()).run(arguments, folder, os.environ)


def quickstart(root: Path, name: str = "course101") -> Path:
    """A copy in a folder of the course that nbgrader's quickstart makes, which starts six programs."""

    def build(folder: Path) -> None:
        run_in(folder, "nbgrader", "quickstart", "course101")

    return Path(shutil.copytree(build_once("quickstart", build) / "course101", root / name))


def run_in(root: Path, *command: str, status: int = 0) -> str:
    """What a command says that an instructor gives in a folder, with this environment on the path."""
    program, *arguments = command
    if program == "gradebox":
        done = get_command_server(os.getpid()).run(tuple(arguments), root, ACTIVATED)
    else:
        program = str(PROGRAMS / program)
        done = subprocess.run([program, *arguments], cwd=root, env=ACTIVATED, capture_output=True, text=True)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


# Little time for cells that never end, and enough for all others on any machine.
IMPATIENT = 'c.Execute.timeout_func = lambda cell: 4 if "while True" in cell.source else 120'


def with_settings(course: Course, *lines: str) -> Course:
    """A course after lines were added to its nbgrader_config.py."""
    config = course.root / "nbgrader_config.py"
    config.write_text("\n".join((config.read_text(), *lines, "")))
    return Course(course.root)

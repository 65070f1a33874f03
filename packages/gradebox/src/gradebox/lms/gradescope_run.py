"""What runs on Gradescope: grades one submission as any other, in a copy of the course that goes with it.

`gradescope_package.py` makes the package; its `run_autograder` comes in here, and so does its `setup.sh`,
which has the gradebook made. What is wrong with what was handed in is said in results.json, with a score of
0. What is wrong here leaves no results.json: Gradescope then says that the autograder failed, and gives no
score, and what is printed says why to instructors only.
"""

import json
import shutil
import tempfile
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

import nbformat
from nbgrader.preprocessors import ClearHiddenTests
from traitlets.config import PyFileConfigLoader

from gradebox.autograde.discover_submissions import submission
from gradebox.autograde.grade_submissions import Outcome, autograde
from gradebox.autograde.incidents import REPAIRED, UNGRADED, Incident
from gradebox.autograde.match_notebooks import recognise
from gradebox.course import Course, CourseError
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.isolation import InForce, Refused
from gradebox.execute.lesson import lesson_of
from gradebox.lms.csv_table import write_bytes
from gradebox.lms.download_archive import LITTER
from gradebox.lms.gradescope_package import SETTINGS, Settings
from gradebox.lms.gradescope_results import nothing, results
from gradebox.printable_text import in_words, one_line, printable
from gradebox.release.release_lessons import release
from gradebox.reports.exercise_results import Exercise, exercises, fill
from gradebox.reports.score_tables import entries
from gradebox.submission_files import TIMESTAMP, Unreadable, contents

ROOT = Path("/autograder")
GRADEBOOK = "gradebook.db"
# Bytes of a student's name in the scratch gradebook.
LONGEST = 100


def main(to_prepare: bool, begun: float) -> int:
    """Prepare the package, or grade what was handed in. Returns an exit status.

    begun: when this program was started, as `time.monotonic` has it.
    """
    result = ROOT / "results" / "results.json"
    try:
        settings = Settings(**json.loads((ROOT / "source" / SETTINGS).read_text(encoding="utf-8")))
        if to_prepare:
            prepare(ROOT / "source" / "course", settings.lesson)
            print(
                f"{settings.lesson} can be graded; on this machine, student code is {in_force(settings).line}"
            )
            return 0
        result.unlink(missing_ok=True)
        keep_to_root()
        found = graded(settings) | {"execution_time": round(time.monotonic() - begun, 1)}
        write_bytes(result, json.dumps(found, indent=2, allow_nan=False).encode())
    except CourseError as error:
        print(f"NOT GRADED: {printable(str(error))}")
        return 1
    except Exception as error:
        traceback.print_exc()
        print(f"NOT GRADED: gradebox failed, and not what was handed in: {printable(in_words(error))}")
        return 1
    return 0


def keep_to_root() -> None:
    """Let no other user see hidden tests, solutions, results, and those of earlier submissions.

    Where nothing better contains student code, it is a user of its own. Raises OSError.
    """
    for name in ("source", "submission", "results"):
        (ROOT / name).chmod(0o700)
    metadata = ROOT / "submission_metadata.json"
    if metadata.exists():
        metadata.chmod(0o600)


def prepare(folder: Path, lesson: str) -> None:
    """Make the gradebook of a packed course: it has the lesson, and no student.

    Raises CourseError, and what goes wrong in nbgrader_config.py, which nbgrader itself passes over.
    """
    PyFileConfigLoader("nbgrader_config.py", path=str(folder)).load_config()
    with tempfile.TemporaryDirectory() as scratch:
        # To release writes release/ anew, and this one is the students'.
        copy = Course(shutil.copytree(folder, Path(scratch) / "course"))
        release(copy, lesson)
        copy.engine.dispose()
        shutil.copy(copy.root / GRADEBOOK, folder)


def in_force(settings: Settings, course: Course | None = None) -> InForce:
    """What student code is kept from in this container. Raises CourseError if that is not enough."""
    course = course or Course(ROOT / "source" / "course")
    execute = Execute(parent=course.app)
    execute.texts = tuple(
        text for source in course.texts(settings.lesson).values() for text in lesson_of(source).texts
    )
    try:
        found = execute.in_force(course.root)
    except (Refused, RuntimeError) as error:
        raise CourseError(str(error)) from None
    if not found.contained:
        # It would be root, and could read hidden tests and write results.
        raise CourseError(f"student code can't be contained in this container: {execute.probed().problem}")
    return found


def graded(settings: Settings) -> dict[str, Any]:
    """Grade what lies in /autograder/submission. Returns what results.json says. Raises CourseError."""
    lesson = settings.lesson
    with tempfile.TemporaryDirectory(prefix="gradebox-") as scratch:
        course = Course(shutil.copytree(ROOT / "source" / "course", Path(scratch) / "course"))
        if not (course.root / GRADEBOOK).exists():
            prepare(course.root, lesson)
        student = students()
        try:
            hand_over(ROOT / "submission", course, lesson, student)
            handed_in = submission(course, lesson, student)
            problem = "no notebook was handed in" if handed_in.absent else handed_in.problem
        except Unreadable as error:
            problem = str(error)
        if problem:
            wanted = " and ".join(f"{name}.ipynb" for name in course.notebooks(lesson))
            return nothing(f"{problem}; hand in {wanted}", told(problem))
        force = in_force(settings, course)
        (outcome,) = autograde(course, [handed_in], force=True, workers=1)
        known = told(outcome.problem, force, outcome.incidents)
        if outcome.problem:
            if any(incident.kind == UNGRADED for incident in outcome.incidents):
                raise CourseError(outcome.problem)
            return nothing(outcome.problem, known)
        found = earned(course, lesson, student, outcome)
        noted = [incident.what for incident in outcome.incidents if incident.kind == REPAIRED]
        return results(found, noted, settings.points, settings.words, known)


def told(
    problem: str | None, force: InForce | None = None, incidents: tuple[Incident, ...] = ()
) -> dict[str, Any]:
    """Print what is for instructors, who see what is printed, and return it."""
    lines = [problem] if problem else []
    if force:
        lines += [force.line, f"WARNING: {force.warning}" if force.warning else ""]
    for incident in incidents:
        where = f" in {incident.cell}" if incident.cell else ""
        lines.append(f"{incident.kind}{where}: {incident.what}")
    print(printable("\n".join(filter(None, lines))))
    return {
        "isolation": force.line if force else None,
        "not_in_force": force.warning if force else None,
        "incidents": [{"kind": one.kind, "cell": one.cell, "what": one.what} for one in incidents],
    }


def hand_over(folder: Path, course: Course, lesson: str, student: str) -> None:
    """Copy what was handed in to the scratch course. Raises Unreadable.

    Who hands in a folder, an archive of one, or a repository, has the notebook further down.
    """
    own = {name: content for name, content in contents(folder) if LITTER.isdisjoint(Path(name).parts)}
    places = sorted({str(Path(name).parent) for name in own if name.endswith(".ipynb")})
    into = course.path("submitted", lesson, student)
    if "." in places or not places:
        lay(own, ".", into)
        return
    release_folder, fitting = course.path("release", lesson), []
    for place in places:
        lay(own, place, into)
        if len(places) == 1 or not recognise(into, release_folder).problem:
            fitting.append(place)
    if len(fitting) != 1:
        found = ", ".join(one_line(place) for place in fitting or places)
        how = "more than one folder holds it" if fitting else "no folder holds the lesson's notebook"
        raise Unreadable(f"{how} (found in {found})")
    lay(own, fitting[0], into)


def lay(files: dict[str, bytes], place: str, into: Path) -> None:
    """Write the files of a folder of the hand-in to another, which is emptied."""
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    for name, content in files.items():
        path = Path(name)
        # When it was handed in, Gradescope knows better.
        if path.is_relative_to(place) and path.relative_to(place) != Path(TIMESTAMP):
            target = into / path.relative_to(place)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)


def students() -> str:
    """A name for who has handed in, the same each time: tests draw from it what differs between students.

    A group has one. What Gradescope says of them is nothing to fail at.
    """
    numbers: list[int] = []
    with suppress(OSError, ValueError, TypeError, KeyError):
        said = json.loads((ROOT / "submission_metadata.json").read_text(encoding="utf-8"))
        numbers = sorted(int(user["id"]) for user in said["users"])
    return "_".join(["student", *map(str, numbers)])[:LONGEST]


def earned(course: Course, lesson: str, student: str, outcome: Outcome) -> list[Exercise]:
    """The exercises with what they have earned, and the words for it."""
    found = exercises(course.sources(lesson))
    with course.gradebook() as gradebook:
        grades = entries(gradebook, lesson, student)[student].grades
    folder = course.path("autograded", lesson, student)
    copies = {
        name: nbformat.read(folder / f"{name}.ipynb", as_version=4) for name in outcome.submission.files
    }
    fill(found, grades, copies, ClearHiddenTests(parent=course.app))
    return found

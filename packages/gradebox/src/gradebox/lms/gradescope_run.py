"""Grade one submission on Gradescope, in a copy of the packaged course.

`gradescope_package.py` builds the package. Its `run_autograder` calls `main` for each submission, and its
`setup.sh` calls `main` to create the gradebook. A problem of the submission is reported in results.json, with
a score of 0. Any other error leaves no results.json: Gradescope then reports a failed autograder without a
score, and shows the printed reason only to instructors.
"""

import json
import shutil
import tempfile
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

from traitlets.config import PyFileConfigLoader

from gradebox.autograde.discover_submissions import read_submission
from gradebox.autograde.grade_submissions import autograde_submissions
from gradebox.autograde.grading_job import run_job
from gradebox.autograde.incidents import MISSING, NOT_GRADED, REPAIRED, Incident
from gradebox.autograde.reference_proof import prove_references
from gradebox.autograde.steps_around_execution import Around
from gradebox.course import Course, CourseError
from gradebox.csv_table import write_bytes
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.isolation import ActiveIsolation, IsolationError
from gradebox.execute.lesson import parse_lesson
from gradebox.lms.gradescope_package import SETTINGS_FILE, AutograderSettings
from gradebox.lms.gradescope_results import build_results, build_ungraded_results
from gradebox.printable_text import format_exception, printable
from gradebox.release.release_lessons import write_student_version
from gradebox.reports.exercise_results import load_exercise_results
from gradebox.safe_submission_files import JUNK_FILES, TIMESTAMP, UnreadableSubmissionError, read_files

AUTOGRADER_ROOT = Path("/autograder")
GRADEBOOK = "gradebook.db"
# Limit for the length of a student's id in the scratch gradebook.
MAX_STUDENT_ID_BYTES = 100


def main(to_prepare: bool, begun: float) -> int:
    """Prepare the package, or grade the submission. Returns an exit status.

    begun: start time of the program, from `time.monotonic`.
    """
    result = AUTOGRADER_ROOT / "results" / "results.json"
    try:
        settings = AutograderSettings(
            **json.loads((AUTOGRADER_ROOT / "source" / SETTINGS_FILE).read_text(encoding="utf-8"))
        )
        if to_prepare:
            folder = AUTOGRADER_ROOT / "source" / "course"
            prepare_gradebook(folder, settings.lesson)
            isolation = check_container_isolation(settings).line
            require_reference_proof(Course(folder), settings.lesson)
            print(f"{settings.lesson} can be graded; on this machine, student code is {isolation}")
            return 0
        result.unlink(missing_ok=True)
        found = grade_submission_folder(settings) | {"execution_time": round(time.monotonic() - begun, 1)}
        write_bytes(result, json.dumps(found, indent=2, allow_nan=False).encode())
    except CourseError as error:
        print(f"NOT GRADED: {printable(str(error))}")
        return 1
    except Exception as error:
        traceback.print_exc()
        print(f"NOT GRADED: error in gradebox, not in the submission: {printable(format_exception(error))}")
        return 1
    return 0


def prepare_gradebook(folder: Path, lesson: str) -> None:
    """Create the gradebook of a packaged course, with the lesson and without students.

    Raises CourseError, and any error in nbgrader_config.py, which nbgrader itself would ignore.
    """
    PyFileConfigLoader("nbgrader_config.py", path=str(folder)).load_config()
    with tempfile.TemporaryDirectory() as scratch:
        # Releasing rewrites release/, but the packaged release/ must stay the version that students have.
        copy = Course(shutil.copytree(folder, Path(scratch) / "course"))
        write_student_version(copy, lesson)
        copy.engine.dispose()
        shutil.copy(copy.root / GRADEBOOK, folder)


def require_reference_proof(course: Course, lesson: str) -> None:
    """Grade the lesson's own reference solution, and keep the proof in the packaged course.

    Raises CourseError if the reference fails in this container.
    """
    found = prove_references(course, Around(course), [lesson], run_job)
    for proof in found.values():
        if proof.problem:
            raise CourseError(proof.problem)


def check_container_isolation(settings: AutograderSettings, course: Course | None = None) -> ActiveIsolation:
    """Return the isolation of student code in this container. Raises CourseError if insufficient."""
    course = course or Course(AUTOGRADER_ROOT / "source" / "course")
    execute = Execute(parent=course.app)
    execute.texts = tuple(
        text for source in course.texts(settings.lesson).values() for text in parse_lesson(source).texts
    )
    try:
        found = execute.in_force(course.root)
    except (IsolationError, RuntimeError) as error:
        raise CourseError(str(error)) from None
    if not found.contained:
        # Student code would run as root, and could read hidden tests and write results.
        raise CourseError(
            f"student code can't be contained in this container: {execute.get_probe_result().problem}"
        )
    return found


def grade_submission_folder(settings: AutograderSettings) -> dict[str, Any]:
    """Grade /autograder/submission. Returns the content of results.json. Raises CourseError."""
    lesson = settings.lesson
    with tempfile.TemporaryDirectory(prefix="gradebox-") as scratch:
        course = Course(shutil.copytree(AUTOGRADER_ROOT / "source" / "course", Path(scratch) / "course"))
        if not (course.root / GRADEBOOK).exists():
            prepare_gradebook(course.root, lesson)
        student = derive_student_id()
        try:
            copy_submission(AUTOGRADER_ROOT / "submission", course, lesson, student)
            handed_in = read_submission(course, lesson, student)
            problem = "no notebook was handed in" if handed_in.absent else handed_in.problem
        except UnreadableSubmissionError as error:
            problem = str(error)
        if problem:
            wanted = " and ".join(f"{name}.ipynb" for name in course.notebooks(lesson))
            return build_ungraded_results(f"{problem}; hand in {wanted}", print_instructor_report(problem))
        force = check_container_isolation(settings, course)
        (outcome,) = autograde_submissions(course, [handed_in], force=True, workers=1)
        known = print_instructor_report(outcome.problem, force, outcome.incidents)
        if outcome.problem:
            if any(incident.kind == NOT_GRADED for incident in outcome.incidents):
                raise CourseError(outcome.problem)
            return build_ungraded_results(outcome.problem, known)
        found = load_exercise_results(course, lesson, student, outcome.submission.files)
        noted = [incident.what for incident in outcome.incidents if incident.kind in (REPAIRED, MISSING)]
        return build_results(found, noted, settings.points, settings.words, known)


def print_instructor_report(
    problem: str | None, force: ActiveIsolation | None = None, incidents: tuple[Incident, ...] = ()
) -> dict[str, Any]:
    """Print the report for instructors, the only readers of the output, and return the report as data."""
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


def copy_submission(folder: Path, course: Course, lesson: str, student: str) -> None:
    """Copy the submission to the scratch course. Raises UnreadableSubmissionError."""
    into = course.path("submitted", lesson, student)
    into.mkdir(parents=True)
    for name, content in read_files(folder):
        # Skip a submitted timestamp: Gradescope itself records the time of submission.
        if JUNK_FILES.isdisjoint(Path(name).parts) and name != TIMESTAMP:
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            (into / name).write_bytes(content)


def derive_student_id() -> str:
    """Return an id for the submission and its submitters, which seeds random tests.

    Files that are submitted again get other tests: their code could ask the clock for what it has learnt.
    Invalid or missing metadata of Gradescope is not an error: the id is then "student".
    """
    numbers: list[int] = []
    with suppress(OSError, ValueError, TypeError, KeyError):
        said = json.loads((AUTOGRADER_ROOT / "submission_metadata.json").read_text(encoding="utf-8"))
        numbers = [int(said["id"]), *sorted(int(user["id"]) for user in said["users"])]
    return "_".join(["student", *map(str, numbers)])[:MAX_STUDENT_ID_BYTES]

"""What happens to a course during its term: names, lateness, settings, and answers that a person has read."""

import re
import shutil

import nbformat
import pytest
from helpers import cell, gradebox, small_lesson, solves, with_settings, write_notebook
from nbformat.v4 import new_markdown_cell
from nbgrader.converters import Autograde
from sqlalchemy import text

from gradebox.autograde.discover_submissions import find_submissions
from gradebox.autograde.fingerprint import serialize_course_inputs
from gradebox.autograde.grade_submissions import GradingOutcome, autograde_submissions
from gradebox.course import Course, CourseError

RIGHT = "def double(x):\n    return x + x"
WRONG = "def double(x):\n    return x * x"


def graded(course: Course, **options) -> dict[str, GradingOutcome]:
    """Grade everything; what became of each student."""
    submissions = list(find_submissions(course, course.assignments, course.roster))
    return {
        outcome.submission.student: outcome
        for outcome in autograde_submissions(course, submissions, **options)
    }


def grades(course: Course, student: str) -> dict[str, object]:
    with course.gradebook() as gradebook:
        return {grade.name: grade for grade in gradebook.find_submission_notebook("hw", "hw", student).grades}


def points_of_tests(course: Course, student: str) -> float | None:
    return grades(course, student)["double-test"].auto_score


def read(course: Course, student: str, name: str, points: float) -> None:
    """Give points as Formgrader does."""
    with course.gradebook() as gradebook:
        grade = gradebook.find_grade(name, "hw", "hw", student)
        grade.manual_score, grade.needs_manual_grade = points, False


def waits(course: Course, student: str) -> set[str]:
    """The cells that a person is to look at."""
    return {name for name, grade in grades(course, student).items() if grade.needs_manual_grade}


# Which notebook is whose


def test_a_renamed_notebook_is_recognised_by_its_cells_and_said(small):
    path = solves(small, "ann", double=RIGHT, why="because", essay="deep", name="my homework (1).ipynb")
    outcome = graded(small)["ann"]
    assert outcome.graded and points_of_tests(small, "ann") == 2
    assert waits(small, "ann") == {"why", "essay"}
    read(small, "ann", "why", 3)
    graded(small, force=True)
    assert waits(small, "ann") == {"essay"} and points(small)["why"] == 3
    assert "handed in as my homework (1).ipynb" in outcome.incidents[0].what
    again = graded(small)["ann"]
    assert not again.graded and again.incidents == outcome.incidents
    assert path.is_file()
    page = small.root / "feedback" / "ann" / "hw" / "hw.html"
    assert gradebox(small, "feedback").returncode == 0 and page.is_file()


def test_two_notebooks_of_the_lesson_are_named_and_never_a_silent_zero(small):
    solves(small, "tim", double=WRONG)
    solves(small, "tim", double=RIGHT, name="hw_FINAL.ipynb")
    outcome = graded(small)["tim"]
    assert not outcome.graded and "hw.ipynb and hw_FINAL.ipynb" in outcome.problem
    # nbgrader's own command does not take the one that happens to have the name, either.
    assert "hw.ipynb and hw_FINAL.ipynb" in small.convert(Autograde, "hw", "tim")


def test_nbgraders_own_command_does_not_take_the_one_in_which_nothing_is_answered(small):
    solves(small, "tim")
    solves(small, "tim", double=RIGHT, name="hw_FINAL.ipynb")
    assert "the answers are in hw_FINAL.ipynb, not in hw.ipynb" in small.convert(Autograde, "hw", "tim")
    assert graded(small)["tim"].graded and points_of_tests(small, "tim") == 2


def test_a_copy_and_an_unrelated_notebook_do_no_harm(small):
    solves(small, "ann", double=RIGHT)
    solves(small, "ann", double=RIGHT, name="hw-copy.ipynb")
    write_notebook(small.path("submitted", "hw", "ann") / "scratch.ipynb", [new_markdown_cell("notes")])
    outcome = graded(small)["ann"]
    assert outcome.graded and not outcome.incidents and points_of_tests(small, "ann") == 2


def test_the_one_with_the_right_name_is_not_taken_for_the_lesson_if_another_one_is_it(small):
    write_notebook(small.path("submitted", "hw", "ann") / "hw.ipynb", [new_markdown_cell("wrong file")])
    solves(small, "ann", double=RIGHT, name="hw (2).ipynb")
    assert graded(small)["ann"].graded and points_of_tests(small, "ann") == 2


def test_a_notebook_without_any_metadata_is_recognised_by_its_text(small):
    path = solves(small, "ann", double=RIGHT)
    notebook = nbformat.read(path, as_version=4)
    for one in notebook.cells:
        one.metadata.clear()
    write_notebook(path.with_name("saved by another editor.ipynb"), notebook.cells)
    path.unlink()
    assert graded(small)["ann"].graded and points_of_tests(small, "ann") == 2


def test_of_two_notebooks_one_that_is_missing_costs_its_own_points_only(small):
    write_notebook(small.root / "source" / "hw" / "more.ipynb", small_lesson())
    assert gradebox(small, "release").returncode == 0
    solves_first = small.path("release", "hw") / "hw.ipynb"
    folder = small.path("submitted", "hw", "ann")
    folder.mkdir(parents=True)
    (folder / "hw.ipynb").write_text(
        solves_first.read_text().replace("raise NotImplementedError()", "return 2 * x")
    )
    small = Course(small.root)
    outcome = graded(small)["ann"]
    assert outcome.graded and points_of_tests(small, "ann") == 2
    assert "more.ipynb was not handed in" in outcome.incidents[0].what
    with small.gradebook() as gradebook:
        missing = gradebook.find_submission_notebook("more", "hw", "ann")
        assert missing.score == 0 and not missing.needs_manual_grade
    # Who hands it in after all has a task that waits for its reader.
    shutil.copy(folder / "hw.ipynb", folder / "more.ipynb")
    small = Course(small.root)
    assert graded(small)["ann"].graded
    with small.gradebook() as gradebook:
        found = gradebook.find_submission_notebook("more", "hw", "ann")
        assert found.score == 2 and found.needs_manual_grade
        assert {grade.name for grade in found.grades if grade.needs_manual_grade} == {"why"}


def test_a_notebook_that_the_instructor_takes_out_of_an_assignment_keeps_nobody_from_grading(small):
    solves(small, "ann", double=RIGHT)
    more = small.root / "source" / "hw" / "more.ipynb"
    write_notebook(more, small_lesson())
    assert gradebox(small, "release").returncode == 0
    more.unlink()
    assert graded(Course(small.root))["ann"].graded and points_of_tests(small, "ann") == 2


# Who has not handed in


def test_who_has_not_handed_in_is_in_the_table_and_no_error(small):
    solves(small, "ann", double=RIGHT)
    (small.root / "submitted" / "bob").mkdir()
    with small.gradebook() as gradebook:
        gradebook.update_or_create_student("cora")
    run = gradebox(small, "autograde")
    assert run.returncode == 0, run.stdout + run.stderr
    for student in ("bob", "cora"):
        assert re.search(rf"{student}.*not handed in", run.stdout)
    assert "1 graded, 0 unchanged, 2 not handed in." in run.stdout
    assert run.stdout.splitlines()[-1] == "All submissions are graded."
    assert (small.root / "incidents.json").read_text().strip() == "[]"


def test_what_can_not_be_graded_is_in_the_last_line_and_in_the_exit_code(small):
    solves(small, "ann", double=RIGHT)
    solves(small, "bob").write_text("nothing")
    run = gradebox(small, "autograde")
    assert run.returncode == 1
    assert run.stdout.splitlines()[-1] == "NOT GRADED: bob/hw; see incidents."
    with small.gradebook() as gradebook:
        assert gradebook.find_student("bob")


def test_grading_before_releasing_says_so_in_one_sentence(small):
    solves(small, "ann", double=RIGHT)
    (small.root / "gradebook.db").unlink()
    run = gradebox(Course(small.root), "autograde")
    assert run.returncode == 2 and len(run.stderr.splitlines()) == 1, run.stderr
    assert "hw was handed in, but not released here: run `gradebox release hw` first" in run.stderr
    with pytest.raises(CourseError, match="not released here"):
        graded(Course(small.root))


# Lateness

PLUGIN = """
from nbgrader.plugins import BasePlugin
class Late(BasePlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return SHARE * score
"""


@pytest.fixture
def late(small, monkeypatch) -> Course:
    """A course in which ann handed in a day late, which costs a fifth of the points."""
    path = solves(small, "ann", double=RIGHT, why="because")
    (path.parent / "timestamp.txt").write_text("2026-11-22 12:00:00 UTC")
    (small.root / "late.py").write_text(PLUGIN.replace("SHARE", "0.2"))
    late = with_settings(
        small,
        "import sys",
        f"sys.path.insert(0, {str(small.root)!r})",
        "c.AssignLatePenalties.plugin_class = 'late.Late'",
    )
    due(late, "2026-11-21 12:00:00 UTC")
    return late


def due(course: Course, when: str) -> None:
    with course.gradebook() as gradebook:
        gradebook.update_or_create_assignment("hw", duedate=when)


def costs(course: Course) -> tuple[float, float]:
    """What ann's tests and readers gave, and the penalty."""
    with course.gradebook() as gradebook:
        found = gradebook.find_submission("hw", "ann")
        return found.score, found.late_submission_penalty


def test_lateness_costs_anew_what_it_costs_without_running_anything_again(late):
    run = gradebox(late, "autograde")
    assert run.returncode == 0 and re.search(r"ann.* 1.6 late −0.4", run.stdout), run.stdout + run.stderr
    assert costs(late) == (2, 0.4)
    copy = late.path("autograded", "hw", "ann") / "hw.ipynb"
    before = copy.stat().st_mtime_ns

    # A person gives points: the penalty is a share of them, too.
    read(late, "ann", "why", 3)
    run = gradebox(late, "autograde")
    assert "0 graded, 1 unchanged (1 with another penalty)." in run.stdout
    assert costs(late) == (5, 1) and waits(late, "ann") == set()

    # The instructor is kinder. Python takes a file of equal size and second for the one that it has compiled.
    (late.root / "late.py").write_text(PLUGIN.replace("SHARE", "0.05"))
    assert "(1 with another penalty)" in gradebox(late, "autograde").stdout
    assert costs(late) == (5, 0.25)

    # More time for all.
    due(late, "2026-11-23 12:00:00 UTC")
    run = gradebox(late, "autograde")
    assert "(1 with another penalty)" in run.stdout and "late" not in run.stdout
    assert costs(late) == (5, 0) and re.search(r"ann.* 5 ", run.stdout)

    # And less again.
    due(late, "2026-11-20 12:00:00 UTC")
    assert "(1 with another penalty)" in gradebox(late, "autograde").stdout
    assert costs(late) == (5, 0.25)
    assert "unchanged." in gradebox(late, "autograde").stdout
    assert copy.stat().st_mtime_ns == before


def test_what_is_late_without_a_penalty_is_marked_too(small):
    path = solves(small, "ann", double=RIGHT)
    (path.parent / "timestamp.txt").write_text("2026-11-22 12:00:00 UTC")
    due(small, "2026-11-21 12:00:00 UTC")
    assert re.search(r"ann.* 2 late ", gradebox(small, "autograde").stdout)


def test_a_plugin_that_fails_is_named_and_costs_nobody_a_grade(late):
    assert gradebox(late, "autograde").returncode == 0
    (late.root / "late.py").write_text(PLUGIN.replace("SHARE", "1 / 0"))
    run = gradebox(late, "autograde")
    assert run.returncode == 1 and "late penalty" in run.stdout and "ZeroDivisionError" in run.stdout
    assert costs(late) == (2, 0.4)


# What a grade depends on


def test_a_comment_in_the_settings_grades_nobody_again_and_a_value_does(small):
    solves(small, "ann", double=RIGHT)
    assert graded(small)["ann"].graded
    for line in (
        "# a comment",
        'c.ColabBadge.repository = "somebody/something"',
        "c.Execute.timeout = 10 * 3",
        "c.Execute.shutdown_kernel = 'graceful'",
        'c.Execute.isolation = "judge"',
        'c.NbGrader.log_level = "ERROR"',
    ):
        small = with_settings(small, line)
        assert not graded(small)["ann"].graded, line
    for line in (
        "c.Execute.timeout = 29",
        'c.Execute.preload = ["numpy", "json"]',
        "c.LimitOutput.max_lines = 9",
    ):
        small = with_settings(small, line)
        assert graded(small)["ann"].graded, line


def test_a_grade_depends_on_what_lies_beside_both_notebooks(small):
    solves(small, "ann", double=RIGHT)
    graded(small)
    for step in ("submitted", "source"):
        folder = small.path(step, "hw", "ann" if step == "submitted" else ".")
        (folder / "data.txt").write_text("1")
        assert graded(small)["ann"].graded
        assert not graded(small)["ann"].graded


def test_the_versions_of_numeric_libraries_are_among_the_rules(small, monkeypatch):
    before = serialize_course_inputs(small.app.config)
    monkeypatch.setattr("gradebox.autograde.fingerprint.metadata.version", lambda name: "0.0")
    assert serialize_course_inputs(small.app.config) != before


def test_both_ways_of_grading_write_the_same_fingerprint(small):
    solves(small, "ann", double=RIGHT)
    assert small.convert(Autograde, "hw", "ann") is None
    assert not graded(small)["ann"].graded


# What a person has read


@pytest.fixture
def two_points(small) -> Course:
    """A course in which a person has read all of ann's answers, and given a point for a test that failed."""
    solves(small, "ann", double=WRONG, why="because", essay="long and deep")
    graded(small)
    assert points_of_tests(small, "ann") == 0 and waits(small, "ann") == {"why", "essay"}
    for name, points in {"why": 2, "essay": 1, "double-test": 1}.items():
        read(small, "ann", name, points)
    return small


def points(course: Course, student: str = "ann") -> dict[str, float]:
    return {name: grade.score for name, grade in grades(course, student).items()}


READ = {"why": 2, "essay": 1, "double-test": 1}


@pytest.mark.parametrize("how", ["force", "settings", "command"])
def test_what_was_read_stays_read_while_its_text_is_the_same(two_points, how):
    course = two_points
    for _ in range(2):
        if how == "command":
            assert course.convert(Autograde, "hw", "ann") is None
        else:
            course = with_settings(course, "c.Execute.timeout = 17") if how == "settings" else course
            assert graded(course, force=how == "force")["ann"].graded or how == "settings"
        assert waits(course, "ann") == set() and points(course) == READ


def test_what_was_changed_is_to_be_read_again_and_keeps_its_points_until_then(two_points):
    solves(two_points, "ann", double=WRONG, why="because of that", essay="long and deep")
    graded(two_points)
    assert waits(two_points, "ann") == {"why"} and points(two_points) == READ
    solves(two_points, "ann", double=RIGHT, why="because of that", essay="long and deep")
    graded(two_points)
    # A person has given points for the test that failed, and it passes now.
    assert waits(two_points, "ann") == {"why", "double-test"}
    read(two_points, "ann", "why", 3)
    solves(two_points, "ann", double=RIGHT, why="because of that", essay="short")
    graded(two_points)
    assert waits(two_points, "ann") == {"essay", "double-test"}


def test_an_answer_that_nobody_has_read_waits_also_when_it_is_graded_again(small):
    solves(small, "ann", why="because", essay="deep")
    for force in (False, True):
        graded(small, force=force)
        assert waits(small, "ann") == {"why", "essay"}


# A lesson that changes


def changed(course: Course, cells: list, name: str = "hw") -> Course:
    """The course after its lesson was written anew, and released with the command."""
    write_notebook(course.root / "source" / "hw" / f"{name}.ipynb", cells)
    run = gradebox(course, "release")
    assert run.returncode == 0, run.stdout + run.stderr
    return Course(course.root)


def test_a_lesson_with_other_cells_is_released_again_and_what_was_read_stays(two_points):
    solution, test, *rest = small_lesson()
    more = [
        cell(
            "solution",
            "triple",
            "def triple(x):\n    ### BEGIN SOLUTION\n    return 3 * x\n    ### END SOLUTION",
        ),
        cell("test", "triple-test", "assert triple(1) == 3"),
    ]
    test.source += "\nassert double(4) == 8"
    course = changed(two_points, [solution, test, *more, *rest])
    ann = graded(course)["ann"]
    assert ann.graded and waits(course, "ann") == set()
    assert points(course) == READ | {"triple-test": 0}
    changes = {(incident.kind, incident.what, incident.cell) for incident in ann.incidents}
    assert changes == {
        ("earlier release", *change)
        for change in [("text changed", "double-test"), ("added", "triple"), ("added", "triple-test")]
    }
    # What is handed in from now on has the new cells.
    solves(course, "bea", double=RIGHT, triple="def triple(x):\n    return 3 * x")
    course = Course(course.root)
    assert graded(course)["bea"].incidents == ()
    assert points(course, "bea")["triple-test"] == points(course, "bea")["double-test"] == 2


def test_what_people_gave_for_a_cell_that_is_gone_is_kept_in_a_file(two_points):
    with two_points.gradebook() as gradebook:
        gradebook.find_comment("why", "hw", "hw", "ann").manual_comment = "=good, and short"
    solution, test, _question, answer, essay = small_lesson()
    course = changed(two_points, [solution, test, answer, essay])
    assert graded(course)["ann"].graded
    assert points(course) == {"essay": 1, "double-test": 1} and waits(course, "ann") == set()
    rows = (course.root / "removed_points.csv").read_text().splitlines()
    assert rows[1:] == ['"hw","hw","why","ann",2,', '"hw","hw","why","ann",,"\'=good, and short"']
    # And back again: the file is not lost, the question waits for a reader.
    course = changed(course, small_lesson())
    graded(course)
    assert (
        waits(course, "ann") == {"why"}
        and len((course.root / "removed_points.csv").read_text().splitlines()) == 3
    )


def test_a_notebook_can_come_into_an_assignment_and_leave_it(two_points):
    course = changed(two_points, small_lesson(), name="more")
    outcome = graded(course)["ann"]
    assert outcome.graded and "more.ipynb was not handed in" in outcome.incidents[0].what
    assert points(course) == READ
    (course.root / "source" / "hw" / "more.ipynb").unlink()
    assert gradebox(course, "release").returncode == 0
    assert graded(Course(course.root))["ann"].graded and points(course) == READ


def test_a_lesson_that_can_not_be_released_changes_neither_the_release_nor_the_gradebook(two_points):
    before = (two_points.path("release", "hw") / "hw.ipynb").read_bytes()
    broken = [small_lesson()[0], cell("solution", "open", "def f():\n    ### BEGIN SOLUTION\n    return 1")]
    write_notebook(two_points.root / "source" / "hw" / "hw.ipynb", broken)
    run = gradebox(two_points, "release")
    assert run.returncode == 1 and "hw can't be released" in run.stderr
    assert (two_points.path("release", "hw") / "hw.ipynb").read_bytes() == before
    assert points(two_points) == READ


def test_what_was_graded_before_texts_were_kept_stays_read(two_points):
    with two_points.gradebook() as gradebook:
        gradebook.db.execute(text("DROP TABLE gradebox_text"))
    graded(two_points, force=True)
    assert waits(two_points, "ann") == set() and points(two_points) == READ


def test_a_graded_copy_takes_the_place_of_an_earlier_one_whole(small):
    path = solves(small, "ann", double=RIGHT)
    (path.parent / "old.txt").write_text("old")
    graded(small)
    (path.parent / "old.txt").unlink()
    solves(small, "ann", double=WRONG)
    assert graded(small)["ann"].graded
    copy = small.path("autograded", "hw", "ann")
    assert [file.name for file in copy.iterdir()] == ["hw.ipynb"]
    assert [folder.name for folder in copy.parent.iterdir()] == ["hw"]

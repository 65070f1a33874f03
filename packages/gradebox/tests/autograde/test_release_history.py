"""Changes by a later release are not called repairs; changes by a student still are reported."""

import json
from copy import deepcopy

import nbformat
import pytest
from helpers import cell, gradebox, notebook, position, run_in, small_lesson, solves, write_notebook
from nbformat.v4 import new_markdown_cell
from nbgrader.converters import Autograde, GenerateAssignment

from gradebox.autograde.discover_submissions import find_submissions
from gradebox.autograde.grade_submissions import GradingOutcome, autograde_submissions
from gradebox.autograde.incidents import EARLIER_RELEASE
from gradebox.autograde.release_history import HISTORY_FILE, read_release_histories
from gradebox.course import Course
from gradebox.notebook_metadata import read_missing_answers, read_repairs
from gradebox.release.release_lessons import write_student_version

RIGHT = "def double(x):\n    return x + x"
WRONG = "def double(x):\n    return x * x"
TRIPLE = "def triple(x):\n    ### BEGIN SOLUTION\n    return 3 * x\n    ### END SOLUTION"


def lesson(*changes) -> list:
    """The cells of the small lesson, with a locked text and a text that is not, after changes."""
    cells = [
        new_markdown_cell("## 1.1 Doubles"),
        cell("given", "rules", "Write your own code. Do not copy a line of code from anybody."),
        *small_lesson(),
        new_markdown_cell("In the next lesson, you will meet the triples, and after them the quadruples."),
    ]
    cells[1] = new_markdown_cell(cells[1].source, metadata=cells[1].metadata)
    for change in changes:
        change(cells)
    return cells


def find(cells: list, name: str) -> int:
    return position(nbformat.v4.new_notebook(cells=cells), name)


def more_points(cells):
    cells[find(cells, "double-test")].metadata.nbgrader["points"] = 4


def other_test(cells):
    cells[find(cells, "double-test")].source += "\nassert double(5) == 10"


def shorter_rules(cells):
    cells[find(cells, "rules")].source = "Write your own code."


def shorter_text(cells):
    cells[-1].source = "In the next lesson, you will meet the triples."


def other_text(cells):
    cells[-1].source = "That was all."


def other_placeholder(cells):
    text = "*Five sentences:*\n### BEGIN SOLUTION\nMy thoughts\n### END SOLUTION"
    cells[find(cells, "essay")].source = text


def added_exercise(cells):
    where = find(cells, "why")
    cells[where:where] = [
        cell("solution", "triple", TRIPLE),
        cell("test", "triple-test", "assert triple(1) == 3"),
        cell("essay", "second-essay", "More thoughts"),
    ]


def removed_test(cells):
    del cells[find(cells, "double-test")]


def removed_rules(cells):
    del cells[find(cells, "rules")]


def renamed_essay(cells):
    cells[find(cells, "essay")].metadata.nbgrader["grade_id"] = "thoughts"


def release(course: Course, *changes) -> Course:
    """The course after the lesson was released with changes."""
    write_notebook(course.root / "source" / "hw" / "hw.ipynb", lesson(*changes))
    course = Course(course.root)
    write_student_version(course, "hw")
    return course


def graded(course: Course, **options) -> dict[str, GradingOutcome]:
    submissions = list(find_submissions(course, ["hw"], course.roster))
    return {one.submission.student: one for one in autograde_submissions(course, submissions, **options)}


def points(course: Course, student: str) -> dict[str, float | None]:
    with course.gradebook() as book:
        return {one.name: one.auto_score for one in book.find_submission_notebook("hw", "hw", student).grades}


def changes_of(outcome: GradingOutcome) -> set[tuple[str, str | None]]:
    """What a later release has changed, for a submission without any other incident."""
    assert {one.kind for one in outcome.incidents} <= {EARLIER_RELEASE}, outcome.incidents
    return {(one.what, one.cell) for one in outcome.incidents}


@pytest.fixture
def released(small) -> Course:
    """A course with the lesson released, and handed in by ann."""
    course = release(small)
    solves(course, "ann", double=RIGHT, why="because", essay="deep")
    return course


CHANGES = {
    "points": ([more_points], {("points changed", "double-test")}, 4),
    "test": ([other_test], {("text changed", "double-test")}, 2),
    "locked text": ([shorter_rules], {("text changed", "rules")}, 2),
    "text": ([shorter_text], set(), 2),
    "other text": ([other_text], set(), 2),
    "placeholder": ([other_placeholder], set(), 2),
    "exercise added": (
        [added_exercise],
        {("added", name) for name in ("triple", "triple-test", "second-essay")},
        2,
    ),
    "locked text removed": ([removed_rules], {("removed", "rules")}, 2),
    "question renamed": ([renamed_essay], {("removed", "essay"), ("added", "thoughts")}, 2),
    "all at once": (
        [more_points, other_test, shorter_rules, added_exercise, shorter_text],
        {
            *(("points changed", "double-test"), ("text changed", "double-test"), ("text changed", "rules")),
            *(("added", name) for name in ("triple", "triple-test", "second-essay")),
        },
        4,
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_by_the_course_is_no_repair(released, change):
    done, expected, earned = CHANGES[change]
    course = release(released, *done)
    ann = graded(course)["ann"]
    assert changes_of(ann) == expected
    copy = notebook("autograded", "hw", course.root, "ann")
    assert read_repairs(copy) == read_missing_answers(copy) == []
    assert points(course, "ann")["double-test"] == earned
    # The run after this one reports the same, without grading again.
    again = graded(course)["ann"]
    assert not again.graded and again.incidents == ann.incidents
    assert gradebox(course, "feedback").returncode == 0
    page = (course.root / "feedback" / "ann" / "hw" / "hw.html").read_text()
    assert "Restored" not in page and "missing" not in page and "Your cell" not in page
    assert page.count("Your answer") == 3 + ("exercise added" in change or "all" in change)


def test_a_removed_test_gives_no_points_and_is_not_the_students_cell(released):
    course = release(released, removed_test)
    assert changes_of(graded(course)["ann"]) == {("removed", "double-test")}
    assert points(course, "ann").keys() == {"why", "essay"}
    assert gradebox(course, "feedback").returncode == 0
    page = (course.root / "feedback" / "ann" / "hw" / "hw.html").read_text()
    assert "Your cell" not in page


def test_an_untouched_answer_of_an_earlier_release_waits_for_nobody(released):
    solves(released, "ben", double=RIGHT)
    course = release(released, other_placeholder)
    assert changes_of(graded(course)["ben"]) == set()
    assert points(course, "ben")["essay"] == 0
    with course.gradebook() as book:
        assert not book.find_grade("essay", "hw", "hw", "ben").needs_manual_grade


def test_the_class_is_told_once(released):
    for student in ("ben", "cleo"):
        solves(released, student, double=RIGHT, why="so", essay="short")
    course = release(released, more_points, added_exercise)
    solves(course, "dan", double=RIGHT, triple="def triple(x):\n    return 3 * x", why="so", essay="long")
    said = run_in(course.root, "gradebox", "autograde")
    (line,) = [line for line in " ".join(said.split()).split("hw: ") if "earlier release" in line]
    assert line.startswith(
        "3 submissions are of an earlier release (since then: points of double-test changed; "
        "triple, triple-test, second-essay added)."
    )
    assert "incidents" not in said and "repaired" not in said
    kept = json.loads((course.root / "incidents.json").read_text())
    assert {(one["student"], one["kind"]) for one in kept} == {
        (student, EARLIER_RELEASE) for student in ("ann", "ben", "cleo")
    }


def test_a_release_prints_the_points_that_changed_and_the_grades_that_are_out_of_date(released):
    run_in(released.root, "gradebox", "release", "--no-check")
    assert graded(released)["ann"].graded
    solves(released, "ben", double=RIGHT)
    source = released.root / "source" / "hw" / "hw.ipynb"
    unchanged = run_in(released.root, "gradebox", "release", "--no-check", "--force")
    assert "→" not in unchanged and "out of date" not in unchanged
    write_notebook(source, lesson(more_points, added_exercise, renamed_essay))
    said = run_in(released.root, "gradebox", "release", "--no-check").splitlines()
    where = said.index("hw released") + 1
    assert sorted(said[where : where + 5]) == [
        "1.1 double-test: 2 → 4 points",
        "1.1 essay: removed, 1 point",
        "1.1 second-essay: new, 1 point",
        "1.1 thoughts: new, 1 point",
        "1.1 triple-test: new, 2 points",
    ]
    assert "hw: 1 graded, but out of date: `gradebox grade hw`" in said


def forge(course: Course, student: str, **settings) -> None:
    """Hand in a wrong answer in the notebook of the current release, with other settings of its test."""
    path = solves(course, student, double=WRONG, why="because", essay="deep")
    nb = nbformat.read(path, as_version=4)
    nb.cells[position(nb, "double-test")].metadata.nbgrader.update(settings)
    nbformat.write(nb, path)


def test_a_student_who_changes_settings_is_reported_and_wins_nothing(released):
    course = release(released, more_points)
    forge(course, "eve", points=100)
    forge(course, "mallory", points=2, solution=True, locked=False)
    # The points of the earlier release: nobody can tell who has changed them, and they count for nothing.
    forge(course, "trudy", points=2)
    outcomes = graded(course)
    for student, names in (("eve", "points"), ("mallory", "locked, points, solution")):
        (repair,) = outcomes[student].incidents
        assert repair.kind == "repaired" and f"({names})" in repair.what
    assert changes_of(outcomes["trudy"]) == {("points changed", "double-test")}
    for student in ("eve", "mallory", "trudy"):
        assert points(course, student)["double-test"] == 0
        copy = notebook("autograded", "hw", course.root, student)
        test = copy.cells[position(copy, "double-test")]
        assert test.metadata.nbgrader.points == 4 and test.metadata.nbgrader.locked
    assert changes_of(outcomes["ann"]) == {("points changed", "double-test")}


def test_a_cell_that_the_students_own_release_had_is_missing(released):
    course = release(released, other_test, added_exercise)
    path = course.path("submitted", "hw", "ann") / "hw.ipynb"
    nb = nbformat.read(path, as_version=4)
    del nb.cells[position(nb, "double-test")]
    nbformat.write(nb, path)
    ann = graded(course)["ann"]
    repairs = [one.what for one in ann.incidents if one.kind != EARLIER_RELEASE]
    assert repairs == ["double-test was missing and has been put back"]
    assert points(course, "ann") == {
        **{"double-test": 2, "triple-test": 0},
        **dict.fromkeys(["why", "essay", "second-essay"], None),
    }


def test_tests_that_are_emptied_or_deleted_win_nothing(released):
    """The text of an earlier release has no more effect than any other text in a test."""
    first = notebook("release", "hw", released.root)
    course = release(released, other_test)
    path = solves(course, "eve", double="def double(x):\n    return {2: 4, 3: 6}[x]", why="so", essay="so")
    nb = nbformat.read(path, as_version=4)
    nb.cells[position(nb, "double-test")] = deepcopy(first.cells[position(first, "double-test")])
    nbformat.write(nb, path)
    assert changes_of(graded(course)["eve"]) == {("text changed", "double-test")}
    assert points(course, "eve")["double-test"] == 0


def test_nbgraders_own_commands_keep_and_read_the_history(small):
    write_notebook(small.root / "source" / "hw" / "hw.ipynb", lesson())
    assert small.convert(GenerateAssignment, "hw") is None
    solves(small, "ann", double=RIGHT, why="because", essay="deep")
    write_notebook(small.root / "source" / "hw" / "hw.ipynb", lesson(more_points, shorter_rules))
    assert small.convert(GenerateAssignment, "hw") is None
    assert small.convert(Autograde, "hw", "ann") is None
    copy = notebook("autograded", "hw", small.root, "ann")
    assert read_repairs(copy) == [] and points(small, "ann")["double-test"] == 4


def test_only_new_and_changed_cells_are_added_to_the_file(released):
    path = released.root / HISTORY_FILE
    first = path.read_text().splitlines()
    release(released)
    assert path.read_text().splitlines() == first
    release(released, more_points, removed_rules)
    release(released)
    *before, last = path.read_text().splitlines()
    assert before == first
    entry = json.loads(last)
    assert entry["cells"].keys() == {"double-test", "rules"} and entry["texts"] == []
    assert entry["cells"]["double-test"]["settings"]["points"] == 4 and entry["cells"]["rules"] is None
    *_, now = read_release_histories(released.root, "hw")["hw"].releases
    assert now.keys() == {"double", "double-test", "why", "essay"}


def test_a_release_from_before_the_history_is_known_from_its_files(released):
    (released.root / HISTORY_FILE).unlink()
    course = release(released, more_points)
    assert changes_of(graded(course)["ann"]) == {("points changed", "double-test")}


def test_a_release_with_a_merge_conflict_is_replaced(released):
    (released.path("release", "hw") / "hw.ipynb").write_text("<<<<<<< HEAD")
    course = release(released, more_points)
    assert changes_of(graded(course)["ann"]) == {("points changed", "double-test")}


def test_without_a_history_a_difference_is_a_repair(released):
    course = release(released, more_points)
    (course.root / HISTORY_FILE).unlink()
    (repair,) = graded(course)["ann"].incidents
    assert repair.kind == "repaired" and "(points)" in repair.what


def test_a_damaged_history_is_named_with_its_line(released):
    path = released.root / HISTORY_FILE
    count = len(path.read_text().splitlines())
    path.write_text(path.read_text() + "<<<<<<< HEAD\n")
    ann = graded(Course(released.root))["ann"]
    assert f"{HISTORY_FILE}, line {count + 1}, is not a release" in ann.problem
    run = gradebox(released, "release", "--force")
    assert run.returncode == 1 and f"line {count + 1}" in run.stderr

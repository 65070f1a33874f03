"""Messages are made of answers: a mistake is written once, with its advice, and named wherever it is made."""

import json
import re
import shutil
import sys
import zlib
from base64 import b85encode
from copy import deepcopy
from pathlib import Path

import pytest
from helpers import SAMPLE, cell, gradebox, hand_in, notebook, pair_lessons, score_cells
from nbformat.notebooknode import NotebookNode
from nbgrader.converters import Autograde

from gradebox.audit.audit_results import NAMED
from gradebox.audit.run_audit import run_audit
from gradebox.autograde.discover_submissions import find_submissions
from gradebox.autograde.grade_submissions import autograde_submissions
from gradebox.checks_cell import expand_checks_cell, remove_expected_results, unpack_code
from gradebox.course import Course, CourseError
from gradebox.notebook_exercises import CHECKS_CELL_ID, find_grade_id, insert_answers, parse_checks_table
from gradebox.notebook_metadata import find_last_error, read_advice_name
from gradebox.release import generate_checks_cell
from gradebox.release.generate_checks_cell import PLACEHOLDER, update_checks
from gradebox.release.jupytext_sync import sync_lesson_text
from gradebox.release.release_lessons import write_student_version

LESSON = "09_shifts"
PLAIN = '"schema_version": 3, "task": false'
GIVEN = f'"grade": false, "locked": true, "solution": false, {PLAIN}'
EXERCISE = f'"grade": false, "locked": false, "solution": true, {PLAIN}'
TEST = f'"grade": true, "locked": true, "points": 2, "solution": false, {PLAIN}'
TEXT = f"""\
# %% [markdown]
# # Shifts

# %% nbgrader={{"grade_id": "imports", {GIVEN}}}
import numpy as np

# %% nbgrader={{"grade_id": "messages", {GIVEN}}}
{PLACEHOLDER}

# %% nbgrader={{"grade_id": "shift", {EXERCISE}}}
def shift(rows, by):
    ### BEGIN SOLUTION
    return rows + by
    ### END SOLUTION

# %% nbgrader={{"grade_id": "shift-test", {TEST}}}
returns("shift", rows="row column")
check("shift", "by two", shift, example, 2)
check("shift", "by nothing", shift, np.ones((1, 2)), 0)
assert np.asarray(shift(np.ones(1), 1)).dtype == float, "these are no floats"
### BEGIN HIDDEN TESTS
assert np.allclose(shift(np.arange(3.0), 5), [5, 6, 7]), "other rows"
### END HIDDEN TESTS

# %% nbgrader={{"grade_id": "twice", {EXERCISE}}}
def twice(rows):
    ### BEGIN SOLUTION
    return shift(shift(rows, 1), 1)
    ### END SOLUTION

# %% nbgrader={{"grade_id": "twice-test", {TEST}}}
returns("twice", rows="row column")
check("twice", "ones", twice, np.ones((2, 2)))
"""
HELPERS = "example = np.array([[1.0, 2, 3], [4, 5, 6]])"
ANSWERS = """\
# %% right: a loop
def shift(rows, by):
    return [[number + by for number in row] if np.ndim(row) else row + by for row in rows.tolist()]

# %% wrong: the other way advice="add `by`: what came back has it subtracted"
# was:     return rows + by
# becomes: return rows - by

# %% wrong: nothing done advice="what came back is what was given: add `by` to it"
# was:     return rows + by
# becomes: return rows

# %% wrong: once more advice="add `by` once" fails=["shift-test", "twice-test"]
# was:     return rows + by
# becomes: return rows + 2 * by
"""
RIGHT, MORE = (
    "rows + by",
    "# %% wrong: more advice={advice}\n# was:     return rows + by\n# becomes: return {made}\n",
)


def lesson(root: Path, text: str = TEXT, answers: str = ANSWERS) -> Course:
    """A course with one lesson whose tests call `check`."""
    root.mkdir(exist_ok=True)
    shutil.copy(SAMPLE / "nbgrader_config.py", root)
    (root / "lessons").mkdir()
    (root / "lessons" / f"{LESSON}.py").write_text(text)
    (root / "answers" / LESSON).mkdir(parents=True)
    (root / "answers" / LESSON / "shift.py").write_text(answers)
    (root / "answers" / LESSON / "checks.py").write_text(HELPERS)
    course = Course(root)
    pair_lessons(course)
    return course


def checks(course: Course, step: str = "source") -> str:
    """The lesson's checks cell."""
    return next(
        cell.source
        for cell in notebook(step, LESSON, course.root).cells
        if find_grade_id(cell) == CHECKS_CELL_ID
    )


def table(course: Course) -> dict:
    """What the lesson's checks cell knows."""
    return parse_checks_table(checks(course))


def problems(root: Path, **changed: str) -> str:
    with pytest.raises(CourseError) as refused:
        update_checks(lesson(root, **changed), LESSON)
    assert "messages can't be generated" in str(refused.value)
    return str(refused.value)


def test_the_table_has_what_is_right_and_what_each_mistake_gives(tmp_path):
    course = lesson(tmp_path)
    assert update_checks(course, LESSON) == [
        f"answers/{LESSON}/messages.json",
        f"source/{LESSON}/shifts.ipynb",
    ]
    shift = table(course)["shift"]
    assert shift["advice"] == {
        "the other way": "add `by`: what came back has it subtracted",
        "nothing done": "what came back is what was given: add `by` to it",
        "once more": "add `by` once",
    }
    names, right, mistakes = shift["calls"]["by two"]
    assert names == ["rows", "by"]
    assert right == [[[3, 4, 5], [6, 7, 8]]]
    assert [name for name, _ in mistakes] == list(shift["advice"])
    assert [len(sums) for _, sums in mistakes] == [2, 2, 2]
    assert shift["defines"] == ["shift"]
    assert shift["calls"]["by nothing"] == [["rows", "by"], [[[1, 1]]], []]
    assert table(course)["twice"]["calls"] == {"ones": [["rows"], [[[3, 3], [3, 3]]], []]}


def test_the_table_forgets_an_exercise_that_was_removed(tmp_path):
    course = lesson(tmp_path)
    update_checks(course, LESSON)
    assert set(table(course)) == {"shift", "twice"}
    text = tmp_path / "lessons" / f"{LESSON}.py"
    text.write_text(TEXT[: TEXT.index('# %% nbgrader={"grade_id": "twice"')])
    answers = tmp_path / "answers" / LESSON / "shift.py"
    answers.write_text(ANSWERS.replace(', "twice-test"', ""))
    course = Course(tmp_path)
    pair_lessons(course)
    update_checks(course, LESSON)
    assert set(json.loads((tmp_path / "answers" / LESSON / "messages.json").read_text())) == {"shift"}
    assert set(table(course)) == {"shift"}


def test_the_cell_is_short_and_holds_no_source_of_an_answer(tmp_path):
    course = lesson(tmp_path)
    update_checks(course, LESSON)
    cell = checks(course)
    assert len(cell.splitlines()) <= 20 and cell.endswith("\nreturns, check, show_points, example = checks")
    text = expand_checks_cell(cell)
    assert "def check(" in text and HELPERS in text
    assert "rows + by" not in text and "for number in row" not in text


def test_a_cell_that_another_zlib_has_compressed_stays(tmp_path):
    course = lesson(tmp_path)
    update_checks(course, LESSON)
    path = course.root / "source" / LESSON / "shifts.ipynb"
    literal = b85encode(zlib.compress(unpack_code(checks(course)).encode(), 1)).decode()
    other = re.sub(
        r'(b85decode\(\\")[^"]+(\\")', lambda found: found[1] + literal + found[2], path.read_text()
    )
    assert other != path.read_text()
    path.write_text(other)
    assert pair_lessons(course) == [] and update_checks(course, LESSON) == []
    assert path.read_text() == other


def test_printing_the_text_shows_the_code(tmp_path, capsys):
    course = lesson(tmp_path)
    update_checks(course, LESSON)
    found: dict = {"__name__": "__main__"}
    exec("import numpy as np\n" + checks(course) + "\nprint(checks_text)", found)
    assert capsys.readouterr().out.strip() == unpack_code(checks(course)).strip()
    assert found["example"].tolist() == [[1, 2, 3], [4, 5, 6]]


def test_a_students_process_gets_the_helpers_without_the_results(tmp_path):
    course = lesson(tmp_path)
    update_checks(course, LESSON)
    found: dict = {"__name__": "__main__"}
    exec("import numpy as np\n" + remove_expected_results(checks(course)), found)
    found["returns"]("shift", rows="row column")
    found["check"]("shift", "by two", lambda rows, by: "wrong", found["example"], 2)
    assert found["example"].tolist() == [[1, 2, 3], [4, 5, 6]]
    assert "MESSAGES" not in found and "make_checks" not in found
    assert remove_expected_results("check = 1") == "check = 1"


def test_code_in_the_placeholder_cell_is_not_lost(tmp_path):
    text = TEXT.replace(PLACEHOLDER, "def my_helper():\n    return 1")
    with pytest.raises(CourseError, match="move its code to answers/09_shifts/checks.py"):
        lesson(tmp_path, text=text)


def test_a_notebook_that_was_edited_is_copied_to_its_text_without_the_checks(tmp_path):
    course = lesson(tmp_path)
    update_checks(course, LESSON)
    path = course.root / "source" / LESSON / "shifts.ipynb"
    path.write_text(path.read_text().replace("# Shifts", "# Shifted rows"))
    assert sync_lesson_text(course, LESSON) == course.root / "lessons" / f"{LESSON}.py"
    text = (course.root / "lessons" / f"{LESSON}.py").read_text()
    assert "# # Shifted rows" in text and PLACEHOLDER in text and "checks_text" not in text
    # Only the id of the edited cell is new.
    assert len(pair_lessons(course)) == 1 and "# Shifted rows" in path.read_text()


def test_an_argument_without_a_name_is_refused(tmp_path):
    text = TEXT.replace("shift, np.ones((1, 2)), 0)", "lambda *all: shift(*all), np.ones((1, 2)), 0)")
    assert "in 'by nothing', not every argument has a name" in problems(tmp_path, text=text)


def test_the_cell_needs_numpy_alone():
    imported = re.findall(
        r"^ *(?:import|from) (\w+)", generate_checks_cell.build_check_runtime(), re.MULTILINE
    )
    assert "numpy" in imported and {*imported} <= {"numpy"} | sys.stdlib_module_names


def test_it_is_made_again_only_if_an_answer_or_a_cell_before_has_changed(tmp_path, monkeypatch):
    course = lesson(tmp_path)
    update_checks(course, LESSON)
    pair_lessons(course)
    tried, run = list[str](), generate_checks_cell.run_answers

    def noted(lesson, tasks, preload):
        tried.extend(task.exercise for task in tasks)
        return run(lesson, tasks, preload)

    monkeypatch.setattr(generate_checks_cell, "run_answers", noted)
    assert update_checks(course, LESSON) == [] and not tried
    path = course.root / "lessons" / f"{LESSON}.py"
    path.write_text(
        path.read_text().replace("np.ones((2, 2))", "np.ones((3, 2))").replace("other rows", "more rows")
    )
    pair_lessons(course)
    assert update_checks(course, LESSON) and set(tried) == {"twice"}
    answers = course.root / "answers" / LESSON / "shift.py"
    answers.write_text(answers.read_text().replace('once"', 'one time only"'))
    pair_lessons(course)
    assert update_checks(course, LESSON) and set(tried) == {"twice", "shift"}
    assert table(course)["shift"]["advice"]["once more"] == "add `by` one time only"


def test_a_right_answer_that_is_refused_is_named(tmp_path):
    refused = "# %% right: too much\n# was:     return rows + by\n# becomes: return rows + by + 1\n"
    assert "shift, 'too much' is right, but fails: by two" in problems(tmp_path, answers=ANSWERS + refused)


def test_two_mistakes_with_one_result_need_one_advice(tmp_path):
    same = MORE.format(advice='"something else"', made="rows + by + by")
    said = problems(tmp_path, answers=ANSWERS + same)
    assert "shift, 'more' has the same result as 'once more' in 'by two'" in said


def test_two_mistakes_with_one_result_may_have_one_advice(tmp_path):
    course = lesson(tmp_path, answers=ANSWERS + MORE.format(advice='"add `by` once"', made="rows + by + by"))
    update_checks(course, LESSON)
    assert set(table(course)["shift"]["advice"]) == {"the other way", "nothing done", "once more"}


def test_a_mistake_without_advice_is_named(tmp_path):
    lacking = '# %% wrong: more says="other"\n# was:     return rows + by\n# becomes: return rows + 7\n'
    assert "shift, 'more' needs advice" in problems(tmp_path, answers=ANSWERS + lacking)


def test_a_mistake_that_no_visible_call_sees_says_why(tmp_path):
    hidden = MORE.format(advice='"" says="other rows"', made="rows + (by if by != 5 else 0)")
    assert "shift, 'more' is caught by no visible call" in problems(tmp_path / "a", answers=ANSWERS + hidden)
    why = hidden.replace('rows"', 'rows" visible=false unseen="no small number shows it"')
    update_checks(lesson(tmp_path / "b", answers=ANSWERS + why), LESSON)


def test_a_reference_that_fails_its_own_visible_test_is_named(tmp_path):
    said = problems(tmp_path, text=TEXT.replace("dtype == float", "dtype == int"))
    assert "shift, 'reference' fails its own visible test: AssertionError: these are no floats" in said


def test_a_call_that_the_reference_fails_and_another_answer_passes(tmp_path):
    text = TEXT.replace("np.ones((1, 2)), 0)", "np.ones((1, 2)) / [0][shift(0, 1)], 0)")
    assert "'reference' fails its own visible test: IndexError" in problems(tmp_path, text=text)


def test_a_visible_part_that_is_no_python_is_named(tmp_path):
    text = TEXT.replace("### BEGIN HIDDEN", "with np.errstate():\n### BEGIN HIDDEN")
    with pytest.raises(CourseError, match="shift-test: the visible part is not valid Python"):
        update_checks(lesson(tmp_path, text=text), LESSON)


def test_two_calls_of_one_name_are_named(tmp_path):
    assert "two calls have the same name" in problems(tmp_path, text=TEXT.replace("by nothing", "by two"))


def edited(checks: NotebookNode) -> list[NotebookNode]:
    """The cell with functions in it that accept everything."""
    return [cell("given", CHECKS_CELL_ID, "def check(*given, **named):\n    pass\n\n\nreturns = check")]


def of_an_earlier_release(checks: NotebookNode) -> list[NotebookNode]:
    """The cell as it was when it held its code in plain sight, and helpers in cells of their own."""
    helper = "def check_numbers(got, expected):\n    pass\n\n\nexample = 'of an earlier release'"
    return [cell("given", CHECKS_CELL_ID, unpack_code(checks.source)), cell("given", "check-numbers", helper)]


# What students may have done to the checks cell, by the name of the student.
CHECKS_CHANGED = {"deleted": lambda checks: [], "edited": edited, "earlier": of_an_earlier_release}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The lesson's course, with hand-ins that were graded, and their pages."""
    course = lesson(tmp_path_factory.mktemp("course"))
    update_checks(course, LESSON)
    pair_lessons(course)
    write_student_version(course, LESSON)
    nb = notebook("release", LESSON, course.root)
    reference = {"shift": "def shift(rows, by):\n    return rows + by"}
    twice = "def twice(rows):\n    return shift(shift(rows, 1), 1)"
    for student, shift in {
        "right": reference["shift"],
        "known": "def shift(rows, by):\n    return rows - by",
        "unknown": "def shift(rows, by):\n    return 3 * (rows + by)",
        "raises": "def shift(rows, by):\n    return rows @ rows",
    }.items():
        hand_in(course, LESSON, student, insert_answers(deepcopy(nb), {"shift": shift, "twice": twice}))
    for student, change in CHECKS_CHANGED.items():
        other = insert_answers(
            deepcopy(nb), {"shift": "def shift(rows, by):\n    return rows - by", "twice": twice}
        )
        other.cells = [
            new
            for one in other.cells
            for new in (change(one) if find_grade_id(one) == CHECKS_CELL_ID else [one])
        ]
        hand_in(course, LESSON, student, other)
    outcomes = autograde_submissions(course, list(find_submissions(course, [LESSON], course.students)))
    assert [one.problem for one in outcomes if one.problem] == []
    done = gradebox(course, "feedback")
    assert done.returncode == 0, done.stdout + done.stderr
    return course


def test_a_failed_test_says_and_records_which_mistake_it_was(graded):
    def of(student: str):
        cell = score_cells(notebook("autograded", LESSON, graded.root, student))["shift-test"]
        return read_advice_name(cell), find_last_error(cell)

    assert of("right") == (None, None)
    name, error = of("known")
    assert name == "the other way" and error.ename == "AssertionError"
    assert error.evalue.splitlines()[-1] == "add `by`: what came back has it subtracted"
    name, error = of("unknown")
    assert name is None and error.evalue.splitlines()[-1] == "every number is 3 times what it should be"
    name, error = of("raises")
    assert name is None and "with the sizes rows (2, 3)" in error.evalue
    assert "in line 2 of shift: return rows @ rows" in error.evalue


@pytest.mark.parametrize("student", CHECKS_CHANGED)
def test_a_checks_cell_that_was_changed_or_is_of_an_earlier_release_is_restored(graded, student):
    assert scores(graded, student) == scores(graded, "known")
    cells = score_cells(notebook("autograded", LESSON, graded.root, student))
    assert read_advice_name(cells["shift-test"]) == "the other way"


def test_a_page_shows_advice_and_nothing_that_a_students_error_says(graded):
    def page(student: str) -> str:
        return (graded.root / "feedback" / student / LESSON / "shifts.html").read_text()

    assert "what came back has it subtracted" in page("known")
    # The checks cell is left out.
    assert "b85decode" not in page("known") and "Checks for the tests" not in page("known")
    assert "Your code stopped with" in page("raises") and "core dimension" not in page("raises")


def test_the_audit_counts_what_is_told_and_finds_what_is_said_otherwise(graded):
    course = Course(graded.root)
    (one,) = run_audit(course, [LESSON], exercise="shift", mutants=False)
    assert one.exercises["shift"].told == {NAMED: 3}
    answers = course.root / "answers" / LESSON / "shift.py"
    text = answers.read_text()
    try:
        answers.write_text(text.replace("add `by` once", "add it once"))
        (one,) = run_audit(course, [LESSON], exercise="shift", mutants=False)
    finally:
        answers.write_text(text)
    said = next(found.what for found in one.findings if found.answer == "once more")
    assert said == "the advice is 'add `by` once', not 'add it once'"


def test_stock_nbgrader_gives_the_same_scores(graded, tmp_path):
    shutil.copytree(
        graded.root, tmp_path / "stock", ignore=shutil.ignore_patterns("autograded", "gradebook.db")
    )
    (tmp_path / "stock" / "nbgrader_config.py").write_text(
        "c = get_config()\nc.CourseDirectory.course_id = 'stock'\n"
    )
    course = Course(tmp_path / "stock")
    write_student_version(course, LESSON)
    for student in ("right", "known", "unknown", "raises"):
        assert course.convert(Autograde, LESSON, student) is None
        # Twice would need a second chance, which stock nbgrader does not give.
        assert scores(course, student)["shift-test"] == scores(graded, student)["shift-test"]


def scores(course: Course, student: str) -> dict[str, float]:
    with course.gradebook() as gradebook:
        grades = gradebook.find_submission_notebook("shifts", LESSON, student).grades
        return {grade.name: grade.auto_score for grade in grades}

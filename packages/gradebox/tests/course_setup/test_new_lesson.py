"""`gradebox new` starts a lesson that works as it is, and docs/authoring.md begins with one that does."""

import re
from pathlib import Path

import pytest
from helpers import PROJECT, grade_id, gradebox, hand_in, notebook, quickstart, run_in

from gradebox.course import Course
from gradebox.notebook_exercises import extract_reference_solutions, insert_answers
from gradebox.release.read_answers_folder import Answer, read_answers

PAGE = PROJECT / "docs" / "authoring.md"


@pytest.fixture
def root(tmp_path) -> Path:
    """The course of nbgrader's quickstart, after `gradebox init`."""
    place = quickstart(tmp_path)
    run_in(place, "gradebox", "init", "--no-check")
    return place


def hand_in_answers(root: Path, lesson: str) -> dict[str, Answer]:
    """Hand in the solutions as `solved`, and one notebook for each wrong answer. Returns these by student."""
    source, released = notebook("source", lesson, root), notebook("release", lesson, root)
    solutions, course = extract_reference_solutions(source), Course(root)
    hand_in(course, lesson, "solved", insert_answers(released, solutions))
    known = [one for one in read_answers(root / "answers" / lesson, source) if not (one.right or one.prose)]
    wrong = {f"wrong-{number}": one for number, one in enumerate(known)}
    for student, one in wrong.items():
        hand_in(course, lesson, student, insert_answers(released, {**solutions, one.exercise: one.source}))
    return wrong


def scores_of(root: Path, lesson: str, student: str) -> dict[str, tuple[float, str]]:
    """The points of a student's tests in the gradebook, and their error messages, by grade_id."""
    (name,) = Course(root).notebooks(lesson)
    with Course(root).gradebook() as gradebook:
        grades = gradebook.find_submission_notebook(name, lesson, student).grades
        points = {grade.name: grade.auto_score for grade in grades}
    messages = {}
    for cell in notebook("autograded", lesson, root, student).cells:
        errors = [one.evalue for one in cell.get("outputs", ()) if one.output_type == "error"]
        messages[grade_id(cell)] = "\n".join(errors)
    return {test: (score, messages[test]) for test, score in points.items() if test.endswith("-test")}


def check_lesson(root: Path, lesson: str, points: float) -> dict[str, str]:
    """Release, grade and audit a lesson. Returns the messages for its wrong answers, by title."""
    said = run_in(root, "gradebox", "release", lesson)
    assert f"{lesson} released" in said and "warning:" not in said
    wrong = hand_in_answers(root, lesson)
    run_in(root, "gradebox", "autograde", lesson)
    solved = scores_of(root, lesson, "solved")
    assert sum(score for score, _ in solved.values()) == points and not any(
        text for _, text in solved.values()
    )
    messages = {}
    for student, one in wrong.items():
        score, messages[one.title] = scores_of(root, lesson, student)[f"{one.exercise}-test"]
        assert score == 0 and (one.says or one.advice) in messages[one.title]
    run_in(root, "gradebox", "audit", lesson)
    return messages


@pytest.mark.long
def test_a_new_lesson_is_released_graded_and_audited_as_it_is(root):
    said = run_in(root, "gradebox", "new", "02_weighted-means")
    assert "`gradebox release 02_weighted-means`" in said and "`gradebox audit 02_weighted-means`" in said
    assert len(check_lesson(root, "02_weighted-means", 4)) == 10
    texts = [cell.source for cell in notebook("release", "02_weighted-means", root).cells]
    assert any(text.startswith("# Weighted means\n\n**6 points · about 25 minutes**") for text in texts)
    assert any(text.startswith("## 2.1 ") and "**2 points · about 5 minutes**" in text for text in texts)
    assert "LESSON_" not in "\n".join(texts) and "MARK SCHEME" not in "\n".join(texts)


@pytest.mark.long
def test_the_lesson_that_the_documentation_begins_with_does_what_it_says(root):
    page = PAGE.read_text(encoding="utf-8")
    files = re.findall(r"`((?:lessons|answers)/[\w/-]+\.py)`:\n\n```python\n(.*?)```", page, re.DOTALL)
    assert [name for name, _ in files] == ["lessons/02_shares.py", "answers/02_shares/row-shares.py"]
    for name, text in files:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    messages = check_lesson(root, "02_shares", 2)
    (shown,) = re.findall(r"^    2 rows and 3 columns: .*?(?=\n\n)", page, re.DOTALL | re.MULTILINE)
    assert "\n".join(line.strip() for line in shown.splitlines()) == messages["the sum of the whole table"]


def everything(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("02_shares", "lessons/02_shares.py already exists: choose another name"),
        ("03_products", "answers/03_products already exists: choose another name"),
        ("hw", "source/hw already exists: choose another name"),
        ("../hw", "a lesson can't be called '../hw': use letters, digits, _ and -, as in 02_averages"),
        ("two words", "a lesson can't be called 'two words': use letters"),
        ("02_", "a lesson can't be called '02_': use letters"),
        ("old_means", "a lesson can't be called 'old_means': the settings ignore this name"),
    ],
)
def test_a_name_that_is_taken_or_impossible_is_refused(small, name, problem):
    (small.root / "lessons").mkdir()
    (small.root / "lessons" / "02_shares.py").write_text("# %%\n")
    (small.root / "answers" / "03_products").mkdir(parents=True)
    config = small.root / "nbgrader_config.py"
    config.write_text(config.read_text() + 'c.CourseDirectory.ignore.append("old_*")\n')
    before = everything(small.root)
    done = gradebox(small, "new", name)
    assert done.returncode == 2 and done.stderr.startswith(f"gradebox: {problem}")
    assert everything(small.root) == before

"""Every written answer, graded by stock nbgrader and by gradebox: `compare.py [LESSON...]`.

It takes five seconds an answer, nearly all of them in stock nbgrader. Prints each difference that is not
one of the two intended ones, and exits with status 1 if there is any:
- text on stderr, which costs points in stock nbgrader and none in gradebox;
- second chances, of which the gradebook's comment says so.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat
from course import COURSE, copy_lesson

from gradebox.course import Course
from gradebox.execute.second_chance import SECOND_CHANCE_COMMENT
from gradebox.notebook_exercises import (
    extract_reference_solutions,
    find_grade_id,
    insert_answers,
    serialize_notebook,
)
from gradebox.release import read_answers_folder
from gradebox.release.release_lessons import write_student_version

BIN = Path(sys.executable).parent


def read(step: str, lesson: str) -> nbformat.NotebookNode:
    (path,) = (COURSE / step / lesson).glob("*.ipynb")
    return nbformat.read(path, as_version=4)


def hand_in_all(course: Course, lesson: str) -> list[str]:
    """One student for each answer, who took the reference for all else. Returns the answers' titles."""
    source, empty = read("source", lesson), read("release", lesson)
    solutions = extract_reference_solutions(source)
    (name,) = course.notebooks(lesson)
    titles: list[str] = []
    for answer in read_answers_folder.read_answers(COURSE / "answers" / lesson, source):
        if not answer.prose:
            notebook = insert_answers(empty, solutions | {answer.exercise: answer.source})
            notebook.cells = [cell for cell in notebook.cells if find_grade_id(cell)]
            path = course.root / "submitted" / f"s{len(titles):03d}" / lesson / f"{name}.ipynb"
            path.parent.mkdir(parents=True)
            path.write_text(serialize_notebook(notebook), encoding="utf-8")
            titles.append(f"{answer.exercise}: {answer.title}")
    return titles


def graded(root: Path, lesson: str, stock: bool) -> tuple[list[str], dict, set]:
    """The titles, the score of each cell, and the cells that have a reason to differ."""
    copy_lesson(root, lesson, stock)
    course = Course(root)
    write_student_version(course, lesson)
    titles = hand_in_all(course, lesson)
    command = BIN / ("nbgrader" if stock else "gradebox")
    subprocess.run([command, "autograde", lesson], cwd=root, capture_output=True, check=True)
    scores, excused = {}, set()
    (name,) = course.notebooks(lesson)
    for number, title in enumerate(titles):
        student = f"s{number:03d}"
        copy = nbformat.read(course.path("autograded", lesson, student) / f"{name}.ipynb", as_version=4)
        noisy = {
            find_grade_id(cell)
            for cell in copy.cells
            if any(output.get("name") == "stderr" for output in cell.get("outputs", []))
        }
        with course.gradebook() as gradebook:
            submission = gradebook.find_submission_notebook(name, lesson, student)
            helped = {
                comment.name
                for comment in submission.comments
                if comment.auto_comment == SECOND_CHANCE_COMMENT
            }
            for grade in submission.grades:
                scores[title, grade.name] = grade.auto_score
                if grade.name in noisy or any(grade.name.startswith(f"{cell}-") for cell in helped):
                    excused.add((title, grade.name))
    return titles, scores, excused


def main() -> None:
    lessons = sys.argv[1:] or sorted(path.name for path in (COURSE / "answers").iterdir())
    failed = False
    for lesson in lessons:
        with tempfile.TemporaryDirectory() as folder:
            titles, ours, excused = graded(Path(folder) / "ours", lesson, stock=False)
            _, theirs, noisy = graded(Path(folder) / "stock", lesson, stock=True)
        different = {cell for cell in ours.keys() | theirs.keys() if ours.get(cell) != theirs.get(cell)}
        unexplained = sorted(different - excused - noisy)
        print(
            f"{lesson}: {len(titles)} answers, {len(ours)} scores, {len(different)} differ, "
            f"{len(unexplained)} of them without a reason"
        )
        for title, cell in unexplained:
            print(f"  {title}: {cell}: {ours.get((title, cell))} and {theirs.get((title, cell))} by stock")
        failed = failed or bool(unexplained)
    sys.exit(failed)


if __name__ == "__main__":
    main()

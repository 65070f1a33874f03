"""Write or remove a course's example students (`gradebox examples`).

Their submissions are built from `submitted/examples.toml` and `answers/`.
"""

import base64
import hashlib
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

import nbformat
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from gradebox.course import Course, CourseError
from gradebox.erasure.erase_student import RemovalReport, forget_student
from gradebox.exercise_selection import find_exercise_cells
from gradebox.forgotten_students import find_forgotten
from gradebox.notebook_exercises import (
    extract_reference_solutions,
    find_grade_id,
    insert_answers,
    serialize_notebook,
)

if TYPE_CHECKING:
    from gradebox.release.read_answers_folder import Answer

EXAMPLES_FILE = Path("submitted", "examples.toml")


def read_example_plan(course: Course) -> dict[str, dict[str, Any]]:
    """Return the plan of each example student's submissions, by name; empty for a course without examples."""
    plan = course.root / EXAMPLES_FILE
    return tomllib.loads(plan.read_text(encoding="utf-8")) if plan.is_file() else {}


def remove_examples(course: Course) -> Iterator[tuple[str, RemovalReport]]:
    """Remove the example students from a course, then their plan. Yield each name with the removal report.

    Raises CourseError if a folder can't be removed.
    """
    for student in read_example_plan(course):
        yield student, forget_student(course, student, remember=False)
    (course.root / EXAMPLES_FILE).unlink()


def write_examples(course: Course) -> list[str]:
    """Write the example students' notebooks that are older than what they are made from.

    Students who were removed with `gradebox forget` are left out. Return the files that changed. Raises
    CourseError if `submitted/examples.toml` names an answer that does not exist, or if a lesson is not
    released.
    """
    written, plan = [], read_example_plan(course)
    for student in find_forgotten(course, plan):
        del plan[student]
    for assignment in course.assignments if plan else []:
        answers = course.root / "answers" / assignment
        for name in course.notebooks(assignment):
            release = course.release_path(assignment, name)
            wanted = {
                student: course.path("submitted", assignment, student) / f"{name}.ipynb" for student in plan
            }
            source_path = course.path("source", assignment) / f"{name}.ipynb"
            made_from = [
                course.root / EXAMPLES_FILE,
                source_path,
                release,
                *answers.glob("*"),
                Path(__file__),
            ]
            if min(map(modified, wanted.values())) > max(map(modified, made_from)):
                continue
            # Importing jupytext takes longer than seeing that nothing has changed.
            from gradebox.release.read_answers_folder import read_answers

            source = course.source(assignment, name)
            released = nbformat.read(release, as_version=4)
            known = read_answers(answers, course.full_source(assignment, name))
            for student, path in wanted.items():
                wishes = plan[student]
                chosen = choose_answers(source, known, assignment, wishes)
                content = format_submission(insert_answers(deepcopy(released), chosen), assignment, wishes)
                if not path.exists() or path.read_text(encoding="utf-8") != content:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(content, encoding="utf-8")
                    written.append(str(path.relative_to(course.root)))
                path.touch()
    return written


def modified(path: Path) -> float:
    """Return when a file was last changed, in seconds since the epoch; 0.0 if it does not exist."""
    return path.stat().st_mtime if path.exists() else 0.0


def choose_answers(
    source: NotebookNode, known: list["Answer"], assignment: str, wishes: dict[str, Any]
) -> dict[str, str]:
    """Return the answers that a student's plan selects. Raises CourseError if an answer does not exist."""
    chosen: dict[str, str] = {}
    if wishes["start"] in ("reference", "right"):
        chosen |= extract_reference_solutions(source)
    if wishes["start"] == "right":
        chosen |= {a.exercise: a.source for a in reversed(known) if a.right}
    given = {name for name, _ in find_exercise_cells(source)}
    for exercise, title in wishes.get("answers", {}).get(assignment, {}).items():
        found = [a.source for a in known if (a.exercise, a.title) == (exercise, title)]
        if not found:
            raise CourseError(f"{EXAMPLES_FILE}: {assignment}/{exercise} has no answer {title!r}")
        chosen[exercise] = found[0]
    # The course may give some of the lesson's exercises only.
    return {exercise: answer for exercise, answer in chosen.items() if exercise in given}


def format_submission(notebook: NotebookNode, assignment: str, wishes: dict[str, Any]) -> str:
    """Serialize an answered notebook to the text of a file."""
    if wishes.get("saved_by") != "colab":
        return serialize_notebook(notebook)
    from gradebox.release.jupytext_sync import set_stable_ids

    set_stable_ids(notebook)
    notebook = convert_to_colab(notebook, wishes.get("split", {}).get(assignment))
    return nbformat.writes(notebook) + "\n"


def convert_to_colab(notebook: NotebookNode, split: str | None = None) -> NotebookNode:
    """Change a notebook (in place) to the form that Colab saves after a student has worked on the notebook.

    The result has nbformat 4.0, cell ids in `metadata.id`, and `outputId` and `colab` metadata. A scratch
    cell and a student's note are added. The solution cell `split` is cut in two before its last definition.
    """
    cells = []
    for cell in notebook.cells:
        if find_grade_id(cell) == split and split:
            head, _, tail = cell.source.rpartition("\ndef ")
            cell.source = head.strip()
            cells += [cell, new_code_cell("def " + tail)]
        else:
            cells.append(cell)
    cells.insert(4, new_markdown_cell("My notes: *rows are queries!*"))
    cells.insert(5, new_code_cell("# scratch\n2 ** 10"))
    for number, cell in enumerate(cells):
        digest = hashlib.sha256(f"{number} {cell.source}".encode()).digest()
        cell.metadata["id"] = base64.urlsafe_b64encode(digest)[:12].decode()
        if cell.cell_type == "code":
            cell.metadata["colab"] = {"base_uri": "https://localhost:8080/"}
            cell.metadata["outputId"] = str(UUID(bytes=digest[:16]))
        cell.pop("id", None)
    notebook.cells = cells
    notebook.nbformat, notebook.nbformat_minor = 4, 0
    notebook.metadata = NotebookNode(
        colab=NotebookNode(provenance=[], toc_visible=True),
        kernelspec=NotebookNode(name="python3", display_name="Python 3"),
        language_info=NotebookNode(name="python"),
    )
    return notebook

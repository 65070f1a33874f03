"""Write the notebooks of the example students to submitted/, or remove the students; `make grade` runs this.

Each notebook is a released lesson with answers of answers/, as submitted/examples.toml describes. Only
notebooks that are older than what they are made from are written.

    python environment/example_students.py             # write
    python environment/example_students.py --remove    # remove the students, and submitted/examples.toml
"""

import argparse
import base64
import hashlib
import sys
import tomllib
from copy import deepcopy
from pathlib import Path
from uuid import UUID

COURSE = Path(__file__).resolve().parents[1]
PLAN = COURSE / "submitted" / "examples.toml"


def read_plan():
    """Return what each example student hands in, by the student's id; empty without a plan."""
    return tomllib.loads(PLAN.read_text(encoding="utf-8")) if PLAN.is_file() else {}


def read_mtime(path):
    """Return when a file was last changed, in seconds; 0 if it does not exist."""
    return path.stat().st_mtime if path.exists() else 0


def find_stale_notebooks(plan):
    """Yield the lesson and the name of each released notebook that some student's notebook is older than."""
    for released in sorted((COURSE / "release").glob("*/*.ipynb")):
        lesson, name = released.parent.name, released.name
        source, answers = COURSE / "source" / lesson / name, (COURSE / "answers" / lesson).glob("*.py")
        written = min(read_mtime(COURSE / "submitted" / student / lesson / name) for student in plan)
        if written <= max(map(read_mtime, [Path(__file__), PLAN, source, released, *answers])):
            yield lesson, released.stem


def write_notebooks(plan):
    """Write the notebooks that are not up to date. Return how many have changed."""
    stale, changed = [*find_stale_notebooks(plan)] if plan else [], 0
    if stale:
        # Importing takes longer than finding that all notebooks are up to date.
        import nbformat

        from gradebox.course import Course
        from gradebox.release.read_answers_folder import read_answers

        course = Course(COURSE)
    for lesson, name in stale:
        if lesson in course.assignments:
            source = course.source(lesson, name)
            released = nbformat.read(course.release_path(lesson, name), as_version=4)
            answers = read_answers(COURSE / "answers" / lesson, course.full_source(lesson, name))
            for student, wishes in plan.items():
                path = COURSE / "submitted" / student / lesson / f"{name}.ipynb"
                text = build_submission(source, released, answers, lesson, wishes)
                if not path.exists() or path.read_text(encoding="utf-8") != text:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(text, encoding="utf-8")
                    changed += 1
                path.touch()
    return changed


def build_submission(source, released, answers, lesson, wishes):
    """Return the text of the notebook that a student hands in.

    source, released: the instructor's and the students' notebook of the lesson. answers: those of answers/.
    wishes: the student's part of the plan.
    """
    import nbformat

    from gradebox.notebook_exercises import insert_answers, serialize_notebook
    from gradebox.release.jupytext_sync import set_stable_ids

    notebook = insert_answers(deepcopy(released), choose_answers(source, answers, lesson, wishes))
    if wishes.get("saved_by") != "colab":
        return serialize_notebook(notebook)
    set_stable_ids(notebook)
    return nbformat.writes(convert_to_colab(notebook, wishes.get("split", {}).get(lesson))) + "\n"


def choose_answers(source, answers, lesson, wishes):
    """Return the text of each answered exercise, by grade_id."""
    from gradebox.exercise_selection import find_exercise_cells
    from gradebox.notebook_exercises import extract_reference_solutions

    chosen = {}
    if wishes["start"] in ("reference", "right"):
        chosen |= extract_reference_solutions(source)
    if wishes["start"] == "right":
        chosen |= {answer.exercise: answer.source for answer in reversed(answers) if answer.right}
    for exercise, title in wishes.get("answers", {}).get(lesson, {}).items():
        texts = [answer.source for answer in answers if (answer.exercise, answer.title) == (exercise, title)]
        if not texts:
            sys.exit(f"{PLAN.relative_to(COURSE)}: answers/{lesson}/{exercise}.py has no answer {title!r}")
        chosen[exercise] = texts[0]
    # The course may give some of the lesson's exercises only.
    given = {name for name, _ in find_exercise_cells(source)}
    return {exercise: text for exercise, text in chosen.items() if exercise in given}


def convert_to_colab(notebook, split=None):
    """Change a notebook, in place, to one that a student has worked on in Colab.

    A scratch cell and a student's note are added. The solution cell `split` is cut in two before its last
    definition. Colab writes nbformat 4.0, with its own metadata, and the ids of cells in the metadata.
    """
    from nbformat.notebooknode import NotebookNode
    from nbformat.v4 import new_code_cell, new_markdown_cell

    cells = []
    for cell in notebook.cells:
        cells.append(cell)
        if split and cell.metadata.get("nbgrader", {}).get("grade_id") == split:
            head, _, tail = cell.source.rpartition("\ndef ")
            cell.source = head.strip()
            cells.append(new_code_cell("def " + tail))
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
        colab={"provenance": [], "toc_visible": True},
        kernelspec={"name": "python3", "display_name": "Python 3"},
        language_info={"name": "python"},
    )
    return notebook


def remove_students(plan):
    """Remove the example students from the course, and then their plan."""
    from gradebox.course import Course
    from gradebox.erasure.erase_student import forget_student

    course = Course(COURSE)
    for student in plan:
        forget_student(course, student)
    PLAN.unlink()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--remove", action="store_true", help="remove the students and their plan")
    remove, plan = parser.parse_args().remove, read_plan()
    if not plan:
        print("this course has no example students")
    elif remove:
        remove_students(plan)
        print(f"removed {', '.join(plan)}, and {PLAN.relative_to(COURSE)}")
    elif changed := write_notebooks(plan):
        print(f"notebooks of example students written: {changed}")

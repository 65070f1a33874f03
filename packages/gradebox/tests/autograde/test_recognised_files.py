"""Hand-ins that are found whatever their name and folder, and files that are not the lesson's notebook."""

import json
import shutil
import zipfile
from pathlib import Path

import nbformat
import pytest
from helpers import gradebox, small_lesson, solves, with_settings, write_notebook
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from gradebox.autograde.discover_submissions import find_submissions
from gradebox.autograde.grade_submissions import GradingOutcome, autograde_submissions
from gradebox.autograde.match_notebooks import match_notebooks
from gradebox.course import Course

RIGHT = "def double(x):\n    return x + x"
READS = "def double(x):\n    return x * int(open('two.txt').read())"


def grade_all(course: Course) -> dict[str, GradingOutcome]:
    """Grade everything; what became of each student."""
    course = Course(course.root)
    found = autograde_submissions(course, list(find_submissions(course, ["hw"], course.roster)))
    return {outcome.submission.student: outcome for outcome in found}


def score(course: Course, student: str) -> float | None:
    with course.gradebook() as gradebook:
        found = gradebook.find_submission_notebook("hw", "hw", student)
        return next(grade.auto_score for grade in found.grades if grade.name == "double-test")


def recognised(course: Course, student: str) -> tuple[dict[str, str], str | None]:
    """The matched file by notebook, and the problem."""
    folder = course.path("submitted", "hw", student)
    found = match_notebooks(folder, course.path("release", "hw"))
    return {name: path.relative_to(folder).as_posix() for name, path in found.files.items()}, found.problem


def move(path: Path, name: str) -> Path:
    target = path.parent / name
    target.parent.mkdir(parents=True, exist_ok=True)
    return path.rename(target)


NAMES = [
    "hw/hw.ipynb",
    "a/b/My homework.ipynb",
    "hw.ipynb.txt",
    "hw.ipynb.json",
    "hw.json",
    "hw.txt",
    "hw.IPYNB",
    "x/hw.Ipynb.TXT",
]


ARCHIVES = ["Homework.zip", "sub/hw.ZIP"]


def pack(course: Course, student: str, name: str) -> str:
    """Hand in an archive of a folder as an operating system makes it; the notebook's path."""
    path = solves(course, student, double=READS, essay=f"Essay {student[1:]}")
    (path.parent / "two.txt").write_text("2")
    folder, target = path.parent, path.parent / name
    target.parent.mkdir(parents=True, exist_ok=True)
    files = {
        "My hw/hw 1.ipynb": path,
        "My hw/two.txt": folder / "two.txt",
        "__MACOSX/My hw/._hw 1.ipynb": path,
    }
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for inner, file in files.items():
            archive.write(file, inner)
    path.unlink()
    (folder / "two.txt").unlink()
    (folder / "timestamp.txt").write_text("2026-11-20 10:00:00 UTC")
    return f"{name}/My hw/hw 1.ipynb"


def test_a_notebook_is_found_under_each_name_that_a_download_gives(small):
    for number, name in enumerate(NAMES):
        path = solves(small, f"s{number}", double=READS, essay=f"Essay {number}")
        (path.parent / "data.json").write_text('{"x": 1}')
        moved = move(path, name)
        (moved.parent / "two.txt").write_text("2")
        (moved.parent / "__MACOSX").mkdir()
        shutil.copy(moved, moved.parent / "__MACOSX" / "hw.ipynb")
    archives = [pack(small, f"s{len(NAMES) + number}", name) for number, name in enumerate(ARCHIVES)]
    outcomes = grade_all(small)
    for number, name in enumerate([*NAMES, *archives]):
        outcome = outcomes[f"s{number}"]
        assert outcome.graded, (name, outcome.problem)
        assert score(small, f"s{number}") == 2, name
        assert [one.what for one in outcome.incidents] == [
            f"hw.ipynb was handed in as {name}, and recognised by its cells"
        ]
        copies = small.path("autograded", "hw", f"s{number}")
        assert f"Essay {number}" in (copies / "hw.ipynb").read_text() and (copies / "two.txt").is_file()
    assert not any(outcome.graded for outcome in grade_all(small).values())
    run = gradebox(small, "feedback")
    assert run.returncode == 0, run.stderr
    for number in range(len(NAMES) + len(ARCHIVES)):
        page = (small.path("feedback", "hw", f"s{number}") / "hw.html").read_text()
        assert f"Essay {number}" in page


def test_a_copy_in_which_nothing_is_answered_never_competes(small):
    for student, names in {
        "ann": ("hw.ipynb", "hw-Copy1.ipynb"),
        "ben": ("hw-Copy1.ipynb", "hw.ipynb"),
        "cem": ("hw/hw.ipynb", "hw.ipynb"),
        "dan": ("hw.ipynb.txt", "hw.ipynb"),
    }.items():
        answered, empty = names
        move(solves(small, student, double=RIGHT), f"{answered}.new")
        moved = move(solves(small, student), empty)
        # An older release, opened and saved: an empty cell, and another test.
        notebook = nbformat.read(moved, as_version=4)
        notebook.cells[1].source += "\n# an earlier test"
        notebook.cells.append(new_code_cell(""))
        nbformat.write(notebook, moved)
        folder = small.path("submitted", "hw", student)
        (folder / f"{answered}.new").rename(folder / answered)
        assert recognised(small, student) == ({"hw": answered}, None)
    # All in one cell, and the release beside it.
    folder = small.path("submitted", "hw", "eva")
    write_notebook(folder / "hw.ipynb", [new_code_cell(RIGHT)])
    solves(small, "eva", name="hw-Copy1.ipynb")
    assert recognised(small, "eva") == ({"hw": "hw.ipynb"}, None)
    # What can't be read may be the answered one.
    solves(small, "fay", name="hw-Copy1.ipynb")
    (small.path("submitted", "hw", "fay") / "hw.ipynb").write_text("{")
    assert recognised(small, "fay")[1].startswith("hw.ipynb is cut off: its JSON ends early")
    # Two that are both as released are no conflict, and two drafts are.
    solves(small, "gil")
    solves(small, "gil", new_markdown_cell(""), name="hw (1).ipynb")
    assert recognised(small, "gil") == ({"hw": "hw.ipynb"}, None)
    solves(small, "hal", double=RIGHT)
    solves(small, "hal", double=RIGHT + "  # better", name="hw (1).ipynb")
    assert "leave the one that counts" in recognised(small, "hal")[1]
    # A setting says that the released name counts, if there is one.
    for student, names in {"hal": (), "jan": ("hw (1).ipynb", "hw (2).ipynb")}.items():
        for number, name in enumerate(names):
            solves(small, student, double=f"{RIGHT}  # {number}", name=name)
    counts = with_settings(small, "c.MatchNotebooks.released_name_counts = True")
    outcomes = grade_all(counts)
    assert outcomes["hal"].graded and score(small, "hal") == 2
    assert [one.what for one in outcomes["hal"].incidents] == [
        "hw.ipynb counts, because it has the released name, and not hw (1).ipynb"
    ]
    assert "leave the one that counts" in outcomes["jan"].problem
    # An answer to a question is an answer.
    solves(small, "ida", why="Because.")
    solves(small, "ida", double=RIGHT, name="hw (1).ipynb")
    assert "leave the one that counts" in recognised(small, "ida")[1]


def test_a_file_below_does_not_compete_with_the_one_in_the_folder(small):
    solves(small, "ann", double=RIGHT)
    solves(small, "ann", double="def double(x):\n    return 0", name="old/hw.ipynb")
    assert recognised(small, "ann") == ({"hw": "hw.ipynb"}, None)


def test_another_lessons_notebook_under_the_right_name_is_not_graded(small):
    def writes(student: str, *cells) -> None:
        write_notebook(small.path("submitted", "hw", student) / "hw.ipynb", list(cells))

    checks = new_code_cell("check = None")
    checks.metadata["nbgrader"] = {"grade_id": "messages", "grade": False, "solution": False, "locked": True}
    writes("other", new_markdown_cell("# Lab 7"), checks, new_code_cell("def triple(x):\n    return 3 * x"))
    writes("empty")
    writes("one_cell", new_code_cell(f"import math\n{RIGHT}\nprint(double(2) == 4)"))
    writes("invalid", new_code_cell(f"{RIGHT}\nprint(double(2)"))
    writes("one_question", nbformat.read(small.path("release", "hw") / "hw.ipynb", as_version=4).cells[2])
    outcomes = grade_all(small)
    for student in ("other", "empty"):
        assert not outcomes[student].graded and len(outcomes[student].incidents) == 1
        assert outcomes[student].incidents[0].kind == "unreadable"
        assert outcomes[student].problem.startswith("hw.ipynb is not of this lesson: ")
    assert outcomes["one_cell"].graded and score(small, "one_cell") == 2
    assert outcomes["invalid"].graded and score(small, "invalid") == 0
    assert outcomes["one_question"].graded


def test_an_expected_variable_is_enough(small):
    cells = small_lesson()
    cells[0].source = "### BEGIN SOLUTION\narea = 3\n### END SOLUTION"
    cells[1].source = "assert area == 3"
    write_notebook(small.root / "source" / "hw" / "hw.ipynb", cells)
    assert gradebox(small, "release", "--no-check").returncode == 0
    folder = small.path("submitted", "hw", "ann")
    for text in ("area = 3", "area: float = 3.0", "area, rest = 3, 1", "area = (1"):
        write_notebook(folder / "hw.ipynb", [new_code_cell(text)])
        assert recognised(small, "ann") == ({"hw": "hw.ipynb"}, None), text
    write_notebook(folder / "hw.ipynb", [new_code_cell("volume = area")])
    assert "is not of this lesson" in recognised(small, "ann")[1]


def test_a_notebook_in_another_language_is_never_of_another_lesson(small):
    path = small.path("release", "hw") / "hw.ipynb"
    notebook = json.loads(path.read_text())
    notebook["metadata"]["kernelspec"] = {"name": "ir", "language": "R", "display_name": "R"}
    path.write_text(json.dumps(notebook))
    write_notebook(small.path("submitted", "hw", "ann") / "hw.ipynb", [new_code_cell("double <- 1")])
    assert recognised(small, "ann") == ({"hw": "hw.ipynb"}, None)


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        (["hw1.zip"], "hw1.zip/hw.ipynb is not of this lesson"),
        (["b.tar.gz"], "the folder holds only an archive, b.tar.gz: extract the files into the folder"),
        (["no.ZIP"], "no.ZIP holds no notebook"),
        (
            ["a/HW.7Z", "timestamp.txt"],
            "the folder holds only an archive, a/HW.7Z: extract the files into the folder",
        ),
        (
            ["a.rar", "b.tar.xz"],
            "the folder holds only archives, a.rar, b.tar.xz: extract the files into the folder",
        ),
        (
            ["hw1.rar", "a.pdf"],
            "the folder holds no notebook, but an archive, hw1.rar: extract the files into the folder",
        ),
        (["a.pdf"], "the folder holds no notebook"),
        (["data.json", "notes.txt"], "the folder holds no notebook"),
        (["hw.ipynb.txt"], "hw.ipynb.txt is not a notebook: it is not JSON (line 1)"),
        (["x/hw.IPYNB"], "x/hw.IPYNB is not a notebook: it is not JSON (line 1)"),
        (["homework.ipynb.json"], "hw.ipynb is missing: found homework.ipynb.json instead"),
    ],
)
def test_what_holds_no_notebook_is_said(small, names, wanted):
    folder = small.path("submitted", "hw", "ann")
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if name.lower().endswith(".zip"):
            with zipfile.ZipFile(folder / name, "w") as archive:
                inner = "hw.ipynb" if name == "hw1.zip" else "data.csv"
                archive.writestr(inner, nbformat.writes(new_notebook()))
        else:
            (folder / name).write_text("" if name == "timestamp.txt" else "words")
    files, problem = recognised(small, "ann")
    assert not files and problem.startswith(wanted)

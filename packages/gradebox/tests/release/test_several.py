"""A lesson that can't be released stops none of the others, and is said in one sentence in the end."""

import os

from helpers import LESSON, cell, gradebox, write_notebook

OPEN = [cell("solution", "open", "def f():\n    ### BEGIN SOLUTION\n    return 1")]
FINE = [cell("solution", "f", "f = None\n### BEGIN SOLUTION\nf = 1\n### END SOLUTION")]


def test_all_others_are_released_and_each_failure_is_a_sentence_in_the_end(small):
    for name, cells in {"a_open": OPEN, "b_fine": FINE}.items():
        write_notebook(small.root / "source" / name / "hw.ipynb", cells)
    broken = small.root / "source" / "c_broken" / "hw.ipynb"
    broken.parent.mkdir()
    broken.write_text("{")
    run = gradebox(small, "release", "--no-check")
    assert run.returncode == 1
    assert [line for line in run.stdout.splitlines() if line.endswith(" released")] == [
        "b_fine released",
        "hw released",
    ]
    first, second = run.stderr.splitlines()
    assert first.startswith("gradebox: a_open can't be released: ")
    assert second.startswith("gradebox: source/c_broken/hw.ipynb can't be read as a notebook: ")
    assert not small.path("release", "a_open").exists()
    assert (small.path("release", "b_fine") / "hw.ipynb").is_file()
    # Only what was asked for counts.
    assert gradebox(small, "release", "--no-check", "b_fine").returncode == 0
    run = gradebox(small, "release", "--no-check", "a_open")
    assert run.returncode == 1 and len(run.stderr.splitlines()) == 1 and run.stdout.strip() == ""


def test_a_lesson_that_was_edited_behind_its_text_is_left_alone_and_the_others_are_released(course):
    write_notebook(course.root / "source" / "b_fine" / "hw.ipynb", FINE)
    (path,) = course.path("source", LESSON).glob("*.ipynb")
    edited = path.read_text().replace("import numpy as np", "import numpy as np, math")
    assert edited != path.read_text()
    path.write_text(edited)
    text = course.root / "lessons" / f"{LESSON}.py"
    os.utime(text, (1, 1))
    run = gradebox(course, "release", "--no-check")
    assert run.returncode == 1 and "b_fine released" in run.stdout and f"{LESSON} released" not in run.stdout
    assert len(run.stderr.splitlines()) == 1 and "was edited after" in run.stderr
    assert path.read_text() == edited
    assert gradebox(course, "release", "--no-check", "b_fine").returncode == 0

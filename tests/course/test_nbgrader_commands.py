"""nbgrader's own commands work in the course's folder, as its manual says."""

import csv
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from example_students import PLAN
from helpers import QUICK
from repository import LESSONS, REPOSITORY, hand_in_example, with_examples

LESSON = LESSONS[0]
BIN = Path(sys.executable).parent


def nbgrader(root: Path, *arguments: str) -> subprocess.CompletedProcess:
    """Run nbgrader without an activated environment: `alembic` is not on PATH."""
    environment = {**os.environ, **QUICK, "PATH": os.defpath}
    run = subprocess.run(
        [BIN / "nbgrader", *arguments], cwd=root, capture_output=True, text=True, env=environment
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run


@pytest.fixture
def fresh(tmp_path):
    """The repository as it is cloned, without a gradebook; of the example students, two."""
    for name in ("source", "release"):
        shutil.copytree(REPOSITORY / name, tmp_path / name)
    if PLAN.is_file():
        for name in ("example_ben", "example_cleo"):
            hand_in_example(tmp_path, LESSON, name)
    shutil.copy(REPOSITORY / "nbgrader_config.py", tmp_path)
    return tmp_path


@pytest.mark.slow
@with_examples
def test_the_manuals_way_from_release_to_export(fresh):
    nbgrader(fresh, "generate_assignment", LESSON, "--force")
    (name,) = [path.stem for path in (fresh / "release" / LESSON).glob("*.ipynb")]
    nbgrader(fresh, "autograde", LESSON)
    nbgrader(fresh, "generate_feedback", LESSON)
    nbgrader(fresh, "export")
    students = sorted(path.name for path in (fresh / "submitted").glob("example_*"))
    for student in students:
        assert (fresh / "feedback" / student / LESSON / f"{name}.html").stat().st_size > 10_000
    with (fresh / "grades.csv").open() as file:
        scores = {
            row["student_id"]: float(row["score"])
            for row in csv.DictReader(file)
            if row["assignment"] == LESSON
        }
    assert sorted(scores) == students and scores["example_cleo"] == 0 < scores["example_ben"]


# That the solved lesson runs without an error, `make test` shows in test_solved_lesson.py.
@pytest.mark.slow
def test_validate_accepts_the_solved(fresh):
    (solved,) = (fresh / "source" / LESSON).glob("*.ipynb")
    assert "Success" in nbgrader(fresh, "validate", str(solved)).stdout


def test_validate_names_what_fails_in_the_released(fresh):
    (released,) = (fresh / "release" / LESSON).glob("*.ipynb")
    assert "FAILED" in nbgrader(fresh, "validate", str(released)).stdout

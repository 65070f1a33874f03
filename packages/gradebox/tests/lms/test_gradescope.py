"""The zip for Gradescope grades there as gradebox does here, and keeps from students what they must not see.

Gradescope itself is not here: `tests/gradescope.py` has its folders, and what happens in them is what its own
program does for each submission.
"""

import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from helpers import (
    LESSON,
    PROBED,
    SIMULATED,
    TESTS,
    WHOLE,
    gradebox,
    notebook,
    sample,
    sample_released,
    sample_solved,
    simulations,
    with_settings,
)
from nbformat.notebooknode import NotebookNode

from gradebox.autograde.reference_proof import PROOFS_FILE
from gradebox.autograde.release_history import HISTORY_FILE
from gradebox.course import Course, CourseError
from gradebox.execute.second_chance import SECOND_CHANCE_COMMENT
from gradebox.lms import gradescope_run
from gradebox.lms.gradescope_package import VISIBILITIES, AutograderSettings, write_autograder_zip
from gradebox.lms.gradescope_results import build_test_entries
from gradebox.notebook_exercises import find_grade_id, serialize_notebook
from gradebox.reports.exercise_results import ExerciseResult, find_exercises

MACHINE = [sys.executable, str(TESTS / "gradescope.py")]
NAME = "shares.ipynb"
POINTS = {"1.1": 2, "1.2": 1, "1.3": 1, "1.4": 2, "1.5": 2, "1.7": 1}
FORGED = '{"score": 100}'
LATER = f"""import time
while True:
    with open("/autograder/results/results.json", "w") as file:
        file.write({FORGED!r})
    time.sleep(0.1)
"""
# It earns 1.1's points if it gets at anything.
ATTACK = f"""
import os, subprocess, sys

def tried():
    found = []
    for path in ("source", "source/course/source", "results", "submission"):
        try:
            found.append(os.listdir(f"/autograder/{{path}}"))
        except OSError:
            pass
    course = "source/course/source/{LESSON}/{NAME}", "source/course/gradebook.secret"
    for path in (*course, "submission/{NAME}", "submission_metadata.json"):
        try:
            found.append(open(f"/autograder/{{path}}").read())
        except OSError:
            pass
    for path in ("results/results.json", "results/other", "source/x", "x", "run_autograder"):
        try:
            open(f"/autograder/{{path}}", "w").write({FORGED!r})
            found.append(path)
        except OSError:
            pass
    return found

try:
    subprocess.Popen([sys.executable, "-c", {LATER!r}], start_new_session=True)
except OSError:
    pass

def shares(numbers, axis=-1):
    assert tried(), "nothing to be had"
    powers = np.exp(numbers - np.max(numbers, axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
"""


class Platform:
    """Where a package is graded as Gradescope does it: `folder` is /autograder there."""

    def __init__(self, folder: Path, archive: Path, environment: Path | None):
        self.folder, self.source = folder, folder / "source"
        with zipfile.ZipFile(archive) as content:
            content.extractall(self.source)
        shutil.copy(self.source / "run_autograder", folder)
        (folder / "run_autograder").chmod(0o755)
        if environment:
            # What setup.sh would do.
            (folder / "venv").symlink_to(environment)
            shutil.copytree(self.source / "gradebox", folder / "installed" / "gradebox")

    def run(self, *command: str, options: tuple[str, ...] = ()) -> subprocess.CompletedProcess:
        inside = ["env", "PYTHONPATH=/autograder/installed", *command]
        return subprocess.run(
            [*MACHINE, *options, str(self.folder), *inside], capture_output=True, text=True, cwd=TESTS
        )

    def hand_in(self, files: dict[str, NotebookNode | str | bytes], *simulated: str) -> dict[str, Any] | None:
        """Grade files, by name. Returns results.json, if there is one."""
        for name in ("submission", "results"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
            (self.folder / name).mkdir()
        users = [{"id": 33032, "email": "a@example.edu", "name": "A Student", "sid": None}]
        (self.folder / "submission_metadata.json").write_text(json.dumps({"id": 1, "users": users}))
        for name, content in files.items():
            path = self.folder / "submission" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            text = serialize_notebook(content) if isinstance(content, NotebookNode) else content
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        machine = [*SIMULATED, *simulated] if simulated else []
        self.said = self.run(*machine, "./run_autograder")
        path = self.folder / "results" / "results.json"
        assert os.listdir(path.parent) == (["results.json"] if path.exists() else [])
        if not path.exists():
            return None
        found = json.loads(path.read_text(), parse_constant=lambda number: pytest.fail(number))
        conforms(found)
        return found


def conforms(found: dict[str, Any]) -> None:
    """Whether Gradescope can read it: the fields that it knows, and their types."""
    number, text = (int, float), str
    top = {"score": number, "tests": list, "output": text, "output_format": text, "execution_time": number}
    top |= {"stdout_visibility": text, "extra_data": dict}
    of_test = {"score": number, "max_score": number, "status": text, "name": text, "number": text}
    of_test |= {"output": text, "visibility": text, "name_format": text, "output_format": text}
    for known, entry in ((top, found), *((of_test, test) for test in found["tests"])):
        assert entry.keys() <= known.keys()
        assert all(isinstance(value, known[name]) for name, value in entry.items()), entry
        assert entry["output_format"] == "text"
    assert found["stdout_visibility"] == "hidden" and found["execution_time"] > 0
    for test in found["tests"]:
        assert test["visibility"] in VISIBILITIES and test["name_format"] == "text" and test["name"]
        assert ("score" in test) == ("max_score" in test) and test.get("status") in (None, "passed", "failed")
    assert found["score"] == sum(test.get("score", 0) for test in found["tests"])


def scores(found: dict[str, Any]) -> dict[str, float]:
    return {test["number"]: test["score"] for test in found["tests"] if "score" in test}


def words(found: dict[str, Any]) -> dict[str, str]:
    return {test["number"]: test["output"] for test in found["tests"] if "output" in test}


@pytest.fixture(scope="module")
def class_room(tmp_path_factory) -> Course:
    """A course with students, which have no business in a package."""
    root = tmp_path_factory.mktemp("class") / "course"
    course = with_settings(
        Course(shutil.copytree(sample_released(), root)), "c.Execute.require_reference = True"
    )
    for name in ("submitted/ann", "autograded/ann", "feedback/ann", f"source/{LESSON}", f"release/{LESSON}"):
        path = root / name / "data.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x\n1\n")
    (root / "source" / LESSON / ".ipynb_checkpoints").mkdir()
    (root / "source" / LESSON / ".ipynb_checkpoints" / NAME).write_text("{}")
    return course


@pytest.fixture(scope="module")
def archive(class_room) -> Path:
    run = gradebox(class_room, "package", "gradescope", LESSON)
    assert run.returncode == 0 and "9 points from tests" in run.stdout and "2 more" in run.stdout, run.stderr
    return class_room.root / "gradescope" / f"{LESSON}.zip"


@pytest.fixture(scope="module")
def platform(archive, tmp_path_factory) -> Platform:
    found = Platform(tmp_path_factory.mktemp("platform") / "autograder", archive, Path(sys.prefix))
    probe = found.run("true")
    if probe.returncode:
        pytest.skip(f"no folder can take another place here: {probe.stderr.strip().splitlines()[-1]}")
    if not WHOLE:
        pytest.skip("student code can't be contained here")
    prepared = found.run("/autograder/venv/bin/python", "-m", "gradebox.lms", "--prepare")
    assert prepared.returncode == 0 and f"{LESSON} can be graded" in prepared.stdout, prepared
    assert (found.source / "course" / PROOFS_FILE).exists()
    return found


def test_a_package_has_the_lesson_and_gradebox_and_nothing_of_students(class_room, archive):
    with zipfile.ZipFile(archive) as content:
        files = {name: content.read(name) for name in content.namelist()}
        modes = {entry.filename: entry.external_attr >> 16 for entry in content.infolist()}
    ours = {name for name in files if name.startswith("gradebox/")}
    assert {"gradebox/lms/gradescope_run.py", "gradebox/class_report/page.html"} <= ours
    assert not [name for name in ours if "__pycache__" in name]
    lesson = {
        f"course/{step}/{LESSON}/{name}" for step in ("source", "release") for name in (NAME, "data.csv")
    }
    about = {"setup.sh", "run_autograder", "requirements.txt", "gradescope.json"}
    config, secret = "course/nbgrader_config.py", "course/gradebook.secret"
    assert files.keys() - ours == lesson | about | {config, secret, f"course/{HISTORY_FILE}"}
    assert modes["setup.sh"] == modes["run_autograder"] == 0o755
    for name in ("setup.sh", "run_autograder"):
        assert files[name].startswith(b"#!/bin/") and b"\r" not in files[name]
    lines = files["requirements.txt"].decode().splitlines()
    assert any(line.startswith("matplotlib==") for line in lines) and "bleach[css]==" in "".join(lines)
    assert not [line for line in lines if line.startswith(("torch", "pytest", "gradebox"))]
    # Who has the package does not know what other hidden tests draw.
    assert files[secret].decode() != (class_room.root / "gradebook.secret").read_text().strip()


def test_the_same_course_gives_the_same_bytes(class_room, archive, tmp_path):
    write_autograder_zip(class_room, AutograderSettings(LESSON), tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == archive.read_bytes()


def test_what_tests_are_made_of_goes_along(course, tmp_path):
    (course.root / "autotests.yml").write_text("python3: {}\n")
    write_autograder_zip(course, AutograderSettings(LESSON), tmp_path / "made.zip")
    with zipfile.ZipFile(tmp_path / "made.zip") as content:
        assert content.read("course/autotests.yml") == b"python3: {}\n"


def test_the_address_of_a_gradebook_and_folders_elsewhere_stay_at_home(course, tmp_path):
    course = with_settings(
        course,
        'c.CourseDirectory.db_url = "postgresql+psycopg://ann:secret@host/grades"',
        'c.CourseDirectory.submitted_directory = "/elsewhere"',
    )
    write_autograder_zip(course, AutograderSettings(LESSON), tmp_path / "package.zip")
    with zipfile.ZipFile(tmp_path / "package.zip") as content:
        content.extractall(tmp_path)
    assert "secret@host" not in (tmp_path / "course" / "nbgrader_config.py").read_text()
    there = Course(tmp_path / "course")
    assert there.directory().db_url == f"sqlite:///{tmp_path}/course/gradebook.db"
    assert there.path("submitted", LESSON, "x").is_relative_to(there.root)


def test_what_can_not_be_packaged_is_said_in_one_sentence(course, tmp_path):
    run = gradebox(course, "package", "gradescope", LESSON, "--points", "later")
    assert run.returncode == 2 and len(run.stderr.splitlines()) == 1
    assert (
        "--points can't be 'later': expected one of visible, after_due_date, after_published, hidden"
        in run.stderr
    )
    (tmp_path / "file").touch()
    (course.root / "own_plugin.py").touch()
    unreleased, uncontained, needy = (
        Course(shutil.copytree(course.root, tmp_path / name)) for name in ("first", "second", "third")
    )
    shutil.rmtree(unreleased.path("release", LESSON))
    uncontained = with_settings(uncontained, 'c.Execute.isolation = "judge"')
    needy = with_settings(needy, "import sys", f"sys.path.append({str(needy.root)!r})", "import own_plugin")
    (needy.root / "own_plugin.py").unlink()
    zipped = tmp_path / "new" / "package.zip"
    for refused, settings, output, why in (
        (course, AutograderSettings("02_other"), zipped, "unknown assignment '02_other'"),
        (course, AutograderSettings(LESSON, words="x"), zipped, "--words can't be 'x'"),
        (
            course,
            AutograderSettings(LESSON),
            tmp_path / "file" / "x.zip",
            "x.zip can't be written: Not a directory",
        ),
        (unreleased, AutograderSettings(LESSON), zipped, f"run `gradebox release {LESSON}` first"),
        (uncontained, AutograderSettings(LESSON), zipped, "student code would run as root"),
        (
            needy,
            AutograderSettings(LESSON),
            zipped,
            "on Gradescope (ModuleNotFoundError: No module named 'own_plugin')",
        ),
    ):
        with pytest.raises(CourseError) as refusal:
            write_autograder_zip(refused, settings, output)
        assert why in str(refusal.value) and "\n" not in str(refusal.value)
    assert not zipped.parent.exists() and not (course.root / "gradescope").exists()


def test_right_answers_earn_all_under_any_name_and_in_an_archive(platform):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("homework/My Shares (2).ipynb", serialize_notebook(sample_solved()))
        archive.writestr("homework/data.csv", "x\n")
    found = platform.hand_in({"homework.zip": made.getvalue(), "__MACOSX/x.ipynb": "junk"})
    assert found, platform.said
    assert scores(found) == POINTS and not words(found)
    assert [test["name"] for test in found["tests"]][:2] == ["Shares", "Products, one by one"]
    assert "A person reads 1.6: 2 points that are not part of this score" in found["output"]
    assert "My Shares (2).ipynb, and recognised by its cells" in found["output"]
    assert found["extra_data"]["gradebox"]["isolation"].startswith("contained by ")


def test_wrong_answers_have_the_sentence_that_a_page_for_students_has(platform):
    nb = sample_solved(shares="over everything")
    for cell in nb.cells:
        if find_grade_id(cell) == "products-loops":
            # Right but for what only the hidden test asks.
            cell.source = "def products_loops(A, B):\n    return np.array([[5, 3], [1, 1], [3, 1]])"
        elif find_grade_id(cell) == "entropy":
            cell.source = "def entropy(weights):\n    raise ValueError('<script>' + str(weights))"
    found = platform.hand_in({NAME: nb})
    assert scores(found) == POINTS | {"1.1": 0, "1.2": 0, "1.5": 0}
    assert words(found) == {
        "1.1": "these sum to 1 over everything, not along the axis",
        "1.2": "on a larger input, seed 102, the shape",
        "1.4": SECOND_CHANCE_COMMENT,
        "1.5": "Your code stopped with ValueError when the test called it.\n"
        "in line 2 of entropy: raise ValueError('<script>' + str(weights))",
    }


def test_the_same_files_submitted_again_have_other_random_tests(tmp_path, monkeypatch):
    """Student code could ask the clock for what was learnt from the submission before."""
    monkeypatch.setattr(gradescope_run, "AUTOGRADER_ROOT", tmp_path)
    ids = []
    for number in (7, 8, 7):
        about = {"id": number, "users": [{"id": 33033}, {"id": 33032}]}
        (tmp_path / "submission_metadata.json").write_text(json.dumps(about))
        ids.append(gradescope_run.derive_student_id())
    assert ids == ["student_7_33032_33033", "student_8_33032_33033", "student_7_33032_33033"]


def test_what_holds_no_notebook_of_the_lesson_is_said_and_earns_nothing(platform):
    other = notebook("release", LESSON, sample_released())
    other.cells = other.cells[:1]
    for files, why in (
        ({}, "no notebook was handed in"),
        ({NAME: "not JSON"}, f"{NAME} is not a notebook: it is not JSON (line 1)"),
        ({"other.ipynb": other}, f"{NAME} is missing: found other.ipynb instead"),
        (
            {f"a/{NAME}": sample_solved(), f"b/{NAME}": sample_solved(shares="over everything")},
            f"a/{NAME} and b/{NAME} are the same notebook of the lesson with different answers",
        ),
    ):
        found = platform.hand_in(files)
        assert found and found["score"] == 0 and found["tests"] == [], platform.said
        assert found["output"].startswith(f"Nothing could be graded, so the score is 0: {why}")
        assert found["output"].endswith(f"; hand in {NAME}.")
        assert "Traceback" not in platform.said.stdout + platform.said.stderr
        assert platform.said.returncode == 0


def hostile() -> NotebookNode:
    nb = sample_solved()
    (cell,) = [cell for cell in nb.cells if find_grade_id(cell) == "shares"]
    cell.source = ATTACK
    return nb


def test_student_code_gets_at_no_source_and_no_results_and_leaves_nothing_to_the_next(platform):
    before = (platform.folder / "run_autograder").read_bytes()
    found = platform.hand_in({NAME: hostile()})
    assert scores(found) == POINTS | {"1.1": 0}, found
    assert FORGED not in (platform.folder / "results" / "results.json").read_text()
    assert not (platform.folder / "x").exists() and not (platform.source / "x").exists()
    assert (platform.folder / "run_autograder").read_bytes() == before
    assert scores(platform.hand_in({NAME: sample_solved()})) == POINTS
    assert not (platform.source / "course" / "submitted").exists()


@simulations
def test_without_namespaces_student_code_can_read_none_of_it(platform):
    """What a container without privileges gives."""
    found = platform.hand_in({NAME: hostile()}, "--landlock", "1", "--without", "namespaces")
    assert scores(found) == POINTS | {"1.1": 0}, found
    known = found["extra_data"]["gradebox"]
    assert known["isolation"].startswith("contained by Landlock 1 and system-call rules: ")
    assert known["not_in_force"] is None


@simulations
def test_what_can_not_be_contained_has_no_score_and_instructors_are_told(platform):
    found = platform.hand_in({NAME: hostile()}, "--landlock", "0")
    assert found is None and platform.said.returncode == 1
    why = "the sandbox needs Landlock: Linux was built without Landlock, or is older than 5.13"
    assert f"NOT GRADED: student code can't be contained in this container: {why}" in platform.said.stdout


def test_a_package_that_is_broken_has_no_score_either(platform):
    settings = platform.source / "gradescope.json"
    whole = settings.read_text()
    settings.write_text("{}")
    try:
        assert platform.hand_in({NAME: sample_solved()}) is None
    finally:
        settings.write_text(whole)
    assert platform.said.stdout.splitlines()[-1].startswith("NOT GRADED: error in gradebox, not in the")


def test_a_reference_that_fails_there_has_no_score_and_stops_the_build(platform):
    path = platform.source / "course" / "source" / LESSON / NAME
    whole = path.read_text()
    first = '"def shares(numbers, axis=-1):\\n"'
    assert first in whole
    path.write_text(whole.replace(first, f'"import seaborn_of_nobody\\n", {first}', 1))
    try:
        assert platform.hand_in({NAME: sample_solved()}) is None
        prepared = platform.run("/autograder/venv/bin/python", "-m", "gradebox.lms", "--prepare")
    finally:
        path.write_text(whole)
    assert prepared.returncode == platform.said.returncode == 1
    for said in (prepared.stdout, platform.said.stdout):
        refusal = said.splitlines()[-1]
        assert refusal.startswith(f"NOT GRADED: {LESSON} is not graded: its own reference solution ")
        assert refusal.endswith(": seaborn_of_nobody is not installed here: pip install seaborn_of_nobody")


def test_points_and_words_are_seen_when_the_instructor_says():
    exercise = find_exercises({"shares": sample("source")})[0]
    assert (exercise.number, exercise.title, exercise.possible) == ("1.1", "Shares", 2)
    exercise.words = ["these sum to 1 over everything"]
    (both,) = build_test_entries(exercise, "after_due_date", "after_due_date")
    assert (
        both["score"] == 0 and both["output"] == exercise.words[0] and both["visibility"] == "after_due_date"
    )
    points, said = build_test_entries(exercise, "after_published", "visible")
    assert points["visibility"] == "after_published" and "output" not in points and points["max_score"] == 2
    assert said["visibility"] == "visible" and said["output"] == exercise.words[0]
    assert said["status"] == "failed" and not {"score", "max_score"} & said.keys()
    assert not list(build_test_entries(ExerciseResult("1.6", "Why a root?", written=2), "visible", "visible"))
    # Gradescope would show it as 0/0.
    (free,) = build_test_entries(ExerciseResult("1.7", "Style", tests=exercise.tests), "visible", "visible")
    assert "score" not in free and "max_score" not in free


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="setup.sh is run by the superuser")
def test_setup_makes_an_environment_that_grades(archive, tmp_path):
    """It may install packages of the system: what it changes of the system is thrown away."""
    found = Platform(tmp_path / "autograder", archive, None)
    probe = found.run("true", options=("--overlaid",))
    if probe.returncode:
        pytest.skip(f"no folder can be laid over another here: {probe.stderr.strip().splitlines()[-1]}")
    run = found.run("bash", "/autograder/source/setup.sh", options=("--overlaid",))
    assert run.returncode == 0 and f"{LESSON} can be graded" in run.stdout, run.stdout + run.stderr
    assert (found.source / "course" / "gradebook.db").is_file()
    graded = found.hand_in({NAME: sample_solved(shares="over everything")})
    assert scores(graded) == POINTS | {"1.1": 0}, found.said
    assert str(PROBED.best.in_force) == graded["extra_data"]["gradebox"]["isolation"]

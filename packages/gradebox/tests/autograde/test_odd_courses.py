"""Courses with odd folder names, an old gradebook, two graders at once, or a shared group."""

import json
import shutil
import sqlite3
import stat
import subprocess
from contextlib import closing
from pathlib import Path

import jupytext
import nbgrader
import pytest
from helpers import PROGRAMS, gradebox, run_in, small_lesson, solves, with_settings, write_notebook
from nbformat.v4 import new_notebook
from sqlalchemy import event

from gradebox import app
from gradebox.autograde.discover_submissions import find_submissions
from gradebox.autograde.grade_submissions import autograde_submissions
from gradebox.course import Course
from gradebox.gradebook_transactions import read_schema_version

OLD_GRADEBOOK = Path(nbgrader.__file__).parent / "tests" / "apps" / "files" / "gradebook.db"
OLD = "the gradebook is of an older version of nbgrader: run `nbgrader db upgrade` (it keeps a backup)"
RENAME = "in the name of an assignment; rename the folder"
REFUSED = {
    "hw+4": f"nbgrader does not allow + {RENAME}",
    "hw[3]": f"nbgrader does not allow [ {RENAME}",
    "hw*": f"nbgrader does not allow * {RENAME}",
    "what?": f"nbgrader does not allow ? {RENAME}",
    " hw5": f"nbgrader does not allow a leading or trailing space {RENAME}",
    "hw\n6": f"nbgrader does not allow a line break {RENAME}",
}


def add_lesson(course: Course, name: str) -> Course:
    write_notebook(course.root / "source" / name / "hw.ipynb", small_lesson())
    return Course(course.root)


def hand_in_to(course: Course, assignment: str) -> None:
    write_notebook(course.root / "submitted" / "ann" / assignment / "hw.ipynb", small_lesson())


def all_submissions(course: Course) -> list:
    return list(find_submissions(course, course.assignments, course.students))


@pytest.fixture
def refused(monkeypatch, capsys):
    """Runs a command that ends at once, in this process; returns its exit status and what it prints."""

    def run(course: Course, *command: str) -> tuple[int, str, str]:
        monkeypatch.chdir(course.root)
        monkeypatch.setattr("sys.argv", ["gradebox", *command])
        with pytest.raises(SystemExit) as end:
            app.main()
        return end.value.code, *capsys.readouterr()

    return run


# Names of lesson folders


@pytest.mark.long
def test_refused_names_are_named_and_ignored_names_are_passed_over_by_every_command(small, tmp_path):
    """Both in one course: folders that nbgrader refuses, and folders that match a pattern to ignore."""
    for name in ("later", "later+1", *REFUSED):
        add_lesson(small, name)
        hand_in_to(small, name)
    (small.root / "lessons").mkdir()
    (small.root / "lessons" / "later.py").write_text("# %% this text is not of the notebook\n")
    add_lesson(small, "zz last")
    for name in ("hw", "zz last"):
        hand_in_to(small, name)
    with_settings(small, 'c.CourseDirectory.ignore.append("later*")')
    write_notebook(tmp_path / "bob" / "hw.ipynb", small_lesson())
    archive = shutil.make_archive(str(tmp_path / "handed in"), "zip", tmp_path / "bob")
    lines = {f"source/{name}".replace("\n", "\ufffd") + f" skipped: {why}" for name, why in REFUSED.items()}
    commands = (["release", "--no-check"], ["collect", archive], ["autograde"], ["feedback"], ["export"])
    more = (["solutions"], ["report"], ["audit"], ["publish", str(tmp_path / "public")])
    for command in (*commands, *more, ["forget", "ann", "--yes"], ["doctor"]):
        run = gradebox(small, *command)
        if command[0] not in ("collect", "doctor"):
            # A check without a progress bar writes its steps.
            other = [line for line in run.stderr.splitlines() if "(step " not in line]
            assert (run.returncode, other) == (0, []), (command, run.stdout + run.stderr)
        said = run.stdout.splitlines()
        assert not [line for line in said if "later" in line], (command, run.stdout)
        if command != ["doctor"]:
            assert lines <= set(said), (command, run.stdout)
        assert sum("skipped" in line for line in said) == (len(lines) if command != ["doctor"] else 0)
        if command == ["autograde"]:
            assert "2 graded" in run.stdout and said[-1] == "All submissions are graded."
            assert json.loads((small.root / "incidents.json").read_text()) == []
    assert Course(small.root).assignments == ["hw", "zz last"]
    for folder in ("release", "solutions", "autograded/ann", "feedback/ann"):
        assert not (small.root / folder / "later").exists()
    assert not [path for path in (tmp_path / "public").rglob("*") if "later" in path.name]


NAMED = (
    *(["release"], ["autograde"], ["check"], ["feedback"], ["export"], ["solutions"], ["report"]),
    *(["audit"], ["read", "--no-browser"], ["similar"], ["sync"], ["due"]),
    *(["package", "gradescope"], ["collect", "nowhere.zip", "--assignment"]),
)


def test_such_a_folder_on_the_command_line_is_refused_in_one_sentence(small, refused):
    add_lesson(small, "hw+4")
    for command in NAMED:
        status, out, err = refused(small, *command, "hw+4")
        assert (status, out.strip()) == (1, ""), command
        assert err == f"gradebox: source/hw+4 can't be used: {REFUSED['hw+4']}\n", command


def test_a_text_with_such_a_name_costs_only_itself(small):
    for name in ("hw+4", "later"):
        (small.root / "lessons").mkdir(exist_ok=True)
        jupytext.write(
            new_notebook(cells=small_lesson()), small.root / "lessons" / f"{name}.py", fmt="py:percent"
        )
    run = gradebox(small, "release", "--no-check")
    assert run.returncode == 0 and "later released" in run.stdout, run.stdout + run.stderr
    assert f"source/hw+4 skipped: {REFUSED['hw+4']}" in run.stdout.splitlines()


def test_init_names_the_skipped_folder(small):
    add_lesson(small, "hw+4")
    (small.root / "nbgrader_config.py").write_text("c = get_config()\n")
    assert f"source/hw+4 skipped: {REFUSED['hw+4']}" in run_in(small.root, "gradebox", "init", "--no-check")


# The gradebook


@pytest.mark.long
def test_an_old_gradebook_is_named_with_its_remedy_and_not_changed(small, refused):
    hand_in_to(small, "hw")
    gradebook = small.root / "gradebook.db"
    shutil.copy(OLD_GRADEBOOK, gradebook)
    before = gradebook.read_bytes()
    commands = (["release", "--no-check"], ["autograde"], ["export"], ["due"], ["feedback"])
    for command in (*commands, ["read", "--no-browser"]):
        status, out, err = refused(small, *command)
        assert status and len(err.splitlines()) == 1, (command, out + err)
        assert err.endswith(f"{OLD}\n"), (command, err)
    run = gradebox(small, "doctor")
    said = " ".join(run.stdout.split())
    assert run.returncode == 1 and "gradebook look can't be used" in said and f"gradebook: {OLD}." in said
    assert gradebook.read_bytes() == before
    run_in(small.root, "nbgrader", "db", "upgrade")
    with closing(sqlite3.connect(gradebook)) as connection:
        # A gradebook that gradebox makes has the version that nbgrader's own program gives.
        versions = connection.execute("SELECT version_num FROM alembic_version").fetchall()
    assert versions == [(read_schema_version(),)]
    assert gradebox(small, "release", "--no-check").returncode == 0
    run = gradebox(small, "autograde")
    assert run.returncode == 0 and "1 graded" in run.stdout, run.stdout + run.stderr


def test_a_file_that_is_no_database_is_named_in_one_sentence(small):
    (small.root / "gradebook.db").write_text("grades\n" * 1000)
    run = gradebox(small, "autograde")
    assert run.returncode == 2 and len(run.stderr.splitlines()) == 1, run.stderr
    assert "can't be opened: file is not a database" in run.stderr


@pytest.mark.slow
def test_two_gradings_of_a_new_class_at_once_grade_everybody(small):
    students = [f"student{number}" for number in range(8)]
    for student in students:
        solves(small, student, double="def double(x):\n    return 2 * x")
    start = [PROGRAMS / "gradebox", "autograde", "--workers", "1"]
    runs = [
        subprocess.Popen(start, cwd=small.root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for _ in range(2)
    ]
    for run in runs:
        out, _ = run.communicate(timeout=300)
        assert run.returncode == 0 and "All submissions are graded." in out, out
    with small.gradebook() as gradebook:
        assert {gradebook.find_submission("hw", one).needs_manual_grade for one in students} == {True}
    assert not [path for path in small.root.glob("autograded/*/.*")]


def test_a_student_whom_another_process_adds_during_saving_is_graded(small):
    solves(small, "ann")
    added = []

    @event.listens_for(small.engine, "before_cursor_execute")
    def add_first(connection, cursor, statement, parameters, context, many):
        if statement.startswith("INSERT INTO student ") and not added:
            added.append("ann")
            with closing(sqlite3.connect(small.root / "gradebook.db")) as other, other:
                other.execute("INSERT INTO student (id) VALUES ('ann')")

    (outcome,) = autograde_submissions(small, all_submissions(small), workers=1)
    assert added and outcome.graded and not outcome.problem


def test_an_error_of_the_database_is_not_the_students_fault(small):
    for student in ("ann", "bea"):
        solves(small, student)
    with closing(sqlite3.connect(small.root / "gradebook.db")) as other, other:
        other.execute(
            "CREATE TRIGGER refuse BEFORE INSERT ON submitted_assignment WHEN NEW.student_id = 'ann' "
            "BEGIN SELECT RAISE(ABORT, 'refused'); END"
        )
    ann, bea = autograde_submissions(small, all_submissions(small), workers=1)
    assert bea.graded and not ann.graded
    (incident,) = ann.incidents
    assert incident.kind == "not graded" and "the gradebook can't be written: IntegrityError" in incident.what
    with closing(sqlite3.connect(small.root / "gradebook.db")) as other, other:
        other.execute("DROP TRIGGER refuse")
    assert all(one.problem is None for one in autograde_submissions(small, all_submissions(small)))


# Groups


@pytest.mark.parametrize("shared", [True, False])
def test_graded_folders_have_the_permissions_of_the_course(small, shared):
    course = with_settings(small, f"c.CourseDirectory.groupshared = {shared}")
    path = solves(course, "ann")
    write_notebook(path.parent / "data" / "more.ipynb", [])
    for _ in range(2):
        (outcome,) = autograde_submissions(course, all_submissions(course), force=True, workers=1)
        assert outcome.graded
        graded = course.path("autograded", "hw", "ann")
        folders = [graded, *(one for one in graded.rglob("*") if one.is_dir())]
        modes = {stat.S_IMODE(one.stat().st_mode) for one in folders}
        assert modes == {0o2775 if shared else 0o755}
        files = {stat.S_IMODE(one.stat().st_mode) for one in graded.rglob("*") if one.is_file()}
        assert files == {0o664 if shared else 0o444}
        if shared:
            for one in (graded.parent, graded.parent.parent):
                assert stat.S_IMODE(one.stat().st_mode) == 0o2775

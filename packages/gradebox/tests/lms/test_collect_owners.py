"""The content of a submission never decides whose it is, or how other students' files are read."""

from datetime import datetime
from pathlib import Path

import pytest
from downloads import Upload, canvas, gradescope, write
from helpers import LESSON, gradebox, sample_solved

from gradebox.course import Course, CourseError
from gradebox.lms.collect import collect_submissions
from gradebox.lms.collect_results import CollectResult
from gradebox.notebook_exercises import serialize_notebook

RIGHT = serialize_notebook(sample_solved())
FORGED = serialize_notebook(sample_solved(shares="over everything"))
LIST = "submission_metadata.yml"
# A list that a student has written: the files in submission_1 are the victim's.
OWN_LIST = "submission_1:\n  :submitters:\n  - :name: Vic Tim\n    :sid: victim\n"
MOODLE_NAME, CANVAS_NAME = "Vic Tim_7_assignsubmission_file", "timvic_507_9001"
# Files inside a student's folder, which once made the folder's notebooks the victim's.
INSIDE = {
    "own list": {LIST: OWN_LIST, "submission_1/x.ipynb": FORGED},
    "own list, deeper": {f"a/{LIST}": OWN_LIST, "a/submission_1/x.ipynb": FORGED},
    "Moodle's folders": {f"{MOODLE_NAME}/x{n}.ipynb": FORGED for n in range(8)},
    "Moodle's names": {f"{MOODLE_NAME}_x{n}.ipynb": FORGED for n in range(8)},
    "empty files of Moodle": {f"{MOODLE_NAME}/{n}": "" for n in range(8)} | {"x.ipynb": FORGED},
    "Canvas's names": {f"{CANVAS_NAME}{n}_x.ipynb": FORGED for n in range(8)},
    "empty files of Canvas": {f"{CANVAS_NAME}{n}_x": "" for n in range(8)} | {"x.ipynb": FORGED},
    "id as folder": {"victim/x.ipynb": FORGED},
    "name as folder": {"a/Vic Tim/x.ipynb": FORGED},
    "wide letters": {"\uff36ic Tim/x.ipynb": FORGED},
    "lesson as folder": {f"{LESSON}/victim/x.ipynb": FORGED},
    "id as file": {"victim.ipynb": FORGED},
    "blank in an id": {"x/victim .ipynb": FORGED},
    "id with an ending": {"victim.zip/x.ipynb": FORGED},
}
# Those of them that name a known student. If the folder's own name is not known, a person has to decide.
ASKED = {"id as folder", "name as folder", "wide letters", "lesson as folder", "id as file", "blank in an id"}


@pytest.fixture
def class_list(course: Course) -> Course:
    """The course, with Ada, Bob, Vic, and a numbered Bob for each case of INSIDE. Mallory is unknown."""
    people = [("ada", "Ada", "Byron"), ("bob", "Bob", "Stone"), ("victim", "Vic", "Tim")]
    people += [(f"bob{n}", "Bob", f"Number{n}") for n in range(len(INSIDE))]
    with course.gradebook() as gradebook:
        for id_, first, last in people:
            gradebook.update_or_create_student(id_, first_name=first, last_name=last)
    return course


def collect(course: Course, path: Path, platform: str | None = None) -> list[CollectResult]:
    return collect_submissions(course, path, platform)[1]


def notebooks(course: Course) -> dict[str, set[str]]:
    """The notebooks of each student in submitted/."""
    found: dict[str, set[str]] = {}
    for path in (course.root / "submitted").rglob("*.ipynb"):
        student = path.relative_to(course.root / "submitted").parts[0]
        found.setdefault(student, set()).add(path.read_text())
    return found


@pytest.mark.parametrize("around", ["", "inbox/", f"inbox/{LESSON}/"])
def test_names_inside_a_folder_identify_no_owner(class_list, tmp_path, around):
    files = {f"{around}ada/hw.ipynb": RIGHT, f"{around}victim/hw.ipynb": RIGHT}
    for number, inside in enumerate(INSIDE.values()):
        for student in ("bob", "mallory"):
            files |= {f"{around}{student}{number}/{name}": text for name, text in inside.items()}
    platform, rows = collect_submissions(class_list, write(tmp_path / "a.zip", files))
    found = notebooks(class_list)
    assert platform == "folders" and found.pop("ada") == found.pop("victim") == {RIGHT}
    asked = [row for row in rows if row.problem and "is not a known student's: import" in row.remarks[0]]
    unclear = {f"mallory{n}" for n, name in enumerate(INSIDE) if name in ASKED}
    assert {row.file.removeprefix(around).split("/")[0] for row in asked} == unclear
    known = {f"{student}{n}" for n in range(len(INSIDE)) for student in ("bob", "mallory")}
    assert found == dict.fromkeys(known - unclear, {FORGED})


@pytest.mark.parametrize("inside", INSIDE.values(), ids=INSIDE)
@pytest.mark.parametrize(("student", "platform"), [("bob", None), ("mallory", "folders")])
def test_a_single_submission_is_never_another_students(class_list, tmp_path, inside, student, platform):
    files = {f"{student}/{name}": text for name, text in inside.items()}
    rows = collect(class_list, write(tmp_path / "a.zip", files), platform)
    found = notebooks(class_list)
    assert rows and "victim" not in found and (student != "bob" or found == {"bob": {FORGED}})


def test_a_folder_around_one_student_or_around_files_needs_a_person(class_list, tmp_path):
    """The folder around all files may be a student's whom nobody knows."""
    for number, name in enumerate(("who/ada/x.ipynb", "who/ada.ipynb", "a/b/c/x.ipynb")):
        (row,) = collect(class_list, write(tmp_path / f"{number}.zip", {name: RIGHT}))
        assert row.problem and ("roster" in row.remarks[0] or "contain all files" in row.remarks[0]), name
    assert not notebooks(class_list)
    files = {"who/ada.ipynb": RIGHT, "who/bob.ipynb": RIGHT, "who/new.ipynb": FORGED}
    rows = {row.student: row for row in collect(class_list, write(tmp_path / "flat.zip", files))}
    assert notebooks(class_list) == {"ada": {RIGHT}, "bob": {RIGHT}} and rows["?"].problem
    collect(class_list, write(tmp_path / "new.zip", {"new 1/x.ipynb": RIGHT, "new 2/x.ipynb": RIGHT}))
    assert {"new 1", "new 2"} <= notebooks(class_list).keys()


REAL = {"ada.ipynb": RIGHT, "bob.ipynb": RIGHT}
MIXED = {
    "files of Moodle": REAL | {f"{MOODLE_NAME}_x{n}.ipynb": FORGED for n in range(8)},
    "empty files of Moodle": REAL | {f"{MOODLE_NAME}_{n}": "" for n in range(8)},
    "files of Canvas": REAL | {f"{CANVAS_NAME}{n}_x.ipynb": FORGED for n in range(8)},
    "Moodle and Canvas": {f"{MOODLE_NAME}/x.ipynb": FORGED, f"{CANVAS_NAME}_x.ipynb": FORGED},
    "Gradescope and folders": {"ada/x.ipynb": RIGHT, LIST: OWN_LIST, "submission_1/x.ipynb": FORGED},
    "Gradescope and Moodle": {f"e/{LIST}": "", "e/submission_1/x": "", f"e/{MOODLE_NAME}/x.ipynb": FORGED},
}


@pytest.mark.parametrize("files", MIXED.values(), ids=MIXED)
def test_a_mixture_of_formats_is_refused(class_list, tmp_path, files):
    path = write(tmp_path / "a.zip", files)
    with pytest.raises(CourseError, match="have the formats of .*: name one with --from$"):
        collect(class_list, path)
    assert not notebooks(class_list)
    collect(class_list, path, "folders")
    assert "victim" not in notebooks(class_list)


def test_only_the_outermost_part_is_a_platforms(class_list, tmp_path):
    own = "Bob Stone_1_assignsubmission_file"
    files = {f"{own}/{folder}/x.ipynb": FORGED for folder in ("submission_1", MOODLE_NAME, "victim")}
    files |= {f"{own}/{LIST}": OWN_LIST, "Ada Byron_2_assignsubmission_file/x.ipynb": RIGHT}
    assert collect_submissions(class_list, write(tmp_path / "m.zip", files))[0] == "moodle"
    assert notebooks(class_list) == {"bob": {FORGED}, "ada": {RIGHT}}
    path = canvas(tmp_path / "c.zip", [Upload("Stone, Bob", 501, "x.ipynb", FORGED, 9001)])
    files = {f"other/{CANVAS_NAME}_x.ipynb": FORGED, path.name: path.read_bytes()}
    files |= {f"stonebob_501_9002_507_9_{LIST}": OWN_LIST}
    rows = collect(class_list, write(tmp_path / "d.zip", files), "canvas")
    assert {row.student for row in rows if row.file.startswith("other")} == {"?"}
    assert "victim" not in notebooks(class_list)


def nest(levels: int) -> str:
    """A text of YAML in which each value has the one before ten times."""
    lines = ["submission_0: &a0 [xxxxxxxxxx, xxxxxxxxxx]"]
    for n in range(levels):
        lines.append(f"submission_{n + 1}: &a{n + 1} [{', '.join([f'*a{n}'] * 10)}]")
    return "\n".join(lines)


EXPANDING = {
    "bomb": nest(9),
    "bomb in a name": f"{nest(9)}\nsubmission_12:\n  :submitters:\n  - :name: *a9\n",
    "one alias": "submission_1: &a {}\nsubmission_2: *a\n",
    "merge": "x: &x {':sid': a}\nsubmission_1:\n  <<: *x\n",
    "circle": "&a [*a]",
    "deep list": "[" * 100_000,
    "deep dictionary": "{a: " * 1000,
    "deep block": "\n".join(" " * n + "a:" for n in range(1000)),
    "not a dictionary": "- a",
    "not YAML": "a: [",
    "not UTF-8": b"\xff\xfe\xfa",
    "tag of a program": "a: !!python/object/apply:os.system [x]\nb: *c",
}


@pytest.mark.parametrize("text", EXPANDING.values(), ids=EXPANDING)
def test_a_list_that_expands_is_refused_at_the_top_and_not_read_below(class_list, tmp_path, text):
    files = {f"e/{LIST}": text, "e/submission_1/x.ipynb": RIGHT}
    with pytest.raises(CourseError, match="can't be read: not a Gradescope list of submissions"):
        collect(class_list, write(tmp_path / "a.zip", files))
    times = {1: datetime(2026, 11, 20)}
    path = gradescope(tmp_path / "b.zip", [Upload("B", 1, "x.ipynb", RIGHT)], times, {"B": "bob"})
    with_list = write(tmp_path / "c.zip", {f"ada/{LIST}": text, "ada/x.ipynb": RIGHT, "bob/x.ipynb": RIGHT})
    assert collect_submissions(class_list, path)[0] == "gradescope"
    assert not any(row.problem for row in collect(class_list, with_list))


SUBMITTERS = {
    "list as a name": "[{':name': [victim]}]",
    "dictionary as an id": "[{':sid': {victim: victim}}]",
    "text": "victim",
    "list of texts": "[victim]",
    "nobody": "[]",
    "empty fields": "[{':name': '', ':sid': '', ':email': ''}]",
    "long name": f"[{{':name': {'victim' * 100}}}]",
}


def test_a_value_that_is_no_short_text_names_nobody(class_list, tmp_path):
    lines = [f"submission_{n}:\n  :submitters: {text}" for n, text in enumerate(SUBMITTERS.values())]
    lines += [
        "submission_98:\n  :submitters: [{':sid': 0123}]",
        "submission_99:\n  :submitters: [{':sid': ada}]",
    ]
    lines += ["../ada:\n  :submitters: [{':sid': victim}]", "ada:\n  :submitters: [{':sid': victim}]"]
    folders = [*range(len(SUBMITTERS)), 98, 99]
    names = [*(f"submission_{n}" for n in folders), "ada"]
    files = {f"e/{name}/x.ipynb": RIGHT for name in names} | {f"e/{LIST}": "\n".join(lines)}
    path = write(tmp_path / "a.zip", files)
    rows = collect(class_list, path, "gradescope")
    assert notebooks(class_list) == {"ada": {RIGHT}, "0123": {RIGHT}}
    assert len([row for row in rows if row.student == "?" and row.problem]) == len(SUBMITTERS) + 1
    run = gradebox(class_list, "collect", str(path), "--from", "gradescope")
    assert run.returncode == 1 and "does not name the owner of" in run.stdout
    for lists in ({}, {f"e/{LIST}": OWN_LIST}):
        with pytest.raises(CourseError, match=f"expected one {LIST} at the top"):
            collect(class_list, write(tmp_path / "b.zip", {"submission_1/x": "", **lists}), "gradescope")

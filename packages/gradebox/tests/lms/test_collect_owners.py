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
    shown = "".join(line.replace("│", "").strip() for line in run.stdout.splitlines() if "│" in line)
    assert run.returncode == 1 and "not taken" in shown and "e/submission_0/x.ip" in shown, run.stdout
    assert "does not name the owner of" in (class_list.root / "downloaded" / "collected.csv").read_text()
    for lists in ({}, {f"e/{LIST}": OWN_LIST}):
        with pytest.raises(CourseError, match=f"expected one {LIST} at the top"):
            collect(class_list, write(tmp_path / "b.zip", {"submission_1/x": "", **lists}), "gradescope")


# Names, numbers, ids and addresses that are almost a student's

PEOPLE = (
    ("lm1", "Lena", "Meier", "lm@x", "501"),
    ("jane", "Jane", "Doe", "jane@x", "502"),
    ("jose", "José", "García", "", ""),
    ("ram", "राम", "शर्मा", "", ""),
    ("jdoe1", "Janet", "Dow", "", ""),
    ("m.11", "Mia", "Eleven", "", ""),
    ("no-mail", "Nora", "Ng", "", ""),
)
MOODLE, SUBMISSION = "{}_assignsubmission_file/x.ipynb", "e/submission_{}/x.ipynb"


def export_list(*owners: tuple[str, str, str]) -> dict[str, str | None]:
    """Return Gradescope's list of submissions of owners: names, ids and addresses."""
    lines = [
        f"submission_{n}:\n  :submitters:\n  - {{':name': '{name}', ':sid': '{sid}', ':email': '{email}'}}"
        for n, (name, sid, email) in enumerate(owners)
    ]
    return {f"e/{LIST}": "\n".join(lines)}


# For each file, the student, or None if a person has to decide. A list is the content of Gradescope's list.
ALMOST: dict[str, dict[str, str | None]] = {
    "name after a hyphen": {MOODLE.format("Eve-Lena Meier_4711"): None},
    "name after a hyphen, and the name": {
        MOODLE.format("Eve-Lena Meier_4711"): None,
        MOODLE.format("Lena Meier_12"): "lm1",
    },
    "one student's name twice": {
        MOODLE.format("Lena Meier_4711"): None,
        MOODLE.format("lena meier_12"): None,
    },
    "vowel signs": {MOODLE.format("रमा शर्मा_1"): "रमा शर्मा", MOODLE.format("राम शर्मा_2"): "ram"},
    "id as a name": {MOODLE.format("j doe1_1"): "j doe1", MOODLE.format("Janet Dow_2"): "jdoe1"},
    "id as an exact name": {MOODLE.format("jdoe1_1"): "jdoe1 1"},
    "no accents": {MOODLE.format("Jose Garcia_1"): "jose"},
    "no accents, and accents": {
        MOODLE.format("Jose Garcia_1"): None,
        MOODLE.format("José García_2"): "jose",
    },
    "no accents, and another with accents": export_list(("Jose Garcia", "", ""), ("José García", "x", ""))
    | {SUBMISSION.format(0): None, SUBMISSION.format(1): None},
    "other number of Canvas": {"doejane_999_1_x.ipynb": None},
    "other and own number of Canvas": {"doejane_999_1_x.ipynb": None, "doejane_502_2_x.ipynb": "jane"},
    "number of another student of Canvas": {"doejane_501_1_x.ipynb": "lm1"},
    "no number known in Canvas": {"ngnora_700_1_x.ipynb": "no-mail"},
    "two numbers in Canvas": {"ngnora_700_1_x.ipynb": None, "ngnora_701_2_x.ipynb": None},
    "other address": export_list(("Jane Doe", "", "eve@x")) | {SUBMISSION.format(0): None},
    "other id": export_list(("Nora Ng", "eve", "eve@x")) | {SUBMISSION.format(0): None},
    "id of one and address of another": export_list(("Jane Doe", "lm1", "jane@x"))
    | {SUBMISSION.format(0): None},
    "name and address": export_list(("Jane Doe", "", "eve@x"), ("J. D.", "", "JANE@x"))
    | {SUBMISSION.format(0): None, SUBMISSION.format(1): "jane"},
    "punctuation of ids": {"m1.1/x.ipynb": "m1.1", "m.11/x.ipynb": "m.11", "M.11/x.ipynb": None},
    "case of ids": {"M.11/x.ipynb": "m.11", "lm1/x.ipynb": "lm1"},
    "id and name of folders": {"jane/x.ipynb": "jane", "Jane Doe/x.ipynb": None},
    "backslash in Canvas": {"evileve_777_888_x\\doejane_502_999_x.ipynb": "evileve"},
    "backslash at the start": {"evileve_777_888_\\doejane_502_999_x.ipynb": "evileve"},
    "backslash in Moodle": {
        "Eve Evil_7_assignsubmission_file_x\\Jane Doe_8_assignsubmission_file_x.ipynb": "Eve Evil"
    },
    "backslash in a folder": {"jane\\lm1.ipynb": "jane"},
    "backslashes of Windows": {"in\\jane\\x.ipynb": "jane", "in\\lm1\\hw\\x.ipynb": "lm1"},
    "backslashes of Windows in Canvas": {
        "in\\doejane_502_9_x.ipynb": "jane",
        "in\\meierlena_501_8_x.ipynb": "lm1",
    },
    "backslash and slash": {
        "in/jane/x.ipynb": "jane",
        "in/lm1/x.ipynb": "lm1",
        "in/eve\\jose.ipynb": None,
    },
}


@pytest.mark.parametrize("expected", ALMOST.values(), ids=ALMOST)
def test_a_file_is_a_students_only_without_contradiction(course, tmp_path, expected):
    with course.gradebook() as gradebook:
        for id_, first, last, email, number in PEOPLE:
            gradebook.update_or_create_student(
                id_, first_name=first, last_name=last, email=email, lms_user_id=number or None
            )
    files = {name: text if name.endswith(LIST) else RIGHT for name, text in expected.items()}
    rows = collect(course, write(tmp_path / "a.zip", files))
    wanted = {name: student for name, student in expected.items() if not name.endswith(LIST)}
    found = {row.file: None if row.problem else row.student for row in rows}
    windows = {name: name.replace("\\", "/") for name in wanted if name.startswith(("in\\", "jane\\", "Eve"))}
    assert found == {windows.get(name, name): student for name, student in wanted.items()}, rows
    assert notebooks(course).keys() == set(filter(None, wanted.values()))
    folded = [row for row in rows if "matched by the name without accents" in row.remarks]
    assert bool(folded) == (wanted == {MOODLE.format("Jose Garcia_1"): "jose"})


def test_a_groups_number_stays_the_groups(class_list, tmp_path):
    """The number of a group can be the number of a student. Each is found again."""
    ada, team = (MOODLE.format(name) for name in ("Ada Byron_77", "Team A_77"))
    for name in (ada, team, ada, team):
        (row,) = collect(class_list, write(tmp_path / "a.zip", {name: RIGHT}))
        assert (row.student, row.problem) == ("ada" if name == ada else "Team A", False)
    (row,) = collect(class_list, write(tmp_path / "a.zip", {MOODLE.format("Bob Stone_77"): FORGED}))
    assert row.problem and "the number of ada" in row.remarks[0]

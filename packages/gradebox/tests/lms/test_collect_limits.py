"""A submission that expands, or has very many files, costs little and nobody else's work."""

import io
import os
import re
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from downloads import write
from helpers import LESSON, gradebox, sample_solved

from gradebox.course import Course
from gradebox.lms.collect import collect_submissions
from gradebox.lms.collect_results import IMPORTED, NOT_IMPORTED, CollectResult
from gradebox.notebook_exercises import serialize_notebook
from gradebox.submission_archives import HARMLESS_SIZE, MAX_EXPANSION

BLANKS = " " * 2 * HARMLESS_SIZE


@cache
def right() -> str:
    """A notebook with right answers."""
    return serialize_notebook(sample_solved())


def zipped(files: dict[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def later() -> bytes:
    return zipped({"hw.ipynb": right(), **{f"{n}/x": b" " * (HARMLESS_SIZE // 2) for n in range(3)}})


def deep() -> bytes:
    return zipped({"hw.ipynb": right()} | {"d/" * 18 + str(n): "" for n in range(9_000)})


def encrypted() -> bytes:
    raw = bytearray(zipped({"hw.ipynb": right()}))
    for start, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        raw[raw.index(start) + offset] |= 1
    return bytes(raw)


def collect(course: Course, path: Path, platform: str | None = None) -> list[CollectResult]:
    return collect_submissions(course, path, platform)[1]


EXPANDS = "unpacks to more than 100 times its size"
SINGLE = f"{EXPANDS}; ask for the notebook itself"
# What makes the files of a student, and the reason why none of them is taken.
REFUSED: dict[str, tuple[Callable[[], dict[str, str | bytes]], str]] = {
    "blanks": (lambda: {"hw.ipynb": BLANKS}, EXPANDS),
    "blanks in a notebook": (lambda: {"hw.ipynb": right().rstrip()[:-1] + BLANKS + "}"}, EXPANDS),
    "blanks in a cut notebook": (lambda: {"hw.ipynb": '{"cells": [' + BLANKS}, EXPANDS),
    "blanks in a text": (lambda: {"notes.txt": BLANKS}, "is not a notebook"),
    "blanks in an archive": (lambda: {"hw.zip": zipped({"hw.ipynb": BLANKS})}, SINGLE),
    "several blanks in an archive": (lambda: {"hw.zip": later()}, SINGLE),
    "many entries": (
        lambda: {"hw.zip": zipped({"hw.ipynb": right(), **{f"d/{n}": "" for n in range(20_000)}})},
        "holds more than 10,000 files; ask for the notebook itself",
    ),
    "encrypted": (
        lambda: {"hw.zip": encrypted()},
        "can't be read: hw.ipynb is encrypted; ask for the notebook",
    ),
    "bzip2": (
        lambda: {"hw.zip": zipped({"hw.ipynb": right()}, zipfile.ZIP_BZIP2)},
        "pack it again as an ordinary",
    ),
    "archive in an archive": (
        lambda: {"hw.zip": zipped({"hw.zip": later()})},
        "is an archive without a notebook",
    ),
    "cells": (
        lambda: {"hw.ipynb": '{"nbformat": 4, "cells": [' + "{}," * 20_000 + "{}]}"},
        "than 10,000 cells",
    ),
    "lists": (
        lambda: {"hw.ipynb": '{"nbformat": 4, "cells": [' + "[]," * 2_000_000 + "[]]}"},
        "2,000,000 JSON",
    ),
    "deep path": (
        lambda: {"hw.zip": zipped({"hw.ipynb": right(), ("d" * 240 + "/") * 18 + "x.py": "1"})},
        "holds a path of more than 1,000 bytes; ask for the notebook itself",
    ),
    "many entries of many archives": (
        lambda: dict.fromkeys((f"{n}.zip" for n in range(6)), deep()),
        "is one of 6 archives of the submission that hold together more than 50,000 files and folders",
    ),
    "many hidden entries": (
        lambda: dict.fromkeys((f"{n}.zip" for n in range(6)), zipped({f".x/{n}": "" for n in range(9_000)})),
        "is one of 6 archives of the submission that hold together more than 50,000 files and folders",
    ),
}


@pytest.mark.slow
def test_expanding_submissions_cost_little_and_nobody_else(course, tmp_path, monkeypatch):
    """All are in one export. The number of bytes that are unpacked stays near that of the download."""
    files = {
        f"{student}_{number}_assignsubmission_file/{name}": content
        for number, (student, (own, _)) in enumerate(REFUSED.items(), start=1)
        for name, content in own().items()
    }
    for student in ("Ada", "Zoe"):
        files[f"{student}_9{len(student)}_assignsubmission_file/hw.ipynb"] = right()
    path = write(tmp_path / "all.zip", files)
    unpacked, read = [], zipfile.ZipExtFile.read

    def count(file: zipfile.ZipExtFile, size: int | None = -1) -> bytes:
        found = read(file, size)
        unpacked.append(len(found))
        return found

    monkeypatch.setattr(zipfile.ZipExtFile, "read", count)
    rows = collect(course, path, "moodle")
    problems = {row.student: row.remarks[0] for row in rows if row.problem}
    assert problems.keys() == REFUSED.keys() and len(rows) == len(REFUSED) + 2
    wrong = {name: said for name, (_, said) in REFUSED.items() if said not in problems[name]}
    assert not wrong, {name: problems[name] for name in wrong}
    assert {row.student for row in rows if row.what == IMPORTED and not row.problem} == {"Ada", "Zoe"}
    # Small files are read twice at most. Of the large files, nothing is unpacked.
    assert sum(unpacked) < 2 * len(BLANKS)


def test_the_files_of_a_submission_have_a_limit_together(course, tmp_path):
    """Each file alone is small enough to be read."""
    part = " " * (HARMLESS_SIZE - 100_000)
    files = {f"Mal_1_assignsubmission_file/{n}.ipynb": f"{part}{right()}" for n in range(8)}
    files |= {f"Mal_1_assignsubmission_file/{n}.zip": zipped({"hw.ipynb": part + right()}) for n in range(8)}
    files["Ada_2_assignsubmission_file/hw.ipynb"] = right()
    path = write(tmp_path / "a.zip", files)
    assert path.stat().st_size < 16 * HARMLESS_SIZE / MAX_EXPANSION
    rows = collect(course, path)
    refused = [row.remarks[0] for row in rows if row.what == NOT_IMPORTED]
    assert len(refused) >= 12 and all("100 MB" in said or "100 times" in said for said in refused)
    assert "Ada" in {row.student for row in rows if row.what == IMPORTED}


def test_many_files_need_few_rows(course, tmp_path):
    files = {f"mal/{n}.csv": "1" for n in range(1_200)} | {f"eve/{n}.ipynb": "{" for n in range(300)}
    files |= {f"sam/{n}.ipynb": right().replace("shares", f"shares{n}") for n in range(30)}
    files["ada/hw.ipynb"] = right()
    path = write(tmp_path / "a.zip", files)
    run = gradebox(course, "collect", str(path))
    assert run.returncode == 1 and len(run.stdout.splitlines()) < 100, run.stdout[-3000:] + run.stderr
    shown = " ".join(re.sub("[│┃]", " ", run.stdout).split())
    for said in ("and 1195 more", "and 295 more", "is one of 30 different", "1 taken"):
        assert said in shown, said
    assert {path.name for path in (course.root / "submitted").glob(f"*/{LESSON}/*.ipynb")} == {"shares.ipynb"}
    assert {path.name for path in (course.root / "submitted").iterdir()} == {"ada"}


def test_odd_names_are_stored_or_named(course, tmp_path):
    inbox = tmp_path / "in"
    names = ["\u202egnp.ipynb", "a\nb.ipynb", "\x1b[2J.ipynb", "é" * 120 + ".ipynb", "CON.ipynb", "-rf.ipynb"]
    names += ["[red]x[red].ipynb", " .ipynb", "x.ipynb ", os.fsdecode(b"\xff\xfe.ipynb")]
    for number, name in enumerate(names):
        folder = inbox / f"s{number}"
        folder.mkdir(parents=True)
        (folder / name).write_text(right())
    for name in (os.fsdecode(b"\xff student"), "new\nline", "=1+1", "..x", "x" * 200):
        (inbox / name).mkdir()
        (inbox / name / "hw.ipynb").write_text(right())
    run = gradebox(course, "collect", str(inbox))
    assert "Traceback" not in run.stderr and "\x1b[2J" not in run.stdout and "14 taken" in run.stdout, run
    assert len(list((course.root / "submitted").glob(f"*/{LESSON}/shares.ipynb"))) == 14


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_file_that_is_in_the_download_twice_is_not_chosen_between(course, tmp_path):
    path = write(tmp_path / "a.zip", {"ada/hw.ipynb": right(), "bob/hw.ipynb": right()})
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("ada/hw.ipynb", "{}")
    rows = {row.student: row for row in collect(course, path)}
    assert rows["bob"].what == IMPORTED and rows["ada"].problem and "twice" in rows["ada"].remarks[0]


def test_a_file_that_cannot_be_written_costs_no_other_file(course, tmp_path):
    """Long names are stored if the file system allows, and replaced, too."""
    deep = ("d" * 240 + "/") * 18
    files = {
        "ada/hw.ipynb": right(),
        "bob/hw.ipynb": right(),
        f"bob/{'e' * 250}.py": "1",
        f"bob/x.{'e' * 250}": "1",
        f"bob/{'e' * 300}.py": "1",
        f"bob/{deep}x.py": "1",
        "bob/last.py": "1",
        "eve/hw.ipynb": right(),
        "zoe/hw.ipynb": right(),
    }
    path = write(tmp_path / "a.zip", files)
    # A file is where the folder of a student's lesson would be.
    (course.root / "submitted" / "eve").write_text("")
    rows = collect(course, path)
    submitted = {name: course.path("submitted", LESSON, name) for name in ("ada", "bob", "zoe")}
    assert all((folder / "shares.ipynb").is_file() for folder in submitted.values())
    refused = {row.file: row.remarks[0] for row in rows if row.problem}
    assert refused.keys() == {"eve/hw.ipynb", f"bob/{'e' * 300}.py", f"bob/{deep}x.py"}
    assert "1,000 bytes" in refused[f"bob/{deep}x.py"] and "too long" in refused[f"bob/{'e' * 300}.py"]
    long = [submitted["bob"] / f"{'e' * 250}.py", submitted["bob"] / f"x.{'e' * 250}"]
    for one in long:
        assert one.read_text() == "1"
        one.write_text("2")
    rows = collect_submissions(course, path, force=True, students=["bob"])[1]
    assert [one.read_text() for one in long] == ["1", "1"]
    assert sorted(row.what for row in rows if row.file.endswith("e" * 200)) == ["replaced"]

"""Archives of students are read with limits, and refused in one clause."""

import io
import os
import stat
import struct
import zipfile

import pytest

from gradebox import submission_archives
from gradebox.safe_submission_files import (
    MAX_SUBMITTED_FILES,
    MAX_TOTAL_SIZE,
    UnreadableSubmissionError,
    read_files,
)
from gradebox.submission_archives import HARMLESS_SIZE, read_archive, read_submitted_file, unpack_archives

BLANKS = b" " * (4 * HARMLESS_SIZE)


def make_zip(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED, link: bool = False) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            info.external_attr = (stat.S_IFLNK if link else stat.S_IFREG) << 16
            archive.writestr(info, content)
    return made.getvalue()


def encrypted() -> bytes:
    raw = bytearray(make_zip({"hw.ipynb": b"{}"}))
    for start, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        struct.pack_into("<H", raw, raw.index(start) + offset, 1)
    return bytes(raw)


def wrong_size() -> bytes:
    """A zip whose directory gives a size for a bomb that is allowed."""
    raw = bytearray(make_zip({"hw.ipynb": BLANKS}))
    for start, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        struct.pack_into("<L", raw, raw.index(start) + offset, 1000)
    return bytes(raw)


def million_entries() -> bytes:
    """A zip whose directory has the same entry a million times."""
    raw = make_zip({"x": b""})
    start, end = raw.index(b"PK\x01\x02"), raw.index(b"PK\x05\x06")
    directory = raw[start:end] * 10**6
    closing = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, len(directory), start, 0)
    return raw[:start] + directory + closing


def half(raw: bytes) -> bytes:
    return raw[: len(raw) // 2]


GOOD = {"hw/hw.ipynb": b"{}", "hw/data/x.csv": b"1,2"}
JUNK = {"__MACOSX/hw/._hw.ipynb": b"x", ".git/config": b"x", "hw/.DS_Store": b"x"}
REFUSED = {
    "leads out": (
        lambda: make_zip({"../hw.ipynb": b""}),
        "holds ../hw.ipynb, a path that leads out of the archive",
    ),
    "windows": (lambda: make_zip({"..\\..\\hw.ipynb": b""}), "holds ../../hw.ipynb, a path that leads out"),
    "link": (lambda: make_zip({"hw.ipynb": b"/etc/passwd"}, link=True), "can't be read: hw.ipynb is a link"),
    "encrypted": (lambda: encrypted(), "can't be read: hw.ipynb is encrypted"),
    "cut": (lambda: half(make_zip(GOOD)), "can't be unpacked: the archive is damaged"),
    "words": (lambda: b"words", "can't be unpacked: the archive is damaged"),
    "bomb": (lambda: make_zip({"x": BLANKS}), "unpacks to more than 100 times its size"),
    "bombs": (
        lambda: make_zip({str(n): BLANKS[: HARMLESS_SIZE // 3] for n in range(4)}),
        "more than 100 times",
    ),
    "bzip2": (lambda: make_zip({"x": BLANKS}, zipfile.ZIP_BZIP2), "unpacks to more than 100 times its size"),
    "small bzip2": (
        lambda: make_zip({"hw.ipynb": b"{}"}, zipfile.ZIP_BZIP2),
        "hw.ipynb can't be unpacked here: pack it again as an ordinary .zip",
    ),
    "lzma": (lambda: make_zip({"hw.ipynb": b"{}"}, zipfile.ZIP_LZMA), "pack it again as an ordinary .zip"),
    "large": (
        lambda: make_zip({"x": bytes(MAX_TOTAL_SIZE + 1)}, zipfile.ZIP_STORED),
        "holds more than 100 MB of files",
    ),
    "size that is too small": (lambda: wrong_size(), "can't be read: hw.ipynb can't be unpacked"),
    "million entries": (lambda: million_entries(), "holds more than 50,000 files and folders"),
    "case": (lambda: make_zip({"hw/Data.csv": b"", "hw/data.csv": b""}), "are one name on macOS and Windows"),
    "case of folders": (lambda: make_zip({"HW/x": b"", "hw/y": b""}), "HW and hw are one name"),
    "accents": (lambda: make_zip({"\u00e9.csv": b"", "e\u0301.csv": b""}), "one name on macOS and Windows"),
    "file and folder": (lambda: make_zip({"hw": b"", "hw/x": b""}), "holds hw/x twice"),
    "folder and file": (lambda: make_zip({"hw/x": b"", "hw": b""}), "holds hw twice"),
    "deep": (lambda: make_zip({"d/" * 30 + "x": b""}), "holds more than 20 levels of folders"),
    "long": (lambda: make_zip({"x" * 300: b""}), "holds a file name that is too long"),
}


def test_files_are_read_without_junk():
    assert read_archive(make_zip(GOOD | JUNK)) == GOOD
    assert unpack_archives({"a.ZIP": make_zip(GOOD)}).keys() == {f"a.ZIP/{name}" for name in GOOD}


@pytest.mark.parametrize(("make", "said"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_safe_is_refused_in_one_clause(make, said):
    raw = make()
    with pytest.raises(UnreadableSubmissionError) as refusal:
        read_archive(raw)
    assert said in str(refusal.value) and "\n" not in str(refusal.value)
    with pytest.raises(UnreadableSubmissionError, match="^sub/a"):
        unpack_archives({"sub/a.zip": raw})


def test_too_many_files_are_refused(monkeypatch):
    monkeypatch.setattr(submission_archives, "MAX_SUBMITTED_FILES", 3)
    with pytest.raises(UnreadableSubmissionError, match="holds more than 3 files"):
        read_archive(make_zip({str(n): b"" for n in range(4)}))
    assert MAX_SUBMITTED_FILES == 10_000


def test_several_archives_share_the_limits(monkeypatch):
    part = os.urandom(MAX_TOTAL_SIZE // 3)
    with pytest.raises(UnreadableSubmissionError, match="^3.zip brings the submission to more than 100 MB"):
        unpack_archives({f"{n}.zip": make_zip({"x": part}, zipfile.ZIP_STORED) for n in range(4)})
    monkeypatch.setattr(submission_archives, "MAX_SUBMITTED_FILES", 3)
    with pytest.raises(UnreadableSubmissionError, match="brings the submission to more than 3 files"):
        unpack_archives({f"{n}.zip": make_zip({"x": b"", "y": b""}) for n in range(2)})


def test_an_archive_beside_a_notebook_is_data():
    files = {"hw.IPYNB": b"{}", "a.zip": make_zip(GOOD)}
    assert unpack_archives(files) == files
    assert unpack_archives({"a.zip": files["a.zip"], "notes.txt": b"x", "__MACOSX/a.ipynb": b"x"}) == {
        "__MACOSX/a.ipynb": b"x",
        "a.zip/hw/hw.ipynb": b"{}",
        "a.zip/hw/data/x.csv": b"1,2",
        "notes.txt": b"x",
    }


@pytest.mark.parametrize("names", [("Data.csv", "data.csv"), ("\u00e9/x", "e\u0301/y")])
def test_a_folder_with_names_that_are_one_elsewhere_is_refused(tmp_path, names):
    for name in names:
        path = tmp_path / "ann" / "hw" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    if len(os.listdir(tmp_path / "ann" / "hw")) > 1:
        with pytest.raises(UnreadableSubmissionError, match="are one name on macOS and Windows: rename one"):
            dict(read_files(tmp_path / "ann" / "hw"))


def test_a_file_in_an_archive_is_read_by_its_path(tmp_path, monkeypatch):
    folder = tmp_path / "ann" / "hw"
    folder.mkdir(parents=True)
    (folder / "a.zip").write_bytes(make_zip(GOOD))
    assert read_submitted_file(folder / "a.zip" / "hw" / "data" / "x.csv", folder=folder) == b"1,2"
    for name, said in (("a.zip/no.csv", "is not in the archive"), ("b.zip/x.csv", "can't be opened")):
        with pytest.raises(UnreadableSubmissionError, match=said):
            read_submitted_file(folder / name, folder=folder)
    monkeypatch.setattr("gradebox.submission_archives.MAX_NOTEBOOK_SIZE", 2)
    with pytest.raises(UnreadableSubmissionError, match="has more than 2 bytes"):
        read_submitted_file(folder / "a.zip/hw/data/x.csv", folder)

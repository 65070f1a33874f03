"""The files of a course that are a student's, or have something of one in them. Links are never followed."""

import os
import shutil
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from gradebox.atomic_write import write_atomically
from gradebox.course import Course
from gradebox.erasure.redact_tables import REDACTORS, RedactedText, RedactionError, redact_content
from gradebox.erasure.student_identity import StudentIdentity
from gradebox.printable_text import format_count

STUDENT_STEPS = ("submitted", "autograded", "feedback")
# What was downloaded; in it, what was collected before; and what was written for learning platforms.
DOWNLOADED, REPLACED, EXPORTS = "downloaded", "replaced", "exports"


def find_student_folders(course: Course, student: str) -> Iterator[Path]:
    """A student's own folders, as far as there are such. What is called so may be a link."""
    places = [course.path(step, "x", student).parent for step in STUDENT_STEPS]
    for folder in (*places, course.root / DOWNLOADED / REPLACED / student):
        # Not for a name that is a path to somewhere else, nor for Ada's where ada and Ada are the same.
        if folder.name == student and folder.parent.is_dir() and student in os.listdir(folder.parent):
            if folder.is_symlink() or folder.is_dir():
                yield folder


def remove_path(path: Path) -> None:
    """Remove a file, a link (not what it leads to), or a folder with all that is in it. Raises OSError."""
    if path.is_symlink() or not path.is_dir():
        path.unlink()
        return
    for folder in (path, *(Path(here, name) for here, names, _ in os.walk(path) for name in names)):
        if not folder.is_symlink():
            with suppress(OSError):
                # A student's archive may have made a folder that nothing can be removed from.
                folder.chmod(0o700)
    shutil.rmtree(path)


def redact_tables(root: Path, person: StudentIdentity) -> Iterator[tuple[str, str | None]]:
    """Take a student out of the tables and lists in the course's own folder, such as incidents.json.

    Yields the name of each that was changed or still names them, and what was removed, or None.
    """
    for path in sorted(path for path in root.iterdir() if path.suffix.lower() in REDACTORS):
        if path.is_symlink() or not path.is_file():
            continue
        try:
            found = redact_content(path.suffix.lower(), path.read_bytes(), person)
        except RedactionError:
            if contains_student_name(path, person):
                yield path.name, None
            continue
        if removed := write_redacted(path, found):
            yield path.name, removed
        if found.still:
            yield path.name, None


def write_redacted(path: Path, found: RedactedText) -> str | None:
    """Write a file that has been mended. Return what was removed; None if nothing was."""
    if not found.removed:
        return None
    with write_atomically(path) as new:
        new.write_bytes(found.text.encode())
    return format_count(found.removed, "entry", "entries")


def redact_exports(root: Path, person: StudentIdentity) -> Iterator[tuple[str, str]]:
    """Take a student out of what was written for learning platforms: it can be written again.

    Yields the name of each file, and what was removed of it.
    """
    found = [Path(here, name) for here, _, names in os.walk(root / EXPORTS) for name in names]
    for path in sorted(found):
        name = str(path.relative_to(root))
        if person.is_named_in_path(str(path.relative_to(root / EXPORTS))):
            remove_path(path)
            yield name, "all of it"
        elif not path.is_symlink() and path.is_file():
            try:
                removed = redact_export(path, person)
            except RedactionError:
                path.unlink()
                yield name, "all of it, for it could not be mended: export again"
                continue
            if removed:
                yield name, removed
    for here, _, _ in os.walk(root / EXPORTS, topdown=False):
        if person.is_named_in_path(Path(here).name) and not os.listdir(here):
            os.rmdir(here)


def redact_export(path: Path, person: StudentIdentity) -> str | None:
    """Take a student out of one exported file. Returns what was removed. Raises CannotMend."""
    if path.suffix.lower() == ".html":
        # A page about the class counts everybody, and may show anybody's code.
        raise RedactionError
    if path.suffix.lower() == ".zip":
        return redact_archive(path, person)
    if path.suffix.lower() in REDACTORS:
        found = redact_content(path.suffix.lower(), path.read_bytes(), person)
        if found.still:
            raise RedactionError
        return write_redacted(path, found)
    if contains_student_name(path, person):
        raise RedactionError
    return None


def redact_archive(path: Path, person: StudentIdentity) -> str | None:
    """Take a student's files out of an archive, and their rows out of tables in it. Raises CannotMend."""
    removed = 0
    try:
        with write_atomically(path) as content:
            with zipfile.ZipFile(path) as old, zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as new:
                new.comment = old.comment
                for member in old.infolist():
                    if person.is_named_in_path(member.filename):
                        removed += 1
                        continue
                    data, kind = old.read(member), Path(member.filename).suffix.lower()
                    if kind in REDACTORS:
                        found = redact_content(kind, data, person)
                        if found.still:
                            raise RedactionError
                        data, removed = found.text.encode(), removed + found.removed
                    new.writestr(member, data)
            if not removed:
                content.unlink()
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, ValueError, OSError):
        raise RedactionError from None
    return format_count(removed, "entry", "entries") if removed else None


def find_remaining_files(root: Path, person: StudentIdentity, gradebook: Path | None) -> Iterator[str]:
    """The files that still have something of a student in them, and that are left alone.

    gradebook: the file of the gradebook, if it is one, which is no copy of itself.
    """
    found = [Path(here, name) for here, _, names in os.walk(root / DOWNLOADED) for name in names]
    for path in sorted(found):
        name = str(path.relative_to(root))
        if person.is_named_in_path(str(path.relative_to(root / DOWNLOADED))):
            yield name
        elif not path.is_symlink() and path.is_file() and mentions_student(path, person):
            yield name
    for path in sorted([*root.glob("gradebook.db*"), *root.glob("*.log")]):
        # Copies that nbgrader, `make clean` or somebody made.
        if (
            path != gradebook
            and not path.is_symlink()
            and path.is_file()
            and contains_student_name(path, person)
        ):
            yield path.name


def mentions_student(path: Path, person: StudentIdentity) -> bool:
    """Whether a table that was downloaded names a student, or a file in an archive is called so."""
    if path.suffix.lower() in REDACTORS:
        return contains_student_name(path, person)
    return any(map(person.is_named_in_path, list_archive_members(path)))


def list_archive_members(path: Path) -> list[str]:
    """The names of the files in an archive, if it is one."""
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                return archive.namelist()
        if path.suffix in (".tar", ".gz", ".tgz", ".xz", ".bz2") and tarfile.is_tarfile(path):
            with tarfile.open(path) as archive:
                return archive.getnames()
    except (OSError, EOFError, zipfile.BadZipFile, tarfile.TarError):
        pass
    return []


def contains_student_name(path: Path, person: StudentIdentity) -> bool:
    """Whether one of a student's names stands anywhere in a file; a database has no blanks between words."""
    content = path.read_bytes()
    if path.name.startswith("gradebook.db"):
        return person.student.encode() in content
    return person.is_named_in(content.decode("utf-8", errors="replace"))

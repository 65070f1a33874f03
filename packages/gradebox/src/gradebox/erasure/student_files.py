"""Find, redact and remove files of a course that contain a student's data. Never follows links."""

import os
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from gradebox.atomic_write import write_atomically
from gradebox.course import COLLECTED, PLATFORM_TABLES, Course
from gradebox.erasure.redact_tables import REDACTORS, RedactedContent, RedactionError, redact_content
from gradebox.erasure.search_files import (
    UnsearchableError,
    find_files,
    find_mentions,
    find_possible_number,
)
from gradebox.erasure.student_identity import StudentIdentity
from gradebox.printable_text import format_count

STUDENT_STEPS = ("submitted", "autograded", "feedback")
# The folders of downloads, of replaced submissions (in the folder of downloads), and of exports for an LMS.
DOWNLOADED, REPLACED, EXPORTS = "downloaded", "replaced", "exports"
SUBMISSION_SUFFIXES = (".ipynb", ".py")


def find_student_folders(course: Course, student: str) -> Iterator[Path]:
    """Yield a student's existing folders. A yielded path may be a link."""
    places = [course.path(step, "x", student).parent for step in STUDENT_STEPS]
    for folder in (*places, course.root / DOWNLOADED / REPLACED / student):
        # Skip a name that is a path to elsewhere and, if file names ignore case, the folder `Ada` for `ada`.
        if folder.name == student and folder.parent.is_dir() and student in os.listdir(folder.parent):
            if folder.is_symlink() or folder.is_dir():
                yield folder


def remove_path(path: Path) -> None:
    """Remove a file, a link (not its target), or a folder with its contents. Raises OSError."""
    if path.is_symlink() or not path.is_dir():
        path.unlink()
        return
    for folder in (path, *(Path(here, name) for here, names, _ in os.walk(path) for name in names)):
        if not folder.is_symlink():
            with suppress(OSError):
                # A student's archive may have created a folder without write permission.
                folder.chmod(0o700)
    shutil.rmtree(path)


def redact_tables(root: Path, person: StudentIdentity) -> Iterator[tuple[str, str]]:
    """Redact a student from the tables and lists in the course's folder, such as incidents.json.

    The list of collected files and the platforms' tables are among them. Yields the name of each changed
    file, and the count of removed entries. Files that can't be parsed are unchanged.
    """
    for path in sorted([*root.iterdir(), root / COLLECTED, *(root / PLATFORM_TABLES).glob("*/*")]):
        if path.suffix.lower() not in REDACTORS or path.is_symlink() or not path.is_file():
            continue
        with suppress(RedactionError):
            found = redact_content(path.suffix.lower(), path.read_bytes(), person)
            if removed := write_redacted(path, found):
                yield str(path.relative_to(root)), removed


def write_redacted(path: Path, found: RedactedContent) -> str | None:
    """Write a redacted file. Return the count of removed entries, or None if there are none."""
    if not found.removed:
        return None
    with write_atomically(path) as new:
        new.write_bytes(found.content)
    return format_count(found.removed, "entry", "entries")


def redact_exports(root: Path, person: StudentIdentity) -> Iterator[tuple[str, str]]:
    """Redact a student from the exports for an LMS, which can be written again.

    Yields the name of each changed file, and the removed part.
    """
    found = [Path(here, name) for here, _, names in os.walk(root / EXPORTS) for name in names]
    for path in sorted(found):
        name = str(path.relative_to(root))
        inside = str(path.relative_to(root / EXPORTS))
        if person.is_named_in_path(inside) or person.may_be_named_in(inside):
            remove_path(path)
            yield name, "the whole file"
        elif not path.is_symlink() and path.is_file():
            try:
                removed = redact_export(path, person)
            except RedactionError:
                path.unlink()
                yield name, "the whole file, which could not be redacted: export again"
                continue
            if removed:
                yield name, removed
    for here, _, _ in os.walk(root / EXPORTS, topdown=False):
        if person.is_named_in_path(Path(here).name) and not os.listdir(here):
            os.rmdir(here)


def redact_export(path: Path, person: StudentIdentity) -> str | None:
    """Redact a student from one exported file. Return the removed part, or None. Raises RedactionError."""
    if path.suffix.lower() == ".html":
        # A page about the class counts all students, and may show any student's code.
        raise RedactionError
    if path.suffix.lower() == ".zip":
        return redact_archive(path, person)
    if path.suffix.lower() in REDACTORS:
        found = redact_content(path.suffix.lower(), path.read_bytes(), person)
        if found.still:
            raise RedactionError
        return write_redacted(path, found)
    try:
        if find_mentions(path, path.name, person):
            raise RedactionError
    except UnsearchableError:
        raise RedactionError from None
    return None


def redact_archive(path: Path, person: StudentIdentity) -> str | None:
    """Remove a student's files from an archive, and their rows from its tables. Raises RedactionError."""
    removed = 0
    try:
        with write_atomically(path) as content:
            with zipfile.ZipFile(path) as old, zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as new:
                new.comment = old.comment
                for member in old.infolist():
                    if person.is_named_in_path(member.filename):
                        removed += 1
                        continue
                    if person.may_be_named_in(member.filename):
                        raise RedactionError
                    data, kind = old.read(member), Path(member.filename).suffix.lower()
                    if kind in REDACTORS:
                        found = redact_content(kind, data, person)
                        if found.still:
                            raise RedactionError
                        data, removed = found.content, removed + found.removed
                    new.writestr(member, data)
            if not removed:
                content.unlink()
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, ValueError, OSError):
        raise RedactionError from None
    return format_count(removed, "entry", "entries") if removed else None


def find_remaining_files(course: Course, person: StudentIdentity) -> tuple[list[str], list[str]]:
    """Return the files that still mention a student and are not changed, and those that can't be searched.

    The course's own texts and notebooks, and the submissions of other students, are not searched.
    """
    root, settings = course.root, course.directory()
    steps = (*STUDENT_STEPS, "source", "release")
    skipped = {Path(os.path.normpath(root / getattr(settings, f"{step}_directory"))) for step in steps}
    skipped |= {root / name for name in ("lessons", "answers", EXPORTS)}
    replaced = root / DOWNLOADED / REPLACED
    left, unread = [], []
    for path in find_files(root, skipped):
        name = str(path.relative_to(root))
        is_downloaded = path.is_relative_to(root / DOWNLOADED)
        # Submissions of other students.
        is_submission = path.is_relative_to(replaced) or is_downloaded and path.suffix in SUBMISSION_SUFFIXES
        inside = str(path.relative_to(root / DOWNLOADED)) if is_downloaded else name
        if is_submission:
            left += [name] if person.is_named_in_path(inside) else []
            continue
        try:
            if find_mentions(path, inside, person):
                is_gradebook = course.engine.url.database and path == root / course.engine.url.database
                left.append(f"{name}: comments on other students" if is_gradebook else name)
            elif find_possible_number(path, person):
                left.append(f"{name}: may mention the student, because it contains the id as a number")
        except UnsearchableError:
            unread.append(name)
    return left, unread

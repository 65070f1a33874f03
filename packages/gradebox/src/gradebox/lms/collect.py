"""Copy the submissions in a learning platform's download to `submitted/`. Used by `gradebox collect`."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from sqlalchemy import Row

from gradebox.autograde.discover_submissions import has_files
from gradebox.course import Course, CourseError
from gradebox.forgotten_students import ForgottenStudents
from gradebox.gradebook_transactions import select_rows
from gradebox.lms import download_archive
from gradebox.lms.collect_files_beside import put_beside
from gradebox.lms.collect_notebooks import MAX_VERSIONS, NotebookCollector, make_notebook_name
from gradebox.lms.collect_results import (
    IMPORTED,
    LEFT_OUT,
    REPLACED,
    UNCHANGED,
    UNKNOWN_OWNER,
    WITHDRAWN,
    CollectResult,
    refuse_file,
)
from gradebox.lms.download_platforms import parse_download
from gradebox.lms.filename_patterns import DownloadedFile
from gradebox.lms.files_beside_notebooks import SubmittedNotebook, open_archives
from gradebox.lms.ignored_people import Collect
from gradebox.lms.match_students import COLLECTED_FILES, AmbiguousStudentError, StudentIndex
from gradebox.lms.moodle_submission_owners import OTHER_WORKSHEET, WorksheetRow
from gradebox.lms.owner_matching import OwnerMatcher
from gradebox.lms.write_submissions import SubmissionWriter
from gradebox.safe_submission_files import NOTEBOOK_NAME, UnreadableSubmissionError, may_be_notebook


def collect_submissions(
    course: Course,
    path: Path,
    platform: str | None = None,
    force: bool = False,
    only: str | None = None,
    worksheet: Mapping[str, WorksheetRow] | None = None,
    students: Iterable[str] = (),
    add_unknown: bool = False,
) -> tuple[str, list[CollectResult]]:
    """Fill `submitted/` from a download: a zip archive or a folder.

    platform: as for `parse_download`; by default guessed from the outer parts of the paths. Newer files
    replace the collected ones, which are kept in REPLACED_FOLDER. force, students: see `SubmissionWriter`.
    add_unknown: see `OwnerMatcher`. only: the assignment of all files,
    because an unreadable file does not identify its assignment. worksheet: the rows of Moodle's grading
    worksheet, by number (see `moodle_submission_owners.py`). Returns the platform and the result for each
    file. Raises CourseError if the path is not a download, the worksheet is another assignment's, or the
    course has no released notebook.
    """
    # With `only`, a notebook of another assignment is recognised, too, for the message.
    released = {
        (assignment, notebook.stem): notebook
        for assignment in sorted(course.assignments, key=lambda name: name != only)
        for notebook in sorted(course.path("release", assignment).glob("*.ipynb"))
    }
    if not any(only in (None, assignment) for assignment, _ in released):
        raise CourseError("no released notebook in the course: run `gradebox release` first")
    with download_archive.open_download(path) as entries, course.gradebook() as gradebook:
        people = StudentIndex(gradebook)
        platform, found = parse_download(
            entries, platform, course.assignments, lambda name: is_known_student(people, name)
        )
        forgotten = ForgottenStudents(course, people.connection)
        ignored = Collect(parent=course.app).ignored
        owners = OwnerMatcher(people, platform, forgotten, add_unknown, ignored)
        writer = SubmissionWriter(course, owners, force, frozenset(students))
        found = list(found)
        numbers = {one.number for one in found if one.number}
        # A worksheet that is given with several downloads is Moodle's, and Canvas's numbers are others.
        worksheet = worksheet if platform == "moodle" else None
        if worksheet is not None and numbers and numbers.isdisjoint(worksheet):
            raise CourseError(f"no submission in {path.name} is in the worksheet: {OTHER_WORKSHEET}")
        files = list(merge_worksheet(found, worksheet or {}))
        before = select_rows(people.connection, COLLECTED_FILES, COLLECTED_FILES.c.platform == platform)
        owners.match_owners(files)
        rows = list(collect_files(NotebookCollector(writer, released), files, only, path.name))
        if not writer.students:
            rows += find_withdrawn_submissions(course, before, rows, numbers)
        return platform, sorted(rows, key=lambda row: (row.student, row.assignment, row.file))


def find_withdrawn_submissions(
    course: Course, before: Sequence[Row], rows: Sequence[CollectResult], numbers: Collection[str]
) -> Iterator[CollectResult]:
    """Yield a result for each submission of earlier downloads that the whole download of a lesson lacks.

    before: the rows of COLLECTED_FILES before this download, of the same platform. rows, numbers: the results
    and the platform's numbers in this download. A student with any file in the download is not listed.
    """
    present = {row.student for row in rows}
    for assignment in sorted({row.assignment for row in rows if row.assignment}):
        known = [
            row
            for row in before
            if row.assignment == assignment
            and has_files(course.path("submitted", assignment, row.student_id))
        ]
        missing = [row for row in known if row.student_id not in present and row.number not in numbers]
        # A download without most of the students is of a group, or of a few late submissions.
        if 2 * len(missing) < len(known):
            for row in missing:
                yield CollectResult(row.student_id, assignment, WITHDRAWN, "", "", None, (WITHDRAWN,))


def merge_worksheet(
    found: Iterable[DownloadedFile], worksheet: Mapping[str, WorksheetRow]
) -> Iterator[DownloadedFile]:
    """Yield the files with the ids, e-mail addresses and times of a worksheet."""
    for one in found:
        line = worksheet.get(one.number or "")
        if line:
            owners = tuple(replace(owner, id=line.id, email=line.email) for owner in one.owners)
            unread = line.said if line.said and not line.received else ""
            one = replace(one, owners=owners, received=line.received or one.received, unread=unread)
        yield one


def is_known_student(people: StudentIndex, name: str) -> bool:
    try:
        return bool(people.by_id(name) or people.named(name) or people.named_without_accents(name))
    except AmbiguousStudentError:
        return True


def collect_files(
    collector: NotebookCollector, found: list[DownloadedFile], only: str | None, download: str
) -> Iterator[CollectResult]:
    """Import the files of a download, whose owners are matched.

    only: the assignment of all files, or None. download: its name.

    Raises CourseError, before anything is written, for a download without notebooks or of another assignment.
    """
    writer = collector.writer
    notebooks: dict[tuple[str, str, str], list[DownloadedFile]] = {}
    broken: list[tuple[str, DownloadedFile, str]] = []
    others: dict[str, list[DownloadedFile]] = {}
    other_assignments = Counter[str]()
    # Without a notebook or a known student, a single message is clearer than a table of all files.
    needs_table = False
    for one, refused in open_archives(found):
        needs_table |= bool(refused or NOTEBOOK_NAME.fullmatch(one.entry.name))
        if not one.owners:
            yield refuse_file(UNKNOWN_OWNER, one, one.problem or "the file name does not identify the owner")
        for owner in one.owners:
            reason = writer.owners.get_reason_to_ignore(owner, one.number)
            if reason:
                file = one.entry.path, one.shown_name, one.received
                yield CollectResult(owner.name, "", LEFT_OUT, *file, (reason,))
                continue
            try:
                student = writer.owners.get_student(owner, one.number)
            except AmbiguousStudentError as error:
                yield refuse_file(owner.name, one, str(error))
                continue
            needs_table |= student not in writer.owners.new
            if writer.students and student not in writer.students:
                continue
            if refused:
                yield refuse_file(student, one, refused)
                continue
            if one.typed or not may_be_notebook(one.entry.name):
                others.setdefault(student, []).append(one)
                continue
            try:
                notebook = collector.match_released_notebook(one)
            except UnreadableSubmissionError as error:
                if NOTEBOOK_NAME.fullmatch(one.entry.name):
                    broken.append((student, one, str(error)))
                else:
                    others.setdefault(student, []).append(one)
                continue
            if not notebook:
                yield refuse_file(student, one, "is not a notebook of a released lesson")
                continue
            if only and notebook[0] != only:
                other_assignments[notebook[0]] += 1
                yield refuse_file(student, one, f"is a notebook of {notebook[0]}, not of {only}")
                continue
            notebooks.setdefault((student, *notebook), []).append(one)
    if not (needs_table or notebooks):
        raise CourseError(f"{download} contains no notebooks: name a download of submissions")
    if other_assignments and not notebooks:
        name, count = other_assignments.most_common(1)[0]
        raise CourseError(
            f"{download} contains no notebook of {only}, but {count} of {name}: name the right download or "
            "assignment"
        )
    # An unreadable file does not identify its assignment, but the other files of the download may.
    assignments = {assignment for _, assignment, _ in notebooks} | ({only} if only else set())
    taken: dict[str, list[SubmittedNotebook]] = {}
    for key, versions in notebooks.items():
        student, assignment, _ = key
        for row in collector.put_notebook(*key, versions):
            written = row.what in (IMPORTED, UNCHANGED, REPLACED)
            taken.setdefault(student, []).extend(
                SubmittedNotebook(assignment, one, written) for one in versions if one.entry.path == row.file
            )
            yield row
    for student, files in others.items():
        yield from put_beside(writer, student, files, taken.get(student, []))
    sound = {student for student, *_ in notebooks}
    counts = Counter(student for student, *_ in broken)
    for student, one, problem in broken:
        if len(assignments) == 1 and student not in sound and counts[student] <= MAX_VERSIONS:
            # Grading then reports an unreadable submission instead of a missing submission.
            yield writer.write(
                student, one, next(iter(assignments)), make_notebook_name(one), [problem], True
            )
        else:
            yield refuse_file(student, one, problem)

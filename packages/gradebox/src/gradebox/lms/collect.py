"""Copy the submissions in a learning platform's download to `submitted/`. Used by `gradebox collect`."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from gradebox import safe_submission_files
from gradebox.autograde.discover_submissions import find_name_problem, is_linked
from gradebox.autograde.match_notebooks import (
    MatchNotebooks,
    cells_match_notebook,
    is_unanswered,
    iterate_cells,
    match_notebooks,
    read_released_cells,
)
from gradebox.course import Course, CourseError
from gradebox.gradebook_transactions import upsert_row
from gradebox.lms import download_archive
from gradebox.lms.csv_table import write_bytes
from gradebox.lms.filename_patterns import (
    FOLDERS_PLATFORM,
    GRADESCOPE_METADATA_FILE,
    PLATFORMS,
    DownloadedFile,
    DownloadOwner,
    guess_platform,
    parse_folder_download,
)
from gradebox.lms.files_beside_notebooks import (
    SubmittedNotebook,
    find_nearest,
    find_size_problem,
    is_left_out,
    make_relative_path,
    open_archives,
)
from gradebox.lms.match_students import (
    COLLECTED_FILES,
    AmbiguousStudentError,
    LmsStudent,
    StudentIndex,
    list_name_keys,
    make_student_id,
    normalize_name,
)
from gradebox.lms.moodle_submission_owners import WorksheetRow
from gradebox.notebook_json import parse_notebook_json
from gradebox.reports.regrade_requests import REGRADE_FILE as REQUESTS
from gradebox.safe_submission_files import (
    ARCHIVE_SUFFIXES,
    NOTEBOOK_NAME,
    TIMESTAMP,
    UnreadableSubmissionError,
    may_be_notebook,
)

IMPORTED, UNCHANGED, EXISTING_KEPT, REPLACED, NOT_IMPORTED, LEFT_OUT = (
    "taken",
    "as it was",
    "kept",
    "replaced",
    "not taken",
    "left out",
)
# Folder for the files that `--force` replaces, in the course's folder.
REPLACED_FOLDER = "downloaded/replaced"


@dataclass(frozen=True)
class CollectResult:
    """Result of the import of a file, or of a student's files of a notebook.

    file: the path in the download. problem: True if an instructor has to act. what: IMPORTED, UNCHANGED,
    EXISTING_KEPT (a different file already exists), REPLACED, NOT_IMPORTED, or LEFT_OUT (an HTML or PDF
    version of a notebook). beside: True for a file beside a notebook.
    """

    student: str
    assignment: str
    what: str
    file: str
    received: datetime | None = None
    remarks: tuple[str, ...] = ()
    problem: bool = False
    beside: bool = False


def collect_submissions(
    course: Course,
    path: Path,
    platform: str | None = None,
    force: bool = False,
    only: str | None = None,
    worksheet: Mapping[str, WorksheetRow] | None = None,
) -> tuple[str, list[CollectResult]]:
    """Fill `submitted/` from a download: a zip archive or a folder.

    platform: one of PLATFORMS, or FOLDERS_PLATFORM; by default guessed from the file names. force: replace
    files that differ, and keep the replaced files in REPLACED_FOLDER. only: the assignment of all files,
    because an unreadable file does not identify its assignment. worksheet: the rows of Moodle's grading
    worksheet, by number (see `moodle_submission_owners.py`). Returns the platform and the result for each
    file. Raises CourseError if the path is not a download, or the course has no released notebook.
    """
    released = {
        (assignment, notebook.stem): notebook
        for assignment in ([only] if only else course.assignments)
        for notebook in sorted(course.path("release", assignment).glob("*.ipynb"))
    }
    if not released:
        raise CourseError("no released notebook in the course: run `gradebox release` first")
    with download_archive.open_download(path) as entries, course.gradebook() as gradebook:
        people = StudentIndex(gradebook)
        platform = platform or guess_platform(entries)
        if platform == FOLDERS_PLATFORM:
            found = parse_folder_download(
                entries, lambda name: is_known_student(people, name), course.assignments
            )
        elif platform in PLATFORMS:
            found = PLATFORMS[platform](entries)
        else:
            raise CourseError(
                f"unknown platform {platform!r} (known: {', '.join([*PLATFORMS, FOLDERS_PLATFORM])})"
            )
        if not found and entries:
            raise CourseError(
                f"no file name in {path} has the format of {platform}: choose another platform with --from"
            )
        collector = Collector(course, platform, people, released, force)
        rows = [
            CollectResult(
                "?", "", NOT_IMPORTED, entry.path, None, ("the file name does not identify the owner",), True
            )
            for entry in entries
            if entry.path not in found and entry.name != GRADESCOPE_METADATA_FILE
        ]
        rows += collector.collect(list(merge_worksheet(found.values(), worksheet or {})), only)
        return platform, sorted(rows, key=lambda row: (row.student, row.assignment, row.file))


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
        return bool(people.by_id(name) or people.named(name))
    except AmbiguousStudentError:
        return True


@dataclass
class Collector:
    """Import of one download into `submitted/`.

    namesakes: by normalized name, the platform's numbers of all students with that name. new: the ids of
    students who were not in the gradebook before.
    """

    course: Course
    platform: str
    people: StudentIndex
    released: Mapping[tuple[str, str], Path]
    force: bool
    namesakes: dict[str, set[str | None]] = field(default_factory=dict)
    new: set[str] = field(default_factory=set)

    def collect(self, found: list[DownloadedFile], only: str | None) -> Iterator[CollectResult]:
        notebooks: dict[tuple[str, str, str], list[DownloadedFile]] = {}
        broken: list[tuple[str, DownloadedFile, str]] = []
        asking: list[tuple[str, DownloadedFile]] = []
        others: dict[str, list[DownloadedFile]] = {}
        for one in found:
            for owner in one.owners:
                self.namesakes.setdefault(normalize_name(owner.name), set()).add(one.number)
        for one, refused in open_archives(found):
            if not one.owners:
                yield self.left("?", one, "the file name does not identify the owner")
            for owner in one.owners:
                try:
                    student = self.student(owner, one.number)
                except AmbiguousStudentError as error:
                    yield self.left(owner.name, one, str(error))
                    continue
                if one.file.lower() == REQUESTS:
                    asking.append((student, one))
                    continue
                problem = refused or (TYPED_TEXT if one.typed else None)
                if problem:
                    yield self.left(student, one, problem)
                    continue
                if not may_be_notebook(one.entry.name):
                    others.setdefault(student, []).append(one)
                    continue
                try:
                    notebook = self.match_released_notebook(one)
                except UnreadableSubmissionError as error:
                    if NOTEBOOK_NAME.fullmatch(one.entry.name):
                        broken.append((student, one, str(error)))
                    else:
                        others.setdefault(student, []).append(one)
                    continue
                if not notebook:
                    yield self.left(student, one, "is not a notebook of a released lesson")
                    continue
                notebooks.setdefault((student, *notebook), []).append(one)
        # An unreadable file does not identify its assignment, but the other files of the download may.
        assignments = {assignment for _, assignment, _ in notebooks} | ({only} if only else set())
        taken: dict[str, list[SubmittedNotebook]] = {}
        for key, versions in notebooks.items():
            student, assignment, _ = key
            for row in self.put(*key, versions):
                written = row.what in (IMPORTED, UNCHANGED, REPLACED)
                taken.setdefault(student, []).extend(
                    SubmittedNotebook(assignment, one, written)
                    for one in versions
                    if one.entry.path == row.file
                )
                yield row
        for student, files in others.items():
            yield from self.put_beside(student, files, taken.get(student, []))
        for student, one, problem in broken:
            sound = any(owner == student for owner, *_ in notebooks)
            if len(assignments) == 1 and not sound:
                # Grading then reports an unreadable submission instead of a missing submission.
                yield self.write(
                    student, one, next(iter(assignments)), make_notebook_name(one), [problem], True
                )
            else:
                yield self.left(student, one, problem)

        for student, one in asking:
            own = {assignment for owner, assignment, _ in notebooks if owner == student} or assignments
            if len(own) == 1:
                yield self.write(student, one, next(iter(own)), REQUESTS, ["a regrade request"])
            else:
                yield self.left(
                    student, one, "is a regrade request for an unknown assignment: name --assignment"
                )

    def left(self, student: str, one: DownloadedFile, why: str) -> CollectResult:
        late = ("marked as late",) if one.late else ()
        return CollectResult(student, "", NOT_IMPORTED, one.entry.path, one.received, (why, *late), True)

    def student(self, owner: DownloadOwner, number: str | None) -> str:
        """Return the id of a file's owner. A new student is added. Raises AmbiguousStudentError."""
        people, platform = self.people, self.platform
        # Gradescope's numbers identify submissions, not students.
        its = number if platform in ("moodle", "canvas") else None
        found = (
            (its and self.find_by_number(owner, its))
            or (owner.id and people.by_id(owner.id))
            or (owner.email and people.by_email(owner.email))
        )
        if not found:
            namesakes = self.namesakes[normalize_name(owner.name)]
            found = next(filter(None, map(people.named, list_possible_names(platform, owner.name))), None)
            if len(namesakes) > 1:
                if found and found.id not in self.new:
                    several = f"{len(namesakes)} students in this download are called {owner.name}"
                    raise AmbiguousStudentError(f"{several}, but the gradebook has only one of them")
                found = None
        if not found:
            found = self.add_new_student(owner, number)
        if its:
            people.save_number(platform, its, found.id)
        if its and platform == "canvas" and not found.number:
            # In Canvas, a student has the same number in all assignments.
            people.save(replace(found, number=its))
        return found.id

    def find_by_number(self, owner: DownloadOwner, number: str) -> LmsStudent | None:
        """Return the student with a platform's number. In Moodle, the number may be a group's: then None."""
        found = self.people.by_number(self.platform, number)
        if not found or self.platform == "canvas":
            return found
        names = {normalize_name(name) for name in list_possible_names(self.platform, owner.name)}
        # If the platform hides names, all students have the same name.
        hidden = len(self.namesakes[normalize_name(owner.name)]) > 1
        return found if hidden or not found.name or names & list_name_keys(found) else None

    def add_new_student(self, owner: DownloadOwner, number: str | None) -> LmsStudent:
        """Add an unknown student to the gradebook, and return the student."""
        name = make_student_id(owner.id or owner.name or owner.email)
        if name in self.people.students:
            name = make_student_id(f"{name} {number or owner.email or len(self.people.students)}")
        # Canvas's file names have only the letters of a name, without spaces: not usable as a name.
        first, _, last = owner.name.rpartition(" ") if self.platform != "canvas" else ("", "", "")
        student = LmsStudent(name, first, last, owner.email)
        self.new.add(name)
        self.people.save(student)
        return student

    def match_released_notebook(self, one: DownloadedFile) -> tuple[str, str] | None:
        """Return the assignment and the name of the released notebook that matches a file, or None.

        Raises UnreadableSubmissionError.
        """
        cells = read_cells(one)
        return next(
            (key for key, released in self.released.items() if cells_match_notebook(cells, released)), None
        )

    def put(
        self, student: str, assignment: str, name: str, versions: list[DownloadedFile]
    ) -> Iterator[CollectResult]:
        """Import the newest version of a student's notebook, or all versions if the newest is unknown."""
        remarks: list[str] = []
        if len(versions) > 1 and len({one.entry.read() for one in versions}) > 1:
            if len(set(map(get_upload_order, versions))) < len(versions):
                released = read_released_cells(self.released[assignment, name])
                answered = [one for one in versions if not is_unanswered(read_cells(one), released)]
                versions = answered or versions[:1]
            if len(set(map(get_upload_order, versions))) < len(versions):
                # The platform gives no order. Grading then reports a conflict to the instructor.
                names = [make_notebook_name(one) for one in versions]
                by_name = MatchNotebooks(parent=self.course.app).released_name_counts
                known = by_name and f"{name}.ipynb" in names
                what = f"{name}.ipynb counts" if known else CONFLICTING_NOTEBOOKS
                for number, one in enumerate(versions):
                    own = make_notebook_name(one, names[:number].count(names[number]))
                    yield self.write(student, one, assignment, own, [what], not known)
                return
            versions = sorted(versions, key=get_upload_order)
            others = ", ".join(one.file for one in versions[:-1])
            remarks.append(f"the newest of {len(versions)} versions; older: {others}")
        newest = versions[-1]
        if Path(newest.file).stem != name:
            remarks.append(f"handed in as {newest.file}")
        # A notebook that was copied to the student's folder by hand may have another name.
        folder = self.course.path("submitted", assignment, student)
        there = (
            match_notebooks(folder, self.course.path("release", assignment)).files if folder.is_dir() else {}
        )
        own = str(there[name].relative_to(folder)) if name in there else f"{name}.ipynb"
        yield self.write(student, newest, assignment, own, remarks)

    def put_beside(
        self, student: str, files: list[DownloadedFile], notebooks: list[SubmittedNotebook]
    ) -> Iterator[CollectResult]:
        """Import the other files of a student's submissions into the folders of their notebooks."""
        chosen: dict[tuple[str, str], list[DownloadedFile]] = {}
        for one in sorted(files, key=get_upload_order):
            near = find_nearest(one, notebooks)
            if not near:
                yield self.left(student, one, describe_other_file(one))
            elif is_left_out(one, near):
                yield CollectResult(student, near[0].assignment, LEFT_OUT, one.entry.path, beside=True)
            elif len({notebook.assignment for notebook in near}) > 1:
                yield self.left(student, one, "is beside notebooks of several lessons: copy it by hand")
            elif any(notebook.written for notebook in near):
                try:
                    path = make_relative_path(one, near[-1])
                except UnreadableSubmissionError as error:
                    yield self.left(student, one, f"can't be stored: the submission {error}")
                else:
                    chosen.setdefault((near[-1].assignment, path), []).append(one)
        for assignment in dict.fromkeys(assignment for assignment, _ in chosen):
            mine = {path: same for (of, path), same in chosen.items() if of == assignment}
            sizes = [len(one.file.entry.read()) for one in notebooks if one.assignment == assignment]
            yield from self.write_beside(student, assignment, mine, sum(sizes))

    def write_beside(
        self, student: str, assignment: str, chosen: Mapping[str, list[DownloadedFile]], notebooks: int
    ) -> Iterator[CollectResult]:
        """Write the newest version of each file, by path. notebooks: the size of the notebooks in bytes."""
        found: dict[str, DownloadedFile] = {}
        size = notebooks
        for path, versions in chosen.items():
            *older, one = versions
            try:
                content = one.entry.read()
                same_time = [other for other in older if get_upload_order(other) == get_upload_order(one)]
                if any(other.entry.read() != content for other in same_time):
                    raise UnreadableSubmissionError("is one of several different files for the same place")
            except UnreadableSubmissionError as error:
                yield self.left(student, one, str(error))
                continue
            found[path] = one
            size += len(content)
        problem = find_size_problem(found, size)
        for path, one in found.items():
            if problem:
                yield self.left(student, one, problem)
                return
            yield self.write(student, one, assignment, path, [], beside=True)

    def write(
        self,
        student: str,
        one: DownloadedFile,
        assignment: str,
        name: str,
        remarks: list[str],
        problem: bool = False,
        beside: bool = False,
    ) -> CollectResult:
        """Write a file to a student's folder, and record a notebook's time of submission.

        name: the path in the folder. An existing file that differs is replaced only with `force`.
        """
        remarks = remarks if beside else [*remarks, *self.about(student, one)]

        def row(what: str, *more: str) -> CollectResult:
            said, wrong = (*remarks, *more), problem or what in (NOT_IMPORTED, EXISTING_KEPT)
            return CollectResult(
                *(student, assignment, what, one.entry.path, one.received, said, wrong), beside=beside
            )

        wrong = find_name_problem(student)
        if wrong:
            return row(NOT_IMPORTED, wrong)
        try:
            raw = one.entry.read()
        except UnreadableSubmissionError as error:
            return row(NOT_IMPORTED, str(error))
        folder = self.course.path("submitted", assignment, student)
        path = folder / name
        if is_linked(folder):
            return row(NOT_IMPORTED, "the student's folder in submitted/ is a link")
        for parent in reversed(path.relative_to(folder).parents[:-1]):
            above = folder / parent
            if above.is_symlink() or (above.exists() and not above.is_dir()):
                return row(NOT_IMPORTED, f"{parent} in submitted/ is not a folder: remove it first")
        try:
            exists = path.exists() or path.is_symlink()
            there = safe_submission_files.read_file(path, folder=folder) if exists else None
        except UnreadableSubmissionError as error:
            return row(NOT_IMPORTED, f"the existing file in submitted/ {error}")
        if there is not None and there != raw and not self.force:
            return row(EXISTING_KEPT, "a different file is already in submitted/: replace with --force")
        what = IMPORTED if there is None else UNCHANGED if there == raw else REPLACED
        if what == REPLACED:
            remarks.append(f"the earlier file is in {self.keep(student, assignment, path)}")
        if what != UNCHANGED:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(path, raw)
        if name != REQUESTS and not beside:
            write_submission_timestamp(folder, one.received, what)
            about = {"student_id": student, "assignment": assignment, "platform": self.platform}
            said = {
                "number": one.number,
                "path": (one.archive or one.entry).path,
                "late": one.late,
                "received": one.received,
            }
            upsert_row(self.people.connection, COLLECTED_FILES, about | said)
        return row(what)

    def about(self, student: str, one: DownloadedFile) -> Iterator[str]:
        if student in self.new:
            yield "not in the gradebook until now"
        if one.unread:
            yield f"the submission time can't be parsed: {one.unread}"
        if one.late:
            yield f"late ({self.platform.capitalize()} gives no time)"

    def keep(self, student: str, assignment: str, path: Path) -> str:
        """Copy a file to REPLACED_FOLDER before its replacement. Returns the copy's path in the course."""
        folder = self.course.root / REPLACED_FOLDER / student / assignment
        folder.mkdir(parents=True, exist_ok=True)
        content = path.read_bytes()
        kept = folder / f"{path.stem}-{hashlib.sha256(content).hexdigest()[:8]}{path.suffix}"
        write_bytes(kept, content)
        return kept.relative_to(self.course.root).as_posix()


TYPED_TEXT = "is a text or a link that was typed into a form, not a notebook"
CONFLICTING_NOTEBOOKS = "two notebooks of the lesson with different answers: leave the one that counts"


def read_cells(one: DownloadedFile) -> list[dict[str, Any]]:
    """Return the cells of a notebook. Raises UnreadableSubmissionError."""
    return list(iterate_cells(parse_notebook_json(one.entry.read())))


def make_notebook_name(one: DownloadedFile, number: int = 0) -> str:
    """Return a valid file name close to the student's own. number: distinguishes files with the same name."""
    known = NOTEBOOK_NAME.fullmatch(one.file)
    stem = make_student_id(known["stem"] if known else Path(one.file).stem)
    return f"{stem} ({number}).ipynb" if number else f"{stem}.ipynb"


def describe_other_file(one: DownloadedFile) -> str:
    """Return the problem of a file that is not a notebook and was submitted without one."""
    if one.entry.name.lower().endswith(ARCHIVE_SUFFIXES):
        return "is an archive without a notebook: ask for the notebook itself"
    return "is not a notebook"


def list_possible_names(platform: str, name: str) -> list[str]:
    """Return candidate names for a student. Moodle before 4.1 prefixes the group's name and a hyphen."""
    parts = name.split("-") if platform == "moodle" else [name]
    return ["-".join(parts[start:]) for start in range(len(parts))]


def get_upload_order(one: DownloadedFile) -> tuple[datetime, int]:
    """Return a sort key that is larger for later uploads, if the platform gives times or an order."""
    return one.received or datetime.min, one.order


def write_submission_timestamp(folder: Path, received: datetime | None, what: str) -> None:
    """Write the time of submission for nbgrader, or delete the outdated time of a replaced file."""
    path = folder / TIMESTAMP
    if received:
        text = f"{received:%Y-%m-%d %H:%M:%S} UTC\n"
        if not path.is_file() or path.read_text(errors="replace") != text:
            write_bytes(path, text.encode())
    elif what == REPLACED:
        path.unlink(missing_ok=True)

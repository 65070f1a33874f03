"""Puts what a learning platform's download holds into `submitted/`, where it is graded."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from gradebox import submission_files
from gradebox.autograde.discover_submissions import is_linked, wrong_name
from gradebox.autograde.match_notebooks import cells_in, is_of, parsed, recognise
from gradebox.course import Course, CourseError
from gradebox.gradebook import keep
from gradebox.lms import download_archive
from gradebox.lms.csv_table import write_bytes
from gradebox.lms.filename_patterns import FOLDERS, GRADESCOPE, PLATFORMS, HandedIn, Owner, folders, guess
from gradebox.lms.match_students import COLLECTED, Ambiguous, People, Student, letters, names_of, usable
from gradebox.lms.moodle_worksheet import Line
from gradebox.reports.regrade_requests import FILE as REQUESTS
from gradebox.submission_files import TIMESTAMP, Unreadable

TAKEN, UNCHANGED, KEPT, REPLACED, LEFT = "taken", "as it was", "kept", "replaced", "not taken"
# Where what `--force` replaces is kept, in the course's folder.
EARLIER = "downloaded/replaced"
ARCHIVES = (".zip", ".7z", ".rar", ".tar", ".gz", ".tgz", ".bz2", ".xz")


@dataclass(frozen=True)
class Row:
    """What became of a file, or of a student's files for a notebook.

    what: TAKEN, UNCHANGED, KEPT (another file is there), REPLACED, or LEFT. file: its name in the download.
    problem: whether somebody should do something.
    """

    student: str
    assignment: str
    what: str
    file: str
    received: datetime | None = None
    remarks: tuple[str, ...] = ()
    problem: bool = False


def collect(
    course: Course,
    path: Path,
    platform: str | None = None,
    force: bool = False,
    only: str | None = None,
    worksheet: Mapping[str, Line] | None = None,
) -> tuple[str, list[Row]]:
    """Fill `submitted/` from a download: a zip archive or a folder.

    platform: where it is from, one of `names.PLATFORMS` or FOLDERS; found by the names in it if not given.
    force: whether a file that differs is replaced; what it replaces is kept in EARLIER. only: the assignment
    that all of it is for, which a file that can't be read doesn't say. worksheet: what Moodle's tells, by
    number (see `moodle_worksheet.py`). Returns the platform and what became of each file. Raises CourseError
    if it is no download, or the course is not released.
    """
    released = {
        (assignment, notebook.stem): notebook
        for assignment in ([only] if only else course.assignments)
        for notebook in sorted(course.path("release", assignment).glob("*.ipynb"))
    }
    if not released:
        raise CourseError("nothing is released that could be handed in: run `gradebox release` first")
    with download_archive.opened(path) as entries, course.gradebook() as gradebook:
        people = People(gradebook)
        platform = platform or guess(entries)
        if platform == FOLDERS:
            found = folders(entries, lambda name: known(people, name), course.assignments)
        elif platform in PLATFORMS:
            found = PLATFORMS[platform](entries)
        else:
            raise CourseError(f"there is no platform {platform!r}: {', '.join([*PLATFORMS, FOLDERS])}")
        if not found and entries:
            raise CourseError(f"no file in {path} is called as {platform} calls them: name another --from")
        collector = Collector(course, platform, people, released, force)
        rows = [
            Row("?", "", LEFT, entry.path, None, ("its name does not say whose it is",), True)
            for entry in entries
            if entry.path not in found and entry.name != GRADESCOPE
        ]
        rows += collector.collect(list(told(found.values(), worksheet or {})), only)
        return platform, sorted(rows, key=lambda row: (row.student, row.assignment, row.file))


def told(found: Iterable[HandedIn], worksheet: Mapping[str, Line]) -> Iterator[HandedIn]:
    """Hand-ins with what a worksheet says of them."""
    for one in found:
        line = worksheet.get(one.number or "")
        if line:
            owners = tuple(replace(owner, id=line.id, email=line.email) for owner in one.owners)
            unread = line.said if line.said and not line.received else ""
            one = replace(one, owners=owners, received=line.received or one.received, unread=unread)
        yield one


def known(people: People, name: str) -> bool:
    try:
        return bool(people.by_id(name) or people.named(name))
    except Ambiguous:
        return True


@dataclass
class Collector:
    """One download on its way into `submitted/`.

    namesakes: by the letters of a name, the numbers of who is called so. new: the ids of students whom the
    gradebook did not know.
    """

    course: Course
    platform: str
    people: People
    released: Mapping[tuple[str, str], Path]
    force: bool
    namesakes: dict[str, set[str | None]] = field(default_factory=dict)
    new: set[str] = field(default_factory=set)

    def collect(self, found: list[HandedIn], only: str | None) -> Iterator[Row]:
        notebooks: dict[tuple[str, str, str], list[HandedIn]] = {}
        broken: list[tuple[str, HandedIn, str]] = []
        asking: list[tuple[str, HandedIn]] = []
        for one in found:
            for owner in one.owners:
                self.namesakes.setdefault(letters(owner.name), set()).add(one.number)
        for one in found:
            if not one.owners:
                yield self.left("?", one, "its name does not say whose it is")
            for owner in one.owners:
                try:
                    student = self.student(owner, one.number)
                except Ambiguous as error:
                    yield self.left(owner.name, one, str(error))
                    continue
                if one.file.lower() == REQUESTS:
                    asking.append((student, one))
                    continue
                problem = no_notebook(one)
                if problem:
                    yield self.left(student, one, problem)
                    continue
                try:
                    notebook = self.recognised(one)
                except Unreadable as error:
                    if one.entry.name.lower().endswith(".ipynb"):
                        broken.append((student, one, str(error)))
                    else:
                        yield self.left(student, one, "is no notebook")
                    continue
                if not notebook:
                    yield self.left(student, one, "is no notebook of a lesson that is released here")
                    continue
                notebooks.setdefault((student, *notebook), []).append(one)
        # A file that can't be read says nothing of itself; its neighbours do.
        assignments = {assignment for _, assignment, _ in notebooks} | ({only} if only else set())
        for key, versions in notebooks.items():
            yield from self.put(*key, versions)
        for student, one, problem in broken:
            sound = any(owner == student for owner, *_ in notebooks)
            if len(assignments) == 1 and not sound:
                # For whoever grades to say so: something was handed in.
                yield self.write(student, one, next(iter(assignments)), own_name(one), [problem], True)
            else:
                yield self.left(student, one, problem)

        for student, one in asking:
            own = {assignment for owner, assignment, _ in notebooks if owner == student} or assignments
            if len(own) == 1:
                yield self.write(student, one, next(iter(own)), REQUESTS, ["a request to look again"])
            else:
                yield self.left(
                    student, one, "asks to look again, it does not say at what: name --assignment"
                )

    def left(self, student: str, one: HandedIn, why: str) -> Row:
        late = ("called late",) if one.late else ()
        return Row(student, "", LEFT, one.entry.path, one.received, (why, *late), True)

    def student(self, owner: Owner, number: str | None) -> str:
        """The id of the student whose a file is. Raises Ambiguous."""
        people, platform = self.people, self.platform
        # Gradescope's are numbers of submissions.
        its = number if platform in ("moodle", "canvas") else None
        found = (
            (its and self.numbered(owner, its))
            or (owner.id and people.by_id(owner.id))
            or (owner.email and people.by_email(owner.email))
        )
        if not found:
            namesakes = self.namesakes[letters(owner.name)]
            found = next(filter(None, map(people.named, called(platform, owner.name))), None)
            if len(namesakes) > 1:
                if found and found.id not in self.new:
                    several = f"{len(namesakes)} in this download are called {owner.name}"
                    raise Ambiguous(f"{several}, one in the gradebook")
                found = None
        if not found:
            found = self.unknown(owner, number)
        if its:
            people.know(platform, its, found.id)
        if its and platform == "canvas" and not found.number:
            # Canvas has one number for a student in all assignments.
            people.save(replace(found, number=its))
        return found.id

    def numbered(self, owner: Owner, number: str) -> Student | None:
        """The student whom the platform knows by a number, which may be a group's in Moodle."""
        found = self.people.by_number(self.platform, number)
        if not found or self.platform == "canvas":
            return found
        names = {letters(name) for name in called(self.platform, owner.name)}
        # Where names are hidden, all are called the same.
        hidden = len(self.namesakes[letters(owner.name)]) > 1
        return found if hidden or not found.name or names & names_of(found) else None

    def unknown(self, owner: Owner, number: str | None) -> Student:
        """A student whom the gradebook has not met."""
        name = usable(owner.id or owner.name or owner.email)
        if name in self.people.students:
            name = usable(f"{name} {number or owner.email or len(self.people.students)}")
        # Canvas's names are of letters only, which no person is called by.
        first, _, last = owner.name.rpartition(" ") if self.platform != "canvas" else ("", "", "")
        student = Student(name, first, last, owner.email)
        self.new.add(name)
        self.people.save(student)
        return student

    def recognised(self, one: HandedIn) -> tuple[str, str] | None:
        """The assignment and the name of the notebook that a file is, if any. Raises Unreadable."""
        cells = list(cells_in(parsed(one.entry.read())))
        return next((key for key, released in self.released.items() if is_of(cells, released)), None)

    def put(self, student: str, assignment: str, name: str, versions: list[HandedIn]) -> Iterator[Row]:
        """Take the newest version of a student's notebook."""
        remarks: list[str] = []
        if len(versions) > 1 and len({one.entry.read() for one in versions}) > 1:
            if len(set(map(when, versions))) < len(versions):
                # Whoever grades asks which one counts; nobody here can know.
                names = [own_name(one) for one in versions]
                for number, one in enumerate(versions):
                    own = own_name(one, names[:number].count(names[number]))
                    yield self.write(student, one, assignment, own, [TWO], True)
                return
            versions = sorted(versions, key=when)
            others = ", ".join(one.file for one in versions[:-1])
            remarks.append(f"the newest of {len(versions)}: older is {others}")
        newest = versions[-1]
        if Path(newest.file).stem != name:
            remarks.append(f"handed in as {newest.file}")
        # One that was put there by hand may have another name.
        folder = self.course.path("submitted", assignment, student)
        there = recognise(folder, self.course.path("release", assignment)).files if folder.is_dir() else {}
        own = there[name].name if name in there else f"{name}.ipynb"
        yield self.write(student, newest, assignment, own, remarks)

    def write(
        self,
        student: str,
        one: HandedIn,
        assignment: str,
        name: str,
        remarks: list[str],
        problem: bool = False,
    ) -> Row:
        """Write a file into a student's folder, unless another one is there; and when a notebook came."""
        remarks = [*remarks, *self.about(student, one)]

        def row(what: str, *more: str) -> Row:
            said, wrong = (*remarks, *more), problem or what in (LEFT, KEPT)
            return Row(student, assignment, what, one.entry.path, one.received, said, wrong)

        wrong = wrong_name(student)
        if wrong:
            return row(LEFT, wrong)
        try:
            raw = one.entry.read()
        except Unreadable as error:
            return row(LEFT, str(error))
        folder = self.course.path("submitted", assignment, student)
        path = folder / name
        if is_linked(folder):
            return row(LEFT, "the student's folder in submitted/ is a link")
        try:
            there = submission_files.read(path) if path.exists() or path.is_symlink() else None
        except Unreadable as error:
            return row(LEFT, f"what is in submitted/ {error}")
        if there is not None and there != raw and not self.force:
            return row(KEPT, "another file is in submitted/: --force replaces it")
        what = TAKEN if there is None else UNCHANGED if there == raw else REPLACED
        if what == REPLACED:
            remarks.append(f"the earlier one is in {self.keep(student, assignment, path)}")
        if what != UNCHANGED:
            folder.mkdir(parents=True, exist_ok=True)
            write_bytes(path, raw)
        if name != REQUESTS:
            stamp(folder, one.received, what)
            about = {"student_id": student, "assignment": assignment, "platform": self.platform}
            said = {"number": one.number, "path": one.entry.path, "late": one.late, "received": one.received}
            keep(self.people.connection, COLLECTED, about | said)
        return row(what)

    def about(self, student: str, one: HandedIn) -> Iterator[str]:
        if student in self.new:
            yield "not in the gradebook until now"
        if one.unread:
            yield f"its time can't be read: {one.unread}"
        if one.late:
            yield f"late, says {self.platform.capitalize()}, not when"

    def keep(self, student: str, assignment: str, path: Path) -> str:
        """Move a file that is replaced out of the way. Returns where it is, for a sentence."""
        folder = self.course.root / EARLIER / student / assignment
        folder.mkdir(parents=True, exist_ok=True)
        content = path.read_bytes()
        kept = folder / f"{path.stem}-{hashlib.sha256(content).hexdigest()[:8]}{path.suffix}"
        write_bytes(kept, content)
        return kept.relative_to(self.course.root).as_posix()


TWO = "two notebooks of the lesson with different answers: leave the one that counts"


def own_name(one: HandedIn, number: int = 0) -> str:
    """A name for a file that keeps its own, as far as one can be; number: tells it from others."""
    stem = usable(Path(one.file).stem)
    return f"{stem} ({number}).ipynb" if number else f"{stem}.ipynb"


def no_notebook(one: HandedIn) -> str | None:
    """Why a file can't be a notebook, whatever is in it; None if it may be one."""
    if one.typed:
        return "is a text or a link that was typed into a form, not a notebook"
    name = one.entry.name.lower()
    if name.endswith(ARCHIVES):
        return "is an archive in an archive: ask for the notebook itself"
    return None if name.endswith((".ipynb", ".json", ".txt")) else "is no notebook"


def called(platform: str, name: str) -> list[str]:
    """What a student may be called: before 4.1, Moodle writes a group's name and a hyphen in front."""
    parts = name.split("-") if platform == "moodle" else [name]
    return ["-".join(parts[start:]) for start in range(len(parts))]


def when(one: HandedIn) -> tuple[datetime, int]:
    """What is larger for what was handed in later, as far as a platform says so."""
    return one.received or datetime.min, one.order


def stamp(folder: Path, received: datetime | None, what: str) -> None:
    """Write when a hand-in came, where nbgrader looks for it; a date that is another file's goes."""
    path = folder / TIMESTAMP
    if received:
        text = f"{received:%Y-%m-%d %H:%M:%S} UTC\n"
        if not path.is_file() or path.read_text(errors="replace") != text:
            write_bytes(path, text.encode())
    elif what == REPLACED:
        path.unlink(missing_ok=True)

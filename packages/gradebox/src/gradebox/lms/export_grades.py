"""Fill grades into a table exported by a learning platform, or write a table to import. Used by `export`.

A grade is the total after penalties. A missing grade (unread, ungraded or not submitted) is never written as
0: the cell stays unchanged. A new table omits students without a grade, because an empty cell would delete an
existing grade (Canvas, Moodle). A provisional grade has the points that are known while answers are unread.
"""

import io
import math
import re
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path

from gradebox.class_list import read_sections
from gradebox.course import PLATFORM_TABLES, Course, CourseError
from gradebox.csv_table import (
    FIRST_NAME_HEADINGS,
    FULL_NAME_HEADINGS,
    ID_HEADINGS,
    LAST_NAME_HEADINGS,
    CsvTable,
    build_csv_table,
    read_csv_table,
    write_bytes,
    write_csv_table,
)
from gradebox.forgotten_students import describe_forgotten, find_forgotten
from gradebox.lms.canvas_file_names import match_canvas_name
from gradebox.lms.filename_patterns import parse_participant_number
from gradebox.lms.match_students import (
    AmbiguousStudentError,
    LmsStudent,
    StudentIndex,
    normalize_name,
    read_collected_rows,
)
from gradebox.lms.moodle_submission_owners import OTHER_WORKSHEET
from gradebox.lms.moodle_worksheet_columns import (
    NOT_CHANGEABLE,
    find_worksheet_columns,
)
from gradebox.lms.roster import NON_STUDENT_NAMES
from gradebox.lms.student_claims import (
    MatchRank,
    StudentMatch,
    choose_claims,
    find_contradiction,
    has_exact_name,
)
from gradebox.printable_text import format_count, shorten_list
from gradebox.reports.student_standings import ABSENT, GRADED, STATES, UNREAD, Standing, find_standings

EXPORT_FOLDER = "exports"
CANVAS, MOODLE, CSV_FORMAT = "canvas", "moodle", "csv"
# Heading of an assignment's column in Canvas; the number is Canvas's id.
CANVAS_COLUMN = re.compile(r"(?P<title>.*) \((?P<number>\d+)\)")
DECIMAL_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")
# Columns that identify the student of a row, besides the platform's number and the e-mail address.
IDENTITY_COLUMNS = {
    "id": ID_HEADINGS,
    "name": FULL_NAME_HEADINGS,
}
# Headings of Moodle's column of comments that are known.
COMMENT_HEADINGS = "Feedback comments", "Feedback als Kommentar"
# Comment in Moodle's worksheet beside a provisional grade; the export of the final grade removes it.
PROVISIONAL_COMMENT = "Provisional: not all answers are read yet."
# Fixed date of all entries, so that the same pages produce the same archive.
ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclass
class WrittenGrades:
    """Grades of an assignment that an export has written.

    grades: by student, on the scale of the platform. maximum: the platform's maximum, if the points were
    converted to it. without_row: students with a grade who have no row in the platform's table.
    """

    grades: dict[str, float] = field(default_factory=dict)
    maximum: float | None = None
    without_row: set[str] = field(default_factory=set)


class GradeExport:
    """Export of grades to a platform.

    columns: headings of the platform's columns by assignment, for headings without the assignment's name.
    scale: convert points to the maximum in the platform's file. provisional: also export the points of
    submissions with unread answers. students: export only the grades of these; None for all. files: the
    written files. written: the grades in them, by platform and assignment. counts: the number of students in
    each state, by assignment. Several tables of one assignment can be written one after the other, those of
    the platforms first.
    """

    def __init__(
        self,
        course: Course,
        assignments: list[str],
        columns: Mapping[str, str] | None = None,
        scale: bool = False,
        provisional: bool = False,
        students: Collection[str] | None = None,
    ):
        self.course, self.assignments = course, assignments
        self.columns, self.scale, self.provisional = columns or {}, scale, provisional
        self.students = students
        with course.gradebook() as gradebook:
            self.people = StudentIndex(gradebook)
            self.collected = read_collected_rows(gradebook.db.connection(), assignments)
            self.sections = read_sections(gradebook.db.connection())
        # Moodle's numbers of the students in the worksheet's assignment.
        self.numbers: dict[str, str] = {}
        self.forgotten = find_forgotten(course, course.roster)
        for student in course.roster:
            # A student with a folder may have submitted without being in the gradebook.
            if student not in self.people.students:
                self.people.add(LmsStudent(student))
        self.standings: Callable[[str], dict[str, Standing]] = cache(
            lambda name: {who: one for who, one in find_standings(course, name).items() if self.selects(who)}
        )
        self.files: list[Path] = []
        self.written = defaultdict[tuple[str, str], WrittenGrades](WrittenGrades)
        # Who has handed in, but has no row in the filled tables, by assignment.
        self.unlisted: dict[str, set[str]] = {}
        self.notes: list[str] = []
        if self.forgotten:
            self.add_remark(describe_forgotten(self.forgotten))
        self.counts = {name: self.count(name) for name in assignments}

    def selects(self, student: str) -> bool:
        return student not in self.forgotten and (self.students is None or student in self.students)

    def count(self, assignment: str) -> dict[str, int]:
        found = Counter(one.state for one in self.standings(assignment).values())
        if found[UNREAD] and self.provisional:
            grades = format_count(found[UNREAD], "grade is", "grades are")
            self.add_remark(f"{assignment}: {grades} provisional, without the points of unread answers")
        return {state: found[state] for state in STATES if found[state]}

    @property
    def remarks(self) -> list[str]:
        """Notes for the instructor, one sentence each."""
        unlisted = sorted(set().union(*self.unlisted.values()))
        return [*self.notes, *([f"in no table: {shorten_list(unlisted)}"] if unlisted else [])]

    def find_grade(self, standing: Standing) -> float | None:
        """Return the points that this export writes for a student; None without a grade."""
        known = standing.state == GRADED or self.provisional and standing.state == UNREAD
        return standing.points if known else None

    def write(
        self,
        platform: str,
        into: Path | None,
        output: Path | None = None,
        feedback: bool = False,
        section: str = "",
        others: Collection[str] = (),
    ) -> None:
        """Fill the file `into`, or write new files.

        Args:
            platform: CANVAS, MOODLE or CSV_FORMAT.
            into: The platform's table, or None.
            output: The file of the table without a platform; by default in EXPORT_FOLDER.
            feedback: Also write the feedback pages, as an archive per assignment.
            section: The folder of a section's files.
            others: Further platforms that get grades. Pages and a new table omit their students.

        Raises:
            CourseError: For a table that can't be filled.
        """
        fill = {CANVAS: self.fill_canvas, MOODLE: self.fill_moodle}
        if platform not in (*fill, CSV_FORMAT):
            raise CourseError(f"unknown platform {platform!r} (known: {', '.join((*fill, CSV_FORMAT))})")
        if into and platform not in fill:
            raise CourseError(f"{into} can't be filled: --to {platform} only writes new files")
        folder = self.course.root / EXPORT_FOLDER / platform / section
        students: Collection[str] = self.course.roster
        if into:
            sheet = read_csv_table(into)
            students = fill[platform](sheet, into)
            # A lesson has one table of a platform, under any name that the download has.
            name = f"{self.assignments[0]}.csv" if len(self.assignments) == 1 else into.name
            self.save(folder / name, sheet)
        elif platform == CSV_FORMAT:
            self.save(output or self.course.root / EXPORT_FOLDER / "grades.csv", self.plain())
        for assignment in self.assignments:
            graded = [who for who in self.select_graded(assignment, others) if who in students]
            if not into and platform != CSV_FORMAT:
                self.save(folder / f"{assignment}.csv", self.own(platform, assignment, graded))
                self.unlisted.get(assignment, set()).difference_update(graded)
            if feedback:
                self.save_pages(platform, assignment, folder / f"{assignment}-feedback.zip", graded)

    def select_graded(self, assignment: str, others: Collection[str]) -> list[str]:
        """Return the students with a grade whose submission is not from one of the other platforms."""
        standings = self.standings(assignment).values()
        graded = [one.student for one in standings if self.find_grade(one) is not None]
        rows = {who: self.collected.get((who, assignment)) for who in graded}
        return [who for who, row in rows.items() if not row or row.platform not in others]

    def save_pages(self, platform: str, assignment: str, path: Path, students: Collection[str]) -> None:
        """Write the feedback pages of these students, who have a grade, to an archive."""
        pages: dict[str, Path] = {}
        missing = "graded submissions have no page: run `gradebox feedback`"
        stale = "pages are older than their grades: run `gradebox feedback`"
        nameless = f"pages can't be returned in {platform.capitalize()}: the platform's numbers are unknown"
        without = defaultdict[str, set[str]](set)
        names = self.course.notebooks(assignment)
        for student in students:
            folder = self.course.path("feedback", assignment, student)
            mine = [page for name in names if (page := folder / f"{name}.html").is_file()]
            if not mine:
                without[missing].add(student)
            elif get_latest_mtime(folder) < get_latest_mtime(
                self.course.path("autograded", assignment, student)
            ):
                without[stale].add(student)
            else:
                for page in mine:
                    name = self.page_name(platform, assignment, student, page.name)
                    if name:
                        pages[name] = page
                    else:
                        without[nameless].add(student)
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
            for name in sorted(pages):
                file.writestr(
                    zipfile.ZipInfo(name, ZIP_EPOCH), pages[name].read_bytes(), zipfile.ZIP_DEFLATED
                )
        write_bytes(path, archive.getvalue())
        for why, those in without.items():
            self.add_remark(f"{assignment}: {len(those)} {why}")
        self.add_remark(
            f"{assignment}: {format_count(len(pages), 'page', 'pages')} in {platform}/{path.name}"
        )
        self.files.append(path)

    def page_name(self, platform: str, assignment: str, student: str, page: str) -> str | None:
        """Return a platform's name for a student's page; None if the required numbers are unknown.

        Canvas: app/models/abstract_assignment.rb, infer_comment_context_from_filename: the numbers of student
        and file, as in the download. Moodle: mod/assign/feedback/file/importziplib.php: any name without an
        underscore, the student's number, and the destination.
        """
        one = self.collected.get((student, assignment))
        one = one if one and one.platform == platform else None
        if platform == CANVAS:
            known = match_canvas_name(Path(one.path).name) if one else None
            return f"{known.string[: known.start('file')]}{page}" if known and known["file"] else None
        if platform == MOODLE:
            number = self.numbers.get(student) or (one.number if one else None)
            name = (self.people.students[student].name or student).replace("_", " ").replace("/", " ")
            return f"{name}_{number}_assignfeedback_file_{page}" if number else None
        return f"{student}/{assignment}/{page}"

    def save(self, path: Path, sheet: CsvTable) -> None:
        write_csv_table(path, sheet)
        self.files.append(path)
        if formulas := sheet.formulas():
            self.add_remark(
                f"{path.name}: text that a spreadsheet would run as a formula has an apostrophe in front: "
                f"{shorten_list(formulas)}"
            )

    # Canvas

    def fill_canvas(self, sheet: CsvTable, path: Path) -> Collection[str]:
        """Fill Canvas's gradebook, and return the students in it.

        https://github.com/instructure/canvas-lms, lib/gradebook_importer.rb
        """
        require_canvas_gradebook(sheet, path)
        names = map(CANVAS_COLUMN.fullmatch, sheet.headings)
        titles = {number: named["title"] for number, named in enumerate(names) if named}
        points = next((row for row in sheet.rows[1:] if "Points Possible" in row[0]), [])
        columns = self.places(sheet, titles, path)
        lines = self.lines(sheet, path, CANVAS, sheet.column(["ID"]))
        for assignment, column in columns.items():
            self.fill(CANVAS, lines, assignment, column, parse_grade(sheet.cell(points, column)))
        if path.is_relative_to(self.course.root / PLATFORM_TABLES):
            # In a copy from an earlier week, the other lessons have the grades, or the empty cells, of then.
            stale = titles.keys() - columns.values()
            for row in sheet.rows:
                row[:] = [cell for place, cell in enumerate(row) if place not in stale]
        return lines

    # Moodle

    def fill_moodle(self, sheet: CsvTable, path: Path) -> Collection[str]:
        """Fill an assignment's grading worksheet, and return the students in it.

        https://github.com/moodle/moodle, mod/assign/feedback/offline/importgradeslib.php: Moodle ignores an
        empty grade, but not an empty comment. The date of the last change must stay unchanged.
        """
        if len(self.assignments) != 1:
            raise CourseError("name one assignment: a Moodle grading worksheet is for a single assignment")
        (assignment,) = self.assignments
        places = self.find_worksheet_columns(sheet, path, assignment)
        number, column = places["number"], places["grade"]
        assert number is not None and column is not None
        lines = self.lines(sheet, path, MOODLE, number)
        self.numbers = {who: parse_participant_number(sheet.cell(row, number)) for who, row in lines.items()}
        collected = {one.number for one in self.collected.values() if one.platform == MOODLE and one.number}
        if collected and collected.isdisjoint(self.numbers.values()):
            raise CourseError(f"no collected submission of {assignment} is in {path.name}: {OTHER_WORKSHEET}")
        locked = [
            student
            for student, row in lines.items()
            if sheet.cell(row, places["changeable"]).casefold() in NOT_CHANGEABLE
        ]
        if locked:
            self.add_remark(f"Moodle will reject grades of {shorten_list(locked)}: locked there")
        # Each row has the assignment's maximum.
        maximum = next((cell for row in lines.values() if (cell := sheet.cell(row, places["maximum"]))), "")
        # The decimal separator depends on the language of the user who downloaded the worksheet.
        self.fill(MOODLE, lines, assignment, column, parse_grade(maximum), comma="," in maximum)
        self.mark_provisional(lines, assignment, sheet.column(COMMENT_HEADINGS))
        return lines

    def find_worksheet_columns(self, sheet: CsvTable, path: Path, assignment: str) -> dict[str, int | None]:
        """Return the columns of a grading worksheet; see `moodle_worksheet_columns.py`.

        --column can name the column of the assignment's grade, and that of Moodle's numbers as "number".
        """
        names = {"number": "number", assignment: "grade"}
        chosen = {names[name]: heading for name, heading in self.columns.items() if name in names}
        examples = {"number": "Identifier", assignment: "Grade"}
        return find_worksheet_columns(path, sheet, ("number", "grade"), chosen, examples)

    def mark_provisional(self, lines: Mapping[str, list[str]], assignment: str, column: int | None) -> None:
        """Write a comment beside provisional grades, and remove it beside final ones. Keep other comments."""
        for student, standing in self.standings(assignment).items():
            row = lines.get(student)
            if row is None or column is None or self.find_grade(standing) is None:
                continue
            row.extend([""] * (column + 1 - len(row)))
            if row[column].strip() in ("", PROVISIONAL_COMMENT):
                row[column] = PROVISIONAL_COMMENT if standing.state == UNREAD else ""

    # Shared steps

    def lines(
        self, sheet: CsvTable, path: Path, platform: str, number_column: int | None
    ) -> dict[str, list[str]]:
        """Return the row of each student in a platform's file, by student.

        number_column: the column of the platform's numbers. Notes students without a row, and rows without a
        student. A name counts only for a row and a student without a number, id or e-mail
        address that would decide. Raises CourseError if no row matches a student.
        """
        columns = find_identity_columns(sheet, number_column)
        identities = [read_identity(sheet, row, columns) for row in sheet.rows[1:]]
        # The platform's ids may be of another kind than the gradebook's.
        has_ids = any(self.people.by_id(cell) for said in identities for cell in said["id"])
        every = {normalize_name(put_given_name_first(cell)) for said in identities for cell in said["name"]}
        claims: dict[int, StudentMatch] = {}
        strangers, unclear = [], []
        for number, said in enumerate(identities):
            try:
                match = self.match_student(said, platform, has_ids)
            except AmbiguousStudentError as error:
                unclear.append(f"{get_shown_name(said)} {error}")
                continue
            if match and match.rank > MatchRank.NAME and has_exact_name(match.student, every):
                unclear.append(f"{get_shown_name(said)} differs in accents from {match.student.id}")
            elif match:
                claims[number] = match
            elif (name := get_shown_name(said)) and name not in NON_STUDENT_NAMES:
                strangers.append(name)
        accepted, problems = choose_claims(claims)
        found: dict[str, list[str]] = {}
        # Of several rows with a student's number, id or address, the most reliable or the first counts.
        for number in sorted(accepted, key=lambda number: (claims[number].rank, number)):
            student = accepted[number]
            if student in found:
                problems[number] = f"is another row of {student}"
            else:
                found[student] = sheet.rows[1:][number]
        unclear += [f"{get_shown_name(identities[number])} {why}" for number, why in problems.items()]
        if unclear:
            self.add_remark(f"rows without a grade: {shorten_list(unclear)}")
        folded = [
            get_shown_name(identities[number])
            for number in accepted
            if claims[number].rank == MatchRank.NAME_WITHOUT_ACCENTS
        ]
        if folded:
            self.add_remark(f"matched by the name without accents: {shorten_list(folded)}")
        if strangers:
            self.add_remark(f"not in the gradebook: {shorten_list(strangers)}")
        if not found and not unclear:
            raise CourseError(
                f"{path} has no student of the gradebook: import the class list with `gradebox roster`"
            )
        for assignment in self.assignments:
            present = (who for who, one in self.standings(assignment).items() if one.state != ABSENT)
            self.unlisted[assignment] = self.unlisted.get(assignment, set(present)) - found.keys()
        return found

    def match_student(
        self, said: Mapping[str, list[str]], platform: str, has_ids: bool
    ) -> StudentMatch | None:
        """Return the match of a row. has_ids: the ids in the table are those of the gradebook.

        Raises AmbiguousStudentError if the row is a student's by name only, and may be another student's.
        """
        people = self.people
        numbers = map(parse_participant_number, said["number"])
        names = list(map(put_given_name_first, said["name"]))
        ways: tuple[tuple[MatchRank, Iterable[str], Callable[[str], LmsStudent | None]], ...] = (
            (MatchRank.NUMBER, numbers, partial(people.by_number, platform)),
            (MatchRank.ID, said["id"], people.by_id),
            (MatchRank.EMAIL, said["email"], people.by_email),
            (MatchRank.NAME, names, people.named),
            (MatchRank.NAME_WITHOUT_ACCENTS, names, people.named_without_accents),
        )
        for rank, cells, find in ways:
            found = next(filter(None, map(find, cells)), None)
            if not found:
                continue
            # A row must not have a more reliable identity than the one that matched, of somebody else.
            problem = find_contradiction(
                found,
                next(iter(said["number"]), "") if platform == CANVAS and rank > MatchRank.NUMBER else "",
                said["id"] if has_ids and rank > MatchRank.ID else (),
                said["email"] if rank > MatchRank.EMAIL else (),
            )
            if problem:
                raise AmbiguousStudentError(problem)
            return StudentMatch(found, rank)
        return None

    def places(self, sheet: CsvTable, titles: Mapping[int, str], path: Path) -> dict[str, int]:
        """Return the column of each assignment. titles: headings by column. Raises CourseError."""
        found: dict[str, int] = {}
        for assignment in self.assignments:
            if assignment in self.columns:
                named = sheet.column([self.columns[assignment]])
                if named is None:
                    raise CourseError(f"{path} has no column {self.columns[assignment]!r}")
                found[assignment] = named
                continue
            own = normalize_name(assignment)
            same = [number for number, title in titles.items() if normalize_name(title) == own]
            same = same or [number for number, title in titles.items() if own in normalize_name(title)]
            if len(same) == 1:
                found[assignment] = same[0]
            else:
                why = "no column matches" if not same else "several columns match"
                self.add_remark(f'{assignment}: {why}; choose a column with --column "{assignment}=…"')
        if not found:
            raise CourseError(
                f"{path} has no column for {shorten_list(self.assignments)}: choose a column with "
                f'--column "{self.assignments[0]}=…", one of: {", ".join(titles.values()) or "none"}'
            )
        return found

    def fill(
        self,
        platform: str,
        lines: Mapping[str, list[str]],
        assignment: str,
        column: int,
        maximum: float | None,
        comma: bool = False,
    ) -> None:
        """Write the existing grades to a column of the students' rows.

        maximum: the platform's maximum points, if it is known. comma: write a comma as decimal separator.
        Raises CourseError if the maximum is not that of the assignment, and points are not converted.
        """
        standings = self.standings(assignment)
        possible = max((one.possible for one in standings.values()), default=0)
        factor, written = 1.0, self.written[platform, assignment]
        # In Canvas, an assignment with a maximum of 0 is extra credit.
        if maximum and possible and not math.isclose(maximum, possible):
            there = platform.capitalize()
            if not self.scale:
                raise CourseError(
                    f"{assignment} has {possible:g} points, but its maximum in {there} is {maximum:g}: "
                    f"convert the points with --scale, or set the maximum in {there} to {possible:g} and "
                    "download the table again"
                )
            factor, written.maximum = maximum / possible, maximum
            self.add_remark(f"{assignment}: {possible:g} points are converted to {maximum:g}")
        for student, standing in standings.items():
            row, points = lines.get(student), self.find_grade(standing)
            if row is None and points is not None:
                written.without_row.add(student)
            if row is None or points is None:
                continue
            row.extend([""] * (column + 1 - len(row)))
            row[column] = format_grade(points * factor, comma)
            written.grades[student] = points * factor

    def add_remark(self, text: str) -> None:
        self.notes.append(text)

    # New tables

    def own(self, platform: str, assignment: str, students: Collection[str]) -> CsvTable:
        """Return a table for a platform to import, with these students, who have a grade."""
        graded = [self.standings(assignment)[student] for student in students]
        known = [self.people.students[student] for student in students]
        self.written[platform, assignment].grades.update({one.student: one.points for one in graded})
        if platform == CANVAS:
            headings = ["Student", "ID", "SIS Login ID", "Section", assignment]
            lines = [
                [f"{who.last_name}, {who.first_name}".strip(", ") or who.id, who.number, who.id]
                + [self.sections.get(who.id, "")]
                for who in known
            ]
        else:
            headings = ["ID number", "Email address", "First name", "Last name", assignment]
            lines = [[who.id, who.email, who.first_name, who.last_name] for who in known]
        grades = [format_grade(one.points, False) for one in graded]
        rows = [[*line, grade] for line, grade in zip(lines, grades, strict=True)]
        return CsvTable([headings, *rows])

    def plain(self) -> CsvTable:
        """Return a table with a row per student: names, the total, and each assignment's grade and state."""
        headings = ["student_id", "last_name", "first_name", "email", "section", "total", "without a grade"]
        for assignment in self.assignments:
            headings += [assignment, f"{assignment} state"]
        records = []
        everyone = sorted(self.people.students.items())
        for id_, who in ((id_, who) for id_, who in everyone if self.selects(id_)):
            record: dict[str, object] = {name: getattr(who, name) for name in headings[1:4]}
            record |= {"student_id": id_, "section": self.sections.get(id_, "")}
            for assignment in self.assignments:
                standing = self.standings(assignment).get(id_)
                if standing:
                    grade = record[assignment] = self.find_grade(standing)
                    record[f"{assignment} state"] = format_standing(standing, grade is not None)
                    if grade is not None:
                        self.written[CSV_FORMAT, assignment].grades[id_] = grade
            grades = [record.get(assignment) for assignment in self.assignments]
            known = [grade for grade in grades if isinstance(grade, int | float)]
            record["total"] = float(sum(known)) if known else None
            record["without a grade"] = len(grades) - len(known)
            records.append(record)
        return build_csv_table(headings, records)


def get_latest_mtime(folder: Path) -> float:
    """Return the latest modification time of the files in a folder; 0 without files."""
    return max((path.stat().st_mtime for path in folder.glob("*.*") if path.is_file()), default=0.0)


def format_standing(one: Standing, has_grade: bool) -> str:
    """Return a student's state as the text of a table cell. has_grade: the table also has a grade."""
    said = one.state if one.state != UNREAD else f"{one.unread} unread"
    if has_grade and one.state == UNREAD:
        said = f"provisional, {said}"
    if one.late and has_grade:
        said += f", late, −{one.penalty:g}" if one.penalty else ", late"
    return said


def require_canvas_gradebook(sheet: CsvTable, path: Path) -> None:
    """Raise CourseError for a table that Canvas has not exported."""
    if not sheet.is_canvas_gradebook:
        raise CourseError(
            f"{path} is not Canvas's gradebook, which has the columns Student, ID and Section (Moodle's "
            "worksheet: `gradebox grade --worksheet`, or `gradebox export --to moodle`)"
        )


def find_identity_columns(sheet: CsvTable, number_column: int | None) -> dict[str, list[int | None]]:
    """Return the columns that identify the student of a row, by kind; see IDENTITY_COLUMNS.

    number_column: the column of the platform's numbers.
    """
    found = {kind: [sheet.column([name]) for name in names] for kind, names in IDENTITY_COLUMNS.items()}
    return {**found, "email": [sheet.email_column()], "number": [number_column]}


def read_identity(
    sheet: CsvTable, row: list[str], columns: Mapping[str, list[int | None]]
) -> dict[str, list[str]]:
    """Return the cells of a row that identify the student, by kind, without empty ones."""
    said = {kind: [sheet.cell(row, column) for column in own] for kind, own in columns.items()}
    parts = [sheet.column(names) for names in (FIRST_NAME_HEADINGS, LAST_NAME_HEADINGS)]
    said["name"].append(" ".join(sheet.cell(row, part) for part in parts).strip())
    return {kind: list(filter(None, cells)) for kind, cells in said.items()}


def get_shown_name(said: Mapping[str, list[str]]) -> str:
    """Return the text that names the student of a row in a message: the name, or else another cell."""
    return next((cell for kind in ("name", "email", "id", "number") for cell in said[kind]), "")


def put_given_name_first(name: str) -> str:
    """Convert "Family name, Given name" to "Given name Family name". Other names are unchanged."""
    last, comma, first = name.partition(",")
    return f"{first.strip()} {last.strip()}" if comma else name


def parse_grade(text: str) -> float | None:
    """Parse the number in a cell, with a point or a comma. Returns None for any other text."""
    return float(text.replace(",", ".")) if DECIMAL_NUMBER.fullmatch(text) else None


def format_grade(points: float, comma: bool) -> str:
    """Format points with at most two decimals, which is the precision of the platforms."""
    text = f"{points:.2f}".rstrip("0").rstrip(".")
    text = "0" if text == "-0" else text
    return text.replace(".", ",") if comma else text

"""Build the tables that instructors read in the terminal after grading."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from textwrap import fill

from nbgrader.api import (
    Assignment,
    BaseCell,
    Grade,
    Gradebook,
    Notebook,
    SubmittedAssignment,
    SubmittedNotebook,
)
from rich.console import Group, RenderableType
from rich.text import Text
from sqlalchemy.orm import load_only

from gradebox.autograde.adjustments import (
    apply_adjustments,
    describe_lost_adjustments,
    format_adjustment,
    read_adjustments,
    read_counted_cells,
)
from gradebox.autograde.excuses import read_excuses
from gradebox.autograde.grade_submissions import GradingOutcome
from gradebox.autograde.incidents import EARLIER_RELEASE
from gradebox.class_list import ClassMember, format_student, read_class_members
from gradebox.course import Course
from gradebox.notebook_exercises import GradedCell
from gradebox.printable_text import format_count, format_file_name, printable
from gradebox.reports.in_process_tests import describe_in_process_tests
from gradebox.reports.incident_table import (
    MAX_LISTED_SUBMISSIONS,
    build_incident_table,
    describe_earlier_releases,
    shorten_list,
)
from gradebox.reports.terminal_table import TerminalTable

# Maximum characters per line of an assignment's name in a column head.
COLUMN_NAME_WIDTH = 14
# In a larger class, the terminal shows only students with a problem; a file in exports/ has all.
MAX_PRINTED_STUDENTS = 40
ANYWAY_HINT = (
    "A lesson is graded when its own reference solution gets full points here. Fix the cause, and run the "
    "command again. With `gradebox autograde --anyway`, the lesson is graded, and a person grades the tests "
    "that fail."
)


@dataclass
class Score:
    """Points of one student in one exercise, or in a whole assignment.

    waiting: how many written answers and tests wait for a person.
    """

    earned: float = 0
    possible: float = 0
    waiting: int = 0

    def add(self, earned: float, possible: float, waiting: bool) -> None:
        self.earned += earned
        self.possible += possible
        self.waiting += waiting

    def text(self) -> Text:
        if not self.possible and not self.earned:
            # Does not count.
            return Text("–", style="dim")
        if self.waiting:
            return Text("?" if not self.earned else f"{self.earned:g}+?", style="yellow")
        style = "green" if self.earned >= self.possible else "red" if not self.earned else "yellow"
        return Text(f"{self.earned:g}", style=style)


@dataclass
class GradeRow:
    """One student's scores in one assignment, by exercise; empty without a grade.

    late: True if the submission was late. penalty: the points deducted for lateness. instead: text to show in
    place of a total. is_absent: True if the student has
    neither a submission nor a grade.
    """

    student: str
    exercises: dict[str, Score] = field(default_factory=dict)
    late: bool = False
    penalty: float = 0
    instead: Text | None = None
    is_absent: bool = False

    @property
    def total(self) -> float:
        """The grade, as in the gradebook."""
        return sum(score.earned for score in self.exercises.values()) - self.penalty

    def format_total(self, alone: bool = False) -> Text:
        """Return the total as a cell. alone: True in a table without the exercises.

        Alone, the total has a mark if it lacks points of a person, and not the points of the late penalty.
        """
        if self.instead:
            return self.instead
        found = Text(f"{self.total:g}")
        if alone and any(score.waiting for score in self.exercises.values()):
            found.append("+?", style="yellow")
        if self.late:
            penalty = f" −{self.penalty:g}" if self.penalty and not alone else ""
            found.append(f" late{penalty}", style="yellow")
        return found


@dataclass
class SubmissionGrades:
    """Gradebook entry of a submission. grades: by notebook and cell, as (score, needs manual grading)."""

    late: bool
    penalty: float = 0
    grades: dict[tuple[str, str], tuple[float, bool]] = field(default_factory=dict)


def read_submission_grades(
    gradebook: Gradebook, assignment: str, student: str | None = None
) -> dict[str, SubmissionGrades]:
    """Return the gradebook entries of an assignment, by student.

    Two queries read all entries, because a class has thousands of grades. student: read only this student.
    """
    where = [Assignment.name == assignment]
    where += [SubmittedAssignment.student_id == student] if student else []
    submissions = gradebook.db.query(SubmittedAssignment).join(SubmittedAssignment.assignment).filter(*where)
    # Load only these columns: others are computed as sums over all grades.
    few = load_only(
        *(getattr(SubmittedAssignment, name) for name in ("student_id", "timestamp", "extension"))
    )
    late = {one.student_id: one.total_seconds_late > 0 for one in submissions.options(few)}
    found = {student: SubmissionGrades(is_late) for student, is_late in late.items()}
    rows = (
        gradebook.db.query(
            *(SubmittedAssignment.student_id, Notebook.name, BaseCell.name),
            *(Grade.score, Grade.needs_manual_grade, SubmittedNotebook.late_submission_penalty),
        )
        .select_from(SubmittedNotebook)
        .join(SubmittedNotebook.assignment)
        .join(SubmittedNotebook.notebook)
        .join(Notebook.assignment)
        .outerjoin(Grade, Grade.notebook_id == SubmittedNotebook.id)
        .outerjoin(BaseCell, BaseCell.id == Grade.cell_id)
        .filter(*where)
    )
    penalties: dict[str, dict[str, float]] = {}
    for student, notebook, cell, score, waiting, penalty in rows:
        if student not in found:
            # Another process graded this student between the two queries.
            continue
        found[student].grades[notebook, cell] = score or 0, bool(waiting)
        penalties.setdefault(student, {})[notebook] = penalty or 0
    for student, by_notebook in penalties.items():
        found[student].penalty = sum(by_notebook.values())
    return found


def build_grade_rows(course: Course, assignment: str, outcomes: list[GradingOutcome]) -> list[GradeRow]:
    """Return a row for each submission to the assignment."""
    cells = read_counted_cells(course, assignment)
    with course.gradebook() as gradebook:
        apply_adjustments(gradebook.db.connection(), assignment)
        found = read_submission_grades(gradebook, assignment)
        excused = {one.student for one in read_excuses(gradebook.db.connection(), assignment)}
    mine = [outcome for outcome in outcomes if outcome.submission.assignment == assignment]
    rows = [build_grade_row(outcome, found.get(outcome.submission.student), cells) for outcome in mine]
    for row, outcome in zip(rows, mine, strict=True):
        if row.instead and outcome.submission.absent and row.student in excused:
            row.instead = Text("excused", style="dim")
    return rows


def build_grade_row(
    outcome: GradingOutcome, entry: SubmissionGrades | None, cells: list[GradedCell]
) -> GradeRow:
    """Return a student's row from the gradebook, or a row without scores if the last grading failed."""
    row = GradeRow(outcome.submission.student)
    if outcome.problem:
        row.instead = Text("not graded", style="red")
    elif not entry or any((cell.notebook, cell.grade_id) not in entry.grades for cell in cells):
        # An absent student with an earlier grade is handled below: exports include that grade, too.
        absent = outcome.submission.absent
        row.instead = Text("not handed in", style="dim") if absent else Text("not graded", style="red")
        row.is_absent = absent
    else:
        row.late, row.penalty = entry.late, entry.penalty
        for cell in cells:
            earned, waiting = entry.grades[cell.notebook, cell.grade_id]
            row.exercises.setdefault(cell.number, Score()).add(earned, cell.points, waiting)
    return row


def format_column_head(name: str, points: float | None = None) -> Text:
    """Return the head of a column: a name, and the maximum points (None: the word `points`)."""
    # Wrap names at word boundaries.
    name = fill(name.replace("_", "_ "), COLUMN_NAME_WIDTH).replace("_ ", "_")
    return Text.assemble(name, "\n", ("points" if points is None else f"{points:g}", "dim"))


def build_assignment_table(
    course: Course, assignment: str, found: list[GradeRow], members: Mapping[str, ClassMember]
) -> TerminalTable:
    """Return the table of students × exercises, with totals first. members: see `read_class_members`."""
    possible: dict[str, float] = {}
    for cell in read_counted_cells(course, assignment):
        possible[cell.number] = possible.get(cell.number, 0) + cell.points
    dash = Text("–")
    lines = {
        row.student: [
            row.format_total(),
            *(row.exercises[name].text() if row.exercises else dash for name in possible),
        ]
        for row in found
    }
    where = ("more exercise", "more exercises"), "`gradebox final --exercises` writes exports/final.csv"
    return build_score_table(assignment, possible, lines, members, where)


def build_summary_table(
    by_assignment: dict[str, list[GradeRow]],
    possible: dict[str, float],
    members: Mapping[str, ClassMember],
    students: Iterable[str],
) -> TerminalTable:
    """Return the table of students × assignments, with totals first. students: the rows of the table.

    Absent students have a dash: in most assignments, somebody is absent.
    """
    lines = {}
    for student in sorted(students):
        rows = [
            next((row for row in found if row.student == student and not row.is_absent), None)
            for found in by_assignment.values()
        ]
        cells = [row.format_total(alone=True) if row else Text("–") for row in rows]
        lines[student] = [Text(f"{sum(row.total for row in rows if row):g}"), *cells]
    where = ("more lesson", "more lessons"), "`gradebox export` writes exports/grades.csv"
    return build_score_table("all lessons", possible, lines, members, where)


def build_score_table(
    title: str,
    possible: Mapping[str, float],
    lines: Mapping[str, list[Text]],
    members: Mapping[str, ClassMember],
    where: tuple[tuple[str, str], str],
) -> TerminalTable:
    """Return a table of students: name, total, section (if there are any), and other columns.

    possible: the maximum points of the other columns, by name. lines: the total and the other cells, by
    student. where: `kind` and `elsewhere` of the table.
    """
    sections = {student: find_section(student, members) for student in lines}
    has_sections = any(sections.values())

    def join(name: Text, section: str, total: Text, *others: Text) -> list[Text]:
        return [name, total, *([Text(section)] if has_sections else []), *others]

    columns = [("total", sum(possible.values())), *possible.items()]
    heads = [format_column_head(*column) for column in columns]
    table = TerminalTable(title, join(format_column_head("student"), "section\n", *heads), *where)
    for student, cells in lines.items():
        table.add_row(*join(Text(format_student(student, members)), sections[student], *cells))
    return table


def find_section(student: str, members: Mapping[str, ClassMember]) -> str:
    return printable(members.get(student, ClassMember()).section)


def format_grading_report(
    course: Course, outcomes: list[GradingOutcome], everyone: bool = False
) -> RenderableType:
    """Return the report after grading, without the verdict: table, incidents, isolation.

    The table has the exercises of one assignment, or the totals of several. The table of a large class has
    only students with a problem, and counts those who have not handed in. everyone: list all students.
    """
    names = [name for name in course.assignments if any(o.submission.assignment == name for o in outcomes)]
    by_assignment = {name: build_grade_rows(course, name, outcomes) for name in names}
    with course.connection() as connection:
        members = read_class_members(connection)
    students = {row.student for found in by_assignment.values() for row in found}
    everyone = everyone or len(students) <= MAX_PRINTED_STUDENTS
    problems = (o.submission for o in outcomes if o.problem or o.incidents)
    troubled = {(one.assignment, one.student) for one in problems}
    shown = students if everyone else {student for _, student in troubled}
    parts: list[RenderableType] = []
    for name, found in by_assignment.items():
        rows = [row for row in found if everyone or (name, row.student) in troubled]
        if rows and len(names) == 1:
            parts += [build_assignment_table(course, name, rows, members), ""]
        notes = [*list_adjustments(course, name), *list_lost_adjustments(course, name)]
        parts += [*notes, *([""] if notes else [])]
    if len(names) > 1 and shown:
        possible = {name: sum(cell.points for cell in read_counted_cells(course, name)) for name in names}
        parts += [build_summary_table(by_assignment, possible, members, shown), ""]
    if not everyone:
        hidden = format_count(len(students - shown), "student", "students")
        how = "`gradebox export` writes all grades to a table; `gradebox autograde --all` prints them"
        parts.append(f"{hidden} without incidents not listed: {how}.")
    parts += [line for name in names if (line := describe_in_process_tests(course, name))]
    every = [incident for outcome in outcomes for incident in outcome.incidents]
    parts += filter(None, (describe_earlier_releases(name, every) for name in names))
    incidents = [incident for incident in every if incident.kind != EARLIER_RELEASE]
    if incidents:
        parts += [build_incident_table(course, incidents), ""]
    parts.append(summarize_grading_outcomes(outcomes))
    # Workers on several machines may have different isolation.
    forces = sorted({o.in_force for o in outcomes if o.in_force}, key=lambda force: force.line)
    parts += [Text(f"ran in {one}") for one in sorted({name for o in outcomes for name in o.interpreters})]
    parts += [Text(force.line) for force in forces]
    parts += [Text(f"WARNING: {force.warning}", style="bold red") for force in forces if force.warning]
    return Group(*parts)


def list_adjustments(course: Course, assignment: str) -> list[Text]:
    """Return a line for each adjustment of an assignment."""
    with course.connection() as connection:
        found = read_adjustments(connection, assignment)
    return [Text(format_adjustment(one, course.dates)) for one in found]


def list_lost_adjustments(course: Course, assignment: str) -> list[Text]:
    """Return a warning for each adjustment of cells that the assignment no longer has."""
    return [Text(printable(line), style="yellow") for line in describe_lost_adjustments(course, assignment)]


def summarize_grading_outcomes(outcomes: list[GradingOutcome]) -> str:
    """Return a sentence with the numbers of graded, unchanged and absent submissions."""
    graded = sum(outcome.graded for outcome in outcomes)
    absent = sum(outcome.submission.absent for outcome in outcomes)
    problems = sum(bool(outcome.problem) for outcome in outcomes)
    penalised = sum(outcome.penalised for outcome in outcomes)
    said = f"{graded} graded, {len(outcomes) - graded - absent - problems} unchanged"
    said += f" ({penalised} with another penalty)" if penalised else ""
    return f"{said}, {absent} not handed in." if absent else f"{said}."


def format_grading_verdict(outcomes: list[GradingOutcome]) -> Text:
    """Return the verdict: all submissions are graded, or those that are not, and lessons without a proof."""
    left = [
        f"{format_file_name(o.submission.student)}/{format_file_name(o.submission.assignment)}"
        for o in outcomes
        if o.problem and not o.unproven
    ]
    unproven = list(dict.fromkeys(o.problem for o in outcomes if o.problem and o.unproven))
    lines = [f"NOT GRADED: {shorten_list(left, MAX_LISTED_SUBMISSIONS)}; see incidents."] if left else []
    lines += [ANYWAY_HINT, *map(printable, unproven)] if unproven else []
    if not lines:
        return Text("All submissions are graded.", style="green")
    return Text("\n".join(lines), style="bold red")

"""Final grades of a course: weights, lowest lessons, excuses and letters (`c.Final`), for `gradebox final`.

A lesson counts with its share of points, after penalties and adjustments. A lesson that was not handed in
counts 0. A lesson from which a student is excused, or that nobody has handed in, does not count.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from rich.text import Text
from traitlets import Dict, Float, Integer, TraitError, validate
from traitlets.config import Configurable

from gradebox.autograde.excuses import read_excuses
from gradebox.class_list import ClassMember, format_student, read_class_members
from gradebox.course import Course, CourseError
from gradebox.csv_table import CsvTable, build_csv_table
from gradebox.reports.page_theme import format_points
from gradebox.reports.student_standings import (
    ABSENT,
    GRADED,
    UNREAD,
    Standing,
    find_standings,
)
from gradebox.reports.terminal_score_tables import format_column_head, read_submission_grades
from gradebox.reports.terminal_table import TerminalTable


class Final(Configurable):
    """Rules that compute a final grade from the lessons."""

    weights = Dict(
        help="The weight of each lesson, by name; others do not count. By default, all points count the same."
    ).tag(config=True)
    drop_lowest = Integer(
        0, help="How many lessons with the smallest share of points do not count, for each student."
    ).tag(config=True)
    scale = Float(100, help="The final grade for full points in all lessons.").tag(config=True)
    letters = Dict(
        help="The smallest final grade for each letter, such as {'A': 90, 'B': 80} or {'pass': 50}."
    ).tag(config=True)

    @validate("weights", "letters")
    def _check_numbers(self, proposal):
        for name, value in proposal["value"].items():
            if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value < math.inf:
                trait = proposal["trait"].name
                raise TraitError(f"Final.{trait}[{name!r}] must be a number of 0 or more, not {value!r}")
        return proposal["value"]

    @validate("drop_lowest", "scale")
    def _check_not_negative(self, proposal):
        if not 0 <= proposal["value"] < math.inf:
            raise TraitError(f"Final.{proposal['trait'].name} must be 0 or more")
        return proposal["value"]

    def find_letter(self, total: float) -> str:
        """Return the letter of a final grade; "" below all of them."""
        reached = [(least, letter) for letter, least in self.letters.items() if total >= least]
        return str(max(reached)[1]) if reached else ""


@dataclass(frozen=True)
class FinalGrade:
    """A student's final grade.

    total: rounded to two decimals; None if no lesson counts. standings: by lesson. left_out: the reasons of
    lessons that do not count. unfinished: what is missing in a lesson, by lesson; the total is provisional.
    """

    student: str
    total: float | None
    letter: str
    standings: Mapping[str, Standing]
    left_out: Mapping[str, str] = field(default_factory=dict)
    unfinished: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class FinalGrades:
    """The final grades of a class.

    lessons: the lessons that count. left_out: the others, with the reason. members: the students of the
    gradebook, by id.
    """

    lessons: list[str]
    left_out: Mapping[str, str]
    grades: list[FinalGrade]
    members: Mapping[str, ClassMember]
    rules: Final


def compute_final_grades(
    course: Course, assignments: Sequence[str], students: Collection[str]
) -> FinalGrades:
    """Compute the final grades of these students from these lessons. Raises CourseError."""
    try:
        rules = Final(parent=course.app)
    except TraitError as error:
        raise CourseError(str(error)) from None
    unknown = sorted(set(rules.weights) - set(course.assignments))
    if unknown:
        raise CourseError(f"c.Final.weights names an unknown lesson: {unknown[0]}")
    lessons, left_out = [], {}
    standings: dict[str, dict[str, Standing]] = {}
    for name in assignments:
        standings[name] = find_standings(course, name)
        if rules.weights and not rules.weights.get(name):
            left_out[name] = "it has no weight"
        elif all(one.state == ABSENT for one in standings[name].values()):
            left_out[name] = "nobody has handed it in"
        elif not any(one.possible for one in standings[name].values()):
            left_out[name] = "it has no points"
        else:
            lessons.append(name)
    with course.connection() as connection:
        excuses = {(one.student, one.assignment): one.reason for one in read_excuses(connection)}
        members = read_class_members(connection)
    grades = []
    for student in students:
        own = {name: standings[name][student] for name in lessons}
        mine = {name: f"excused: {excuses[student, name]}" for name in lessons if (student, name) in excuses}
        grades.append(compute_final_grade(rules, student, own, mine))
    return FinalGrades(lessons, left_out, grades, members, rules)


def compute_final_grade(
    rules: Final, student: str, standings: Mapping[str, Standing], excused: Mapping[str, str]
) -> FinalGrade:
    """Compute a student's final grade. excused: the reasons of the lessons that do not count."""
    shares = {
        name: one.points / one.possible
        for name, one in standings.items()
        if one.possible and name not in excused
    }
    left_out = dict(excused)
    weights = {name: rules.weights.get(name, 0) or standings[name].possible for name in shares}
    # Of lessons with the same share, the one with the largest weight is left out. At least one lesson counts.
    lowest = sorted(shares, key=lambda name: (shares[name], -weights[name]))
    for name in lowest[: min(rules.drop_lowest, len(shares) - 1)]:
        del shares[name]
        left_out[name] = "lowest"
    whole = sum(weights[name] for name in shares)
    total = letter = None
    if whole:
        # Sums of fractions have rounding errors: 89.999… is 90.
        total = round(rules.scale * sum(weights[name] * shares[name] for name in shares) / whole, 2)
        letter = rules.find_letter(total)
    unfinished = {
        name: f"{one.unread} unread" if one.state == UNREAD else one.state
        for name, one in standings.items()
        if one.state not in (GRADED, ABSENT) and name not in excused
    }
    return FinalGrade(student, total, letter or "", standings, left_out, unfinished)


def read_exercise_points(course: Course, assignment: str) -> dict[str, dict[str, float | None]]:
    """Return the points by student and exercise; None for an exercise that waits for a person."""
    cells = course.graded_cells(assignment)
    with course.gradebook() as gradebook:
        entries = read_submission_grades(gradebook, assignment)
    found: dict[str, dict[str, float | None]] = {}
    for student, entry in entries.items():
        mine: dict[str, float | None] = {}
        for cell in cells:
            points, waits = entry.grades.get((cell.notebook, cell.grade_id), (0, True))
            before = mine.get(cell.number, 0)
            mine[cell.number] = None if waits or before is None else before + points
        found[student] = mine
    return found


def build_final_csv(course: Course, found: FinalGrades, exercises: bool) -> CsvTable:
    """Return the table of final grades: names and totals, then the lessons, then the exercises if wanted."""
    headings = ["student_id", "last_name", "first_name", "email", "section", "total", "letter"]
    headings += ["not final", "does not count", *found.lessons]
    by_exercise = {name: read_exercise_points(course, name) for name in found.lessons if exercises}
    for name in by_exercise:
        numbers = dict.fromkeys(cell.number for cell in course.graded_cells(name))
        headings += [f"{name} {number}" for number in numbers]
    records = []
    for one in found.grades:
        member = found.members.get(one.student, ClassMember())
        record: dict[str, object] = {
            **asdict(member),
            **{"student_id": one.student, "total": one.total, "letter": one.letter},
            "not final": join_reasons(one.unfinished),
            "does not count": join_reasons(one.left_out),
        }
        for name, standing in one.standings.items():
            has_points = standing.state in (GRADED, UNREAD)
            record[name] = standing.points if has_points else None
            for number, points in (
                by_exercise.get(name, {}).get(one.student, {}).items() if has_points else ()
            ):
                record[f"{name} {number}"] = points
        records.append(record)
    return build_csv_table(headings, records)


def join_reasons(reasons: Mapping[str, str]) -> str:
    """Return lessons with reasons as one text."""
    return "; ".join(f"{name}: {why}" for name, why in reasons.items())


def build_final_table(found: FinalGrades, shown: Iterable[FinalGrade]) -> TerminalTable:
    """Return the table of students × lessons for the terminal, with totals first."""
    rules = found.rules
    heads = [format_column_head("student"), format_column_head("total", rules.scale)]
    heads += [Text("letter\n")] if rules.letters else []
    has_sections = any(member.section for member in found.members.values())
    heads += [Text("section\n")] if has_sections else []
    possible = {name: max(one.standings[name].possible for one in found.grades) for name in found.lessons}
    heads += [format_column_head(name, possible[name]) for name in found.lessons]
    where = ("more lesson", "more lessons"), "the file named below has all grades"
    table = TerminalTable("final grades", heads, *where)
    for one in shown:
        total = "–" if one.total is None else format_points(one.total)
        cells = [Text(f"{total}?" if one.unfinished else total, style="yellow" if one.unfinished else "")]
        cells += [Text(one.letter)] if rules.letters else []
        member = found.members.get(one.student, ClassMember())
        cells += [Text(member.section)] if has_sections else []
        for name in found.lessons:
            standing = one.standings[name]
            points = format_points(standing.points) if standing.state in (GRADED, UNREAD) else "–"
            cells.append(format_lesson_cell(points, one.left_out.get(name, ""), name in one.unfinished))
        table.add_row(Text(format_student(one.student, found.members)), *cells)
    return table


def format_lesson_cell(points: str, left_out: str, unfinished: bool) -> Text:
    """Return a lesson's points as a cell. left_out: the reason if the lesson does not count, or ""."""
    if left_out:
        return Text("excused" if left_out != "lowest" else f"({points})", style="dim")
    return Text(f"{points}?", style="yellow") if unfinished else Text(points)


def describe_rules(found: FinalGrades) -> list[str]:
    """Return a sentence for each decision behind the final grades."""
    rules, count = found.rules, len(found.lessons)
    how = "weighted by c.Final.weights" if rules.weights else "with equal weight for each point"
    said = [f"The total is the share of points in {count} lessons, {how}, on a scale to {rules.scale:g}."]
    if count == 1:
        said = [f"The total is the share of points in {found.lessons[0]}, on a scale to {rules.scale:g}."]
    said.append("A lesson that was not handed in counts 0.")
    if rules.drop_lowest:
        lessons = "lesson does" if rules.drop_lowest == 1 else f"{rules.drop_lowest} lessons do"
        said.append(f"Each student's lowest {lessons} not count (in parentheses).")
    said += [f"{name} does not count: {why}." for name, why in found.left_out.items()]
    return said

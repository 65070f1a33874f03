"""Write the HTML pages about a class, for `gradebox report` and `gradebox similar`.

Each page is a self-contained, printable file that needs no server and no network.
"""

import ast
import statistics
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from gradebox.atomic_write import write_atomically
from gradebox.autograde.adjustments import describe_adjustment
from gradebox.autograde.excuses import read_excuses
from gradebox.autograde.incidents import KINDS, Incident
from gradebox.class_list import read_class_members
from gradebox.class_report.code_similarity import MIN_SIMILARITY, Similarity
from gradebox.class_report.exercise_outcomes import ExerciseAttempt, LessonOutcomes
from gradebox.class_report.student_trends import LOW_SHARE, TREND_THRESHOLD, find_concerns
from gradebox.class_report.svg_charts import draw_exercise_chart, draw_totals_chart
from gradebox.course import Course
from gradebox.notebook_exercises import find_title
from gradebox.printable_text import format_count, format_full_name, mark_invisible
from gradebox.reports.page_theme import build_page_styles, format_points
from gradebox.reports.student_standings import STATES
from gradebox.reports.terminal_score_tables import find_section

# Files in `exports/`: for the instructor, and for showing to others.
PAGE_WITH_NAMES, PAGE_WITHOUT_NAMES = "class.html", "class-without-names.html"
# Smallest integer that may identify a student, such as a student number.
MIN_PERSONAL_NUMBER = 10_000
# Maximum number of mistakes shown per exercise, and of student names shown per mistake.
MAX_SHOWN_MISTAKES = 5


def write_class_pages(
    course: Course, lessons: Sequence[LessonOutcomes], folder: Path, section: str = ""
) -> list[Path]:
    """Write the class page with names and without names. Return the paths. Raises OSError.

    section: the section of the students, to name on the page; "" for the whole class.
    """
    shown = [one for one in lessons if any(item.attempts for item in one.items)]
    with course.connection() as connection:
        excused = {(one.student, one.assignment) for one in read_excuses(connection)}
        members = read_class_members(connection)
    concerns = find_concerns(shown, excused)
    charts = {
        one.name: (draw_totals_chart(list(one.totals.values()), one.possible), draw_exercise_chart(one.items))
        for one in shown
    }
    written = []
    for name, names in ((PAGE_WITH_NAMES, True), (PAGE_WITHOUT_NAMES, False)):
        text = render_class_template(
            course,
            "page.html",
            **{"lessons": shown, "names": names, "charts": charts, "concerns": concerns},
            **{
                "threshold": TREND_THRESHOLD,
                "low_share": LOW_SHARE,
                "sections": {one.student: find_section(one.student, members) for one in concerns},
                "shown": MAX_SHOWN_MISTAKES,
                "example": render_code_example,
                "incidents": group_incidents_by_kind,
            },
            section=section,
            students=len({student for one in lessons for student in one.standings}),
            waiting=sum(item.waiting for one in shown for item in one.items),
            states=[state for state in STATES if any(one.states()[state] for one in shown)],
        )
        write_html(folder / name, text)
        written.append(folder / name)
    return written


def write_similarity_page(course: Course, assignment: str, found: Similarity, folder: Path) -> Path:
    """Write the page of similar code in a lesson. Return its path. Raises OSError."""
    titles = filter(None, map(find_title, course.sources(assignment).values()))
    path = folder / f"similar-{assignment}.html"
    write_html(
        path,
        render_class_template(
            course, "pairs.html", title=next(titles, assignment), found=found, alike=MIN_SIMILARITY
        ),
    )
    return path


def render_class_template(course: Course, template: str, **about: Any) -> str:
    """Return a rendered template of this package. about: variables besides those that all pages need."""
    with course.gradebook() as gradebook:
        people = {one.id: format_full_name(one.first_name, one.last_name) for one in gradebook.students}

    def called(student: str) -> str:
        return people.get(student) or student

    environment = Environment(autoescape=True, trim_blocks=True)
    environment.filters |= {
        "counted": format_count,
        "plain": format_points,
        "quarters": format_quartiles,
        "called": called,
        "visible": mark_invisible,
        "adjustment": describe_adjustment,
    }
    text = files(__package__).joinpath(template).read_text(encoding="utf-8")
    name = course.directory().course_id or course.root.name
    date = f"{datetime.now(UTC):%Y-%m-%d}"
    return environment.from_string(text).render(
        course=name, date=date, dates=course.dates, styles=build_page_styles(), called=called, **about
    )


def write_html(path: Path, text: str) -> None:
    """Write a page atomically. Raises OSError."""
    with write_atomically(path) as new:
        new.write_text(text, encoding="utf-8")


def format_quartiles(values: Sequence[float]) -> list[str]:
    """Return the lower quartile, the median and the upper quartile; dashes if `values` is empty."""
    if not values:
        return ["–"] * 3
    found = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3
    return [format_points(round(value, 1)) for value in found]


def group_incidents_by_kind(lesson: LessonOutcomes) -> list[tuple[str, list[Incident]]]:
    """Return the incidents of a lesson by kind, the most important first."""
    found = {kind: [one for one in lesson.incidents if one.kind == kind] for kind in KINDS}
    return [(kind, incidents) for kind, incidents in found.items() if incidents]


def render_code_example(attempt: ExerciseAttempt, names: bool) -> str:
    """Return a student's code as HTML.

    names: False to remove comments, strings and long numbers, which may contain a name.
    """
    code = attempt.answer if names else strip_personal_text(attempt.answer)
    return highlight(mark_invisible(code), PythonLexer(), HtmlFormatter()) if code else ""


def strip_personal_text(code: str) -> str:
    """Return code without comments, strings and long numbers, which may identify a student.

    Return "" if the code can't be parsed.
    """
    try:
        tree = ast.parse(code)
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant):
                node.value = anonymize_constant(node.value)
            if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                node.body = [one for one in node.body if not is_string_statement(one)] or [ast.Pass()]
        return ast.unparse(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""


def anonymize_constant(value: Any) -> Any:
    """Return an empty string for a string, 0 for a long integer, and other values unchanged."""
    if isinstance(value, str | bytes):
        return type(value)()
    # Numbers that identify a student have more digits than numbers in an exercise.
    return 0 if isinstance(value, int) and abs(value) >= MIN_PERSONAL_NUMBER else value


def is_string_statement(node: ast.stmt) -> bool:
    """Return True if a statement is only a string, such as a docstring."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )

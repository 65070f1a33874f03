"""Write the HTML pages about a class, for `gradebox report` and `gradebox similar`.

Each page is a self-contained, printable file that needs no server and no network.
"""

import statistics
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment

from gradebox.atomic_write import write_atomically
from gradebox.autograde.adjustments import describe_adjustment
from gradebox.autograde.excuses import read_excuses
from gradebox.autograde.incidents import KINDS, Incident
from gradebox.class_list import read_class_members
from gradebox.class_report.exercise_outcomes import LessonOutcomes, Outcome
from gradebox.class_report.student_trends import LOW_SHARE, TREND_THRESHOLD, find_concerns
from gradebox.course import Course
from gradebox.notebook_exercises import find_title
from gradebox.printable_text import format_count, format_full_name, mark_invisible
from gradebox.reports.page_theme import build_page_styles, format_points, highlight_code
from gradebox.reports.student_standings import STATES
from gradebox.reports.terminal_score_tables import find_section

if TYPE_CHECKING:
    from gradebox.class_report.code_similarity import Similarity

# File in `exports/`.
CLASS_PAGE = "class.html"
# Maximum number of mistakes shown per exercise, and of student names shown per mistake.
MAX_SHOWN_MISTAKES = 5


def write_class_page(
    course: Course, lessons: Sequence[LessonOutcomes], folder: Path, section: str = ""
) -> Path:
    """Write the class page. Return its path. Raises OSError.

    section: the section of the students, to name on the page; "" for the whole class.
    """
    shown = [one for one in lessons if any(item.attempts for item in one.items)]
    with course.connection() as connection:
        excused = {(one.student, one.assignment) for one in read_excuses(connection)}
        members = read_class_members(connection)
    concerns = find_concerns(shown, excused)
    text = render_class_template(
        course,
        "page.html",
        lessons=shown,
        concerns=concerns,
        threshold=TREND_THRESHOLD,
        low_share=LOW_SHARE,
        sections={one.student: find_section(one.student, members) for one in concerns},
        shown=MAX_SHOWN_MISTAKES,
        example=highlight_code,
        incidents=group_incidents_by_kind,
        outcomes=Outcome,
        section=section,
        students=len({student for one in lessons for student in one.standings}),
        waiting=sum(item.waiting for one in shown for item in one.items),
        states=[state for state in STATES if any(one.states()[state] for one in shown)],
    )
    write_html(folder / CLASS_PAGE, text)
    return folder / CLASS_PAGE


def write_similarity_page(course: Course, assignment: str, found: "Similarity", folder: Path) -> Path:
    """Write the page of similar code in a lesson. Return its path. Raises OSError."""
    # Import lazily: the module needs the extra `report`, and the class page does not.
    from gradebox.class_report.code_similarity import MIN_SIMILARITY

    title = next(filter(None, map(find_title, course.sources(assignment).values())), assignment)
    text = render_class_template(course, "pairs.html", title=title, found=found, alike=MIN_SIMILARITY)
    path = folder / f"similar-{assignment}.html"
    write_html(path, text)
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

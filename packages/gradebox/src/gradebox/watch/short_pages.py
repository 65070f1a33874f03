"""Short pages for students: the points of a submission without messages, or a notice."""

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment
from nbgrader.api import MissingEntry

from gradebox.autograde.discover_submissions import Submission
from gradebox.course import Course
from gradebox.notebook_exercises import find_title
from gradebox.printable_text import format_count, format_full_name, printable
from gradebox.reports.exercise_results import load_exercise_results
from gradebox.reports.feedback_exporter import TEMPLATES_FOLDER
from gradebox.reports.page_theme import build_page_styles, format_points
from gradebox.reports.terminal_score_tables import read_submission_grades


def render_notice(course: Course, submission: Submission, paragraphs: Sequence[str]) -> str:
    """Return a page with these paragraphs."""
    return render_page(course, submission, paragraphs=[printable(text) for text in paragraphs])


def render_points(course: Course, submission: Submission) -> str:
    """Return a page with the points of each exercise of a graded submission."""
    assignment, student = submission.assignment, submission.student
    with course.gradebook() as gradebook:
        entry = read_submission_grades(gradebook, assignment, student)[student]
    exercises = load_exercise_results(course, assignment, student, submission.files)
    return render_page(
        course,
        submission,
        exercises=exercises,
        points=sum(one.points for one in exercises) - entry.penalty,
        possible=sum(one.max_points - one.waiting for one in exercises),
        unread=sum(one.unread for one in exercises),
        penalty=entry.penalty,
        late=entry.late,
    )


def render_page(course: Course, submission: Submission, **content: Any) -> str:
    """Return a page with the student's name and the assignment's title."""
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"plain": format_points, "counted": format_count}
    template = files(__package__).joinpath("short_page.html").read_text(encoding="utf-8")
    titles = filter(None, map(find_title, course.sources(submission.assignment).values()))
    return environment.from_string(template).render(
        styles=build_page_styles(Path(TEMPLATES_FOLDER, "student", "page.css")),
        title=next(titles, submission.assignment),
        student=find_name(course, submission.student),
        **content,
    )


def find_name(course: Course, student: str) -> str:
    """Return a student's full name; the id if the gradebook has none."""
    try:
        with course.gradebook() as gradebook:
            person = gradebook.find_student(student)
            return format_full_name(person.first_name, person.last_name) or student
    except MissingEntry:
        return student

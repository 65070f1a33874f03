"""A page is written when something that it shows has changed, and only then."""

import shutil
from collections.abc import Callable
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest
from helpers import gradebox, solves, with_settings
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from nbgrader.api import Gradebook
from nbgrader.converters import GenerateFeedback

from gradebox.autograde.discover_submissions import find_submissions
from gradebox.autograde.due_date_extensions import set_extension
from gradebox.autograde.grade_submissions import autograde_submissions
from gradebox.course import Course
from gradebox.course_secret import SECRET_FILE
from gradebox.reports.feedback_pages import HASH_FILE, find_graded_students, write_feedback
from gradebox.reports.student_standings import find_standings

STUDENTS = ["ann", "ben"]
RIGHT = "def double(x):\n    return 2 * x"
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
TEMPLATE = "{% extends 'basic/index.html.j2' %}{% block body %}LINE{% endblock %}"


def autograde(course: Course) -> None:
    outcomes = autograde_submissions(course, list(find_submissions(course, ["hw"], STUDENTS)))
    assert [outcome.problem for outcome in outcomes] == [None, None]


def page(course: Course, student: str) -> Path:
    return course.path("feedback", "hw", student) / "hw.html"


def write_pages(course: Course, force: bool = False) -> list[str]:
    """Write the pages that are not up to date. Returns the students whose pages are other files now."""
    paths = [page(course, student) for student in STUDENTS]
    before = [path.exists() and path.stat() for path in paths]
    done: list[None] = []
    students = find_graded_students(course, ["hw"], STUDENTS)
    written, problems = write_feedback(course, students, force, lambda: done.append(None))
    assert not problems and len(done) == len(STUDENTS)
    changed = [
        student
        for student, path, old in zip(STUDENTS, paths, before, strict=True)
        if not old or (old.st_ino, old.st_mtime_ns) != (path.stat().st_ino, path.stat().st_mtime_ns)
    ]
    assert written == len(changed)
    return changed


@pytest.fixture(scope="module")
def written(small_released, tmp_path_factory) -> Path:
    """The folder of a course with two students, whose pages are up to date."""
    root = shutil.copytree(small_released, tmp_path_factory.mktemp("written") / "course")
    course = Course(root)
    for student in STUDENTS:
        solves(course, student, double=RIGHT, why="because")
    autograde(course)
    assert write_pages(course) == STUDENTS
    return root


@pytest.fixture
def course(written, tmp_path) -> Course:
    return Course(shutil.copytree(written, tmp_path / "course"))


def test_with_nothing_new_nothing_is_written_but_by_force(course):
    assert write_pages(course) == []
    autograde(course)
    assert write_pages(course) == []
    said = gradebox(course, "feedback").stdout
    assert "written" not in said and "2 feedback pages are up to date" in said
    before = page(course, "ann").read_bytes()
    assert write_pages(course, force=True) == STUDENTS
    assert page(course, "ann").read_bytes() == before


def in_gradebook(change: Callable[[Gradebook], None]) -> Callable[[Course], None]:
    def apply(course: Course) -> None:
        with course.gradebook() as gradebook:
            change(gradebook)

    return apply


def hand_in_again(course: Course) -> None:
    solves(course, "ann", double="def double(x):\n    return 3 * x", why="because")
    autograde(course)


def give_points(gradebook: Gradebook) -> None:
    gradebook.find_grade("why", "hw", "hw", "ann").manual_score = 2


def comment(gradebook: Gradebook) -> None:
    gradebook.find_comment("why", "hw", "hw", "ann").manual_comment = "Well said."


def be_late(gradebook: Gradebook) -> None:
    gradebook.find_submission("hw", "ann").timestamp = datetime(2026, 1, 2)
    gradebook.find_assignment("hw").duedate = datetime(2026, 1, 1)


def rename(gradebook: Gradebook) -> None:
    gradebook.find_student("ann").first_name = "Ann"


ONE_PAGE = {
    "points": in_gradebook(give_points),
    "comment": in_gradebook(comment),
    "late": in_gradebook(be_late),
    "name": in_gradebook(rename),
    "submission": hand_in_again,
    "deleted": lambda course: page(course, "ann").unlink(),
    "damaged": lambda course: page(course, "ann").write_text(page(course, "ann").read_text() + " "),
    "no hash": lambda course: (page(course, "ann").parent / HASH_FILE).write_bytes(b"\xff"),
    "nbgrader": lambda course: course.convert(GenerateFeedback, "hw", "ann"),
}


@pytest.mark.parametrize("what", ONE_PAGE)
def test_a_change_for_one_student_writes_that_students_page(course, what):
    ONE_PAGE[what](course)
    assert write_pages(course) == ["ann"]
    assert write_pages(course) == []


def test_points_that_a_person_gives_change_the_late_penalty(course):
    course = with_settings(course, 'c.LatePolicy.per_day = "10%"')
    in_gradebook(be_late)(course)
    write_pages(course)
    before = find_standings(course, "hw")["ann"]
    with course.gradebook() as gradebook:
        grade = gradebook.find_grade("why", "hw", "hw", "ann")
        grade.manual_score, grade.needs_manual_grade = 2, False
    assert write_pages(course) == ["ann"]
    after = find_standings(course, "hw")["ann"]
    assert after.penalty == before.penalty + 0.2 and after.points == before.points + 1.8


def test_a_page_has_the_time_of_submission_and_the_slip_days(course):
    course = with_settings(
        course,
        "c.Dates.timezone = 'Europe/Berlin'; c.Dates.due = {'hw': '2026-11-10 12:00'}",
        "c.LatePolicy.per_day = '10%'; c.LatePolicy.slip_days = 3",
    )
    (course.path("submitted", "hw", "ann") / "timestamp.txt").write_text("2026-11-11 13:00 UTC")
    autograde(course)
    assert write_pages(course) == STUDENTS
    times = "Received Wed 11 Nov 2026, 14:00; due Tue 10 Nov 2026, 12:00 (Europe/Berlin)."
    slip_days = "Slip days: 2 used for this submission, 1 left after it."
    assert f"{times} {slip_days}" in page(course, "ann").read_text()
    assert (
        "Received" not in page(course, "ben").read_text() and "Counted" not in page(course, "ann").read_text()
    )
    with course.connection() as connection:
        set_extension(connection, "hw", "ann", datetime(2026, 11, 11, 12))
    assert write_pages(course) == ["ann"]
    assert "due Wed 11 Nov 2026, 13:00 (Europe/Berlin). Slip days: 1 used" in page(course, "ann").read_text()


@pytest.mark.parametrize(
    ("settings", "counted"),
    [
        (
            "c.LatePolicy.per_day = '10%'",
            "1 day begun. A late submission loses 10 % of its points for each day",
        ),
        (
            "c.LatePolicy.per_hour = '1%'",
            "25 hours begun. A late submission loses 1 % of its points for each hour",
        ),
        (
            "c.LatePolicy.per_day = '2'; c.LatePolicy.per_hour = '1%'; c.LatePolicy.at_most = '50%'",
            "1 day and 25 hours begun. A late submission loses 2 points for each day begun and 1 % of its "
            "points for each hour begun, at most 50 % of its points.",
        ),
    ],
)
def test_a_page_says_how_many_days_or_hours_counted_and_the_rate(course, settings, counted):
    dates = "c.Dates.timezone = 'Europe/Berlin'; c.Dates.due = {'hw': '2026-10-24 23:59'}"
    course = with_settings(course, dates, *settings.split("; "))
    (course.path("submitted", "hw", "ann") / "timestamp.txt").write_text("2026-10-25 22:30 UTC")
    autograde(course)
    assert write_pages(course) == STUDENTS
    times = "Received Sun 25 Oct 2026, 23:30; due Sat 24 Oct 2026, 23:59 (Europe/Berlin)."
    assert f"{times} Counted as late: {counted}" in page(course, "ann").read_text()


def change_source(course: Course) -> None:
    path = course.path("source", "hw") / "hw.ipynb"
    path.write_text(path.read_text().replace("Why?", "Why not?"))


def change_template(course: Course) -> None:
    own = course.root / "templates" / "ours"
    own.mkdir(parents=True)
    (own / "index.html.j2").write_text(TEMPLATE)
    (own / "conf.json").write_text('{"base_template": "basic"}')
    settings = (
        f"c.StudentPage.extra_template_basedirs = [{str(own.parent)!r}]",
        'c.StudentPage.template_name = "ours"',
    )
    assert write_pages(with_settings(course, *settings)) == STUDENTS
    assert page(course, "ann").read_text() == "LINE\n"
    (own / "index.html.j2").write_text(TEMPLATE.replace("LINE", "OTHER"))


ALL_PAGES = {
    "setting": lambda course: with_settings(course, "c.HTMLExporter.exclude_anchor_links = False"),
    "template": change_template,
    "source": change_source,
    # The hash of a page tells nothing to anybody who can guess what it is of.
    "secret": lambda course: (course.root / SECRET_FILE).write_text("0" * 64),
}


@pytest.mark.parametrize("what", ALL_PAGES)
def test_a_change_for_all_students_writes_all_pages(course, what):
    ALL_PAGES[what](course)
    course = Course(course.root)
    assert write_pages(course) == STUDENTS
    assert write_pages(course) == []


def test_a_page_that_fails_is_named_in_one_sentence_and_stops_no_other(course):
    (course.path("autograded", "hw", "ann") / "hw.ipynb").write_text("{")
    page(course, "ben").unlink()
    done = gradebox(course, "feedback")
    assert done.returncode == 1 and "1 feedback page written" in done.stdout
    (problem,) = (line for line in done.stdout.splitlines() if line.startswith("ann/hw"))
    assert problem.startswith("ann/hw: no feedback page: ") and "Traceback" not in done.stdout + done.stderr
    assert page(course, "ben").is_file() and not page(course, "ann").exists()


def test_every_picture_has_an_alternative_text(small):
    class Pictures(HTMLParser):
        found: list[dict] = []

        def handle_starttag(self, tag, attributes):
            assert not dict(attributes).keys() & {"onerror", "onclick"}
            self.found += [dict(attributes)] if tag == "img" else []

    figure, table = new_code_cell("figure"), new_code_cell("table")
    figure.outputs = [new_output("display_data", data={"image/png": PNG, "text/plain": "<Figure>"})]
    table.outputs = [
        new_output("display_data", data={"text/html": f'<img src="data:image/png;base64,{PNG}">'})
    ]
    tags = '<img src="a.png"> <img src="b.png" alt="said"> <p title="<img onerror=x onclick=y">text</p>'
    solves(small, "ann", new_markdown_cell(f"{tags}\n\n![also said](c.png)"), figure, table)
    outcomes = autograde_submissions(small, list(find_submissions(small, ["hw"], ["ann"])))
    assert [outcome.problem for outcome in outcomes] == [None]
    assert small.convert(GenerateFeedback, "hw", "ann") is None
    Pictures().feed(page(small, "ann").read_text())
    general = "No description has been provided for this image"
    assert [one["alt"] for one in Pictures.found] == [general, "said", "also said", general, general]

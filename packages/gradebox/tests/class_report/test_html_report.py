"""The class page says what the class has made of its exercises."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
from browser import colours, needs_browser, tab
from helpers import (
    IMPATIENT,
    LESSON,
    gradebox,
    hand_in,
    sample,
    sample_released,
    sample_solved,
    with_settings,
)
from nbformat.v4 import new_code_cell
from nbgrader.preprocessors import ClearHiddenTests

from gradebox.autograde.discover_submissions import find_submissions
from gradebox.autograde.grade_submissions import autograde_submissions
from gradebox.class_report.exercise_outcomes import (
    ExerciseAttempt,
    ExerciseOutcomes,
    LessonOutcomes,
    Outcome,
    build_attempt,
    collect_lesson_outcomes,
)
from gradebox.class_report.html_report import CLASS_PAGE
from gradebox.class_report.student_trends import (
    TREND_THRESHOLD,
    find_concerns,
    find_falling_students,
)
from gradebox.course import Course
from gradebox.notebook_exercises import GradedCell
from gradebox.reports.exercise_results import ExerciseResult, fill_exercise_results
from gradebox.reports.student_standings import ABSENT, GRADED, Standing

STRONG, WEAK = [f"strong {n}" for n in range(7)], [f"weak {n}" for n in range(5)]


@pytest.fixture(scope="module")
def graded(tmp_path_factory) -> Course:
    course = Course(shutil.copytree(sample_released(), tmp_path_factory.mktemp("report") / "course"))
    course = with_settings(course, IMPATIENT)
    for number, student in enumerate(STRONG):
        nb = sample_solved() if number else sample_solved(picture="colours as they come")
        hand_in(course, LESSON, student, nb)
    for number, student in enumerate(WEAK):
        nb = sample_solved(weights="divided by d", entropy="in bits") if number < 3 else sample("release")
        for cell in nb.cells:
            if "def entropy" in cell.source and cell.cell_type == "code":
                cell.source = cell.source.replace("def entropy", "# by Weak Nought\ndef entropy")
        hand_in(course, LESSON, student, nb)
    slow = sample_solved()
    slow.cells.append(new_code_cell("while True: pass"))
    hand_in(course, LESSON, "slow", slow)
    with course.gradebook() as gradebook:
        for student in (*STRONG, *WEAK, "slow", "absent"):
            first, _, last = student.partition(" ")
            gradebook.update_or_create_student(student, first_name=first.title(), last_name=f"Nº{last}")
    autograde_submissions(course, list(find_submissions(course, [LESSON], [*STRONG, *WEAK, "slow"])))
    return course


@pytest.fixture(scope="module")
def page(graded) -> Path:
    said = gradebox(graded, "report")
    assert (said.returncode, said.stdout.strip()) == (0, "exports/class.html written"), said.stderr
    return graded.root / "exports" / CLASS_PAGE


def test_what_the_class_has_made_of_each_exercise(graded):
    found = collect_lesson_outcomes(graded, LESSON)
    assert len(found.standings) == 14 and found.states()[ABSENT] == 1
    weights = next(item for item in found.items if any("divided by d" in one.name for one in item.mistakes))
    top = weights.mistakes[0]
    # The small lesson's messages know no mistake by name.
    assert (top.known, sorted(top.students)) == (False, WEAK[:3])
    assert top.name == "these are divided by d, not by its root"
    # Two have not tried it: they are no mistake, and they are in the share.
    assert weights.count("tried") == 11
    assert weights.share == pytest.approx(8 / 13)
    assert sum(item.count("timed_out") for item in found.items) == 0
    assert {one.kind for one in found.incidents} == {"timed out"}
    written = next(item for item in found.items if item.waiting)
    assert written.waiting == 13 and written.share is None
    # Nobody wrote an answer, though most have removed the course's own text around it.
    assert written.count("tried") == 0


def test_the_page_names_students_to_contact_and_those_with_a_mistake(page):
    text = page.read_text()
    students = text.partition("Students to contact: ")[2].partition("</section>")[0]
    assert "Absent Nº" in students and f"<td>{LESSON}</td>" in students and "Weak Nº3" in students
    assert "Strong Nº1" not in students
    assert "Weak Nº0" in text and "by Weak Nought" in text
    assert not re.findall(r"(?:src|href)=\"(?!#)|url\((?!#)|<script|@import", text)


def test_the_commonest_mistake_is_first_and_one_with_a_name_before_what_a_test_said():
    def made(student: str, *mistakes: str, said: tuple[str, ...] = ()) -> ExerciseAttempt:
        return ExerciseAttempt(
            student, 0, 2, True, False, 0, False, False, mistakes, said, f"x = '{student}'"
        )

    item = ExerciseOutcomes("1.1", "one", 2)
    item.attempts += [made("a", "no root"), made("b", "no root", "no mask"), made("c", "no mask", "no root")]
    item.attempts += [made("d", said=("… is wrong",)), made("e", said=("… is wrong",))]
    found = [(one.name, one.known, one.students, one.example.student) for one in item.mistakes]
    assert found == [
        ("no root", True, ("a", "b", "c"), "a"),
        ("no mask", True, ("b", "c"), "b"),
        ("… is wrong", False, ("d", "e"), "d"),
    ]


def make_attempt(points: float, possible: float, **fields) -> ExerciseAttempt:
    attempt = ExerciseAttempt("ada", points, possible, True, False, 0, False, False, (), (), "x")
    return replace(attempt, **fields)


def test_outcomes_are_in_the_order_of_the_page_and_count_no_unread_answers():
    attempts = [make_attempt(0, 2, tried=False), make_attempt(0, 2), make_attempt(1, 2, second_chance=True)]
    attempts += [make_attempt(2, 2, second_chance=True), make_attempt(2, 2), make_attempt(2, 2)]
    attempts.append(make_attempt(2, 2, unread=1))
    assert list(ExerciseOutcomes("1.1", "one", 2, attempts).outcomes.items()) == [
        (Outcome.FULL, 2),
        (Outcome.SECOND_CHANCE, 1),
        (Outcome.PARTIAL, 1),
        (Outcome.NO_POINTS, 1),
        (Outcome.NOT_TRIED, 1),
    ]
    # An exercise that was dropped does not count.
    assert ExerciseOutcomes("1.2", "two", 0, [make_attempt(0, 0)]).outcomes == {}


def test_a_total_at_a_limit_belongs_to_the_upper_range_and_the_maximum_to_the_last():
    def count(possible: float, *totals: float) -> list[tuple[float, float, int]]:
        standings = {
            str(n): Standing(str(n), "hw", GRADED, total, possible) for n, total in enumerate(totals)
        }
        return LessonOutcomes(
            "hw", "hw", standings, [ExerciseOutcomes("1", "one", possible)], []
        ).distribution

    assert [number for *_, number in count(3, 0, 0.3, 0.59, 0.9, 2.7, 3)] == [1, 2, 0, 1, 0, 0, 0, 0, 0, 2]
    # After a penalty a total can be negative, and with extra credit more than the maximum.
    assert count(10, -2, 18)[0] == (-2, 0, 1) and count(10, -2, 18)[-1] == (16, 18, 1)
    assert sum(number for *_, number in count(0, 0, 0)) == 2


def test_who_is_falling_behind_and_whom_to_contact():
    def done(name: str, points: dict[str, float | None]) -> LessonOutcomes:
        standings = {
            student: Standing(student, name, ABSENT if earned is None else GRADED, earned or 0, 10)
            for student, earned in points.items()
        }
        own = [
            ExerciseAttempt(student, earned, 10, True, False, 0, False, False, (), (), "")
            for student, earned in points.items()
            if earned is not None
        ]
        return LessonOutcomes(name, name, standings, [ExerciseOutcomes("1", "one", 10, own)], [])

    class_ = {f"s{n}": 6.0 for n in range(6)}
    lessons = [
        done("a", {**class_, "falls": 8, "rises": 4, "goes": 6, "new": None}),
        done("b", {**class_, "falls": 8, "rises": 4, "goes": 6, "new": None}),
        done("c", {**class_, "falls": 6, "rises": 6, "goes": None, "new": 2}),
        # Nobody but one has handed in what was just given out.
        done("d", {**dict.fromkeys(class_), "falls": 0, "rises": None, "goes": None, "new": None}),
    ]
    assert find_falling_students(lessons) == {"falls": pytest.approx(-0.2)}
    assert TREND_THRESHOLD < 0.2
    assert find_falling_students(lessons[:2]) is None
    found = {one.student: one for one in find_concerns(lessons[:3], {("new", "a"), ("goes", "c")})}
    assert list(found) == ["new", "rises", "falls"]
    assert (found["new"].absent, found["new"].low) == (("b",), (("c", 0.2),))
    assert found["rises"].low == (("a", 0.4), ("b", 0.4)) and not found["rises"].change
    assert found["falls"].change == pytest.approx(-0.2)
    # Lesson d has just begun: nobody is late with it.
    assert [one.absent for one in find_concerns(lessons) if one.student == "s0"] == []
    # After the due date, everybody is.
    over = [*lessons[:3], replace(lessons[3], overdue=True)]
    assert [one.absent for one in find_concerns(over) if one.student == "s0"] == [("d",)]
    # Thirds and tenths are what they are.
    edge = [done(name, {**class_, "x": points}) for name, points in (("a", 7.5), ("b", 7.5), ("c", 6.0))]
    assert find_falling_students(edge) == {"x": -TREND_THRESHOLD}


def test_an_answer_that_waits_counts_neither_points_nor_their_sum():
    cells = [GradedCell(name, "nb", "1.1", 2, True) for name in ("first", "second")]
    found = [ExerciseResult("1.1", "one", written=4, answers=cells)]
    fill_exercise_results(
        found, {("nb", "first"): (2, False), ("nb", "second"): (1.5, True)}, {}, ClearHiddenTests()
    )
    one = build_attempt("ada", found[0], {}, {}, {})
    assert (one.points, one.possible, one.unread) == (2, 2, 1)


def test_before_anything_is_graded_it_says_so(course):
    said = gradebox(course, "report")
    assert said.returncode == 2
    assert said.stderr.strip() == "gradebox: no up-to-date grades: run `gradebox autograde` first"


BARS = """
return [...document.querySelectorAll('.chart tr')].map(row => [
    row.cells[0].innerText,
    [...row.cells[1].querySelectorAll('.total, .outcome')].map(bar => bar.getBoundingClientRect().width),
    row.cells[1].textContent,
])
"""


EMPTY_COLUMNS = """
return [...document.querySelectorAll('.wide tbody')].flatMap(({rows}) =>
    Array.from(rows[0].cells, (_, n) => [...rows].every(row => row.cells[n].innerText == '–')))
"""


@needs_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 390])
def test_it_opens_without_a_network_in_light_and_dark_and_prints(page, scheme, width):
    with tab() as browser:
        colours(browser, scheme)
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        browser.get(page.as_uri())
        rows = {name: (bars, text) for name, bars, text in browser.execute_script(BARS)}
        # The text has the numbers of the bars, with their outcomes for screen readers.
        assert rows["1.4"][1] == "8 full points, 3 no points, 2 not tried"
        full, none, untried = rows["1.4"][0]
        assert full > none > untried > 20
        # The written answers wait to be read.
        assert [text for _, text in rows.values()].count("13 not read yet") == 1
        headings = [one.text for one in browser.find_elements("css selector", ".wide th")]
        assert {"tried", "not read yet"} <= set(headings)
        assert not {"second chance", "timed out", "falling behind"} & set(headings)
        assert "" not in headings and not any(browser.execute_script(EMPTY_COLUMNS))
        shown = [element.text for element in browser.find_elements("css selector", "figcaption")]
        assert shown == ["Totals: students by points", "Exercises: students by outcome"]
        # A number in a bar can be told from what is behind it.
        ink, paper = browser.execute_script(
            "const style = getComputedStyle(document.querySelector('.outcome b'));"
            "return [style.color, style.backgroundColor]"
        )
        dark = [sum(map(int, re.findall(r"\d+", colour)[:3])) / 765 < 0.5 for colour in (ink, paper)]
        assert dark == ([True, False] if scheme == "light" else [False, True])
        assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
        pdf = browser.execute_cdp_cmd("Page.printToPDF", {})["data"]
        assert len(pdf) > 10_000
        assert not [one for one in browser.get_log("browser") if one["level"] == "SEVERE"]


def test_the_page_is_of_notebooks_that_nbformat_reads(graded):
    for path in graded.path("autograded", LESSON, STRONG[0]).glob("*.ipynb"):
        nbformat.validate(nbformat.read(path, as_version=4))
